/*
 * Counts joined with code: how much of a task's arithmetic and memory traffic the target instructions did. A count says how often warps came by an
 * instruction (CUPTI, evidence.h); the code says what one execution does (kernel/sass.h). Null instructions, and those whose guard was off, did nothing.
 */
#ifndef PTXSEAL_MEASURE_WORK_H
#define PTXSEAL_MEASURE_WORK_H

#include <cjson/cJSON.h>

#include "../kernel/cubin.h"
#include "../kernel/sass.h"
#include "evidence.h"
#include "plan.h"

/* All executions of instructions with one text ("HGMMA.64x256x16.F32.BF16") in all functions. */
struct work_line {
	enum sass_family family;
	char text[SASS_TEXT_MAX];
	uint64_t instructions; /* in the code */
	uint64_t executed;     /* by warps, as counted */
	uint64_t threads_true;
	uint64_t effective;    /* executions that did work: see work.c */
	uint64_t null;         /* of executed: by instructions without a destination */
	bool operations_known; /* else the code does not tell (tcgen05: shapes in registers) */
	double operations;     /* floating-point (integer, bit) operations of all effective executions */
	/* Copies through tensor maps: bytes between the least and the greatest box among the maps that the function is given; both 0 for other families. */
	double bytes_least, bytes_most;
};

struct work {
	struct work_line *line; /* families other than SASS_OTHER; by family, then text */
	size_t lines;
	size_t functions;       /* added */
	size_t counted;         /* of them: counts were taken (executed or not executed) */
	uint64_t warps;         /* executions of all instructions by warps */
};

/* Add one function's counts. FAILS with R_EVD_JOIN where a count lies at no instruction of the cubin's function. */
enum status work_add(struct work *work, const struct counts *counts, const struct cubin *cubin, const struct plan *plan, struct error *err);
void work_free(struct work *work); /* fine on an empty one */

/* Operations of a group of families, and whether all of them are known. */
double work_operations(const struct work *work, enum sass_group group, bool *known);

/* {"complete","lines":[...],"bytes_share":{"least","most"},"operations_share":{group: share or null},"warps"} for the record; shares are of problem->flops and
 * problem->bytes, null where not all was counted. The caller's to delete. */
cJSON *work_facts(const struct work *work, const struct problem *problem);

#endif
