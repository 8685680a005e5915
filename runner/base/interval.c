#include "interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bytes.h"

static int ascending(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double *sorted(const double *values, size_t count)
{
	double *copy = mem_array(NULL, count + 1, sizeof *copy);

	memcpy(copy, values, count * sizeof *copy);
	qsort(copy, count, sizeof *copy, ascending);
	return copy;
}

static double middle(const double *ascending_values, size_t count)
{
	return (ascending_values[(count - 1) / 2] + ascending_values[count / 2]) / 2;
}

/* The greatest k with P(Binomial(n, 1/2) < k) <= 0.025. */
static size_t rank_of(size_t count)
{
	const double n = (double)count;
	double below = 0;
	size_t k = 0;
	int sign; /* lgamma would keep it in a variable of the whole process: records are read on all cores */

	for (;; k++) {
		below += exp(lgamma_r(n + 1, &sign) - lgamma_r((double)k + 1, &sign) - lgamma_r(n - (double)k + 1, &sign) - n * log(2));
		if (below > 0.025)
			return k;
	}
}

void interval_of(const double *values, size_t count, struct interval *interval)
{
	*interval = (struct interval){.count = count};
	if (count == 0)
		return;
	double *copy = sorted(values, count);
	const size_t k = rank_of(count);

	interval->rank = k;
	interval->median = middle(copy, count);
	interval->low = copy[k > 0 ? k - 1 : 0];
	interval->high = copy[k > 0 ? count - k : count - 1];
	free(copy);
}

double interval_width(const struct interval *interval)
{
	if (interval->rank == 0 || !(interval->median > 0))
		return INFINITY;
	return fmax(interval->high - interval->median, interval->median - interval->low) / interval->median;
}

double median_of(const double *values, size_t count)
{
	if (count == 0)
		return 0;
	double *copy = sorted(values, count);
	const double median = middle(copy, count);

	free(copy);
	return median;
}
