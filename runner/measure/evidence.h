/*
 * Which instructions a function executed, and how much of the task's work they did. Counts come from CUPTI's SASS metrics in a worker
 * (count.h); this is the judge's side, without CUDA types.
 */
#ifndef PTXSEAL_MEASURE_EVIDENCE_H
#define PTXSEAL_MEASURE_EVIDENCE_H

#include <cjson/cJSON.h>

#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"

enum counts_state {
	COUNTS_EXECUTED,     /* at least one instruction of the function was counted */
	COUNTS_NOT_EXECUTED, /* counted, and none ran */
	COUNTS_REFUSED,      /* CUPTI_ERROR_INSUFFICIENT_PRIVILEGES */
	COUNTS_FAILED,       /* CUPTI said something else, or dropped records */
	COUNTS_UNKNOWN,      /* no CUPTI here */
	COUNTS_STATES
};
const char *counts_state_name(enum counts_state state); /* "executed", "not_executed", "refused", "failed", "unknown" */

struct instruction_count {
	uint64_t offset;       /* in the function, as nvdisasm lists it */
	uint64_t executed;     /* by warps */
	uint64_t threads_true; /* threads whose predicate was on */
};

struct counts {
	enum counts_state state;
	char text[ERROR_WHAT_MAX]; /* why, unless executed */
	char *function;
	struct instruction_count *at; /* by offset */
	size_t count;
};

/* From what worker_count gave (a worker's word: checked). counts_free also after an error. */
enum status counts_read(const cJSON *message, struct counts *counts, struct error *err);
void counts_free(struct counts *counts);

#endif
