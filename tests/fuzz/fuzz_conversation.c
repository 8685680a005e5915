/*
 * Any bytes as a run that is played from its record (query --frozen): query.json, exchanges.jsonl, evaluations.jsonl, turns.jsonl, and objects. Tasks and templates are this repository's, from the current directory. What is
 * played adds up, and is played again the same.
 */
#include "parts.h"

#include "measure/play.h"

static const char *const paths[] = {"artifact/runs/r/query.json", "artifact/runs/r/exchanges.jsonl", "artifact/runs/r/evaluations.jsonl", "artifact/runs/r/turns.jsonl", NULL};

static void adds_up(const struct conversation_result *result)
{
	uint64_t outcomes = 0, lines = 0;

	for (size_t i = 0; i < OUTCOME_COUNT; i++)
		outcomes += result->outcomes[i];
	for (size_t i = 0; i < result->turns.len; i++)
		lines += result->turns.data[i] == '\n';
	REQUIRE(result->planned == result->done + result->early + result->too_long + result->missing);
	REQUIRE(outcomes == result->done && lines == result->done && result->recorded <= result->done);
}

static enum status play_once(const struct parts *parts, const struct root *definitions, struct conversation_result *result, struct error *err)
{
	struct play play = {0};
	enum status status = play_open(&parts->root, definitions, "r", &play, err);

	*result = (struct conversation_result){0};
	/* Not more than a run of some size: each turn takes memory. */
	if (status == OK && (uint64_t)play.plan.trajectories * play.plan.turns <= 2000)
		status = play_run(&play, NULL, NULL, result, err);
	play_close(&play);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct parts parts;
	static struct root definitions = {.fd = -1};
	struct conversation_result result, again;
	struct error err = {0}, same = {0};

	if (definitions.fd < 0)
		REQUIRE(root_open(".", &definitions, NULL) == OK);
	parts_open(&parts, paths, data, size);
	const enum status status = play_once(&parts, &definitions, &result, &err);

	adds_up(&result);
	REQUIRE(play_once(&parts, &definitions, &again, &same) == status && again.done == result.done && again.turns.len == result.turns.len);
	REQUIRE(status == OK || (err.rule == same.rule && strcmp(err.what, same.what) == 0));
	conversation_result_free(&result);
	conversation_result_free(&again);
	parts_close(&parts);
	return 0;
}
