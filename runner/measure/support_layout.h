/* What support.cu and support.c agree on: sizes of tiles and grids, and the records that kernels write. */
#ifndef PTXSEAL_MEASURE_SUPPORT_LAYOUT_H
#define PTXSEAL_MEASURE_SUPPORT_LAYOUT_H

#include <stdint.h>

enum {
	SUPPORT_THREADS = 256,   /* of a block, everywhere but in stamp; attention takes them as 16 x 16 */
	SUPPORT_SIDE = 16,
	SUPPORT_PAD = 4,         /* floats a row of a tile is longer, against bank conflicts; keeps 16-byte alignment */
	SUPPORT_GEMM_TILE = 128, /* of both M and N */
	COMPARE_BLOCKS = 1024,
	COMPARE_BINS = 96,
	STAMP_SLOTS = 1024,      /* SMs with a larger number are not stamped */
	STAMP_BLOCKS = 512,      /* of 1024 threads, two an SM: enough for 256 SMs at once */
	STAMP_THREADS = 1024,
};

/* Rows of a query or key tile, in units of SUPPORT_SIDE: what fits shared memory with two blocks an SM. */
#define FORWARD_ROWS(d) ((d) <= 128 ? 4 : 2)
enum { BACKWARD_ROWS = 2 };

/* Shared memory in bytes. Forward: queries, keys or values, P. Backward: four tensors' tiles and one or two of P and dS. */
#define SUPPORT_TILE(rows, d) ((uint32_t)(rows) * SUPPORT_SIDE * ((uint32_t)(d) + SUPPORT_PAD) * 4)
#define FORWARD_SHARED(d) (2 * SUPPORT_TILE(FORWARD_ROWS(d), d) + SUPPORT_TILE(FORWARD_ROWS(d), FORWARD_ROWS(d) * SUPPORT_SIDE))
#define BACKWARD_SHARED(d, products) \
	(4 * SUPPORT_TILE(BACKWARD_ROWS, d) + (products) * SUPPORT_TILE(BACKWARD_ROWS, BACKWARD_ROWS * SUPPORT_SIDE))

/* What one block of compare found; the host adds the blocks up in order. */
struct compare_partial {
	uint64_t not_finite, reference_not_finite, published_bad;
	double max_abs, max_rel, max_reference;
	double sum_squares_error, sum_squares_reference;
};

/* One SM's clocks; taken is 0 where no block ran on it. */
struct stamp_slot {
	uint64_t taken;
	uint64_t clock; /* clock64 */
	uint64_t timer; /* globaltimer, ns */
};

#endif
