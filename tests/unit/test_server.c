/*
 * Against a real server: llama.cpp's, over a model made from a seed (tests/servers/llama.py, set up by `make test-server`). What it says is frozen plain and streamed, and said again from
 * the store when it is gone.
 */
#include "unit.h"

#include "scratch.h"
#include "server.h"

#include "model/freeze.h"

struct asked {
	struct freezer *freezer;
	uint32_t trajectory;
	struct bytes content;
	enum reply_class reply_class;
};

static enum status on_try(void *context, struct try *try, struct error *err)
{
	struct asked *asked = context;

	assert_non_null(try);
	try->exchange.trajectory = asked->trajectory;
	asked->reply_class = try->reply.reply_class;
	if (try->reply.reply_class != REPLY_ANSWER && try->reply.why != NULL)
		print_message("%s\n", try->reply.why);
	bytes_add(&asked->content, try->reply.content.data, try->reply.content.len);
	return freezer_add(asked->freezer, try, err);
}

static void make_request(const char *parameters, bool stream, struct request *request)
{
	cJSON *messages = cJSON_Parse("[{\"content\":\"Write a kernel.\",\"role\":\"user\"}]"), *tree = cJSON_Parse(parameters);

	assert_int_equal(request_make(API_CHAT, "seeded", messages, tree, stream, request, NULL), OK);
	cJSON_Delete(messages);
	cJSON_Delete(tree);
}

static void ask(struct server *server, struct asked *asked, const char *parameters, bool stream)
{
	char *url = mem_format("http://127.0.0.1:%s/v1", server->told);
	const struct endpoint_options options = {.url = url};
	struct endpoint *endpoint;
	struct request request;

	make_request(parameters, stream, &request);
	assert_int_equal(endpoint_open(&options, &endpoint, NULL), OK);
	endpoint_submit(endpoint, &request, 0, on_try, asked);
	request_free(&request);
	while (endpoint_open_requests(endpoint) > 0)
		assert_int_equal(endpoint_poll(endpoint, 1000, NULL), OK);
	endpoint_close(endpoint);
	free(url);
}

/* It ends at a character that the seeded model says soon; at its limit, the reply is truncated. */
#define ENDS "{\"max_tokens\":500,\"seed\":3,\"stop\":[\"d\"],\"temperature\":0.8}"
#define CUT "{\"max_tokens\":7,\"seed\":3,\"temperature\":0.8}"

static void plain_and_streamed_frozen_and_said_again(void **state)
{
	const char *repo = getenv("REPO") != NULL ? getenv("REPO") : ".";
	char *python = mem_format("%s/build/server/bin/python", repo), *installed = mem_format("%s/build/server/installed.txt", repo), *script = mem_format("%s/tests/servers/llama.py", repo), *name = scratch_make();
	const char *const arguments[] = {script, name, NULL};
	struct root root;
	struct server server;
	struct keeper *keeper;
	struct freezer *freezer;
	struct asked asked[4] = {{.trajectory = 0}, {.trajectory = 1}, {.trajectory = 2}, {.trajectory = 3}};

	const bool there = access(installed, F_OK) == 0; /* the last file of it that is written */

	(void)state;
	free(installed);
	if (!there) {
		puts("skipped: llama.cpp's server is not there (make test-server builds it, which takes minutes)");
		free(python);
		free(script);
		scratch_remove(name);
		skip();
	}
	setenv("PYTHON", python, 1);
	server_start(&server, arguments);
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(keeper_open(&root, "r", KEEPER_EXCHANGES, &keeper, NULL, NULL), OK);
	assert_int_equal(freezer_open(&root, "r", keeper, &freezer, NULL), OK);
	for (size_t i = 0; i < 4; i++) {
		asked[i].freezer = freezer;
		ask(&server, &asked[i], i < 2 ? ENDS : CUT, i % 2 == 1);
	}
	freezer_close(freezer);
	keeper_close(keeper);
	server_stop(&server);

	assert_int_equal(asked[0].reply_class, REPLY_ANSWER);
	assert_int_equal(asked[1].reply_class, REPLY_ANSWER);
	assert_int_equal(asked[2].reply_class, REPLY_TRUNCATED);
	assert_int_equal(asked[3].reply_class, REPLY_TRUNCATED);
	/* One seed, one text, however it is delivered. */
	assert_string_equal(asked[0].content.data, asked[1].content.data);
	assert_int_equal(asked[2].content.len, 7);
	assert_int_equal(asked[3].content.len, 7);

	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
	assert_int_equal(freezer_count(freezer), 4);
	/* The plain reply counts its tokens; the streamed one does not, and that is not 0. */
	assert_true(freezer_at(freezer, 2)->prompt_tokens > 0 && freezer_at(freezer, 2)->completion_tokens == 7);
	assert_int_equal(freezer_at(freezer, 3)->completion_tokens, -1);
	for (size_t i = 0; i < 4; i++) {
		struct reply_text reply;

		assert_int_equal(freezer_reply(freezer, freezer_at(freezer, i), &reply, NULL), OK);
		assert_string_equal(reply.content.data, asked[i].content.data);
		assert_string_equal(freezer_at(freezer, i)->model_answered, "seeded");
		reply_text_free(&reply);
		bytes_free(&asked[i].content);
	}
	freezer_close(freezer);
	root_close(&root);
	free(python);
	free(script);
	scratch_remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_and_streamed_frozen_and_said_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
