/*
 * Our own kernels on a GPU, against the CPU: inputs to the byte, comparison against a loop, guards, clocks, and every reference against fp64 rows.
 * usage: test_support [CHECKOUT]. Exit 0 all holds, 1 something does not (each fault a line), 77 there is no GPU here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "measure/cuda.h"
#include "measure/inputs.h"
#include "measure/sample.h"
#include "measure/support.h"

static const uint64_t seed = 20261130;
static struct cuda cuda;
static struct support *support;
static int checks, faults;

static void check(bool holds, const char *what)
{
	checks++;
	if (!holds) {
		faults++;
		printf("FAIL %s\n", what);
	}
}

/* Nothing can go on after an error of the driver's. */
static void need(enum status status, const struct error *err)
{
	if (status == OK)
		return;
	error_print(err);
	exit(FAILS);
}

static void need_cuda(CUresult result, const char *tried)
{
	struct error err = {0};

	need(cuda_check(&cuda, result, tried, &err), &err);
}

static CUdeviceptr allocate(uint64_t bytes)
{
	CUdeviceptr address = 0;

	need_cuda(cuda.cuMemAlloc(&address, bytes), "allocating");
	return address;
}

static void to_device(CUdeviceptr to, const void *from, uint64_t bytes)
{
	need_cuda(cuda.cuMemcpyHtoD(to, from, bytes), "copying to the device");
}

static void to_host(void *to, CUdeviceptr from, uint64_t bytes)
{
	need_cuda(cuda.cuCtxSynchronize(), "waiting");
	need_cuda(cuda.cuMemcpyDtoH(to, from, bytes), "copying from the device");
}

/* ---- inputs ---- */

static void cpu_fill(void *out, enum dtype dtype, uint64_t count, enum value_set values)
{
	float *drawn = mem_array(NULL, count, sizeof *drawn);

	philox_values(seed, 3, 0, count, values, drawn);
	for (uint64_t i = 0; i < count; i++) {
		if (dtype == DTYPE_BF16)
			((uint16_t *)out)[i] = bf16_from_float(drawn[i]);
		else if (dtype == DTYPE_E4M3)
			((uint8_t *)out)[i] = e4m3_from_float(drawn[i]);
		else
			((float *)out)[i] = drawn[i];
	}
	free(drawn);
}

static void test_fill(void)
{
	const uint64_t count = 1000003; /* not a multiple of the four of a block */
	void *want = mem_array(NULL, count, 4), *got = mem_array(NULL, count, 4);
	CUdeviceptr device = allocate(count * 4 + 16);
	struct error err = {0};

	for (enum dtype dtype = 0; dtype < DTYPE_COUNT; dtype++) {
		for (int values = 0; values <= VALUES_SCALES; values++) {
			const uint64_t bytes = count * dtype_bytes(dtype);
			uint64_t beyond = 1;
			char what[96];

			snprintf(what, sizeof what, "fill %s %s has the CPU's bytes", dtype_name(dtype), value_set_name((enum value_set)values));
			need(support_poison(support, NULL, device, bytes + 16, &err), &err);
			need(support_fill(support, NULL, device, dtype, count, seed, 3, (enum value_set)values, &err), &err);
			to_host(got, device, bytes);
			cpu_fill(want, dtype, count, (enum value_set)values);
			check(memcmp(want, got, bytes) == 0, what);
			need(support_guard(support, device + bytes, 16, 0xFF, &beyond, &err), &err);
			check(beyond == 0, "fill writes nothing beyond its elements");
		}
	}
	cuda.cuMemFree(device);
	free(want);
	free(got);
}

/* ---- comparison ---- */

static void compare_on_cpu(const uint16_t *candidate, const float *reference, uint64_t count, struct comparison *out)
{
	*out = (struct comparison){.count = count};
	for (uint64_t i = 0; i < count; i++) {
		const float x = bf16_to_float(candidate[i]), r = reference[i];
		const float error = fabsf(x - r), relative = error / (fabsf(r) + 1e-8f);
		int bin = error == 0 ? 0 : ilogbf(error) + 64;

		if (!isfinite(r)) {
			out->reference_not_finite++;
			continue;
		}
		if (!isfinite(x)) {
			out->not_finite++;
			continue;
		}
		bin = bin < 0 ? 0 : bin > 95 ? 95 : bin;
		out->published_bad += error > 1e-2f && relative > 1e-2f;
		out->max_abs = fmax(out->max_abs, (double)error);
		out->max_rel = fmax(out->max_rel, (double)relative);
		out->max_reference = fmax(out->max_reference, (double)fabsf(r));
		out->sum_squares_error += (double)error * (double)error;
		out->sum_squares_reference += (double)r * (double)r;
		out->bins[bin]++;
	}
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b);
}

static void test_compare(void)
{
	const uint64_t count = 1000003;
	uint16_t *candidate = mem_array(NULL, count, sizeof *candidate);
	float *reference = mem_array(NULL, count, sizeof *reference), *noise = mem_array(NULL, count, sizeof *noise);
	CUdeviceptr device_candidate = allocate(count * 2), device_reference = allocate(count * 4);
	struct comparison want, got, again;
	struct error err = {0};

	/* Errors of every size: the reference times powers of two from 2^-40 on. */
	philox_values(seed, 0, 0, count, VALUES_NORMAL, reference);
	philox_values(seed, 1, 0, count, VALUES_NORMAL, noise);
	for (uint64_t i = 0; i < count; i++)
		candidate[i] = bf16_from_float(reference[i] + ldexpf(noise[i], (int)(i % 80) - 40));
	candidate[5] = 0x7F80;
	candidate[70000] = 0x7FFF;
	candidate[count - 1] = 0xFF80;
	reference[9] = NAN;
	reference[count - 2] = INFINITY;
	reference[77] = bf16_to_float(candidate[77]); /* no error at all */
	to_device(device_candidate, candidate, count * 2);
	to_device(device_reference, reference, count * 4);
	compare_on_cpu(candidate, reference, count, &want);
	need(support_compare(support, device_candidate, DTYPE_BF16, device_reference, count, &got, &err), &err);
	need(support_compare(support, device_candidate, DTYPE_BF16, device_reference, count, &again, &err), &err);
	check(got.count == count && got.not_finite == 3 && got.reference_not_finite == 2, "compare counts what is not finite");
	check(got.published_bad == want.published_bad && want.published_bad > 1000, "compare counts by the published rule");
	check(memcmp(got.bins, want.bins, sizeof got.bins) == 0, "compare has the CPU's histogram");
	check(got.max_abs == want.max_abs && got.max_rel == want.max_rel && got.max_reference == want.max_reference, "compare has the CPU's largest errors");
	check(near(got.sum_squares_error, want.sum_squares_error) && near(got.sum_squares_reference, want.sum_squares_reference),
	      "compare has the CPU's sums of squares");
	check(memcmp(&got, &again, sizeof got) == 0, "compare gives the same again");
	cuda.cuMemFree(device_candidate);
	cuda.cuMemFree(device_reference);
	free(candidate);
	free(reference);
	free(noise);
}

/* ---- guards ---- */

static void flip(CUdeviceptr at)
{
	uint8_t byte;

	to_host(&byte, at, 1);
	byte ^= 0x10;
	to_device(at, &byte, 1);
}

static void test_guard(void)
{
	const uint64_t bytes = (1 << 20) + 5;
	CUdeviceptr a = allocate(bytes + 1), b = allocate(bytes + 1);
	static const uint64_t places[] = {0, 1, 15, 16, 524287, (1 << 20) - 1, 1 << 20, (1 << 20) + 4};
	const size_t count = sizeof places / sizeof places[0];
	struct error err = {0};

	for (uint64_t shift = 0; shift < 2; shift++) { /* aligned and not */
		uint64_t differing = 1;

		need_cuda(cuda.cuMemsetD8(a, 0xA5, bytes + 1), "setting");
		need_cuda(cuda.cuMemsetD8(b, 0xA5, bytes + 1), "setting");
		need(support_guard(support, a + shift, bytes, 0xA5, &differing, &err), &err);
		check(differing == 0, "guard: an untouched zone has no difference");
		need(support_differ(support, a + shift, b + shift, bytes, &differing, &err), &err);
		check(differing == 0, "differ: equal buffers have no difference");
		for (size_t i = 0; i < count; i++) {
			flip(a + shift + places[i]);
			need(support_guard(support, a + shift, bytes, 0xA5, &differing, &err), &err);
			check(differing == i + 1, "guard: each flipped byte is found");
			need(support_differ(support, a + shift, b + shift, bytes, &differing, &err), &err);
			check(differing == i + 1, "differ: each flipped byte is found");
		}
		need(support_guard(support, a + shift, bytes, 0, &differing, &err), &err);
		check(differing == bytes, "guard: another pattern differs everywhere");
	}
	need(support_poison(support, NULL, a, bytes, &err), &err);
	uint64_t left = 1;

	need(support_guard(support, a, bytes, 0xFF, &left, &err), &err);
	check(left == 0, "poison is 0xFF everywhere");
	cuda.cuMemFree(a);
	cuda.cuMemFree(b);
}

/* ---- references ---- */

/* One problem's buffers on the device. */
struct buffers {
	CUdeviceptr inputs[PROBLEM_TENSORS_MAX];
	CUdeviceptr outputs[PROBLEM_TENSORS_MAX], again[PROBLEM_TENSORS_MAX]; /* fp32 */
	const struct tensor *output[PROBLEM_TENSORS_MAX];
	size_t output_count;
	CUdeviceptr scratch;
};

static void buffers_open(const struct problem *problem, struct buffers *buffers)
{
	const uint64_t scratch = support_reference_scratch(problem);

	*buffers = (struct buffers){0};
	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		if (!tensor->output) {
			buffers->inputs[i] = allocate(tensor->bytes);
			continue;
		}
		buffers->output[buffers->output_count] = tensor;
		buffers->outputs[buffers->output_count] = allocate(tensor->count * 4);
		buffers->again[buffers->output_count++] = allocate(tensor->count * 4);
	}
	if (scratch > 0)
		buffers->scratch = allocate(scratch);
}

static void buffers_close(struct buffers *buffers)
{
	for (size_t i = 0; i < PROBLEM_TENSORS_MAX; i++) {
		if (buffers->inputs[i] != 0)
			cuda.cuMemFree(buffers->inputs[i]);
		if (buffers->outputs[i] != 0)
			cuda.cuMemFree(buffers->outputs[i]);
		if (buffers->again[i] != 0)
			cuda.cuMemFree(buffers->again[i]);
	}
	if (buffers->scratch != 0)
		cuda.cuMemFree(buffers->scratch);
}

static void fill_inputs(const struct problem *problem, const struct buffers *buffers, enum value_set values)
{
	struct error err = {0};

	for (uint32_t i = 0; i < problem->tensor_count; i++)
		if (!problem->tensors[i].output && !problem->tensors[i].computed)
			need(support_fill(support, NULL, buffers->inputs[i], problem->tensors[i].dtype, problem->tensors[i].count, seed, i,
			                  input_values(&problem->tensors[i], values), &err),
			     &err);
	need(support_computed_inputs(support, NULL, problem, buffers->inputs, &err), &err);
}

/* Milliseconds of one call, the second: the first loads code. */
static float run_reference(const struct problem *problem, const struct buffers *buffers)
{
	CUevent start, stop;
	float ms = 0;
	struct error err = {0};

	need_cuda(cuda.cuEventCreate(&start, 0), "making an event");
	need_cuda(cuda.cuEventCreate(&stop, 0), "making an event");
	need(support_reference(support, NULL, problem, buffers->inputs, buffers->again, buffers->scratch, &err), &err);
	need_cuda(cuda.cuEventRecord(start, NULL), "recording");
	need(support_reference(support, NULL, problem, buffers->inputs, buffers->outputs, buffers->scratch, &err), &err);
	need_cuda(cuda.cuEventRecord(stop, NULL), "recording");
	need_cuda(cuda.cuCtxSynchronize(), "running the reference");
	need_cuda(cuda.cuEventElapsedTime(&ms, start, stop), "timing");
	cuda.cuEventDestroy(start);
	cuda.cuEventDestroy(stop);
	return ms;
}

/* The head's O and L as they are on the device. */
static struct sample_head head_read(const struct problem *problem, const struct buffers *buffers, uint64_t head)
{
	const uint64_t length = problem_axis(problem, "S"), width = problem_axis(problem, "D");
	uint16_t *o = mem_array(NULL, length * width, sizeof *o);
	float *l = mem_array(NULL, length, sizeof *l);

	to_host(o, buffers->inputs[3] + head * length * width * 2, length * width * 2);
	to_host(l, buffers->inputs[5] + head * length * 4, length * 4);
	return (struct sample_head){o, l};
}

/* Relative RMS error of rows: the first, the last, some between; of attention in one head, the last but one. */
static double rows_error(const struct problem *problem, const struct buffers *buffers, size_t output, enum value_set values)
{
	enum { ROWS = 8 };
	const struct tensor *tensor = buffers->output[output];
	const uint64_t length = sample_row_length(tensor), rows = tensor->count / length;
	const uint64_t span = problem_is_gemm(problem) ? rows : problem_axis(problem, "S"); /* the rows to choose from */
	const uint64_t head = problem_is_gemm(problem) ? 0 : rows / span - 2;
	const bool backward = problem->family == FAMILY_ATTENTION_BACKWARD;
	const struct sample_head given = backward ? head_read(problem, buffers, head) : (struct sample_head){0};
	double *want = mem_array(NULL, ROWS * length, sizeof *want), error = 0, size = 0;
	float *got = mem_array(NULL, length, sizeof *got);
	uint64_t row[ROWS];

	for (uint64_t i = 0; i < ROWS; i++)
		row[i] = head * span + (i * 1237 * span / 8192 + i) % (span - 1);
	row[ROWS - 1] = head * span + span - 1;
	sample_rows(problem, seed, values, tensor->name, row, ROWS, &given, want);
	for (size_t i = 0; i < ROWS; i++) {
		to_host(got, buffers->outputs[output] + row[i] * length * 4, length * 4);
		for (uint64_t j = 0; j < length; j++) {
			const double difference = (double)got[j] - want[i * length + j];

			error += difference * difference;
			size += want[i * length + j] * want[i * length + j];
		}
	}
	free(want);
	free(got);
	free((void *)given.o);
	free((void *)given.l);
	return sqrt(error / size);
}

/* fp32 sums of some thousand terms are good to 1e-6 to 1e-5. Scores of some hundred, which these two value sets have, lose a digit more in exp. */
static double tolerance(enum value_set values)
{
	return values == VALUES_TIMES_3 || values == VALUES_RARE_LARGE ? 2e-4 : 2e-5;
}

static void test_reference(const struct problem *problem, enum value_set values)
{
	struct buffers buffers;
	struct error err = {0};

	buffers_open(problem, &buffers);
	fill_inputs(problem, &buffers, values);

	const float ms = run_reference(problem, &buffers);

	printf("%-26s %-10s %8.3f ms %6.1f TFLOP/s  relative error", problem->task, value_set_name(values), (double)ms, problem->flops / (double)ms / 1e9);
	for (size_t i = 0; i < buffers.output_count; i++) {
		uint64_t differing = 1;
		char what[160];
		const double error = rows_error(problem, &buffers, i, values);

		printf(" %s %.1e", buffers.output[i]->name, error);
		snprintf(what, sizeof what, "%s %s: %s agrees with fp64 rows", problem->task, value_set_name(values), buffers.output[i]->name);
		check(error < tolerance(values), what);
		need(support_differ(support, buffers.outputs[i], buffers.again[i], buffers.output[i]->count * 4, &differing, &err), &err);
		check(differing == 0, "the reference gives the same bytes again");
	}
	printf("\n");
	fflush(stdout);
	buffers_close(&buffers);
}

static void test_task(const struct root *bundle, const char *task)
{
	struct problem problem;
	struct error err = {0};

	need(problem_read(bundle, task, "small", &problem, &err), &err);
	for (int values = 0; values < VALUES_COUNT; values++)
		test_reference(&problem, (enum value_set)values);
	need(problem_read(bundle, task, NULL, &problem, &err), &err);
	test_reference(&problem, VALUES_NORMAL);
}

static void set_axis(struct problem *problem, const char *name, uint64_t size)
{
	for (size_t i = 0; i < problem->axis_count; i++)
		if (strcmp(problem->axes[i].name, name) == 0)
			problem->axes[i].size = size;
}

/* Sizes that no task has: edges of tiles. */
static void test_odd_gemm(const struct root *bundle, const char *task)
{
	struct problem problem;
	struct error err = {0};
	static const uint64_t m = 130, n = 257, k = 200, groups = 2, panels = 3;

	need(problem_read(bundle, task, "small", &problem, &err), &err);
	set_axis(&problem, "M", m);
	set_axis(&problem, "N", n);
	set_axis(&problem, "K", k);
	for (size_t i = 0; i < problem.tensor_count; i++) {
		struct tensor *tensor = &problem.tensors[i];
		const char *name = tensor->name;

		tensor->count = strcmp(name, "A") == 0         ? m * k
		                : strcmp(name, "B") == 0       ? n * k
		                : strcmp(name, "C") == 0       ? m * n
		                : strcmp(name, "A_scale") == 0 ? groups * m
		                : problem.family == FAMILY_GEMM_1D2D ? panels * groups
		                                                     : groups * n;
		tensor->bytes = tensor->count * dtype_bytes(tensor->dtype);
	}
	problem.tensors[problem.tensor_count - 1].dims[1] = n;
	snprintf(problem.task, sizeof problem.task, "odd %s", task);
	test_reference(&problem, VALUES_NORMAL);
}

static void test_odd_attention(const struct root *bundle, const char *task, uint64_t width)
{
	struct problem problem;
	struct error err = {0};
	static const uint64_t length = 203;

	need(problem_read(bundle, task, "small", &problem, &err), &err);
	set_axis(&problem, "S", length);
	set_axis(&problem, "D", width);
	for (size_t i = 0; i < problem.tensor_count; i++) {
		struct tensor *tensor = &problem.tensors[i];

		tensor->dims[2] = length;
		if (tensor->rank == 4)
			tensor->dims[3] = width;
		tensor->count = 4 * 48 * length * (tensor->rank == 4 ? width : 1);
		tensor->bytes = tensor->count * dtype_bytes(tensor->dtype);
	}
	snprintf(problem.task, sizeof problem.task, "odd %s S=203 D=%d", problem.causal ? "causal" : "plain", (int)width);
	test_reference(&problem, VALUES_NORMAL);
}

/* ---- clocks ---- */

static void test_clock(const struct root *bundle)
{
	CUdeviceptr before = allocate(support_stamp_bytes()), after = allocate(support_stamp_bytes());
	struct problem problem;
	struct buffers buffers;
	struct error err = {0};
	CUdevice device = 0;
	int khz = 0;
	double hertz[2] = {0};

	need_cuda(cuda.cuDeviceGet(&device, 0), "finding the device");
	need_cuda(cuda.cuDeviceGetAttribute(&khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device), "reading the clock rate");
	need(problem_read(bundle, "gemm_n7168_k5120", NULL, &problem, &err), &err);
	buffers_open(&problem, &buffers);
	fill_inputs(&problem, &buffers, VALUES_NORMAL);
	for (int i = 0; i < 2; i++) { /* a small span after a long one */
		need(support_stamp(support, NULL, before, &err), &err);
		for (int j = 0; j < (i == 0 ? 10 : 1); j++)
			need(support_reference(support, NULL, &problem, buffers.inputs, buffers.outputs, buffers.scratch, &err), &err);
		need(support_stamp(support, NULL, after, &err), &err);
		need(support_clock(support, before, after, &hertz[i], &err), &err);
		check(hertz[i] > 0.3e9 && hertz[i] < (double)khz * 1e3 * 1.01, "the SM clock lies between 0.3 GHz and the device's highest");
	}
	printf("SM clock %.4f and %.4f GHz, at most %.3f GHz\n", hertz[0] / 1e9, hertz[1] / 1e9, khz / 1e6);
	need(support_clock(support, after, before, &hertz[0], &err), &err);
	check(hertz[0] == 0, "stamps in the wrong order give no clock");
	buffers_close(&buffers);
	cuda.cuMemFree(before);
	cuda.cuMemFree(after);
}

int main(int argc, char **argv)
{
	static const char *const tasks[] = {
		"gemm_n7168_k5120", "gemm_n128_k2048", "gemm_fp8_1d1d_n4096_k7168", "gemm_fp8_1d2d_n4096_k7168", "gemm_fp8_1d2d_n7168_k16384",
		"mha_with_lse_d64", "mha_with_lse_d64_causal", "mha_with_lse_d96", "mha_with_lse_d96_causal",
		"mha_with_lse_d128", "mha_with_lse_d128_causal", "mha_with_lse_d256", "mha_with_lse_d256_causal",
		"mha_bwd_d64", "mha_bwd_d64_causal", "mha_bwd_d96", "mha_bwd_d96_causal", "mha_bwd_d128", "mha_bwd_d128_causal",
	};
	struct error err = {0};
	struct root bundle;
	CUcontext context = NULL;

	enum status status = cuda_open(&cuda, &err);

	if (status == OK)
		status = cuda_context(&cuda, 0, &context, &err);
	if (status == UNAVAILABLE) {
		printf("no GPU here: %s\n", err.what);
		return 77;
	}
	need(status, &err);
	need(root_open(argc > 1 ? argv[1] : ".", &bundle, &err), &err);
	need(support_open(&cuda, &support, &err), &err);
	test_fill();
	test_compare();
	test_guard();
	test_clock(&bundle);
	test_odd_gemm(&bundle, "gemm_n7168_k5120");
	test_odd_gemm(&bundle, "gemm_fp8_1d1d_n4096_k7168");
	test_odd_gemm(&bundle, "gemm_fp8_1d2d_n4096_k7168");
	for (uint64_t width = 64; width <= 256; width += width == 64 ? 32 : width == 96 ? 32 : 128) {
		test_odd_attention(&bundle, "mha_with_lse_d128", width);
		test_odd_attention(&bundle, "mha_with_lse_d128_causal", width);
		if (width <= 128) {
			test_odd_attention(&bundle, "mha_bwd_d128", width);
			test_odd_attention(&bundle, "mha_bwd_d128_causal", width);
		}
	}
	for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
		test_task(&bundle, tasks[i]);
	support_close(support);
	cuda.cuCtxDestroy(context);
	root_close(&bundle);
	printf("%d checks, %d faults\n", checks, faults);
	return faults == 0 && checks > 0 ? 0 : 1;
}
