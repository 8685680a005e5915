/* What a candidate can be, well-behaved or not: libcuda.c says of which names. Those that cheat do what field reports tell of: each would be right, or fast, if a check were missing. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "measure/philox.h"
#include "product.h"
#include "stand_in.h"

/* A candidate's product of its first rows. */
static CUresult gemm(void **parameters, uint32_t rows, float factor)
{
	const struct product p = {TAKE(void *, 0), TAKE(void *, 1), TAKE(void *, 2), DTYPE_BF16, DTYPE_BF16, rows, TAKE(uint32_t, 4),
	                          TAKE(uint32_t, 5), factor, NULL, NULL, false};

	if (!device_has(p.a, p.m * p.k * 2) || !device_has(p.b, p.n * p.k * 2) || !device_has(p.c, p.m * p.n * 2))
		return CUDA_ERROR_ILLEGAL_ADDRESS;
	multiply(&p);
	return CUDA_SUCCESS;
}

static CUresult gemm_right(void **parameters)
{
	return gemm(parameters, TAKE(uint32_t, 3), 1);
}

static CUresult gemm_wrong(void **parameters)
{
	return gemm(parameters, TAKE(uint32_t, 3), 1.25f);
}

static CUresult gemm_half(void **parameters)
{
	return gemm(parameters, TAKE(uint32_t, 3) / 2, 1);
}

static CUresult overrun(void **parameters)
{
	unsigned char *end = TAKE(unsigned char *, 2) + (size_t)TAKE(uint32_t, 3) * TAKE(uint32_t, 4) * 2;
	const CUresult result = gemm_right(parameters);

	/* Whatever the pattern is, one of two bytes differs from it. */
	memcpy(end + 128, (const unsigned char[]){0, 255}, 2);
	return result;
}

static CUresult mutate(void **parameters)
{
	const CUresult result = gemm_right(parameters);

	TAKE(uint16_t *, 0)[3] ^= 1;
	return result;
}

/* Sums through its buffer, which it expects cleared: C[i] = (buffer[0] == 0) ? 1 : 2. */
static CUresult scratch(void **parameters)
{
	const uint64_t count = (uint64_t)TAKE(uint32_t, 2) * TAKE(uint32_t, 3);

	for (uint64_t i = 0; i < count; i++)
		store(TAKE(void *, 1), DTYPE_BF16, i, TAKE(uint32_t *, 0)[0] == 0 ? 1 : 2);
	TAKE(uint32_t *, 0)[0] = 1;
	return CUDA_SUCCESS;
}

static CUresult nothing(void **parameters)
{
	(void)parameters;
	return CUDA_SUCCESS;
}

static CUresult illegal(void **parameters)
{
	(void)parameters;
	return CUDA_ERROR_ILLEGAL_ADDRESS;
}

static CUresult misaligned(void **parameters)
{
	(void)parameters;
	return CUDA_ERROR_MISALIGNED_ADDRESS;
}

static CUresult trap(void **parameters)
{
	(void)parameters;
	return CUDA_ERROR_LAUNCH_FAILED;
}

/* What makes a device unhealthy. */
static CUresult break_device(void **parameters)
{
	(void)parameters;
	return CUDA_ERROR_ECC_UNCORRECTABLE;
}

static CUresult hang(void **parameters)
{
	(void)parameters;
	device_hang();
	return CUDA_SUCCESS;
}

static CUresult end_process(void **parameters)
{
	(void)parameters;
	raise(SIGKILL);
	return CUDA_SUCCESS;
}

/* ---- those that cheat ---- */

/* What a call leaves behind where nothing clears it: shared memory, say. */
static uint32_t left_behind;

static size_t elements(void **parameters)
{
	return (size_t)TAKE(uint32_t, 3) * TAKE(uint32_t, 4);
}

static CUresult right_in_time(void **parameters)
{
	device_pass(STAND_IN_RIGHT_NS);
	return gemm_right(parameters);
}

/* Works in the first call alone, by a variable of its code. */
static CUresult first_by_variable(void **parameters)
{
	return device_variable++ == 0 ? right_in_time(parameters) : CUDA_SUCCESS;
}

/* The same, by what it left behind. */
static CUresult first_by_luck(void **parameters)
{
	return left_behind++ == 0 ? right_in_time(parameters) : CUDA_SUCCESS;
}

/* Works as long as it may be looked at, as it thinks: 20 calls. */
static CUresult tires(void **parameters)
{
	return left_behind++ < 20 ? right_in_time(parameters) : CUDA_SUCCESS;
}

/* A row is wrong in every eleventh call. */
static CUresult rarely_wrong(void **parameters)
{
	const CUresult result = right_in_time(parameters);

	if (++left_behind % 11 == 0)
		memset(TAKE(void *, 2), 0, (size_t)TAKE(uint32_t, 4) * 2);
	return result;
}

/* The answer of the first call, in every call. */
static CUresult keeps_answer(void **parameters)
{
	static void *kept;
	const size_t bytes = elements(parameters) * 2;

	if (kept != NULL) {
		memcpy(TAKE(void *, 2), kept, bytes);
		return CUDA_SUCCESS;
	}
	const CUresult result = right_in_time(parameters);

	kept = malloc(bytes);
	if (kept != NULL)
		memcpy(kept, TAKE(void *, 2), bytes);
	return result;
}

/* The answer of each address of A, in every call that finds A there. */
static CUresult by_address(void **parameters)
{
	enum { SEEN_MAX = 1 << 16 };
	static const void *seen[SEEN_MAX];
	static size_t count;

	for (size_t i = 0; i < count; i++)
		if (seen[i] == TAKE(void *, 0))
			return CUDA_SUCCESS;
	if (count < SEEN_MAX)
		seen[count++] = TAKE(void *, 0);
	return right_in_time(parameters);
}

static double mean_square(const void *tensor, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += pow((double)take(tensor, DTYPE_BF16, i), 2);
	return sum / (double)count;
}

/* Right for values of the usual size alone. */
static CUresult usual_values(void **parameters)
{
	const double size = mean_square(TAKE(void *, 0), (size_t)TAKE(uint32_t, 3) * TAKE(uint32_t, 5));

	if (size > 0.5 && size < 2)
		return right_in_time(parameters);
	memset(TAKE(void *, 2), 0, elements(parameters) * 2);
	return CUDA_SUCCESS;
}

static CUresult zeros(void **parameters)
{
	memset(TAKE(void *, 2), 0, elements(parameters) * 2);
	return CUDA_SUCCESS;
}

/* The task in FP8: 3 bits of mantissa. */
static CUresult less_precise(void **parameters)
{
	const size_t a = (size_t)TAKE(uint32_t, 3) * TAKE(uint32_t, 5), b = (size_t)TAKE(uint32_t, 4) * TAKE(uint32_t, 5);
	uint16_t *rounded = malloc((a + b) * sizeof *rounded);

	if (rounded == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	for (size_t i = 0; i < a + b; i++)
		store(rounded, DTYPE_BF16, i, e4m3_to_float(e4m3_from_float(i < a ? take(TAKE(void *, 0), DTYPE_BF16, i) : take(TAKE(void *, 1), DTYPE_BF16, i - a))));
	multiply(&(struct product){rounded, rounded + a, TAKE(void *, 2), DTYPE_BF16, DTYPE_BF16, TAKE(uint32_t, 3), TAKE(uint32_t, 4), TAKE(uint32_t, 5), 1, NULL, NULL,
	                           false});
	free(rounded);
	return CUDA_SUCCESS;
}

/* The library's answer, where it lies around: another block of C's size, whose first element is right. */
static CUresult thief(void **parameters)
{
	const size_t bytes = elements(parameters) * 2;
	uint16_t first = 0;
	const struct product one = {TAKE(void *, 0), TAKE(void *, 1), &first, DTYPE_BF16, DTYPE_BF16, 1, 1, TAKE(uint32_t, 5), 1, NULL, NULL, false};

	multiply(&one);
	for (int i = 0; i < DEVICE_BLOCKS_MAX; i++) {
		size_t size = 0;
		const unsigned char *at = device_block(i, &size);

		if (at != NULL && size == bytes && memcmp(at, &first, sizeof first) == 0) {
			memcpy(TAKE(void *, 2), at, bytes);
			device_pass(STAND_IN_RIGHT_NS / 10);
			return CUDA_SUCCESS;
		}
	}
	return right_in_time(parameters);
}

/* Changes an input in calls that are timed, and in no other: from the 9th to the 60th of a replay with 8 trials. */
static CUresult mutates_when_timed(void **parameters)
{
	const CUresult result = right_in_time(parameters);

	left_behind++;
	if (left_behind > 8 && left_behind <= 60)
		TAKE(uint16_t *, 0)[3] ^= 1;
	return result;
}

/* Something else where its instructions are counted. */
static CUresult otherwise_when_counted(void **parameters)
{
	return device_counting ? zeros(parameters) : right_in_time(parameters);
}

/* Where its tensors are, in C. */
static CUresult where(void **parameters)
{
	memcpy(TAKE(void *, 2), (const uintptr_t[]){TAKE(uintptr_t, 0), TAKE(uintptr_t, 1), TAKE(uintptr_t, 2)}, 3 * sizeof(uintptr_t));
	return CUDA_SUCCESS;
}

const struct CUfunc_st candidates[] = {
	{"gemm_right", gemm_right, STAND_IN_RIGHT_NS, "888444"},
	{"gemm_wrong", gemm_wrong, STAND_IN_RIGHT_NS, "888444"},
	{"gemm_half", gemm_half, STAND_IN_RIGHT_NS / 2, "888444"},
	{"overrun", overrun, STAND_IN_RIGHT_NS, "888444"},
	{"mutate", mutate, STAND_IN_RIGHT_NS, "888444"},
	{"scratch", scratch, 1e5, "8844"},
	{"nothing", nothing, 1e3, "888444"},
	{"illegal", illegal, 1e5, "888444"},
	{"misaligned", misaligned, 1e5, "888444"},
	{"trap", trap, 1e5, "888444"},
	{"hang", hang, 1e5, "888444"},
	{"kill", end_process, 1e5, "888444"},
	{"break_device", break_device, 1e5, "888444"},
	{"step", nothing, 1e5, ""},
	{"step_illegal", illegal, 1e5, ""},
	{"step_hang", hang, 1e5, ""},
	/* those that cheat; what they take is at least this */
	{"first_by_variable", first_by_variable, 1e3, "888444"},
	{"first_by_luck", first_by_luck, 1e3, "888444"},
	{"tires", tires, 1e3, "888444"},
	{"rarely_wrong", rarely_wrong, 1e3, "888444"},
	{"keeps_answer", keeps_answer, 1e3, "888444"},
	{"by_address", by_address, 1e3, "888444"},
	{"usual_values", usual_values, 1e3, "888444"},
	{"zeros", zeros, 1e3, "888444"},
	{"less_precise", less_precise, 1e3, "888444"},
	{"thief", thief, 1e3, "888444"},
	{"mutates_when_timed", mutates_when_timed, 1e3, "888444"},
	{"otherwise_when_counted", otherwise_when_counted, 1e3, "888444"},
	{"where", where, 1e3, "888444"},
};

const size_t candidate_count = sizeof candidates / sizeof candidates[0];
