/*
 * A cap on what a run costs: requests, tokens, money. Before a try is made, the most it can cost is set aside (the body's bytes as prompt tokens, since no token is shorter than a byte; the
 * largest completion that it asks for); what it did cost takes the place of that once the reply says so. Where a reply says nothing of usage, the most stays counted: unknown is not 0.
 * So a cap holds, whatever the endpoint leaves out. Money is counted in 10^-12 of the table's currency.
 */
#ifndef PTXSEAL_MODEL_SPEND_H
#define PTXSEAL_MODEL_SPEND_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/error.h"
#include "../bundle/exchanges.h"

#define SPEND_UNIT 1000000000000LL /* of money, in one of the currency */

struct price {
	char *model;
	int64_t prompt, completion; /* 10^-12 of the currency a token: millionths a million tokens */
};

struct prices { /* prices_free */
	char *currency, *source, *date;
	struct price *at;
	size_t count;
};
/* {"currency","date","models":[{"completion_per_million","model","prompt_per_million"}...],"schema":"ptxseal-prices/1","source"}, prices decimals in strings. */
enum status prices_read(const char *name, struct prices *prices, struct error *err);
const struct price *prices_of(const struct prices *prices, const char *model); /* NULL if it has none */
void prices_free(struct prices *prices);
/* A decimal in a string, at most six places, as millionths. False if it is none. */
bool prices_decimal(const char *text, int64_t *millionths);

struct spend_cost { int64_t requests, tokens, money; };

struct spend { /* zeroed = nothing spent, no cap, money unknown */
	struct spend_cost cap;    /* 0: no cap */
	const struct price *price; /* NULL: money is not counted (a cap on it is refused by the caller) */
	struct spend_cost spent;  /* known, and the most of what stayed unknown */
	struct spend_cost held;   /* set aside for tries under way */
	int64_t unknown;          /* tries whose usage stayed unknown and may have cost something */
	int64_t prompt_tokens, completion_tokens, reasoning_tokens; /* sums of what is known */
};

/* The most that one try can cost; completion_most < 0: not stated. */
struct spend_cost spend_most(const struct spend *spend, size_t body_bytes, int64_t completion_most);
enum spend_verdict { SPEND_MAY, SPEND_LATER /* when a try under way ends, perhaps */, SPEND_NEVER };
enum spend_verdict spend_ask(struct spend *spend, const struct spend_cost *most); /* SPEND_MAY sets it aside */
/* After SPEND_NEVER: the option of `ptxseal query` whose cap is reached, the first of them. */
const char *spend_reached(const struct spend *spend, const struct spend_cost *most);
/* The try ended: settle what was set aside. */
void spend_settle(struct spend *spend, const struct spend_cost *most, const struct exchange *exchange);
/* Nothing was sent after all. */
void spend_release(struct spend *spend, const struct spend_cost *most);
/* A record of an earlier session of the run. request_bytes: of its object. */
void spend_recall(struct spend *spend, const struct exchange *exchange, size_t request_bytes, int64_t completion_most);

#endif
