/* R-TRJ-001, R-TRJ-002: one trajectory taken apart. Directories of them: tests/cli/exchange. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "model/trajectory.h"

#define FILE_OF(messages)                                                                                                  \
	"{\"info\":{\"config\":{\"model\":{\"model_name\":\"m\"},\"agent\":{\"step_limit\":8}}},\"messages\":[" messages \
	"],\"trajectory_format\":\"mini-swe-agent-1.1\"}"
#define ASKED "{\"role\":\"system\",\"content\":\"s\"},{\"role\":\"user\",\"content\":\"q\"}"

static void parse(const char *text, struct trajectory *trajectory)
{
	struct error err = {0};

	assert_int_equal(trajectory_parse(text, strlen(text), "t.json", trajectory, &err), OK);
}

static void an_answer_is_a_turn_with_what_it_was_told(void **state)
{
	(void)state;
	struct trajectory t;

	parse(FILE_OF(ASKED ",{\"role\":\"assistant\",\"content\":\"a\"},{\"role\":\"user\",\"content\":\"CUDA error\"},"
	                    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"x\"},{\"text\":\"c\"}]}"),
	      &t);
	assert_string_equal(t.model, "m");
	assert_int_equal(t.step_limit, 8);
	assert_null(t.task);
	assert_int_equal(t.count, 2);
	assert_string_equal(t.turns[0].prompt.data, "[{\"content\":\"s\",\"role\":\"system\"},{\"content\":\"q\",\"role\":\"user\"}]");
	assert_string_equal(t.turns[0].response, "a");
	assert_string_equal(t.turns[0].feedback.data, "[{\"content\":\"CUDA error\",\"role\":\"user\"}]");
	assert_string_equal(t.turns[0].label, "text");
	assert_string_equal(outcome_name(t.turns[0].outcome), "Runtime error");
	assert_string_equal(t.turns[1].prompt.data, t.turns[0].feedback.data);
	assert_string_equal(t.turns[1].response, "bc");
	assert_int_equal(t.turns[1].feedback.len, 0);
	assert_string_equal(outcome_name(t.turns[1].outcome), "unknown");
	assert_string_equal(t.turns[1].label, "");
	trajectory_free(&t);
}

/* The phrase stands in the question: it is no outcome of an answer. */
static void the_question_tells_of_no_outcome(void **state)
{
	(void)state;
	struct trajectory t;

	parse(FILE_OF("{\"role\":\"user\",\"content\":\"Avoid: CUDA error\"},{\"role\":\"assistant\",\"content\":\"a\"},"
	              "{\"role\":\"tool\",\"content\":\"fine\"}"),
	      &t);
	assert_int_equal(t.count, 1);
	assert_string_equal(outcome_name(t.turns[0].outcome), "unknown");
	trajectory_free(&t);
}

static void traces_come_before_events_and_text(void **state)
{
	(void)state;
	struct trajectory t;

	parse(FILE_OF(ASKED ",{\"role\":\"assistant\",\"content\":null},"
	                    "{\"role\":\"user\",\"content\":\"CUDA error\",\"extra\":{\"event\":\"no_code\",\"min_speedup\":0.25,\"traces\":["
	                    "{\"evaluation\":{\"status\":\"PASSED\",\"performance\":{\"speedup_factor\":0.5}}},"
	                    "{\"evaluation\":{\"status\":\"PASSED\",\"performance\":{\"speedup_factor\":0.75}}}]}},"
	                    "{\"role\":\"assistant\",\"content\":\"\"},"
	                    "{\"role\":\"user\",\"content\":\"\",\"extra\":{\"traces\":["
	                    "{\"evaluation\":{\"status\":\"PASSED\",\"performance\":{\"speedup_factor\":0.5}}},"
	                    "{\"evaluation\":{\"status\":\"TIMEOUT\"}},{\"evaluation\":{\"status\":\"RUNTIME_ERROR\"}}]}},"
	                    "{\"role\":\"assistant\",\"content\":\"\"},{\"role\":\"user\",\"content\":\"CUDA error\",\"extra\":{\"event\":\"cublas_banned\"}}"),
	      &t);
	assert_int_equal(t.count, 3);
	assert_string_equal(outcome_name(t.turns[0].outcome), "Correct");
	assert_true(t.turns[0].speedup > 0.7 && t.turns[0].speedup < 0.8);
	assert_string_equal(t.turns[0].response, "");
	assert_string_equal(outcome_name(t.turns[1].outcome), "Kernel Execution Timeout");
	assert_string_equal(t.turns[1].label, "TIMEOUT");
	assert_string_equal(outcome_name(t.turns[2].outcome), "Other error");
	assert_string_equal(t.turns[2].label, "cublas_banned");
	trajectory_free(&t);
}

/* mini-swe-agent appends no answer that it could not take apart, only the message that says so. */
static void an_answer_in_no_form_is_a_turn(void **state)
{
	(void)state;
	struct trajectory t;

	parse(FILE_OF(ASKED ",{\"role\":\"user\",\"content\":\"Could not extract it\",\"extra\":{\"interrupt_type\":\"FormatError\","
	                    "\"model_response\":\"mumble\",\"response\":{\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6,\"thinking_tokens\":4}}}},"
	                    "{\"role\":\"exit\",\"content\":\"RepeatedFormatError\"}"),
	      &t);
	assert_int_equal(t.count, 1);
	assert_string_equal(t.turns[0].response, "mumble");
	assert_string_equal(outcome_name(t.turns[0].outcome), "Extraction error");
	assert_int_equal(t.turns[0].reasoning_tokens, 4);
	assert_string_equal(t.turns[0].reasoning_source, "thinking_tokens");
	assert_int_equal(t.turns[0].prompt_tokens, 5);
	assert_int_equal(t.turns[0].completion_tokens, 6);
	trajectory_free(&t);
}

static void what_is_no_trajectory_is_refused(void **state)
{
	(void)state;
	static const struct {
		const char *text, *rule;
	} table[] = {
		{"7", "R-TRJ-001"},
		{"{\"info\":{},\"messages\":[],\"trajectory_format\":\"other\"}", "R-TRJ-001"},
		{"{\"info\":{},\"messages\":{},\"trajectory_format\":\"mini-swe-agent-1\"}", "R-JSN-011"},
		{"{\"messages\":[],\"trajectory_format\":\"mini-swe-agent-1\"}", "R-JSN-011"},
		{FILE_OF("7"), "R-TRJ-002"},
		{FILE_OF("{\"content\":\"\"}"), "R-TRJ-002"},
		{FILE_OF("{\"role\":\"assistant\",\"content\":\"a\"}"), "R-TRJ-002"},
		{FILE_OF("{\"role\":\"system\",\"content\":\"a\"},{\"role\":\"assistant\",\"content\":\"a\"}"), "R-TRJ-002"},
		{FILE_OF(ASKED ",{\"role\":\"assistant\",\"content\":\"a\"},{\"role\":\"system\",\"content\":\"b\"}"), "R-TRJ-002"},
		{FILE_OF(ASKED ",{\"role\":\"assistant\",\"content\":[7]}"), "R-TRJ-002"},
		{FILE_OF("{\"role\":\"user\",\"content\":7}"), "R-TRJ-002"},
		{FILE_OF(ASKED ",{\"role\":\"assistant\",\"content\":\"\"},{\"role\":\"user\",\"content\":\"\",\"extra\":{\"traces\":[7]}}"),
	         "R-TRJ-002"},
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		struct trajectory t;
		struct error err = {0};

		assert_int_equal(trajectory_parse(table[i].text, strlen(table[i].text), "t.json", &t, &err), MALFORMED);
		assert_string_equal(rule_info(err.rule)->id, table[i].rule);
		assert_string_equal(err.file, "t.json");
		assert_int_equal(t.count, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_a_turn_with_what_it_was_told),
		cmocka_unit_test(the_question_tells_of_no_outcome),
		cmocka_unit_test(traces_come_before_events_and_text),
		cmocka_unit_test(an_answer_in_no_form_is_a_turn),
		cmocka_unit_test(what_is_no_trajectory_is_refused),
	};

	return cmocka_run_group_tests_name("trajectory", tests, NULL, NULL);
}
