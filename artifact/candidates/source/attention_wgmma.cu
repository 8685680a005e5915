/*
 * O = softmax(Q K^T / sqrt(128)) V and the natural logarithm of the row sums, heads of 128: tensor copies feed two stages of 128 keys and values; two consumer
 * warpgroups have 64 queries each and multiply by wgmma, P staying in registers. While the softmax of one tile is worked out, the products of the tile before are
 * under way. S is a multiple of 128. -D CAUSAL: keys up to the query's own place.
 * Maps: Q, K and V as [heads and places][128], boxes of 64 columns by 128 rows, 128-byte swizzle: a tile is two halves of 64 columns.
 */
#include "hopper.cuh"
#include "mma.cuh"

enum { SIDE = 128, WIDTH = 128, HALF = SIDE * 64 * 2, TILE = 2 * HALF, STAGES = 2, CONSUMER_WARPS = 8 };

extern __shared__ char shared[]; /* 1023 for alignment, Q, K of each stage, V of each stage, 1 + 4 * STAGES barriers */

__device__ __forceinline__ void load(uint32_t to, const tensor_map *map, uint32_t row, uint32_t barrier)
{
	barrier_expect(barrier, TILE);
	tma_load(to, map, 0, row, barrier);
	tma_load(to + HALF, map, 64, row, barrier);
}

/* s[64 x 128] = queries keys^T; under way when this returns. */
__device__ __forceinline__ void scores(float (&s)[64], uint64_t queries, uint64_t keys)
{
	wgmma_fence();
#pragma unroll
	for (int k = 0; k < WIDTH / 16; k++) {
		const uint32_t at = (k / 4 * HALF + k % 4 * 32) >> 4;

		wgmma_n128(s, queries + at, keys + at, k > 0);
	}
	wgmma_commit();
}

/* out[64 x 128] += p values; under way when this returns. */
__device__ __forceinline__ void gather(float (&out)[64], const uint32_t (&p)[8][4], uint64_t values)
{
	wgmma_fence();
#pragma unroll
	for (int k = 0; k < SIDE / 16; k++)
		wgmma_n128<1>(out, p[k], values + (k * 16 * 128 >> 4), 1);
	wgmma_commit();
}

struct softmax {
	float top[2], total[2];
};

/* Scores become weights, packed as the left operand; what O has to be scaled by goes to shrink. */
__device__ __forceinline__ void weigh(float (&s)[64], softmax &state, float (&shrink)[2], float unit)
{
#pragma unroll
	for (int half = 0; half < 2; half++) {
		float high = state.top[half], sum = 0;

#pragma unroll
		for (int j = 0; j < 16; j++)
			high = fmaxf(high, fmaxf(s[j * 4 + half * 2], s[j * 4 + half * 2 + 1]));
		high = fmaxf(high, __shfl_xor_sync(~0u, high, 1));
		high = fmaxf(high, __shfl_xor_sync(~0u, high, 2));
		shrink[half] = power2((state.top[half] - high) * unit);
		const float offset = high * unit;

#pragma unroll
		for (int j = 0; j < 16; j++) {
#pragma unroll
			for (int i = j * 4 + half * 2; i < j * 4 + half * 2 + 2; i++) {
				s[i] = power2(s[i] * unit - offset);
				sum += s[i];
			}
		}
		state.total[half] = state.total[half] * shrink[half] + sum;
		state.top[half] = high;
	}
}

__device__ __forceinline__ void pack_weights(uint32_t (&p)[8][4], const float (&s)[64])
{
#pragma unroll
	for (int k = 0; k < 8; k++)
#pragma unroll
		for (int i = 0; i < 4; i++)
			p[k][i] = pack(s[k * 8 + i * 2], s[k * 8 + i * 2 + 1]);
}

extern "C" __global__ void __launch_bounds__(384, 1) attention(const __grid_constant__ tensor_map map_q, const __grid_constant__ tensor_map map_k,
                                                               const __grid_constant__ tensor_map map_v, bf16 *O, float *LSE, uint32_t S, float scale)
{
	const uint32_t queries = (address_of(shared) + 1023) & ~1023u, keys = queries + TILE, values = keys + STAGES * TILE;
	const uint32_t queries_full = values + STAGES * TILE, keys_full = queries_full + 8, keys_empty = keys_full + STAGES * 8;
	const uint32_t values_full = keys_empty + STAGES * 8, values_empty = values_full + STAGES * 8;
	const uint32_t head = blockIdx.y * S, group = threadIdx.x >> 7;
#ifdef CAUSAL
	const uint32_t first = (gridDim.x - 1 - blockIdx.x) * SIDE, tiles = first / SIDE + 1; /* the longest first */
#else
	const uint32_t first = blockIdx.x * SIDE, tiles = S / SIDE;
#endif

	if (threadIdx.x == 0) {
		barrier_init(queries_full, 1);
		for (int stage = 0; stage < STAGES; stage++) {
			barrier_init(keys_full + stage * 8, 1);
			barrier_init(values_full + stage * 8, 1);
			barrier_init(keys_empty + stage * 8, CONSUMER_WARPS);
			barrier_init(values_empty + stage * 8, CONSUMER_WARPS);
		}
		barrier_init_done();
	}
	__syncthreads();
	if (group == 0) {
		registers_fewer<24>();
		if (threadIdx.x == 0) {
			load(queries, &map_q, head + first, queries_full);
			/* From the last tile, where the mask is, to the first. */
			for (uint32_t i = 0; i < tiles; i++) {
				const uint32_t stage = i % STAGES, parity = i / STAGES & 1, row = head + (tiles - 1 - i) * SIDE;

				barrier_wait(keys_empty + stage * 8, parity ^ 1);
				load(keys + stage * TILE, &map_k, row, keys_full + stage * 8);
				barrier_wait(values_empty + stage * 8, parity ^ 1);
				load(values + stage * TILE, &map_v, row, values_full + stage * 8);
			}
		}
	} else {
		registers_more<240>();
		const float log2e = 1.4426950408889634f, unit = scale * log2e; /* exp2 takes the place of exp */
		const uint32_t warp = (threadIdx.x >> 5) - 4, lane = threadIdx.x & 31;
		const uint32_t row = first + warp * 16 + (lane >> 2); /* and row + 8 */
		const uint64_t own = descriptor(queries + (group - 1) * 64 * 128);
		softmax state = {{-INFINITY, -INFINITY}, {0, 0}};
		float s[64], out[64], shrink[2];
		uint32_t p[8][4];

#pragma unroll
		for (int i = 0; i < 64; i++)
			out[i] = 0;
		barrier_wait(queries_full, 0);
		barrier_wait(keys_full, 0);
		scores(s, own, descriptor(keys));
		wgmma_wait<0>();
		hold(s);
		if (lane == 0)
			barrier_arrive(keys_empty);
#ifdef CAUSAL
#pragma unroll
		for (int j = 0; j < 16; j++)
#pragma unroll
			for (int i = 0; i < 4; i++)
				if ((tiles - 1) * SIDE + j * 8 + (lane & 3) * 2 + (i & 1) > row + (i >> 1) * 8)
					s[j * 4 + i] = -INFINITY;
#endif
		weigh(s, state, shrink, unit);
		pack_weights(p, s);
		for (uint32_t i = 1; i < tiles; i++) {
			const uint32_t stage = i % STAGES, parity = i / STAGES & 1, last = (i - 1) % STAGES, last_parity = (i - 1) / STAGES & 1;

			barrier_wait(keys_full + stage * 8, parity);
			scores(s, own, descriptor(keys + stage * TILE));
			barrier_wait(values_full + last * 8, last_parity);
			gather(out, p, descriptor(values + last * TILE, HALF));
			wgmma_wait<1>();
			hold(s);
			if (lane == 0)
				barrier_arrive(keys_empty + stage * 8);
			weigh(s, state, shrink, unit);
			wgmma_wait<0>();
			hold(out);
			if (lane == 0)
				barrier_arrive(values_empty + last * 8);
#pragma unroll
			for (int j = 0; j < 64; j++)
				out[j] *= shrink[j >> 1 & 1];
			pack_weights(p, s);
		}
		barrier_wait(values_full + (tiles - 1) % STAGES * 8, (tiles - 1) / STAGES & 1);
		gather(out, p, descriptor(values + (tiles - 1) % STAGES * TILE, HALF));
#pragma unroll
		for (int half = 0; half < 2; half++) {
			state.total[half] += __shfl_xor_sync(~0u, state.total[half], 1);
			state.total[half] += __shfl_xor_sync(~0u, state.total[half], 2);
		}
		wgmma_wait<0>();
		hold(out);
#pragma unroll
		for (int half = 0; half < 2; half++) {
			const uint64_t at = (uint64_t)head + row + half * 8;
			const float part = 1 / state.total[half];

#pragma unroll
			for (int j = 0; j < 16; j++)
				*(uint32_t *)(O + at * WIDTH + j * 8 + (lane & 3) * 2) = pack(out[j * 4 + half * 2] * part, out[j * 4 + half * 2 + 1] * part);
			if ((lane & 3) == 0)
				LSE[at] = state.top[half] * scale + logf(state.total[half]);
		}
	}
}
