/* Stand-ins for what host code calls of the CUDA runtime and driver: a device whose memory is addresses alone. */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "record.h"

enum { SYMBOLS_MAX = 4096, ALLOCATIONS_MAX = 256, CLUSTER_DIMENSIONS = 3, STACK_MAX = 16, MAPS_MAX = 256 /* more are refused when they are read */ };

/* Allocations lie so far apart that one past the end of one is in no other, and on what cudaMalloc aligns to and no more. */
enum { HEAP_STEP = 2 << 20, DEFAULT_SHARED = 48 << 10, SHARED_MAX = 227 << 10 };

/* A kernel as host code names it: the address of its host function; we hand the place in this list out as its handle. */
static struct symbol {
	const void *host;
	const struct recorder_function *function;
	size_t shared; /* dynamic shared memory that is allowed */
} symbols[SYMBOLS_MAX];
static size_t symbol_count;

static struct allocation {
	uint64_t address, bytes;
	bool freed;
} allocations[ALLOCATIONS_MAX];
static size_t allocation_count;

static cudaError_t last_error = cudaSuccess;

static cudaError_t fail(cudaError_t error)
{
	last_error = error;
	return error;
}

/* ---- registration: what generated code calls when it is loaded ---- */

EXPORT void **__cudaRegisterFatBinary(void *image);
EXPORT void __cudaRegisterFatBinaryEnd(void **handle);
EXPORT void __cudaUnregisterFatBinary(void **handle);
EXPORT void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *thread, uint3 *block,
                                   dim3 *block_dim, dim3 *grid_dim, int *warp_size);
EXPORT void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t size, int constant, int global);
EXPORT char __cudaInitModule(void **handle);

void **__cudaRegisterFatBinary(void *image)
{
	static void *handle;

	handle = image;
	return &handle;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	(void)handle;
}

void __cudaUnregisterFatBinary(void **handle)
{
	(void)handle;
}

/* Every one of these is in the PTX too; one that is not can be no launch. */
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int limit, uint3 *thread, uint3 *block, dim3 *block_dim,
                            dim3 *grid_dim, int *warp_size)
{
	(void)handle;
	(void)device;
	(void)limit;
	(void)thread;
	(void)block;
	(void)block_dim;
	(void)grid_dim;
	(void)warp_size;
	for (size_t i = 0; i < recorder.function_count && symbol_count < SYMBOLS_MAX; i++)
		if (strcmp(recorder.functions[i].name, name) == 0)
			symbols[symbol_count++] = (struct symbol){host, &recorder.functions[i], DEFAULT_SHARED};
}

/* A variable of the device may be there; that the host writes it is refused where it would (refused.c). */
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external, size_t size, int constant, int global)
{
	(void)handle;
	(void)host;
	(void)address;
	(void)name;
	(void)external;
	(void)size;
	(void)constant;
	(void)global;
}

char __cudaInitModule(void **handle)
{
	(void)handle;
	return 1;
}

/* ---- memory that was given back ---- */

static void check_freed(uint64_t address, const char *call)
{
	for (size_t i = 0; i < allocation_count; i++)
		if (allocations[i].freed && address - allocations[i].address <= allocations[i].bytes)
			record_refuse("calls", "%s is given memory that was freed before", call);
}

/* What stands for maps, and what they lie on. */
static struct made_map {
	CUtensorMap token;
	uint64_t address;
} made_maps[MAPS_MAX];
static size_t made_map_count;

/* Addresses stand at multiples of 8 or are refused later; maps at those of 64. */
static void check_argument(const unsigned char *bytes, size_t size, const char *function)
{
	for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, bytes + at, sizeof word);
		check_freed(word, function);
		for (size_t i = 0; i < made_map_count && size - at >= sizeof(CUtensorMap); i++)
			if (memcmp(bytes + at, &made_maps[i].token, sizeof(CUtensorMap)) == 0)
				check_freed(made_maps[i].address, function);
	}
}

/* ---- launches ---- */

/* By the host function's address, or by a handle of ours. */
static struct symbol *find_symbol(const void *what, const char *call)
{
	for (size_t i = 0; i < symbol_count; i++)
		if (symbols[i].host == what || (const void *)&symbols[i] == what)
			return &symbols[i];
	record_refuse("launch", "%s is given what is no kernel of kernel.cu", call);
}

static void check_stream(const void *stream, const char *call)
{
	/* 1 and 2: cudaStreamLegacy and cudaStreamPerThread. TVMFFIEnvGetStream's is the first of all. */
	if ((uintptr_t)stream > 1)
		record_refuse("order", "%s names a stream that is not TVMFFIEnvGetStream's", call);
}

struct geometry {
	uint64_t grid[3], block[3], cluster[3], shared;
};

static void record_launch(const struct symbol *symbol, const struct geometry *geometry, void **arguments)
{
	const struct recorder_function *function = symbol->function;

	if (geometry->shared > symbol->shared)
		record_refuse("launch", "%s is launched with %llu bytes of dynamic shared memory; cudaFuncSetAttribute has allowed %zu", function->name,
		              (unsigned long long)geometry->shared, symbol->shared);
	if (arguments == NULL && function->count > 0)
		record_refuse("launch", "%s is launched without its arguments, or with them in a buffer", function->name);
	record_begin("launch");
	record_text("function", function->name);
	record_numbers("grid", geometry->grid, 3);
	record_numbers("block", geometry->block, 3);
	record_numbers("cluster", geometry->cluster, CLUSTER_DIMENSIONS);
	record_number("shared", geometry->shared);
	record_list("parameters");
	for (size_t i = 0; i < function->count; i++) {
		check_argument(arguments[i], function->sizes[i], function->name);
		record_hex(NULL, arguments[i], function->sizes[i]);
	}
	record_list_end();
	record_end();
}

static cudaError_t launch(const void *what, dim3 grid, dim3 block, void **arguments, size_t shared, const void *stream)
{
	const struct geometry geometry = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {1, 1, 1}, shared};

	record_running("a launch");
	check_stream(stream, "a launch");
	record_launch(find_symbol(what, "a launch"), &geometry, arguments);
	return cudaSuccess;
}

static struct configuration {
	dim3 grid, block;
	size_t shared;
	void *stream;
} stack[STACK_MAX];
static size_t depth;

EXPORT unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream);
EXPORT cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
EXPORT cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host);
EXPORT cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
	if (depth == STACK_MAX)
		record_refuse("launch", "launches within launches");
	stack[depth++] = (struct configuration){grid, block, shared, stream};
	return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
	if (depth == 0)
		record_refuse("launch", "a kernel is called as a function, not launched");
	const struct configuration *top = &stack[--depth];

	*grid = top->grid;
	*block = top->block;
	*shared = top->shared;
	memcpy(stream, &top->stream, sizeof top->stream);
	return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
	*kernel = (cudaKernel_t)(void *)find_symbol(host, "a launch");
	return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	return launch(kernel, grid, block, arguments, shared, stream);
}

EXPORT cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream)
{
	return launch(host, grid, block, arguments, shared, stream);
}

EXPORT cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *host)
{
	*function = (cudaFunction_t)(void *)find_symbol(host, "cudaGetFuncBySymbol");
	return cudaSuccess;
}

/* Attributes' numbers and values are the driver's in both forms. Those that ask for nothing are let pass. */
static void take_attribute(struct geometry *geometry, CUlaunchAttributeID id, const CUlaunchAttributeValue *value)
{
	switch (id) {
	case CU_LAUNCH_ATTRIBUTE_IGNORE:
		break;
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		geometry->cluster[0] = value->clusterDim.x;
		geometry->cluster[1] = value->clusterDim.y;
		geometry->cluster[2] = value->clusterDim.z;
		break;
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
		if (value->cooperative != 0)
			record_refuse("launch", "a launch is %s, which data cannot say",
			              id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ? "cooperative" : "serialised by programs (dependent launch)");
		break;
	default:
		record_refuse("launch", "a launch has attribute %d, which data cannot say", (int)id);
	}
}

EXPORT cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *host, void **arguments)
{
	struct geometry geometry = {{config->gridDim.x, config->gridDim.y, config->gridDim.z},
	                            {config->blockDim.x, config->blockDim.y, config->blockDim.z},
	                            {1, 1, 1},
	                            config->dynamicSmemBytes};

	record_running("cudaLaunchKernelEx");
	check_stream(config->stream, "cudaLaunchKernelEx");
	for (unsigned i = 0; i < config->numAttrs; i++)
		take_attribute(&geometry, (CUlaunchAttributeID)config->attrs[i].id, (const CUlaunchAttributeValue *)&config->attrs[i].val);
	record_launch(find_symbol(host, "cudaLaunchKernelEx"), &geometry, arguments);
	return cudaSuccess;
}

EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra)
{
	struct geometry geometry = {{config->gridDimX, config->gridDimY, config->gridDimZ},
	                            {config->blockDimX, config->blockDimY, config->blockDimZ},
	                            {1, 1, 1},
	                            config->sharedMemBytes};

	record_running("cuLaunchKernelEx");
	check_stream(config->hStream, "cuLaunchKernelEx");
	for (unsigned i = 0; i < config->numAttrs; i++)
		take_attribute(&geometry, config->attrs[i].id, &config->attrs[i].value);
	record_launch(find_symbol(function, "cuLaunchKernelEx"), &geometry, extra == NULL ? arguments : NULL);
	return CUDA_SUCCESS;
}

EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                               unsigned block_z, unsigned shared, CUstream stream, void **arguments, void **extra)
{
	const CUlaunchConfig config = {.gridDimX = grid_x,
	                               .gridDimY = grid_y,
	                               .gridDimZ = grid_z,
	                               .blockDimX = block_x,
	                               .blockDimY = block_y,
	                               .blockDimZ = block_z,
	                               .sharedMemBytes = shared,
	                               .hStream = stream};

	return cuLaunchKernelEx(&config, function, arguments, extra);
}

static cudaError_t allow_shared(struct symbol *symbol, int value)
{
	if (value < 0 || value > SHARED_MAX)
		return fail(cudaErrorInvalidValue);
	symbol->shared = value > DEFAULT_SHARED ? (size_t)value : DEFAULT_SHARED;
	return cudaSuccess;
}

/* The replay allows what a launch needs by itself; here it has to be asked for, as on a device. Hints (carve-out) change no result, and are not kept. */
EXPORT cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute, int value)
{
	struct symbol *symbol = find_symbol(host, "cudaFuncSetAttribute");

	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		return allow_shared(symbol, value);
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
		return cudaSuccess;
	default:
		record_refuse("launch", "cudaFuncSetAttribute sets attribute %d, which data cannot say", (int)attribute);
	}
}

EXPORT CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
	return cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- memory ---- */

EXPORT cudaError_t cudaMalloc(void **address, size_t bytes)
{
	record_running("cudaMalloc");
	if (bytes == 0) {
		*address = NULL;
		return cudaSuccess;
	}
	if (allocation_count == ALLOCATIONS_MAX || bytes > UINT64_C(1) << 40)
		record_refuse("calls", "it allocates more than any device has");
	allocations[allocation_count++] = (struct allocation){.address = recorder.heap, .bytes = bytes};
	*address = (void *)(uintptr_t)recorder.heap;
	record_begin("malloc");
	record_number("address", recorder.heap);
	record_number("bytes", bytes);
	record_end();
	recorder.heap += (bytes / HEAP_STEP + 2) * HEAP_STEP;
	return cudaSuccess;
}

EXPORT cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream)
{
	check_stream(stream, "cudaMallocAsync");
	return cudaMalloc(address, bytes);
}

EXPORT cudaError_t cudaFree(void *address)
{
	if (address == NULL)
		return cudaSuccess;
	for (size_t i = 0; i < allocation_count; i++) {
		if (allocations[i].address == (uintptr_t)address && !allocations[i].freed) {
			allocations[i].freed = true;
			return cudaSuccess;
		}
	}
	record_refuse("calls", "it frees what it did not allocate");
}

EXPORT cudaError_t cudaFreeAsync(void *address, cudaStream_t stream)
{
	check_stream(stream, "cudaFreeAsync");
	return cudaFree(address);
}

EXPORT cudaError_t cudaMemset(void *address, int value, size_t bytes)
{
	record_running("cudaMemset");
	if (bytes == 0)
		return cudaSuccess;
	check_freed((uintptr_t)address, "cudaMemset");
	record_begin("memset");
	record_number("address", (uintptr_t)address);
	record_number("bytes", bytes);
	record_number("value", (unsigned char)value);
	record_end();
	return cudaSuccess;
}

EXPORT cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream)
{
	check_stream(stream, "cudaMemsetAsync");
	return cudaMemset(address, value, bytes);
}

/* ---- tensor maps ---- */

/* A step of splitmix64 (Steele, Lea, Flood 2014): what stands for a map is like no other bytes, and other bytes in each recording. */
static uint64_t mix(uint64_t value)
{
	value += UINT64_C(0x9E3779B97F4A7C15);
	value = (value ^ value >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	value = (value ^ value >> 27) * UINT64_C(0x94D049BB133111EB);
	return value ^ value >> 31;
}

static void record_widened(const char *key, const cuuint32_t *values, size_t count)
{
	uint64_t wide[8] = {0};

	for (size_t i = 0; i < count; i++)
		wide[i] = values[i];
	record_numbers(key, wide, count);
}

static void record_wide(const char *key, const cuuint64_t *values, size_t count)
{
	uint64_t wide[8] = {0};

	for (size_t i = 0; i < count; i++)
		wide[i] = values[i];
	record_numbers(key, wide, count);
}

EXPORT CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address, const cuuint64_t *dims,
                                       const cuuint64_t *strides, const cuuint32_t *box, const cuuint32_t *steps,
                                       CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion l2,
                                       CUtensorMapFloatOOBfill fill)
{
	static uint64_t word;

	record_running("cuTensorMapEncodeTiled");
	if (rank < 1 || rank > 5)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < sizeof map->opaque / sizeof map->opaque[0]; i++)
		map->opaque[i] = mix(recorder.seed + word++);
	check_freed((uintptr_t)address, "cuTensorMapEncodeTiled");
	if (made_map_count < MAPS_MAX)
		made_maps[made_map_count++] = (struct made_map){.token = *map, .address = (uintptr_t)address};
	record_begin("map");
	record_hex("token", map->opaque, sizeof map->opaque);
	record_number("type", (uint64_t)type);
	record_number("address", (uintptr_t)address);
	record_wide("dims", dims, rank);
	record_wide("strides", strides, rank - 1);
	record_widened("box", box, rank);
	record_widened("steps", steps, rank);
	record_number("interleave", (uint64_t)interleave);
	record_number("swizzle", (uint64_t)swizzle);
	record_number("l2", (uint64_t)l2);
	record_number("fill", (uint64_t)fill);
	record_end();
	return CUDA_SUCCESS;
}

/* ---- the device ---- */

static int ask(int attribute)
{
	for (size_t i = 0; i < recorder.attribute_count; i++) {
		if (recorder.attributes[i].attribute != attribute)
			continue;
		record_begin("asked");
		record_number("attribute", (uint64_t)attribute);
		record_number("value", (uint64_t)recorder.attributes[i].value);
		record_end();
		return recorder.attributes[i].value;
	}
	record_refuse("unknown", "it asks for attribute %d of the device, which the table for its architecture does not have", attribute);
}

static cudaError_t check_device(int device)
{
	return device == 0 ? cudaSuccess : fail(cudaErrorInvalidDevice);
}

EXPORT cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	record_running("cudaDeviceGetAttribute");
	if (check_device(device) != cudaSuccess)
		return cudaErrorInvalidDevice;
	*value = ask((int)attribute);
	return cudaSuccess;
}

EXPORT CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
	record_running("cuDeviceGetAttribute");
	if (device != 0)
		return CUDA_ERROR_INVALID_DEVICE;
	*value = ask((int)attribute);
	return CUDA_SUCCESS;
}

/* Which fields are read is not seen, so all that is filled in counts as asked for. */
EXPORT cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
	record_running("cudaGetDeviceProperties");
	if (check_device(device) != cudaSuccess)
		return cudaErrorInvalidDevice;
	memset(properties, 0, sizeof *properties);
	snprintf(properties->name, sizeof properties->name, "%s", recorder.device);
	properties->major = ask(cudaDevAttrComputeCapabilityMajor);
	properties->minor = ask(cudaDevAttrComputeCapabilityMinor);
	properties->multiProcessorCount = ask(cudaDevAttrMultiProcessorCount);
	properties->sharedMemPerBlock = (size_t)ask(cudaDevAttrMaxSharedMemoryPerBlock);
	properties->sharedMemPerBlockOptin = (size_t)ask(cudaDevAttrMaxSharedMemoryPerBlockOptin);
	properties->sharedMemPerMultiprocessor = (size_t)ask(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
	properties->reservedSharedMemPerBlock = (size_t)ask(cudaDevAttrReservedSharedMemoryPerBlock);
	properties->regsPerBlock = ask(cudaDevAttrMaxRegistersPerBlock);
	properties->regsPerMultiprocessor = ask(cudaDevAttrMaxRegistersPerMultiprocessor);
	properties->warpSize = ask(cudaDevAttrWarpSize);
	properties->maxThreadsPerBlock = ask(cudaDevAttrMaxThreadsPerBlock);
	properties->maxThreadsPerMultiProcessor = ask(cudaDevAttrMaxThreadsPerMultiProcessor);
	properties->maxBlocksPerMultiProcessor = ask(cudaDevAttrMaxBlocksPerMultiprocessor);
	properties->maxThreadsDim[0] = ask(cudaDevAttrMaxBlockDimX);
	properties->maxThreadsDim[1] = ask(cudaDevAttrMaxBlockDimY);
	properties->maxThreadsDim[2] = ask(cudaDevAttrMaxBlockDimZ);
	properties->maxGridSize[0] = ask(cudaDevAttrMaxGridDimX);
	properties->maxGridSize[1] = ask(cudaDevAttrMaxGridDimY);
	properties->maxGridSize[2] = ask(cudaDevAttrMaxGridDimZ);
	properties->l2CacheSize = ask(cudaDevAttrL2CacheSize);
	properties->cooperativeLaunch = ask(cudaDevAttrCooperativeLaunch);
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetDeviceCount(int *count)
{
	*count = 1;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetDevice(int *device)
{
	*device = 0;
	return cudaSuccess;
}

EXPORT cudaError_t cudaSetDevice(int device)
{
	return check_device(device);
}

EXPORT CUresult cuInit(unsigned flags)
{
	(void)flags;
	return CUDA_SUCCESS;
}

EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	*device = 0;
	return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

EXPORT CUresult cuCtxGetDevice(CUdevice *device)
{
	*device = 0;
	return CUDA_SUCCESS;
}

/* Nothing runs, so all is done at once. */
EXPORT cudaError_t cudaDeviceSynchronize(void)
{
	return cudaSuccess;
}

EXPORT cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	check_stream(stream, "cudaStreamSynchronize");
	return cudaSuccess;
}

EXPORT cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *capturing)
{
	check_stream(stream, "cudaStreamIsCapturing");
	*capturing = cudaStreamCaptureStatusNone;
	return cudaSuccess;
}

EXPORT cudaError_t cudaGetLastError(void)
{
	const cudaError_t error = last_error;

	last_error = cudaSuccess;
	return error;
}

EXPORT cudaError_t cudaPeekAtLastError(void)
{
	return last_error;
}

EXPORT const char *cudaGetErrorString(cudaError_t error)
{
	return error == cudaSuccess ? "no error" : error == cudaErrorInvalidValue ? "invalid argument"
	       : error == cudaErrorInvalidDevice ? "invalid device ordinal" : "unspecified error";
}

EXPORT const char *cudaGetErrorName(cudaError_t error)
{
	return error == cudaSuccess ? "cudaSuccess" : error == cudaErrorInvalidValue ? "cudaErrorInvalidValue"
	       : error == cudaErrorInvalidDevice ? "cudaErrorInvalidDevice" : "cudaErrorUnknown";
}

EXPORT CUresult cuGetErrorString(CUresult error, const char **text)
{
	*text = error == CUDA_SUCCESS ? "no error" : "error";
	return CUDA_SUCCESS;
}

EXPORT CUresult cuGetErrorName(CUresult error, const char **text)
{
	*text = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR";
	return CUDA_SUCCESS;
}

/* ---- entry points of the driver, by name ---- */

/* Functions of every type are handed out by one kind of pointer, as the driver's interface has it. */
typedef void any_function(void);

static any_function *entry_point(const char *name)
{
	static const struct {
		const char *name;
		any_function *function;
	} entries[] = {
		{"cuTensorMapEncodeTiled", (any_function *)(void *)cuTensorMapEncodeTiled},
		{"cuLaunchKernel", (any_function *)(void *)cuLaunchKernel},
		{"cuLaunchKernelEx", (any_function *)(void *)cuLaunchKernelEx},
		{"cuFuncSetAttribute", (any_function *)(void *)cuFuncSetAttribute},
		{"cuDeviceGetAttribute", (any_function *)(void *)cuDeviceGetAttribute},
		{"cuDeviceGet", (any_function *)(void *)cuDeviceGet},
		{"cuCtxGetDevice", (any_function *)(void *)cuCtxGetDevice},
		{"cuGetErrorString", (any_function *)(void *)cuGetErrorString},
		{"cuGetErrorName", (any_function *)(void *)cuGetErrorName},
		{"cuInit", (any_function *)(void *)cuInit},
	};

	for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++)
		if (strcmp(entries[i].name, name) == 0)
			return entries[i].function;
	record_refuse("calls", "it asks the driver for %s, of which no call can be data", name);
}

static cudaError_t give_entry_point(const char *name, void **function, enum cudaDriverEntryPointQueryResult *result)
{
	any_function *found = entry_point(name);

	memcpy(function, &found, sizeof found);
	if (result != NULL)
		*result = cudaDriverEntryPointSuccess;
	return cudaSuccess;
}

/* Deprecated since CUDA 13, and still called. */
#undef cudaGetDriverEntryPoint
EXPORT cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *result);

EXPORT cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                           enum cudaDriverEntryPointQueryResult *result)
{
	(void)flags;
	return give_entry_point(name, function, result);
}

EXPORT cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long long flags,
                                                    enum cudaDriverEntryPointQueryResult *result)
{
	(void)version;
	(void)flags;
	return give_entry_point(name, function, result);
}

EXPORT CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *result)
{
	any_function *found = entry_point(name);

	(void)version;
	(void)flags;
	memcpy(function, &found, sizeof found);
	if (result != NULL)
		*result = CU_GET_PROC_ADDRESS_SUCCESS;
	return CUDA_SUCCESS;
}
