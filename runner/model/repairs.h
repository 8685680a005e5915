/*
 * Repairs, for fine-tuning: where an answer failed and the next one of its trajectory is correct, a line of JSON with the failed candidate, what was told of it, and the fixed one. Tasks that are
 * held out give none, so that what is tuned on the set can be evaluated on them. docs/query.md, "The repair set".
 */
#ifndef PTXSEAL_MODEL_REPAIRS_H
#define PTXSEAL_MODEL_REPAIRS_H

#include "../base/file.h"

struct repairs { /* repairs_free */
	struct bytes lines;    /* the set, JSON Lines */
	struct bytes manifest; /* canonical JSON, newline ended */
	uint64_t pairs, held_out, without_texts, twice; /* fixes: pairs and why the others are left out */
	uint64_t unfixed;      /* failed turns that no correct one follows directly */
};
void repairs_free(struct repairs *repairs);

/* held_out: names of tasks, NULL-terminated; NULL: those whose facts.json says paper_set `core`. R_REP_TASK: the bundle has no such task. R_REP_NONE: there is no pair. */
enum status repairs_make(const struct root *bundle, const char *const *held_out, struct repairs *repairs, struct error *err);

#endif
