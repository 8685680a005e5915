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

/* values: the row's (derived_values). lineage_free also after a failure. Where the column counts something, the number has to agree
 * with the records (R_TAB_LINEAGE). */
enum status lineage_make(struct database *db, const struct table *table, const struct value *values, size_t column,
                         struct lineage *lineage, struct error *err);
void lineage_free(struct lineage *lineage);

#endif
