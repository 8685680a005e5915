/*
 * C[M,N] = A[M,K] B[N,K]^T in bfloat16 with fp32 sums: tensor copies feed a ring of four stages, two consumer warpgroups multiply by wgmma m64n256k16.
 * A block stays for all its tiles of 128 x 256; the producer runs ahead into the next tile while the consumers write. N is a multiple of 256, K of 64.
 * Rows of A beyond M read as zero and are not written. Maps: A and B as [rows][K], boxes of 64 columns by 128 and 256 rows, 128-byte swizzle.
 */
#include "hopper.cuh"
#include "mma.cuh"

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

extern "C" __global__ void __launch_bounds__(384, 1) gemm(const __grid_constant__ tensor_map map_a, const __grid_constant__ tensor_map map_b, bf16 *C,
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
