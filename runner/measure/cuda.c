#include "cuda.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

static const char default_library[] = "libcuda.so.1";

/* Where the loader found the library: its name tells a container's driver from the host's in a record. */
static void note_path(struct cuda *cuda, const char *name)
{
	struct link_map *map = NULL;

	if (dlinfo(cuda->library, RTLD_DI_LINKMAP, &map) == 0 && map->l_name[0] != '\0')
		name = map->l_name;
	strncpy(cuda->path, name, sizeof cuda->path - 1);
}

static enum status find(struct cuda *cuda, const char *symbol, void *pointer, struct error *err)
{
	void *found = dlsym(cuda->library, symbol);

	if (found == NULL)
		return error_set(err, R_GPU_DRIVER, cuda->path, "the driver is too old: it has no %s", symbol);
	/* POSIX lets dlsym's result become a function pointer; ISO C only knows this way to say so. */
	memcpy(pointer, &found, sizeof found);
	return OK;
}

static enum status find_all(struct cuda *cuda, struct error *err)
{
	enum status status = OK;

/* Expanded in two steps, so that the text is the versioned symbol. */
#define CUDA_TEXT(symbol) #symbol
#define CUDA_FIND(symbol)                                                                                              \
	if (status == OK)                                                                                              \
		status = find(cuda, CUDA_TEXT(symbol), &cuda->symbol, err);
	CUDA_FUNCTIONS(CUDA_FIND)
#undef CUDA_FIND
#undef CUDA_TEXT
	return status;
}

/* The loader's reason begins with the file's name, as the message does. */
static const char *reason_without(const char *name, const char *reason)
{
	const size_t len = strlen(name);

	return strncmp(reason, name, len) == 0 && strncmp(reason + len, ": ", 2) == 0 ? reason + len + 2 : reason;
}

enum status cuda_open(struct cuda *cuda, struct error *err)
{
	const char *name = getenv("PTXSEAL_LIBCUDA");

	*cuda = (struct cuda){0};
	if (name == NULL || name[0] == '\0')
		name = default_library;
	cuda->library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (cuda->library == NULL)
		return error_set(err, R_GPU_DRIVER, name, "%s", reason_without(name, dlerror()));
	note_path(cuda, name);

	enum status status = find_all(cuda, err);

	return status == OK ? cuda_check(cuda, cuda->cuInit(0), "starting the driver", err) : status;
}

enum status cuda_context(const struct cuda *cuda, int ordinal, CUcontext *context, struct error *err)
{
	CUdevice device = 0;
	enum status status = cuda_check(cuda, cuda->cuDeviceGet(&device, ordinal), "finding the device", err);

	if (status != OK)
		return status;
#if CUDA_VERSION >= 13000
	return cuda_check(cuda, cuda->cuCtxCreate(context, NULL, 0, device), "making a context", err);
#else
	return cuda_check(cuda, cuda->cuCtxCreate(context, 0, device), "making a context", err);
#endif
}

/* What each result means (cuda.h's CUresult). INVALID_VALUE and the like stand for wrong calls of ours and fall under the default; where a
 * launch description is the candidate's, its sizes were checked before. */
static enum rule rule_of(CUresult result)
{
	switch (result) {
	case CUDA_ERROR_STUB_LIBRARY:
	case CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER:
	case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
	case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
	case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
	case CUDA_ERROR_JIT_COMPILATION_DISABLED:
	case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
	case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
		return R_GPU_DRIVER;
	case CUDA_ERROR_NO_DEVICE:
	case CUDA_ERROR_INVALID_DEVICE:
	case CUDA_ERROR_DEVICE_UNAVAILABLE:
	case CUDA_ERROR_DEVICE_NOT_LICENSED:
	case CUDA_ERROR_SYSTEM_NOT_READY:
	case CUDA_ERROR_MPS_CONNECTION_FAILED:
	case CUDA_ERROR_MPS_RPC_FAILURE:
	case CUDA_ERROR_MPS_SERVER_NOT_READY:
	case CUDA_ERROR_MPS_MAX_CLIENTS_REACHED:
	case CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED:
		return R_GPU_DEVICE;
	case CUDA_ERROR_NO_BINARY_FOR_GPU:
		return R_GPU_ARCH;
	case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
		return R_GPU_PTX;
	case CUDA_ERROR_OUT_OF_MEMORY:
		return R_GPU_MEMORY;
	case CUDA_ERROR_OPERATING_SYSTEM:
	case CUDA_ERROR_NOT_PERMITTED:
	case CUDA_ERROR_NOT_SUPPORTED:
		return R_GPU_PERMISSION;
	case CUDA_ERROR_INVALID_IMAGE:
	case CUDA_ERROR_INVALID_PTX:
	case CUDA_ERROR_INVALID_SOURCE:
	case CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC:
	case CUDA_ERROR_NOT_FOUND:
		return R_GPU_MODULE;
	case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
	case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
	case CUDA_ERROR_INVALID_CLUSTER_SIZE:
		return R_GPU_LAUNCH;
	case CUDA_ERROR_ILLEGAL_ADDRESS:
	case CUDA_ERROR_LAUNCH_TIMEOUT:
	case CUDA_ERROR_ASSERT:
	case CUDA_ERROR_HARDWARE_STACK_ERROR:
	case CUDA_ERROR_ILLEGAL_INSTRUCTION:
	case CUDA_ERROR_MISALIGNED_ADDRESS:
	case CUDA_ERROR_INVALID_ADDRESS_SPACE:
	case CUDA_ERROR_INVALID_PC:
	case CUDA_ERROR_LAUNCH_FAILED:
	case CUDA_ERROR_TENSOR_MEMORY_LEAK:
		return R_GPU_KERNEL;
	/* A GPU that fell off the bus shows as UNKNOWN, or as TIMEOUT of the driver's own wait. */
	case CUDA_ERROR_ECC_UNCORRECTABLE:
	case CUDA_ERROR_NVLINK_UNCORRECTABLE:
	case CUDA_ERROR_CONTAINED:
	case CUDA_ERROR_EXTERNAL_DEVICE:
	case CUDA_ERROR_TIMEOUT:
	case CUDA_ERROR_UNKNOWN:
		return R_GPU_SICK;
	default:
		return R_GPU_CALL;
	}
}

enum status cuda_check(const struct cuda *cuda, CUresult result, const char *tried, struct error *err)
{
	const char *name = NULL;
	const char *text = NULL;

	if (result == CUDA_SUCCESS)
		return OK;
	if (cuda->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
		name = "an error the driver has no name for";
	if (cuda->cuGetErrorString(result, &text) != CUDA_SUCCESS || text == NULL)
		text = "no explanation";
	return error_set(err, rule_of(result), "", "%s: %s (%d, %s)", tried, name, (int)result, text);
}
