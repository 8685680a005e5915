/* The plain kernel, and one that changes an element where it has no business: for tests of what notices. */
#include "../../../artifact/candidates/source/gemm_mma.cu"

extern "C" __global__ void misbehave(unsigned short *tensor, unsigned long long element)
{
	if (threadIdx.x == 0)
		tensor[element] ^= 0x0101;
}
