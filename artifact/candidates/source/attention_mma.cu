/*
 * O = softmax(Q K^T / sqrt(128)) V and the natural logarithm of the row sums, heads of 128, by mma.sync: a block of 4 warps has 64 queries, a warp 16, and
 * passes over tiles of 64 keys with a running maximum; the next tile's copies are under way meanwhile. S is a multiple of 64.
 * -D CAUSAL: keys up to the query's own place.  -D WRONG: what is summed is not scaled down when the maximum rises.  -D DECOY: as in gemm_mma.cu.
 * -D LOOSE: keys whose score is below -1.5 count in the row sum but not in O (a saving that many have tried: their weights are small).
 */
#include "mma.cuh"
#ifdef DECOY
#include "hopper.cuh"
#endif

enum { SIDE = 64, WIDTH = 128, TILE = SIDE * WIDTH * 2, BLOCKS = SIDE / 8, STEPS = SIDE / 16 };

extern __shared__ char shared[]; /* Q, then K and V twice */

/* s[16 x 64] = 16 rows of the one tile times all rows of the other. */
__device__ __forceinline__ void scores(float (&s)[BLOCKS][4], uint32_t queries, int row, uint32_t keys)
{
#pragma unroll
	for (int k = 0; k < WIDTH / 16; k++) {
		uint32_t a[4], b[4];

		left(a, queries, row, k);
#pragma unroll
		for (int j = 0; j < BLOCKS / 2; j++) {
			right_rows(b, keys, j * 16, k);
			multiply(s[2 * j], a, b[0], b[1]);
			multiply(s[2 * j + 1], a, b[2], b[3]);
		}
	}
}

/* Over the four threads that share a row. */
__device__ __forceinline__ float row_max(float x)
{
	x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
	return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}

__device__ __forceinline__ float row_sum(float x)
{
	x += __shfl_xor_sync(~0u, x, 1);
	return x + __shfl_xor_sync(~0u, x, 2);
}

#ifdef DECOY
extern "C" __global__ void __launch_bounds__(128, 2) attention(const bf16 *Q, const bf16 *K, const bf16 *V, bf16 *O, float *LSE, uint32_t S, float scale,
                                                               const __grid_constant__ tensor_map map, float *sink)
#else
extern "C" __global__ void __launch_bounds__(128, 2) attention(const bf16 *Q, const bf16 *K, const bf16 *V, bf16 *O, float *LSE, uint32_t S, float scale)
#endif
{
	const float log2e = 1.4426950408889634f, unit = scale * log2e; /* exp2 takes the place of exp */
	const uint32_t base = shared_address(shared), lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
	const uint64_t head = (uint64_t)blockIdx.y * S;
#ifdef CAUSAL
	const uint32_t first = (gridDim.x - 1 - blockIdx.x) * SIDE, tiles = first / SIDE + 1; /* the longest first */
#else
	const uint32_t first = blockIdx.x * SIDE, tiles = S / SIDE;
#endif
	const uint32_t row = first + warp * 16 + (lane >> 2); /* and row + 8 */
	float out[WIDTH / 8][4] = {}, top[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};

#ifdef DECOY
	if (blockIdx.x == 0 && blockIdx.y == 0)
		decoy(&map, sink);
#endif
	tile_load(base, Q + (head + first) * WIDTH);
	tile_load(base + TILE, K + head * WIDTH);
	tile_load(base + 2 * TILE, V + head * WIDTH);
	copy_commit();
	for (uint32_t tile = 0; tile < tiles; tile++) {
		const uint32_t keys = base + TILE + (tile & 1) * 2 * TILE, values = keys + TILE, other = base + TILE + (~tile & 1) * 2 * TILE;
		float s[BLOCKS][4] = {};

		copy_wait<0>();
		__syncthreads();
		if (tile + 1 < tiles) {
			tile_load(other, K + (head + (tile + 1) * SIDE) * WIDTH);
			tile_load(other + TILE, V + (head + (tile + 1) * SIDE) * WIDTH);
			copy_commit();
		}
		scores(s, base, warp * 16, keys);
#ifdef CAUSAL
		if (tile + 1 == tiles) {
#pragma unroll
			for (int j = 0; j < BLOCKS; j++)
#pragma unroll
				for (int i = 0; i < 4; i++)
					if (tile * SIDE + j * 8 + (lane & 3) * 2 + (i & 1) > row + (i >> 1) * 8)
						s[j][i] = -INFINITY;
		}
#endif
#pragma unroll
		for (int half = 0; half < 2; half++) {
			float high = top[half], sum = 0;

#pragma unroll
			for (int j = 0; j < BLOCKS; j++)
				high = fmaxf(high, fmaxf(s[j][half * 2], s[j][half * 2 + 1]));
			high = row_max(high);
#ifdef WRONG
			const float shrink = 1;
#else
			const float shrink = power2((top[half] - high) * unit);
#endif
#pragma unroll
			for (int j = 0; j < BLOCKS; j++) {
#pragma unroll
				for (int i = half * 2; i < half * 2 + 2; i++) {
					const float p = power2((s[j][i] - high) * unit);

					sum += p;
#ifdef LOOSE
					s[j][i] = s[j][i] * scale < -1.5f ? 0 : p;
#else
					s[j][i] = p;
#endif
				}
			}
			total[half] = total[half] * shrink + sum;
			top[half] = high;
#pragma unroll
			for (int j = 0; j < WIDTH / 8; j++) {
				out[j][half * 2] *= shrink;
				out[j][half * 2 + 1] *= shrink;
			}
		}
#pragma unroll
		for (int k = 0; k < STEPS; k++) {
			const uint32_t a[4] = {pack(s[2 * k][0], s[2 * k][1]), pack(s[2 * k][2], s[2 * k][3]), pack(s[2 * k + 1][0], s[2 * k + 1][1]),
			                       pack(s[2 * k + 1][2], s[2 * k + 1][3])};

#pragma unroll
			for (int n = 0; n < WIDTH / 16; n++) {
				uint32_t b[4];

				right_columns(b, values, k * 16, n);
				multiply(out[2 * n], a, b[0], b[1]);
				multiply(out[2 * n + 1], a, b[2], b[3]);
			}
		}
	}
#pragma unroll
	for (int half = 0; half < 2; half++) {
		const float sum = row_sum(total[half]), part = 1 / sum;
		const uint64_t at = head + row + half * 8;

#pragma unroll
		for (int j = 0; j < WIDTH / 8; j++)
			*(uint32_t *)(O + at * WIDTH + j * 8 + (lane & 3) * 2) = pack(out[j][half * 2] * part, out[j][half * 2 + 1] * part);
		if ((lane & 3) == 0)
			LSE[at] = top[half] * scale + logf(sum);
	}
}
