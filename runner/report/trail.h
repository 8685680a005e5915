/*
 * Where every cell of every table comes from, as a page can carry it: all turns, all files that something rests on, and for each row and lineage query of a table the set of
 * records that it names. Sets are kept once each, as text:
 *
 *   turns   runs of turn_ids, "3,5.2,1": each is how many ids are skipped since the last run's end (or 0) and, behind a point, how many further ids follow at once (left out: none)
 *   lines   "@3,@1-2": index of a file, and behind a minus its line (left out: 1)
 *
 * numbers are to the base 36; the empty text is the empty set.
 */
#ifndef PTXSEAL_REPORT_TRAIL_H
#define PTXSEAL_REPORT_TRAIL_H

#include "../derive/derivation.h"
#include "../derive/lineage.h"
#include "../derive/rows.h"

/* Texts, none twice, by number from 0. */
struct pool {
	char **at;
	size_t count;
	size_t room;
	size_t *slots; /* hash table of count + 1; 0: free */
	size_t slot_count;
};
size_t pool_add(struct pool *pool, const char *text);
/* SIZE_MAX if it is not there. */
size_t pool_find(const struct pool *pool, const char *text);
void pool_free(struct pool *pool);

struct trail_table {
	size_t sections;        /* lineage queries */
	size_t *sets;           /* [section * rows + row]: in trail.sets, of the section from 0 */
	enum lineage_kind *kinds; /* [section] */
	size_t *groups;         /* [row]: in trail.groups */
};

struct trail {
	struct rows runs;           /* RUN_COLUMNS of each run, row i is run_id i + 1 */
	struct pool names;          /* of the runs */
	struct lineage_turn *turns; /* turn_id i + 1 */
	size_t turn_count;
	struct pool files;          /* paths. First those of runs: of run i run.json is 2 i, turns.jsonl 2 i + 1; then the tables, in their order */
	struct pool sets;
	/* What a row rests on as a whole, for whoever reads without the script: indexes of runs "r3" and of other files than theirs "f1", joined by spaces. */
	struct pool groups;
	struct trail_table *tables; /* one a table of the catalogue */
	size_t table_count;
};

enum run_column {
	RUN_NAME,
	RUN_SOURCE,
	RUN_EVIDENCE,
	RUN_MODEL,
	RUN_ARCH,
	RUN_TASK,
	RUN_WORKLOAD,
	RUN_WORKLOAD_NAME,
	RUN_REQUIRED_TAG,
	RUN_DATE,
	RUN_CHECKLIST,
	RUN_RETRIEVAL,
	RUN_VARIANT,
	RUN_PLANNED_TRAJECTORIES,
	RUN_PLANNED_TURNS,
	RUN_COLUMNS
};
/* "" where there is none. */
const char *trail_run(const struct trail *trail, size_t run, enum run_column column);

/* Append a set of ids, which are over 0 and in order, as turns are written. */
void trail_set(const int64_t *ids, size_t count, struct bytes *out);

/* Ask every lineage query for every row; numbers that count something are held to their records (R_TAB_LINEAGE). trail_free also after a failure. */
enum status trail_make(const struct derivation *derivation, struct trail *trail, struct error *err);
void trail_free(struct trail *trail);

#endif
