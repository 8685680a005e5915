/*
 * A kernel.cu after upstream's contract (host code that exports run through TVM-FFI) becomes a candidate as data: nvcc builds it, its host code is recorded twice away from any device
 * (capture.h), and what it launched is written as launches, maps and buffers (lowering.h). No GPU, no CUDA types. docs/measure.md, "kernel.cu", says why.
 */
#ifndef PTXSEAL_MEASURE_LOWER_H
#define PTXSEAL_MEASURE_LOWER_H

#include "../kernel/candidate.h"
#include "../kernel/nvcc.h"

struct lowered {
	cJSON *tree;               /* candidate.json */
	struct bytes json;         /* the same, canonical, newline ended */
	struct bytes ptx, cubin;
	struct candidate *candidate; /* read back from them */
	struct bytes complaints;   /* of nvcc, where it does not compile (kernel/complaints.h) */
};

/*
 * bundle has tasks/; directory, beneath it, ends in TASK/NAME and has candidate.json: schema, task, name, label, arch, origin, and "lowered" with "source" (a file beside it) and "workload" ("published",
 * "small" or a UUID). Everything else that stands there is made anew. Nothing is written. program is as in capture.h. lowered_free in every case.
 */
enum status lower_directory(const struct root *bundle, const char *directory, const struct nvcc *nvcc, const char *program, struct lowered *lowered,
                            struct error *err);
void lowered_free(struct lowered *lowered);

/* Writes candidate.json, the PTX and the cubin. */
enum status lowered_write(const struct root *bundle, const struct lowered *lowered, struct error *err);

/* True if candidate.json's text and lowered's say the same of everything but the tools that made it, and their PTX is the same. what: LOWERED_PTX or LOWERED_DATA, which
 * differs, the PTX first; else "". */
#define LOWERED_PTX "the PTX"
#define LOWERED_DATA "the data"
bool lowered_same(const struct candidate *candidate, const struct lowered *lowered, const char **what);
/* True if they name the same nvcc, C++ compiler and TVM-FFI. */
bool lowered_by_same_tools(const struct candidate *candidate, const struct lowered *lowered);

#endif
