/*
 * What others' programs say became of a kernel, in our words. The table is the one of docs/records.md, "Labels of others"; a word that
 * is not in it is OUTCOME_MEASURED_UNKNOWN, never a guess.
 */
#ifndef PTXSEAL_MODEL_LABEL_H
#define PTXSEAL_MODEL_LABEL_H

#include <stdbool.h>
#include <stddef.h>

#include "../bundle/ledger.h"

/* A status of an evaluation, as flashinfer-bench 0.1.2 and its kin name them: "PASSED", "RUNTIME_ERROR", ... */
enum outcome label_of_status(const char *status);

/* The status that says of a measured outcome what FlashInfer Trace can say, NULL where it has no word for it. */
const char *label_status(enum outcome outcome);

/* What the text that an agent was given back tells. Candidates write into such texts: a status counts only where the program puts it,
 * on the line below its heading, and no phrase makes a turn correct. speedup: what stands on that line, 0 if nothing. */
enum outcome label_of_feedback(const char *text, double *speedup);

#endif
