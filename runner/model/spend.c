#include "spend.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/json.h"

enum { PRICES_FILE_MAX = 1 << 20 };
#define PRICE_MOST 1000000000000LL /* millionths of the currency a million tokens: a million */

/* ---- prices ---- */

bool prices_decimal(const char *text, int64_t *millionths)
{
	int64_t value = 0;
	int places = -1;

	if (*text < '0' || *text > '9' || (text[0] == '0' && text[1] >= '0' && text[1] <= '9'))
		return false;
	for (; *text != '\0'; text++) {
		if (*text == '.' && places < 0) {
			places = 0;
			if (text[1] == '\0')
				return false;
			continue;
		}
		if (*text < '0' || *text > '9' || places == 6 || value > PRICE_MOST)
			return false;
		value = value * 10 + (*text - '0');
		places += places >= 0;
	}
	for (places = places < 0 ? 0 : places; places < 6; places++)
		value *= 10;
	*millionths = value;
	return value <= PRICE_MOST;
}

static enum status read_price(const cJSON *item, const char *name, struct price *price, struct error *err)
{
	static const char *const fields[] = {"completion_per_million", "model", "prompt_per_million", NULL};
	const char *model, *prompt, *completion;

	if (!cJSON_IsObject(item) || json_only(item, fields, name, NULL) != OK || json_text(item, "model", name, &model, NULL) != OK || model[0] == '\0' ||
	    json_text(item, "prompt_per_million", name, &prompt, NULL) != OK || json_text(item, "completion_per_million", name, &completion, NULL) != OK)
		return error_set(err, R_SPD_PRICES, name, "one of models is not of a model, prompt_per_million and completion_per_million, all texts");
	if (!prices_decimal(prompt, &price->prompt) || !prices_decimal(completion, &price->completion))
		return error_set(err, R_SPD_PRICES, name, "a price of '%s' is no decimal of at most six places", model);
	price->model = mem_text(model);
	return OK;
}

static enum status read_table(const cJSON *table, const char *name, struct prices *prices, struct error *err)
{
	static const char *const fields[] = {"currency", "date", "models", "schema", "source", NULL};
	const char *schema, *currency, *source, *date;
	const cJSON *models;

	if (!cJSON_IsObject(table) || json_only(table, fields, name, NULL) != OK || json_text(table, "schema", name, &schema, NULL) != OK || strcmp(schema, "ptxseal-prices/1") != 0 ||
	    json_text(table, "currency", name, &currency, NULL) != OK || json_text(table, "source", name, &source, NULL) != OK || source[0] == '\0' ||
	    json_text(table, "date", name, &date, NULL) != OK || !date_valid(date, strlen(date)) || json_child(table, "models", JSON_ARRAY, name, &models, NULL) != OK)
		return error_set(err, R_SPD_PRICES, name, "it is not of schema ptxseal-prices/1 with currency, date, source and models");
	prices->currency = mem_text(currency);
	prices->source = mem_text(source);
	prices->date = mem_text(date);
	prices->at = mem_array(NULL, (size_t)cJSON_GetArraySize(models), sizeof *prices->at);
	for (const cJSON *item = models->child; item != NULL; item = item->next) {
		const enum status status = read_price(item, name, &prices->at[prices->count], err);

		if (status != OK)
			return status;
		prices->count++;
		if (prices_of(prices, prices->at[prices->count - 1].model) != &prices->at[prices->count - 1])
			return error_set(err, R_SPD_PRICES, name, "the model '%s' stands there twice", prices->at[prices->count - 1].model);
	}
	return OK;
}

enum status prices_read(const char *name, struct prices *prices, struct error *err)
{
	struct bytes text = {0};
	cJSON *table = NULL;
	enum status status = file_read(name, PRICES_FILE_MAX, &text, err);

	*prices = (struct prices){0};
	if (status == OK)
		status = json_parse(text.data != NULL ? text.data : "", text.len, name, &table, err);
	if (status == OK)
		status = read_table(table, name, prices, err);
	if (status != OK)
		prices_free(prices);
	cJSON_Delete(table);
	bytes_free(&text);
	return status;
}

const struct price *prices_of(const struct prices *prices, const char *model)
{
	for (size_t i = 0; i < prices->count; i++)
		if (strcmp(prices->at[i].model, model) == 0)
			return &prices->at[i];
	return NULL;
}

void prices_free(struct prices *prices)
{
	for (size_t i = 0; i < prices->count; i++)
		free(prices->at[i].model);
	free(prices->at);
	free(prices->currency);
	free(prices->source);
	free(prices->date);
	*prices = (struct prices){0};
}

/* ---- the account ---- */

/* Sums stop at the largest number: a cap is reached long before. */
static int64_t plus(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

static int64_t times(int64_t count, int64_t price)
{
	int64_t product;

	return __builtin_mul_overflow(count, price, &product) ? INT64_MAX : product;
}

static struct spend_cost cost_of(const struct spend *spend, int64_t prompt, int64_t completion)
{
	struct spend_cost cost = {.requests = 1, .tokens = plus(prompt, completion)};

	if (spend->price != NULL)
		cost.money = plus(times(prompt, spend->price->prompt), times(completion, spend->price->completion));
	return cost;
}

static void add(struct spend_cost *to, const struct spend_cost *cost)
{
	to->requests = plus(to->requests, cost->requests);
	to->tokens = plus(to->tokens, cost->tokens);
	to->money = plus(to->money, cost->money);
}

struct spend_cost spend_most(const struct spend *spend, size_t body_bytes, int64_t completion_most)
{
	return cost_of(spend, (int64_t)body_bytes, completion_most < 0 ? 0 : completion_most);
}

/* The cap that a further try would go beyond; NULL if none. */
static const char *beyond(const struct spend *spend, const struct spend_cost *before, const struct spend_cost *most)
{
	struct spend_cost sum = *before;

	add(&sum, most);
	if (spend->cap.requests != 0 && sum.requests > spend->cap.requests)
		return "--max-requests";
	if (spend->cap.tokens != 0 && sum.tokens > spend->cap.tokens)
		return "--max-total-tokens";
	return spend->cap.money != 0 && sum.money > spend->cap.money ? "--max-money" : NULL;
}

const char *spend_reached(const struct spend *spend, const struct spend_cost *most)
{
	return beyond(spend, &spend->spent, most);
}

enum spend_verdict spend_ask(struct spend *spend, const struct spend_cost *most)
{
	struct spend_cost sum = spend->spent;

	if (beyond(spend, &sum, most) != NULL)
		return SPEND_NEVER;
	add(&sum, &spend->held);
	if (beyond(spend, &sum, most) != NULL)
		return SPEND_LATER;
	add(&spend->held, most);
	return SPEND_MAY;
}

/* Nothing was made for a try that was turned away, or that never reached the endpoint. */
static bool is_free(const struct exchange *exchange)
{
	return exchange->reply_class == REPLY_RATE_LIMITED || ((exchange->reply_class == REPLY_HTTP_ERROR || exchange->reply_class == REPLY_PROMPT_TOO_LONG) && (exchange->http_status < 200 || exchange->http_status > 299)) ||
	       (exchange->reply_class == REPLY_CONNECTION && exchange->place == PLACE_UNKNOWN);
}

static void count(struct spend *spend, const struct spend_cost *most, const struct exchange *exchange)
{
	struct spend_cost cost = {.requests = 1};

	if (exchange->prompt_tokens >= 0 && exchange->completion_tokens >= 0) {
		cost = cost_of(spend, exchange->prompt_tokens, exchange->completion_tokens);
	} else if (!is_free(exchange)) {
		cost = *most;
		spend->unknown++;
	}
	add(&spend->spent, &cost);
	if (exchange->prompt_tokens > 0)
		spend->prompt_tokens = plus(spend->prompt_tokens, exchange->prompt_tokens);
	if (exchange->completion_tokens > 0)
		spend->completion_tokens = plus(spend->completion_tokens, exchange->completion_tokens);
	if (exchange->reasoning_tokens > 0)
		spend->reasoning_tokens = plus(spend->reasoning_tokens, exchange->reasoning_tokens);
}

void spend_release(struct spend *spend, const struct spend_cost *most)
{
	spend->held.requests -= most->requests;
	spend->held.tokens -= most->tokens;
	spend->held.money -= most->money;
}

void spend_settle(struct spend *spend, const struct spend_cost *most, const struct exchange *exchange)
{
	spend_release(spend, most);
	count(spend, most, exchange);
}

void spend_recall(struct spend *spend, const struct exchange *exchange, size_t request_bytes, int64_t completion_most)
{
	const struct spend_cost most = spend_most(spend, request_bytes, completion_most);

	count(spend, &most, exchange);
}
