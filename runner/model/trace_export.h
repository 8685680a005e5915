/*
 * A bundle as a data set in the layout that flashinfer-bench 0.1.2 loads: definitions/OP/TASK.json and workloads/OP/TASK.jsonl as the
 * bundle holds them, solutions/AUTHOR/OP/TASK/NAME.json and traces/OP/TASK.jsonl of every candidate that was measured. What that schema has
 * no words for is left out, counted, and listed in ptxseal.json beside them. docs/records.md, "FlashInfer Trace".
 */
#ifndef PTXSEAL_MODEL_TRACE_EXPORT_H
#define PTXSEAL_MODEL_TRACE_EXPORT_H

#include "../base/file.h"
#include "../base/sha256.h"

struct export_file {
	char *path;
	struct bytes text;
};

/* What is not exported: so many of them, for this reason. */
struct export_left {
	char *what; /* "turns of the source ptxbench", or the path of a record */
	uint64_t count;
	char *reason;
};

struct trace_export {
	struct export_file *files; /* sorted by path */
	size_t file_count;
	struct export_left *left;
	size_t left_count;
	uint64_t definitions, workloads, solutions, traces;
};

/* All of it in memory, a function of the bundle and the program's name alone. trace_export_free in every case. */
enum status trace_export_make(const struct root *bundle, const char *program, struct trace_export *export, struct error *err);
/* Into an empty directory (R_TRC_EXISTS). */
enum status trace_export_write(const struct trace_export *export, const struct root *dir, struct error *err);
void trace_export_free(struct trace_export *export);

#endif
