/*
 * A model's kernel made a candidate, assembled and looked at, without a GPU: what a run's evaluator says where nothing is measured, and what `rebuild` compares with. The candidate is
 * named RUN-TTT-NN after its trajectory and turn.
 */
#ifndef PTXSEAL_MEASURE_ASSESS_H
#define PTXSEAL_MEASURE_ASSESS_H

#include "../kernel/nvcc.h"
#include "../model/evaluator.h"
#include "../model/prompt.h"
#include "problem.h"

struct assessor {
	const struct root *bundle;
	const char *run, *model;
	const char *arch;      /* "hopper" */
	enum form form;
	struct problem problem;
	struct toolchain toolchain;
	struct nvcc nvcc;      /* FORM_KERNEL */
	bool keep;             /* write what compiles to artifact/candidates */
};

/* The tools and the task that it takes. workload as for problem_read. assessor_close in every case. */
enum status assessor_open(const struct root *bundle, const char *run, const char *model, const char *task, const char *workload, const char *arch, enum form form, struct assessor *assessor,
                          struct error *err);
void assessor_close(struct assessor *assessor);

/* An evaluator (model/evaluator.h); context is a struct assessor. What compiles is `unknown`, for it was not run. */
enum status assess(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err);

/* What is said of code: the members of facts.code that follow from the cubin (cubin, functions, instructions), appended to code. *target: target instructions stand in it and do something. */
enum status assess_code(const struct bytes *cubin, const char *file, cJSON *code, bool *target, struct error *err);

/* What a template may ask of a task: task, description, axes, inputs, outputs, reference, flops. */
enum status assess_values(const struct root *bundle, const struct problem *problem, struct prompt_values *values, struct error *err);

/* What candidate.json says of where it comes from; free() it. */
char *assess_origin(const char *model, const char *run, uint32_t trajectory, uint32_t turn);

#endif
