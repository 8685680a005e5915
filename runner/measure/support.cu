/*
 * Our own kernels: inputs, references, comparison, guards, clocks (support.h says what each is for). Compiled with --fmad=false: a fused multiply-add
 * stands only where fmaf is written, so that inputs have the CPU's bytes. Everything sums in a fixed order and uses fp32 units, no tensor cores; the only
 * atomics are on integers.
 */
#include "dtype.h"
#include "philox_core.h"
#include "support_layout.h"

typedef unsigned long long u64;
typedef unsigned short bf16; /* its bits */

static __device__ __forceinline__ float from_bf16(uint32_t bits)
{
	return __uint_as_float(bits << 16);
}

/* ---- inputs ---- */

extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS) fill(void *out, int dtype, u64 count, u64 seed, uint32_t tensor, int values)
{
	const u64 step = (u64)gridDim.x * SUPPORT_THREADS;

	for (u64 group = (u64)blockIdx.x * SUPPORT_THREADS + threadIdx.x; group * 4 < count; group += step) {
		float four[4];

		core_values(seed, tensor, group, (enum value_set)values, four);
		for (u64 i = 0; i < 4 && group * 4 + i < count; i++) {
			const u64 at = group * 4 + i;

			if (dtype == DTYPE_BF16)
				((uint16_t *)out)[at] = core_bf16(four[i]);
			else if (dtype == DTYPE_E4M3)
				((uint8_t *)out)[at] = core_e4m3(four[i]);
			else
				((float *)out)[at] = four[i];
		}
	}
}

/* ---- comparison ---- */

static __device__ float element(const void *data, int dtype, u64 i)
{
	if (dtype == DTYPE_BF16)
		return from_bf16(((const uint16_t *)data)[i]);
	return dtype == DTYPE_E4M3 ? core_from_e4m3(((const uint8_t *)data)[i]) : ((const float *)data)[i];
}

static __device__ void partial_add(struct compare_partial *sum, const struct compare_partial *more)
{
	sum->not_finite += more->not_finite;
	sum->reference_not_finite += more->reference_not_finite;
	sum->published_bad += more->published_bad;
	sum->max_abs = fmax(sum->max_abs, more->max_abs);
	sum->max_rel = fmax(sum->max_rel, more->max_rel);
	sum->max_reference = fmax(sum->max_reference, more->max_reference);
	sum->sum_squares_error = sum->sum_squares_error + more->sum_squares_error;
	sum->sum_squares_reference = sum->sum_squares_reference + more->sum_squares_reference;
}

/* Bin b: errors in [2^(b-64), 2^(b-63)). fp32's exponent field is biased by 127. */
static __device__ int error_bin(float error)
{
	const int bin = (int)(__float_as_uint(error) >> 23) - 127 + 64;

	return min(max(bin, 0), COMPARE_BINS - 1);
}

static __device__ void compare_one(float x, float r, struct compare_partial *sum, unsigned *bins)
{
	if (!isfinite(r)) {
		sum->reference_not_finite++;
		return;
	}
	if (!isfinite(x)) {
		sum->not_finite++;
		return;
	}
	const float error = fabsf(x - r);
	const float relative = error / (fabsf(r) + 1e-8f);

	sum->published_bad += error > 1e-2f && relative > 1e-2f;
	sum->max_abs = fmax(sum->max_abs, (double)error);
	sum->max_rel = fmax(sum->max_rel, (double)relative);
	sum->max_reference = fmax(sum->max_reference, (double)fabsf(r));
	sum->sum_squares_error += (double)error * (double)error;
	sum->sum_squares_reference += (double)r * (double)r;
	atomicAdd(&bins[error_bin(error)], 1u);
}

extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS)
	compare(const void *candidate, int dtype, const float *reference, u64 count, struct compare_partial *partials, u64 *bins)
{
	__shared__ struct compare_partial sums[SUPPORT_THREADS];
	__shared__ unsigned block_bins[COMPARE_BINS]; /* a block sees fewer than 2^32 elements: problem.c bounds tensors */
	const u64 step = (u64)gridDim.x * SUPPORT_THREADS;
	struct compare_partial sum = {};

	if (threadIdx.x < COMPARE_BINS)
		block_bins[threadIdx.x] = 0;
	__syncthreads();
	for (u64 i = (u64)blockIdx.x * SUPPORT_THREADS + threadIdx.x; i < count; i += step)
		compare_one(element(candidate, dtype, i), reference[i], &sum, block_bins);
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (unsigned half = SUPPORT_THREADS / 2; half > 0; half /= 2) {
		if (threadIdx.x < half)
			partial_add(&sums[threadIdx.x], &sums[threadIdx.x + half]);
		__syncthreads();
	}
	if (threadIdx.x == 0)
		partials[blockIdx.x] = sums[0];
	if (threadIdx.x < COMPARE_BINS && block_bins[threadIdx.x] != 0)
		atomicAdd(&bins[threadIdx.x], (u64)block_bins[threadIdx.x]);
}

static __device__ unsigned differing_bytes(uint32_t a, uint32_t b)
{
	return __popc(__vcmpne4(a, b)) / 8;
}

/* Bytes of a that differ from b's, or from the pattern where b is NULL, added to *differing. The last bytes that do not fill a vector, or all of them where
 * an address is not aligned, are taken one by one. */
extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS)
	count_differing(const uint8_t *a, const uint8_t *b, uint32_t pattern, u64 bytes, u64 *differing)
{
	const u64 first = (u64)blockIdx.x * SUPPORT_THREADS + threadIdx.x;
	const u64 step = (u64)gridDim.x * SUPPORT_THREADS;
	const u64 vectors = (((u64)a | (u64)b) & 15) == 0 ? bytes / 16 : 0;
	const uint4 repeated = make_uint4(pattern, pattern, pattern, pattern);
	u64 found = 0;

	for (u64 i = first; i < vectors; i += step) {
		const uint4 x = ((const uint4 *)a)[i];
		const uint4 y = b == nullptr ? repeated : ((const uint4 *)b)[i];

		found += differing_bytes(x.x, y.x) + differing_bytes(x.y, y.y) + differing_bytes(x.z, y.z) + differing_bytes(x.w, y.w);
	}
	for (u64 i = vectors * 16 + first; i < bytes; i += step)
		found += a[i] != (b == nullptr ? (uint8_t)pattern : b[i]);
	if (found != 0)
		atomicAdd(differing, found);
}

/* ---- clocks ---- */

static __device__ __forceinline__ u64 global_timer()
{
	u64 ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)::"memory");
	return ns;
}

/* The first block on an SM takes both clocks just when globaltimer ticks, which it does every 32 ns to 1 us: less would be lost in its steps. The
 * loop's bound is for devices whose timer ticks more slowly. */
extern "C" __global__ void __launch_bounds__(STAMP_THREADS) stamp(struct stamp_slot *slots)
{
	uint32_t sm;

	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x != 0 || sm >= STAMP_SLOTS || atomicCAS((u64 *)&slots[sm].taken, 0ULL, 1ULL) != 0)
		return;
	const u64 before = global_timer();
	u64 timer = before;
	long long clock = clock64();

	for (int i = 0; i < 4096 && timer == before; i++) {
		timer = global_timer();
		clock = clock64();
	}
	slots[sm].clock = (u64)clock;
	slots[sm].timer = timer;
}

/* Keeps the device busy for so long, and touches no memory. */
extern "C" __global__ void linger(u64 ns)
{
	const u64 start = global_timer();

	while (global_timer() - start < ns)
		;
}

/* ---- matrix product: C[M,N] = A[M,K] B[N,K]^T, K in order; FP8 values times their scales, rounded to fp32 ---- */

enum { GEMM_DEPTH = 16, GEMM_STRIDE = SUPPORT_GEMM_TILE + SUPPORT_PAD };

/* Eight elements of a row. K is a multiple of 8, so rows stay aligned. */
struct eight {
	float at[8];
};

static __device__ __forceinline__ eight widen(uint4 raw)
{
	const uint32_t word[4] = {raw.x, raw.y, raw.z, raw.w};
	eight out;

#pragma unroll
	for (int i = 0; i < 4; i++) {
		out.at[2 * i] = __uint_as_float(word[i] << 16);
		out.at[2 * i + 1] = __uint_as_float(word[i] & 0xFFFF0000u);
	}
	return out;
}

static __device__ __forceinline__ eight widen(uint2 raw)
{
	eight out;

#pragma unroll
	for (int i = 0; i < 8; i++)
		out.at[i] = core_from_e4m3((uint8_t)((i < 4 ? raw.x : raw.y) >> (8 * (i % 4))));
	return out;
}

/* raw[row, k .. k + 7], zeros outside. Raw is uint4 for bfloat16, uint2 for E4M3: eight elements. */
template <typename Raw> static __device__ __forceinline__ Raw gemm_fetch(const Raw *tensor, u64 row, u64 rows, u64 k, u64 depth)
{
	return row < rows && k < depth ? tensor[(row * depth + k) / 8] : Raw{};
}

/* Scales of rows: that of row r and group g of 128 columns stands at r / per_row * row_step + g * group_step. NULL: there are none. */
struct scales {
	const float *at;
	u64 per_row, row_step, group_step;
};

/* That of eight columns from k on; outside, where values are zero, any will do. */
static __device__ __forceinline__ float scale_fetch(scales s, u64 row, u64 rows, u64 k, u64 depth)
{
	return s.at != nullptr && row < rows && k < depth ? s.at[row / s.per_row * s.row_step + k / 128 * s.group_step] : 1.0f;
}

/* Each thread puts eight of a row into the transposed tile [k][row]. */
static __device__ __forceinline__ void gemm_put(float *tile, int row, int k, eight values, float scale)
{
#pragma unroll
	for (int i = 0; i < 8; i++)
		tile[(k + i) * GEMM_STRIDE + row] = values.at[i] * scale;
}

/* Not static: nvcc would put a hash of this file's path into the names of its arrays, and the image would differ from checkout to checkout. */
template <typename Raw> __device__ __forceinline__ void gemm_body(const Raw *a, const Raw *b, scales of_a, scales of_b, float *c, u64 m, u64 n, u64 depth)
{
	__shared__ __align__(16) float tile_a[GEMM_DEPTH * GEMM_STRIDE];
	__shared__ __align__(16) float tile_b[GEMM_DEPTH * GEMM_STRIDE];
	const int row = threadIdx.x / 2, k = threadIdx.x % 2 * 8;
	const int tx = threadIdx.x % SUPPORT_SIDE, ty = threadIdx.x / SUPPORT_SIDE;
	const u64 row_a = (u64)blockIdx.y * SUPPORT_GEMM_TILE + row, row_b = (u64)blockIdx.x * SUPPORT_GEMM_TILE + row;
	float sum[8][8] = {};
	Raw next_a = gemm_fetch(a, row_a, m, k, depth), next_b = gemm_fetch(b, row_b, n, k, depth);
	float scale_a = scale_fetch(of_a, row_a, m, k, depth), scale_b = scale_fetch(of_b, row_b, n, k, depth);

	for (u64 done = 0; done < depth; done += GEMM_DEPTH) {
		gemm_put(tile_a, row, k, widen(next_a), scale_a);
		gemm_put(tile_b, row, k, widen(next_b), scale_b);
		__syncthreads();
		next_a = gemm_fetch(a, row_a, m, done + GEMM_DEPTH + k, depth);
		next_b = gemm_fetch(b, row_b, n, done + GEMM_DEPTH + k, depth);
		scale_a = scale_fetch(of_a, row_a, m, done + GEMM_DEPTH + k, depth);
		scale_b = scale_fetch(of_b, row_b, n, done + GEMM_DEPTH + k, depth);
#pragma unroll
		for (int t = 0; t < GEMM_DEPTH; t++) {
			float x[8], y[8];

			*(float4 *)&x[0] = *(const float4 *)&tile_a[t * GEMM_STRIDE + ty * 4];
			*(float4 *)&x[4] = *(const float4 *)&tile_a[t * GEMM_STRIDE + 64 + ty * 4];
			*(float4 *)&y[0] = *(const float4 *)&tile_b[t * GEMM_STRIDE + tx * 4];
			*(float4 *)&y[4] = *(const float4 *)&tile_b[t * GEMM_STRIDE + 64 + tx * 4];
#pragma unroll
			for (int i = 0; i < 8; i++)
#pragma unroll
				for (int j = 0; j < 8; j++)
					sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < 8; i++) {
		const u64 out_row = (u64)blockIdx.y * SUPPORT_GEMM_TILE + (i / 4) * 64 + ty * 4 + i % 4;

#pragma unroll
		for (int j = 0; j < 8; j++) {
			const u64 out_column = (u64)blockIdx.x * SUPPORT_GEMM_TILE + (j / 4) * 64 + tx * 4 + j % 4;

			if (out_row < m && out_column < n)
				c[out_row * n + out_column] = sum[i][j];
		}
	}
}

extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS, 2) gemm_bf16(const uint4 *a, const uint4 *b, float *c, u64 m, u64 n, u64 depth)
{
	gemm_body(a, b, scales{}, scales{}, c, m, n, depth);
}

/* scale_a is [groups][m]; scale_b is [groups][n], or [n / 128][groups] where blocks is not 0. */
extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS, 2)
	gemm_e4m3(const uint2 *a, const uint2 *b, const float *scale_a, const float *scale_b, float *c, u64 m, u64 n, u64 depth, int blocks)
{
	const u64 groups = (depth + 127) / 128;

	gemm_body(a, b, scales{scale_a, 1, 1, m}, blocks ? scales{scale_b, 128, groups, 1} : scales{scale_b, 1, 1, n}, c, m, n, depth);
}

/*
 * ---- attention ----
 * A block has 16 x 16 threads and works on tiles of N = 16 R rows. Tiles of tensors are fp32 [N][D + pad] in shared memory. For a product of two tiles a
 * thread has rows ty R + i of the first and tx + 16 j of the second; for a sum over a tile's rows it has the same rows and columns 32 c + 2 tx and the next.
 */
extern __shared__ float4 shared_memory[];

struct place {
	int tx, ty;
};

static __device__ __forceinline__ place here()
{
	return {(int)(threadIdx.x % SUPPORT_SIDE), (int)(threadIdx.x / SUPPORT_SIDE)};
}

/* Rows first to first + N - 1 of one head's [length,D]; rows beyond its end become zeros. */
template <int R, int D> static __device__ void tile_load(float *tile, const bf16 *head, u64 first, u64 length)
{
	enum { N = SUPPORT_SIDE * R, A_ROW = D / 8 };

	for (int i = threadIdx.x; i < N * A_ROW; i += SUPPORT_THREADS) {
		const int row = i / A_ROW, column = i % A_ROW * 8;
		const uint4 raw = first + row < length ? ((const uint4 *)(head + (first + row) * D))[column / 8] : uint4{};
		const eight values = widen(raw);
		float4 *out = (float4 *)(tile + row * (D + SUPPORT_PAD) + column);

		out[0] = make_float4(values.at[0], values.at[1], values.at[2], values.at[3]);
		out[1] = make_float4(values.at[4], values.at[5], values.at[6], values.at[7]);
	}
}

template <int R, int D> static __device__ __forceinline__ void tile_product(const float *a, const float *b, place at, float (&out)[R][R])
{
	const float *row_a = a + at.ty * R * (D + SUPPORT_PAD);
	const float *row_b = b + at.tx * (D + SUPPORT_PAD);

#pragma unroll
	for (int i = 0; i < R; i++)
#pragma unroll
		for (int j = 0; j < R; j++)
			out[i][j] = 0;
#pragma unroll 4
	for (int d = 0; d < D; d += 4) {
		float4 x[R], y[R];

#pragma unroll
		for (int i = 0; i < R; i++) {
			x[i] = *(const float4 *)(row_a + i * (D + SUPPORT_PAD) + d);
			y[i] = *(const float4 *)(row_b + i * SUPPORT_SIDE * (D + SUPPORT_PAD) + d);
		}
#pragma unroll
		for (int i = 0; i < R; i++)
#pragma unroll
			for (int j = 0; j < R; j++) {
				out[i][j] = fmaf(x[i].x, y[j].x, out[i][j]);
				out[i][j] = fmaf(x[i].y, y[j].y, out[i][j]);
				out[i][j] = fmaf(x[i].z, y[j].z, out[i][j]);
				out[i][j] = fmaf(x[i].w, y[j].w, out[i][j]);
			}
	}
}

/* sum[row, column] += weights[row, t] tile[t, column] over the tile's rows t in order. */
template <int R, int D> static __device__ __forceinline__ void tile_accumulate(const float *weights, const float *tile, place at, float (&sum)[R][D / 16])
{
	enum { N = SUPPORT_SIDE * R };
	const float *row = weights + at.ty * R * (N + SUPPORT_PAD);

#pragma unroll 2
	for (int t = 0; t < N; t += 4) {
		float w[R][4];

#pragma unroll
		for (int i = 0; i < R; i++)
			*(float4 *)w[i] = *(const float4 *)(row + i * (N + SUPPORT_PAD) + t);
#pragma unroll
		for (int s = 0; s < 4; s++)
#pragma unroll
			for (int c = 0; c < D / 32; c++) {
				const float2 x = *(const float2 *)(tile + (t + s) * (D + SUPPORT_PAD) + c * 32 + at.tx * 2);

#pragma unroll
				for (int i = 0; i < R; i++) {
					sum[i][2 * c] = fmaf(w[i][s], x.x, sum[i][2 * c]);
					sum[i][2 * c + 1] = fmaf(w[i][s], x.y, sum[i][2 * c + 1]);
				}
			}
	}
}

/* A thread's values of one kind, [row][column] of a weights tile. */
template <int R> static __device__ __forceinline__ void weights_put(float *weights, place at, const float (&values)[R][R])
{
	enum { N = SUPPORT_SIDE * R };

#pragma unroll
	for (int i = 0; i < R; i++)
#pragma unroll
		for (int j = 0; j < R; j++)
			weights[(at.ty * R + i) * (N + SUPPORT_PAD) + at.tx + j * SUPPORT_SIDE] = values[i][j];
}

/* The thread's part of rows first .. of one head's [length,D], times factor. */
template <int R, int D> static __device__ __forceinline__ void rows_put(float *head, u64 first, u64 length, place at, const float (&sum)[R][D / 16], float factor)
{
#pragma unroll
	for (int i = 0; i < R; i++) {
		const u64 row = first + at.ty * R + i;

		if (row >= length)
			continue;
#pragma unroll
		for (int c = 0; c < D / 32; c++)
			*(float2 *)(head + row * D + c * 32 + at.tx * 2) = make_float2(sum[i][2 * c] * factor, sum[i][2 * c + 1] * factor);
	}
}

/* Over the sixteen threads of a row, in a fixed order; all get the result. */
static __device__ __forceinline__ float row_max(float value)
{
	for (int step = SUPPORT_SIDE / 2; step > 0; step /= 2)
		value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFu, value, step));
	return value;
}

static __device__ __forceinline__ float row_sum(float value)
{
	for (int step = SUPPORT_SIDE / 2; step > 0; step /= 2)
		value = value + __shfl_xor_sync(0xFFFFFFFFu, value, step);
	return value;
}

/* What one query row has seen so far of its softmax. */
struct running {
	float largest, total;
};

/* One row's scores of one key tile become P, relative to the new largest; the factor that older sums need is returned. */
template <int R> static __device__ __forceinline__ float softmax_step(running *row, float (&score)[R])
{
	float largest = row->largest, total = 0;

#pragma unroll
	for (int j = 0; j < R; j++)
		largest = fmaxf(largest, score[j]);
	largest = row_max(largest);
	const float factor = expf(row->largest - largest);

#pragma unroll
	for (int j = 0; j < R; j++) {
		score[j] = expf(score[j] - largest);
		total = total + score[j];
	}
	row->total = fmaf(row->total, factor, row_sum(total));
	row->largest = largest;
	return factor;
}

/* Rows of one head: bf16 or fp32 as the caller wants O. */
template <int R, int D> static __device__ __forceinline__ void forward_put(void *o, int o_bf16, u64 head, u64 first, u64 length, place at, const float (&sum)[R][D / 16])
{
	if (!o_bf16) {
		rows_put<R, D>((float *)o + head * length * D, first, length, at, sum, 1);
		return;
	}
#pragma unroll
	for (int i = 0; i < R; i++) {
		const u64 row = first + at.ty * R + i;

		if (row >= length)
			continue;
#pragma unroll
		for (int e = 0; e < D / 16; e++)
			((uint16_t *)o)[(head * length + row) * D + e / 2 * 32 + at.tx * 2 + e % 2] = core_bf16(sum[i][e]);
	}
}

template <int R, int D>
static __device__ __forceinline__ void forward_body(const bf16 *q, const bf16 *k, const bf16 *v, void *o, int o_bf16, float *lse, u64 length, int causal,
						    float scale)
{
	enum { N = SUPPORT_SIDE * R };
	float *queries = (float *)shared_memory, *keys = queries + N * (D + SUPPORT_PAD), *weights = keys + N * (D + SUPPORT_PAD);
	const place at = here();
	const u64 head = blockIdx.y, start = head * length * D;
	const u64 first = (u64)blockIdx.x * N;
	const u64 end = causal && first + N < length ? first + N : length;
	running rows[R];
	float sum[R][D / 16] = {}, score[R][R];

#pragma unroll
	for (int i = 0; i < R; i++)
		rows[i] = {-INFINITY, 0};
	tile_load<R, D>(queries, q + start, first, length);
	for (u64 key = 0; key < end; key += N) {
		__syncthreads();
		tile_load<R, D>(keys, k + start, key, length);
		__syncthreads();
		tile_product<R, D>(queries, keys, at, score);
#pragma unroll
		for (int i = 0; i < R; i++) {
#pragma unroll
			for (int j = 0; j < R; j++) {
				const u64 column = key + at.tx + j * SUPPORT_SIDE;
				const bool seen = column < length && (!causal || column <= first + at.ty * R + i);

				score[i][j] = seen ? score[i][j] * scale : -INFINITY;
			}
			const float factor = softmax_step<R>(&rows[i], score[i]);

#pragma unroll
			for (int e = 0; e < D / 16; e++)
				sum[i][e] = sum[i][e] * factor;
		}
		weights_put<R>(weights, at, score);
		__syncthreads();
		tile_load<R, D>(keys, v + start, key, length);
		__syncthreads();
		tile_accumulate<R, D>(weights, keys, at, sum);
	}
#pragma unroll
	for (int i = 0; i < R; i++) {
		const u64 row = first + at.ty * R + i;

#pragma unroll
		for (int e = 0; e < D / 16; e++)
			sum[i][e] = sum[i][e] / rows[i].total;
		if (at.tx == 0 && row < length)
			lse[head * length + row] = rows[i].largest + logf(rows[i].total);
	}
	forward_put<R, D>(o, o_bf16, head, first, length, at, sum);
}

/* One warp a row: sum of dO O over the head dimension. */
extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS) row_sums(const bf16 *gradient, const bf16 *o, float *sums, u64 rows, u64 width)
{
	const u64 row = ((u64)blockIdx.x * SUPPORT_THREADS + threadIdx.x) / 32;
	float sum = 0;

	if (row >= rows)
		return;
	for (u64 i = threadIdx.x % 32; i < width; i += 32)
		sum = fmaf(from_bf16(gradient[row * width + i]), from_bf16(o[row * width + i]), sum);
	for (int step = 16; step > 0; step /= 2)
		sum = sum + __shfl_xor_sync(0xFFFFFFFFu, sum, step);
	if (threadIdx.x % 32 == 0)
		sums[row] = sum;
}

/* P = exp(scale Q K^T - L) and dS = P (dO V^T - rowsum) of one query and key; both 0 where the key is not seen. */
struct pair {
	float p, ds;
};

static __device__ __forceinline__ pair backward_pair(float score, float dp, float scale, u64 query, u64 key, u64 length, int causal, const float *l,
						     const float *sums)
{
	if (query >= length || key >= length || (causal && key > query))
		return {0, 0};
	const float p = expf(score * scale - l[query]);

	return {p, p * (dp - sums[query])};
}

/* One key tile's dK and dV, over the query tiles in order. */
template <int R, int D>
static __device__ __forceinline__ void backward_keys_body(const bf16 *q, const bf16 *k, const bf16 *v, const bf16 *gradient, const float *l, const float *sums,
							  float *dk, float *dv, u64 length, int causal, float scale)
{
	enum { N = SUPPORT_SIDE * R, TILE = N * (D + SUPPORT_PAD) };
	float *keys = (float *)shared_memory, *values = keys + TILE, *queries = values + TILE, *gradients = queries + TILE;
	float *weights = gradients + TILE, *changes = weights + N * (N + SUPPORT_PAD);
	const place at = here();
	const u64 head = blockIdx.y, start = head * length * D;
	const u64 first = (u64)blockIdx.x * N;
	float sum_k[R][D / 16] = {}, sum_v[R][D / 16] = {};

	tile_load<R, D>(keys, k + start, first, length);
	tile_load<R, D>(values, v + start, first, length);
	for (u64 query = causal ? first : 0; query < length; query += N) {
		float score[R][R], change[R][R];

		__syncthreads();
		tile_load<R, D>(queries, q + start, query, length);
		tile_load<R, D>(gradients, gradient + start, query, length);
		__syncthreads();
		tile_product<R, D>(keys, queries, at, score);
		tile_product<R, D>(values, gradients, at, change);
#pragma unroll
		for (int i = 0; i < R; i++)
#pragma unroll
			for (int j = 0; j < R; j++) {
				const pair both = backward_pair(score[i][j], change[i][j], scale, query + at.tx + j * SUPPORT_SIDE,
								first + at.ty * R + i, length, causal, l + head * length, sums + head * length);

				score[i][j] = both.p;
				change[i][j] = both.ds;
			}
		weights_put<R>(weights, at, score);
		weights_put<R>(changes, at, change);
		__syncthreads();
		tile_accumulate<R, D>(weights, gradients, at, sum_v);
		tile_accumulate<R, D>(changes, queries, at, sum_k);
	}
	rows_put<R, D>(dk + start, first, length, at, sum_k, scale);
	rows_put<R, D>(dv + start, first, length, at, sum_v, 1);
}

/* One query tile's dQ, over the key tiles in order. */
template <int R, int D>
static __device__ __forceinline__ void backward_queries_body(const bf16 *q, const bf16 *k, const bf16 *v, const bf16 *gradient, const float *l,
							     const float *sums, float *dq, u64 length, int causal, float scale)
{
	enum { N = SUPPORT_SIDE * R, TILE = N * (D + SUPPORT_PAD) };
	float *queries = (float *)shared_memory, *gradients = queries + TILE, *keys = gradients + TILE, *values = keys + TILE;
	float *changes = values + TILE;
	const place at = here();
	const u64 head = blockIdx.y, start = head * length * D;
	const u64 first = (u64)blockIdx.x * N;
	const u64 end = causal && first + N < length ? first + N : length;
	float sum[R][D / 16] = {};

	tile_load<R, D>(queries, q + start, first, length);
	tile_load<R, D>(gradients, gradient + start, first, length);
	for (u64 key = 0; key < end; key += N) {
		float score[R][R], change[R][R];

		__syncthreads();
		tile_load<R, D>(keys, k + start, key, length);
		tile_load<R, D>(values, v + start, key, length);
		__syncthreads();
		tile_product<R, D>(queries, keys, at, score);
		tile_product<R, D>(gradients, values, at, change);
#pragma unroll
		for (int i = 0; i < R; i++)
#pragma unroll
			for (int j = 0; j < R; j++)
				change[i][j] = backward_pair(score[i][j], change[i][j], scale, first + at.ty * R + i, key + at.tx + j * SUPPORT_SIDE, length,
							     causal, l + head * length, sums + head * length)
						       .ds;
		weights_put<R>(changes, at, change);
		__syncthreads();
		tile_accumulate<R, D>(changes, keys, at, sum);
	}
	rows_put<R, D>(dq + start, first, length, at, sum, scale);
}

#define FORWARD(d)                                                                                                                      \
	extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS, 2)                                                                \
		forward_##d(const bf16 *q, const bf16 *k, const bf16 *v, void *o, int o_bf16, float *lse, u64 length, int causal, float scale) \
	{                                                                                                                               \
		forward_body<FORWARD_ROWS(d), d>(q, k, v, o, o_bf16, lse, length, causal, scale);                                       \
	}
#define BACKWARD(d)                                                                                                                     \
	extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS, 2)                                                                \
		backward_keys_##d(const bf16 *q, const bf16 *k, const bf16 *v, const bf16 *gradient, const float *l, const float *sums, float *dk, \
				  float *dv, u64 length, int causal, float scale)                                                       \
	{                                                                                                                               \
		backward_keys_body<BACKWARD_ROWS, d>(q, k, v, gradient, l, sums, dk, dv, length, causal, scale);                        \
	}                                                                                                                               \
	extern "C" __global__ void __launch_bounds__(SUPPORT_THREADS, 2)                                                                \
		backward_queries_##d(const bf16 *q, const bf16 *k, const bf16 *v, const bf16 *gradient, const float *l, const float *sums, \
				     float *dq, u64 length, int causal, float scale)                                                    \
	{                                                                                                                               \
		backward_queries_body<BACKWARD_ROWS, d>(q, k, v, gradient, l, sums, dq, length, causal, scale);                         \
	}

FORWARD(64)
FORWARD(96)
FORWARD(128)
FORWARD(256)
BACKWARD(64)
BACKWARD(96)
BACKWARD(128)
