/* Medians, and what is known of them without knowing the distribution. */
#ifndef PTXSEAL_BASE_INTERVAL_H
#define PTXSEAL_BASE_INTERVAL_H

#include <stddef.h>

/*
 * A median and its distribution-free interval: from the k-th least to the k-th greatest value, with the greatest k for which the median lies outside with a
 * probability of at most 5 % (H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, section 7.1): P(Binomial(n, 1/2) < k) <= 0.025.
 */
struct interval {
	double median, low, high;
	size_t count; /* values it is of */
	size_t rank;  /* k; 0: too few values (fewer than 6), low and high are the least and the greatest */
};
void interval_of(const double *values, size_t count, struct interval *interval); /* count 0: all zero */
/* The farther end's distance from the median, as a share of it. INFINITY without an interval. */
double interval_width(const struct interval *interval);

double median_of(const double *values, size_t count); /* 0 of none */

#endif
