#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/bytes.h"
#include "inputs.h"

enum { WARM_ROUNDS = 1, SCRATCH_VALUES = 1 << 18 };

/* Before a call the device rests as long as the call before it took, up to this. */
#define REST_MS_MAX 1.0f

/* Written over between calls: more than any L2 up to now holds (126 MB, B200), so that every call starts cold. */
#define FLUSH_BYTES ((size_t)256 << 20)

struct scratch {
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX];
	CUdeviceptr flush;
	CUevent before, after;
};

/* A piece of memory with the problem's kind of values, which the tensor is then filled with. */
static void *draw(const struct tensor *tensor, uint32_t index)
{
	float *drawn = mem_array(NULL, SCRATCH_VALUES, sizeof *drawn);
	unsigned char *values;

	if (tensor->dtype == DTYPE_F32 && !tensor->scale) {
		/* Logarithms of row sums: scores of normal inputs are normal, so n keys give about ln(n e^(1/2)). With far smaller ones, weights overflow. */
		for (size_t i = 0; i < SCRATCH_VALUES; i++)
			drawn[i] = logf((float)tensor->dims[tensor->rank - 1]) + 0.5f;
		return drawn;
	}
	philox_values(0, index, 0, SCRATCH_VALUES, input_values(tensor, VALUES_NORMAL), drawn);
	values = mem_array(NULL, SCRATCH_VALUES, dtype_bytes(tensor->dtype));
	input_store(values, tensor->dtype, drawn, SCRATCH_VALUES);
	free(drawn);
	return values;
}

/* Values as inputs have them: a product of zeros draws less power, and so runs at other clocks. */
static enum status fill(const struct cuda *cuda, CUdeviceptr out, const struct tensor *tensor, uint32_t index, struct error *err)
{
	const uint64_t piece = SCRATCH_VALUES * dtype_bytes(tensor->dtype);
	uint64_t done = tensor->bytes < piece ? tensor->bytes : piece;
	void *values = draw(tensor, index);
	enum status status = cuda_check(cuda, cuda->cuMemcpyHtoD(out, values, done), "filling a scratch tensor", err);

	free(values);
	while (status == OK && done < tensor->bytes) {
		uint64_t more = tensor->bytes - done < done ? tensor->bytes - done : done;

		status = cuda_check(cuda, cuda->cuMemcpyDtoD(out + done, out, more), "filling a scratch tensor", err);
		done += more;
	}
	return status;
}

static enum status make_scratch(const struct cuda *cuda, const struct problem *problem, struct scratch *scratch, struct error *err)
{
	enum status status = cuda_check(cuda, cuda->cuMemAlloc(&scratch->flush, FLUSH_BYTES), "allocating scratch memory", err);

	for (size_t i = 0; status == OK && i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		status = cuda_check(cuda, cuda->cuMemAlloc(&scratch->tensors[i], tensor->bytes), "allocating scratch tensors", err);
		if (status == OK)
			status = fill(cuda, scratch->tensors[i], tensor, (uint32_t)i, err);
	}
	/* The copies above are on another stream than the trials. */
	if (status == OK)
		status = cuda_check(cuda, cuda->cuCtxSynchronize(), "filling scratch tensors", err);
	if (status == OK)
		status = cuda_check(cuda, cuda->cuEventCreate(&scratch->before, CU_EVENT_DEFAULT), "making an event", err);
	return status == OK ? cuda_check(cuda, cuda->cuEventCreate(&scratch->after, CU_EVENT_DEFAULT), "making an event", err) : status;
}

static void free_scratch(const struct cuda *cuda, struct scratch *scratch)
{
	if (scratch->before != NULL)
		cuda->cuEventDestroy(scratch->before);
	if (scratch->after != NULL)
		cuda->cuEventDestroy(scratch->after);
	for (int i = 0; i < PROBLEM_TENSORS_MAX; i++)
		if (scratch->tensors[i] != 0)
			cuda->cuMemFree(scratch->tensors[i]);
	if (scratch->flush != 0)
		cuda->cuMemFree(scratch->flush);
}

static void rest(float milliseconds)
{
	const float ms = milliseconds < REST_MS_MAX ? milliseconds : REST_MS_MAX;

	nanosleep(&(struct timespec){.tv_nsec = (long)(ms * 1e6f)}, NULL);
}

/* One that the library does not start is out. The device is idle before and after. */
static enum status time_call(const struct cuda *cuda, CUstream stream, trial_call *call, void *context, int way, const struct scratch *scratch, bool *failed, float *ms, struct error *err)
{
	enum status status = OK;

	/* Twice: the device is then busy until the host has enqueued the call; else the events of a short one time the host. */
	for (int i = 0; status == OK && i < 2; i++)
		status = cuda_check(cuda, cuda->cuMemsetD8Async(scratch->flush, (unsigned char)i, FLUSH_BYTES, stream), "flushing the L2 cache", err);
	if (status == OK)
		status = cuda_check(cuda, cuda->cuEventRecord(scratch->before, stream), "recording an event", err);
	if (status != OK)
		return status;
	*failed = !call(context, way, scratch->tensors);
	status = cuda_check(cuda, cuda->cuEventRecord(scratch->after, stream), "recording an event", err);
	if (status == OK)
		status = cuda_check(cuda, cuda->cuStreamSynchronize(stream), "trying what the library offers", err);
	return status == OK ? cuda_check(cuda, cuda->cuEventElapsedTime(ms, scratch->before, scratch->after), "reading a time", err) : status;
}

/* Every way once, so that a drift of the clock meets all of them alike. */
static enum status time_round(const struct cuda *cuda, CUstream stream, trial_call *call, void *context, const struct scratch *scratch, struct trial *trial, int turn, struct error *err)
{
	enum status status = OK;

	for (int i = 0; status == OK && i < trial->count; i++) {
		const int way = (turn + WARM_ROUNDS + i) % trial->count;
		float ms = 0;

		if (trial->failed[way])
			continue;
		status = time_call(cuda, stream, call, context, way, scratch, &trial->failed[way], &ms, err);
		if (turn >= 0)
			trial->milliseconds[way][turn] = ms;
		rest(ms);
	}
	return status;
}

enum status trial_run(const struct cuda *cuda, const struct problem *problem, CUstream stream, trial_call *call, void *context,
                      int count, struct trial *trial, struct error *err)
{
	struct scratch scratch = {0};

	*trial = (struct trial){.count = count};
	enum status status = make_scratch(cuda, problem, &scratch, err);

	for (int turn = -WARM_ROUNDS; status == OK && turn < TRIAL_ROUNDS; turn++)
		status = time_round(cuda, stream, call, context, &scratch, trial, turn, err);
	free_scratch(cuda, &scratch);
	return status;
}

static int ascending(const void *a, const void *b)
{
	const float *x = a;
	const float *y = b;

	return (*x > *y) - (*x < *y);
}

static float median(const float times[TRIAL_ROUNDS])
{
	float sorted[TRIAL_ROUNDS];

	memcpy(sorted, times, sizeof sorted);
	qsort(sorted, TRIAL_ROUNDS, sizeof sorted[0], ascending);
	return sorted[TRIAL_ROUNDS / 2];
}

int trial_fastest(const struct trial *trial)
{
	float least = INFINITY;
	int fastest = -1;

	for (int i = 0; i < trial->count; i++) {
		if (!trial->failed[i] && median(trial->milliseconds[i]) < least) {
			least = median(trial->milliseconds[i]);
			fastest = i;
		}
	}
	return fastest;
}

cJSON *trial_nanoseconds(const struct trial *trial, int way)
{
	cJSON *times = cJSON_CreateArray();

	for (int turn = 0; !trial->failed[way] && turn < TRIAL_ROUNDS; turn++)
		cJSON_AddItemToArray(times, cJSON_CreateNumber(round((double)trial->milliseconds[way][turn] * 1e6)));
	return times;
}
