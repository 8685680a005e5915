#include "reply.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/utf8.h"
#include "reply_take.h"
#include "sse.h"

enum { WHY_MAX = 400 };

void reply_text_free(struct reply_text *reply)
{
	free(reply->why);
	bytes_free(&reply->content);
	bytes_free(&reply->reasoning);
	free(reply->finish_reason);
	free(reply->model);
	free(reply->fingerprint);
	*reply = (struct reply_text){.reasoning_source = ""};
}

const char *take_text(const cJSON *object, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	return cJSON_IsString(item) ? item->valuestring : NULL;
}

void take_failure(struct taking *taking, enum reply_class reply_class, const char *fmt, ...)
{
	char text[4 * WHY_MAX], printable[WHY_MAX];
	va_list args;

	if (taking->failed)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	utf8_printable(text, strlen(text), printable, sizeof printable);
	taking->failed = true;
	taking->reply->reply_class = reply_class;
	taking->reply->why = mem_text(printable);
}

static bool says(const cJSON *error, const char *key, const char *text)
{
	const char *value = take_text(error, key);

	return value != NULL && strcmp(value, text) == 0;
}

/* That the prompt does not fit: OpenAI's code, which others took over; llama.cpp's type; vLLM's message, which has neither. */
static bool is_too_long(const cJSON *error)
{
	const char *message = take_text(error, "message");

	return says(error, "code", "context_length_exceeded") || says(error, "type", "exceed_context_size_error") ||
	       (message != NULL && strstr(message, "maximum context length is") != NULL);
}

void take_error(struct taking *taking, const cJSON *error)
{
	const char *message = cJSON_IsString(error) ? error->valuestring : take_text(error, "message");
	const cJSON *code = cJSON_GetObjectItemCaseSensitive(error, "code");

	/* Some write the status as text. Other texts are names of errors. */
	const double number = cJSON_IsNumber(code) ? code->valuedouble : cJSON_IsString(code) ? strtod(code->valuestring, NULL) : 0;

	if (!taking->failed && number >= 400 && number < 600)
		taking->reply->error_code = (int64_t)number;
	take_failure(taking, taking->reply->error_code == 429 ? REPLY_RATE_LIMITED : is_too_long(error) ? REPLY_PROMPT_TOO_LONG : REPLY_HTTP_ERROR, "the endpoint says: %.*s", WHY_MAX,
	             message != NULL ? message : "an error without a message");
}

/* A count of tokens, where one stands. */
static bool take_count(const cJSON *object, const char *key, int64_t *count)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0) || item->valuedouble > 1e12 || item->valuedouble != (double)(int64_t)item->valuedouble)
		return false;
	*count = (int64_t)item->valuedouble;
	return true;
}

static void take_usage(struct reply_text *reply, const cJSON *usage)
{
	if (!take_count(usage, "prompt_tokens", &reply->prompt_tokens))
		take_count(usage, "input_tokens", &reply->prompt_tokens);
	if (!take_count(usage, "completion_tokens", &reply->completion_tokens))
		take_count(usage, "output_tokens", &reply->completion_tokens);
	if (take_count(cJSON_GetObjectItemCaseSensitive(usage, "completion_tokens_details"), "reasoning_tokens", &reply->reasoning_tokens))
		reply->reasoning_source = "usage.completion_tokens_details.reasoning_tokens";
	else if (take_count(cJSON_GetObjectItemCaseSensitive(usage, "output_tokens_details"), "reasoning_tokens", &reply->reasoning_tokens))
		reply->reasoning_source = "usage.output_tokens_details.reasoning_tokens";
	else if (take_count(usage, "reasoning_tokens", &reply->reasoning_tokens))
		reply->reasoning_source = "usage.reasoning_tokens";
}

void take_first(char **text, const char *value)
{
	char printable[EXCHANGE_TEXT_MAX];

	if (*text != NULL || value == NULL || value[0] == '\0')
		return;
	utf8_printable(value, strlen(value), printable, sizeof printable);
	*text = mem_text(printable);
}

void take_common(struct taking *taking, const cJSON *object)
{
	take_first(&taking->reply->model, take_text(object, "model"));
	take_first(&taking->reply->fingerprint, take_text(object, "system_fingerprint"));
	take_usage(taking->reply, cJSON_GetObjectItemCaseSensitive(object, "usage"));
}

/* One part of a content. A thought is none, whether its text stands in it as any part's, or in a member of its own (Mistral's API), as a text or in parts. */
static void take_part(struct taking *taking, const cJSON *part, const char *what, struct bytes *to)
{
	const char *type = take_text(part, "type"), *text = take_text(part, "text");
	const bool thought = type != NULL && (strcmp(type, "thinking") == 0 || strcmp(type, "reasoning") == 0);
	struct bytes *into = thought ? &taking->reply->reasoning : to;

	if (text != NULL)
		bytes_text(into, text);
	else if (thought)
		take_content(taking, cJSON_GetObjectItemCaseSensitive(part, type), what, into);
}

bool take_content(struct taking *taking, const cJSON *value, const char *what, struct bytes *to)
{
	if (value == NULL || cJSON_IsNull(value))
		return true;
	if (cJSON_IsString(value)) {
		bytes_text(to, value->valuestring);
		return true;
	}
	if (cJSON_IsArray(value)) {
		for (const cJSON *part = value->child; part != NULL; part = part->next)
			take_part(taking, part, what, to);
		return true;
	}
	take_failure(taking, REPLY_MALFORMED, "%s is no text", what);
	return false;
}

/* ---- Chat Completions ---- */

static void take_message(struct taking *taking, const cJSON *message)
{
	struct reply_text *reply = taking->reply;
	const cJSON *thought = cJSON_GetObjectItemCaseSensitive(message, "reasoning_content");
	const cJSON *calls = cJSON_GetObjectItemCaseSensitive(message, "tool_calls");

	/* Some endpoints say the same in both members. */
	if (!cJSON_IsString(thought) || thought->valuestring[0] == '\0')
		thought = cJSON_GetObjectItemCaseSensitive(message, "reasoning");
	if (cJSON_IsString(thought))
		bytes_text(&reply->reasoning, thought->valuestring);
	take_content(taking, cJSON_GetObjectItemCaseSensitive(message, "content"), "content", &taking->said);
	take_content(taking, cJSON_GetObjectItemCaseSensitive(message, "refusal"), "refusal", &taking->refusal);
	reply->tool_calls = reply->tool_calls || (cJSON_IsArray(calls) && calls->child != NULL);
}

static void take_choice(struct taking *taking, const cJSON *choice, const char *part)
{
	const cJSON *index = cJSON_GetObjectItemCaseSensitive(choice, "index"), *message = cJSON_GetObjectItemCaseSensitive(choice, part);
	const cJSON *finish = cJSON_GetObjectItemCaseSensitive(choice, "finish_reason"), *error = cJSON_GetObjectItemCaseSensitive(choice, "error");

	if (cJSON_IsNumber(index) && index->valuedouble != 0)
		take_failure(taking, REPLY_MALFORMED, "a choice of number %g, though one was asked for", index->valuedouble);
	else if (cJSON_IsObject(message))
		take_message(taking, message);
	else if (message != NULL && !cJSON_IsNull(message))
		take_failure(taking, REPLY_MALFORMED, "%s is no object", part);
	if (error != NULL && !cJSON_IsNull(error))
		take_error(taking, error);
	if (cJSON_IsString(finish))
		take_first(&taking->reply->finish_reason, finish->valuestring);
	else if (finish != NULL && !cJSON_IsNull(finish))
		take_failure(taking, REPLY_MALFORMED, "finish_reason is no text");
}

void take_chat(struct taking *taking, const cJSON *object, const char *part)
{
	const cJSON *choices = cJSON_GetObjectItemCaseSensitive(object, "choices");

	take_common(taking, object);
	if (cJSON_IsArray(choices))
		for (const cJSON *choice = choices->child; choice != NULL; choice = choice->next)
			take_choice(taking, choice, part);
	else if (choices != NULL && !cJSON_IsNull(choices))
		take_failure(taking, REPLY_MALFORMED, "choices is no array");
}

/* ---- the two forms of a body ---- */

static void take_object(struct taking *taking, const char *text, size_t len, bool stream)
{
	struct error err = {0};
	cJSON *object;

	if (json_parse(text, len, "reply", &object, &err) != OK) {
		take_failure(taking, REPLY_MALFORMED, "byte %llu: %s (%s)", (unsigned long long)err.offset, err.what, rule_info(err.rule)->id);
		return;
	}
	const cJSON *error = cJSON_GetObjectItemCaseSensitive(object, "error");
	const char *type = take_text(object, "type"), *kind = take_text(object, "object");

	if (!cJSON_IsObject(object)) {
		take_failure(taking, REPLY_MALFORMED, "it is no JSON object");
	} else if (error != NULL && !cJSON_IsNull(error)) {
		take_common(taking, object);
		take_error(taking, error);
	} else if (stream && type != NULL && (strncmp(type, "response.", 9) == 0 || strcmp(type, "error") == 0)) {
		take_response_event(taking, object);
	} else if (!stream && kind != NULL && strcmp(kind, "response") == 0) {
		take_response(taking, object);
	} else {
		take_chat(taking, object, stream ? "delta" : "message");
		if (!stream && !taking->failed && (cJSON_GetObjectItemCaseSensitive(object, "choices") == NULL || cJSON_GetObjectItemCaseSensitive(object, "choices")->child == NULL))
			take_failure(taking, REPLY_MALFORMED, "it has no choices");
	}
	cJSON_Delete(object);
}

static enum status on_event(void *context, const char *data, size_t len, struct error *err)
{
	struct taking *taking = context;

	(void)err;
	if (taking->ended) /* the client may have stopped reading here */
		return OK;
	if (len == 6 && memcmp(data, "[DONE]", 6) == 0)
		taking->ended = true;
	else
		take_object(taking, data, len, true);
	return OK;
}

static void take_stream(struct taking *taking, const char *body, size_t len, bool complete)
{
	struct sse sse = {.event = on_event, .context = taking, .file = "reply"};
	struct error err = {0};

	enum status status = sse_feed(&sse, body, len, &err);

	/* A last line without its end is part of no event, but of a stream it is a line all the same. */
	if (status == OK && complete && sse.line.len > 0)
		status = sse_feed(&sse, "\n", 1, &err);
	if (status != OK && !taking->ended)
		take_failure(taking, REPLY_MALFORMED, "byte %llu: %s (%s)", (unsigned long long)err.offset, err.what, rule_info(err.rule)->id);
	if (taking->reply->finish_reason == NULL)
		take_failure(taking, REPLY_CUT_STREAM, complete ? "the stream ends before its finish reason" : "the connection was lost before the finish reason");
	sse_free(&sse);
}

static bool is_plain(const char *body, size_t len)
{
	size_t at = len >= 3 && memcmp(body, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;

	while (at < len && strchr(" \t\r\n", body[at]) != NULL && body[at] != '\0')
		at++;
	return at < len && (body[at] == '{' || body[at] == '[');
}

static bool is_blank(const struct bytes *text)
{
	return text->len == 0 || strspn(text->data, " \t\r\n") == text->len;
}

/* What a whole reply of that finish reason is. */
static void judge(struct taking *taking)
{
	const char *finish = taking->reply->finish_reason;

	if (taking->failed)
		return;
	if (finish == NULL)
		take_failure(taking, REPLY_MALFORMED, "it has no finish reason");
	else if (strcmp(finish, "error") == 0)
		take_failure(taking, REPLY_HTTP_ERROR, "its finish reason is 'error'");
	else if (taking->refusal.len > 0 || strcmp(finish, "content_filter") == 0)
		take_failure(taking, REPLY_REFUSED, "%s%.*s", taking->refusal.len > 0 ? "the model says: " : "a content filter ended it", WHY_MAX,
		             taking->refusal.len > 0 ? taking->refusal.data : "");
	else if (strcmp(finish, "length") == 0 || strcmp(finish, "max_tokens") == 0 || strcmp(finish, "max_output_tokens") == 0)
		take_failure(taking, REPLY_TRUNCATED, "the limit of tokens ended it%s", is_blank(&taking->reply->content) ? ", before any content" : "");
	else if (is_blank(&taking->reply->content) && !taking->reply->tool_calls)
		take_failure(taking, REPLY_EMPTY, "it has no content%s", taking->reply->reasoning.len > 0 ? ", only reasoning" : "");
	else
		taking->reply->reply_class = REPLY_ANSWER;
}

/* Something else than a success: the body is looked into for a message only. */
static void take_status(struct taking *taking, const char *body, size_t len, int64_t status)
{
	cJSON *object = NULL;

	if (status < 0)
		take_failure(taking, REPLY_CONNECTION, "no reply came");
	else if (json_parse(body, len, "reply", &object, NULL) == OK && cJSON_IsObject(object) && cJSON_GetObjectItemCaseSensitive(object, "error") != NULL)
		take_error(taking, cJSON_GetObjectItemCaseSensitive(object, "error"));
	else
		take_failure(taking, REPLY_HTTP_ERROR, "HTTP status %lld", (long long)status);
	/* Content too large (413) is what some gateways make of it. */
	const bool too_long = taking->reply->reply_class == REPLY_PROMPT_TOO_LONG && (status == 400 || status == 413);

	if (status == 429)
		taking->reply->reply_class = REPLY_RATE_LIMITED;
	else if (status >= 0 && !too_long)
		taking->reply->reply_class = REPLY_HTTP_ERROR;
	cJSON_Delete(object);
}

void reply_read(const char *body, size_t len, bool complete, int64_t status, struct reply_text *reply)
{
	struct taking taking = {.reply = reply};

	*reply = (struct reply_text){.prompt_tokens = -1, .completion_tokens = -1, .reasoning_tokens = -1, .error_code = -1, .reasoning_source = ""};
	if (status < 200 || status > 299)
		take_status(&taking, body, len, status);
	else if (len == 0)
		take_failure(&taking, complete ? REPLY_MALFORMED : REPLY_CONNECTION, complete ? "an empty body" : "the connection was lost before any of the body");
	else if (!is_plain(body, len))
		take_stream(&taking, body, len, complete);
	else if (!complete)
		take_failure(&taking, REPLY_CONNECTION, "the connection was lost before the end of the body");
	else
		take_object(&taking, body, len, false);
	reply_split(taking.said.data != NULL ? taking.said.data : "", taking.said.len, &reply->content, &reply->reasoning);
	judge(&taking);
	bytes_free(&taking.said);
	bytes_free(&taking.refusal);
}
