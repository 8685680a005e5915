/* A session played again: equal requests get their answers in the order of the record, another one is refused at the byte where it differs (R_PRX_LEAVES), one whose answer was not kept is, too (R_PRX_KEPT), and what was not asked
 * for is known. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "scratch.h"

#include "bundle/objects.h"
#include "model/player.h"

static struct bytes ledger;

static void add(const struct root *root, uint32_t trajectory, uint32_t turn, uint32_t attempt, const char *request, const char *response, enum reply_class reply_class)
{
	const bool is_answer = reply_class == REPLY_ANSWER;
	struct exchange exchange = {
		.api = (char[]){"chat"},
		.model_asked = (char[]){"m"},
		.parameters = (char[]){"{}"},
		.finish_reason = is_answer ? (char[]){"stop"} : NULL,
		.client = (char[]){"test"},
		.place = PLACE_LOOPBACK,
		.reply_class = reply_class,
		.http_status = reply_class == REPLY_CONNECTION ? -1 : 200,
		.response_complete = reply_class != REPLY_CONNECTION,
		.first_byte_ms = -1,
		.trajectory = trajectory,
		.turn = turn,
		.sample = turn,
		.attempt = attempt,
		.started = "2026-01-31T23:59:59.999Z",
		.completion_tokens = -1,
		.prompt_tokens = -1,
		.reasoning_tokens = -1,
	};

	assert_int_equal(object_put(root, request, strlen(request), &exchange.request, NULL), OK);
	exchange.prompt = exchange.request;
	if (response != NULL) {
		exchange.has_response = true;
		assert_int_equal(object_put(root, response, strlen(response), &exchange.response, NULL), OK);
	}
	exchange_write(&exchange, &ledger);
}

static void plays(struct player *player, const char *request, uint32_t turn, uint32_t attempt, const char *response)
{
	const struct exchange *exchange = NULL;
	struct bytes answer = {0};

	assert_int_equal(player_next(player, request, strlen(request), &exchange, NULL), OK);
	assert_int_equal(exchange->turn, turn);
	assert_int_equal(exchange->attempt, attempt);
	assert_int_equal(exchange->has_response, response != NULL);
	if (response == NULL)
		return;
	assert_int_equal(player_answer(player, exchange, &answer, NULL), OK);
	assert_string_equal(answer.data, response);
	bytes_free(&answer);
}

static void refuses(struct player *player, const char *request, enum rule rule, uint64_t offset, const char *what)
{
	const struct exchange *exchange = NULL;
	struct error err = {0};

	assert_int_not_equal(player_next(player, request, strlen(request), &exchange, &err), OK);
	assert_int_equal(err.rule, rule);
	assert_int_equal(err.offset, offset);
	assert_string_equal(err.what, what);
}

static void a_session_is_played_in_its_order(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct freezer *freezer;
	struct player *player;

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	add(&root, 0, 0, 0, "first", NULL, REPLY_CONNECTION);
	add(&root, 0, 0, 1, "first", "one", REPLY_ANSWER);
	add(&root, 1, 0, 0, "of another session", "no", REPLY_ANSWER);
	add(&root, 0, 1, 0, "first", "two", REPLY_ANSWER);
	add(&root, 0, 2, 0, "second", NULL, REPLY_MALFORMED);
	add(&root, 0, 3, 0, "third", "three", REPLY_ANSWER);
	assert_int_equal(root_write(&root, "artifact/runs/r/exchanges.jsonl", ledger.data, ledger.len, NULL), OK);
	assert_int_equal(freezer_open_frozen(&root, "r", &freezer, NULL), OK);
	player = player_open(&root, freezer, 0);
	assert_int_equal(player_count(player), 5);

	refuses(player, "of another session", R_PRX_LEAVES, 0, "the record has no such request; from here on it differs from the one that stands next, of turn 0");
	plays(player, "first", 0, 0, NULL);
	plays(player, "first", 0, 1, "one");
	/* Another request may come before its turn; equal ones keep their order. */
	plays(player, "third", 3, 0, "three");
	plays(player, "first", 1, 0, "two");
	refuses(player, "first", R_PRX_LEAVES, 0, "a request came again whose recorded answers were all played; the record has that of turn 2 next");
	refuses(player, "secret", R_PRX_LEAVES, 3, "the record has no such request; from here on it differs from the one that stands next, of turn 2");
	assert_int_equal(player_unplayed(player)->turn, 2);
	refuses(player, "second", R_PRX_KEPT, 0, "turn 2, attempt 0: malformed");
	assert_null(player_unplayed(player));
	assert_int_equal(player_played(player), 5);
	refuses(player, "third", R_PRX_LEAVES, 0, "all 5 recorded requests were played, and a further one came");
	player_close(player);
	freezer_close(freezer);
	root_close(&root);
	bytes_free(&ledger);
	scratch_remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_session_is_played_in_its_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
