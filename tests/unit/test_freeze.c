/*
 * Exchanges on disk: what is frozen says what was said (R_EXC_REPLY), an answer is found by nothing less than its identity, a killed run goes on (R_EXC_LINE), one process writes
 * (R_EXC_LOCKED), and a key is nowhere.
 */
#include "unit.h"

#include "scratch.h"
#include "server.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/resource.h>

#include "model/freeze.h"

#define KEY "planted-key-0123456789"
#define LEDGER "artifact/runs/r/exchanges.jsonl"

static struct server scripted;
static struct keeper *keeper; /* of the freezer that is open for writing */

/* As a command opens a run. */
static enum status open_live(const struct root *root, struct freezer **freezer, struct error *err)
{
	struct keeper *opened;
	const enum status status = keeper_open(root, "r", KEEPER_EXCHANGES, &opened, NULL, err);

	if (status != OK)
		return status;
	keeper = opened;
	return freezer_open(root, "r", keeper, freezer, err);
}

static void close_live(struct freezer *freezer)
{
	freezer_close(freezer);
	keeper_close(keeper);
	keeper = NULL;
}

struct asked {
	struct freezer *freezer;
	uint32_t trajectory, sample;
	enum status status;
};

static enum status on_try(void *context, struct try *try, struct error *err)
{
	struct asked *asked = context;

	if (try == NULL)
		return OK;
	try->exchange.trajectory = asked->trajectory;
	try->exchange.sample = asked->sample;
	return asked->status = freezer_add(asked->freezer, try, err);
}

static void make_request(const char *model, const char *text, const char *parameters, struct request *request)
{
	cJSON *messages = cJSON_CreateArray(), *message = cJSON_CreateObject(), *tree = cJSON_Parse(parameters);

	cJSON_AddStringToObject(message, "role", "user");
	cJSON_AddStringToObject(message, "content", text);
	cJSON_AddItemToArray(messages, message);
	assert_int_equal(request_make(API_CHAT, model, messages, tree, true, request, NULL), OK);
	cJSON_Delete(messages);
	cJSON_Delete(tree);
}

/* One request to that case of the server, all its tries frozen. */
static void ask(struct freezer *freezer, const char *name, const char *model, const char *text, const char *parameters, uint32_t trajectory, uint32_t sample,
                const struct secret *key)
{
	struct asked asked = {.freezer = freezer, .trajectory = trajectory, .sample = sample};
	char *url = mem_format("http://127.0.0.1:%s/%s", scripted.told, name);
	const struct endpoint_options options = {.url = url, .key = key, .retry = {.tries = 2, .first_ms = 1, .most_ms = 1}};
	struct endpoint *endpoint;
	struct request request;

	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	make_request(model, text, parameters, &request);
	endpoint_submit(endpoint, &request, freezer_attempts(freezer, trajectory, 0), on_try, &asked);
	request_free(&request);
	while (endpoint_open_requests(endpoint) > 0)
		assert_int_equal(endpoint_poll(endpoint, 1000, NULL), OK);
	assert_int_equal(asked.status, OK);
	endpoint_close(endpoint);
	free(url);
}

static struct sha256 identity_of(const char *model, const char *text, const char *parameters, uint32_t sample)
{
	struct request request;

	make_request(model, text, parameters, &request);
	const struct sha256 identity = exchange_identity(model, request.parameters, &request.prompt, sample);

	request_free(&request);
	return identity;
}

static void what_is_frozen_is_found_again(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer;
	struct reply_text reply;
	struct sha256 identity = identity_of("m", "Hi", "{\"temperature\":0.5}", 0);

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	ask(freezer, "stream_reasoning", "m", "Hi", "{\"temperature\":0.5}", 0, 0, NULL);
	ask(freezer, "cut_stream", "m", "Hi", "{\"temperature\":0.5}", 1, 1, NULL);
	ask(freezer, "empty_stop", "m", "Hi", "{\"temperature\":0.5}", 2, 2, NULL);
	ask(freezer, "no_reply", "m", "Hi", "{\"temperature\":0.5}", 3, 3, NULL);
	assert_int_equal(freezer_count(freezer), 6);
	close_live(freezer);

	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
	assert_int_equal(freezer_count(freezer), 6);
	const struct exchange *found = freezer_answer(freezer, &identity);

	assert_non_null(found);
	assert_int_equal(freezer_reply(freezer, found, &reply, NULL), OK);
	assert_string_equal(reply.content.data, "Hello, world");
	assert_string_equal(reply.reasoning.data, "I greet.");
	assert_int_equal(reply.completion_tokens, 7);
	reply_text_free(&reply);
	/* Nothing less finds it. */
	const struct sha256 others[] = {
		identity_of("M", "Hi", "{\"temperature\":0.5}", 0),          identity_of("m", "Hi!", "{\"temperature\":0.5}", 0),
		identity_of("m", "Hi", "{\"temperature\":0.7}", 0),          identity_of("m", "Hi", "{}", 0),
		identity_of("m", "Hi", "{\"seed\":1,\"temperature\":0.5}", 0), identity_of("m", "Hi", "{\"temperature\":0.5}", 4),
	};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		assert_null(freezer_last(freezer, &others[i]));
	/* Failures are records, never answers. */
	static const enum reply_class failures[] = {REPLY_ANSWER, REPLY_CUT_STREAM, REPLY_EMPTY, REPLY_CONNECTION};

	for (uint32_t sample = 1; sample < 4; sample++) {
		identity = identity_of("m", "Hi", "{\"temperature\":0.5}", sample);
		assert_null(freezer_answer(freezer, &identity));
		found = freezer_last(freezer, &identity);
		assert_int_equal(found->reply_class, failures[sample]);
		assert_int_equal(found->attempt, sample == 2 ? 0 : 1);
		assert_int_equal(freezer_reply(freezer, found, &reply, NULL), OK);
		assert_int_equal(reply.reply_class, failures[sample]);
		reply_text_free(&reply);
	}
	close_live(freezer);
	root_close(&root);
	scratch_remove(name);
}

/* The fields of the identity are led by their lengths: none runs into the next. */
static void identities_do_not_run_together(void **state)
{
	const struct sha256 prompt = sha256_of("", 0);
	const struct sha256 a = exchange_identity("m1", "{}", &prompt, 11), b = exchange_identity("m", "1{}", &prompt, 11), c = exchange_identity("m1", "{}", &prompt, 1);
	char hex[SHA256_HEX + 1];

	(void)state;
	assert_memory_not_equal(&a, &b, sizeof a);
	assert_memory_not_equal(&a, &c, sizeof a);
	/* printf '16 ptxseal-answer/12 m12 {}64 e3b0...b8552 11' | sha256sum */
	sha256_hex(&a, hex);
	assert_string_equal(hex, "43717045eb5af28f9a38beb688802cd96434154253890f6ace385de625323289");
}

static void a_killed_run_goes_on(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer;
	struct bytes text = {0}, again = {0};
	struct error err = {0};

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	ask(freezer, "plain", "m", "Hi", "{}", 0, 0, NULL);
	ask(freezer, "plain", "m", "Hi", "{}", 1, 1, NULL);
	close_live(freezer);
	assert_int_equal(root_read(&root, LEDGER, 1 << 20, &text, NULL), OK);
	/* Cut anywhere: the first record stays or goes as a whole. */
	const size_t first = (size_t)((char *)memchr(text.data, '\n', text.len) - text.data) + 1;

	for (size_t len = 0; len < text.len; len += 37) {
		assert_int_equal(root_write(&root, LEDGER, text.data, len, NULL), OK);
		const bool torn = len != 0 && len != first;

		assert_int_equal(freezer_open_frozen(&root, "r", &freezer, &err), torn ? MALFORMED : OK);
		assert_true(!torn || err.rule == R_EXC_LINE);
		close_live(freezer);
		assert_int_equal(open_live(&root, &freezer, NULL), OK);
		assert_int_equal(freezer_count(freezer), len >= first ? 1 : 0);
		assert_int_equal(freezer_attempts(freezer, 0, 0), len >= first ? 1 : 0);
		close_live(freezer);
	}
	assert_int_equal(root_write(&root, LEDGER, text.data, text.len - 5, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	ask(freezer, "plain", "m", "Hi", "{}", 1, 1, NULL);
	close_live(freezer);
	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
	assert_int_equal(freezer_count(freezer), 2);
	/* A number that is not the next one is refused, and nothing is written. */
	close_live(freezer);
	assert_int_equal(root_read(&root, LEDGER, 1 << 20, &again, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	struct try twice = {.exchange = *freezer_at(freezer, 1), .request = "x", .request_len = 1};

	assert_int_equal(freezer_add(freezer, &twice, &err), MALFORMED);
	assert_int_equal(err.rule, R_EXC_ORDER);
	close_live(freezer);
	text.len = 0;
	assert_int_equal(root_read(&root, LEDGER, 1 << 20, &text, NULL), OK);
	assert_string_equal(text.data, again.data);
	bytes_free(&text);
	bytes_free(&again);
	root_close(&root);
	scratch_remove(name);
}

/* SIGKILL in the middle, many times over: whatever was told is there afterwards, whole. */
static void killed_at_any_moment(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer;
	size_t told = 0;

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	for (int round = 0; round < 20; round++) {
		int line[2];

		assert_int_equal(pipe(line), 0);
		const pid_t child = fork();

		if (child == 0) {
			close(line[0]);
			if (open_live(&root, &freezer, NULL) != OK)
				_exit(1);
			for (uint32_t i = (uint32_t)freezer_count(freezer);; i++) {
				ask(freezer, "plain", "m", "Hi", "{}", i, i, NULL);
				if (write(line[1], "x", 1) != 1)
					_exit(1);
			}
		}
		close(line[1]);
		usleep((useconds_t)(5000 + 1700 * round));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		char bytes[4096];

		for (ssize_t n; (n = read(line[0], bytes, sizeof bytes)) > 0;)
			told += (size_t)n;
		close(line[0]);
	}
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	assert_true(freezer_count(freezer) >= told && told > 0);
	for (size_t i = 0; i < freezer_count(freezer); i++) {
		struct reply_text reply;

		assert_int_equal(freezer_reply(freezer, freezer_at(freezer, i), &reply, NULL), OK);
		reply_text_free(&reply);
	}
	close_live(freezer);
	root_close(&root);
	scratch_remove(name);
}

static void one_process_writes(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer, *second;
	struct error err = {0};

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(freezer_open_frozen(&root, "r", &second, &err), USAGE);
	assert_int_equal(err.rule, R_EXC_NONE);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	assert_int_equal(open_live(&root, &second, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_EXC_LOCKED);
	close_live(freezer);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	close_live(freezer);
	root_close(&root);
	scratch_remove(name);
}

/* A record and its object that do not say the same: whoever changed which. */
static void a_record_that_says_otherwise(void **state)
{
	static const char *const changes[][2] = {
		{"\"finish_reason\":\"stop\"", "\"finish_reason\":\"done\""}, {"\"prompt\":11", "\"prompt\":12"}, {"\"model_answered\":\"scripted-1\"", "\"model_answered\":\"scripted-2\""},
		{"\"failure\":null", "\"failure\":\"empty\""}, {"\"fingerprint\":\"fp_scripted\"", "\"fingerprint\":null"}, {"\"reasoning\":3", "\"reasoning\":null"},
	};
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer;
	struct bytes text = {0};

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	ask(freezer, "plain", "m", "Hi", "{}", 0, 0, NULL);
	close_live(freezer);
	assert_int_equal(root_read(&root, LEDGER, 1 << 20, &text, NULL), OK);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		char *at = strstr(text.data, changes[i][0]);
		char *changed = mem_format("%.*s%s%s", (int)(at - text.data), text.data, changes[i][1], at + strlen(changes[i][0]));
		struct reply_text reply;
		struct error err = {0};

		assert_int_equal(root_write(&root, LEDGER, changed, strlen(changed), NULL), OK);
		assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
		assert_int_equal(freezer_reply(freezer, freezer_at(freezer, 0), &reply, &err), FAILS);
		assert_int_equal(err.rule, R_EXC_REPLY);
		close_live(freezer);
		free(changed);
	}
	bytes_free(&text);
	root_close(&root);
	scratch_remove(name);
}

/* ---- keys ---- */

/* Takes the key from the environment, as a command does, lets it come back in every way, and dies of a signal. */
static void leak_what_it_can(const char *name, bool guarded)
{
	static const char *const cases[] = {"key_in_error", "key_in_answer", "key_escaped", "key_in_pieces", "always_500"};
	const struct rlimit much = {RLIM_INFINITY, RLIM_INFINITY};
	struct secret *key;
	struct root root;
	struct freezer *freezer;
	struct error err = {0};

	setrlimit(RLIMIT_CORE, &much);
	if (chdir(name) != 0 || dup2(open("log", O_WRONLY | O_CREAT, 0600), 2) != 2)
		_exit(1);
	if (guarded)
		secret_guard_process();
	if (secret_from_environment("TEST_KEY", &key, NULL) != OK || getenv("TEST_KEY") != NULL)
		_exit(2);
	if (root_open(".", &root, NULL) != OK || open_live(&root, &freezer, NULL) != OK)
		_exit(3);
	for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		ask(freezer, cases[i], "m", "Hi", "{}", i, 0, key);
	if (keeper_settle(keeper, NULL) != OK)
		_exit(4);
	for (size_t i = 0; i < freezer_count(freezer); i++) {
		struct reply_text reply;

		freezer_reply(freezer, freezer_at(freezer, i), &reply, NULL);
		error_set(&err, R_END_DEADLINE, "", "%s %s", reply.why != NULL ? reply.why : "", reply.content.len > 0 ? reply.content.data : "");
		error_print(&err);
		reply_text_free(&reply);
	}
	abort();
}

/* Whether it left a core. */
static bool run_leaking(const char *name, bool guarded)
{
	int status;
	const pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		setenv("TEST_KEY", KEY, 1);
		leak_what_it_can(name, guarded);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	return WCOREDUMP(status);
}

static void a_key_is_nowhere(void **state)
{
	char *name = scratch_make(), *bare = scratch_make();
	struct bytes log = {0};

	(void)state;
	assert_false(run_leaking(name, true));
	assert_int_equal(scratch_holding(name, KEY), 0);
	/* It was there to be found: in the log stands what took its place, and in the bundle too. */
assert_true(scratch_holding(name, SECRET_MARK) >= 3);
	char *log_name = mem_format("%s/log", name);

	assert_int_equal(file_read(log_name, 1 << 20, &log, NULL), OK);
	assert_non_null(strstr(log.data, "Incorrect API key provided: [key taken out]."));
	/* Without the guard a core is left, where this system leaves any. */
	if (!run_leaking(bare, false))
		puts("note: this system leaves no core dumps, with or without the guard");
	free(log_name);
	bytes_free(&log);
	scratch_remove(name);
	scratch_remove(bare);
}

/* Places in this process's memory that hold the key; its letters are turned by one bit here, so as not to find themselves. Not the stack: the dynamic linker leaves
 * there what vector registers last held, whatever the program does. */
static size_t places_of(const char *turned, size_t len)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512], kind[5];
	uintptr_t from, to;
	size_t count = 0;

	assert_non_null(maps);
	while (fgets(line, sizeof line, maps) != NULL) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &from, &to, kind) != 3 || strcmp(kind, "rw-p") != 0 || strstr(line, "[stack]") != NULL)
			continue;
		for (const char *at = (const char *)from, *end = (const char *)to - len; at < end; at++) {
			size_t same = 0;

			while (same < len && at[same] == (char)(turned[same] ^ 1))
				same++;
			count += same == len;
		}
	}
	fclose(maps);
	return count;
}

/* When the endpoint is closed and the key let go, no copy of it is left: libcurl's are wiped too. */
static void no_copy_is_left(void **state)
{
	static const char turned[] = "qm`oude,eddq,jdx,8675"; /* planted-deep-key-9764 */
	char key_text[sizeof turned], *name = scratch_make();
	struct secret *key;
	struct root root;
	struct freezer *freezer;

	(void)state;
#if defined __SANITIZE_ADDRESS__
	skip(); /* its own memory is endless */
#endif
	for (size_t i = 0; i < sizeof turned - 1; i++)
		key_text[i] = (char)(turned[i] ^ 1);
	assert_int_equal(secret_of(key_text, sizeof turned - 1, "x", &key, NULL), OK);
	assert_int_equal(places_of(turned, sizeof turned - 1), 1);
	explicit_bzero(key_text, sizeof key_text);
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(open_live(&root, &freezer, NULL), OK);
	ask(freezer, "plain", "m", "Hi", "{}", 0, 0, key);
	ask(freezer, "key_in_error", "m", "Hi", "{}", 1, 0, key);
	close_live(freezer);
	assert_int_equal(places_of(turned, sizeof turned - 1), 1);
	secret_free(key);
	assert_int_equal(places_of(turned, sizeof turned - 1), 0);
	root_close(&root);
	scratch_remove(name);
}

static void keys_have_a_form(void **state)
{
	struct secret *secret;
	struct error err = {0};
	char *name = scratch_make(), *file = mem_format("%s/key", name);
	static const char *const bad[] = {"", "short", "with space", "tab\tinside", "umlaut-\xc3\xa4-inside"};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(secret_of(bad[i], strlen(bad[i]), "x", &secret, &err), USAGE);
		assert_int_equal(err.rule, R_KEP_FORM);
		assert_null(secret);
		assert_null(strstr(err.what, bad[i][0] != '\0' ? bad[i] : "\x01"));
	}
	assert_int_equal(secret_from_environment("NO_SUCH_VARIABLE", &secret, &err), USAGE);
	assert_int_equal(err.rule, R_KEP_MISSING);
	assert_int_equal(file_write(file, 0600, KEY "\r\nanother line\n", strlen(KEY) + 15, NULL), OK);
	assert_int_equal(secret_from_file(file, &secret, NULL), OK);
	assert_string_equal(secret_text(secret), KEY);
	assert_string_equal(secret_bearer(secret), "Authorization: Bearer " KEY);
	struct bytes text = {0};

	bytes_text(&text, KEY "a" KEY KEY "b");
	assert_int_equal(secret_redact(secret, &text), 3);
	assert_string_equal(text.data, SECRET_MARK "a" SECRET_MARK SECRET_MARK "b");
	assert_int_equal(secret_redact(secret, &text), 0);
	bytes_free(&text);
	secret_free(secret);
	free(file);
	scratch_remove(name);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_frozen_is_found_again),
		cmocka_unit_test(identities_do_not_run_together),
		cmocka_unit_test(a_killed_run_goes_on),
		cmocka_unit_test(killed_at_any_moment),
		cmocka_unit_test(one_process_writes),
		cmocka_unit_test(a_record_that_says_otherwise),
		cmocka_unit_test(a_key_is_nowhere),
		cmocka_unit_test(no_copy_is_left),
		cmocka_unit_test(keys_have_a_form),
	};

	return cmocka_run_group_tests(tests, start_server, stop_server);
}
