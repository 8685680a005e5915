#if __has_include(<cudnn.h>)

#include "attention_graph.h"

#include <math.h>

/* The shapes of one problem. */
struct shapes {
	struct dnn_shape rows;   /* [B,H,S,D]: Q, K, V, O and their gradients */
	struct dnn_shape turned; /* [B,H,D,S] on the same memory: K^T, V^T */
	struct dnn_shape scores; /* [B,H,S,S] */
	struct dnn_shape column; /* [B,H,S,1]: one value a row */
};

static struct shapes shapes_of(const struct problem *problem)
{
	const uint64_t *dims = problem->tensors[0].dims;
	const int64_t b = (int64_t)dims[0];
	const int64_t h = (int64_t)dims[1];
	const int64_t s = (int64_t)dims[2];
	const struct dnn_shape rows = dnn_contiguous(b, h, s, (int64_t)dims[3]);

	return (struct shapes){rows, dnn_transposed(rows), dnn_contiguous(b, h, s, s), dnn_contiguous(b, h, s, 1)};
}

static int64_t bound(struct attention *attention, int64_t id)
{
	attention->ids[attention->count++] = id;
	return id;
}

/* The problem's tensor of that place in its list. */
static dnn_descriptor outer(struct dnn_graph *graph, struct attention *attention, int place, struct dnn_shape shape,
                            cudnnDataType_t type)
{
	return dnn_tensor(graph, bound(attention, ATTENTION_TENSOR + place), shape, type);
}

static dnn_descriptor scalar(struct dnn_graph *graph, struct attention *attention, int64_t id)
{
	return dnn_scalar(graph, bound(attention, id));
}

/* One pointwise function in fp32 with a new inner tensor as its result. */
static dnn_descriptor map(struct dnn_graph *graph, cudnnPointwiseMode_t mode, dnn_descriptor x, dnn_descriptor b,
                          struct dnn_shape shape, cudnnDataType_t type)
{
	dnn_descriptor y = dnn_inner(graph, shape, type);

	dnn_pointwise(graph, mode, CUDNN_DATA_FLOAT, x, b, NULL, y);
	return y;
}

static dnn_descriptor product(struct dnn_graph *graph, dnn_descriptor a, dnn_descriptor b, struct dnn_shape shape)
{
	dnn_descriptor c = dnn_inner(graph, shape, CUDNN_DATA_FLOAT);

	dnn_matmul(graph, a, b, c);
	return c;
}

/* Scores with -infinity where the key comes after the query. */
static dnn_descriptor mask(struct dnn_graph *graph, struct attention *attention, dnn_descriptor scores, struct dnn_shape shape)
{
	dnn_descriptor query = dnn_inner(graph, shape, CUDNN_DATA_INT32);
	dnn_descriptor key = dnn_inner(graph, shape, CUDNN_DATA_INT32);
	dnn_descriptor seen = dnn_inner(graph, shape, CUDNN_DATA_BOOLEAN);
	dnn_descriptor masked = dnn_inner(graph, shape, CUDNN_DATA_FLOAT);

	dnn_index(graph, 2, scores, query);
	dnn_index(graph, 3, scores, key);
	dnn_pointwise(graph, CUDNN_POINTWISE_CMP_GE, CUDNN_DATA_BOOLEAN, query, key, NULL, seen);
	dnn_pointwise(graph, CUDNN_POINTWISE_BINARY_SELECT, CUDNN_DATA_FLOAT, scores, scalar(graph, attention, ATTENTION_MASKED), seen, masked);
	return masked;
}

/* Tensors of the problem: Q, K, V, O, LSE. */
static void forward(struct dnn_graph *g, const struct problem *problem, struct attention *a)
{
	const struct shapes shape = shapes_of(problem);
	dnn_descriptor q = outer(g, a, 0, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor k = outer(g, a, 1, shape.turned, CUDNN_DATA_BFLOAT16);
	dnn_descriptor v = outer(g, a, 2, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor o = outer(g, a, 3, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor lse = outer(g, a, 4, shape.column, CUDNN_DATA_FLOAT);
	dnn_descriptor maximum = dnn_inner(g, shape.column, CUDNN_DATA_FLOAT);
	dnn_descriptor sum = dnn_inner(g, shape.column, CUDNN_DATA_FLOAT);

	dnn_descriptor scores = product(g, q, k, shape.scores);

	scores = map(g, CUDNN_POINTWISE_MUL, scores, scalar(g, a, ATTENTION_SCALE), shape.scores, CUDNN_DATA_FLOAT);
	if (problem->causal)
		scores = mask(g, a, scores, shape.scores);
	dnn_reduce(g, CUDNN_REDUCE_TENSOR_MAX, scores, maximum);
	scores = map(g, CUDNN_POINTWISE_SUB, scores, maximum, shape.scores, CUDNN_DATA_FLOAT);
	dnn_descriptor weights = map(g, CUDNN_POINTWISE_EXP, scores, NULL, shape.scores, CUDNN_DATA_FLOAT);

	dnn_reduce(g, CUDNN_REDUCE_TENSOR_ADD, weights, sum);
	dnn_descriptor logarithm = map(g, CUDNN_POINTWISE_LOG, sum, NULL, shape.column, CUDNN_DATA_FLOAT);

	dnn_pointwise(g, CUDNN_POINTWISE_ADD, CUDNN_DATA_FLOAT, maximum, logarithm, NULL, lse);
	weights = map(g, CUDNN_POINTWISE_DIV, weights, sum, shape.scores, CUDNN_DATA_BFLOAT16);
	dnn_matmul(g, weights, v, o);
}

#if DNN_HAS_SDPA
static void forward_one_node(struct dnn_graph *g, const struct problem *problem, struct attention *a)
{
	const struct shapes shape = shapes_of(problem);
	dnn_descriptor q = outer(g, a, 0, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor k = outer(g, a, 1, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor v = outer(g, a, 2, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor o = outer(g, a, 3, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor lse = outer(g, a, 4, shape.column, CUDNN_DATA_FLOAT);

	dnn_sdpa(g, q, k, v, scalar(g, a, ATTENTION_SCALE), o, lse);
}
#endif

/* Tensors of the problem: Q, K, V, O, dO, L, dQ, dK, dV. */
static void backward(struct dnn_graph *g, const struct problem *problem, struct attention *a)
{
	const struct shapes shape = shapes_of(problem);
	dnn_descriptor q = outer(g, a, 0, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor k = outer(g, a, 1, shape.turned, CUDNN_DATA_BFLOAT16);
	dnn_descriptor v = outer(g, a, 2, shape.turned, CUDNN_DATA_BFLOAT16);
	dnn_descriptor o = outer(g, a, 3, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor gradient = outer(g, a, 4, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor lse = outer(g, a, 5, shape.column, CUDNN_DATA_FLOAT);
	dnn_descriptor dq = outer(g, a, 6, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor dk = outer(g, a, 7, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor dv = outer(g, a, 8, shape.rows, CUDNN_DATA_BFLOAT16);
	dnn_descriptor scale = scalar(g, a, ATTENTION_SCALE);
	dnn_descriptor one = scalar(g, a, ATTENTION_ONE);
	dnn_descriptor row_sum = dnn_tensor(g, bound(a, ATTENTION_ROW_SUM), shape.column, CUDNN_DATA_FLOAT);
	dnn_descriptor dq_sum = dnn_tensor(g, bound(a, ATTENTION_DQ_SUM), shape.rows, CUDNN_DATA_FLOAT);

	/* The row sums go through memory: the engines expect it. The front end multiplies by what dropout keeps, which is all. */
	dnn_descriptor row = dnn_inner(g, shape.column, CUDNN_DATA_FLOAT);

	dnn_reduce(g, CUDNN_REDUCE_TENSOR_ADD, map(g, CUDNN_POINTWISE_MUL, gradient, o, shape.rows, CUDNN_DATA_FLOAT), row);
	dnn_pointwise(g, CUDNN_POINTWISE_MUL, CUDNN_DATA_FLOAT, row, one, NULL, row_sum);

	dnn_descriptor scores = product(g, q, k, shape.scores);

	scores = map(g, CUDNN_POINTWISE_MUL, scores, scale, shape.scores, CUDNN_DATA_FLOAT);
	scores = map(g, CUDNN_POINTWISE_SUB, scores, lse, shape.scores, CUDNN_DATA_FLOAT);
	if (problem->causal)
		scores = mask(g, a, scores, shape.scores);
	dnn_descriptor weights = map(g, CUDNN_POINTWISE_EXP, scores, NULL, shape.scores, CUDNN_DATA_FLOAT);
	dnn_descriptor turned = dnn_inner(g, dnn_transposed(shape.scores), CUDNN_DATA_BFLOAT16);

	dnn_reshape(g, weights, turned);
	dnn_matmul(g, turned, gradient, dv);

	dnn_descriptor ds = product(g, gradient, v, shape.scores);

	ds = map(g, CUDNN_POINTWISE_SUB, ds, row_sum, shape.scores, CUDNN_DATA_FLOAT);
	ds = map(g, CUDNN_POINTWISE_MUL, ds, weights, shape.scores, CUDNN_DATA_FLOAT);
	ds = map(g, CUDNN_POINTWISE_MUL, ds, scale, shape.scores, CUDNN_DATA_BFLOAT16);
	dnn_descriptor ds_turned = dnn_inner(g, dnn_transposed(shape.scores), CUDNN_DATA_BFLOAT16);
	dnn_descriptor k_rows = dnn_inner(g, shape.rows, CUDNN_DATA_BFLOAT16);

	dnn_reshape(g, ds, ds_turned);
	dnn_matmul(g, ds_turned, q, dk);
	dnn_reshape(g, k, k_rows);
	dnn_matmul(g, ds, k_rows, dq_sum);
	dnn_pointwise(g, CUDNN_POINTWISE_IDENTITY, CUDNN_DATA_FLOAT, dq_sum, NULL, NULL, dq);
}

bool attention_has_form(const struct problem *problem, enum attention_form form)
{
	return form == ATTENTION_COMPOSITE || (DNN_HAS_SDPA && problem->family == FAMILY_ATTENTION_FORWARD && !problem->causal);
}

void attention_graph(struct dnn_graph *graph, const struct problem *problem, enum attention_form form, struct attention *attention)
{
	*attention = (struct attention){
		.scale = 1.0f / sqrtf((float)problem->tensors[0].dims[3]), .masked = -INFINITY, .one = 1.0f};
#if DNN_HAS_SDPA
	if (form == ATTENTION_ONE_NODE) {
		forward_one_node(graph, problem, attention);
		return;
	}
#else
	(void)form;
#endif
	if (problem->family == FAMILY_ATTENTION_FORWARD)
		forward(graph, problem, attention);
	else
		backward(graph, problem, attention);
}

#endif
