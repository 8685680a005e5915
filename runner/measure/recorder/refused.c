/*
 * Calls that are known and cannot be data, each with its reason; what is not even named here leaves the code unloadable, with the name of what it lacks. None returns,
 * so none needs its own parameters.
 */
#include "record.h"

#define REFUSED(name, kind, reason) \
	EXPORT void name(void); \
	void name(void) \
	{ \
		record_refuse(kind, "%s %s", #name, reason); \
	}

#define COPIES(name) REFUSED(name, "copy", "moves memory between host and device, or within the device, beside the kernels")
#define ORDERS(name) REFUSED(name, "order", "orders or times work outside the one stream of launches")
#define ASKS(name) REFUSED(name, "unknown", "asks the device for what no table says")
#define CANNOT(name) REFUSED(name, "launch", "launches in a way that data cannot say")

COPIES(cudaMemcpy)
COPIES(cudaMemcpyAsync)
COPIES(cudaMemcpy2D)
COPIES(cudaMemcpy2DAsync)
COPIES(cudaMemcpyToSymbol)
COPIES(cudaMemcpyToSymbolAsync)
COPIES(cudaMemcpyFromSymbol)
COPIES(cudaMemcpyFromSymbolAsync)
COPIES(cudaGetSymbolAddress)
COPIES(cudaMallocHost)
COPIES(cudaHostAlloc)
COPIES(cudaHostRegister)
COPIES(cudaMallocManaged)
COPIES(__cudaRegisterManagedVar)
COPIES(cuMemcpy)
COPIES(cuMemcpyAsync)
COPIES(cuMemcpyDtoH_v2)
COPIES(cuMemcpyHtoD_v2)
COPIES(cuMemcpyDtoHAsync_v2)
COPIES(cuMemcpyHtoDAsync_v2)
COPIES(cuMemcpyDtoD_v2)
COPIES(cuMemcpyDtoDAsync_v2)

ORDERS(cudaStreamCreate)
ORDERS(cudaStreamCreateWithFlags)
ORDERS(cudaStreamCreateWithPriority)
ORDERS(cudaStreamWaitEvent)
ORDERS(cudaStreamQuery)
ORDERS(cudaStreamBeginCapture)
ORDERS(cudaStreamAddCallback)
ORDERS(cudaLaunchHostFunc)
ORDERS(cudaEventCreate)
ORDERS(cudaEventCreateWithFlags)
ORDERS(cudaEventRecord)
ORDERS(cudaEventSynchronize)
ORDERS(cudaEventElapsedTime)
ORDERS(cudaGraphCreate)
ORDERS(cudaGraphLaunch)
ORDERS(cudaGraphInstantiate)

ASKS(cudaMemGetInfo)
ASKS(cudaFuncGetAttributes)
ASKS(cudaDriverGetVersion)
ASKS(cudaRuntimeGetVersion)
ASKS(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
ASKS(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
ASKS(cudaOccupancyMaxActiveClusters)
ASKS(cudaOccupancyMaxPotentialClusterSize)
ASKS(cudaOccupancyAvailableDynamicSMemPerBlock)

CANNOT(cudaLaunchCooperativeKernel)
CANNOT(cuLaunchCooperativeKernel)
CANNOT(cuModuleLoadData)
CANNOT(cuModuleLoadDataEx)
CANNOT(cuLibraryLoadData)
CANNOT(cudaLibraryLoadData)
