/*
 * The endpoint client against tests/servers/scripted.py, one case a fault: the records of all tries, the waits between them, and what the reply says, to the byte
 * (tests/servers/scripted.expected; `build/tests/test_endpoint print` writes it anew). The clock is the test's own, so that times are 0 and waits take none.
 */
#include "unit.h"

#include "server.h"

#include <curl/curl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "model/endpoint.h"

#define KEY "planted-key-0123456789"

enum { STREAM = 1, RESPONSES = 2, SHORT = 4, CREEP = 8, SMALL = 16 };

static const struct {
	const char *name;
	unsigned how;
} cases[] = {
	{"plain", 0}, {"stream", STREAM}, {"stream_bytewise", STREAM}, {"stream_crlf", STREAM}, {"stream_events", STREAM}, {"stream_to_close", STREAM},
	{"stream_without_done", STREAM}, {"stream_without_usage", STREAM}, {"stream_without_choices", STREAM}, {"without_usage", 0}, {"null_usage", 0}, {"parts", 0},
	{"reasoning", 0}, {"reasoning_content", 0}, {"think", 0}, {"think_prefilled", 0}, {"stream_reasoning", STREAM}, {"tool_calls", 0}, {"wrong_type", 0},
	{"json_for_stream", STREAM}, {"responses", RESPONSES}, {"responses_incomplete", RESPONSES}, {"responses_stream", RESPONSES | STREAM}, {"responses_cut", RESPONSES | STREAM},
	{"empty_length", 0}, {"empty_stop", 0}, {"blank", 0}, {"unclosed_think", 0}, {"truncated", 0}, {"refusal", 0}, {"filtered", 0}, {"error_in_200", 0},
	{"error_in_stream", STREAM}, {"invalid_json", 0}, {"duplicate_keys", 0}, {"nul", 0}, {"not_utf8", 0}, {"html", 0}, {"empty_body", 0}, {"no_choices", 0}, {"no_finish", 0},
	{"second_choice", 0}, {"number_content", 0}, {"stream_garbage", STREAM}, {"stream_bad_json", STREAM}, {"gzip_bomb", 0}, {"huge", SMALL}, {"huge_stream", STREAM | SMALL},
	{"huge_headers", 0}, {"bad_request", 0}, {"not_found", 0}, {"always_500", 0}, {"not_implemented", 0}, {"redirect", 0}, {"rate_forever", 0}, {"rate_nonsense", 0},
	{"rate_seconds", 0}, {"rate_date", 0}, {"unavailable", 0}, {"reset_once", 0}, {"no_reply", 0}, {"always_reset", 0}, {"garbage", 0}, {"cut_body", 0}, {"cut_stream", STREAM},
	{"cut_mid_event", STREAM}, {"ended_stream", STREAM}, {"done_without_finish", STREAM}, {"cut_after_finish", STREAM}, {"chunk_garbage", 0}, {"silent", SHORT},
	{"drip", STREAM | SHORT}, {"done_lingers", STREAM | CREEP}, {"key_in_error", 0}, {"key_in_answer", 0}, {"key_escaped", 0}, {"key_in_pieces", STREAM},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static struct server scripted;
static int64_t steady; /* of the test's clock */

static int64_t steady_ms(void *context)
{
	(void)context;
	return steady;
}

/* 2026-01-02T03:04:05.678Z at the start. */
static int64_t unix_ms(void *context)
{
	(void)context;
	return 1767323045678 + steady;
}

static const struct endpoint_clock clock_of_test = {steady_ms, unix_ms, NULL};

static void make_request(enum api api, bool stream, struct request *request)
{
	cJSON *messages = cJSON_Parse("[{\"content\":\"Greet the world.\",\"role\":\"user\"}]"), *parameters = cJSON_Parse("{\"max_tokens\":64,\"seed\":7,\"temperature\":0.7}");

	assert_int_equal(request_make(api, "some-model", messages, parameters, stream, request, NULL), OK);
	cJSON_Delete(messages);
	cJSON_Delete(parameters);
}

/* ---- one case as text ---- */

struct log {
	struct bytes text;
	unsigned how;
	size_t tries;
	bool ended;
};

/* What varies by library or moment is named instead. */
static void replace(struct bytes *text, const char *from, const char *upto, const char *by)
{
	char *at = text->data != NULL ? strstr(text->data, from) : NULL;

	if (at == NULL)
		return;
	at += strlen(from);
	char *end = strstr(at, upto), *rest = mem_text(end);

	text->len = (size_t)(at - text->data);
	bytes_text(text, by);
	bytes_text(text, rest);
	free(rest);
}

static enum status on_try(void *context, struct try *try, struct error *err)
{
	struct log *log = context;
	struct bytes line = {0};

	if (try == NULL) {
		bytes_format(&log->text, "ended: %s (%s)\n", err->what, rule_info(err->rule)->id);
		log->ended = true;
		return OK;
	}
	exchange_write(&try->exchange, &line);
	replace(&line, "\"client\":\"", "\",", "CLIENT");
	if (log->how & (SHORT | CREEP))
		replace(&line, "\"took_ms\":", ",", "TOOK");
	if (log->how & CREEP)
		replace(&line, "\"first_byte_ms\":", ",", "FIRST");
	if (try->exchange.reply_class == REPLY_TIMEOUT && try->exchange.has_response)
		replace(&line, "\"response\":\"", "\",", "RESPONSE");
	bytes_add(&log->text, line.data, line.len);
	bytes_free(&line);
	/* The texts of failed connections are libcurl's, version by version. */
	if (try->reply.why != NULL && try->reply.reply_class != REPLY_CONNECTION)
		bytes_format(&log->text, "why: %s\n", try->reply.why);
	if (try->reply.content.len > 0)
		bytes_format(&log->text, "content: %.60s\n", try->reply.content.data);
	if (try->reply.reasoning.len > 0)
		bytes_format(&log->text, "reasoning: %.60s\n", try->reply.reasoning.data);
	if (!try->last) {
		bytes_format(&log->text, "again in %lld ms\n", (long long)try->again_ms);
		steady += try->again_ms;
	}
	log->tries++;
	log->ended = try->last;
	return OK;
}

static void run_case(size_t number, struct log *log)
{
	struct secret *key;
	struct endpoint *endpoint;
	struct request request;
	char *url = mem_format("http://127.0.0.1:%s/%s/v1/", scripted.told, cases[number].name);

	steady = 0;
	*log = (struct log){.how = cases[number].how};
	assert_int_equal(secret_of(KEY, strlen(KEY), "the test's key", &key, NULL), OK);
	const struct endpoint_options options = {
		.url = url,
		.api = log->how & RESPONSES ? API_RESPONSES : API_CHAT,
		.key = key,
		.try_ms = log->how & SHORT ? 300 : 10000,
		.retry = {.tries = 3, .first_ms = 1000, .most_ms = 8000},
		.body_max = log->how & SMALL ? 100000 : 0,
		.jitter_seed = 1,
		.clock = clock_of_test,
	};

	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	make_request(options.api, log->how & STREAM, &request);
	endpoint_submit(endpoint, &request, 0, on_try, log);
	request_free(&request);
	while (!log->ended) {
		assert_int_equal(endpoint_poll(endpoint, log->how & CREEP ? 20 : 1000, NULL), OK);
		steady += log->how & CREEP ? 50 : 0;
	}
	assert_int_equal(endpoint_open_requests(endpoint), 0);
	endpoint_close(endpoint);
	secret_free(key);
	free(url);
}

/* What is expected of a case: its section of the file. */
static char *expected_of(const struct bytes *file, const char *name)
{
	char *head = mem_format("== %s\n", name);
	char *at = strstr(file->data, head);

	if (at == NULL)
		fail_msg("tests/servers/scripted.expected has no case %s", name);
	at += strlen(head);
	char *end = strstr(at, "\n== "), *text = mem_textn(at, end != NULL ? (size_t)(end + 1 - at) : strlen(at));

	free(head);
	return text;
}

static void every_fault_has_its_record(void **state)
{
	char *name = mem_format("%s/tests/servers/scripted.expected", getenv("REPO") != NULL ? getenv("REPO") : ".");
	struct bytes file = {0};

	(void)state;
	assert_int_equal(file_read(name, 1 << 20, &file, NULL), OK);
	for (size_t i = 0; i < CASES; i++) {
		struct log log;
		char *expected = expected_of(&file, cases[i].name);

		run_case(i, &log);
		if (strcmp(log.text.data, expected) != 0)
			fail_msg("%s\n--- got\n%s--- wanted\n%s", cases[i].name, log.text.data, expected);
		assert_null(strstr(log.text.data, KEY));
		bytes_free(&log.text);
		free(expected);
	}
	bytes_free(&file);
	free(name);
}

static void print_cases(void)
{
	for (size_t i = 0; i < CASES; i++) {
		struct log log;

		run_case(i, &log);
		printf("== %s\n%s", cases[i].name, log.text.data);
		fflush(stdout);
		bytes_free(&log.text);
	}
}

static int start_server(void **state)
{
	char *script = mem_format("%s/tests/servers/scripted.py", getenv("REPO") != NULL ? getenv("REPO") : ".");
	const char *const arguments[] = {script, NULL};

	(void)state;
	server_start(&scripted, arguments);
	free(script);
	return 0;
}

static int stop_server(void **state)
{
	(void)state;
	server_stop(&scripted);
	return 0;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_fault_has_its_record),
	};

	if (argc > 1 && strcmp(argv[1], "print") == 0) {
		start_server(NULL);
		print_cases();
		stop_server(NULL);
		return 0;
	}
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
