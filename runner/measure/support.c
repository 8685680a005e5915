#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "support_layout.h"

_Static_assert(sizeof((struct comparison *)NULL)->bins == COMPARE_BINS * sizeof(uint64_t), "support.h and the kernel have the same bins");

/* cuModuleLoadData takes a fat binary as it takes PTX. */
static const unsigned char image[] __attribute__((aligned(16))) = {
#include "support.inc"
};

/* KERNEL(name in support.cu, dynamic shared memory) */
#define KERNELS(KERNEL)                                                                                                 \
	KERNEL(fill, 0)                                                                                                 \
	KERNEL(compare, 0)                                                                                              \
	KERNEL(count_differing, 0)                                                                                      \
	KERNEL(linger, 0)                                                                                               \
	KERNEL(stamp, 0)                                                                                                \
	KERNEL(gemm_bf16, 0)                                                                                            \
	KERNEL(gemm_e4m3, 0)                                                                                            \
	KERNEL(row_sums, 0)                                                                                             \
	KERNEL(forward_64, FORWARD_SHARED(64))                                                                          \
	KERNEL(forward_96, FORWARD_SHARED(96))                                                                          \
	KERNEL(forward_128, FORWARD_SHARED(128))                                                                        \
	KERNEL(forward_256, FORWARD_SHARED(256))                                                                        \
	KERNEL(backward_keys_64, BACKWARD_SHARED(64, 2))                                                                \
	KERNEL(backward_keys_96, BACKWARD_SHARED(96, 2))                                                                \
	KERNEL(backward_keys_128, BACKWARD_SHARED(128, 2))                                                              \
	KERNEL(backward_queries_64, BACKWARD_SHARED(64, 1))                                                             \
	KERNEL(backward_queries_96, BACKWARD_SHARED(96, 1))                                                             \
	KERNEL(backward_queries_128, BACKWARD_SHARED(128, 1))

enum kernel {
#define KERNEL(name, shared) KERNEL_##name,
	KERNELS(KERNEL)
#undef KERNEL
	KERNEL_COUNT
};

static const struct {
	const char *name;
	uint32_t shared;
} kernels[KERNEL_COUNT] = {
#define KERNEL(name, shared) {#name, shared},
	KERNELS(KERNEL)
#undef KERNEL
};

/* What the synchronous calls bring back: one allocation in each context. */
struct results {
	struct compare_partial partials[COMPARE_BLOCKS];
	uint64_t bins[COMPARE_BINS];
	uint64_t differing;
};

struct support {
	const struct cuda *cuda;
	CUmodule module;
	CUfunction functions[KERNEL_COUNT];
	CUdeviceptr results;
};

static enum status find_kernel(struct support *s, enum kernel kernel, struct error *err)
{
	enum status status = cuda_check(s->cuda, s->cuda->cuModuleGetFunction(&s->functions[kernel], s->module, kernels[kernel].name),
	                                "finding our own kernels", err);

	if (status == OK && kernels[kernel].shared > 0)
		status = cuda_check(s->cuda,
		                    s->cuda->cuFuncSetAttribute(s->functions[kernel], CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
		                                                (int)kernels[kernel].shared),
		                    "asking for our own kernels' shared memory", err);
	return status;
}

enum status support_open(const struct cuda *cuda, struct support **support, struct error *err)
{
	struct support *s = mem_alloc(sizeof *s);

	s->cuda = cuda;
	*support = NULL;
	enum status status = cuda_check(cuda, cuda->cuModuleLoadData(&s->module, image), "loading our own kernels", err);

	for (enum kernel kernel = 0; kernel < KERNEL_COUNT && status == OK; kernel++)
		status = find_kernel(s, kernel, err);
	if (status == OK)
		status = cuda_check(cuda, cuda->cuMemAlloc(&s->results, sizeof(struct results)), "allocating our own results", err);
	if (status == OK)
		*support = s;
	else
		support_close(s);
	return status;
}

void support_close(struct support *support)
{
	if (support == NULL)
		return;
	if (support->results != 0)
		support->cuda->cuMemFree(support->results);
	if (support->module != NULL)
		support->cuda->cuModuleUnload(support->module);
	free(support);
}

struct grid {
	uint64_t x, y;
};

static enum status launch(struct support *s, CUstream stream, enum kernel kernel, struct grid grid, unsigned threads, void **parameters,
                          struct error *err)
{
	char tried[64] = "running our own kernel ";

	strcat(tried, kernels[kernel].name);
	return cuda_check(s->cuda,
	                  s->cuda->cuLaunchKernel(s->functions[kernel], (unsigned)grid.x, (unsigned)grid.y, 1, threads, 1, 1,
	                                          kernels[kernel].shared, stream, parameters, NULL),
	                  tried, err);
}

static uint64_t ceiling(uint64_t count, uint64_t each)
{
	return (count + each - 1) / each;
}

/* Enough blocks for count threads' worth of work, but no more than keep every SM of a large device busy: kernels go on in steps of the grid. */
static struct grid grid_for(uint64_t count)
{
	const uint64_t blocks = ceiling(count, SUPPORT_THREADS);

	return (struct grid){blocks == 0 ? 1 : blocks < 4096 ? blocks : 4096, 1};
}

enum status support_fill(struct support *s, CUstream stream, CUdeviceptr out, enum dtype dtype, uint64_t count, uint64_t seed,
                         uint32_t tensor_index, enum value_set values, struct error *err)
{
	int type = (int)dtype;
	int set = (int)values;
	void *parameters[] = {&out, &type, &count, &seed, &tensor_index, &set};

	return launch(s, stream, KERNEL_fill, grid_for(ceiling(count, 4)), SUPPORT_THREADS, parameters, err);
}

enum status support_poison(struct support *s, CUstream stream, CUdeviceptr out, uint64_t bytes, struct error *err)
{
	return cuda_check(s->cuda, s->cuda->cuMemsetD8Async(out, 0xFF, bytes, stream), "poisoning an output", err);
}

static enum status gemm(struct support *s, CUstream stream, const struct problem *problem, const CUdeviceptr *inputs, const CUdeviceptr *outputs,
                        struct error *err)
{
	uint64_t m = problem_axis(problem, "M");
	uint64_t n = problem_axis(problem, "N");
	uint64_t k = problem_axis(problem, "K");
	CUdeviceptr a = inputs[0], b = inputs[1], c = outputs[0];
	int blocks = problem->family == FAMILY_GEMM_1D2D;
	const bool scaled = problem->family != FAMILY_GEMM;
	CUdeviceptr scale_a = scaled ? inputs[2] : 0, scale_b = scaled ? inputs[3] : 0;
	void *plain[] = {&a, &b, &c, &m, &n, &k};
	void *with_scales[] = {&a, &b, &scale_a, &scale_b, &c, &m, &n, &k, &blocks};
	const struct grid grid = {ceiling(n, SUPPORT_GEMM_TILE), ceiling(m, SUPPORT_GEMM_TILE)};

	if (k % 8 != 0 || grid.y > 65535)
		return error_set(err, R_PRB_SHAPE, "", "there is no reference for M=%llu, N=%llu, K=%llu", (unsigned long long)m,
		                 (unsigned long long)n, (unsigned long long)k);
	return launch(s, stream, scaled ? KERNEL_gemm_e4m3 : KERNEL_gemm_bf16, grid, SUPPORT_THREADS, scaled ? with_scales : plain, err);
}

/* The kernels of one head dimension; KERNEL_COUNT where there is none. */
struct attention_kernels {
	uint64_t width;
	enum kernel forward, backward_keys, backward_queries;
};

static const struct attention_kernels attention_kernels[] = {
	{64, KERNEL_forward_64, KERNEL_backward_keys_64, KERNEL_backward_queries_64},
	{96, KERNEL_forward_96, KERNEL_backward_keys_96, KERNEL_backward_queries_96},
	{128, KERNEL_forward_128, KERNEL_backward_keys_128, KERNEL_backward_queries_128},
	{256, KERNEL_forward_256, KERNEL_COUNT, KERNEL_COUNT},
};

/* What all attention kernels take, and which they are. */
struct attention {
	uint64_t heads, length, width;
	int causal;
	float scale;
	const struct attention_kernels *kernels;
};

static enum status attention_of(const struct problem *problem, struct attention *attention, struct error *err)
{
	*attention = (struct attention){
		.heads = problem_axis(problem, "B") * problem_axis(problem, "H"),
		.length = problem_axis(problem, "S"),
		.width = problem_axis(problem, "D"),
		.causal = problem->causal,
		.scale = (float)(1 / sqrt((double)problem_axis(problem, "D"))),
	};
	for (size_t i = 0; i < sizeof attention_kernels / sizeof attention_kernels[0]; i++)
		if (attention_kernels[i].width == attention->width &&
		    (problem->family == FAMILY_ATTENTION_FORWARD || attention_kernels[i].backward_keys != KERNEL_COUNT))
			attention->kernels = &attention_kernels[i];
	if (attention->kernels == NULL || attention->heads > 65535)
		return error_set(err, R_PRB_SHAPE, "", "there is no reference for %llu heads of dimension %llu", (unsigned long long)attention->heads,
		                 (unsigned long long)attention->width);
	return OK;
}

/* o_bf16: O is wanted in bfloat16, else in fp32. */
static enum status forward(struct support *s, CUstream stream, const struct attention *attention, const CUdeviceptr *qkv, CUdeviceptr o, int o_bf16,
                           CUdeviceptr lse, struct error *err)
{
	struct attention a = *attention;
	CUdeviceptr q = qkv[0], k = qkv[1], v = qkv[2];
	void *parameters[] = {&q, &k, &v, &o, &o_bf16, &lse, &a.length, &a.causal, &a.scale};
	const struct grid grid = {ceiling(a.length, FORWARD_ROWS(a.width) * SUPPORT_SIDE), a.heads};

	return launch(s, stream, a.kernels->forward, grid, SUPPORT_THREADS, parameters, err);
}

/* inputs: Q, K, V, O, dO, L; outputs: dQ, dK, dV; sums: scratch, a float a row. */
static enum status backward(struct support *s, CUstream stream, const struct attention *attention, const CUdeviceptr *inputs,
                            const CUdeviceptr *outputs, CUdeviceptr sums, struct error *err)
{
	struct attention a = *attention;
	uint64_t rows = a.heads * a.length;
	CUdeviceptr q = inputs[0], k = inputs[1], v = inputs[2], o = inputs[3], gradient = inputs[4], l = inputs[5];
	CUdeviceptr dq = outputs[0], dk = outputs[1], dv = outputs[2];
	void *for_sums[] = {&gradient, &o, &sums, &rows, &a.width};
	void *for_keys[] = {&q, &k, &v, &gradient, &l, &sums, &dk, &dv, &a.length, &a.causal, &a.scale};
	void *for_queries[] = {&q, &k, &v, &gradient, &l, &sums, &dq, &a.length, &a.causal, &a.scale};
	const struct grid grid = {ceiling(a.length, BACKWARD_ROWS * SUPPORT_SIDE), a.heads};
	const struct grid sum_grid = {ceiling(rows * 32, SUPPORT_THREADS), 1};
	enum status status = launch(s, stream, KERNEL_row_sums, sum_grid, SUPPORT_THREADS, for_sums, err);

	if (status == OK)
		status = launch(s, stream, a.kernels->backward_keys, grid, SUPPORT_THREADS, for_keys, err);
	return status == OK ? launch(s, stream, a.kernels->backward_queries, grid, SUPPORT_THREADS, for_queries, err) : status;
}

uint64_t support_reference_scratch(const struct problem *problem)
{
	const uint64_t rows = problem_axis(problem, "B") * problem_axis(problem, "H") * problem_axis(problem, "S");

	return problem->family == FAMILY_ATTENTION_BACKWARD ? rows * sizeof(float) : 0;
}

enum status support_reference(struct support *s, CUstream stream, const struct problem *problem, const CUdeviceptr *inputs,
                              const CUdeviceptr *outputs, CUdeviceptr scratch, struct error *err)
{
	struct attention attention;

	if (problem_is_gemm(problem))
		return gemm(s, stream, problem, inputs, outputs, err);
	enum status status = attention_of(problem, &attention, err);

	if (status != OK)
		return status;
	if (problem->family == FAMILY_ATTENTION_FORWARD)
		return forward(s, stream, &attention, inputs, outputs[0], 0, outputs[1], err);
	return backward(s, stream, &attention, inputs, outputs, scratch, err);
}

enum status support_computed_inputs(struct support *s, CUstream stream, const struct problem *problem, const CUdeviceptr *tensors,
                                    struct error *err)
{
	struct attention attention;

	if (problem->family != FAMILY_ATTENTION_BACKWARD)
		return OK;
	enum status status = attention_of(problem, &attention, err);

	return status == OK ? forward(s, stream, &attention, tensors, tensors[3], 1, tensors[5], err) : status;
}

/* Wait for everything and set the results to zero, so that a kernel on the default stream sees what other streams wrote. */
static enum status results_clear(struct support *s, struct error *err)
{
	enum status status = cuda_check(s->cuda, s->cuda->cuCtxSynchronize(), "waiting for the device", err);

	return status == OK ? cuda_check(s->cuda, s->cuda->cuMemsetD8Async(s->results, 0, sizeof(struct results), NULL), "clearing our own results", err)
	                    : status;
}

static enum status results_read(struct support *s, size_t offset, void *out, size_t size, struct error *err)
{
	return cuda_check(s->cuda, s->cuda->cuMemcpyDtoH(out, s->results + offset, size), "reading our own results", err);
}

/* Blocks in order, so that the sums are the same each time. */
static void add_partials(const struct results *results, struct comparison *out)
{
	for (size_t i = 0; i < COMPARE_BLOCKS; i++) {
		const struct compare_partial *partial = &results->partials[i];

		out->not_finite += partial->not_finite;
		out->reference_not_finite += partial->reference_not_finite;
		out->published_bad += partial->published_bad;
		out->max_abs = fmax(out->max_abs, partial->max_abs);
		out->max_rel = fmax(out->max_rel, partial->max_rel);
		out->max_reference = fmax(out->max_reference, partial->max_reference);
		out->sum_squares_error += partial->sum_squares_error;
		out->sum_squares_reference += partial->sum_squares_reference;
	}
	memcpy(out->bins, results->bins, sizeof out->bins);
}

enum status support_compare(struct support *s, CUdeviceptr candidate, enum dtype dtype, CUdeviceptr reference, uint64_t count,
                            struct comparison *out, struct error *err)
{
	int type = (int)dtype;
	CUdeviceptr partials = s->results + offsetof(struct results, partials);
	CUdeviceptr bins = s->results + offsetof(struct results, bins);
	void *parameters[] = {&candidate, &type, &reference, &count, &partials, &bins};
	struct results *results = mem_alloc(sizeof *results);
	enum status status = results_clear(s, err);

	*out = (struct comparison){.count = count};
	if (status == OK)
		status = launch(s, NULL, KERNEL_compare, (struct grid){COMPARE_BLOCKS, 1}, SUPPORT_THREADS, parameters, err);
	if (status == OK)
		status = results_read(s, 0, results, sizeof *results, err);
	if (status == OK)
		add_partials(results, out);
	free(results);
	return status;
}

static enum status count_differing(struct support *s, CUdeviceptr a, CUdeviceptr b, uint32_t pattern, uint64_t bytes, uint64_t *differing,
                                   struct error *err)
{
	const size_t offset = offsetof(struct results, differing);
	CUdeviceptr result = s->results + offset;
	void *parameters[] = {&a, &b, &pattern, &bytes, &result};
	enum status status = results_clear(s, err);

	if (status == OK)
		status = launch(s, NULL, KERNEL_count_differing, grid_for(bytes / 16), SUPPORT_THREADS, parameters, err);
	return status == OK ? results_read(s, offset, differing, sizeof *differing, err) : status;
}

enum status support_guard(struct support *s, CUdeviceptr region, uint64_t bytes, uint8_t pattern, uint64_t *differing, struct error *err)
{
	return count_differing(s, region, 0, pattern * 0x01010101u, bytes, differing, err);
}

enum status support_differ(struct support *s, CUdeviceptr a, CUdeviceptr b, uint64_t bytes, uint64_t *differing, struct error *err)
{
	return count_differing(s, a, b, 0, bytes, differing, err);
}

uint64_t support_stamp_bytes(void)
{
	return STAMP_SLOTS * sizeof(struct stamp_slot);
}

enum status support_stamp(struct support *s, CUstream stream, CUdeviceptr stamps, struct error *err)
{
	void *parameters[] = {&stamps};
	enum status status = cuda_check(s->cuda, s->cuda->cuMemsetD8Async(stamps, 0, support_stamp_bytes(), stream), "clearing clock stamps", err);

	return status == OK ? launch(s, stream, KERNEL_stamp, (struct grid){STAMP_BLOCKS, 1}, STAMP_THREADS, parameters, err) : status;
}

enum status support_linger(struct support *s, CUstream stream, uint64_t ns, struct error *err)
{
	void *parameters[] = {&ns};

	return launch(s, stream, KERNEL_linger, (struct grid){1, 1}, 1, parameters, err);
}

static double mean_clock(const struct stamp_slot *before, const struct stamp_slot *after)
{
	double sum = 0;
	int seen = 0;

	for (size_t i = 0; i < STAMP_SLOTS; i++) {
		if (!before[i].taken || !after[i].taken || after[i].timer <= before[i].timer)
			continue;
		sum += (double)(after[i].clock - before[i].clock) / (double)(after[i].timer - before[i].timer);
		seen++;
	}
	return seen == 0 ? 0 : sum / seen * 1e9;
}

enum status support_clock(struct support *s, CUdeviceptr before, CUdeviceptr after, double *hertz, struct error *err)
{
	const size_t size = support_stamp_bytes();
	struct stamp_slot *slots = mem_array(NULL, 2, size);
	enum status status = cuda_check(s->cuda, s->cuda->cuCtxSynchronize(), "waiting for the device", err);

	*hertz = 0;
	if (status == OK)
		status = cuda_check(s->cuda, s->cuda->cuMemcpyDtoH(slots, before, size), "reading clock stamps", err);
	if (status == OK)
		status = cuda_check(s->cuda, s->cuda->cuMemcpyDtoH(slots + STAMP_SLOTS, after, size), "reading clock stamps", err);
	if (status == OK)
		*hertz = mean_clock(slots, slots + STAMP_SLOTS);
	free(slots);
	return status;
}
