#include "retry.h"

#include <ctype.h>
#include <string.h>

#include <curl/curl.h>

int64_t retry_status(int64_t http_status, int64_t error_code)
{
	return http_status >= 200 && http_status < 300 ? error_code : http_status;
}

bool retry_is_worth(enum reply_class reply_class, int64_t http_status, int64_t error_code)
{
	const int64_t status = retry_status(http_status, error_code);

	switch (reply_class) {
	case REPLY_RATE_LIMITED:
	case REPLY_TIMEOUT:
	case REPLY_CONNECTION:
	case REPLY_CUT_STREAM:
		return true;
	case REPLY_HTTP_ERROR:
		return status == 408 || status == 429 || (status >= 500 && status < 600 && status != 501 && status != 505);
	default:
		return false;
	}
}

int64_t retry_after_ms(const char *value, int64_t now_unix_ms)
{
	const int64_t most_s = 366LL * 86400;
	int64_t seconds = 0;

	if (isdigit((unsigned char)value[0])) {
		for (; isdigit((unsigned char)*value); value++)
			seconds = seconds < most_s ? seconds * 10 + (*value - '0') : seconds;
		return *value == '\0' ? (seconds < most_s ? seconds : most_s) * 1000 : -1;
	}
	/* The three forms of a date all begin with the name of a day, and name a time. */
	if (!isalpha((unsigned char)value[0]) || strchr(value, ':') == NULL)
		return -1;
	const time_t date = curl_getdate(value, NULL);

	if (date == (time_t)-1)
		return -1;
	const int64_t wait = (int64_t)date * 1000 - now_unix_ms;

	return wait < 0 ? 0 : wait < most_s * 1000 ? wait : most_s * 1000;
}

/* SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int64_t retry_wait_ms(const struct retry_policy *policy, unsigned attempt, int64_t asked_ms, uint64_t *state)
{
	int64_t bound = policy->first_ms;

	if (asked_ms < 0)
		for (unsigned i = 1; i < attempt && bound < policy->most_ms; i++)
			bound *= 2;
	if (bound > policy->most_ms)
		bound = policy->most_ms;
	const int64_t spread = bound > 0 ? (int64_t)(next(state) % ((uint64_t)bound + 1)) : 0;

	return asked_ms < 0 ? spread : asked_ms + spread;
}
