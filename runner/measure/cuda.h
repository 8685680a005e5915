/*
 * The CUDA driver, opened at run time. Every function the room uses stands in the list once; a missing one is an old driver and is said to be so.
 * Calls return CUresult as ever; cuda_check turns one into a struct error.
 */
#ifndef PTXSEAL_MEASURE_CUDA_H
#define PTXSEAL_MEASURE_CUDA_H

#include <cuda.h>

#include "../base/error.h"

/* CUDA_FUNCTION(symbol): the versioned symbols cuda.h's macros expand to are looked up by that very name. */
#define CUDA_FUNCTIONS(F)                                                                                         \
	F(cuInit) F(cuDriverGetVersion) F(cuDeviceGetCount) F(cuDeviceGet) F(cuDeviceGetName) F(cuDeviceGetUuid)      \
	F(cuDeviceGetAttribute) F(cuDeviceTotalMem) F(cuDeviceGetPCIBusId) F(cuCtxCreate) F(cuCtxDestroy) F(cuCtxSetCurrent)              \
	F(cuCtxGetDevice) F(cuCtxSynchronize) F(cuCtxSetLimit) F(cuCtxResetPersistingL2Cache) F(cuModuleLoadData) F(cuModuleLoadDataEx) F(cuModuleUnload)   \
	F(cuModuleGetFunction) F(cuFuncSetAttribute) F(cuFuncGetAttribute) F(cuFuncGetParamInfo) F(cuLaunchKernel) F(cuLaunchKernelEx)      \
	F(cuTensorMapEncodeTiled) F(cuMemAlloc) F(cuMemFree) F(cuMemGetInfo) F(cuMemcpyHtoD) F(cuMemcpyDtoH) F(cuMemcpyDtoHAsync)         \
	F(cuMemcpyHtoDAsync) F(cuMemcpyDtoD) F(cuMemcpyDtoDAsync) F(cuMemsetD8) F(cuMemsetD8Async) F(cuMemsetD32Async) F(cuMemHostRegister)        \
	F(cuMemHostUnregister) F(cuStreamCreate) F(cuStreamDestroy) F(cuStreamSynchronize) F(cuEventCreate)           \
	F(cuEventDestroy) F(cuEventRecord) F(cuEventSynchronize) F(cuEventElapsedTime) F(cuGetErrorName) F(cuGetErrorString)

struct cuda {
#define CUDA_POINTER(symbol) __typeof__(&symbol) symbol;
	CUDA_FUNCTIONS(CUDA_POINTER)
#undef CUDA_POINTER
	void *library;
	char path[ERROR_FILE_MAX]; /* where the driver library was found */
};

/* Open the driver library (PTXSEAL_LIBCUDA names another one: the tests' stand-in) and call cuInit. UNAVAILABLE with R_GPU_DRIVER where there is none. */
enum status cuda_open(struct cuda *cuda, struct error *err);

/* A context on the device of that number, current in this thread. The caller destroys it with cuCtxDestroy. */
enum status cuda_context(const struct cuda *cuda, int ordinal, CUcontext *context, struct error *err);

/* OK for CUDA_SUCCESS. Else the error, by what it means: no device, wrong architecture, PTX too new (UNAVAILABLE); illegal address, launch failure
 * (FAILS: the candidate's fault when its code was running); ECC or fallen off the bus (UNHEALTHY). tried says what was being done. */
enum status cuda_check(const struct cuda *cuda, CUresult result, const char *tried, struct error *err);

#endif
