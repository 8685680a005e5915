/* The ledger's rules R-LED-001 to R-LED-009, that what is written is read back, and what runs that go on beside it change (R-AHD-001). */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "bundle/ledger.h"

#define RUN                                                                                                         \
	"{\"arch\":\"hopper\",\"checklist\":\"unsaid\",\"date\":\"2026-01-31\",\"model\":\"M\\\"1\","                 \
	"\"planned_trajectories\":2,\"planned_turns\":3,\"position\":1,\"required_tag\":\"H\",\"retrieval\":\"none\"," \
	"\"run\":\"one\",\"source\":\"test\",\"task\":\"gemm\",\"variant\":\"\",\"workload\":\"w\","                  \
	"\"workload_name\":\"gemm_M1\"}\n"

#define TURN(trajectory, turn, outcome, speedup)                                                              \
	"{\"arch_tag\":\"A, H\",\"evidence\":\"reported\",\"outcome\":\"" outcome "\",\"reasoning_source\":\"s\"," \
	"\"reasoning_tokens\":7,\"source_line\":2,\"speedup\":\"" speedup "\",\"trajectory\":" trajectory           \
	",\"turn\":" turn "}\n"

static char scratch[] = "/tmp/ptxseal-test-ledger-XXXXXX";
static struct root root;

static int clean(void **state)
{
	(void)state;
	char *command = mem_format("rm -rf '%s/artifact'", scratch);
	int rc = system(command);

	free(command);
	return rc;
}

static int set_up(void **state)
{
	(void)state;
	struct error err;

	return mkdtemp(scratch) != NULL && root_open(scratch, &root, &err) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	root_close(&root);
	return clean(state) != 0 || remove(scratch) != 0 ? -1 : 0;
}

static void put(const char *path, const char *text)
{
	struct error err;

	assert_int_equal(root_write(&root, path, text, strlen(text), &err), OK);
}

/* Writes "run position;" and "line:trajectory.turn outcome speedup tag;" of all that is visited. */
static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)err;
	bytes_format(context, "%s %llu;", run->run, (unsigned long long)run->position);
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line,
                           struct error *err)
{
	(void)run;
	(void)err;
	bytes_format(context, "%llu:%u.%u %s %g %s;", (unsigned long long)line, turn->trajectory, turn->turn,
	             outcome_name(turn->outcome), turn->speedup, turn->arch_tag);
	return OK;
}

static enum status read_all(struct bytes *seen, struct error *err)
{
	struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = seen};

	return ledger_read(&root, &visitor, err);
}

static void expect_refused(enum rule rule, const char *file, uint64_t line)
{
	struct bytes seen = {0};
	struct error err = {0};

	assert_int_equal(read_all(&seen, &err), rule_info(rule)->status);
	assert_string_equal(rule_info(err.rule)->id, rule_info(rule)->id);
	assert_string_equal(err.file, file);
	assert_int_equal(err.line, line);
	bytes_free(&seen);
}

static void a_bundle_without_runs_is_read(void **state)
{
	(void)state;
	struct bytes seen = {0};
	struct error err = {0};

	assert_int_equal(read_all(&seen, &err), OK);
	assert_int_equal(seen.len, 0);
}

static void runs_come_in_the_order_of_their_positions(void **state)
{
	(void)state;
	struct bytes seen = {0};
	struct error err = {0};
	char *first = mem_text(RUN);

	/* Directory order is a, one; position order one, a. */
	memcpy(strstr(first, "\"one\""), "\"a\"  ", 5);
	memcpy(strstr(first, "\"position\":1"), "\"position\":2", 12);
	put("artifact/runs/a/run.json", first);
	put("artifact/runs/a/turns.jsonl", "");
	put("artifact/runs/one/run.json", RUN);
	put("artifact/runs/one/turns.jsonl", TURN("0", "0", "Correct", "0.50") TURN("0", "1", "Runtime error", "0.0")
	                                         TURN("1", "0", "Correct", "1.5e-1"));
	assert_int_equal(read_all(&seen, &err), OK);
	assert_string_equal(seen.data, "one 1;1:0.0 Correct 0.5 A, H;2:0.1 Runtime error 0 A, H;3:1.0 Correct 0.15 A, H;a 2;");
	bytes_free(&seen);
	free(first);
}

static void what_is_written_is_read_back_to_the_byte(void **state)
{
	(void)state;
	struct run run = {0};
	struct error err = {0};
	struct bytes out = {0};
	struct turn turn = {.trajectory = 1,
	                    .turn = 2,
	                    .outcome = OUTCOME_SANITIZE_TIMEOUT,
	                    .evidence = EVIDENCE_REFUSED,
	                    .speedup_text = "0.0",
	                    .reasoning_tokens = -1};

	put("artifact/runs/one/run.json", RUN);
	assert_int_equal(run_read(&root, "one", &run, &err), OK);
	assert_string_equal(run.model, "M\"1");
	run_write(&run, &out);
	assert_string_equal(out.data, RUN);
	run_free(&run);
	bytes_free(&out);
	turn_write(&turn, &out);
	assert_string_equal(out.data,
	                    "{\"arch_tag\":\"\",\"evidence\":\"refused\",\"outcome\":\"Sanitize Timeout\",\"reasoning_source\":\"\","
	                    "\"reasoning_tokens\":null,\"source_line\":null,\"speedup\":\"0.0\",\"trajectory\":1,\"turn\":2}\n");
	bytes_free(&out);
}

#define A64 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define OBJECTS(feedback, prompt, response)                                                                       \
	"{\"arch_tag\":\"\",\"evidence\":\"reported\"," feedback "\"outcome\":\"Correct\"," prompt                    \
	"\"reasoning_source\":\"\",\"reasoning_tokens\":null," response "\"source_line\":null,\"speedup\":\"1.5\","     \
	"\"trajectory\":0,\"turn\":0}\n"

static enum status rewrite(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	(void)run, (void)line, (void)err;
	turn_write(turn, context);
	return OK;
}

static enum status skip_run(void *context, const struct run *run, struct error *err)
{
	(void)context, (void)run, (void)err;
	return OK;
}

/* R-LED-001: a turn names three objects, null where one is not known; records from before there were objects stay as they are. */
static void objects_of_a_turn_are_read_and_written(void **state)
{
	(void)state;
	static const char *const good[] = {
		OBJECTS("", "", ""),
		OBJECTS("\"feedback\":\"" A64 "\",", "\"prompt\":null,", "\"response\":\"" B64 "\","),
	};
	static const char *const bad[] = {
		OBJECTS("\"feedback\":\"" A64 "\",", "", "\"response\":\"" B64 "\","),
		OBJECTS("", "", "\"response\":\"" B64 "\","),
		OBJECTS("\"feedback\":\"" A64 "b\",", "\"prompt\":null,", "\"response\":null,"),
		OBJECTS("\"feedback\":\"aaa\",", "\"prompt\":null,", "\"response\":null,"),
		OBJECTS("\"feedback\":\"\",", "\"prompt\":null,", "\"response\":null,"),
		OBJECTS("\"feedback\":7,", "\"prompt\":null,", "\"response\":null,"),
	};

	put("artifact/runs/one/run.json", RUN);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct bytes out = {0};
		struct ledger_visitor visitor = {.on_run = skip_run, .on_turn = rewrite, .context = &out};

		put("artifact/runs/one/turns.jsonl", good[i]);
		assert_int_equal(ledger_read(&root, &visitor, NULL), OK);
		assert_string_equal(out.data, good[i]);
		bytes_free(&out);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		put("artifact/runs/one/turns.jsonl", bad[i]);
		expect_refused(R_LED_FIELD, "artifact/runs/one/turns.jsonl", 1);
	}
}

static void expect_turns_refused(enum rule rule, uint64_t line, const char *turns)
{
	put("artifact/runs/one/run.json", RUN);
	put("artifact/runs/one/turns.jsonl", turns);
	expect_refused(rule, "artifact/runs/one/turns.jsonl", line);
}

/* A good first line, and a second one in which one thing is replaced. */
static void expect_field_refused(const char *old, const char *new)
{
	const char *good = TURN("0", "1", "Correct", "0.5");
	const char *at = strstr(good, old);

	assert_non_null(at);
	char *turns = mem_format("%s%.*s%s%s", TURN("0", "0", "Correct", "0.5"), (int)(at - good), good, new, at + strlen(old));

	expect_turns_refused(R_LED_FIELD, 2, turns);
	free(turns);
}

static void R_LED_001_refuses_fields_missing_unknown_or_of_another_kind(void **state)
{
	(void)state;
	static const char *const changes[][2] = {
		{",\"turn\":1", ""},
		{"\"turn\":1", "\"turn\":1,\"extra\":0"},
		{"\"turn\":1", "\"turn\":\"1\""},
		{"\"turn\":1", "\"turn\":1.0"},
		{"\"turn\":1", "\"turn\":-1"},
		{"\"turn\":1", "\"turn\":10001"},
		{"\"turn\":1", "\"turn\":[1]"},
		{"\"trajectory\":0", "\"trajectory\":4294967296"},
		{"\"trajectory\":0", "\"trajectory\":null"},
		{"\"outcome\":\"Correct\"", "\"outcome\":\"CORRECT\""},
		{"\"outcome\":\"Correct\"", "\"outcome\":\"\""},
		{"\"outcome\":\"Correct\"", "\"outcome\":{}"},
		{"\"evidence\":\"reported\"", "\"evidence\":\"report\""},
		{"\"arch_tag\":\"A, H\"", "\"arch_tag\":\"H, A\""},
		{"\"arch_tag\":\"A, H\"", "\"arch_tag\":\"A,H\""},
		{"\"arch_tag\":\"A, H\"", "\"arch_tag\":\"A, H, \""},
		{"\"arch_tag\":\"A, H\"", "\"arch_tag\":\"A, H, B, A, H, B\""},
		{"\"speedup\":\"0.5\"", "\"speedup\":0.5"},
		{"\"speedup\":\"0.5\"", "\"speedup\":\".5\""},
		{"\"speedup\":\"0.5\"", "\"speedup\":\"-0.5\""},
		{"\"speedup\":\"0.5\"", "\"speedup\":\"nan\""},
		{"\"speedup\":\"0.5\"", "\"speedup\":\"1e999\""},
		{"\"speedup\":\"0.5\"", "\"speedup\":\"0.50000000000000000000000000000000\""},
		{"\"reasoning_tokens\":7", "\"reasoning_tokens\":-7"},
		{"\"reasoning_tokens\":7", "\"reasoning_tokens\":null"},
		{"\"reasoning_source\":\"s\"", "\"reasoning_source\":\"\""},
		{"\"source_line\":2", "\"source_line\":0"},
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		expect_field_refused(changes[i][0], changes[i][1]);
	expect_turns_refused(R_LED_FIELD, 1, "[]\n");
	expect_turns_refused(R_LED_FIELD, 1, "null\n");
	expect_turns_refused(R_JSON_SYNTAX, 1, "\n");
	expect_turns_refused(R_JSON_DUPLICATE, 1, "{\"turn\":0,\"turn\":0}\n");
}

static void R_LED_002_refuses_a_line_cut_off_or_too_long(void **state)
{
	(void)state;
	char *turns = mem_text(TURN("0", "0", "Correct", "0.5"));
	struct bytes spaces = {0};

	turns[strlen(turns) - 1] = '\0';
	expect_turns_refused(R_LED_LINE, 1, turns);
	bytes_text(&spaces, TURN("0", "0", "Correct", "0.5"));
	for (int i = 0; i <= LEDGER_LINE_MAX; i++)
		bytes_char(&spaces, ' ');
	bytes_char(&spaces, '\n');
	expect_turns_refused(R_LED_LINE, 2, spaces.data);
	bytes_free(&spaces);
	free(turns);
}

static void R_LED_003_refuses_turns_twice_or_out_of_order(void **state)
{
	(void)state;
	expect_turns_refused(R_LED_ORDER, 2, TURN("0", "0", "Correct", "0.5") TURN("0", "0", "Correct", "0.5"));
	expect_turns_refused(R_LED_ORDER, 2, TURN("0", "0", "Correct", "0.5") TURN("0", "2", "Correct", "0.5"));
	expect_turns_refused(R_LED_ORDER, 2, TURN("1", "0", "Correct", "0.5") TURN("0", "0", "Correct", "0.5"));
	expect_turns_refused(R_LED_ORDER, 1, TURN("0", "1", "Correct", "0.5"));
	expect_turns_refused(R_LED_ORDER, 2, TURN("0", "0", "Correct", "0.5") TURN("1", "1", "Correct", "0.5"));
}

static void R_LED_004_refuses_what_was_not_planned(void **state)
{
	(void)state;
	expect_turns_refused(R_LED_PLAN, 1, TURN("2", "0", "Correct", "0.5"));
	expect_turns_refused(R_LED_PLAN, 1, TURN("0", "3", "Correct", "0.5"));
}

static void R_LED_005_refuses_a_speedup_without_Correct_and_Correct_without(void **state)
{
	(void)state;
	expect_turns_refused(R_LED_SPEEDUP, 1, TURN("0", "0", "Correct", "0.0"));
	expect_turns_refused(R_LED_SPEEDUP, 1, TURN("0", "0", "Other error", "0.1"));
}

static void expect_run_refused(enum rule rule, const char *old, const char *new)
{
	const char *at = strstr(RUN, old);

	assert_non_null(at);
	char *run = mem_format("%.*s%s%s", (int)(at - RUN), RUN, new, at + strlen(old));

	put("artifact/runs/one/run.json", run);
	put("artifact/runs/one/turns.jsonl", "");
	expect_refused(rule, "artifact/runs/one/run.json", 0);
	free(run);
}

static void R_LED_006_refuses_a_directory_that_is_not_its_runs_name(void **state)
{
	(void)state;
	expect_run_refused(R_LED_NAME, "\"run\":\"one\"", "\"run\":\"two\"");
	expect_run_refused(R_LED_NAME, "\"source\":\"test\"", "\"source\":\"../test\"");
}

static void R_LED_007_refuses_values_that_run_json_may_not_hold(void **state)
{
	(void)state;
	expect_run_refused(R_LED_RUN, "\"arch\":\"hopper\"", "\"arch\":\"ampere\"");
	expect_run_refused(R_LED_RUN, "\"checklist\":\"unsaid\"", "\"checklist\":\"\"");
	expect_run_refused(R_LED_RUN, "\"retrieval\":\"none\"", "\"retrieval\":\"some\"");
	expect_run_refused(R_LED_RUN, "\"required_tag\":\"H\"", "\"required_tag\":\"B\"");
	expect_run_refused(R_LED_RUN, "\"date\":\"2026-01-31\"", "\"date\":\"2025-06-31\"");
	expect_run_refused(R_LED_RUN, "\"task\":\"gemm\"", "\"task\":\"\"");
	/* Each in its range, and 1,000,002 turns in all. */
	expect_run_refused(R_LED_RUN, "\"planned_trajectories\":2", "\"planned_trajectories\":333334");
	expect_run_refused(R_JSON_FIELD, "\"position\":1", "\"position\":0");
	expect_run_refused(R_JSON_FIELD, "\"position\":1,", "");
	expect_run_refused(R_JSON_FIELD, "\"position\":1", "\"position\":1,\"extra\":1");
	put("artifact/runs/one/run.json", "[]\n");
	expect_refused(R_LED_RUN, "artifact/runs/one/run.json", 0);
}

static void what_may_be_planned(void **state)
{
	(void)state;
	assert_true(ledger_can_plan(1000000, 1));
	assert_true(ledger_can_plan(100, 10000));
	assert_false(ledger_can_plan(101, 10000));
	assert_false(ledger_can_plan(1000001, 1));
	assert_false(ledger_can_plan(1, 10001));
	assert_false(ledger_can_plan(UINT64_MAX, 2));
}

static void R_LED_008_refuses_two_runs_at_one_position(void **state)
{
	(void)state;
	char *other = mem_text(RUN);

	memcpy(strstr(other, "\"one\""), "\"a\"  ", 5);
	put("artifact/runs/a/run.json", other);
	put("artifact/runs/a/turns.jsonl", "");
	put("artifact/runs/one/run.json", RUN);
	put("artifact/runs/one/turns.jsonl", "");
	expect_refused(R_LED_POSITION, "artifact/runs", 0);
	free(other);
}

static void R_LED_009_refuses_strange_files_and_missing_ones(void **state)
{
	(void)state;
	put("artifact/runs/one/run.json", RUN);
	expect_refused(R_IO_OPEN, "artifact/runs/one/turns.jsonl", 0);
	put("artifact/runs/one/turns.jsonl", "");
	put("artifact/runs/one/exchanges.jsonl", ""); /* what was asked of a model: no part of the ledger, and no stranger */
	put("artifact/runs/one/notes.txt", "");
	expect_refused(R_LED_FILES, "artifact/runs/one/notes.txt", 0);
	clean(state);
	put("artifact/runs/README", "");
	expect_refused(R_LED_FILES, "artifact/runs/README", 0);
	clean(state);
	put("artifact/runs/one/deep/run.json", RUN);
	expect_refused(R_IO_OPEN, "artifact/runs/one/run.json", 0);
}

/* Its write-ahead file has answers that stand nowhere else: it is no stranger that one could remove. */
static void R_AHD_001_is_said_of_a_run_whose_session_goes_on_or_was_killed(void **state)
{
	static const char *const files[] = {"artifact/runs/one/exchanges.ahead", "artifact/runs/one/evaluations.ahead"};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		put("artifact/runs/one/run.json", RUN);
		put("artifact/runs/one/turns.jsonl", "");
		put(files[i], "");
		expect_refused(R_AHD_UNFINISHED, files[i], 0);
		clean(state);
	}
	put("artifact/runs/exchanges.ahead", "");
	expect_refused(R_LED_FILES, "artifact/runs/exchanges.ahead", 0);
}

static void the_next_position_is_told_while_other_runs_go_on(void **state)
{
	(void)state;
	struct error err;
	uint64_t position = 0;

	assert_int_equal(ledger_next_position(&root, "test", &position, &err), OK);
	assert_int_equal(position, 1);
	put("artifact/runs/one/run.json", RUN);
	put("artifact/runs/one/turns.jsonl", "");
	put("artifact/runs/one/exchanges.ahead", "");
	put("artifact/runs/begun/query.json", "");
	put("artifact/runs/begun/turns.jsonl", "");
	assert_int_equal(ledger_next_position(&root, "test", &position, &err), OK);
	assert_int_equal(position, 2);
	assert_int_equal(ledger_next_position(&root, "other", &position, &err), OK);
	assert_int_equal(position, 1);
	put("artifact/runs/two/run.json", "{}");
	assert_int_equal(ledger_next_position(&root, "test", &position, &err), MALFORMED);
	assert_string_equal(err.file, "artifact/runs/two/run.json");
}

static enum status stop(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	(void)context;
	(void)run;
	(void)turn;
	(void)line;
	(void)err;
	return STOPPED;
}

static void a_visitor_that_stops_is_obeyed(void **state)
{
	(void)state;
	struct bytes seen = {0};
	struct error err = {0};
	struct ledger_visitor visitor = {.on_run = on_run, .on_turn = stop, .context = &seen};

	put("artifact/runs/one/run.json", RUN);
	put("artifact/runs/one/turns.jsonl", TURN("0", "0", "Correct", "0.5"));
	assert_int_equal(ledger_read(&root, &visitor, &err), STOPPED);
	bytes_free(&seen);
}

static void tags_and_names_have_one_form(void **state)
{
	(void)state;
	static const char *const tags[] = {"", "G", "A", "H", "B", "A, H", "A, B", "H, B", "A, H, B"};
	static const char *const no_tags[] = {"X", "G, A", "A, A", "B, H", "A, ", ", A", "A,", "A,B", "H,  B"};

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		assert_true(arch_tag_valid(tags[i], strlen(tags[i])));
	for (size_t i = 0; i < sizeof no_tags / sizeof *no_tags; i++)
		assert_false(arch_tag_valid(no_tags[i], strlen(no_tags[i])));
	assert_true(arch_tag_has("A, H", 'H'));
	assert_false(arch_tag_has("A, H", 'B'));
	assert_false(arch_tag_has("", 'B'));
	assert_true(ledger_name_valid("0.a_b-C", 7));
	assert_false(ledger_name_valid("", 0));
	assert_false(ledger_name_valid(".a", 2));
	assert_false(ledger_name_valid("a/b", 3));
	assert_false(ledger_name_valid("a\0b", 3));
}

int main(void)
{
#define CASE(function) cmocka_unit_test_teardown(function, clean)
	const struct CMUnitTest tests[] = {
		CASE(a_bundle_without_runs_is_read),
		CASE(runs_come_in_the_order_of_their_positions),
		CASE(what_is_written_is_read_back_to_the_byte),
		CASE(objects_of_a_turn_are_read_and_written),
		CASE(R_LED_001_refuses_fields_missing_unknown_or_of_another_kind),
		CASE(R_LED_002_refuses_a_line_cut_off_or_too_long),
		CASE(R_LED_003_refuses_turns_twice_or_out_of_order),
		CASE(R_LED_004_refuses_what_was_not_planned),
		CASE(R_LED_005_refuses_a_speedup_without_Correct_and_Correct_without),
		CASE(R_LED_006_refuses_a_directory_that_is_not_its_runs_name),
		CASE(R_LED_007_refuses_values_that_run_json_may_not_hold),
		CASE(what_may_be_planned),
		CASE(R_LED_008_refuses_two_runs_at_one_position),
		CASE(R_LED_009_refuses_strange_files_and_missing_ones),
		CASE(R_AHD_001_is_said_of_a_run_whose_session_goes_on_or_was_killed),
		CASE(the_next_position_is_told_while_other_runs_go_on),
		CASE(a_visitor_that_stops_is_obeyed),
		CASE(tags_and_names_have_one_form),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
