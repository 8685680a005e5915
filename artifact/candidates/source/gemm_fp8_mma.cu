/*
 * C[M,N] = A[M,K] B[N,K]^T of E4M3 values with fp32 scales, one for 128 of K of a row of A and of 128 rows of B; bfloat16 out. By mma.sync: a block of 8 warps
 * makes 128 x 128 of C, a warp 64 x 32, through three stages of asynchronous copies. Sums of 128 products are scaled and added in fp32. N and K are multiples
 * of 128; rows of A beyond M are read as row M - 1 and not written.
 * -D WRONG: the scales of the first 128 of K stand for all of it.  -D DECOY: the first block also runs one tensor copy and one wgmma, for nothing.
 */
#include "mma.cuh"
#ifdef DECOY
#include "hopper.cuh"
#endif

enum { SIDE = 128, DEPTH = 64, STAGES = 3, ROW = 80, TILE = SIDE * ROW, GROUP = 128 }; /* bytes a row: 64 of data; 80 keep ldmatrix free of bank conflicts */

extern __shared__ char shared[];

/* 128 rows of 64 columns, 16 bytes a copy, two copies a thread. */
__device__ __forceinline__ void load(uint32_t tile, const uint8_t *matrix, uint32_t row, uint32_t rows, uint32_t k, uint32_t K)
{
#pragma unroll
	for (int i = 0; i < 2; i++) {
		const uint32_t at = i * 256 + threadIdx.x, r = at >> 2, chunk = at & 3;
		const uint32_t from = min(row + r, rows - 1);

		copy16(tile + r * ROW + chunk * 16, matrix + (uint64_t)from * K + k + chunk * 16);
	}
}

/* d[16 x 8] += a[16 x 32] b[32 x 8]: fragments are those of bfloat16 with two E4M3 in the place of one. */
__device__ __forceinline__ void multiply8(float *d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1)
{
	asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

#ifdef DECOY
extern "C" __global__ void __launch_bounds__(256, 1) gemm(const uint8_t *A, const uint8_t *B, const float *A_scale, const float *B_scale, bf16 *C, uint32_t M,
                                                          uint32_t N, uint32_t K, const __grid_constant__ tensor_map map, float *sink)
#else
extern "C" __global__ void __launch_bounds__(256, 1) gemm(const uint8_t *A, const uint8_t *B, const float *A_scale, const float *B_scale, bf16 *C, uint32_t M,
                                                          uint32_t N, uint32_t K)
#endif
{
	const uint32_t base = shared_address(shared), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const uint32_t row = blockIdx.y * SIDE, column = blockIdx.x * SIDE, warp_row = (warp & 1) * 64, warp_column = (warp >> 1) * 32;
	const uint32_t steps = K / DEPTH, groups = K / GROUP;
	float sum[4][4][4] = {}, part[4][4][4] = {};

#ifdef DECOY
	if (blockIdx.x == 0 && blockIdx.y == 0)
		decoy(&map, sink);
#endif
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
		for (int k = 0; k < DEPTH / 32; k++) {
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
					multiply8(part[i][j], a[i], b[j >> 1][(j & 1) * 2], b[j >> 1][(j & 1) * 2 + 1]);
		}
		if (step % (GROUP / DEPTH) == GROUP / DEPTH - 1) {
#ifdef WRONG
			const uint32_t group = 0;
#else
			const uint32_t group = step / (GROUP / DEPTH);
#endif
			const float of_b = B_scale[column / GROUP * groups + group];

#pragma unroll
			for (int i = 0; i < 4; i++) {
#pragma unroll
				for (int half = 0; half < 2; half++) {
					const uint32_t r = min(row + warp_row + i * 16 + half * 8 + (lane >> 2), M - 1);
					const float scale = A_scale[(uint64_t)group * M + r] * of_b;

#pragma unroll
					for (int j = 0; j < 4; j++) {
#pragma unroll
						for (int e = half * 2; e < half * 2 + 2; e++) {
							sum[i][j][e] = fmaf(part[i][j][e], scale, sum[i][j][e]);
							part[i][j][e] = 0;
						}
					}
				}
			}
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
