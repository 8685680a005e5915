#include "pair.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct pair {
	struct stage *stage;
	struct baseline *baseline;
	CUdeviceptr outputs[PROBLEM_TENSORS_MAX]; /* the baseline's; 0 for inputs */
	CUdeviceptr flush, before, after;
	size_t flush_bytes;
	CUevent start, stop;
	uint8_t flush_value;
};

static enum status check(const struct pair *pair, CUresult result, const char *tried, struct error *err)
{
	return cuda_check(&pair->stage->cuda, result, tried, err);
}

static enum status l2_bytes(const struct pair *pair, int *bytes, struct error *err)
{
	CUdevice device;
	enum status status = check(pair, pair->stage->cuda.cuCtxGetDevice(&device), "finding the context's device", err);

	return status == OK ? check(pair, pair->stage->cuda.cuDeviceGetAttribute(bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, device),
	                            "asking for the size of L2", err)
	                    : status;
}

static enum status allocate(struct pair *pair, CUdeviceptr *memory, size_t bytes, struct error *err)
{
	return check(pair, pair->stage->cuda.cuMemAlloc(memory, bytes), "allocating memory to time with", err);
}

static enum status open_all(struct pair *pair, struct error *err)
{
	const struct problem *problem = pair->stage->problem;
	int l2 = 0;
	enum status status = l2_bytes(pair, &l2, err);

	pair->flush_bytes = 2 * (size_t)l2;
	if (status == OK)
		status = allocate(pair, &pair->flush, pair->flush_bytes, err);
	if (status == OK)
		status = allocate(pair, &pair->before, support_stamp_bytes(), err);
	if (status == OK)
		status = allocate(pair, &pair->after, support_stamp_bytes(), err);
	for (size_t i = 0; i < problem->tensor_count && status == OK; i++)
		if (problem->tensors[i].output)
			status = allocate(pair, &pair->outputs[i], problem->tensors[i].bytes, err);
	if (status == OK)
		status = check(pair, pair->stage->cuda.cuEventCreate(&pair->start, CU_EVENT_DEFAULT), "making an event", err);
	if (status == OK)
		status = check(pair, pair->stage->cuda.cuEventCreate(&pair->stop, CU_EVENT_DEFAULT), "making an event", err);
	return status;
}

enum status pair_open(struct stage *stage, struct baseline *baseline, struct pair **pair, struct error *err)
{
	struct pair *made = mem_alloc(sizeof *made);

	made->stage = stage;
	made->baseline = baseline;
	const enum status status = open_all(made, err);

	*pair = status == OK ? made : NULL;
	if (status != OK)
		pair_close(made);
	return status;
}

void pair_close(struct pair *pair)
{
	if (pair == NULL)
		return;
	const struct cuda *cuda = &pair->stage->cuda;
	const CUdeviceptr memory[] = {pair->flush, pair->before, pair->after};

	for (size_t i = 0; i < sizeof memory / sizeof memory[0]; i++)
		if (memory[i] != 0)
			cuda->cuMemFree(memory[i]);
	for (size_t i = 0; i < PROBLEM_TENSORS_MAX; i++)
		if (pair->outputs[i] != 0)
			cuda->cuMemFree(pair->outputs[i]);
	if (pair->start != NULL)
		cuda->cuEventDestroy(pair->start);
	if (pair->stop != NULL)
		cuda->cuEventDestroy(pair->stop);
	free(pair);
}

/* What one call gave. */
struct call {
	double ms, wall_ms, hz;
	CUresult result; /* of launching and of waiting */
	int launch;
};

static enum status run_baseline(struct pair *pair, struct error *err)
{
	const struct problem *problem = pair->stage->problem;
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX];

	for (size_t i = 0; i < problem->tensor_count; i++)
		tensors[i] = pair->outputs[i] != 0 ? pair->outputs[i] : arena_tensors(pair->stage->arena)[i];
	return baseline_run(pair->baseline, tensors, err);
}

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/*
 * So long the device lingers behind the flush, while the host enqueues what follows: else the events of a short call time the host. The flush alone takes 40 us on an H200; its host
 * took 50 to 80 us to enqueue a call of cuBLASLt (docs/measured.md).
 */
enum { LINGER_NS = 200000 };

/* Nothing is in flight, no line of L2 is set aside; then L2 is overwritten. */
static enum status before_call(struct pair *pair, struct error *err)
{
	const struct cuda *cuda = &pair->stage->cuda;
	const CUstream stream = pair->stage->stream;
	enum status status = check(pair, cuda->cuCtxSynchronize(), "waiting for the device", err);

	if (status == OK)
		status = check(pair, cuda->cuCtxResetPersistingL2Cache(), "giving L2 back", err);
	if (status == OK)
		status = check(pair, cuda->cuMemsetD8Async(pair->flush, ++pair->flush_value, pair->flush_bytes, stream), "flushing L2", err);
	if (status == OK)
		status = support_linger(pair->stage->support, stream, LINGER_NS, err);
	if (status == OK)
		status = support_stamp(pair->stage->support, stream, pair->before, err);
	return status == OK ? check(pair, cuda->cuEventRecord(pair->start, stream), "recording an event", err) : status;
}

static enum status after_call(struct pair *pair, struct error *err)
{
	const enum status status = check(pair, pair->stage->cuda.cuEventRecord(pair->stop, pair->stage->stream), "recording an event", err);

	return status == OK ? support_stamp(pair->stage->support, pair->stage->stream, pair->after, err) : status;
}

static enum status read_times(struct pair *pair, struct call *call, struct error *err)
{
	float ms = 0;
	const enum status status = check(pair, pair->stage->cuda.cuEventElapsedTime(&ms, pair->start, pair->stop), "reading events", err);

	call->ms = (double)ms;
	return status == OK ? support_clock(pair->stage->support, pair->before, pair->after, &call->hz, err) : status;
}

static enum status time_candidate(struct pair *pair, struct call *call, struct error *err)
{
	const double start = now_ms();
	enum status status = before_call(pair, err);

	*call = (struct call){.launch = -1};
	if (status != OK)
		return status;
	call->result = program_run(pair->stage->program, pair->stage->stream, &call->launch);
	if (call->result != CUDA_SUCCESS)
		return OK;
	struct error later = {0};

	/* A kernel that has failed already makes these fail too; waiting tells. */
	status = after_call(pair, &later);
	call->result = pair->stage->cuda.cuCtxSynchronize();
	call->wall_ms = now_ms() - start;
	if (call->result != CUDA_SUCCESS)
		return OK;
	if (status != OK) {
		*err = later;
		return status;
	}
	return read_times(pair, call, err);
}

static enum status time_baseline(struct pair *pair, struct call *call, struct error *err)
{
	const double start = now_ms();
	enum status status = before_call(pair, err);

	*call = (struct call){.launch = -1};
	if (status == OK)
		status = run_baseline(pair, err);
	if (status == OK)
		status = after_call(pair, err);
	if (status == OK)
		status = check(pair, pair->stage->cuda.cuCtxSynchronize(), "waiting for the baseline", err);
	call->wall_ms = now_ms() - start;
	return status == OK ? read_times(pair, call, err) : status;
}

/* The library's results on these inputs lie in the candidate's own address space: where the library went first they must not be there to be copied when the candidate runs. In every
 * pair, whichever went first, so that what comes before a second call is always the same. */
static enum status forget_results(struct pair *pair, struct error *err)
{
	const struct problem *problem = pair->stage->problem;
	enum status status = baseline_forget(pair->baseline, err);

	for (size_t i = 0; i < problem->tensor_count && status == OK; i++)
		if (pair->outputs[i] != 0)
			status = support_poison(pair->stage->support, pair->stage->stream, pair->outputs[i], problem->tensors[i].bytes, err);
	return status;
}

enum status pair_time(struct pair *pair, bool candidate_first, bool control, struct sample *sample, struct fate *fate, struct error *err)
{
	struct call candidate = {.launch = -1}, baseline = {.launch = -1};
	enum status status = candidate_first ? OK : time_baseline(pair, &baseline, err);

	if (status == OK && !candidate_first)
		status = forget_results(pair, err);
	if (status == OK)
		status = control ? time_baseline(pair, &candidate, err) : time_candidate(pair, &candidate, err);
	if (status == OK)
		status = stage_fate(pair->stage, candidate.result, candidate.launch, false, fate, err);
	if (status == OK && fate->kind == FATE_DONE && candidate_first)
		status = forget_results(pair, err);
	if (status == OK && fate->kind == FATE_DONE && candidate_first)
		status = time_baseline(pair, &baseline, err);
	*sample = (struct sample){
		.candidate_ms = candidate.ms,
		.baseline_ms = baseline.ms,
		.candidate_wall_ms = candidate.wall_ms,
		.baseline_wall_ms = baseline.wall_ms,
		.candidate_hz = candidate.hz,
		.baseline_hz = baseline.hz,
		.candidate_first = candidate_first,
	};
	return status;
}
