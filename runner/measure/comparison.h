/* What a comparison with the reference counts. No CUDA types: verdicts are passed on the CPU. */
#ifndef PTXSEAL_MEASURE_COMPARISON_H
#define PTXSEAL_MEASURE_COMPARISON_H

#include <stdint.h>

enum { COMPARISON_BINS = 96 };

/* How a candidate's output compares with the fp32 reference, element by element. */
struct comparison {
	uint64_t count;
	uint64_t not_finite;        /* NaN or infinity in the candidate where the reference is finite */
	uint64_t reference_not_finite; /* never acceptable: the task is broken */
	uint64_t published_bad;     /* |x-r| > 1e-2 and |x-r| / (|r| + 1e-8) > 1e-2: PTXBench's rule (FB/bench/evaluators/default.py) */
	double max_abs, max_rel;
	double max_reference; /* greatest |r| of the elements compared */
	double sum_squares_error, sum_squares_reference; /* fixed-order sums: relative RMS error = sqrt(ratio) */
	/* Histogram of |x-r| by power of two: bin b counts errors in [2^(b-64), 2^(b-63)); bin 0 also everything smaller, bin 95 everything larger. */
	uint64_t bins[COMPARISON_BINS];
};

#endif
