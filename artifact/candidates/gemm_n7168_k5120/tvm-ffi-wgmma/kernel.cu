/*
 * C[M,N] = A[M,K] B[N,K]^T in bfloat16 with fp32 sums, after PTXBench's contract: run(A, B, C) makes the tensor maps and launches the kernel of
 * artifact/candidates/source/gemm_wgmma.cu on as many blocks as the device has SMs. Tensor copies feed a ring of four stages, two consumer warpgroups multiply by wgmma m64n256k16. A block
 * stays for all its tiles of 128 x 256; the producer runs ahead into the next tile while the consumers write. N is a multiple of 256, K of 64. Rows of A beyond M read as zero
 * and are not written. Maps: A and B as [rows][K], boxes of 64 columns by 128 and 256 rows, 128-byte swizzle.
 */
#include <cstdint>
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_runtime.h>
#include <tvm/ffi/extra/c_env_api.h>
#include <tvm/ffi/tvm_ffi.h>

namespace ptxseal {

typedef __nv_bfloat16 bf16;

/* The 128 bytes that cuTensorMapEncodeTiled makes. */
struct alignas(64) tensor_map {
	char bytes[128];
};

__device__ __forceinline__ uint32_t address_of(const void *pointer)
{
	return (uint32_t)__cvta_generic_to_shared(pointer);
}

__device__ __forceinline__ void barrier_init(uint32_t barrier, uint32_t count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}

/* Make inits visible to the copy engine; then the block synchronises. */
__device__ __forceinline__ void barrier_init_done()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void barrier_arrive(uint32_t barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

__device__ __forceinline__ void barrier_expect(uint32_t barrier, uint32_t bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}

__device__ __forceinline__ void barrier_wait(uint32_t barrier, uint32_t parity)
{
	uint32_t done = 0;

	while (!done)
		asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\nselp.b32 %0, 1, 0, p;\n}"
		             : "=r"(done) : "r"(barrier), "r"(parity) : "memory");
}

/* A box of a two-dimensional map, its first element at column x, row y, to shared memory. */
__device__ __forceinline__ void tma_load(uint32_t to, const tensor_map *map, int x, int y, uint32_t barrier)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
	             ::"r"(to), "l"(map), "r"(x), "r"(y), "r"(barrier) : "memory");
}

template <int REGISTERS> __device__ __forceinline__ void registers_more()
{
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

template <int REGISTERS> __device__ __forceinline__ void registers_fewer()
{
	asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(REGISTERS));
}

__device__ __forceinline__ void wgmma_fence()
{
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ __forceinline__ void wgmma_commit()
{
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

template <int LEFT> __device__ __forceinline__ void wgmma_wait()
{
	asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
}

/* Keeps what the compiler does with d on this side of a wait: it does not see that wgmma writes d until then. */
template <int N> __device__ __forceinline__ void hold(float (&d)[N])
{
#pragma unroll
	for (int i = 0; i < N; i++)
		asm volatile("" : "+f"(d[i])::"memory");
}

/* Matrix descriptor, swizzle of 128 bytes: address, leading and stride offsets in units of 16 bytes. Tiles have rows of 64 elements (128 bytes).
 * Where k runs along the rows' columns: stride = from 8 rows to the next 8 (1024), leading unused. Where k runs over the rows (the transposed right
 * operand): stride = from 8 rows to the next 8, leading = from 64 columns to the next 64. */
__device__ __forceinline__ uint64_t descriptor(uint32_t address, uint32_t leading = 16, uint32_t stride = 1024)
{
	return (uint64_t)((address & 0x3FFFF) >> 4) | (uint64_t)(leading >> 4) << 16 | (uint64_t)(stride >> 4) << 32 | (uint64_t)1 << 62;
}

__device__ __forceinline__ void wgmma_n256(float (&d)[128], uint64_t a, uint64_t b, int add)
{
	asm volatile(
		"{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\nwgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
		"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		"%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
		"%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
		"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
		"%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "
		"%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127 "
		"}, %128, %129, p, 1, 1, 0, 0;\n}"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
		  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
		  "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
		  "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
		  "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
		  "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
		  "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
		  "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63]),
		  "+f"(d[64]), "+f"(d[65]), "+f"(d[66]), "+f"(d[67]), "+f"(d[68]), "+f"(d[69]), "+f"(d[70]), "+f"(d[71]),
		  "+f"(d[72]), "+f"(d[73]), "+f"(d[74]), "+f"(d[75]), "+f"(d[76]), "+f"(d[77]), "+f"(d[78]), "+f"(d[79]),
		  "+f"(d[80]), "+f"(d[81]), "+f"(d[82]), "+f"(d[83]), "+f"(d[84]), "+f"(d[85]), "+f"(d[86]), "+f"(d[87]),
		  "+f"(d[88]), "+f"(d[89]), "+f"(d[90]), "+f"(d[91]), "+f"(d[92]), "+f"(d[93]), "+f"(d[94]), "+f"(d[95]),
		  "+f"(d[96]), "+f"(d[97]), "+f"(d[98]), "+f"(d[99]), "+f"(d[100]), "+f"(d[101]), "+f"(d[102]), "+f"(d[103]),
		  "+f"(d[104]), "+f"(d[105]), "+f"(d[106]), "+f"(d[107]), "+f"(d[108]), "+f"(d[109]), "+f"(d[110]), "+f"(d[111]),
		  "+f"(d[112]), "+f"(d[113]), "+f"(d[114]), "+f"(d[115]), "+f"(d[116]), "+f"(d[117]), "+f"(d[118]), "+f"(d[119]),
		  "+f"(d[120]), "+f"(d[121]), "+f"(d[122]), "+f"(d[123]), "+f"(d[124]), "+f"(d[125]), "+f"(d[126]), "+f"(d[127])
		: "l"(a), "l"(b), "r"(add));
}

__device__ __forceinline__ uint32_t pack(float low, float high)
{
	const __nv_bfloat162 both = __floats2bfloat162_rn(low, high);

	return *(const uint32_t *)&both;
}
enum {
	ROWS = 128, COLUMNS = 256, DEPTH = 64, STAGES = 4, GROUP = 16, /* tiles of C in a row band that neighbouring blocks share */
	A_BYTES = ROWS * DEPTH * 2, B_BYTES = COLUMNS * DEPTH * 2, STAGE_BYTES = A_BYTES + B_BYTES,
	STRIP_ROW = 144, STRIP_BYTES = 16 * STRIP_ROW, /* a warp's 16 x 64 of C on the way out; 16 bytes of padding a row */
	CONSUMER_WARPS = 8,
};

extern __shared__ char shared[]; /* 1023 for alignment, STAGES * STAGE_BYTES, CONSUMER_WARPS * STRIP_BYTES, 2 * STAGES barriers */

struct place {
	uint32_t row, column;
};

/* Bands of GROUP tiles downwards, so that what the blocks read at a time stays in the L2 cache. */
__device__ __forceinline__ place place_of(uint32_t tile, uint32_t down, uint32_t across)
{
	const uint32_t band = tile / (GROUP * across), height = min(down - band * GROUP, (uint32_t)GROUP), in_band = tile % (GROUP * across);

	return {(band * GROUP + in_band % height) * ROWS, in_band / height * COLUMNS};
}

/* A warp's 16 rows of 256 columns, through its strip, so that it writes whole lines of 128 bytes. */
__device__ __forceinline__ void write(const float (&sum)[128], char *strip, bf16 *C, uint32_t row, uint32_t column, uint32_t M, uint32_t N)
{
	const uint32_t lane = threadIdx.x & 31;

#pragma unroll
	for (int part = 0; part < 4; part++) {
#pragma unroll
		for (int j = 0; j < 8; j++) {
			char *to = strip + (lane >> 2) * STRIP_ROW + j * 16 + (lane & 3) * 4;

			*(uint32_t *)to = pack(sum[(part * 8 + j) * 4], sum[(part * 8 + j) * 4 + 1]);
			*(uint32_t *)(to + 8 * STRIP_ROW) = pack(sum[(part * 8 + j) * 4 + 2], sum[(part * 8 + j) * 4 + 3]);
		}
		__syncwarp();
#pragma unroll
		for (int i = 0; i < 4; i++) {
			const uint32_t r = i * 4 + (lane >> 3);

			if (row + r < M)
				*(uint4 *)(C + (uint64_t)(row + r) * N + column + part * 64 + (lane & 7) * 8) =
					*(const uint4 *)(strip + r * STRIP_ROW + (lane & 7) * 16);
		}
		__syncwarp();
	}
}

__global__ void __launch_bounds__(384, 1) gemm(const __grid_constant__ tensor_map map_a, const __grid_constant__ tensor_map map_b, bf16 *C,
                                                          uint32_t M, uint32_t N, uint32_t K)
{
	const uint32_t start = (address_of(shared) + 1023) & ~1023u, strips = start + STAGES * STAGE_BYTES;
	const uint32_t full = strips + CONSUMER_WARPS * STRIP_BYTES, empty = full + STAGES * 8;
	const uint32_t down = (M + ROWS - 1) / ROWS, across = N / COLUMNS, steps = K / DEPTH, group = threadIdx.x >> 7;

	if (threadIdx.x == 0) {
		for (int stage = 0; stage < STAGES; stage++) {
			barrier_init(full + stage * 8, 1);
			barrier_init(empty + stage * 8, CONSUMER_WARPS);
		}
		barrier_init_done();
	}
	__syncthreads();
	if (group == 0) {
		registers_fewer<40>();
		if (threadIdx.x == 0) {
			uint32_t stage = 0, parity = 0;

			for (uint32_t tile = blockIdx.x; tile < down * across; tile += gridDim.x) {
				const place at = place_of(tile, down, across);

				for (uint32_t step = 0; step < steps; step++) {
					const uint32_t to = start + stage * STAGE_BYTES;

					barrier_wait(empty + stage * 8, parity ^ 1);
					barrier_expect(full + stage * 8, STAGE_BYTES);
					tma_load(to, &map_a, step * DEPTH, at.row, full + stage * 8);
					tma_load(to + A_BYTES, &map_b, step * DEPTH, at.column, full + stage * 8);
					if (++stage == STAGES) {
						stage = 0;
						parity ^= 1;
					}
				}
			}
		}
	} else {
		registers_more<232>();
		const uint32_t warp = (threadIdx.x >> 5) - 4, lane = threadIdx.x & 31;
		char *strip = shared + (strips - address_of(shared)) + warp * STRIP_BYTES;
		uint32_t stage = 0, parity = 0;
		float sum[128];

		for (uint32_t tile = blockIdx.x; tile < down * across; tile += gridDim.x) {
			const place at = place_of(tile, down, across);
			uint32_t before = 0;

#pragma unroll
			for (int i = 0; i < 128; i++)
				sum[i] = 0;
			for (uint32_t step = 0; step < steps; step++) {
				const uint32_t from = start + stage * STAGE_BYTES;
				const uint64_t a = descriptor(from + (group - 1) * 64 * 128), b = descriptor(from + A_BYTES);

				barrier_wait(full + stage * 8, parity);
				wgmma_fence();
#pragma unroll
				for (int k = 0; k < DEPTH / 16; k++)
					wgmma_n256(sum, a + k * 2, b + k * 2, 1);
				wgmma_commit();
				wgmma_wait<1>();
				if (step > 0 && lane == 0)
					barrier_arrive(empty + before * 8);
				before = stage;
				if (++stage == STAGES) {
					stage = 0;
					parity ^= 1;
				}
			}
			wgmma_wait<0>();
			hold(sum);
			if (lane == 0)
				barrier_arrive(empty + before * 8);
			write(sum, strip, C, at.row + warp * 16, at.column, M, N);
		}
	}
}

/* A row-major matrix of bfloat16 as the tensor copies take it: boxes of DEPTH columns and that many rows. */
static tensor_map encode(const tvm::ffi::TensorView &matrix, cuuint32_t rows)
{
	static decltype(&cuTensorMapEncodeTiled) function = nullptr;
	const cuuint64_t dims[2] = {static_cast<cuuint64_t>(matrix.size(1)), static_cast<cuuint64_t>(matrix.size(0))}, strides[1] = {dims[0] * sizeof(bf16)};
	const cuuint32_t box[2] = {DEPTH, rows}, steps[2] = {1, 1};
	CUtensorMap made;
	tensor_map map;

	if (function == nullptr) {
		cudaDriverEntryPointQueryResult found;
		void *entry = nullptr;

		TVM_FFI_ICHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found) == cudaSuccess &&
		               found == cudaDriverEntryPointSuccess);
		function = reinterpret_cast<decltype(function)>(entry);
	}
	TVM_FFI_ICHECK(function(&made, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, matrix.data_ptr(), dims, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
	                        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS);
	memcpy(&map, &made, sizeof map);
	return map;
}

static void run(tvm::ffi::TensorView A, tvm::ffi::TensorView B, tvm::ffi::TensorView C)
{
	const auto M = static_cast<uint32_t>(A.size(0)), K = static_cast<uint32_t>(A.size(1)), N = static_cast<uint32_t>(B.size(0));
	const int bytes = 1024 + STAGES * STAGE_BYTES + CONSUMER_WARPS * STRIP_BYTES + 2 * STAGES * 8;
	const int device = A.device().device_id;
	int blocks = 0;

	TVM_FFI_ICHECK(A.ndim() == 2 && B.ndim() == 2 && C.ndim() == 2) << "matrices are wanted";
	TVM_FFI_ICHECK(B.size(1) == K && C.size(0) == M && C.size(1) == N && N % COLUMNS == 0 && K % DEPTH == 0) << "these sizes do not fit";
	cudaSetDevice(device);
	cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device);
	const auto stream = static_cast<cudaStream_t>(TVMFFIEnvGetStream(A.device().device_type, device));

	cudaFuncSetAttribute(gemm, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
	gemm<<<blocks, 384, bytes, stream>>>(encode(A, ROWS), encode(B, COLUMNS), static_cast<bf16 *>(C.data_ptr()), M, N, K);
	const cudaError_t error = cudaGetLastError();
	TVM_FFI_ICHECK(error == cudaSuccess) << cudaGetErrorString(error);
}

} // namespace ptxseal

TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, ptxseal::run);
