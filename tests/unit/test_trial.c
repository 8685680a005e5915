/*
 * Which of a library's ways is chosen must not depend on the order in which they are tried, on a device that a power cap slows down where calls follow each other back to back: two
 * replays of one candidate would stand beside two baselines. The device here is fake: a clock, and calls that take longer on a device that has had no pause.
 */
#include "unit.h"

#ifdef PTXSEAL_CUDA

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure/trial.h"

enum { WAYS = 3 };

static double device_ms;         /* the device's clock */
static double paused_at;         /* seconds of the host's clock: since then nothing was in flight */
static int order[256], calls;    /* which way was called, in turn */

static double host_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static CUresult allocate(CUdeviceptr *memory, size_t bytes)
{
	*memory = (CUdeviceptr)(uintptr_t)malloc(bytes < 4096 ? bytes : 4096);
	return CUDA_SUCCESS;
}

static CUresult release(CUdeviceptr memory)
{
	free((void *)(uintptr_t)memory);
	return CUDA_SUCCESS;
}

static CUresult to_device(CUdeviceptr to, const void *from, size_t bytes)
{
	(void)to, (void)from, (void)bytes;
	return CUDA_SUCCESS;
}

static CUresult on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	(void)to, (void)from, (void)bytes;
	return CUDA_SUCCESS;
}

static CUresult set_bytes(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
	(void)to, (void)value, (void)bytes, (void)stream;
	return CUDA_SUCCESS;
}

static CUresult make_event(CUevent *event, unsigned flags)
{
	(void)flags;
	*event = malloc(sizeof(double));
	return CUDA_SUCCESS;
}

static CUresult destroy_event(CUevent event)
{
	free(event);
	return CUDA_SUCCESS;
}

static CUresult record_event(CUevent event, CUstream stream)
{
	(void)stream;
	memcpy(event, &device_ms, sizeof device_ms);
	return CUDA_SUCCESS;
}

static CUresult elapsed(float *ms, CUevent before, CUevent after)
{
	double from, to;

	memcpy(&from, before, sizeof from);
	memcpy(&to, after, sizeof to);
	*ms = (float)(to - from);
	return CUDA_SUCCESS;
}

static CUresult wait_stream(CUstream stream)
{
	(void)stream;
	paused_at = host_s();
	return CUDA_SUCCESS;
}

static CUresult wait_context(void)
{
	paused_at = host_s();
	return CUDA_SUCCESS;
}

static const struct cuda device = {
	.cuMemAlloc = allocate,
	.cuMemFree = release,
	.cuMemcpyHtoD = to_device,
	.cuMemcpyDtoD = on_device,
	.cuMemsetD8Async = set_bytes,
	.cuEventCreate = make_event,
	.cuEventDestroy = destroy_event,
	.cuEventRecord = record_event,
	.cuEventElapsedTime = elapsed,
	.cuStreamSynchronize = wait_stream,
	.cuCtxSynchronize = wait_context,
};

static const struct problem problem = {.task = "gemm", .family = FAMILY_GEMM};

static void start(void)
{
	device_ms = 0;
	paused_at = -1;
	calls = 0;
}

/* 0.750, 0.735 and 0.740 ms, and a tenth more on a device that was not left alone for half a millisecond since the call before. */
static bool call_under_a_cap(void *context, int way, const CUdeviceptr *tensors)
{
	static const double alone[WAYS] = {0.750, 0.735, 0.740};
	const bool rested = paused_at >= 0 && host_s() - paused_at > 0.0005;

	(void)context, (void)tensors;
	order[calls++] = way;
	device_ms += alone[way] * (rested ? 1 : 1.1);
	paused_at = -1;
	return true;
}

static void every_call_finds_the_device_rested(void **state)
{
	(void)state;
	struct trial trial;
	struct error err = {0};

	start();
	assert_int_equal(trial_run(&device, &problem, NULL, call_under_a_cap, NULL, WAYS, &trial, &err), OK);
	assert_int_equal(trial_fastest(&trial), 1);
	assert_float_equal(trial.milliseconds[0][7], 0.750f, 1e-4);
	assert_float_equal(trial.milliseconds[1][7], 0.735f, 1e-4);
	assert_float_equal(trial.milliseconds[2][7], 0.740f, 1e-4);
}

static void each_round_begins_with_the_next_way(void **state)
{
	(void)state;
	static const int first_four[4 * WAYS] = {0, 1, 2, 1, 2, 0, 2, 0, 1, 0, 1, 2};
	struct trial trial;
	struct error err = {0};

	start();
	assert_int_equal(trial_run(&device, &problem, NULL, call_under_a_cap, NULL, WAYS, &trial, &err), OK);
	assert_int_equal(calls, 16 * WAYS);
	assert_memory_equal(order, first_four, sizeof first_four);
}

/* Whatever favours the first of a round, by a tenth: no way has it for itself. */
static bool call_favoured(void *context, int way, const CUdeviceptr *tensors)
{
	static const double alone[WAYS] = {0.750, 0.735, 0.740};

	(void)context, (void)tensors;
	device_ms += alone[way] * (calls++ % WAYS == 0 ? 0.9 : 1);
	return true;
}

static void the_first_of_a_round_is_not_chosen_for_that(void **state)
{
	(void)state;
	struct trial trial;
	struct error err = {0};

	start();
	assert_int_equal(trial_run(&device, &problem, NULL, call_favoured, NULL, WAYS, &trial, &err), OK);
	assert_int_equal(trial_fastest(&trial), 1);
}

static bool call_but_the_second(void *context, int way, const CUdeviceptr *tensors)
{
	(void)context, (void)tensors;
	calls++;
	device_ms += 1;
	return way != 1;
}

static void a_way_that_fails_is_not_called_again(void **state)
{
	(void)state;
	struct trial trial;
	struct error err = {0};

	start();
	assert_int_equal(trial_run(&device, &problem, NULL, call_but_the_second, NULL, WAYS, &trial, &err), OK);
	assert_int_equal(calls, 16 * 2 + 1);
	assert_true(trial.failed[1]);
	assert_int_equal(trial_fastest(&trial), 0);
	cJSON *times = trial_nanoseconds(&trial, 1);

	assert_int_equal(cJSON_GetArraySize(times), 0);
	cJSON_Delete(times);
	times = trial_nanoseconds(&trial, 0);
	assert_int_equal(cJSON_GetArraySize(times), 15);
	assert_float_equal(cJSON_GetArrayItem(times, 0)->valuedouble, 1e6, 1);
	cJSON_Delete(times);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_call_finds_the_device_rested),
		cmocka_unit_test(each_round_begins_with_the_next_way),
		cmocka_unit_test(the_first_of_a_round_is_not_chosen_for_that),
		cmocka_unit_test(a_way_that_fails_is_not_called_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <stdio.h>

static void trials_need_cuda(void **state)
{
	(void)state;
	puts("skipped: built without CUDA");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(trials_need_cuda)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
