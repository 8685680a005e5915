/*
 * The vendor libraries on a GPU: each task's baseline is opened, run on inputs from a seed, set against our own reference, and timed (event time, median of 20, cold L2).
 * usage: test_baseline [--configurations] [CHECKOUT [RECORDS [TASK...]]]. A line a task on standard output; RECORDS gets a JSON record a line, first the machine's and the device's, then
 * one a task with its times and facts (tests/gpu/torch_baseline.py --beside RECORDS sets PyTorch's times beside them).
 * --configurations: only every plan that the library offers for the tasks (attention's in doubt, if none is named), a line each, chosen one marked.
 * Between calls the device rests, so that none of them is held back by the power cap: back to back, these kernels lose up to 10 % of their clock after a few calls.
 * Exit 0 all holds, 1 something does not (each fault a line), 77 there is no GPU here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/jcs.h"
#include "measure/inputs.h"
#include "measure/baseline.h"
#include "measure/machine.h"
#include "measure/nvml.h"
#include "measure/support.h"

enum { WARM_CALLS = 5, TIMED_CALLS = 20, REST_MS = 25, LINGER_NS = 1000000 };

#define FLUSH_BYTES ((uint64_t)256 << 20)

/*
 * Relative RMS error against the fp32 reference. bf16 outputs: rounding alone gives 2^-9 / sqrt(3) = 1.1e-3; attention also rounds P (and dS) to bf16 before
 * the second product, and a worked probe measured 2e-3. fp32 row statistics: their inputs' products are exact in fp32 up to the order of summation.
 */
static const double bf16_tolerance = 5e-3, f32_tolerance = 1e-5;

static const char *const tasks[] = {"gemm_n7168_k5120", "mha_with_lse_d128", "mha_with_lse_d128_causal", "mha_bwd_d128", "mha_bwd_d128_causal",
                                    "mha_with_lse_d64", "mha_with_lse_d64_causal", "mha_bwd_d64", "mha_bwd_d64_causal",
                                    "mha_with_lse_d96", "mha_with_lse_d96_causal", "mha_bwd_d96", "mha_bwd_d96_causal",
                                    "mha_with_lse_d256", "mha_with_lse_d256_causal", "gemm_n4096_k14336", "gemm_n128_k2048",
                                    "gemm_fp8_1d1d_n4096_k7168", "gemm_fp8_1d2d_n4096_k7168", "gemm_fp8_1d1d_n7168_k2048", "gemm_fp8_1d2d_n24576_k1536", NULL};

static const char *const in_doubt[] = {"mha_bwd_d128", "mha_bwd_d64", "mha_with_lse_d256", "mha_with_lse_d256_causal", "mha_with_lse_d64", NULL};

static const uint64_t seed = 20261130;
static struct cuda cuda;
static struct support *support;
static CUstream stream;
static CUdeviceptr flush;
static FILE *records;
static struct nvml nvml;
static int checks, faults;

static void check(bool holds, const char *task, const char *what)
{
	checks++;
	if (!holds) {
		faults++;
		printf("FAIL %s: %s\n", task, what);
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

	if (bytes != 0)
		need_cuda(cuda.cuMemAlloc(&address, bytes), "allocating");
	return address;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void record(cJSON *object)
{
	struct bytes line = {0};
	struct error err = {0};

	if (records != NULL) {
		need(jcs_write(object, &line, &err), &err);
		fprintf(records, "%s\n", line.data);
		bytes_free(&line);
	}
	cJSON_Delete(object);
}

static int ascending(const void *a, const void *b)
{
	const float *x = a;
	const float *y = b;

	return (*x > *y) - (*x < *y);
}

/* Every output of one call against the reference; adds the errors to the record. */
static void check_outputs(const struct problem *problem, const CUdeviceptr *tensors, cJSON *errors)
{
	CUdeviceptr reference[PROBLEM_TENSORS_MAX] = {0};
	CUdeviceptr scratch = allocate(support_reference_scratch(problem));
	struct error err = {0};
	size_t outputs = 0;

	for (size_t i = 0; i < problem->tensor_count; i++)
		if (problem->tensors[i].output)
			reference[outputs++] = allocate(problem->tensors[i].count * sizeof(float));
	need(support_reference(support, stream, problem, tensors, reference, scratch, &err), &err);
	outputs = 0;
	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];
		struct comparison c;

		if (!tensor->output)
			continue;
		need(support_compare(support, tensors[i], tensor->dtype, reference[outputs], tensor->count, &c, &err), &err);
		cuda.cuMemFree(reference[outputs++]);
		const double rms = sqrt(c.sum_squares_error / c.sum_squares_reference);
		cJSON *one = cJSON_AddObjectToObject(errors, tensor->name);

		cJSON_AddNumberToObject(one, "relative_rms", rms);
		cJSON_AddNumberToObject(one, "max_abs", c.max_abs);
		cJSON_AddNumberToObject(one, "published_bad", (double)c.published_bad);
		printf("  %-4s relative RMS %.2e, max abs %.2e, published rule breaks on %llu of %llu\n", tensor->name, rms, c.max_abs,
		       (unsigned long long)c.published_bad, (unsigned long long)c.count);
		check(c.not_finite == 0, problem->task, "every element is finite");
		check(c.reference_not_finite == 0, problem->task, "every element of the reference is finite");
		check(rms < (tensor->dtype == DTYPE_F32 ? f32_tolerance : bf16_tolerance), problem->task, "the error is the format's");
	}
	if (scratch != 0)
		cuda.cuMemFree(scratch);
}

/* Microseconds that the host took to enqueue the last call. */
static double enqueued_us;

static void enqueue(struct baseline *baseline, const CUdeviceptr *tensors)
{
	struct error err = {0};
	const double started = seconds();

	need(baseline_run(baseline, tensors, &err), &err);
	enqueued_us = (seconds() - started) * 1e6;
}

/* pause_ns: how long the device lingers behind the flush, so that the host is done with the call before it begins. */
static double median_milliseconds(struct baseline *baseline, const CUdeviceptr *tensors, uint64_t pause_ns, cJSON *samples)
{
	CUevent before, after;
	struct error err = {0};
	float times[TIMED_CALLS];

	need_cuda(cuda.cuEventCreate(&before, CU_EVENT_DEFAULT), "making an event");
	need_cuda(cuda.cuEventCreate(&after, CU_EVENT_DEFAULT), "making an event");
	for (int i = -WARM_CALLS; i < TIMED_CALLS; i++) {
		nanosleep(&(struct timespec){.tv_nsec = REST_MS * 1000000L}, NULL);
		need_cuda(cuda.cuMemsetD8Async(flush, 0, FLUSH_BYTES, stream), "flushing the L2 cache");
		need(support_linger(support, stream, pause_ns, &err), &err);
		need_cuda(cuda.cuEventRecord(before, stream), "recording an event");
		enqueue(baseline, tensors);
		need_cuda(cuda.cuEventRecord(after, stream), "recording an event");
		need_cuda(cuda.cuStreamSynchronize(stream), "running the baseline");
		if (i >= 0)
			need_cuda(cuda.cuEventElapsedTime(&times[i], before, after), "reading a time");
	}
	for (int i = 0; i < TIMED_CALLS; i++)
		cJSON_AddItemToArray(samples, cJSON_CreateNumber(round((double)times[i] * 1e6)));
	qsort(times, TIMED_CALLS, sizeof times[0], ascending);
	cuda.cuEventDestroy(before);
	cuda.cuEventDestroy(after);
	return ((double)times[TIMED_CALLS / 2 - 1] + (double)times[TIMED_CALLS / 2]) / 2;
}

static void fill_tensors(const struct problem *problem, CUdeviceptr *tensors)
{
	struct error err = {0};

	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		tensors[i] = allocate(tensor->bytes);
		if (tensor->output)
			need(support_poison(support, stream, tensors[i], tensor->bytes, &err), &err);
		else if (!tensor->computed)
			need(support_fill(support, stream, tensors[i], tensor->dtype, tensor->count, seed, (uint32_t)i, input_values(tensor, VALUES_NORMAL), &err), &err);
	}
	need(support_computed_inputs(support, stream, problem, tensors, &err), &err);
}

/* What the power cap took away since then, in words. */
static const char *held_back(const struct nvml_state *start)
{
	static char text[64];
	struct nvml_state now;

	nvml_read_state(&nvml, &now);
	if (start->power_violation_ns.standing != NVML_KNOWN || now.power_violation_ns.standing != NVML_KNOWN)
		return "power cap unknown";
	snprintf(text, sizeof text, "power cap %.0f ms", (double)(now.power_violation_ns.value - start->power_violation_ns.value) * 1e-6);
	return text;
}

static double middle(const cJSON *nanoseconds)
{
	float times[TIMED_CALLS] = {0};
	const int count = cJSON_GetArraySize(nanoseconds);

	for (int i = 0; i < count && i < TIMED_CALLS; i++)
		times[i] = (float)cJSON_GetArrayItem(nanoseconds, i)->valuedouble;
	qsort(times, (size_t)count, sizeof times[0], ascending);
	return count == 0 ? 0 : (double)times[count / 2] * 1e-6;
}

/* One configuration in a line: what tells it from the others, its median, and why it is none. */
static void print_configuration(const cJSON *one, bool chosen)
{
	cJSON *shown = cJSON_Duplicate(one, true);
	const cJSON *times = cJSON_GetObjectItem(one, "nanoseconds");

	cJSON_DeleteItemFromObjectCaseSensitive(shown, "nanoseconds");
	char *text = cJSON_PrintUnformatted(shown);

	printf(" %c%8.4f ms %s\n", chosen ? '*' : ' ', middle(times), text);
	cJSON_free(text);
	cJSON_Delete(shown);
}

static void print_configurations(const struct root *root, const char *task)
{
	struct problem problem;
	struct baseline *baseline;
	struct error err = {0};
	cJSON *facts;

	need(problem_read(root, task, NULL, &problem, &err), &err);
	double started = seconds();

	if (baseline_open(&cuda, &problem, stream, BASELINE_ALL, &baseline, &facts, &err) != OK) {
		error_print(&err);
		check(false, task, "there is a baseline");
		return;
	}
	const cJSON *tried = cJSON_GetObjectItem(facts, "tried");
	const int chosen = cJSON_GetObjectItem(facts, "chosen")->valueint;

	printf("%s: %d tried in %.2f s\n", task, cJSON_GetArraySize(tried), seconds() - started);
	for (int i = 0; i < cJSON_GetArraySize(tried); i++)
		print_configuration(cJSON_GetArrayItem(tried, i), i == chosen);
	cJSON_Delete(facts);
	baseline_close(baseline);
	fflush(stdout);
}

static void test_task(const struct root *root, const char *task)
{
	struct problem problem;
	struct baseline *baseline;
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX] = {0};
	struct error err = {0};
	cJSON *facts, *line = cJSON_CreateObject();

	if (problem_read(root, task, NULL, &problem, &err) != OK) {
		error_print(&err);
		check(false, task, "the task can be read");
		cJSON_Delete(line);
		return;
	}
	fill_tensors(&problem, tensors);
	double started = seconds();
	enum status status = baseline_open(&cuda, &problem, stream, BASELINE_BEST, &baseline, &facts, &err);
	double opening = seconds() - started;

	check(status == OK, task, "there is a baseline");
	if (status != OK) {
		error_print(&err);
		cJSON_Delete(line);
	} else {
		/* Twice, so that what a call leaves in its own workspace would show. */
		need(baseline_run(baseline, tensors, &err), &err);
		need(baseline_run(baseline, tensors, &err), &err);
		cJSON_AddStringToObject(line, "task", task);
		check_outputs(&problem, tensors, cJSON_AddObjectToObject(line, "errors"));
		struct nvml_state start;

		nvml_read_state(&nvml, &start);
		double milliseconds = median_milliseconds(baseline, tensors, LINGER_NS, cJSON_AddArrayToObject(line, "nanoseconds"));

		started = seconds();
		cJSON_AddItemToObject(facts, "files", baseline_files(baseline));
		printf("%s: %.4f ms, %.0f TFLOP/s, %d of %d tried (opened in %.2f s, hashed in %.2f s), %s\n", task, milliseconds,
		       problem.flops / milliseconds * 1e-9, cJSON_GetObjectItem(facts, "chosen")->valueint,
		       cJSON_GetArraySize(cJSON_GetObjectItem(facts, "tried")), opening, seconds() - started, held_back(&start));
		cJSON_AddNumberToObject(line, "milliseconds", milliseconds);
		cJSON_AddNumberToObject(line, "tflops", problem.flops / milliseconds * 1e-9);
		cJSON_AddNumberToObject(line, "opening_seconds", opening);
		cJSON_AddItemToObject(line, "facts", facts);
		record(line);
		baseline_close(baseline);
	}
	for (size_t i = 0; i < problem.tensor_count; i++)
		cuda.cuMemFree(tensors[i]);
	fflush(stdout);
}

/* The same call behind pauses of several lengths: with too short a one the events time the host. */
static void print_gaps(const struct root *root, const char *task)
{
	static const uint64_t pauses[] = {0, 20000, 50000, 100000, 200000, 1000000};
	struct problem problem;
	struct baseline *baseline;
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX] = {0};
	struct error err = {0};
	cJSON *facts;

	need(problem_read(root, task, NULL, &problem, &err), &err);
	fill_tensors(&problem, tensors);
	need(baseline_open(&cuda, &problem, stream, BASELINE_BEST, &baseline, &facts, &err), &err);
	for (size_t i = 0; i < sizeof pauses / sizeof pauses[0]; i++) {
		cJSON *samples = cJSON_CreateArray();
		const double ms = median_milliseconds(baseline, tensors, pauses[i], samples);

		printf("%s: %4llu us behind the flush: %8.2f us; the host took %.1f us to enqueue it\n", task, (unsigned long long)pauses[i] / 1000, ms * 1e3,
		       enqueued_us);
		cJSON_Delete(samples);
	}
	cJSON_Delete(facts);
	baseline_close(baseline);
	for (size_t i = 0; i < problem.tensor_count; i++)
		cuda.cuMemFree(tensors[i]);
	fflush(stdout);
}

static void record_state(const char *when)
{
	struct nvml_state now;
	cJSON *line = cJSON_CreateObject();

	nvml_read_state(&nvml, &now);
	cJSON_AddItemToObject(line, when, nvml_state_facts(&now));
	record(line);
}

static void record_machine(void)
{
	struct nvml_device device;
	cJSON *line = cJSON_CreateObject();

	nvml_read_device(&nvml, &device);
	check(device.name.standing == NVML_KNOWN && device.uuid.standing == NVML_KNOWN, "nvml", "the device has a name and a UUID");
	check(device.driver_version.standing == NVML_KNOWN, "nvml", "the driver has a version");
	cJSON_AddItemToObject(line, "machine", machine_facts(""));
	cJSON_AddItemToObject(line, "device", nvml_device_facts(&nvml, &device));
	record(line);
}

static bool open_device(char bus[32])
{
	CUcontext context;
	CUdevice device;
	struct error err = {0};

	if (cuda_open(&cuda, &err) != OK || cuda_context(&cuda, 0, &context, &err) != OK) {
		error_print(&err);
		puts("skipped: there is no GPU here");
		return false;
	}
	need_cuda(cuda.cuDeviceGet(&device, 0), "finding the device");
	need_cuda(cuda.cuDeviceGetPCIBusId(bus, 32, device), "asking for the bus id");
	need_cuda(cuda.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), "making a stream");
	need(support_open(&cuda, &support, &err), &err);
	flush = allocate(FLUSH_BYTES);
	return true;
}

int main(int argc, char **argv)
{
	const bool configurations = argc > 1 && strcmp(argv[1], "--configurations") == 0;
	struct root root;
	struct error err = {0};
	char bus[32] = "";

	const bool gaps = argc > 1 && strcmp(argv[1], "--gaps") == 0;

	argc -= configurations || gaps;
	argv += configurations || gaps;
	const char *const *chosen = argc > 3 ? (const char *const *)&argv[3] : configurations ? in_doubt : tasks;

	if (!open_device(bus))
		return 77;
	need(root_open(argc > 1 ? argv[1] : ".", &root, &err), &err);
	if (argc > 2 && (records = fopen(argv[2], "we")) == NULL)
		need(error_errno(&err, R_IO_WRITE, argv[2], "opening"), &err);
	nvml_open(&nvml, bus);
	record_machine();
	record_state("before");
	for (; *chosen != NULL; chosen++) {
		if (gaps)
			print_gaps(&root, *chosen);
		else if (configurations)
			print_configurations(&root, *chosen);
		else
			test_task(&root, *chosen);
	}
	record_state("after");
	nvml_close(&nvml);
	root_close(&root);
	if (records != NULL && fclose(records) != 0)
		need(error_errno(&err, R_IO_WRITE, argv[2], "writing"), &err);
	printf("%d passed, %d failed\n", checks - faults, faults);
	return faults == 0 ? OK : FAILS;
}
