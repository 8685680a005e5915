/* Whether and when a failed try is made again. Times are ms. */
#ifndef PTXSEAL_MODEL_RETRY_H
#define PTXSEAL_MODEL_RETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "../bundle/exchanges.h"

struct retry_policy {
	unsigned tries;   /* at most, the first one counted */
	int64_t first_ms; /* upper bound of the first wait; it doubles with every further one */
	int64_t most_ms;  /* upper bound of any wait that the endpoint did not ask for */
};

/* What the endpoint says: a status in the error object of a body stands for that of HTTP where HTTP says that all is well. */
int64_t retry_status(int64_t http_status, int64_t error_code);

/* Worth another try: no answer could be had for reasons that pass (statuses 408, 429 and 5xx but 501 and 505; timeouts; lost connections; cut streams). What the model itself said is not. */
bool retry_is_worth(enum reply_class reply_class, int64_t http_status, int64_t error_code);

/* The value of a Retry-After header (RFC 9110 section 10.2.3): seconds, or a date, from now_unix_ms on. -1 if it is neither; 0 for a date that has passed. */
int64_t retry_after_ms(const char *value, int64_t now_unix_ms);

/* The wait before the try of that number (1 = the second): evenly spread over [0, bound] where the endpoint asked for nothing, over asked + [0, first_ms] where it did (asked_ms >= 0).
 * state: of the generator, seeded with anything. */
int64_t retry_wait_ms(const struct retry_policy *policy, unsigned attempt, int64_t asked_ms, uint64_t *state);

#endif
