/*
 * Our own candidates on a GPU: each runs at its task's small workload and at the published size, is set against our reference, and is timed (event time, median of 10).
 * usage: test_candidates [CHECKOUT [TASK/NAME...]]. A line a candidate and workload. A candidate has a process of its own and a minute, so that one that hangs or
 * faults costs itself only. Exit 0 all are as they claim to be, 1 one is not (a line each), 77 there is no GPU here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "measure/inputs.h"
#include "measure/launch.h"
#include "measure/support.h"

enum { TIMED_CALLS = 10, SECONDS = 60, NO_DEVICE = 77 };

/* Relative RMS error of outputs in bf16: their rounding gives 1.1e-3, P and dS in bf16 before the second product twice that. */
static const double close_enough = 5e-3;

enum claim { RIGHT, WRONG, LOOSE }; /* LOOSE: the published rule finds nothing, the error is beyond close_enough */

static const struct {
	const char *candidate;
	enum claim claim;
} claims[] = {
	{"gemm_n7168_k5120/plain", RIGHT},           {"gemm_n7168_k5120/wgmma-tma", RIGHT},
	{"gemm_n7168_k5120/wrong", WRONG},           {"gemm_n7168_k5120/decoy", RIGHT},
	{"gemm_n7168_k5120/commit-only", RIGHT},     {"mha_with_lse_d128/plain", RIGHT},
	{"mha_with_lse_d128/wgmma-tma", RIGHT},      {"mha_with_lse_d128/wrong", WRONG},
	{"mha_with_lse_d128/decoy", RIGHT},          {"mha_with_lse_d128/loose", LOOSE},
	{"mha_with_lse_d128_causal/plain", RIGHT},   {"mha_with_lse_d128_causal/wgmma-tma", RIGHT},
	{"mha_with_lse_d128_causal/wrong", WRONG},   {"mha_with_lse_d128_causal/decoy", RIGHT},
	{"mha_bwd_d128/plain", RIGHT},               {"mha_bwd_d128/wgmma-tma", RIGHT},
	{"mha_bwd_d128/wrong", WRONG},               {"mha_bwd_d128/decoy", RIGHT},
	{"mha_bwd_d128_causal/plain", RIGHT},        {"mha_bwd_d128_causal/wgmma-tma", RIGHT},
	{"mha_bwd_d128_causal/wrong", WRONG},        {"mha_bwd_d128_causal/decoy", RIGHT},
};

static const uint64_t seed = 20261130;
static struct cuda cuda;
static struct support *support;
static int faults;

static void check(bool holds, const char *candidate, const char *what)
{
	if (!holds) {
		faults++;
		printf("FAIL %s: %s\n", candidate, what);
	}
}

/* Nothing can go on after an error of the driver's. */
static void need(enum status status, const struct error *err)
{
	if (status == OK)
		return;
	fflush(stdout);
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

/* What a candidate works on, and what should come out. Buffers and outputs are poison before the first call. */
struct memory {
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX], first[PROBLEM_TENSORS_MAX], reference[PROBLEM_TENSORS_MAX], buffers[CANDIDATE_BUFFERS_MAX];
};

static void memory_open(const struct problem *problem, const struct plan *plan, struct memory *memory)
{
	const CUdeviceptr scratch = allocate(support_reference_scratch(problem));
	size_t outputs = 0;
	struct error err = {0};

	*memory = (struct memory){0};
	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		memory->tensors[i] = allocate(tensor->bytes);
		if (tensor->output) {
			memory->first[i] = allocate(tensor->bytes);
			memory->reference[outputs++] = allocate(tensor->count * sizeof(float));
			need(support_poison(support, NULL, memory->tensors[i], tensor->bytes, &err), &err);
		} else if (!tensor->computed) {
			need(support_fill(support, NULL, memory->tensors[i], tensor->dtype, tensor->count, seed, (uint32_t)i, input_values(tensor, VALUES_NORMAL), &err), &err);
		}
	}
	need(support_computed_inputs(support, NULL, problem, memory->tensors, &err), &err);
	need(support_reference(support, NULL, problem, memory->tensors, memory->reference, scratch, &err), &err);
	for (size_t i = 0; i < plan->buffer_count; i++) {
		memory->buffers[i] = allocate(plan->buffers[i].bytes);
		need(support_poison(support, NULL, memory->buffers[i], plan->buffers[i].bytes, &err), &err);
	}
	need_cuda(cuda.cuCtxSynchronize(), "making inputs and references");
	if (scratch != 0)
		cuda.cuMemFree(scratch);
}

static void memory_close(const struct memory *memory)
{
	const CUdeviceptr *all = (const CUdeviceptr *)memory;

	for (size_t i = 0; i < sizeof *memory / sizeof *all; i++)
		if (all[i] != 0)
			cuda.cuMemFree(all[i]);
}

static void run(struct program *program)
{
	int failed = -1;
	char tried[64];

	CUresult result = program_run(program, NULL, &failed);

	snprintf(tried, sizeof tried, "launch %d", failed);
	need_cuda(result, tried);
}

static int ascending(const void *a, const void *b)
{
	const float *x = a;
	const float *y = b;

	return (*x > *y) - (*x < *y);
}

static double median_milliseconds(struct program *program)
{
	CUevent before, after;
	float times[TIMED_CALLS];

	need_cuda(cuda.cuEventCreate(&before, CU_EVENT_DEFAULT), "making an event");
	need_cuda(cuda.cuEventCreate(&after, CU_EVENT_DEFAULT), "making an event");
	for (int i = 0; i < TIMED_CALLS; i++) {
		need_cuda(cuda.cuEventRecord(before, NULL), "recording");
		run(program);
		need_cuda(cuda.cuEventRecord(after, NULL), "recording");
		need_cuda(cuda.cuCtxSynchronize(), "running the candidate");
		need_cuda(cuda.cuEventElapsedTime(&times[i], before, after), "timing");
	}
	qsort(times, TIMED_CALLS, sizeof times[0], ascending);
	return ((double)times[TIMED_CALLS / 2 - 1] + (double)times[TIMED_CALLS / 2]) / 2;
}

/* Each output of the first call against the reference, and of the last against the first. */
static void judge(const char *candidate, enum claim claim, const struct problem *problem, const struct memory *memory)
{
	size_t outputs = 0;
	uint64_t bad = 0, not_finite = 0;
	double worst = 0;
	struct error err = {0};

	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];
		struct comparison c;
		uint64_t differing = 1;

		if (!tensor->output)
			continue;
		need(support_compare(support, memory->first[i], tensor->dtype, memory->reference[outputs++], tensor->count, &c, &err), &err);
		need(support_differ(support, memory->first[i], memory->tensors[i], tensor->bytes, &differing, &err), &err);
		const double rms = sqrt(c.sum_squares_error / c.sum_squares_reference);

		printf(" | %s bad %llu rms %.1e max %.1e", tensor->name, (unsigned long long)(c.published_bad + c.not_finite), rms, c.max_abs);
		if (differing != 0)
			printf(" UNSTEADY %llu", (unsigned long long)differing);
		faults += differing != 0;
		bad += c.published_bad;
		not_finite += c.not_finite;
		worst = fmax(worst, rms);
	}
	printf("\n");
	check(not_finite == 0, candidate, "all is finite");
	check(claim == WRONG || bad == 0, candidate, "the published rule finds nothing");
	check(claim != WRONG || bad > 0, candidate, "the published rule finds the fault");
	check(claim != RIGHT || worst < close_enough, candidate, "the error is the format's");
	check(claim != LOOSE || worst > close_enough, candidate, "the error is more than the format's");
}

static void test_workload(const struct root *root, const struct candidate *candidate, const char *name, enum claim claim, const char *workload)
{
	struct problem problem;
	struct plan plan;
	struct program *program;
	struct memory memory;
	struct error err = {0};

	need(problem_read(root, candidate->task, workload, &problem, &err), &err);
	need(plan_make(candidate, &problem, &plan, &err), &err);
	/* The driver assembles the text; what ptxas makes of it is for `ptxseal rebuild`. */
	need(program_open(&cuda, &plan, candidate->ptx.data, &program, &err), &err);
	memory_open(&problem, &plan, &memory);
	need(program_bind(program, memory.tensors, memory.buffers, &err), &err);
	run(program);
	need_cuda(cuda.cuCtxSynchronize(), "running the candidate");
	for (size_t i = 0; i < problem.tensor_count; i++)
		if (problem.tensors[i].output)
			need_cuda(cuda.cuMemcpyDtoD(memory.first[i], memory.tensors[i], problem.tensors[i].bytes), "copying");
	const double milliseconds = median_milliseconds(program);

	printf("%-36s %-9s %8.4f ms %5.0f TFLOP/s", name, workload == NULL ? "published" : workload, milliseconds, problem.flops / milliseconds * 1e-9);
	judge(name, claim, &problem, &memory);
	memory_close(&memory);
	program_close(program);
	plan_free(&plan);
}

/* In a process of its own. */
static int test_candidate(const char *checkout, const char *name, enum claim claim)
{
	struct candidate *candidate;
	struct root root;
	CUcontext context;
	struct error err = {0};
	char *directory = mem_format("artifact/candidates/%s", name);

	if (cuda_open(&cuda, &err) != OK || cuda_context(&cuda, 0, &context, &err) != OK) {
		error_print(&err);
		return NO_DEVICE;
	}
	need(support_open(&cuda, &support, &err), &err);
	need(root_open(checkout, &root, &err), &err);
	need(candidate_read(&root, directory, &candidate, &err), &err);
	test_workload(&root, candidate, name, claim, "small");
	fflush(stdout);
	test_workload(&root, candidate, name, claim, NULL);
	candidate_free(candidate);
	root_close(&root);
	free(directory);
	return faults == 0 ? OK : FAILS;
}

static int apart(const char *checkout, const char *name, enum claim claim)
{
	int status = 0;
	const pid_t child = fork();

	if (child == 0) {
		alarm(SECONDS);
		const int code = test_candidate(checkout, name, claim);

		fflush(stdout);
		_exit(code);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return FAILS;
	if (WIFSIGNALED(status))
		printf("FAIL %s: ended by signal %d\n", name, WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : FAILS;
}

static bool chosen(int argc, char **argv, const char *name)
{
	for (int i = 2; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc <= 2;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
		if (!chosen(argc, argv, claims[i].candidate))
			continue;
		fflush(stdout);
		const int code = apart(argc > 1 ? argv[1] : ".", claims[i].candidate, claims[i].claim);

		if (code == NO_DEVICE) {
			puts("skipped: there is no GPU here");
			return NO_DEVICE;
		}
		passed += code == OK;
		failed += code != OK;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed == 0 && passed > 0 ? OK : FAILS;
}
