/*
 * What is odd in PTXBench's published CSV files: each kind with what it means and how the import carries it
 * over. Facts that show in the data itself; a guess at the cause is worded as one. Nothing is mended.
 */
#ifndef PTXSEAL_MODEL_IRREGULARITY_H
#define PTXSEAL_MODEL_IRREGULARITY_H

#include "ptxbench.h"

enum irregularity_kind {
#define IRREGULARITY(name, code, meaning, carried) name,
#include "irregularity.def"
#undef IRREGULARITY
	IRREGULARITY_KINDS
};

const char *irregularity_code(enum irregularity_kind kind);    /* "impossible-date" */
const char *irregularity_meaning(enum irregularity_kind kind); /* one sentence without full stop */
const char *irregularity_carried(enum irregularity_kind kind);

struct irregularity {
	enum irregularity_kind kind;
	enum ptxbench_file file;
	uint64_t line;      /* of the first occurrence; 1 is the header */
	uint64_t count;     /* rows (missing rows, for short trajectories) */
	const char *column;
	char *run;          /* NULL: not of one run */
	char *value;        /* what stands there, never a path of upstream's machine */
};

struct irregularities {
	struct irregularity *at; /* by kind, then in the order of the source */
	size_t count;
};

/* data as ptxbench_read filled it. */
void irregularities_find(const struct ptxbench *data, struct irregularities *found);
void irregularities_free(struct irregularities *found);

/* Append the record as one line of irregularities.jsonl. */
void irregularity_write(const struct irregularity *irregularity, struct bytes *out);

#endif
