#include "exchanges.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"

static const char *const class_names[REPLY_CLASS_COUNT] = {
	[REPLY_ANSWER] = "answer",         [REPLY_EMPTY] = "empty",           [REPLY_TRUNCATED] = "truncated",       [REPLY_REFUSED] = "refused",
	[REPLY_MALFORMED] = "malformed",   [REPLY_HTTP_ERROR] = "http_error", [REPLY_RATE_LIMITED] = "rate_limited", [REPLY_TIMEOUT] = "timeout",
	[REPLY_CONNECTION] = "connection", [REPLY_CUT_STREAM] = "cut_stream",   [REPLY_PROMPT_TOO_LONG] = "prompt_too_long",
};

static const char *const place_names[PLACE_COUNT] = {"unknown", "loopback", "private", "public", "proxy"};

const char *reply_class_name(enum reply_class reply_class)
{
	return class_names[reply_class];
}

const char *endpoint_place_name(enum endpoint_place place)
{
	return place_names[place];
}

void exchange_free(struct exchange *exchange)
{
	free(exchange->api);
	free(exchange->model_asked);
	free(exchange->model_answered);
	free(exchange->parameters);
	free(exchange->finish_reason);
	free(exchange->fingerprint);
	free(exchange->host);
	free(exchange->client);
	*exchange = (struct exchange){0};
}

/* ---- identity ---- */

static void add_field(struct bytes *out, const char *text, size_t len)
{
	bytes_format(out, "%zu ", len);
	bytes_add(out, text, len);
}

struct sha256 exchange_identity(const char *model, const char *parameters, const struct sha256 *prompt, uint32_t sample)
{
	struct bytes fields = {0};
	char hex[SHA256_HEX + 1], number[16];

	sha256_hex(prompt, hex);
	snprintf(number, sizeof number, "%lu", (unsigned long)sample);
	add_field(&fields, "ptxseal-answer/1", strlen("ptxseal-answer/1"));
	add_field(&fields, model, strlen(model));
	add_field(&fields, parameters, strlen(parameters));
	add_field(&fields, hex, SHA256_HEX);
	add_field(&fields, number, strlen(number));
	const struct sha256 identity = sha256_of(fields.data, fields.len);

	bytes_free(&fields);
	return identity;
}

/* ---- out ---- */

static void add_text(struct bytes *out, const char *key, const char *text)
{
	bytes_format(out, ",\"%s\":", key);
	if (text == NULL)
		bytes_text(out, "null");
	else
		jcs_string(text, strlen(text), out);
}

/* -1 = null */
static void add_number(struct bytes *out, const char *key, int64_t number)
{
	bytes_format(out, ",\"%s\":", key);
	if (number < 0)
		bytes_text(out, "null");
	else
		bytes_format(out, "%lld", (long long)number);
}

static void add_hash(struct bytes *out, const char *key, const struct sha256 *hash)
{
	char hex[SHA256_HEX + 1];

	if (hash != NULL)
		sha256_hex(hash, hex);
	add_text(out, key, hash != NULL ? hex : NULL);
}

void exchange_write(const struct exchange *exchange, struct bytes *out)
{
	bytes_text(out, "{\"api\":");
	jcs_string(exchange->api, strlen(exchange->api), out);
	add_number(out, "attempt", exchange->attempt);
	add_text(out, "client", exchange->client);
	add_text(out, "endpoint", place_names[exchange->place]);
	add_text(out, "failure", exchange->reply_class == REPLY_ANSWER ? NULL : class_names[exchange->reply_class]);
	add_text(out, "fingerprint", exchange->fingerprint);
	add_text(out, "finish_reason", exchange->finish_reason);
	add_number(out, "first_byte_ms", exchange->first_byte_ms);
	add_text(out, "host", exchange->host);
	add_number(out, "http_status", exchange->http_status);
	add_text(out, "model_answered", exchange->model_answered);
	add_text(out, "model_asked", exchange->model_asked);
	bytes_format(out, ",\"parameters\":%s", exchange->parameters);
	add_hash(out, "prompt_sha256", &exchange->prompt);
	add_number(out, "redacted", exchange->redacted);
	add_hash(out, "request", &exchange->request);
	add_hash(out, "response", exchange->has_response ? &exchange->response : NULL);
	bytes_format(out, ",\"response_complete\":%s", exchange->response_complete ? "true" : "false");
	add_number(out, "sample", exchange->sample);
	add_text(out, "started", exchange->started);
	add_number(out, "took_ms", exchange->took_ms);
	add_number(out, "trajectory", exchange->trajectory);
	add_number(out, "turn", exchange->turn);
	bytes_text(out, ",\"usage\":{\"completion\":");
	const int64_t counts[] = {exchange->completion_tokens, exchange->prompt_tokens, exchange->reasoning_tokens};
	static const char *const after[] = {",\"prompt\":", ",\"reasoning\":", "}}\n"};

	for (size_t i = 0; i < 3; i++) {
		if (counts[i] < 0)
			bytes_text(out, "null");
		else
			bytes_format(out, "%lld", (long long)counts[i]);
		bytes_text(out, after[i]);
	}
}

/* ---- in ---- */

struct reading {
	const cJSON *record;
	const char *file;
	struct error *err;
	enum status status;
};

static void refuse(struct reading *reading, const char *key, const char *wanted)
{
	if (reading->status == OK)
		reading->status = error_set(reading->err, R_EXC_FIELD, reading->file, "%s is not %s", key, wanted);
}

static char *text_or_null(struct reading *reading, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(reading->record, key);

	if (cJSON_IsNull(item))
		return NULL;
	if (cJSON_IsString(item) && strlen(item->valuestring) <= EXCHANGE_TEXT_MAX)
		return mem_text(item->valuestring);
	refuse(reading, key, "null or a text of at most 256 bytes");
	return NULL;
}

static char *text(struct reading *reading, const char *key)
{
	char *value = text_or_null(reading, key);

	if (value == NULL || value[0] == '\0')
		refuse(reading, key, "a text");
	return value;
}

static int64_t number_of(struct reading *reading, const cJSON *object, const char *key, bool may_be_null, int64_t max)
{
	int64_t value = -1;

	if (may_be_null && cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, key)))
		return -1;
	if (json_integer(object, key, 0, max, reading->file, &value, NULL) != OK)
		refuse(reading, key, "an integer in its range");
	return value;
}

static int64_t number(struct reading *reading, const char *key, bool may_be_null, int64_t max)
{
	return number_of(reading, reading->record, key, may_be_null, max);
}

/* Of one of the names; the index. */
static int one_of(struct reading *reading, const char *key, const char *const *names, int count)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(reading->record, key);

	if (cJSON_IsString(item))
		for (int i = 0; i < count; i++)
			if (strcmp(item->valuestring, names[i]) == 0)
				return i;
	refuse(reading, key, "one of its values");
	return 0;
}

static bool hash(struct reading *reading, const char *key, bool may_be_null, struct sha256 *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(reading->record, key);

	if (may_be_null && cJSON_IsNull(item))
		return false;
	if (cJSON_IsString(item) && sha256_parse(item->valuestring, value))
		return true;
	refuse(reading, key, "a SHA-256");
	return false;
}

/* 2026-01-31T23:59:59.999Z */
static bool started_valid(const char *value)
{
	static const char form[] = "0000-00-00T00:00:00.000Z";

	if (strlen(value) != EXCHANGE_STARTED || !date_valid(value, DATE_TEXT))
		return false;
	for (size_t i = 0; i < EXCHANGE_STARTED; i++)
		if (form[i] == '0' ? value[i] < '0' || value[i] > '9' : value[i] != form[i])
			return false;
	return memcmp(value + 11, "24", 2) < 0 && value[14] < '6' && value[17] < '6';
}

static void read_parameters(struct reading *reading, struct exchange *exchange)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(reading->record, "parameters");
	struct bytes out = {0};

	if (!cJSON_IsObject(item) || jcs_write(item, &out, NULL) != OK || out.len > EXCHANGE_PARAMETERS_MAX)
		refuse(reading, "parameters", "an object that is not too large");
	exchange->parameters = out.data != NULL ? out.data : mem_text("{}");
}

static void read_usage(struct reading *reading, struct exchange *exchange)
{
	static const char *const names[] = {"completion", "prompt", "reasoning", NULL};
	const cJSON *usage = cJSON_GetObjectItemCaseSensitive(reading->record, "usage");
	const int64_t max = 1000000000000;

	if (!cJSON_IsObject(usage) || json_only(usage, names, reading->file, NULL) != OK) {
		refuse(reading, "usage", "an object of completion, prompt and reasoning");
		return;
	}
	exchange->completion_tokens = number_of(reading, usage, "completion", true, max);
	exchange->prompt_tokens = number_of(reading, usage, "prompt", true, max);
	exchange->reasoning_tokens = number_of(reading, usage, "reasoning", true, max);
}

static void read_fields(struct reading *reading, struct exchange *exchange)
{
	static const char *const names[] = {"api",          "attempt",     "client",     "endpoint",    "failure",       "fingerprint", "finish_reason", "first_byte_ms",
	                                    "host",         "http_status", "model_answered", "model_asked", "parameters", "prompt_sha256", "redacted",  "request",
	                                    "response",     "response_complete", "sample", "started",   "took_ms",       "trajectory",  "turn",          "usage", NULL};
	static const char *const apis[] = {"chat", "responses"};
	const int64_t day_ms = 86400000, most = UINT32_MAX;

	if (!cJSON_IsObject(reading->record) || json_only(reading->record, names, reading->file, reading->err) != OK) {
		reading->status = error_set(reading->err, R_EXC_FIELD, reading->file, "it is no object, or has a field of another name");
		return;
	}
	exchange->api = mem_text(apis[one_of(reading, "api", apis, 2)]);
	exchange->attempt = (uint32_t)number(reading, "attempt", false, most);
	exchange->client = text(reading, "client");
	exchange->place = (enum endpoint_place)one_of(reading, "endpoint", place_names, PLACE_COUNT);
	exchange->reply_class = REPLY_ANSWER;
	if (!cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(reading->record, "failure")))
		exchange->reply_class = (enum reply_class)(1 + one_of(reading, "failure", class_names + 1, REPLY_CLASS_COUNT - 1));
	exchange->fingerprint = text_or_null(reading, "fingerprint");
	exchange->finish_reason = text_or_null(reading, "finish_reason");
	exchange->first_byte_ms = number(reading, "first_byte_ms", true, day_ms);
	exchange->host = text_or_null(reading, "host");
	exchange->http_status = number(reading, "http_status", true, 999);
	exchange->model_answered = text_or_null(reading, "model_answered");
	exchange->model_asked = text(reading, "model_asked");
	read_parameters(reading, exchange);
	hash(reading, "prompt_sha256", false, &exchange->prompt);
	exchange->redacted = (uint32_t)number(reading, "redacted", false, most);
	hash(reading, "request", false, &exchange->request);
	exchange->has_response = hash(reading, "response", true, &exchange->response);
	exchange->response_complete = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(reading->record, "response_complete"));
	if (!cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(reading->record, "response_complete")))
		refuse(reading, "response_complete", "true or false");
	exchange->sample = (uint32_t)number(reading, "sample", false, most);
	char *started = text(reading, "started");

	if (started != NULL && started_valid(started))
		memcpy(exchange->started, started, sizeof exchange->started);
	else
		refuse(reading, "started", "a time such as 2026-01-31T23:59:59.999Z");
	free(started);
	exchange->took_ms = number(reading, "took_ms", false, day_ms);
	exchange->trajectory = (uint32_t)number(reading, "trajectory", false, most);
	exchange->turn = (uint32_t)number(reading, "turn", false, most);
	read_usage(reading, exchange);
}

/* What cannot be so, whatever the endpoint did. */
static const char *contradiction(const struct exchange *e)
{
	const bool success = e->http_status >= 200 && e->http_status <= 299;
	const bool lost = e->reply_class == REPLY_CONNECTION || e->reply_class == REPLY_TIMEOUT;

	if (e->http_status < 0 && (!lost || e->has_response))
		return "without an HTTP status there is no response, and the failure is timeout or connection";
	if (!success && e->http_status >= 0 && !lost && e->reply_class != REPLY_HTTP_ERROR && e->reply_class != REPLY_RATE_LIMITED && e->reply_class != REPLY_MALFORMED && e->reply_class != REPLY_PROMPT_TOO_LONG)
		return "a status other than 2xx is an error, whatever the body says";
	if (e->response_complete && !e->has_response && e->reply_class != REPLY_MALFORMED)
		return "a whole response is kept";
	if (e->reply_class == REPLY_ANSWER && (!e->has_response || e->finish_reason == NULL))
		return "an answer has a response and a finish reason";
	if (e->reply_class == REPLY_PROMPT_TOO_LONG && !e->has_response)
		return "that a prompt is too long is said by a response";
	if (e->http_status >= 0 && !e->has_response && e->reply_class != REPLY_MALFORMED)
		return "a reply that is not kept is called malformed";
	if (e->redacted > 0 && !e->has_response)
		return "a key was taken out of no response";
	if (e->first_byte_ms > e->took_ms)
		return "the first byte came after the end";
	return NULL;
}

static enum status read_record(const char *line, size_t len, const char *file, struct exchange *exchange, struct error *err)
{
	struct reading reading = {.file = file, .err = err, .status = OK};
	struct bytes again = {0};
	cJSON *record;

	reading.status = json_parse(line, len, file, &record, err);
	reading.record = record;
	if (reading.status == OK)
		read_fields(&reading, exchange);
	cJSON_Delete(record);
	if (reading.status != OK)
		return reading.status;
	exchange_write(exchange, &again);
	if (again.len != len + 1 || memcmp(again.data, line, len) != 0)
		reading.status = error_set(err, R_EXC_LINE, file, "it is not canonical JSON");
	bytes_free(&again);
	if (reading.status == OK && contradiction(exchange) != NULL)
		reading.status = error_set(err, R_EXC_AGREE, file, "%s", contradiction(exchange));
	return reading.status;
}

/* A try's place, for the order. */
struct place {
	uint32_t trajectory, turn, attempt;
	bool answer;
	uint64_t line;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->trajectory != y->trajectory)
		return x->trajectory < y->trajectory ? -1 : 1;
	if (x->turn != y->turn)
		return x->turn < y->turn ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

static enum status check_order(struct place *places, size_t count, const char *file, struct error *err)
{
	if (count > 1)
		qsort(places, count, sizeof *places, by_place);
	for (size_t i = 0; i < count; i++) {
		const bool first = i == 0 || places[i - 1].trajectory != places[i].trajectory || places[i - 1].turn != places[i].turn;

		if (places[i].attempt != (first ? 0 : places[i - 1].attempt + 1))
			return error_line(err, R_EXC_ORDER, file, places[i].line, "attempt %lu of trajectory %lu, turn %lu; expected %lu", (unsigned long)places[i].attempt,
			                  (unsigned long)places[i].trajectory, (unsigned long)places[i].turn, first ? 0ul : places[i - 1].attempt + 1ul);
		if (!first && places[i - 1].answer)
			return error_line(err, R_EXC_ORDER, file, places[i].line, "a try after the answer of trajectory %lu, turn %lu", (unsigned long)places[i].trajectory,
			                  (unsigned long)places[i].turn);
	}
	return OK;
}

enum status exchanges_parse(const char *text_at, size_t len, const char *file, exchange_visit *visit, void *context, struct error *err)
{
	struct place *places = NULL;
	size_t count = 0, room = 0;
	enum status status = OK;

	for (size_t at = 0; at < len && status == OK;) {
		const char *end = memchr(text_at + at, '\n', len - at);
		const size_t line_len = end != NULL ? (size_t)(end - (text_at + at)) : len - at;
		struct exchange exchange = {0};
		struct error mine = {0};

		if (end == NULL || line_len > EXCHANGE_LINE_MAX)
			status = error_set(&mine, R_EXC_LINE, file, end == NULL ? "it has no newline at its end" : "it is longer than %d bytes", EXCHANGE_LINE_MAX);
		if (status == OK)
			status = read_record(text_at + at, line_len, file, &exchange, &mine);
		if (count == room) {
			room = room * 2 + 64;
			places = mem_array(places, room, sizeof *places);
		}
		places[count] = (struct place){exchange.trajectory, exchange.turn, exchange.attempt, exchange.reply_class == REPLY_ANSWER, count + 1};
		count++;
		if (status != OK && err != NULL) {
			*err = mine;
			err->line = count;
		}
		if (status == OK)
			status = visit(context, &exchange, count, err);
		exchange_free(&exchange);
		at += line_len + 1;
	}
	if (status == OK)
		status = check_order(places, count, file, err);
	free(places);
	return status;
}
