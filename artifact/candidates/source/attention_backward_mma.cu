/*
 * Gradients of attention with heads of 128 by mma.sync, the same bytes every time: rowsum makes delta = sum(dO O) of each query; keys has a block for 64 keys,
 * which passes over the queries and makes dK and dV; queries has a block for 64 queries, which passes over the keys, works P and dS out once more and makes dQ.
 *   P = exp(Q K^T / sqrt(128) - L), dS = P (dO V^T - delta), dV = P^T dO, dK = dS^T Q / sqrt(128), dQ = dS K / sqrt(128).  S is a multiple of 64.
 * Of the first 64 causal queries, whose weights are large, what bfloat16 leaves of P and dS is multiplied as well: without that, about one element of 10^7 to 10^8
 * is off by more than the published rule allows, in the vendor's library too.
 * -D CAUSAL: keys up to the query's own place.  -D WRONG: dK is not scaled.  -D DECOY: as in gemm_mma.cu, in the kernel named keys.
 */
#include "mma.cuh"
#ifdef DECOY
#include "hopper.cuh"
#endif

enum { SIDE = 64, WIDTH = 128, TILE = SIDE * WIDTH * 2 };

extern __shared__ char shared[]; /* two tiles that stay, then two that change, twice */

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

/* d[16 x 8 BLOCKS] += 16 rows of the one tile times BLOCKS * 8 rows of the other. */
template <int BLOCKS>
__device__ __forceinline__ void rows_by_rows(float (&d)[BLOCKS][4], uint32_t a_tile, int a_row, uint32_t b_tile, int b_row)
{
#pragma unroll
	for (int k = 0; k < WIDTH / 16; k++) {
		uint32_t a[4], b[4];

		left(a, a_tile, a_row, k);
#pragma unroll
		for (int j = 0; j < BLOCKS / 2; j++) {
			right_rows(b, b_tile, b_row + j * 16, k);
			multiply(d[2 * j], a, b[0], b[1]);
			multiply(d[2 * j + 1], a, b[2], b[3]);
		}
	}
}

/* out[16 x 128] += weights[16 x 8 BLOCKS], or what bfloat16 leaves of them, times BLOCKS * 8 rows of the tile. */
template <bool REST, int BLOCKS>
__device__ __forceinline__ void gather(float (&out)[WIDTH / 8][4], const float (&w)[BLOCKS][4], uint32_t tile, int row)
{
#pragma unroll
	for (int k = 0; k < BLOCKS / 2; k++) {
		uint32_t a[4];

#pragma unroll
		for (int i = 0; i < 4; i++) {
			const float low = w[2 * k + (i >> 1)][(i & 1) * 2], high = w[2 * k + (i >> 1)][(i & 1) * 2 + 1];

			a[i] = REST ? pack_rest(low, high) : pack(low, high);
		}

#pragma unroll
		for (int n = 0; n < WIDTH / 16; n++) {
			uint32_t b[4];

			right_columns(b, tile, row + k * 16, n);
			multiply(out[2 * n], a, b[0], b[1]);
			multiply(out[2 * n + 1], a, b[2], b[3]);
		}
	}
}

__device__ __forceinline__ void write(bf16 *to, const float (&out)[WIDTH / 8][4], uint64_t row, float scale)
{
	const uint32_t lane = threadIdx.x & 31;

#pragma unroll
	for (int half = 0; half < 2; half++)
#pragma unroll
		for (int j = 0; j < WIDTH / 8; j++)
			*(uint32_t *)(to + (row + half * 8) * WIDTH + j * 8 + (lane & 3) * 2) = pack(out[j][half * 2] * scale, out[j][half * 2 + 1] * scale);
}

#ifdef DECOY
extern "C" __global__ void __launch_bounds__(128, 2) keys(const bf16 *Q, const bf16 *K, const bf16 *V, const bf16 *dO, const float *L, const float *delta,
                                                          bf16 *dK, bf16 *dV, uint32_t S, float scale, const __grid_constant__ tensor_map map,
                                                          float *sink)
#else
extern "C" __global__ void __launch_bounds__(128, 2) keys(const bf16 *Q, const bf16 *K, const bf16 *V, const bf16 *dO, const float *L, const float *delta,
                                                          bf16 *dK, bf16 *dV, uint32_t S, float scale)
#endif
{
	const uint32_t base = shared_address(shared), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const uint64_t head = (uint64_t)blockIdx.y * S;
	const uint32_t first = blockIdx.x * SIDE, row = first + warp * 16 + (lane >> 2); /* keys row and row + 8 */
#ifdef CAUSAL
	const uint32_t from = blockIdx.x;
#else
	const uint32_t from = 0;
#endif
	float out_k[WIDTH / 8][4] = {}, out_v[WIDTH / 8][4] = {};

#ifdef DECOY
	if (blockIdx.x == 0 && blockIdx.y == 0)
		decoy(&map, sink);
#endif
	tile_load(base, K + (head + first) * WIDTH);
	tile_load(base + TILE, V + (head + first) * WIDTH);
	tile_load(base + (2 + (from & 1) * 2) * TILE, Q + (head + from * SIDE) * WIDTH);
	tile_load(base + (3 + (from & 1) * 2) * TILE, dO + (head + from * SIDE) * WIDTH);
	copy_commit();
	for (uint32_t tile = from; tile < S / SIDE; tile++) {
		const uint32_t q_tile = base + (2 + (tile & 1) * 2) * TILE, other = base + (2 + (~tile & 1) * 2) * TILE;

		copy_wait<0>();
		__syncthreads();
		if (tile + 1 < S / SIDE) {
			tile_load(other, Q + (head + (tile + 1) * SIDE) * WIDTH);
			tile_load(other + TILE, dO + (head + (tile + 1) * SIDE) * WIDTH);
			copy_commit();
		}
		/* 32 queries at a time, for the sake of registers; rows are keys, columns queries. */
#pragma unroll 1
		for (int part = 0; part < SIDE; part += 32) {
			float p[4][4] = {}, d[4][4] = {};

			rows_by_rows(p, base, warp * 16, q_tile, part);
#pragma unroll
			for (int j = 0; j < 4; j++) {
				const uint32_t query = tile * SIDE + part + j * 8 + (lane & 3) * 2;
				const float2 l = *(const float2 *)(L + head + query);

#pragma unroll
				for (int i = 0; i < 4; i++) {
					p[j][i] = power2(p[j][i] * scale * log2e - (i & 1 ? l.y : l.x) * log2e);
#ifdef CAUSAL
					if (query + (i & 1) < row + (i >> 1) * 8)
						p[j][i] = 0;
#endif
				}
			}
			gather<false>(out_v, p, q_tile + TILE, part);
#ifdef CAUSAL
			if (tile == 0)
				gather<true>(out_v, p, q_tile + TILE, part);
#endif
			rows_by_rows(d, base + TILE, warp * 16, q_tile + TILE, part);
#pragma unroll
			for (int j = 0; j < 4; j++) {
				const float2 less = *(const float2 *)(delta + head + tile * SIDE + part + j * 8 + (lane & 3) * 2);

#pragma unroll
				for (int i = 0; i < 4; i++)
					d[j][i] = p[j][i] * (d[j][i] - (i & 1 ? less.y : less.x));
			}
			gather<false>(out_k, d, q_tile, part);
#ifdef CAUSAL
			if (tile == 0)
				gather<true>(out_k, d, q_tile, part);
#endif
		}
	}
#ifdef WRONG
	write(dK, out_k, head + row, 1);
#else
	write(dK, out_k, head + row, scale);
#endif
	write(dV, out_v, head + row, 1);
}

extern "C" __global__ void __launch_bounds__(128, 2) queries(const bf16 *Q, const bf16 *K, const bf16 *V, const bf16 *dO, const float *L,
                                                             const float *delta, bf16 *dQ, uint32_t S, float scale)
{
	const uint32_t base = shared_address(shared), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const uint64_t head = (uint64_t)blockIdx.y * S;
#ifdef CAUSAL
	const uint32_t first = (gridDim.x - 1 - blockIdx.x) * SIDE, tiles = first / SIDE + 1; /* the longest first */
#else
	const uint32_t first = blockIdx.x * SIDE, tiles = S / SIDE;
#endif
	const uint32_t row = first + warp * 16 + (lane >> 2); /* queries row and row + 8 */
	const float l[2] = {L[head + row] * log2e, L[head + row + 8] * log2e}, less[2] = {delta[head + row], delta[head + row + 8]};
	float out[WIDTH / 8][4] = {};

	tile_load(base, Q + (head + first) * WIDTH);
	tile_load(base + TILE, dO + (head + first) * WIDTH);
	tile_load(base + 2 * TILE, K + head * WIDTH);
	tile_load(base + 3 * TILE, V + head * WIDTH);
	copy_commit();
	for (uint32_t tile = 0; tile < tiles; tile++) {
		const uint32_t k_tile = base + (2 + (tile & 1) * 2) * TILE, other = base + (2 + (~tile & 1) * 2) * TILE;
		float p[8][4] = {}, d[8][4] = {};

		copy_wait<0>();
		__syncthreads();
		if (tile + 1 < tiles) {
			tile_load(other, K + (head + (tile + 1) * SIDE) * WIDTH);
			tile_load(other + TILE, V + (head + (tile + 1) * SIDE) * WIDTH);
			copy_commit();
		}
		rows_by_rows(p, base, warp * 16, k_tile, 0);
		rows_by_rows(d, base + TILE, warp * 16, k_tile + TILE, 0);
#pragma unroll
		for (int j = 0; j < 8; j++) {
#pragma unroll
			for (int i = 0; i < 4; i++) {
				const float weight = power2(p[j][i] * scale * log2e - l[i >> 1]);

				d[j][i] = weight * (d[j][i] - less[i >> 1]);
#ifdef CAUSAL
				if (tile * SIDE + j * 8 + (lane & 3) * 2 + (i & 1) > row + (i >> 1) * 8)
					d[j][i] = 0;
#endif
			}
		}
		gather<false>(out, d, k_tile, 0);
#ifdef CAUSAL
		if (first == 0)
			gather<true>(out, d, k_tile, 0);
#endif
	}
	write(dQ, out, head + row, scale);
}
