/*
 * The endpoint client against tests/servers/scripted.py, one case a fault: the records of all tries, the waits between them, and what the reply says, to the byte
 * (tests/servers/scripted.expected; `build/tests/test_endpoint print` writes it anew). The clock is the test's own, so that times are 0 and waits take none.
 */
#include "unit.h"

#include "scratch.h"
#include "server.h"

#include <time.h>

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
	{"huge_headers", 0}, {"bad_request", 0}, {"too_long", 0}, {"not_found", 0}, {"always_500", 0}, {"not_implemented", 0}, {"redirect", 0}, {"rate_forever", 0}, {"rate_nonsense", 0},
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

/* ---- how it is reached, and what is not sent at all ---- */

struct outcome {
	size_t tries, ended;
	enum reply_class reply_class; /* of the last try */
	enum rule rule;               /* of an end without a try */
	enum endpoint_place place;
	char content[1000];
	char host[64];
};

static enum status note(void *context, struct try *try, struct error *err)
{
	struct outcome *outcome = context;

	if (try == NULL) {
		outcome->ended++;
		outcome->rule = err->rule;
		assert_null(strstr(err->what, KEY));
		return OK;
	}
	outcome->tries++;
	outcome->reply_class = try->reply.reply_class;
	outcome->place = try->exchange.place;
	snprintf(outcome->content, sizeof outcome->content, "%s", try->reply.content.len > 0 ? try->reply.content.data : try->reply.why != NULL ? try->reply.why : "");
	snprintf(outcome->host, sizeof outcome->host, "%s", try->exchange.host != NULL ? try->exchange.host : "");
	steady += try->again_ms;
	return OK;
}

/* count requests of the test's kind; base: options beside the key. */
static struct outcome ask_with(struct endpoint_options options, unsigned count)
{
	struct outcome outcome = {0};
	struct endpoint *endpoint;
	struct request request;

	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	make_request(options.api, false, &request);
	for (unsigned i = 0; i < count; i++)
		endpoint_submit(endpoint, &request, 0, note, &outcome);
	request_free(&request);
	while (endpoint_open_requests(endpoint) > 0)
		assert_int_equal(endpoint_poll(endpoint, 1000, NULL), OK);
	endpoint_close(endpoint);
	return outcome;
}

static char *url_of(const char *name)
{
	return mem_format("http://127.0.0.1:%s/%s/v1", scripted.told, name);
}

static char *script_path(void)
{
	return mem_format("%s/tests/servers/scripted.py", getenv("REPO") != NULL ? getenv("REPO") : ".");
}

static void what_is_sent(void **state)
{
	static const char *const headers[] = {"X-Run: 7", "X-Api-Key: another-secret-99", NULL};
	char *url = mem_format("http://127.0.0.1:%s/echo/v1/?api-version=3", scripted.told);
	const struct outcome outcome = ask_with((struct endpoint_options){.url = url, .headers = headers, .record_host = true}, 1);

	(void)state;
	assert_string_equal(outcome.content,
	                    "{\"body\": \"{\\\"max_tokens\\\":64,\\\"messages\\\":[{\\\"content\\\":\\\"Greet the world.\\\",\\\"role\\\":\\\"user\\\"}],\\\"model\\\":\\\"some-model\\\",\\\"seed\\\":7,"
	                    "\\\"stream\\\":false,\\\"temperature\\\":0.7}\", \"headers\": {\"accept\": \"application/json, text/event-stream\", \"accept-encoding\": \"identity\", "
	                    "\"content-length\": \"138\", \"content-type\": \"application/json\", \"user-agent\": \"ptxseal/" PTXSEAL_VERSION "\", \"x-api-key\": \"[key taken out]\", \"x-run\": \"7\"}, "
	                    "\"path\": \"/echo/v1/chat/completions?api-version=3\"}");
	assert_string_equal(outcome.host, "127.0.0.1");
	free(url);
}

/* Over a Unix socket, through a proxy, and over TLS with an authority of one's own: refused without it. */
static void ways_to_reach_it(void **state)
{
	char *name = scratch_make(), *script = script_path(), *path = mem_format("%s/socket", name), *certificate = mem_format("%s/certificate.pem", name), *key = mem_format("%s/key.pem", name);
	char *proxy = mem_format("http://127.0.0.1:%s", scripted.told);
	char *make = mem_format("openssl req -x509 -newkey ed25519 -nodes -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout %s -out %s 2>/dev/null", key, certificate);
	const char *const on_socket[] = {script, "--unix", path, NULL}, *const on_tls[] = {script, "--tls", certificate, key, NULL};
	struct server server;

	(void)state;
	server_start(&server, on_socket);
	struct outcome outcome = ask_with((struct endpoint_options){.url = "http://model/plain/v1", .unix_socket = path}, 1);

	assert_int_equal(outcome.reply_class, REPLY_ANSWER);
	assert_int_equal(outcome.place, PLACE_LOOPBACK);
	server_stop(&server);
	outcome = ask_with((struct endpoint_options){.url = "http://model.invalid/plain/v1", .proxy = proxy}, 1);
	assert_int_equal(outcome.reply_class, REPLY_ANSWER);
	assert_int_equal(outcome.place, PLACE_PROXY);
	if (system(make) == 0) {
		server_start(&server, on_tls);
		char *url = mem_format("https://127.0.0.1:%s/plain/v1", server.told);

		outcome = ask_with((struct endpoint_options){.url = url, .ca_file = certificate}, 1);
		assert_int_equal(outcome.reply_class, REPLY_ANSWER);
		/* R_END_TRUST: nobody vouches for it, or none is named that could: nothing is sent, and it is not tried again. */
		char *none = mem_format("%s/none.pem", name);
		const char *const others[] = {NULL, none, key};

		for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
			struct spend spend = {0};

			outcome = ask_with((struct endpoint_options){.url = url, .ca_file = others[i], .spend = &spend}, 1);
			assert_int_equal(outcome.tries, 0);
			assert_int_equal(outcome.ended, 1);
			assert_int_equal(outcome.rule, R_END_TRUST);
			assert_int_equal(spend.held.requests, 0);
		}
		free(none);
		free(url);
		server_stop(&server);
	} else {
		puts("skipped: TLS, for openssl makes no certificate here");
	}
	free(make);
	free(proxy);
	free(key);
	free(certificate);
	free(path);
	free(script);
	scratch_remove(name);
}

/* R_END_PLAIN, R_KEP_SENT: nothing is sent, nothing recorded. */
static void no_key_where_it_does_not_belong(void **state)
{
	struct secret *key;
	struct spend spend = {0};
	char *url = url_of("plain");

	(void)state;
	assert_int_equal(secret_of(KEY, strlen(KEY), "the test's key", &key, NULL), OK);
	/* 192.0.2.0/24 is nobody's (RFC 5737). */
	struct outcome outcome = ask_with((struct endpoint_options){.url = "http://192.0.2.1/v1", .key = key, .spend = &spend}, 1);

	assert_int_equal(outcome.tries, 0);
	assert_int_equal(outcome.ended, 1);
	assert_int_equal(outcome.rule, R_END_PLAIN);
	assert_int_equal(spend.held.requests, 0);
	secret_free(key);
	/* A key that stands in the prompt. */
	assert_int_equal(secret_of("Greet the world.", 5, "x", &key, NULL), USAGE);
	assert_int_equal(secret_of("some-model", 10, "x", &key, NULL), OK);
	outcome = ask_with((struct endpoint_options){.url = url, .key = key}, 1);
	assert_int_equal(outcome.tries, 0);
	assert_int_equal(outcome.rule, R_KEP_SENT);
	secret_free(key);
	free(url);
}

static void urls_and_headers_that_are_none(void **state)
{
	static const char *const urls[] = {"", "ftp://127.0.0.1/v1", "file:///etc/passwd", "127.0.0.1:80/v1", "http://user:" KEY "@127.0.0.1/v1", "http://127.0.0.1/v1#" KEY, "http://:0/", "https://exa mple/v1"};
	static const char *const headers[] = {"no colon", ": none", "X-A: b\r\nX-C: d", "X A: b", "Content-Type: text/plain", "accept-encoding: gzip", "Expect: 100-continue"};
	struct endpoint *endpoint;
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof urls / sizeof urls[0]; i++) {
		const struct endpoint_options options = {.url = urls[i]};

		if (endpoint_open(&options, &endpoint, &err) != USAGE || err.rule != R_END_URL || endpoint != NULL)
			fail_msg("%s was taken, or refused by another rule", urls[i]);
		assert_null(strstr(err.what, KEY));
	}
	for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
		const char *const list[] = {headers[i], NULL};
		const struct endpoint_options options = {.url = "http://127.0.0.1/v1", .headers = list};

		if (endpoint_open(&options, &endpoint, &err) != USAGE || err.rule != R_END_HEADER)
			fail_msg("%s was taken, or refused by another rule", headers[i]);
	}
}

/* A header that holds a key by its name is guarded as one. */
static void keys_in_headers(void **state)
{
	static const char *const headers[] = {"X-Api-Key: another-secret-99", "Authorization: Bearer third-secret-77", NULL};
	char *url = url_of("key_in_answer");
	const struct outcome outcome = ask_with((struct endpoint_options){.url = url, .headers = headers}, 1);

	(void)state;
	assert_string_equal(outcome.content, "Your key is [key taken out].");
	free(url);
}

/* ---- limits ---- */

/* R_SPD_CAP, R_SPD_UNBOUNDED, R_SPD_MODEL */
static void the_cap_holds(void **state)
{
	char *url = url_of("without_usage"), *counted = url_of("plain");
	struct spend spend = {.cap = {.requests = 5}};
	struct outcome outcome = ask_with((struct endpoint_options){.url = url, .spend = &spend}, 8);

	(void)state;
	assert_int_equal(outcome.tries, 5);
	assert_int_equal(outcome.ended, 3);
	assert_int_equal(outcome.rule, R_SPD_CAP);
	assert_int_equal(spend.unknown, 5);
	/* 138 bytes and 64 tokens a try; the reply counts 18. One at a time fits, then all of them. */
	spend = (struct spend){.cap = {.tokens = 138 + 64 + 7 * 18}};
	outcome = ask_with((struct endpoint_options){.url = counted, .spend = &spend}, 8);
	assert_int_equal(outcome.tries, 8);
	assert_int_equal(spend.spent.tokens, 8 * 18);
	assert_int_equal(spend.held.tokens, 0);
	/* Where nothing is counted, the most is. */
	spend = (struct spend){.cap = {.tokens = 3 * (138 + 64) + 10}};
	outcome = ask_with((struct endpoint_options){.url = url, .spend = &spend}, 8);
	assert_int_equal(outcome.tries, 3);
	spend = (struct spend){.cap = {.money = SPEND_UNIT}};
	outcome = ask_with((struct endpoint_options){.url = url, .spend = &spend}, 1);
	assert_int_equal(outcome.rule, R_SPD_MODEL);
	free(url);
	free(counted);
}

static void no_limit_stated(void **state)
{
	cJSON *messages = cJSON_Parse("[]"), *parameters = cJSON_Parse("{}");
	char *url = url_of("plain");
	struct spend spend = {.cap = {.tokens = 1000000}};
	const struct endpoint_options options = {.url = url, .spend = &spend};
	struct outcome outcome = {0};
	struct endpoint *endpoint;
	struct request request;

	(void)state;
	assert_int_equal(request_make(API_CHAT, "m", messages, parameters, false, &request, NULL), OK);
	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	endpoint_submit(endpoint, &request, 0, note, &outcome);
	while (endpoint_open_requests(endpoint) > 0)
		assert_int_equal(endpoint_poll(endpoint, 1000, NULL), OK);
	assert_int_equal(outcome.rule, R_SPD_UNBOUNDED);
	endpoint_close(endpoint);
	request_free(&request);
	cJSON_Delete(messages);
	cJSON_Delete(parameters);
	free(url);
}

/* A request ends at its deadline, between tries too; the others wait where the endpoint asked for quiet. */
static void deadlines(void **state)
{
	char *url = url_of("always_500");
	const struct retry_policy often = {.tries = 1000, .first_ms = 100, .most_ms = 100};

	(void)state;
	steady = 0;
	struct outcome outcome = ask_with((struct endpoint_options){.url = url, .deadline_ms = 2000, .retry = often, .jitter_seed = 1, .clock = clock_of_test}, 1);

	assert_in_range(outcome.tries, 20, 200);
	assert_int_equal(outcome.ended, 0); /* the last try says what it was */
	assert_in_range(steady, 1800, 2000);
	free(url);
	/* Of ten requests the first is told to wait for a day: none of the others is sent. */
	url = url_of("rate_forever");
	outcome = ask_with((struct endpoint_options){.url = url, .concurrency = 1}, 10);
	assert_int_equal(outcome.tries, 1);
	assert_int_equal(outcome.ended, 9);
	assert_int_equal(outcome.rule, R_END_DEADLINE);
	free(url);
}

/* Sixty-four replies of 50 ms take little longer than one. */
static void many_at_once(void **state)
{
	char *url = url_of("slow");
	struct timespec from, to;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &from);
	const struct outcome outcome = ask_with((struct endpoint_options){.url = url, .concurrency = 64}, 64);

	clock_gettime(CLOCK_MONOTONIC, &to);
	assert_int_equal(outcome.tries, 64);
	assert_int_equal(outcome.reply_class, REPLY_ANSWER);
	const int64_t took = (int64_t)(to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;

	assert_in_range(took, 50, 1600); /* one by one: 3200 */
	free(url);
}

/* What cannot be written ends the request, and the error comes out. */
static enum status refuse(void *context, struct try *try, struct error *err)
{
	(void)context;
	assert_non_null(try);
	return error_set(err, R_IO_WRITE, "a file", "the disk is full");
}

static void an_error_of_the_caller_comes_out(void **state)
{
	char *url = url_of("always_500");
	const struct endpoint_options options = {.url = url};
	struct endpoint *endpoint;
	struct request request;
	struct error err = {0};
	enum status status = OK;

	(void)state;
	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	make_request(API_CHAT, false, &request);
	endpoint_submit(endpoint, &request, 0, refuse, NULL);
	request_free(&request);
	while (status == OK && endpoint_open_requests(endpoint) > 0)
		status = endpoint_poll(endpoint, 1000, &err);
	assert_int_equal(status, UNAVAILABLE);
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_int_equal(endpoint_open_requests(endpoint), 0);
	endpoint_close(endpoint);
	free(url);
}

static void requests_that_are_none(void **state)
{
	static const char *const parameters[] = {"[]", "{\"model\":\"x\"}", "{\"messages\":[]}", "{\"stream\":true}", "{\"stream_options\":{}}", "{\"input\":1}", "{\"n\":2}", "{\"n\":\"1\"}"};
	static const char *const bodies[] = {"", "[]", "{\"model\":\"m\"}", "{\"messages\":[]}", "{\"model\":7,\"messages\":[]}", "{\"model\":\"\",\"messages\":[]}", "{\"model\":\"m\",\"model\":\"m\",\"messages\":[]}"};
	cJSON *messages = cJSON_Parse("[]");
	struct request made, read;

	(void)state;
	for (size_t i = 0; i < sizeof parameters / sizeof parameters[0]; i++) {
		cJSON *tree = cJSON_Parse(parameters[i]);

		assert_int_equal(request_make(API_CHAT, "m", messages, tree, false, &made, NULL), USAGE);
		cJSON_Delete(tree);
	}
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
		assert_int_equal(request_read(API_CHAT, bodies[i], strlen(bodies[i]), &read, NULL), MALFORMED);
	cJSON_Delete(messages);
	/* One that somebody else wrote has the same facts as ours, whatever its white space and order. */
	make_request(API_CHAT, true, &made);
	static const char other[] = "{ \"stream\": false, \"model\": \"some-model\", \"temperature\": 0.70, \"seed\": 7, \"max_tokens\": 64,"
	                            " \"messages\": [ {\"role\": \"user\", \"content\": \"Greet the world.\"} ] }";

	assert_int_equal(request_read(API_CHAT, other, strlen(other), &read, NULL), OK);
	assert_string_equal(read.body, other);
	assert_string_equal(read.parameters, made.parameters);
	assert_string_equal(read.parameters, "{\"max_tokens\":64,\"seed\":7,\"temperature\":0.7}");
	assert_memory_equal(&read.prompt, &made.prompt, sizeof made.prompt);
	assert_int_equal(read.completion_most, 64);
	request_free(&made);
	request_free(&read);
}

static int start_server(void **state)
{
	char *script = script_path();
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
		cmocka_unit_test(what_is_sent),
		cmocka_unit_test(ways_to_reach_it),
		cmocka_unit_test(no_key_where_it_does_not_belong),
		cmocka_unit_test(urls_and_headers_that_are_none),
		cmocka_unit_test(keys_in_headers),
		cmocka_unit_test(the_cap_holds),
		cmocka_unit_test(no_limit_stated),
		cmocka_unit_test(deadlines),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(an_error_of_the_caller_comes_out),
		cmocka_unit_test(requests_that_are_none),
	};

	if (argc > 1 && strcmp(argv[1], "print") == 0) {
		start_server(NULL);
		print_cases();
		stop_server(NULL);
		return 0;
	}
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
