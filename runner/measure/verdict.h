/*
 * Is an output right? Two verdicts side by side, both from the same comparison with the fp32 reference (comparison.h).
 *
 * published: PTXBench's rule (docs/tasks.md): an element is wrong only if its absolute and its relative error are both over 1e-2; every element has to be right
 * (matched ratio 1) and finite. For attention that is loose: outputs are about 0.02 in size, so the absolute bound lets 40 % of one pass.
 *
 * strict: the error has to be that of the vendor library on the same inputs, as a whole and in its tail.
 */
#ifndef PTXSEAL_MEASURE_VERDICT_H
#define PTXSEAL_MEASURE_VERDICT_H

#include <stdbool.h>

#include "comparison.h"
#include "dtype.h"

/* Relative RMS error at most so many times the library's. Two kernels that both add up in fp32 and round to the output's type differ by less than 2: where one keeps an
 * intermediate (attention's P) in fp32 and the other rounds it to bfloat16, by the square root of 2 at most. 2 is one bit of accuracy. */
#define STRICT_RMS_FACTOR 2.0

/* Each quantile at most so many times the library's. The histogram's bins are powers of two, so either quantile is known to a factor of 2 at worst; and the greatest of
 * 10^8 errors varies from one input to the next. A kernel that is wrong in a few rows is out by orders of magnitude there. The greatest may also be one unit in the last
 * place of the output's type at the reference's greatest element: of two kernels with almost the same sum one may round up and the other down, and where a few elements are far
 * larger than all others (values rare-large), that one element is the greatest error of both. */
#define STRICT_QUANTILE_FACTOR 4.0

/* fp32 outputs (attention's row statistics) need not be better than this, relative to the reference's RMS: they come from the hardware's ex2 and lg2, whose documented
 * errors are 2^-22 (PTX ISA, ex2.approx and lg2.approx), and a library that takes slower functions must not decide. 2^-20 is four times that. */
#define STRICT_F32_FLOOR 0x1p-20

enum { ERROR_QUANTILES = 5 };
extern const double error_quantile[ERROR_QUANTILES];           /* 0.5, 0.9, 0.99, 0.999, 1 */
extern const char *const error_quantile_name[ERROR_QUANTILES]; /* "0.5", ..., "max" */

/* In the reference's units, but rms. INFINITY where the reference is all zero and the output is not. */
struct error_statistics {
	double rms;                       /* relative: sqrt(sum of squared errors / sum of squared reference) */
	double quantile[ERROR_QUANTILES]; /* of |error| over the finite elements; interpolated within a bin, exact for the greatest */
};
void error_statistics(const struct comparison *comparison, struct error_statistics *statistics);

enum mark { MARK_UNKNOWN, MARK_PASS, MARK_FAIL };
const char *mark_name(enum mark mark); /* "unknown", "pass", "fail" */
/* Of several: fail if one fails, else unknown if one is unknown. MARK_PASS is neutral. */
enum mark mark_both(enum mark a, enum mark b);

enum { VERDICT_WHY_MAX = 160 };

struct verdict {
	enum mark published, strict;
	struct error_statistics own, library; /* library: all zero if there is none */
	char why[VERDICT_WHY_MAX];            /* what fails strict, else what fails published, "" if nothing does */
};

/* library NULL: there is none here, strict is unknown. */
void verdict_of(const struct comparison *candidate, const struct comparison *library, enum dtype dtype, struct verdict *verdict);

#endif
