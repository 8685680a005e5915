/* C[M,N] = A[M,K] B[N,K]^T in bfloat16, a thread an element. The stand-in for the driver knows a kernel of this name and these parameters. */
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

extern "C" __global__ void gemm_right(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, unsigned m, unsigned n, unsigned k)
{
	const unsigned row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;

	if (row >= m || column >= n)
		return;
	for (unsigned i = 0; i < k; i++)
		sum += __bfloat162float(a[(size_t)row * k + i]) * __bfloat162float(b[(size_t)column * k + i]);
	c[(size_t)row * n + column] = __float2bfloat16(sum);
}

static void run(tvm::ffi::TensorView a, tvm::ffi::TensorView b, tvm::ffi::TensorView c)
{
	const auto m = static_cast<unsigned>(a.size(0)), k = static_cast<unsigned>(a.size(1)), n = static_cast<unsigned>(b.size(0));

	TVM_FFI_ICHECK_EQ(a.ndim(), 2);
	TVM_FFI_ICHECK_EQ(b.size(1), k) << "A and B differ in K";
	cudaSetDevice(a.device().device_id);
	const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(a.device().device_type, a.device().device_id));
	const dim3 block(32, 8), grid((n + 31) / 32, (m + 7) / 8);

	gemm_right<<<grid, block, 0, stream>>>(static_cast<const __nv_bfloat16 *>(a.data_ptr()), static_cast<const __nv_bfloat16 *>(b.data_ptr()),
	                                       static_cast<__nv_bfloat16 *>(c.data_ptr()), m, n, k);
	const cudaError_t error = cudaGetLastError();
	TVM_FFI_ICHECK(error == cudaSuccess) << cudaGetErrorString(error);
	cudaStreamSynchronize(stream);
}

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, run);
