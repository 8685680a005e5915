#include "function.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

enum { MEDIAN_VALUES_MAX = 1 << 24 };

/* The 0.975 quantile of the standard normal distribution, to the last digit a double holds. */
static const double z = 1.959963984540054;

static double wilson(int64_t k, int64_t n, double sign)
{
	double hits = (double)k;
	double trials = (double)n;

	return (hits + z * z / 2 + sign * z * sqrt(hits * (trials - hits) / trials + z * z / 4)) / (trials + z * z);
}

double wilson_low(int64_t k, int64_t n)
{
	return k == 0 ? 0 : wilson(k, n, -1);
}

double wilson_high(int64_t k, int64_t n)
{
	return k == n ? 1 : wilson(k, n, 1);
}

static void sql_wilson(sqlite3_context *context, int count, sqlite3_value **values)
{
	double (*bound)(int64_t, int64_t) = *(double (**)(int64_t, int64_t))sqlite3_user_data(context);

	(void)count;
	if (sqlite3_value_type(values[0]) == SQLITE_NULL || sqlite3_value_type(values[1]) == SQLITE_NULL)
		return;
	int64_t k = sqlite3_value_int64(values[0]);
	int64_t n = sqlite3_value_int64(values[1]);

	if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || sqlite3_value_type(values[1]) != SQLITE_INTEGER || k < 0 || k > n ||
	    n > 1LL << 53) {
		sqlite3_result_error(context, "wilson_low and wilson_high take integers 0 <= k <= n", -1);
		return;
	}
	if (n > 0)
		sqlite3_result_double(context, bound(k, n));
}

/* [+-]digits[.digits][(e|E)[+-]digits] and nothing else. */
static bool is_decimal(const char *text)
{
	static const char digits[] = "0123456789";
	const char *at = text + (*text == '-' || *text == '+');
	size_t whole = strspn(at, digits);

	at += whole;
	if (*at == '.') {
		size_t fraction = strspn(++at, digits);

		at += fraction;
		whole = fraction == 0 ? 0 : whole;
	}
	if (whole != 0 && (*at == 'e' || *at == 'E')) {
		at += 1 + (at[1] == '-' || at[1] == '+');
		whole = strspn(at, digits);
		at += whole;
	}
	return whole != 0 && *at == '\0';
}

static void sql_real(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	if (sqlite3_value_type(values[0]) == SQLITE_NULL)
		return;
	const char *text = sqlite3_value_type(values[0]) == SQLITE_TEXT ? (const char *)sqlite3_value_text(values[0]) : NULL;
	double value = text != NULL && is_decimal(text) ? strtod(text, NULL) : NAN;

	if (!isfinite(value))
		sqlite3_result_error(context, "real() takes a decimal number as text", -1);
	else
		sqlite3_result_double(context, value);
}

static void sql_evidence_wanted(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct shown *shown = sqlite3_user_data(context);

	(void)count;
	(void)values;
	if (shown->evidence_id >= 0)
		sqlite3_result_int(context, shown->evidence_id);
}

static void sql_run_first(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct shown *shown = sqlite3_user_data(context);

	(void)count;
	(void)values;
	sqlite3_result_int64(context, shown->first_run);
}

static void sql_run_last(sqlite3_context *context, int count, sqlite3_value **values)
{
	const struct shown *shown = sqlite3_user_data(context);

	(void)count;
	(void)values;
	sqlite3_result_int64(context, shown->last_run);
}

/* sum: of integers, exact or an error; a window function too, as SQLite's is. */
struct sum {
	int64_t total;
	int64_t count;
};

static void sum_add(sqlite3_context *context, sqlite3_value *value, bool take_away)
{
	struct sum *sum = sqlite3_aggregate_context(context, sizeof *sum);

	if (sum == NULL || sqlite3_value_type(value) == SQLITE_NULL)
		return;
	if (sqlite3_value_type(value) != SQLITE_INTEGER) {
		sqlite3_result_error(context, "sum() takes integers only", -1);
		return;
	}
	int64_t term = sqlite3_value_int64(value);
	bool over = take_away ? __builtin_sub_overflow(sum->total, term, &sum->total)
	                      : __builtin_add_overflow(sum->total, term, &sum->total);

	if (over)
		sqlite3_result_error(context, "sum() is beyond 64 bits", -1);
	sum->count += take_away ? -1 : 1;
}

static void sum_step(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	sum_add(context, values[0], false);
}

static void sum_inverse(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	sum_add(context, values[0], true);
}

static void sum_value(sqlite3_context *context)
{
	const struct sum *sum = sqlite3_aggregate_context(context, 0);

	if (sum != NULL && sum->count > 0)
		sqlite3_result_int64(context, sum->total);
}

struct median {
	int64_t *values;
	size_t count;
	size_t room;
};

static void median_step(sqlite3_context *context, int count, sqlite3_value **values)
{
	struct median *median = sqlite3_aggregate_context(context, sizeof *median);

	(void)count;
	if (median == NULL || sqlite3_value_type(values[0]) == SQLITE_NULL)
		return;
	if (sqlite3_value_type(values[0]) != SQLITE_INTEGER || median->count >= MEDIAN_VALUES_MAX) {
		sqlite3_result_error(context, "median() takes integers only, at most 16777216", -1);
		return;
	}
	if (median->count == median->room) {
		median->room = median->room == 0 ? 64 : median->room * 2;
		median->values = mem_array(median->values, median->room, sizeof *median->values);
	}
	median->values[median->count++] = sqlite3_value_int64(values[0]);
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left;
	int64_t b = *(const int64_t *)right;

	return a < b ? -1 : a > b;
}

static void median_final(sqlite3_context *context)
{
	struct median *median = sqlite3_aggregate_context(context, 0);

	if (median == NULL || median->values == NULL)
		return;
	qsort(median->values, median->count, sizeof *median->values, by_value);
	/* Halves are exact: the two are divided first, and doubles hold half an integer below 2^52. */
	double low = (double)median->values[(median->count - 1) / 2];
	double high = (double)median->values[median->count / 2];

	sqlite3_result_double(context, low / 2 + high / 2);
	free(median->values);
}

int functions_register(sqlite3 *handle, const struct shown *shown)
{
	static double (*const low)(int64_t, int64_t) = wilson_low;
	static double (*const high)(int64_t, int64_t) = wilson_high;
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int rc;

	if ((rc = sqlite3_create_function(handle, "wilson_low", 2, flags, (void *)&low, sql_wilson, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_function(handle, "wilson_high", 2, flags, (void *)&high, sql_wilson, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_function(handle, "real", 1, flags, NULL, sql_real, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_function(handle, "evidence_wanted", 0, flags, (void *)shown, sql_evidence_wanted, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_function(handle, "run_first", 0, flags, (void *)shown, sql_run_first, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_function(handle, "run_last", 0, flags, (void *)shown, sql_run_last, NULL, NULL)) != SQLITE_OK ||
	    (rc = sqlite3_create_window_function(handle, "sum", 1, flags, NULL, sum_step, sum_value, sum_value, sum_inverse, NULL)) !=
	            SQLITE_OK)
		return rc;
	return sqlite3_create_function(handle, "median", 1, flags, NULL, NULL, median_step, median_final);
}
