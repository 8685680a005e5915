/* What a submitter says of a submission (submission/facts.h): every fault is told with its member, and what is said of a task is found. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "submission/facts.h"

static const char good[] =
	"{\"conflicts\":[{\"statement\":\"\",\"task\":\"gemm\",\"trained\":\"no\"},{\"statement\":\"it was\",\"task\":\"mha\",\"trained\":\"yes\"}],"
	"\"contact\":\"lab@example.org\",\"date\":\"2026-11-30\",\"environment\":{\"endpoint\":\"local\",\"harness\":\"none\",\"other\":\"none\",\"tools\":\"none\"},"
	"\"model\":\"Model L\",\"program\":\"ptxseal\",\"runs\":[\"lab-gemm\",\"lab-mha\"],"
	"\"sampling\":{\"max_tokens\":\"32768\",\"other\":\"none\",\"seed\":\"unknown\",\"temperature\":\"1.0\",\"top_p\":\"0.95\"},"
	"\"schema\":\"ptxseal-submission/1\",\"source\":\"lab\",\"statement\":\"\",\"submitter\":\"a lab\"}";

/* good, with one text in place of another. */
static cJSON *with(const char *old, const char *new)
{
	const char *at = strstr(good, old);

	assert_non_null(at);
	char *text = mem_format("%.*s%s%s", (int)(at - good), good, new, at + strlen(old));
	cJSON *tree = cJSON_Parse(text);

	assert_non_null(tree);
	free(text);
	return tree;
}

static void what_is_as_it_should_be_has_no_finding(void **state)
{
	cJSON *tree = cJSON_Parse(good);
	struct findings findings = {0};

	(void)state;
	assert_true(facts_check(tree, "f", &findings));
	assert_int_equal(findings.count, 0);
	cJSON_Delete(tree);
}

static void every_fault_is_told_by_rule_and_member(void **state)
{
	static const struct {
		const char *old, *new;
		enum rule rule;
		const char *field, *what;
	} faults[] = {
		{"\"schema\":\"ptxseal-submission/1\",", "", R_SUB_FACTS, "schema", "it is missing"},
		{"submission/1", "submission/2", R_SUB_FACTS, "schema", "it is not ptxseal-submission/1"},
		{"\"source\":", "\"price\":\"1\",\"source\":", R_SUB_FACTS, "price", "there is no such field"},
		{"2026-11-30", "2026-11-31", R_SUB_FACTS, "date", "it is no day written YYYY-MM-DD"},
		{"\"1.0\"", "1.0", R_SUB_FACTS, "sampling.temperature", "it is not a text"},
		{"\"0.95\"", "\"\"", R_SUB_FACTS, "sampling.top_p", "it is empty; write unknown where it is not known"},
		{"\"tools\":\"none\"", "\"tool\":\"none\"", R_SUB_FACTS, "environment.tools", "it is missing"},
		{"\"yes\"", "\"perhaps\"", R_SUB_FACTS, "conflicts[1].trained", "it is none of yes, no, unknown"},
		{"\"mha\"", "\"gemm\"", R_SUB_FACTS, "conflicts[1].task", "it is told of twice"},
		{"\"lab-gemm\",\"lab-mha\"", "\"lab-mha\",\"lab-gemm\"", R_SUB_FACTS, "runs", "they are not in order, or one stands twice"},
		{"\"lab-gemm\",", "\"../x\",", R_SUB_FACTS, "runs", "one is no name of a run"},
		{"\"source\":\"lab\"", "\"source\":\"root\"", R_SUB_FACTS, "source",
	         "it is no name of letters, digits, '.', '_' and '-' that starts with a letter or digit, or it is root"},
		{"\"statement\":\"\",\"submitter\"", "\"statement\":\"a\\u202eb\",\"submitter\"", R_SUB_TEXT, "statement", "it is 'a\\u{202E}b'"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
		cJSON *tree = with(faults[i].old, faults[i].new);
		struct findings findings = {0};
		size_t at = 0;

		assert_false(facts_check(tree, "f", &findings));
		findings_sort(&findings);
		while (at < findings.count && strcmp(findings.at[at].field, faults[i].field) != 0)
			at++;
		if (at == findings.count)
			fail_msg("%s: nothing is told of it", faults[i].field);
		assert_int_equal(findings.at[at].rule, faults[i].rule);
		assert_string_equal(findings.at[at].what, faults[i].what);
		assert_string_equal(findings.at[at].file, "f");
		findings_free(&findings);
		cJSON_Delete(tree);
	}
}

static void what_is_said_of_a_task_is_found(void **state)
{
	cJSON *tree = cJSON_Parse(good);

	(void)state;
	assert_string_equal(facts_conflict(tree, "gemm"), "no");
	assert_string_equal(facts_conflict(tree, "mha"), "yes");
	assert_null(facts_conflict(tree, "gem"));
	assert_null(facts_conflict(NULL, "gemm"));
	cJSON_Delete(tree);
}

static void what_may_be_shown_to_people_is_plain(void **state)
{
	(void)state;
	assert_true(facts_text_plain(""));
	assert_true(facts_text_plain("Mod\303\250le L, \346\250\241"));
	assert_false(facts_text_plain("a\nb"));
	assert_false(facts_text_plain("\033[2J"));
	assert_false(facts_text_plain("a\342\200\256b")); /* U+202E turns what follows around */
	assert_false(facts_text_plain("a\377b"));
}

/* Its own words have to take the place of the template's. */
static void the_template_is_not_an_answer(void **state)
{
	struct error err;
	cJSON *facts;

	(void)state;
	assert_int_equal(facts_parse(facts_template, strlen(facts_template), "f", &facts, &err), rule_info(R_SUB_FACTS)->status);
	assert_null(facts);
	assert_int_equal(err.rule, R_SUB_FACTS);
	assert_string_equal(err.what, "contact: these are the words of the template: write your own");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_as_it_should_be_has_no_finding), cmocka_unit_test(every_fault_is_told_by_rule_and_member),
		cmocka_unit_test(what_is_said_of_a_task_is_found),        cmocka_unit_test(what_may_be_shown_to_people_is_plain),
		cmocka_unit_test(the_template_is_not_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
