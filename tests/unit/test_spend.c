/* The cap on spending holds whatever a reply leaves out (R_SPD_CAP), and prices are read strictly (R_SPD_PRICES). */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/file.h"
#include "model/spend.h"

static struct exchange tried(enum reply_class reply_class, int64_t status, int64_t prompt, int64_t completion)
{
	return (struct exchange){.reply_class = reply_class, .http_status = status, .prompt_tokens = prompt, .completion_tokens = completion, .reasoning_tokens = -1, .place = PLACE_LOOPBACK};
}

static void known_usage_takes_the_place_of_the_most(void **state)
{
	const struct price price = {.prompt = 2000000, .completion = 10000000}; /* 2 and 10 a million tokens */
	struct spend spend = {.cap = {.tokens = 1000}, .price = &price};
	struct spend_cost most = spend_most(&spend, 300, 100);

	(void)state;
	assert_int_equal(most.tokens, 400);
	assert_int_equal(most.money, 300 * 2000000LL + 100 * 10000000LL);
	assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
	assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
	assert_int_equal(spend_ask(&spend, &most), SPEND_LATER); /* 1200 if both use all they may */
	const struct exchange answer = tried(REPLY_ANSWER, 200, 60, 40);

	spend_settle(&spend, &most, &answer);
	assert_int_equal(spend.spent.tokens, 100);
	assert_int_equal(spend.spent.money, 60 * 2000000LL + 40 * 10000000LL);
	assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
	spend_settle(&spend, &most, &answer);
	spend_settle(&spend, &most, &answer);
	assert_int_equal(spend.spent.requests, 3);
	assert_int_equal(spend.held.tokens, 0);
	assert_int_equal(spend.unknown, 0);
	assert_int_equal(spend.prompt_tokens, 180);
}

static void unknown_usage_is_counted_as_the_most(void **state)
{
	struct spend spend = {.cap = {.tokens = 1000}};
	const struct spend_cost most = spend_most(&spend, 300, 100);
	const struct exchange silent[] = {tried(REPLY_ANSWER, 200, -1, -1), tried(REPLY_CUT_STREAM, 200, -1, -1), tried(REPLY_TIMEOUT, -1, 60, -1)};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
		spend_settle(&spend, &most, &silent[i]);
	}
	assert_int_equal(spend.spent.tokens, 800);
	assert_int_equal(spend.unknown, 2);
	assert_int_equal(spend_ask(&spend, &most), SPEND_NEVER);
	spend_recall(&spend, &silent[2], 300, 100);
	assert_int_equal(spend.spent.tokens, 1200);
}

static void what_was_turned_away_is_free(void **state)
{
	struct spend spend = {.cap = {.requests = 4, .tokens = 400}};
	const struct spend_cost most = spend_most(&spend, 300, 100);
	struct exchange free_ones[] = {tried(REPLY_RATE_LIMITED, 429, -1, -1), tried(REPLY_HTTP_ERROR, 500, -1, -1), tried(REPLY_CONNECTION, -1, -1, -1)};

	(void)state;
	free_ones[2].place = PLACE_UNKNOWN;
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
		spend_settle(&spend, &most, &free_ones[i]);
	}
	assert_int_equal(spend.spent.tokens, 0);
	assert_int_equal(spend.spent.requests, 3);
	assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
	spend_release(&spend, &most);
	assert_int_equal(spend.held.requests, 0);
	/* An error in a whole reply is another thing: something was made. */
	const struct exchange paid = tried(REPLY_HTTP_ERROR, 200, -1, -1);

	assert_int_equal(spend_ask(&spend, &most), SPEND_MAY);
	spend_settle(&spend, &most, &paid);
	assert_int_equal(spend.spent.tokens, 400);
	assert_int_equal(spend_ask(&spend, &most), SPEND_NEVER);
}

static void sums_do_not_run_over(void **state)
{
	const struct price price = {.prompt = 1000000000000, .completion = 1000000000000};
	struct spend spend = {.cap = {.money = 5 * SPEND_UNIT}, .price = &price};
	const struct spend_cost most = spend_most(&spend, SIZE_MAX / 4, INT64_MAX);

	(void)state;
	assert_int_equal(most.money, INT64_MAX);
	assert_int_equal(spend_ask(&spend, &most), SPEND_NEVER);
}

static void decimals(void **state)
{
	static const struct {
		const char *text;
		int64_t millionths; /* -1: none */
	} cases[] = {
		{"0", 0}, {"1", 1000000}, {"1.25", 1250000}, {"0.000001", 1}, {"1000000", 1000000000000}, {"1000000.000001", -1}, {"0.0000001", -1}, {"01", -1}, {"", -1}, {".5", -1},
		{"5.", -1}, {"-1", -1}, {"1e3", -1}, {"1,5", -1}, {"99999999999999999999", -1}, {"1.2.3", -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int64_t value = -1;
		const bool good = prices_decimal(cases[i].text, &value);

		if (good != (cases[i].millionths >= 0) || (good && value != cases[i].millionths))
			fail_msg("%s: %d, %lld", cases[i].text, good, (long long)value);
	}
}

static void tables_of_prices(void **state)
{
	static const struct {
		const char *text;
		bool good;
	} cases[] = {
		{"{\"currency\":\"USD\",\"date\":\"2026-01-31\",\"models\":[{\"completion_per_million\":\"10\",\"model\":\"m\",\"prompt_per_million\":\"1.25\"}],\"schema\":\"ptxseal-prices/1\",\"source\":\"s\"}", true},
		{"{\"currency\":\"USD\",\"date\":\"2026-01-31\",\"models\":[],\"schema\":\"ptxseal-prices/1\",\"source\":\"\"}", false},
		{"{\"currency\":\"USD\",\"date\":\"2026-02-31\",\"models\":[],\"schema\":\"ptxseal-prices/1\",\"source\":\"s\"}", false},
		{"{\"currency\":\"USD\",\"date\":\"2026-01-31\",\"models\":[{\"completion_per_million\":10,\"model\":\"m\",\"prompt_per_million\":\"1\"}],\"schema\":\"ptxseal-prices/1\",\"source\":\"s\"}", false},
		{"{\"currency\":\"USD\",\"date\":\"2026-01-31\",\"models\":[{\"completion_per_million\":\"1\",\"model\":\"m\",\"prompt_per_million\":\"1\"},{\"completion_per_million\":\"2\",\"model\":\"m\",\"prompt_per_million\":\"1\"}],\"schema\":\"ptxseal-prices/1\",\"source\":\"s\"}", false},
		{"{\"currency\":\"USD\",\"date\":\"2026-01-31\",\"models\":[],\"schema\":\"ptxseal-prices/2\",\"source\":\"s\"}", false},
		{"[]", false},
	};
	char name[] = "/tmp/ptxseal-prices-XXXXXX";
	const int fd = mkstemp(name);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct prices prices;
		struct error err = {0};

		assert_int_equal(file_write(name, 0600, cases[i].text, strlen(cases[i].text), NULL), OK);
		const enum status status = prices_read(name, &prices, &err);

		if ((status == OK) != cases[i].good)
			fail_msg("%s: %s", cases[i].text, err.what);
		if (cases[i].good) {
			assert_int_equal(prices_of(&prices, "m")->prompt, 1250000);
			assert_null(prices_of(&prices, "M"));
		} else {
			assert_int_equal(err.rule, R_SPD_PRICES);
		}
		prices_free(&prices);
	}
	unlink(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_usage_takes_the_place_of_the_most),
		cmocka_unit_test(unknown_usage_is_counted_as_the_most),
		cmocka_unit_test(what_was_turned_away_is_free),
		cmocka_unit_test(sums_do_not_run_over),
		cmocka_unit_test(decimals),
		cmocka_unit_test(tables_of_prices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
