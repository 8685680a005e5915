/* Where a cell comes from: the records its column's lineage query names. */
#ifndef PTXSEAL_DERIVE_LINEAGE_H
#define PTXSEAL_DERIVE_LINEAGE_H

#include "database.h"
#include "derived.h"

enum lineage_kind {
	LINEAGE_NONE,  /* the column has no lineage query */
	LINEAGE_TURNS, /* turn records */
	LINEAGE_FILES, /* lines of other files of the bundle */
};

struct lineage_turn {
	int64_t turn_id;
	int64_t run_id;
	int64_t trajectory;
	int64_t turn;
	char *run;
	char *source;
	char *outcome;
	char *speedup; /* as the source wrote it, NULL if it has none */
	char *arch_tag;
	int64_t line;        /* in artifact/runs/<run>/turns.jsonl */
	int64_t source_line; /* in the source's file, 0 if there is none */
};

struct lineage_place {
	char *file; /* of the bundle */
	int64_t line;
};

struct lineage {
	enum lineage_kind kind;
	uint64_t line;             /* of its query in the table's file, 0 for LINEAGE_NONE */
	struct lineage_turn *turns; /* by turn_id, none twice */
	size_t turn_count;
	size_t trajectories;       /* distinct ones among them */
	size_t runs;
	struct lineage_place *places; /* in the query's order */
	size_t place_count;
};

/* The records behind each row of a table, by one of its lineage queries. */
struct lineage_rows {
	enum lineage_kind kind;
	struct lineage_span {
		size_t first; /* in turns or places */
		size_t end;
	} *spans; /* one a row; rows that give the query the same values share one */
	int64_t *turns; /* turn_ids of the ledger: of a row in order, none twice, whatever order the query gave them in */
	struct lineage_place *places;
	size_t count;
	size_t room;
};

/* Ask the query of the table's section (1 and on) about count rows of derived from first on; spans[0] is that of the first. lineage_rows_free also after a failure. */
enum status lineage_rows_make(struct database *db, const struct derived *derived, size_t section, size_t first, size_t count,
                              struct lineage_rows *out, struct error *err);
void lineage_rows_free(struct lineage_rows *rows);

/* All about the turns whose ids are given, in order and none twice. file and line: what names them, for messages. lineage_turns_free also after a failure. */
enum status lineage_turns(struct database *db, const char *file, uint64_t line, const int64_t *ids, size_t count,
                          struct lineage_turn **turns, struct error *err);
void lineage_turns_free(struct lineage_turn *turns, size_t count);

/* Where the column counts something, the row's number has to agree with its records: turns, trajectories and runs (R_TAB_LINEAGE). */
enum status lineage_agrees(const struct derived *derived, size_t row, size_t column, size_t turns, size_t trajectories, size_t runs,
                           struct error *err);

/* Everything about one cell. lineage_free also after a failure. */
enum status lineage_make(struct database *db, const struct derived *derived, size_t row, size_t column, struct lineage *lineage,
                         struct error *err);
void lineage_free(struct lineage *lineage);

#endif
