#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "inputs.h"

enum { WARM_ROUNDS = 1, SCRATCH_VALUES = 1 << 18 };

/* Written over between calls: more than any L2 up to now holds (126 MB, B200), so that every call starts cold. */
#define FLUSH_BYTES ((size_t)256 << 20)

struct scratch {
	CUdeviceptr tensors[PROBLEM_TENSORS_MAX];
	CUdeviceptr flush;
	CUevent before[TRIAL_WAYS_MAX], after[TRIAL_WAYS_MAX];
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

static enum status make_scratch(const struct cuda *cuda, const struct problem *problem, int count, struct scratch *scratch,
                                struct error *err)
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
	for (int i = 0; status == OK && i < count; i++) {
		status = cuda_check(cuda, cuda->cuEventCreate(&scratch->before[i], CU_EVENT_DEFAULT), "making an event", err);
		if (status == OK)
			status = cuda_check(cuda, cuda->cuEventCreate(&scratch->after[i], CU_EVENT_DEFAULT), "making an event", err);
	}
	return status;
}

static void free_scratch(const struct cuda *cuda, struct scratch *scratch)
{
	for (int i = 0; i < TRIAL_WAYS_MAX; i++) {
		if (scratch->before[i] != NULL)
			cuda->cuEventDestroy(scratch->before[i]);
		if (scratch->after[i] != NULL)
			cuda->cuEventDestroy(scratch->after[i]);
	}
	for (int i = 0; i < PROBLEM_TENSORS_MAX; i++)
		if (scratch->tensors[i] != 0)
			cuda->cuMemFree(scratch->tensors[i]);
	if (scratch->flush != 0)
		cuda->cuMemFree(scratch->flush);
}

/* Every way once, so that a drift of the clock meets all of them alike. One that the library does not start is out. */
static enum status time_round(const struct cuda *cuda, CUstream stream, trial_call *call, void *context, struct scratch *scratch,
                              struct trial *trial, int turn, struct error *err)
{
	/* Keeps the device busy until the host is ahead of it: else the events of the first call time the host. */
	enum status status = cuda_check(cuda, cuda->cuMemsetD8Async(scratch->flush, 1, FLUSH_BYTES, stream), "flushing the L2 cache", err);

	for (int i = 0; status == OK && i < trial->count; i++) {
		if (trial->failed[i])
			continue;
		status = cuda_check(cuda, cuda->cuMemsetD8Async(scratch->flush, 0, FLUSH_BYTES, stream), "flushing the L2 cache", err);
		if (status == OK)
			status = cuda_check(cuda, cuda->cuEventRecord(scratch->before[i], stream), "recording an event", err);
		trial->failed[i] = !call(context, i, scratch->tensors);
		if (status == OK)
			status = cuda_check(cuda, cuda->cuEventRecord(scratch->after[i], stream), "recording an event", err);
	}
	if (status == OK)
		status = cuda_check(cuda, cuda->cuStreamSynchronize(stream), "trying what the library offers", err);
	for (int i = 0; status == OK && turn >= 0 && i < trial->count; i++)
		if (!trial->failed[i])
			status = cuda_check(cuda, cuda->cuEventElapsedTime(&trial->milliseconds[i][turn], scratch->before[i], scratch->after[i]),
			                    "reading a time", err);
	return status;
}

enum status trial_run(const struct cuda *cuda, const struct problem *problem, CUstream stream, trial_call *call, void *context,
                      int count, struct trial *trial, struct error *err)
{
	struct scratch scratch = {0};

	*trial = (struct trial){.count = count};
	enum status status = make_scratch(cuda, problem, count, &scratch, err);

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
