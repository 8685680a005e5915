/* Templates, and the messages of a turn by each policy. */
#include "unit.h"

#include <string.h>

#include "base/jcs.h"
#include "model/messages.h"
#include "scratch.h"

static char *name;
static struct root root;
static struct template template;

static void put(const char *path, const char *text)
{
	assert_int_equal(root_write(&root, path, text, strlen(text), NULL), OK);
}

static int set_up(void **state)
{
	(void)state;
	name = scratch_make();
	assert_int_equal(root_open(name, &root, NULL), OK);
	put("tasks/prompts/t-1/task.txt", "Do {{task}} on {{architecture}}, like {{example}}.");
	put("tasks/prompts/t-1/feedback.txt", "{{feedback}} Again.");
	put("tasks/prompts/t-1/single.txt", "{{task_text}}|{{answer}}|{{feedback}}");
	put("tasks/prompts/t-1/example.txt", "{{task}}");
	put("tasks/prompts/t-1/hopper.txt", "hopper");
	assert_int_equal(template_read(&root, "t-1", "hopper", &template, NULL), OK);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	template_free(&template);
	root_close(&root);
	scratch_remove(name);
	return 0;
}

static void rendering(void **state)
{
	struct prompt_values values = {0};
	struct bytes text = {0};
	struct error err;

	(void)state;
	assert_int_equal(prompt_render(&template, PROMPT_TASK, &values, &text, &err), MALFORMED);
	assert_int_equal(err.rule, R_PRM_FORM);
	assert_string_equal(err.what, "{{task}} in its task.txt has no value");
	bytes_free(&text);
	/* What a value or a part holds is text. */
	prompt_values_add(&values, "task", mem_text("{{feedback}}"));
	assert_int_equal(prompt_render(&template, PROMPT_TASK, &values, &text, NULL), OK);
	assert_string_equal(text.data, "Do {{feedback}} on hopper, like {{task}}.");
	bytes_free(&text);
	prompt_values_free(&values);
}

/* SHA-256 of "8 task.txt50 Do ...", and so on: printf '8 task.txt50 %s12 feedback.txt19 %s10 single.txt37 %s11 example.txt8 %s10 hopper.txt6 %s' ... | sha256sum */
static void its_hash(void **state)
{
	struct template other;
	struct error err;
	char hex[SHA256_HEX + 1];

	(void)state;
	sha256_hex(&template.hash, hex);
	assert_string_equal(hex, "18eb6c8f7ceea01fcaa8f0ec224362f2854152aaf01278d8fa624a8793f83f43");
	put("tasks/prompts/t-2/task.txt", "x");
	assert_int_equal(template_read(&root, "t-2", "hopper", &other, &err), USAGE);
	assert_int_equal(err.rule, R_PRM_NAME);
	assert_string_equal(err.file, "tasks/prompts/t-2/feedback.txt");
	template_free(&other);
	put("tasks/prompts/t-2/task.txt", "\xff");
	assert_int_equal(template_read(&root, "t-2", "hopper", &other, &err), MALFORMED);
	template_free(&other);
	assert_int_equal(template_read(&root, "../t-1", "hopper", &other, &err), USAGE);
	template_free(&other);
	assert_int_equal(template_read(&root, "t-1", "blackwell", &other, &err), USAGE);
	template_free(&other);
}

static void expect(enum policy policy, size_t count, const char *json)
{
	const struct said said[] = {
		{.answer = (char[]){"one"}, .kernel = NULL, .feedback = (char[]){"no kernel"}},
		{.answer = (char[]){""}, .kernel = NULL, .feedback = (char[]){"no answer"}},
		{.answer = (char[]){"three"}, .kernel = (char[]){"k3"}, .feedback = (char[]){"slow"}},
	};
	const struct query_plan plan = {.policy = policy};
	struct prompt_values values = {0};
	struct bytes text = {0};
	cJSON *messages;

	prompt_values_add(&values, "task", mem_text("T"));
	assert_int_equal(messages_make(&plan, &template, &values, said, count, &messages, NULL), OK);
	assert_int_equal(jcs_write(messages, &text, NULL), OK);
	assert_string_equal(text.data, json);
	bytes_free(&text);
	cJSON_Delete(messages);
	prompt_values_free(&values);
}

#define USER(text) "{\"content\":\"" text "\",\"role\":\"user\"}"
#define MODEL(text) "{\"content\":\"" text "\",\"role\":\"assistant\"}"
#define TASK "Do T on hopper, like {{task}}."

static void policies(void **state)
{
	(void)state;
	for (int policy = 0; policy < POLICY_COUNT; policy++)
		expect((enum policy)policy, 0, "[" USER(TASK) "]");
	expect(POLICY_FULL, 3, "[" USER(TASK) "," MODEL("one") "," USER("no kernel Again.") "," MODEL("(no answer)") "," USER("no answer Again.") "," MODEL("three") "," USER("slow Again.") "]");
	expect(POLICY_PAIR, 3, "[" USER(TASK) "," MODEL("three") "," USER("slow Again.") "]");
	expect(POLICY_SINGLE, 3, "[" USER(TASK "|k3|slow") "]");
	expect(POLICY_SINGLE, 2, "[" USER(TASK "|(no answer)|no answer") "]");
	expect(POLICY_SINGLE, 1, "[" USER(TASK "|one|no kernel") "]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rendering), cmocka_unit_test(its_hash), cmocka_unit_test(policies)};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
