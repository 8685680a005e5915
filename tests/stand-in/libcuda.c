/*
 * A stand-in for NVIDIA's driver library: a device of known answers, for tests where there is no GPU. Its name says that it is one, and every record made
 * with it repeats that. Memory is the host's; kernels of support.cu and a few "candidates" are C functions, chosen by name and run when launched; time is a
 * clock of its own that only kernels move, so that every measured time is known beforehand. The PTX of a candidate is never looked at.
 *
 * Candidates (candidates.c), all of (A, B, C, M, N, K) but where said: gemm_right 1.5 ms, gemm_wrong, gemm_half (half the rows), overrun (writes behind C), mutate (changes A), hang,
 * illegal, misaligned, trap, kill (its process), break_device, nothing; step, step_illegal, step_hang (no parameters); scratch (buffer, C, M, N, K); and those that cheat.
 * PTXSEAL_STAND_IN names a file; if its first word is "sick", the device cannot be opened. What follows it is for libcupti.c.
 */
#include <cuda.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/dtype.h"
#include "measure/philox.h"
#include "measure/support_layout.h"
#include "device.h"
#include "product.h"
#include "stand_in.h"

#define EXPORT __attribute__((visibility("default")))

enum { SMS = 4, SKIP_BYTES = 128 << 20 };

static const double gigahertz = 1.98;

struct block {
	unsigned char *at;
	size_t bytes;
};

static struct block blocks[DEVICE_BLOCKS_MAX];
static CUresult stuck = CUDA_SUCCESS; /* an error that a context does not get rid of */
static bool hanging;
static double now_ns = 1e9;

struct CUevent_st {
	double at_ns;
};

struct CUmod_st {
	bool ours; /* support.cu's */
};

uint32_t device_variable;
bool device_counting;
static char counted[256]; /* the first candidate that was launched since */

/* ---- kernels ---- */

bool device_has(const void *at, size_t bytes)
{
	for (int i = 0; i < DEVICE_BLOCKS_MAX; i++)
		if (blocks[i].at != NULL && (const unsigned char *)at >= blocks[i].at &&
		    (const unsigned char *)at + bytes <= blocks[i].at + blocks[i].bytes)
			return true;
	return false;
}

unsigned char *device_block(int i, size_t *bytes)
{
	*bytes = blocks[i].bytes;
	return blocks[i].at;
}

void device_pass(double ns)
{
	now_ns += ns;
}

void device_hang(void)
{
	hanging = true;
}

static CUresult fill(void **parameters)
{
	void *out = TAKE(void *, 0);
	const enum dtype dtype = (enum dtype)TAKE(int, 1);
	const uint64_t count = TAKE(uint64_t, 2), seed = TAKE(uint64_t, 3);
	const uint32_t tensor = TAKE(uint32_t, 4);
	const enum value_set values = (enum value_set)TAKE(int, 5);
	float some[1024];

	for (uint64_t first = 0; first < count; first += 1024) {
		const uint64_t more = count - first < 1024 ? count - first : 1024;

		philox_values(seed, tensor, first, more, values, some);
		for (uint64_t i = 0; i < more; i++)
			store(out, dtype, first + i, some[i]);
	}
	return CUDA_SUCCESS;
}

/* As support.cu's: bin b holds errors in [2^(b-64), 2^(b-63)). */
static void compare_one(float x, float r, struct compare_partial *sum, uint64_t *bins)
{
	if (!isfinite(r)) {
		sum->reference_not_finite++;
		return;
	}
	if (!isfinite(x)) {
		sum->not_finite++;
		return;
	}
	const float error = fabsf(x - r), relative = error / (fabsf(r) + 1e-8f);
	const int exponent = error == 0 ? -127 : ilogbf(error);
	const int bin = exponent + 64 < 0 ? 0 : exponent + 64 >= COMPARE_BINS ? COMPARE_BINS - 1 : exponent + 64;

	sum->published_bad += error > 1e-2f && relative > 1e-2f;
	sum->max_abs = fmax(sum->max_abs, (double)error);
	sum->max_rel = fmax(sum->max_rel, (double)relative);
	sum->max_reference = fmax(sum->max_reference, (double)fabsf(r));
	sum->sum_squares_error += (double)error * (double)error;
	sum->sum_squares_reference += (double)r * (double)r;
	bins[bin]++;
}

static CUresult compare(void **parameters)
{
	const void *candidate = TAKE(void *, 0);
	const enum dtype dtype = (enum dtype)TAKE(int, 1);
	const float *reference = TAKE(const float *, 2);
	const uint64_t count = TAKE(uint64_t, 3);
	struct compare_partial *partials = TAKE(struct compare_partial *, 4);
	uint64_t *bins = TAKE(uint64_t *, 5);

	memset(partials, 0, COMPARE_BLOCKS * sizeof *partials);
	for (uint64_t i = 0; i < count; i++)
		compare_one(take(candidate, dtype, i), reference[i], partials, bins);
	return CUDA_SUCCESS;
}

static CUresult count_differing(void **parameters)
{
	const uint8_t *a = TAKE(const uint8_t *, 0), *b = TAKE(const uint8_t *, 1);
	const uint8_t pattern = (uint8_t)TAKE(uint32_t, 2);
	const uint64_t bytes = TAKE(uint64_t, 3);
	uint64_t *differing = TAKE(uint64_t *, 4);

	for (uint64_t i = 0; i < bytes; i++)
		*differing += a[i] != (b == NULL ? pattern : b[i]);
	return CUDA_SUCCESS;
}

static CUresult stamp(void **parameters)
{
	struct stamp_slot *slots = TAKE(struct stamp_slot *, 0);

	for (int i = 0; i < SMS; i++)
		slots[i] = (struct stamp_slot){1, (uint64_t)(now_ns * gigahertz), (uint64_t)now_ns};
	return CUDA_SUCCESS;
}

static CUresult linger(void **parameters)
{
	now_ns += (double)TAKE(uint64_t, 0);
	return CUDA_SUCCESS;
}

static CUresult gemm_bf16(void **parameters)
{
	multiply(&(struct product){TAKE(void *, 0), TAKE(void *, 1), TAKE(void *, 2), DTYPE_BF16, DTYPE_F32, TAKE(uint64_t, 3), TAKE(uint64_t, 4),
	                           TAKE(uint64_t, 5), 1, NULL, NULL, false});
	return CUDA_SUCCESS;
}

static CUresult gemm_e4m3(void **parameters)
{
	multiply(&(struct product){TAKE(void *, 0), TAKE(void *, 1), TAKE(void *, 4), DTYPE_E4M3, DTYPE_F32, TAKE(uint64_t, 5), TAKE(uint64_t, 6),
	                           TAKE(uint64_t, 7), 1, TAKE(const float *, 2), TAKE(const float *, 3), TAKE(int, 8) != 0});
	return CUDA_SUCCESS;
}

/* support.cu's. */
static const struct CUfunc_st functions[] = {
	{"fill", fill, 1e4, ""},
	{"compare", compare, 1e4, ""},
	{"count_differing", count_differing, 1e4, ""},
	{"stamp", stamp, 1e3, ""},
	{"linger", linger, 0, ""},
	{"gemm_bf16", gemm_bf16, 1e6, ""},
	{"gemm_e4m3", gemm_e4m3, 1e6, ""},
	/* Found, so that support.c opens; the stand-in has no attention. */
	{"attention", NULL, 0, ""},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Kernels run when launched; what they break shows when somebody waits, as on a device. */
static CUresult run(CUfunction function, void **parameters)
{
	if (stuck != CUDA_SUCCESS)
		return stuck;
	if (function->run == NULL)
		return CUDA_ERROR_NOT_SUPPORTED;
	if (hanging)
		return CUDA_SUCCESS;
	if (device_counting && counted[0] == '\0' && function >= candidates && function < candidates + candidate_count)
		snprintf(counted, sizeof counted, "%s", function->name);
	stuck = function->run(parameters);
	now_ns += function->ns;
	return CUDA_SUCCESS;
}

static CUresult wait_for_all(void)
{
	while (hanging)
		pause();
	return stuck;
}

/* What the stand-in for cuBLASLt runs. */
EXPORT void stand_in_gemm(const void *a, const void *b, void *c, uint64_t m, uint64_t n, uint64_t k)
{
	multiply(&(struct product){a, b, c, DTYPE_BF16, DTYPE_BF16, m, n, k, 1, NULL, NULL, false});
	now_ns += STAND_IN_BASELINE_NS;
}

/* What the stand-in for CUPTI asks: from now on; the name of the candidate that it can count, "" while there is none. */
EXPORT void stand_in_count(bool on)
{
	device_counting = on;
	counted[0] = '\0';
}

EXPORT const char *stand_in_counted(void)
{
	return counted;
}

/* ---- the driver's functions ---- */

static bool is_sick(void)
{
	const char *name = getenv("PTXSEAL_STAND_IN");
	FILE *file = name == NULL ? NULL : fopen(name, "r");
	char word[8] = "";

	if (file == NULL)
		return false;
	const bool sick = fscanf(file, "%7s", word) == 1 && strcmp(word, "sick") == 0;

	fclose(file);
	return sick;
}

EXPORT CUresult CUDAAPI cuInit(unsigned flags)
{
	(void)flags;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDriverGetVersion(int *version)
{
	*version = CUDA_VERSION;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceGetCount(int *count)
{
	*count = 1;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = 0;
	return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult CUDAAPI cuDeviceGetName(char *name, int len, CUdevice device)
{
	(void)device;
	snprintf(name, (size_t)len, "ptxseal stand-in");
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	(void)device;
	memset(uuid, 0, sizeof *uuid);
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	(void)device;
	switch (attribute) {
	case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
		*value = 9;
		break;
	case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
		*value = SMS;
		break;
	case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
		*value = 227 << 10;
		break;
	case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
		*value = 1 << 16;
		break;
	case CU_DEVICE_ATTRIBUTE_CLOCK_RATE: /* kHz */
		*value = (int)(gigahertz * 1e6);
		break;
	default:
		*value = 0;
	}
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	(void)device;
	*bytes = (size_t)1 << 32;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuDeviceGetPCIBusId(char *id, int len, CUdevice device)
{
	(void)device;
	snprintf(id, (size_t)len, "0000:00:00.0");
	return CUDA_SUCCESS;
}

#if CUDA_VERSION >= 13000
EXPORT CUresult CUDAAPI cuCtxCreate(CUcontext *context, CUctxCreateParams *params, unsigned flags, CUdevice device)
{
	(void)params;
#else
EXPORT CUresult CUDAAPI cuCtxCreate(CUcontext *context, unsigned flags, CUdevice device)
{
#endif
	(void)flags;
	(void)device;
	*context = (CUcontext)&stuck;
	return is_sick() ? CUDA_ERROR_ECC_UNCORRECTABLE : CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuCtxDestroy(CUcontext context)
{
	(void)context;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuCtxSetCurrent(CUcontext context)
{
	(void)context;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuCtxGetDevice(CUdevice *device)
{
	*device = 0;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuCtxSynchronize(void)
{
	return wait_for_all();
}

EXPORT CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value)
{
	(void)limit;
	(void)value;
	return stuck;
}

EXPORT CUresult CUDAAPI cuCtxResetPersistingL2Cache(void)
{
	return stuck;
}

/* Our own kernels come as a fat binary or PTX; a candidate as an ELF file, whatever stands in it. */
EXPORT CUresult CUDAAPI cuModuleLoadData(CUmodule *module, const void *image)
{
	CUmodule made = malloc(sizeof *made);

	if (made == NULL)
		return CUDA_ERROR_OUT_OF_MEMORY;
	made->ours = memcmp(image, "\x7f"
	                           "ELF",
	                    4) != 0;
	*module = made;
	if (!made->ours)
		device_variable = 0;
	return stuck;
}

EXPORT CUresult CUDAAPI cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)
{
	(void)count;
	(void)options;
	(void)values;
	return cuModuleLoadData(module, image);
}

EXPORT CUresult CUDAAPI cuModuleUnload(CUmodule module)
{
	free(module);
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	const struct CUfunc_st *table = module->ours ? functions : candidates;
	const size_t count = module->ours ? FUNCTIONS : candidate_count;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(table[i].name, name) == 0) {
			*function = (CUfunction)(uintptr_t)&table[i];
			return CUDA_SUCCESS;
		}
	}
	*function = (CUfunction)(uintptr_t)&functions[FUNCTIONS - 1];
	return module->ours ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT CUresult CUDAAPI cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	(void)function;
	(void)attribute;
	(void)value;
	return stuck;
}

EXPORT CUresult CUDAAPI cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
	(void)function;
	*value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? 1024 : attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? 32 : 0;
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
	*offset = 0;
	if (index >= strlen(function->sizes))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i <= index; i++) {
		*size = (size_t)(function->sizes[i] - '0');
		*offset += i < index ? *size : 0;
	}
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                                       unsigned block_z, unsigned shared, CUstream stream, void **parameters, void **extra)
{
	(void)shared;
	(void)stream;
	(void)extra;
	if (grid_x * grid_y * grid_z == 0 || block_x * block_y * block_z == 0)
		return CUDA_ERROR_INVALID_VALUE;
	return run(function, parameters);
}

EXPORT CUresult CUDAAPI cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters, void **extra)
{
	return cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ, config->blockDimX, config->blockDimY,
	                      config->blockDimZ, config->sharedMemBytes, config->hStream, parameters, extra);
}

/* The map holds the address, for nobody. */
EXPORT CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dims,
                                               const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
                                               CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                                               CUtensorMapFloatOOBfill fill_with)
{
	(void)type;
	(void)rank;
	(void)dims;
	(void)strides;
	(void)box;
	(void)steps;
	(void)interleave;
	(void)swizzle;
	(void)l2;
	(void)fill_with;
	memset(map, 0, sizeof *map);
	memcpy(map, &address, sizeof address);
	return ((uintptr_t)address & 15) == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuMemAlloc(CUdeviceptr *address, size_t bytes)
{
	for (int i = 0; i < DEVICE_BLOCKS_MAX; i++) {
		if (blocks[i].at != NULL)
			continue;
		blocks[i].at = aligned_alloc(512, (bytes + 511) / 512 * 512);
		if (blocks[i].at == NULL)
			break;
		blocks[i].bytes = bytes;
		*address = (CUdeviceptr)(uintptr_t)blocks[i].at;
		return stuck;
	}
	return CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult CUDAAPI cuMemFree(CUdeviceptr address)
{
	for (int i = 0; i < DEVICE_BLOCKS_MAX; i++) {
		if (blocks[i].at == (void *)(uintptr_t)address) {
			free(blocks[i].at);
			blocks[i].at = NULL;
			return stuck;
		}
	}
	return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuMemGetInfo(size_t *available, size_t *total)
{
	*available = *total = (size_t)1 << 28;
	return CUDA_SUCCESS;
}

static CUresult copy(void *to, const void *from, size_t bytes)
{
	const CUresult result = wait_for_all();

	if (result == CUDA_SUCCESS)
		memmove(to, from, bytes);
	return result;
}

EXPORT CUresult CUDAAPI cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes)
{
	return device_has((void *)(uintptr_t)to, bytes) ? copy((void *)(uintptr_t)to, from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
	(void)stream;
	return cuMemcpyHtoD(to, from, bytes);
}

EXPORT CUresult CUDAAPI cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes)
{
	return device_has((void *)(uintptr_t)from, bytes) ? copy(to, (void *)(uintptr_t)from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	(void)stream;
	return cuMemcpyDtoH(to, from, bytes);
}

EXPORT CUresult CUDAAPI cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	return device_has((void *)(uintptr_t)from, bytes) ? cuMemcpyHtoD(to, (void *)(uintptr_t)from, bytes) : CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
	(void)stream;
	return cuMemcpyDtoD(to, from, bytes);
}

/* Writes of SKIP_BYTES and more only flush a cache that is not there. */
EXPORT CUresult CUDAAPI cuMemsetD8(CUdeviceptr to, unsigned char value, size_t bytes)
{
	if (!device_has((void *)(uintptr_t)to, bytes))
		return CUDA_ERROR_INVALID_VALUE;
	if (bytes < SKIP_BYTES && !hanging)
		memset((void *)(uintptr_t)to, value, bytes);
	return stuck;
}

EXPORT CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
	(void)stream;
	return cuMemsetD8(to, value, bytes);
}

EXPORT CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream)
{
	(void)stream;
	if (!device_has((void *)(uintptr_t)to, count * 4))
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < count; i++)
		((uint32_t *)(uintptr_t)to)[i] = value;
	return stuck;
}

EXPORT CUresult CUDAAPI cuMemHostRegister(void *memory, size_t bytes, unsigned flags)
{
	(void)memory;
	(void)bytes;
	(void)flags;
	return CUDA_ERROR_NOT_SUPPORTED;
}

EXPORT CUresult CUDAAPI cuMemHostUnregister(void *memory)
{
	(void)memory;
	return CUDA_ERROR_INVALID_VALUE;
}

EXPORT CUresult CUDAAPI cuStreamCreate(CUstream *stream, unsigned flags)
{
	(void)flags;
	*stream = (CUstream)&now_ns;
	return stuck;
}

EXPORT CUresult CUDAAPI cuStreamDestroy(CUstream stream)
{
	(void)stream;
	return stuck;
}

EXPORT CUresult CUDAAPI cuStreamSynchronize(CUstream stream)
{
	(void)stream;
	return wait_for_all();
}

EXPORT CUresult CUDAAPI cuEventCreate(CUevent *event, unsigned flags)
{
	(void)flags;
	*event = calloc(1, sizeof **event);
	return *event != NULL ? stuck : CUDA_ERROR_OUT_OF_MEMORY;
}

EXPORT CUresult CUDAAPI cuEventDestroy(CUevent event)
{
	free(event);
	return stuck;
}

EXPORT CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream)
{
	(void)stream;
	event->at_ns = now_ns;
	return stuck;
}

EXPORT CUresult CUDAAPI cuEventSynchronize(CUevent event)
{
	(void)event;
	return wait_for_all();
}

EXPORT CUresult CUDAAPI cuEventElapsedTime(float *ms, CUevent start, CUevent stop)
{
	*ms = (float)((stop->at_ns - start->at_ns) / 1e6);
	return stuck;
}

EXPORT CUresult CUDAAPI cuGetErrorName(CUresult result, const char **text)
{
	*text = result == CUDA_ERROR_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : result == CUDA_ERROR_NOT_FOUND ? "CUDA_ERROR_NOT_FOUND"
	        : "an error of the stand-in";
	return CUDA_SUCCESS;
}

EXPORT CUresult CUDAAPI cuGetErrorString(CUresult result, const char **text)
{
	(void)result;
	*text = "no explanation";
	return CUDA_SUCCESS;
}
