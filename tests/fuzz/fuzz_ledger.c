/* Any bytes as turns.jsonl: no crash, and what is taken, written again, is read as the same and written as the same bytes. */
#include "fuzz.h"

#include "base/bytes.h"
#include "bundle/ledger.h"

static enum status rewrite_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line,
                                struct error *err)
{
	(void)err;
	REQUIRE(line > 0 && turn->trajectory < run->planned_trajectories && turn->turn < run->planned_turns);
	REQUIRE(outcome_is_correct(turn->outcome) ? turn->speedup > 0 || turn->outcome == OUTCOME_MEASURED_CORRECT : turn->speedup == 0);
	turn_write(turn, context);
	return OK;
}

static enum status rewrite(const char *text, size_t size, struct bytes *out, struct error *err)
{
	const struct run run = {.planned_trajectories = 20, .planned_turns = 8};
	const struct ledger_visitor visitor = {.on_turn = rewrite_turn, .context = out};

	return turns_read(text, size, "turns.jsonl", &run, &visitor, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct bytes first = {0};
	struct bytes second = {0};
	enum status status = rewrite((const char *)data, size, &first, &err);

	REQUIRE(status == OK || (status == MALFORMED && err.line > 0));
	if (status == OK) {
		REQUIRE(rewrite(first.data, first.len, &second, &err) == OK);
		REQUIRE(first.len == second.len && (first.len == 0 || memcmp(first.data, second.data, first.len) == 0));
	}
	bytes_free(&first);
	bytes_free(&second);
	return 0;
}
