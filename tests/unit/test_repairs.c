/*
 * Repairs (R_REP_TASK, R_REP_NONE): a failed answer, what was told of it and the correct one that follows are a line; what gives none is counted, and why. docs/query.md, "The repair set".
 */
#include "unit.h"

#include "scratch.h"

#include "bundle/objects.h"
#include "model/repairs.h"

#define LINE(run, failed, told, fixed, outcome, failed_hex, told_hex, fixed_hex, task, trajectory, turn) \
	"{\"failed_outcome\":\"" outcome "\",\"failed_sha256\":\"" failed_hex "\",\"feedback_sha256\":\"" told_hex "\",\"fixed_sha256\":\"" fixed_hex "\",\"messages\":[{\"content\":\"" failed "\\n\\n" told \
	"\",\"role\":\"user\"},{\"content\":\"" fixed "\",\"role\":\"assistant\"}],\"run\":\"" run "\",\"task\":\"" task "\",\"trajectory\":" #trajectory ",\"turn\":" #turn "}\n"

/* printf bad | sha256sum; printf 'it died' | sha256sum; printf good | sha256sum */
#define BAD "2f05d4b689d270cafb02285f35f44866f7dc8a2d368a3f9d1124373eeab31fb1"
#define DIED "359311b0146020121b2c35ad19f3de9e9e6382b201e2b0ecd9697d2c551fb24f"
#define GOOD "770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c"

static struct root root;
static struct bytes turns;

static int set_up(void **state)
{
	*state = scratch_make();
	return root_open(*state, &root, NULL) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	root_close(&root);
	scratch_remove(*state);
	bytes_free(&turns);
	return 0;
}

static void write_text(const char *path, const char *text)
{
	assert_int_equal(root_write(&root, path, text, strlen(text), NULL), OK);
}

static void task(const char *name, const char *set)
{
	char *path = mem_format("tasks/%s/facts.json", name), *facts = mem_format("{\"paper_set\":\"%s\"}", set);

	write_text(path, facts);
	free(facts);
	free(path);
	path = mem_format("tasks/%s/task.json", name);
	write_text(path, "{}");
	free(path);
}

/* An object's name, as a record has it; NULL: it has none. */
static void add_object(const char *key, const char *text)
{
	char hex[SHA256_HEX + 1];
	struct sha256 id;

	if (text == NULL) {
		bytes_format(&turns, "\"%s\":null,", key);
		return;
	}
	assert_int_equal(object_put(&root, text, strlen(text), &id, NULL), OK);
	sha256_hex(&id, hex);
	bytes_format(&turns, "\"%s\":\"%s\",", key, hex);
}

static void turn(unsigned trajectory, unsigned number, const char *outcome, const char *answer, const char *told)
{
	const bool correct = strcmp(outcome, "Correct") == 0;

	bytes_text(&turns, "{\"arch_tag\":\"\",\"evidence\":\"reported\",");
	add_object("feedback", told);
	bytes_format(&turns, "\"outcome\":\"%s\",", outcome);
	add_object("prompt", answer != NULL ? "ask" : NULL);
	bytes_text(&turns, "\"reasoning_source\":\"\",\"reasoning_tokens\":null,");
	add_object("response", answer);
	bytes_format(&turns, "\"source_line\":null,\"speedup\":\"%s\",\"trajectory\":%u,\"turn\":%u}\n", correct ? "0.5" : "0", trajectory, number);
}

/* The run of those turns. */
static void run(const char *name, const char *of, unsigned position)
{
	char *path = mem_format("artifact/runs/%s/run.json", name), *lines = mem_format("artifact/runs/%s/turns.jsonl", name);
	char *text = mem_format("{\"arch\":\"hopper\",\"checklist\":\"unsaid\",\"date\":\"\",\"model\":\"m\",\"planned_trajectories\":3,\"planned_turns\":4,\"position\":%u,\"required_tag\":\"H\",\"retrieval\":\"unsaid\","
	                        "\"run\":\"%s\",\"source\":\"s\",\"task\":\"%s\",\"variant\":\"\",\"workload\":\"w\",\"workload_name\":\"x\"}\n",
	                        position, name, of);

	write_text(path, text);
	write_text(lines, turns.data != NULL ? turns.data : "");
	turns.len = 0;
	if (turns.data != NULL)
		turns.data[0] = '\0';
	free(text);
	free(path);
	free(lines);
}

static void counts(const struct repairs *repairs, uint64_t pairs, uint64_t held_out, uint64_t without_texts, uint64_t twice, uint64_t unfixed)
{
	assert_int_equal(repairs->pairs, pairs);
	assert_int_equal(repairs->held_out, held_out);
	assert_int_equal(repairs->without_texts, without_texts);
	assert_int_equal(repairs->twice, twice);
	assert_int_equal(repairs->unfixed, unfixed);
}

static uint64_t count_lines(const struct bytes *text)
{
	uint64_t count = 0;

	for (size_t i = 0; i < text->len; i++)
		count += text->data[i] == '\n';
	return count;
}

/* One line and one manifest, byte for byte. */
static void one_pair(void **state)
{
	struct repairs repairs;
	struct error err = {0};

	(void)state;
	task("core", "core");
	task("other", "extended");
	turn(0, 0, "Runtime error", "bad", "it died");
	turn(0, 1, "Correct", "good", "right");
	run("r", "other", 1);
	if (repairs_make(&root, NULL, &repairs, &err) != OK)
		fail_msg("%s: %s", err.file, err.what);
	counts(&repairs, 1, 0, 0, 0, 0);
	assert_string_equal(repairs.lines.data, LINE("r", "bad", "it died", "good", "Runtime error", BAD, DIED, GOOD, "other", 0, 1));
	/* Its SHA-256 is of the line above, newline and all: sha256sum says so. */
	assert_string_equal(repairs.manifest.data, "{\"bytes\":428,\"failed_without_fix\":0,\"fixes\":1,\"held_out\":[\"core\"],\"left_out\":{\"task held out\":0,\"texts not in the bundle\":0,\"the same pair again\":0},\"pairs\":1,"
	                    "\"program\":\"ptxseal " PTXSEAL_VERSION "\",\"schema\":\"ptxseal-repairs/1\",\"sha256\":\"4cea8ad3cb36a5e87bd13a58759cc5209cd87bbd5468f86d465756403aef648b\",\"tasks\":{\"other\":1}}\n");
	repairs_free(&repairs);
}

/* The fix is the next turn of the same trajectory of the same run, and only that one. */
static void what_is_a_fix(void **state)
{
	struct repairs repairs;

	(void)state;
	task("t", "extended");
	turn(0, 0, "Compilation error", "a", "ta");
	turn(0, 1, "Numerical error", "b", "tb");
	turn(0, 2, "Correct", "c", "tc");
	turn(0, 3, "Correct", "d", "td");
	turn(1, 0, "Correct", "e", "te");
	turn(1, 1, "Runtime error", "f", "tf"); /* the last of its trajectory */
	turn(2, 0, "Correct", "g", "tg");
	turn(2, 1, "Runtime error", "h", "th"); /* the last of its run */
	run("a", "t", 1);
	turn(0, 0, "Correct", "i", "ti");
	run("b", "t", 2);
	assert_int_equal(repairs_make(&root, NULL, &repairs, NULL), OK);
	counts(&repairs, 1, 0, 0, 0, 3);
	assert_non_null(strstr(repairs.lines.data, "{\"content\":\"b\\n\\ntb\",\"role\":\"user\"},{\"content\":\"c\",\"role\":\"assistant\"}"));
	assert_int_equal(count_lines(&repairs.lines), 1);
	repairs_free(&repairs);
}

/* Held-out tasks, texts that are not there, and what was had before: each fix is counted once. */
static void what_gives_no_pair(void **state)
{
	static const char *const hold_t[] = {"t", NULL}, *const hold_both[] = {"core", "t", NULL}, *const hold_none[] = {NULL}, *const unknown[] = {"t", "no", NULL};
	struct repairs repairs;
	struct error err;

	(void)state;
	task("core", "core");
	task("t", "extended");
	turn(0, 0, "Runtime error", "bad", "it died");
	turn(0, 1, "Correct", "good", "right");
	run("a", "t", 1);
	turn(0, 0, "Runtime error", "bad", "it died"); /* the same again */
	turn(0, 1, "Correct", "good", "right");
	turn(1, 0, "Runtime error", NULL, NULL);
	turn(1, 1, "Correct", NULL, NULL);
	turn(2, 0, "Runtime error", "bad", "it hung"); /* told otherwise: another pair */
	turn(2, 1, "Correct", "good", "right");
	run("b", "t", 2);
	turn(0, 0, "Runtime error", "of core", "it died");
	turn(0, 1, "Correct", "good of core", "right");
	run("c", "core", 3);
	assert_int_equal(repairs_make(&root, NULL, &repairs, NULL), OK);
	counts(&repairs, 2, 1, 1, 1, 0);
	assert_null(strstr(repairs.lines.data, "of core"));
	assert_non_null(strstr(repairs.manifest.data, "\"fixes\":5,\"held_out\":[\"core\"],\"left_out\":{\"task held out\":1,\"texts not in the bundle\":1,\"the same pair again\":1},\"pairs\":2,"));
	assert_non_null(strstr(repairs.manifest.data, "\"tasks\":{\"t\":2}"));
	repairs_free(&repairs);
	assert_int_equal(repairs_make(&root, hold_t, &repairs, NULL), OK);
	counts(&repairs, 1, 4, 0, 0, 0);
	assert_non_null(strstr(repairs.lines.data, "of core"));
	repairs_free(&repairs);
	assert_int_equal(repairs_make(&root, hold_none, &repairs, NULL), OK);
	counts(&repairs, 3, 0, 1, 1, 0);
	repairs_free(&repairs);
	assert_int_equal(repairs_make(&root, hold_both, &repairs, &err), FAILS);
	assert_int_equal(err.rule, R_REP_NONE);
	repairs_free(&repairs);
	assert_int_equal(repairs_make(&root, unknown, &repairs, &err), USAGE);
	assert_int_equal(err.rule, R_REP_TASK);
	assert_string_equal(err.what, "there is no task 'no'");
	repairs_free(&repairs);
}

/* Texts that JSON cannot have, and one that is not there: said, and no set is made. */
static void texts_that_cannot_be(void **state)
{
	struct repairs repairs;
	struct error err;
	struct sha256 id;

	(void)state;
	task("t", "extended");
	turn(0, 0, "Runtime error", "bad", "it died");
	turn(0, 1, "Correct", "good", "right");
	run("a", "t", 1);
	id = sha256_of("good", 4);
	char *path = object_path(&id);

	assert_int_equal(root_remove(&root, path, NULL), OK);
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), MALFORMED);
	assert_int_equal(err.rule, R_IO_OPEN);
	assert_string_equal(err.file, path);
	repairs_free(&repairs);
	write_text(path, "GOOD");
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), FAILS);
	assert_int_equal(err.rule, R_OBJ_CONTENT);
	repairs_free(&repairs);
	free(path);
	turn(0, 0, "Runtime error", "not UTF-8: \xff", "it died");
	turn(0, 1, "Correct", "good", "right");
	run("a", "t", 1);
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_UTF8);
	repairs_free(&repairs);
	/* A text with U+0000 in it, which would be cut there. */
	char hex[SHA256_HEX + 1];

	assert_int_equal(object_put(&root, "a\0b", 3, &id, NULL), OK);
	sha256_hex(&id, hex);
	turn(0, 0, "Runtime error", "bad", "it died");
	turn(0, 1, "Correct", "good", "right");
	char *good = strstr(turns.data, GOOD);

	assert_non_null(good);
	memcpy(good, hex, SHA256_HEX);
	run("a", "t", 1);
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_NUL);
	repairs_free(&repairs);
}

/* A task of which it cannot be read whether it is one of the evaluation gives nothing to training. */
static void what_may_be_of_the_evaluation(void **state)
{
	static const char *const facts[] = {"", "{", "{}", "{\"paper_set\":1}"}, *const hold_other[] = {"other", NULL};
	struct repairs repairs;
	struct error err;

	(void)state;
	task("t", "extended");
	task("other", "extended");
	write_text("tasks/prompts/ptx-1/task.txt", "a template, and no task");
	turn(0, 0, "Runtime error", "bad", "it died");
	turn(0, 1, "Correct", "good", "right");
	run("a", "t", 1);
	assert_int_equal(repairs_make(&root, NULL, &repairs, NULL), OK);
	repairs_free(&repairs);
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
		write_text("tasks/t/facts.json", facts[i]);
		assert_int_equal(repairs_make(&root, NULL, &repairs, &err), MALFORMED);
		assert_string_equal(err.file, "tasks/t/facts.json");
		assert_int_equal(repairs.pairs, 0);
		repairs_free(&repairs);
	}
	assert_int_equal(root_remove(&root, "tasks/t/facts.json", NULL), OK);
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), MALFORMED);
	repairs_free(&repairs);
	/* Nor one that is not there at all. */
	assert_int_equal(root_remove(&root, "tasks/t/task.json", NULL), OK);
	assert_int_equal(repairs_make(&root, NULL, &repairs, &err), USAGE);
	assert_int_equal(err.rule, R_REP_TASK);
	repairs_free(&repairs);
	assert_int_equal(repairs_make(&root, hold_other, &repairs, NULL), OK);
	counts(&repairs, 1, 0, 0, 0, 0);
	repairs_free(&repairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_pair, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_a_fix, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_gives_no_pair, set_up, tear_down),
		cmocka_unit_test_setup_teardown(texts_that_cannot_be, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_may_be_of_the_evaluation, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
