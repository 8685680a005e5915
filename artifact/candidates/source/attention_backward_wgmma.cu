/*
 * Gradients of attention with heads of 128 by wgmma and tensor copies, the same bytes every time, in the three kernels of attention_backward_mma.cu: rowsum,
 * keys (dK and dV; 128 keys a block, 64 a consumer warpgroup, over tiles of 64 queries) and queries (dQ; 128 queries a block, over tiles of 64 keys). P and dS
 * stay in registers as left operands; what they multiply is read through the transposed descriptor, so no tile is stored twice. S is a multiple of 128.
 * -D CAUSAL: keys up to the query's own place; the first queries are passed over twice, the second time with what bfloat16 leaves of P and dS
 * (attention_backward_mma.cu says why).
 * Maps: Q, K, V and dO as [heads and places][128], boxes of 64 columns by 64 rows, 128-byte swizzle: a tile of 64 rows is two halves of 64 columns, one of 128
 * rows two such tiles.
 */
#include "hopper.cuh"
#include "mma.cuh"

enum { SIDE = 128, STEP = 64, WIDTH = 128, HALF = STEP * 64 * 2, TILE = 2 * HALF, STAGES = 2, CONSUMER_WARPS = 8 };

extern __shared__ char shared[]; /* 1023 for alignment, two pairs of tiles that stay, a pair that changes of each stage, 1 + 2 * STAGES barriers */

static const float log2e = 1.4426950408889634f; /* exp2 takes the place of exp */

extern "C" __global__ void __launch_bounds__(256) rowsum(const bf16 *O, const bf16 *dO, float *delta)
{
	const uint64_t row = (uint64_t)blockIdx.x * 8 + (threadIdx.x >> 5), lane = threadIdx.x & 31;
	const __nv_bfloat162 *o = (const __nv_bfloat162 *)(O + row * WIDTH) + lane, *d = (const __nv_bfloat162 *)(dO + row * WIDTH) + lane;
	float sum = 0;

#pragma unroll
	for (int i = 0; i < 2; i++) {
		const float2 x = __bfloat1622float2(o[i * 32]), y = __bfloat1622float2(d[i * 32]);

		sum += x.x * y.x + x.y * y.y;
	}
#pragma unroll
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_xor_sync(~0u, sum, step);
	if (lane == 0)
		delta[row] = sum;
}

struct layout {
	uint32_t one, two, ring, stay, full, empty; /* two tiles a warpgroup's rows: one + (group - 1) * TILE */
};

__device__ __forceinline__ layout lay_out()
{
	layout at;

	at.one = (address_of(shared) + 1023) & ~1023u;
	at.two = at.one + 2 * TILE;
	at.ring = at.two + 2 * TILE;
	at.stay = at.ring + STAGES * 2 * TILE;
	at.full = at.stay + 8;
	at.empty = at.full + STAGES * 8;
	if (threadIdx.x == 0) {
		barrier_init(at.stay, 1);
		for (int stage = 0; stage < STAGES; stage++) {
			barrier_init(at.full + stage * 8, 1);
			barrier_init(at.empty + stage * 8, CONSUMER_WARPS);
		}
		barrier_init_done();
	}
	__syncthreads();
	return at;
}

__device__ __forceinline__ void load(uint32_t to, const tensor_map *map, uint32_t row, uint32_t barrier)
{
	tma_load(to, map, 0, row, barrier);
	tma_load(to + HALF, map, 64, row, barrier);
}

/* One thread: the tiles that stay, then those that change: tiles of them from row from on, the first again of them once more. */
__device__ __forceinline__ void produce(const layout &at, const tensor_map *one, const tensor_map *two, uint32_t row, const tensor_map *first,
                                        const tensor_map *second, uint32_t from, uint32_t tiles, uint32_t again)
{
	barrier_expect(at.stay, 4 * TILE);
	for (int part = 0; part < 2; part++) {
		load(at.one + part * TILE, one, row + part * STEP, at.stay);
		load(at.two + part * TILE, two, row + part * STEP, at.stay);
	}
	for (uint32_t i = 0; i < tiles + again; i++) {
		const uint32_t stage = i % STAGES, to = at.ring + stage * 2 * TILE, next = from + (i < tiles ? i : i - tiles) * STEP;

		barrier_wait(at.empty + stage * 8, (i / STAGES & 1) ^ 1);
		barrier_expect(at.full + stage * 8, 2 * TILE);
		load(to, first, next, at.full + stage * 8);
		load(to + TILE, second, next, at.full + stage * 8);
	}
}

/* d[64 x 64] = 64 rows times 64 rows. */
__device__ __forceinline__ void rows_by_rows(float (&d)[32], uint32_t a, uint32_t b)
{
	const uint64_t left = descriptor(a), right = descriptor(b);

#pragma unroll
	for (int k = 0; k < WIDTH / 16; k++) {
		const uint32_t step = (k / 4 * HALF + k % 4 * 32) >> 4;

		wgmma_n64(d, left + step, right + step, k > 0);
	}
}

/* out[64 x 128] += weights[64 x 64] times 64 rows. */
__device__ __forceinline__ void gather(float (&out)[64], const uint32_t (&w)[4][4], uint32_t tile)
{
	const uint64_t right = descriptor(tile, HALF);

#pragma unroll
	for (int k = 0; k < STEP / 16; k++)
		wgmma_n128<1>(out, w[k], right + (k * 16 * 128 >> 4), 1);
}

/* As left operand: the weights in bfloat16, or what that leaves of them. */
__device__ __forceinline__ void pack_weights(uint32_t (&p)[4][4], const float (&s)[32], bool rest)
{
	if (rest) {
#pragma unroll
		for (int i = 0; i < 16; i++)
			p[i >> 2][i & 3] = pack_rest(s[i * 2], s[i * 2 + 1]);
	} else {
#pragma unroll
		for (int i = 0; i < 16; i++)
			p[i >> 2][i & 3] = pack(s[i * 2], s[i * 2 + 1]);
	}
}

__device__ __forceinline__ void write(bf16 *to, const float (&out)[64], uint64_t row, float scale)
{
	const uint32_t lane = threadIdx.x & 31;

#pragma unroll
	for (int half = 0; half < 2; half++)
#pragma unroll
		for (int j = 0; j < WIDTH / 8; j++)
			*(uint32_t *)(to + (row + half * 8) * WIDTH + j * 8 + (lane & 3) * 2) =
				pack(out[j * 4 + half * 2] * scale, out[j * 4 + half * 2 + 1] * scale);
}

extern "C" __global__ void __launch_bounds__(384, 1) keys(const __grid_constant__ tensor_map map_q, const __grid_constant__ tensor_map map_k,
                                                          const __grid_constant__ tensor_map map_v, const __grid_constant__ tensor_map map_do,
                                                          const float *L, const float *delta, bf16 *dK, bf16 *dV, uint32_t S, float scale)
{
	const layout at = lay_out();
	const uint32_t head = blockIdx.y * S, first = blockIdx.x * SIDE, group = threadIdx.x >> 7;
#ifdef CAUSAL
	const uint32_t from = first, tiles = (S - first) / STEP, again = first == 0;
#else
	const uint32_t from = 0, tiles = S / STEP, again = 0;
#endif

	if (group == 0) {
		registers_fewer<24>();
		if (threadIdx.x == 0)
			produce(at, &map_k, &map_v, head + first, &map_q, &map_do, head + from, tiles, again);
	} else {
		registers_more<240>();
		const uint32_t warp = (threadIdx.x >> 5) - 4, lane = threadIdx.x & 31, row = first + warp * 16 + (lane >> 2); /* keys row and row + 8 */
		const uint32_t own_k = at.one + (group - 1) * TILE, own_v = at.two + (group - 1) * TILE;
		float out_k[64], out_v[64], s[32], d[32];
		uint32_t p[4][4], ds[4][4];

#pragma unroll
		for (int i = 0; i < 64; i++)
			out_k[i] = out_v[i] = 0;
		barrier_wait(at.stay, 0);
		for (uint32_t i = 0; i < tiles + again; i++) {
			const uint32_t stage = i % STAGES, tile = at.ring + stage * 2 * TILE;
			const bool rest = i >= tiles;
			const uint32_t query = from + (rest ? i - tiles : i) * STEP + (lane & 3) * 2;

			barrier_wait(at.full + stage * 8, i / STAGES & 1);
			wgmma_fence();
			rows_by_rows(s, own_k, tile);
			wgmma_commit();
			rows_by_rows(d, own_v, tile + TILE);
			wgmma_commit();
			wgmma_wait<1>();
			hold(s);
			/* Rows are keys, columns queries. */
#pragma unroll
			for (int j = 0; j < 8; j++) {
				const float2 l = *(const float2 *)(L + head + query + j * 8);

#pragma unroll
				for (int e = 0; e < 4; e++) {
					s[j * 4 + e] = power2(s[j * 4 + e] * (scale * log2e) - (e & 1 ? l.y : l.x) * log2e);
#ifdef CAUSAL
					if (query + j * 8 + (e & 1) < row + (e >> 1) * 8)
						s[j * 4 + e] = 0;
#endif
				}
			}
			pack_weights(p, s, rest);
			wgmma_wait<0>();
			hold(d);
			wgmma_fence();
			gather(out_v, p, tile + TILE);
			wgmma_commit();
#pragma unroll
			for (int j = 0; j < 8; j++) {
				const float2 less = *(const float2 *)(delta + head + query + j * 8);

#pragma unroll
				for (int e = 0; e < 4; e++)
					d[j * 4 + e] = s[j * 4 + e] * (d[j * 4 + e] - (e & 1 ? less.y : less.x));
			}
			pack_weights(ds, d, rest);
			wgmma_fence();
			gather(out_k, ds, tile);
			wgmma_commit();
			wgmma_wait<0>();
			hold(out_k);
			hold(out_v);
			if (lane == 0)
				barrier_arrive(at.empty + stage * 8);
		}
		write(dK, out_k, (uint64_t)head + row, scale);
		write(dV, out_v, (uint64_t)head + row, 1);
	}
}

extern "C" __global__ void __launch_bounds__(384, 1) queries(const __grid_constant__ tensor_map map_q, const __grid_constant__ tensor_map map_k,
                                                             const __grid_constant__ tensor_map map_v, const __grid_constant__ tensor_map map_do,
                                                             const float *L, const float *delta, bf16 *dQ, uint32_t S, float scale)
{
	const layout at = lay_out();
	const uint32_t head = blockIdx.y * S, group = threadIdx.x >> 7;
#ifdef CAUSAL
	const uint32_t first = (gridDim.x - 1 - blockIdx.x) * SIDE, tiles = (first + SIDE) / STEP, again = first == 0 ? tiles : 0; /* the longest first */
#else
	const uint32_t first = blockIdx.x * SIDE, tiles = S / STEP, again = 0;
#endif

	if (group == 0) {
		registers_fewer<24>();
		if (threadIdx.x == 0)
			produce(at, &map_q, &map_do, head + first, &map_k, &map_v, head, tiles, again);
	} else {
		registers_more<240>();
		const uint32_t warp = (threadIdx.x >> 5) - 4, lane = threadIdx.x & 31, row = first + warp * 16 + (lane >> 2); /* queries row and row + 8 */
		const uint32_t own_q = at.one + (group - 1) * TILE, own_do = at.two + (group - 1) * TILE;
		const float l[2] = {L[head + row] * log2e, L[head + row + 8] * log2e}, less[2] = {delta[head + row], delta[head + row + 8]};
		float out[64], s[32], d[32];
		uint32_t ds[4][4];

#pragma unroll
		for (int i = 0; i < 64; i++)
			out[i] = 0;
		barrier_wait(at.stay, 0);
		for (uint32_t i = 0; i < tiles + again; i++) {
			const uint32_t stage = i % STAGES, tile = at.ring + stage * 2 * TILE;
			const bool rest = i >= tiles;
#ifdef CAUSAL
			const uint32_t key = (rest ? i - tiles : i) * STEP + (lane & 3) * 2;
#endif

			barrier_wait(at.full + stage * 8, i / STAGES & 1);
			wgmma_fence();
			rows_by_rows(s, own_q, tile);
			wgmma_commit();
			rows_by_rows(d, own_do, tile + TILE);
			wgmma_commit();
			wgmma_wait<0>();
			hold(s);
			hold(d);
#pragma unroll
			for (int j = 0; j < 32; j++) {
				d[j] = power2(s[j] * (scale * log2e) - l[j >> 1 & 1]) * (d[j] - less[j >> 1 & 1]);
#ifdef CAUSAL
				if (key + (j >> 2) * 8 + (j & 1) > row + (j >> 1 & 1) * 8)
					d[j] = 0;
#endif
			}
			pack_weights(ds, d, rest);
			wgmma_fence();
			gather(out, ds, tile);
			wgmma_commit();
			wgmma_wait<0>();
			hold(out);
			if (lane == 0)
				barrier_arrive(at.empty + stage * 8);
		}
		write(dQ, out, (uint64_t)head + row, scale);
	}
}
