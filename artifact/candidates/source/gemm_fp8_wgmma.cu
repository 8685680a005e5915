/*
 * C[M,N] = A[M,K] B[N,K]^T of E4M3 values with fp32 scales, one for 128 of K of a row of A and of 128 rows of B; bfloat16 out. Tensor copies feed a ring of four
 * stages of 128 of K, so that a stage has one scale; two consumer warpgroups multiply by wgmma m64n128k32, scale each 128 products and add them in fp32: wgmma
 * itself sums FP8 products with fewer bits. A block stays for all its tiles of 256 x 128. N and K are multiples of 128. Rows of A beyond M read as zero and are
 * not written. Maps: A and B as [rows][K], boxes of 128 columns by 256 and 128 rows, 128-byte swizzle.
 */
#include "hopper.cuh"
#include "mma.cuh"

enum {
	ROWS = 256, COLUMNS = 128, DEPTH = 128, STAGES = 4, BAND = 8, /* tiles of C in a row band that neighbouring blocks share */
	A_BYTES = ROWS * DEPTH, B_BYTES = COLUMNS * DEPTH, STAGE_BYTES = A_BYTES + B_BYTES,
	STRIP_ROW = 144, STRIP_BYTES = 16 * STRIP_ROW, /* a warp's 16 x 64 of C on the way out; 16 bytes of padding a row */
	CONSUMER_WARPS = 8,
};

extern __shared__ char shared[]; /* 1023 for alignment, STAGES * STAGE_BYTES, CONSUMER_WARPS * STRIP_BYTES, 2 * STAGES barriers */

struct place {
	uint32_t row, column;
};

/* Bands of tiles downwards, so that what the blocks read at a time stays in the L2 cache. */
__device__ __forceinline__ place place_of(uint32_t tile, uint32_t down, uint32_t across)
{
	const uint32_t band = tile / (BAND * across), height = min(down - band * BAND, (uint32_t)BAND), in_band = tile % (BAND * across);

	return {(band * BAND + in_band % height) * ROWS, in_band / height * COLUMNS};
}

__device__ __forceinline__ void wgmma8_n128(float (&d)[64], uint64_t a, uint64_t b, int add)
{
	asm volatile(
		"{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k32.f32.e4m3.e4m3 {"
		"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
		"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
		"%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
		"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63 "
		"}, %64, %65, p, 1, 1;\n}"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]),
		  "+f"(d[8]), "+f"(d[9]), "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]),
		  "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]),
		  "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]),
		  "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]), "+f"(d[37]), "+f"(d[38]), "+f"(d[39]),
		  "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]), "+f"(d[46]), "+f"(d[47]),
		  "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]), "+f"(d[55]),
		  "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
		: "l"(a), "l"(b), "r"(add));
}

/* 64 rows by 128 columns of one stage into part: four of 32 columns of K. */
__device__ __forceinline__ void multiply_stage(float (&part)[64], uint32_t a_tile, uint32_t b_tile)
{
	const uint64_t a = descriptor(a_tile), b = descriptor(b_tile);

	wgmma_fence();
#pragma unroll
	for (int k = 0; k < DEPTH / 32; k++)
		wgmma8_n128(part, a + k * 2, b + k * 2, k > 0);
	wgmma_commit();
}

__device__ __forceinline__ void add_scaled(float (&sum)[64], const float (&part)[64], float upper, float lower)
{
#pragma unroll
	for (int i = 0; i < 64; i += 4) {
		sum[i] = fmaf(part[i], upper, sum[i]);
		sum[i + 1] = fmaf(part[i + 1], upper, sum[i + 1]);
		sum[i + 2] = fmaf(part[i + 2], lower, sum[i + 2]);
		sum[i + 3] = fmaf(part[i + 3], lower, sum[i + 3]);
	}
}

/* A warp's 16 rows of 128 columns, through its strip, so that it writes whole lines of 128 bytes. */
__device__ __forceinline__ void write(const float (&sum)[64], char *strip, bf16 *C, uint32_t row, uint32_t column, uint32_t M, uint32_t N)
{
	const uint32_t lane = threadIdx.x & 31;

#pragma unroll
	for (int part = 0; part < 2; part++) {
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

extern "C" __global__ void __launch_bounds__(384, 1) gemm(const __grid_constant__ tensor_map map_a, const __grid_constant__ tensor_map map_b,
                                                          const float *A_scale, const float *B_scale, bf16 *C, uint32_t M, uint32_t N, uint32_t K)
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
		const uint32_t warp_row = (group - 1) * 128 + (warp & 3) * 16; /* and 64 further down */
		char *strip = shared + (strips - address_of(shared)) + warp * STRIP_BYTES;
		uint32_t stage = 0, parity = 0;
		float top[64], bottom[64], part[64];

		for (uint32_t tile = blockIdx.x; tile < down * across; tile += gridDim.x) {
			const place at = place_of(tile, down, across);
			const float *of_b = B_scale + at.column / 128 * steps;
			const float *of_a[4];

#pragma unroll
			for (int i = 0; i < 4; i++)
				of_a[i] = A_scale + min(at.row + warp_row + (i >> 1) * 64 + (i & 1) * 8 + (lane >> 2), M - 1);
#pragma unroll
			for (int i = 0; i < 64; i++)
				top[i] = bottom[i] = 0;
			for (uint32_t step = 0; step < steps; step++) {
				const uint32_t a_tile = start + stage * STAGE_BYTES + (group - 1) * 128 * 128, b_tile = start + stage * STAGE_BYTES + A_BYTES;
				const float scale_b = of_b[step];
				float scale[4];

#pragma unroll
				for (int i = 0; i < 4; i++)
					scale[i] = of_a[i][(uint64_t)step * M];
				barrier_wait(full + stage * 8, parity);
				multiply_stage(part, a_tile, b_tile);
				wgmma_wait<0>();
				hold(part);
				add_scaled(top, part, scale[0] * scale_b, scale[1] * scale_b);
				multiply_stage(part, a_tile + 64 * 128, b_tile);
				wgmma_wait<0>();
				hold(part);
				if (lane == 0)
					barrier_arrive(empty + stage * 8);
				add_scaled(bottom, part, scale[2] * scale_b, scale[3] * scale_b);
				if (++stage == STAGES) {
					stage = 0;
					parity ^= 1;
				}
			}
			write(top, strip, C, at.row + warp_row, at.column, M, N);
			write(bottom, strip, C, at.row + warp_row + 64, at.column, M, N);
		}
	}
}
