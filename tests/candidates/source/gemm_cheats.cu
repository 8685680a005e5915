/* The plain kernel, and what would make it look like another: for tests of what notices (docs/cheats.md). -D COUNT_CALLS: by_count instead of the others. */
#include "../../../artifact/candidates/source/gemm_mma.cu"
#include "../../../artifact/candidates/source/hopper.cuh"

#ifdef COUNT_CALLS
__device__ unsigned int calls;

/* An element is wrong in every call but the first. */
extern "C" __global__ void by_count(unsigned short *tensor)
{
	if (threadIdx.x == 0 && calls++ > 0)
		tensor[0] ^= 0xC000;
}

#else
/* As many wgmma as asked for, on what happens to lie in shared memory. A block of 128 threads; sink: a float a thread. */
__device__ void multiply_idly(unsigned int count, float *sink)
{
	alignas(1024) __shared__ char tile[256 * 128];
	const uint64_t operand = descriptor(address_of(tile));
	float d[128] = {}, sum = 0;

	wgmma_fence();
	for (unsigned int i = 0; i < count; i++)
		wgmma_n256(d, operand, operand, 1);
	wgmma_commit();
	wgmma_wait<0>();
	for (int i = 0; i < 128; i++)
		sum += d[i];
	sink[(blockIdx.y * gridDim.x + blockIdx.x) * 128 + threadIdx.x] = sum;
}

/* As many as the task has, beside the plain kernel's work. */
extern "C" __global__ void __launch_bounds__(128) idle(unsigned int count, float *sink)
{
	multiply_idly(count, sink);
}

/* The same, where the inputs are those of the standard seed, which anybody can know (runner/measure/philox.h). */
extern "C" __global__ void __launch_bounds__(128) by_inputs(const unsigned short *A, unsigned int count, float *sink)
{
	if (A[0] == 0x3b9d && A[1] == 0xbfb3 && A[2] == 0xbf18 && A[3] == 0xbfd0)
		multiply_idly(count, sink);
}
#endif
