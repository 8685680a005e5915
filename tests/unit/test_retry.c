/* Waits between tries, and Retry-After in both its forms. */
#include "unit.h"

#include "model/retry.h"

static void retry_after(void **state)
{
	const int64_t now = 784111777000; /* Sun, 06 Nov 1994 08:49:37 GMT */

	(void)state;
	assert_int_equal(retry_after_ms("0", now), 0);
	assert_int_equal(retry_after_ms("120", now), 120000);
	assert_int_equal(retry_after_ms("99999999999999999999", now), 366LL * 86400 * 1000);
	/* The three forms of RFC 9110 section 5.6.7. */
	assert_int_equal(retry_after_ms("Sun, 06 Nov 1994 08:49:47 GMT", now), 10000);
	assert_int_equal(retry_after_ms("Sunday, 06-Nov-94 08:49:47 GMT", now), 10000);
	assert_int_equal(retry_after_ms("Sun Nov  6 08:49:47 1994", now), 10000);
	assert_int_equal(retry_after_ms("Sun, 06 Nov 1994 08:49:37 GMT", now), 0);
	assert_int_equal(retry_after_ms("Sun, 06 Nov 1994 08:00:00 GMT", now), 0);
	assert_int_equal(retry_after_ms("", now), -1);
	assert_int_equal(retry_after_ms("-5", now), -1);
	assert_int_equal(retry_after_ms("1.5", now), -1);
	assert_int_equal(retry_after_ms("5 s", now), -1);
	assert_int_equal(retry_after_ms("soon", now), -1);
	assert_int_equal(retry_after_ms("1994-11-06", now), -1);
}

static void waits(void **state)
{
	const struct retry_policy policy = {.tries = 6, .first_ms = 500, .most_ms = 3000};
	static const int64_t bounds[] = {500, 1000, 2000, 3000, 3000, 3000};
	uint64_t jitter = 7;
	int64_t low = 500, high = 0;

	(void)state;
	for (int round = 0; round < 1000; round++) {
		for (unsigned attempt = 1; attempt <= 6; attempt++) {
			const int64_t wait = retry_wait_ms(&policy, attempt, -1, &jitter);

			assert_in_range(wait, 0, bounds[attempt - 1]);
		}
		const int64_t asked = retry_wait_ms(&policy, 4, 10000, &jitter);

		assert_in_range(asked, 10000, 10500);
		low = asked - 10000 < low ? asked - 10000 : low;
		high = asked - 10000 > high ? asked - 10000 : high;
	}
	assert_true(low < 10 && high > 490); /* spread over all of it */
}

static void what_is_tried_again(void **state)
{
	static const struct {
		int64_t status;
		bool again;
	} statuses[] = {{400, false}, {401, false}, {404, false}, {408, true}, {409, false}, {500, true}, {501, false}, {502, true}, {503, true}, {505, false}, {529, true}, {307, false}};

	(void)state;
	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
		assert_int_equal(retry_is_worth(REPLY_HTTP_ERROR, statuses[i].status, -1), statuses[i].again);
	assert_true(retry_is_worth(REPLY_HTTP_ERROR, 200, 503));
	assert_false(retry_is_worth(REPLY_HTTP_ERROR, 200, 400));
	assert_false(retry_is_worth(REPLY_HTTP_ERROR, 400, 503));
	assert_true(retry_is_worth(REPLY_RATE_LIMITED, 429, -1) && retry_is_worth(REPLY_TIMEOUT, -1, -1) && retry_is_worth(REPLY_CONNECTION, -1, -1) && retry_is_worth(REPLY_CUT_STREAM, 200, -1));
	assert_false(retry_is_worth(REPLY_ANSWER, 200, -1) || retry_is_worth(REPLY_EMPTY, 200, -1) || retry_is_worth(REPLY_TRUNCATED, 200, -1) || retry_is_worth(REPLY_REFUSED, 200, -1) ||
	             retry_is_worth(REPLY_MALFORMED, 200, -1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(retry_after),
		cmocka_unit_test(waits),
		cmocka_unit_test(what_is_tried_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
