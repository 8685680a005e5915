/*
 * cuDNN's graph API (https://docs.nvidia.com/deeplearning/cudnn/latest/developer/graph-api.html), opened at run time: descriptors, operations, plans.
 * A graph keeps its first error: calls after it do nothing, so that building reads as the list of operations it is, and dnn_plans reports it.
 */
#ifndef PTXSEAL_MEASURE_DNN_H
#define PTXSEAL_MEASURE_DNN_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cudnn.h>

#include "library.h"

#define DNN_FUNCTIONS(F)                                                                                                      \
	F(cudnnCreate) F(cudnnDestroy) F(cudnnSetStream) F(cudnnGetVersion) F(cudnnGetCudartVersion)                              \
	F(cudnnGetErrorString) F(cudnnGetLastErrorString) F(cudnnBackendCreateDescriptor) F(cudnnBackendDestroyDescriptor)        \
	F(cudnnBackendSetAttribute) F(cudnnBackendGetAttribute) F(cudnnBackendFinalize) F(cudnnBackendExecute)

struct dnn {
	struct library library;
#define DNN_POINTER(symbol) __typeof__(&symbol) symbol;
	DNN_FUNCTIONS(DNN_POINTER)
#undef DNN_POINTER
};

/* UNAVAILABLE with R_GPU_LIBRARY where cuDNN is not found or lacks one of the functions. Needs no GPU. */
enum status dnn_open(struct dnn *dnn, struct error *err);
/* OK for success; else R_GPU_LIBRARY with what was tried and cuDNN's own words. */
enum status dnn_check(const struct dnn *dnn, cudnnStatus_t result, const char *tried, struct error *err);

enum { DNN_DESCRIPTORS_MAX = 2048, DNN_OPERATIONS_MAX = 40 };

typedef cudnnBackendDescriptor_t dnn_descriptor;

struct dnn_graph {
	const struct dnn *dnn;
	dnn_descriptor made[DNN_DESCRIPTORS_MAX]; /* all of them, to be destroyed */
	int made_count;
	dnn_descriptor operations[DNN_OPERATIONS_MAX];
	int operation_count;
	int64_t next_inner; /* unique ids of tensors that live inside the graph only */
	enum status status;
	struct error err;
};

void dnn_graph_open(struct dnn_graph *graph, const struct dnn *dnn);
void dnn_graph_close(struct dnn_graph *graph); /* fine on one that is all zero */

struct dnn_shape {
	int64_t dims[4];
	int64_t strides[4]; /* in elements */
};

struct dnn_shape dnn_contiguous(int64_t a, int64_t b, int64_t c, int64_t d);
/* The same memory with the last two dimensions exchanged. */
struct dnn_shape dnn_transposed(struct dnn_shape shape);

/* Ids that a caller chooses are below DNN_INNER_ID. A scalar is read from the host when the plan is executed. */
enum { DNN_INNER_ID = 1000 };
dnn_descriptor dnn_tensor(struct dnn_graph *graph, int64_t id, struct dnn_shape shape, cudnnDataType_t type);
dnn_descriptor dnn_scalar(struct dnn_graph *graph, int64_t id);
dnn_descriptor dnn_inner(struct dnn_graph *graph, struct dnn_shape shape, cudnnDataType_t type);

/* c = a b */
void dnn_matmul(struct dnn_graph *graph, dnn_descriptor a, dnn_descriptor b, dnn_descriptor c);
/* y = x with each row (last dimension) reduced to one value */
void dnn_reduce(struct dnn_graph *graph, cudnnReduceTensorOp_t operator, dnn_descriptor x, dnn_descriptor y);
/* y = the elements of x in y's shape and strides */
void dnn_reshape(struct dnn_graph *graph, dnn_descriptor x, dnn_descriptor y);
/* y = mode(x), mode(x, b), mode(x, b, t): b and t may be NULL. math is the precision it is computed in. */
void dnn_pointwise(struct dnn_graph *graph, cudnnPointwiseMode_t mode, cudnnDataType_t math, dnn_descriptor x, dnn_descriptor b,
                   dnn_descriptor t, dnn_descriptor y);
/* y = each element's index along that axis of x */
void dnn_index(struct dnn_graph *graph, int64_t axis, dnn_descriptor x, dnn_descriptor y);

/* o = softmax(scale q k^T) v in one node, k as rows; stats gets the natural logarithms of the row sums. */
#define DNN_HAS_SDPA (CUDNN_VERSION >= 91301) /* of the header; an older library than it refuses the graph */
#if DNN_HAS_SDPA
void dnn_sdpa(struct dnn_graph *graph, dnn_descriptor q, dnn_descriptor k, dnn_descriptor v, dnn_descriptor scale, dnn_descriptor o,
              dnn_descriptor stats);
#endif

struct dnn_plan {
	dnn_descriptor plan; /* belongs to the graph */
	int64_t workspace;   /* bytes */
	cJSON *facts;        /* its element of tried */
};

struct dnn_limits {
	int plans;         /* at most so many */
	int64_t workspace; /* bytes that a plan may ask for */
	double deadline;   /* dnn_now's seconds; after it no plan but the first is begun */
};

/* Seconds of a clock that only runs forward. */
double dnn_now(void);
/*
 * The plans that finalise of what the heuristic names, modes A, B and fallback in this order, each configuration once. plans has room for limits->plans of them; count
 * is at least 1 on success. tried is an array that gets an object for every configuration: heuristic_mode, place (in its order, from 0), engine, knobs,
 * numerical_notes, behavior_notes (ids of cudnn_graph.h), planning_ms, and either workspace_bytes or refused: why it is no plan here. Needs a GPU.
 */
enum status dnn_plans(struct dnn_graph *graph, cudnnHandle_t handle, const struct dnn_limits *limits, struct dnn_plan *plans,
                      int *count, cJSON *tried, struct error *err);

#endif
