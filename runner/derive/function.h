/* Our own SQL functions, documented in schema.sql: wilson_low, wilson_high, real, median, sum of integers, evidence_wanted, run_first, run_last. */
#ifndef PTXSEAL_DERIVE_FUNCTION_H
#define PTXSEAL_DERIVE_FUNCTION_H

#include <stdint.h>

#include <sqlite3.h>

/* The bounds of Wilson's 95 % score interval of k of n, 0 <= k <= n, n > 0:
 * (k + z^2/2 -+ z sqrt(k (n - k) / n + z^2/4)) / (n + z^2); exactly 0 for k = 0 below and 1 for k = n above. */
double wilson_low(int64_t k, int64_t n);
double wilson_high(int64_t k, int64_t n);

/* What the views show. */
struct shown {
	int evidence_id;             /* evidence_wanted(): of this grade; below 0: NULL, all */
	int64_t first_run, last_run; /* run_first(), run_last(): runs with these run_ids and between; those of a source are consecutive */
};

/* shown must outlive the handle. An SQLite result code. */
int functions_register(sqlite3 *handle, const struct shown *shown);

#endif
