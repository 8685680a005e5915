/*
 * C[M,N] = A[M,K] B[N,K]^T in bfloat16 with fp32 sums, after PTXBench's contract: run(A, B, C) launches the kernel of artifact/candidates/source/gemm_mma.cu. By mma.sync: a
 * block of 8 warps makes 128 x 128 of C, a warp 64 x 32, through three stages of asynchronous copies. N is a multiple of 128, K of 32; rows of A beyond M are read as row M - 1
 * and not written.
 */
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

namespace ptxseal {

typedef __nv_bfloat16 bf16;

__device__ __forceinline__ uint32_t shared_address(const void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared(pointer);
}

__device__ __forceinline__ void copy16(uint32_t to, const void *from)
{
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ __forceinline__ void copy_commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int LEFT> __device__ __forceinline__ void copy_wait()
{
	asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
}

__device__ __forceinline__ void load4(uint32_t (&r)[4], uint32_t from)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(from) : "memory");
}

/* d[16 x 8] += a[16 x 16] b[16 x 8]. A thread of lane l has of d: row l/4, columns 2(l%4), +1 in d[0], d[1]; row l/4+8 in d[2], d[3]. */
__device__ __forceinline__ void multiply(float *d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ uint32_t pack(float low, float high)
{
	const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);

	return *(const uint32_t *)&both;
}
enum { SIDE = 128, DEPTH = 32, STAGES = 3, ROW = 80, TILE = SIDE * ROW }; /* bytes a row: 64 of data; 80 keep ldmatrix free of bank conflicts */

extern __shared__ char shared[];

/* 128 rows of 32 columns, 16 bytes a copy, two copies a thread. */
__device__ __forceinline__ void load(uint32_t tile, const bf16 *matrix, uint32_t row, uint32_t rows, uint32_t k, uint32_t K)
{
#pragma unroll
	for (int i = 0; i < 2; i++) {
		const uint32_t at = i * 256 + threadIdx.x, r = at >> 2, chunk = at & 3;
		const uint32_t from = min(row + r, rows - 1);

		copy16(tile + r * ROW + chunk * 16, matrix + (uint64_t)from * K + k + chunk * 8);
	}
}

__global__ void __launch_bounds__(256, 2) gemm(const bf16 *A, const bf16 *B, bf16 *C, uint32_t M, uint32_t N, uint32_t K)
{
	const uint32_t base = shared_address(shared), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const uint32_t row = blockIdx.y * SIDE, column = blockIdx.x * SIDE, warp_row = (warp & 1) * 64, warp_column = (warp >> 1) * 32;
	const uint32_t steps = K / DEPTH;
	float sum[4][4][4] = {};

	for (int stage = 0; stage < STAGES - 1; stage++) {
		if (stage < steps) {
			load(base + stage * 2 * TILE, A, row, M, stage * DEPTH, K);
			load(base + stage * 2 * TILE + TILE, B, column, N, stage * DEPTH, K);
		}
		copy_commit();
	}
	for (uint32_t step = 0, stage = 0, next = STAGES - 1; step < steps; step++) {
		copy_wait<STAGES - 2>();
		__syncthreads();
		if (step + STAGES - 1 < steps) {
			load(base + next * 2 * TILE, A, row, M, (step + STAGES - 1) * DEPTH, K);
			load(base + next * 2 * TILE + TILE, B, column, N, (step + STAGES - 1) * DEPTH, K);
		}
		copy_commit();
		const uint32_t a_tile = base + stage * 2 * TILE, b_tile = a_tile + TILE;

#pragma unroll
		for (int k = 0; k < DEPTH / 16; k++) {
			uint32_t a[4][4], b[2][4];

#pragma unroll
			for (int i = 0; i < 4; i++)
				load4(a[i], a_tile + (warp_row + i * 16 + (lane & 15)) * ROW + (k * 2 + (lane >> 4)) * 16);
#pragma unroll
			for (int j = 0; j < 2; j++)
				load4(b[j], b_tile + (warp_column + j * 16 + (lane & 7) + ((lane >> 4) << 3)) * ROW + (k * 2 + ((lane >> 3) & 1)) * 16);
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++)
					multiply(sum[i][j], a[i], b[j >> 1][(j & 1) * 2], b[j >> 1][(j & 1) * 2 + 1]);
		}
		stage = stage + 1 == STAGES ? 0 : stage + 1;
		next = next + 1 == STAGES ? 0 : next + 1;
	}
#pragma unroll
	for (int i = 0; i < 4; i++) {
#pragma unroll
		for (int half = 0; half < 2; half++) {
			const uint32_t r = row + warp_row + i * 16 + half * 8 + (lane >> 2);

			if (r >= M)
				continue;
#pragma unroll
			for (int j = 0; j < 4; j++)
				*(uint32_t *)(C + (uint64_t)r * N + column + warp_column + j * 8 + (lane & 3) * 2) =
					pack(sum[i][j][half * 2], sum[i][j][half * 2 + 1]);
		}
	}
}

static void run(tvm::ffi::TensorView A, tvm::ffi::TensorView B, tvm::ffi::TensorView C)
{
	const auto M = static_cast<uint32_t>(A.size(0)), K = static_cast<uint32_t>(A.size(1)), N = static_cast<uint32_t>(B.size(0));
	const int bytes = STAGES * 2 * TILE;

	TVM_FFI_ICHECK(A.ndim() == 2 && B.ndim() == 2 && C.ndim() == 2) << "matrices are wanted";
	TVM_FFI_ICHECK(B.size(1) == K && C.size(0) == M && C.size(1) == N && N % SIDE == 0 && K % DEPTH == 0) << "these sizes do not fit";
	cudaSetDevice(A.device().device_id);
	const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(A.device().device_type, A.device().device_id));

	cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
	gemm<<<dim3(N / SIDE, (M + SIDE - 1) / SIDE), 256, bytes, stream>>>(static_cast<const bf16 *>(A.data_ptr()), static_cast<const bf16 *>(B.data_ptr()),
	                                                                   static_cast<bf16 *>(C.data_ptr()), M, N, K);
	const cudaError_t error = cudaGetLastError();
	TVM_FFI_ICHECK(error == cudaSuccess) << cudaGetErrorString(error);
}

} // namespace ptxseal

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, ptxseal::run);
