/* What the kernels without wgmma and TMA use: asynchronous copies of 16 bytes, ldmatrix, mma.sync m16n8k16. Tiles of 128 columns of bfloat16 stand in
 * shared memory with rows of 256 bytes; 16-byte chunk c of row r stands at chunk c ^ (r & 7), so that ldmatrix meets no bank twice. */
#pragma once
#include <cuda_bf16.h>
#include <cstdint>

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

__device__ __forceinline__ void load4_transposed(uint32_t (&r)[4], uint32_t from)
{
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
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

/* What pack leaves: the same numbers less their bfloat16. */
__device__ __forceinline__ uint32_t pack_rest(float low, float high)
{
	return pack(low - __bfloat162float(__float2bfloat16_rn(low)), high - __bfloat162float(__float2bfloat16_rn(high)));
}

__device__ __forceinline__ float power2(float x)
{
	float y;

	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

/* Where chunk c of row r stands in a tile of 128 columns. */
__device__ __forceinline__ uint32_t tile_at(uint32_t tile, int row, int chunk)
{
	return tile + row * 256 + ((chunk ^ (row & 7)) << 4);
}

/* 64 rows of 128 columns from memory, by 128 threads. */
__device__ __forceinline__ void tile_load(uint32_t tile, const bf16 *from)
{
#pragma unroll
	for (int i = 0; i < 8; i++) {
		const int at = i * 128 + threadIdx.x;

		copy16(tile_at(tile, at >> 4, at & 15), from + at * 8);
	}
}

/* The 16 x 16 fragment of rows from row on, columns 16 k on, as the left operand. */
__device__ __forceinline__ void left(uint32_t (&a)[4], uint32_t tile, int row, int k)
{
	const int lane = threadIdx.x & 31;

	load4(a, tile_at(tile, row + (lane & 15), k * 2 + (lane >> 4)));
}

/* Right operand whose n are the tile's rows from row on (two blocks of 8: r[0..1], r[2..3]) and whose k are columns 16 k on. */
__device__ __forceinline__ void right_rows(uint32_t (&b)[4], uint32_t tile, int row, int k)
{
	const int lane = threadIdx.x & 31;

	load4(b, tile_at(tile, row + (lane & 7) + ((lane >> 4) << 3), k * 2 + ((lane >> 3) & 1)));
}

/* Right operand whose k are the tile's rows from row on and whose n are columns 16 n on (two blocks of 8). */
__device__ __forceinline__ void right_columns(uint32_t (&b)[4], uint32_t tile, int row, int n)
{
	const int lane = threadIdx.x & 31;

	load4_transposed(b, tile_at(tile, row + (lane & 15), n * 2 + (lane >> 4)));
}
