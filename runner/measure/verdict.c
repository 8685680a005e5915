#include "verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const double error_quantile[ERROR_QUANTILES] = {0.5, 0.9, 0.99, 0.999, 1};
const char *const error_quantile_name[ERROR_QUANTILES] = {"0.5", "0.9", "0.99", "0.999", "max"};

enum { FIRST_EXPONENT = -64 }; /* of bin 0's lower end */

const char *mark_name(enum mark mark)
{
	static const char *const names[] = {[MARK_UNKNOWN] = "unknown", [MARK_PASS] = "pass", [MARK_FAIL] = "fail"};

	return names[mark];
}

enum mark mark_both(enum mark a, enum mark b)
{
	if (a == MARK_FAIL || b == MARK_FAIL)
		return MARK_FAIL;
	return a == MARK_UNKNOWN || b == MARK_UNKNOWN ? MARK_UNKNOWN : MARK_PASS;
}

/* Errors within a bin are taken as evenly spread on the logarithmic scale. Bin 0 holds what is no error at all. */
static double quantile_of(const struct comparison *comparison, uint64_t count, double q)
{
	const double wanted = q * (double)count;
	double before = 0;

	for (int bin = 0; bin < COMPARISON_BINS; bin++) {
		const double here = (double)comparison->bins[bin];

		if (here > 0 && before + here >= wanted) {
			const double value = bin == 0 ? 0 : exp2(FIRST_EXPONENT + bin + (wanted - before) / here);

			return fmin(value, comparison->max_abs);
		}
		before += here;
	}
	return 0;
}

void error_statistics(const struct comparison *comparison, struct error_statistics *statistics)
{
	uint64_t count = 0;

	for (int bin = 0; bin < COMPARISON_BINS; bin++)
		count += comparison->bins[bin];
	if (comparison->sum_squares_error == 0)
		statistics->rms = 0;
	else
		statistics->rms = sqrt(comparison->sum_squares_error / comparison->sum_squares_reference);
	for (int i = 0; i < ERROR_QUANTILES; i++)
		statistics->quantile[i] = error_quantile[i] < 1 ? quantile_of(comparison, count, error_quantile[i]) : comparison->max_abs;
}

static enum mark check_published(const struct comparison *candidate, struct verdict *verdict)
{
	if (candidate->reference_not_finite > 0)
		snprintf(verdict->why, sizeof verdict->why, "the reference itself is not finite in %" PRIu64 " elements", candidate->reference_not_finite);
	else if (candidate->not_finite > 0)
		snprintf(verdict->why, sizeof verdict->why, "%" PRIu64 " of %" PRIu64 " elements are not finite", candidate->not_finite, candidate->count);
	else if (candidate->published_bad > 0)
		snprintf(verdict->why, sizeof verdict->why, "%" PRIu64 " of %" PRIu64 " elements are off by over 1e-2, absolute and relative",
		         candidate->published_bad, candidate->count);
	else
		return MARK_PASS;
	return MARK_FAIL;
}

/* One unit in the last place of numbers of size x in the output's type; 0 for fp32, which has its own floor. bfloat16 has 8 significant bits. */
static double last_place(enum dtype dtype, double x)
{
	return dtype == DTYPE_BF16 && x > 0 ? exp2(ilogb(x) - 7) : 0;
}

static enum mark check_strict(const struct comparison *candidate, const struct comparison *library, enum dtype dtype, struct verdict *verdict)
{
	const double floor = dtype == DTYPE_F32 ? STRICT_F32_FLOOR : 0;
	const double scale = sqrt(candidate->sum_squares_reference / (double)candidate->count);
	const struct error_statistics *own = &verdict->own, *theirs = &verdict->library;
	char why[VERDICT_WHY_MAX] = "";

	if (candidate->reference_not_finite > 0 || candidate->not_finite > 0)
		return MARK_FAIL; /* check_published has said so */
	if (library->not_finite > 0)
		return MARK_UNKNOWN;
	if (!(own->rms <= fmax(STRICT_RMS_FACTOR * theirs->rms, floor)))
		snprintf(why, sizeof why, "relative RMS error %.3g, the library's is %.3g", own->rms, theirs->rms);
	for (int i = 0; i < ERROR_QUANTILES && why[0] == '\0'; i++) {
		const double unit = error_quantile[i] < 1 ? 0 : last_place(dtype, candidate->max_reference);

		if (!(own->quantile[i] <= fmax(STRICT_QUANTILE_FACTOR * fmax(theirs->quantile[i], floor * scale), unit)))
			snprintf(why, sizeof why, "error quantile %s is %.3g, the library's %.3g", error_quantile_name[i], own->quantile[i],
			         theirs->quantile[i]);
	}
	if (why[0] == '\0')
		return MARK_PASS;
	memcpy(verdict->why, why, sizeof why); /* strict decides: its reason is the one to tell */
	return MARK_FAIL;
}

void verdict_of(const struct comparison *candidate, const struct comparison *library, enum dtype dtype, struct verdict *verdict)
{
	*verdict = (struct verdict){0};
	error_statistics(candidate, &verdict->own);
	if (library != NULL)
		error_statistics(library, &verdict->library);
	verdict->published = check_published(candidate, verdict);
	verdict->strict = library != NULL ? check_strict(candidate, library, dtype, verdict) : MARK_UNKNOWN;
}
