/*
 * A workload made concrete: which tensors there are, of what shape, and what the task computes. From tasks/<task>/task.json (FlashInfer Trace
 * definition) and a line of workloads.jsonl. No CUDA types here: CPU code and tests use it too.
 */
#ifndef PTXSEAL_MEASURE_PROBLEM_H
#define PTXSEAL_MEASURE_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/file.h"
#include "dtype.h"

enum { PROBLEM_TENSORS_MAX = 12, PROBLEM_DIMS_MAX = 4, PROBLEM_AXES_MAX = 8 };

/* GEMM: C[M,N] = A[M,K] B[N,K]^T.
 * GEMM_1D1D, GEMM_1D2D: the same of FP8 values with scales, each for 128 elements of a row of K: A's are A_scale[G,M], G = K/128 groups; B's are B_scale[G,N] (1D1D), or
 * B_scale[P,G], one for 128 x 128 elements, P = N/128 (1D2D). These are DeepGEMM's recipes, in the layouts that cuBLASLt takes.
 * ATTENTION_FORWARD: Q,K,V[B,H,S,D] -> O, LSE[B,H,S] (natural log).
 * ATTENTION_BACKWARD: Q,K,V,O,dO,L -> dQ,dK,dV.  Scale 1/sqrt(D); causal keeps key <= query. (SPEC of PTXBench tasks: docs/tasks.md) */
enum family { FAMILY_GEMM, FAMILY_GEMM_1D1D, FAMILY_GEMM_1D2D, FAMILY_ATTENTION_FORWARD, FAMILY_ATTENTION_BACKWARD };
enum { SCALE_GROUP = 128 };

struct axis {
	char name[16];
	uint64_t size;
};

struct tensor {
	char name[16];      /* as task.json says: "A", "Q", "LSE", ... */
	enum dtype dtype;
	bool output;
	/* Backward's O and L are inputs that follow from the other inputs by the forward reference, not from the seed. */
	bool computed;
	bool scale;         /* positive factors of FP8 values: drawn in a way of their own (inputs.h) */
	unsigned rank;
	uint64_t dims[PROBLEM_DIMS_MAX];
	uint64_t count;     /* elements */
	uint64_t bytes;
};

struct problem {
	char task[96];
	char workload[64];  /* UUID */
	enum family family;
	bool causal;
	struct axis axes[PROBLEM_AXES_MAX];
	size_t axis_count;
	struct tensor tensors[PROBLEM_TENSORS_MAX]; /* inputs then outputs, in call order */
	size_t tensor_count;
	double flops;       /* the task's own convention: GEMM 2MNK; forward 4BHSSD, backward 10BHSSD, causal half */
	double bytes;       /* least traffic: every input read once, every output written once */
};

/* Axes are named M, N, K (G, P) or B, H, S, D: the backward definitions' d is D here. */
/* workload NULL = the published one; "small" = the task's millisecond workload; else a UUID. */
enum status problem_read(const struct root *root, const char *task, const char *workload, struct problem *problem,
                         struct error *err);
/* Of a task or workload that nobody typed: the record in file names them, and what is wrong is wrong there (R_PRB_NAMED). status and err as they came. */
enum status problem_named_in(const char *file, enum status status, struct error *err);
bool problem_is_gemm(const struct problem *problem); /* of any of the three families */
uint64_t problem_axis(const struct problem *problem, const char *name); /* 0 if there is none */
const struct tensor *problem_tensor(const struct problem *problem, const char *name); /* NULL if there is none */

#endif
