/*
 * FlashInfer Trace: definitions, solutions and traces, as flashinfer-bench 0.1.2 loads them (its data models and TraceSet.from_path),
 * read strictly: a field that its models do not have could change what the others mean, and is refused. An absent key and null mean the
 * same. What is not refused here its models accept too, but for Python texts, which are not looked into.
 */
#ifndef PTXSEAL_MODEL_TRACE_SCHEMA_H
#define PTXSEAL_MODEL_TRACE_SCHEMA_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "../base/error.h"

/* Every text belongs to the tree. file and line are for messages; line 0: the file is one document. */
struct trace_definition {
	const char *name, *op_type;
	const cJSON *axes, *inputs, *outputs;
};
enum status trace_definition_read(const cJSON *tree, const char *file, struct trace_definition *definition, struct error *err);

/* Do both ask for the same computation's interface: axes, inputs and outputs in the same order, of the same shapes and types? */
bool trace_definition_equal(const struct trace_definition *a, const struct trace_definition *b);

struct trace_solution {
	const char *name, *definition, *author;
	const char *entry;     /* content of the source file that the entry point names */
	const cJSON *spec, *sources, *description; /* description NULL or null: none */
};
enum status trace_solution_read(const cJSON *tree, const char *file, struct trace_solution *solution, struct error *err);

struct trace {
	const char *definition, *solution; /* solution NULL: a workload alone */
	const char *uuid;
	const cJSON *axes;
	const char *status, *hardware, *timestamp, *log; /* of the evaluation; NULL without one. log "" if there is none */
	double speedup;                                  /* 0 unless PASSED */
};
enum status trace_read(const cJSON *tree, const char *file, uint64_t line, struct trace *trace, struct error *err);

#endif
