/* R-EVL: records of evaluations, read strictly, and the journal that holds them through any kill. */
#include "unit.h"

#include <string.h>

#include "model/journal.h"
#include "scratch.h"

#define HEX "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define NONE(trajectory, turn) "{\"arch_tag\":\"\",\"candidate\":null,\"evidence\":\"unknown\",\"facts\":{},\"files\":[],\"outcome\":\"extraction_error\",\"rule\":\"R-EXT-001\",\"speedup\":\"0\",\"text\":\"\",\"trajectory\":" #trajectory ",\"turn\":" #turn ",\"why_none\":\"no\"}\n"
#define SOME "{\"arch_tag\":\"H\",\"candidate\":\"artifact/candidates/t/r-000-01\",\"evidence\":\"static\",\"facts\":{\"code\":{}},\"files\":[{\"path\":\"kernel.cu\",\"sha256\":\"" HEX "\"}],\"outcome\":\"unknown\",\"rule\":\"\",\"speedup\":\"0\",\"text\":\"\",\"trajectory\":0,\"turn\":1,\"why_none\":null}\n"

static enum status write_again(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	(void)line;
	return evaluation_write(evaluation, context, err);
}

static void what_is_read_is_written(void **state)
{
	static const char text[] = NONE(0, 0) SOME;
	struct bytes again = {0};

	(void)state;
	assert_int_equal(evaluations_parse(text, strlen(text), "f", write_again, &again, NULL), OK);
	assert_string_equal(again.data, text);
	bytes_free(&again);
	assert_int_equal(evaluations_parse("", 0, "f", write_again, &again, NULL), OK);
}

static void refuses(const char *line, const char *from, const char *to, enum rule rule)
{
	struct bytes text = {0}, again = {0};
	struct error err = {0};
	const char *at = strstr(line, from);

	assert_non_null(at);
	bytes_add(&text, line, (size_t)(at - line));
	bytes_text(&text, to);
	bytes_text(&text, at + strlen(from));
	assert_int_equal(evaluations_parse(text.data, text.len, "f", write_again, &again, &err), MALFORMED);
	if (err.rule != rule)
		fail_msg("%s -> %s: %s %s", from, to, rule_info(err.rule)->id, err.what);
	bytes_free(&text);
	bytes_free(&again);
}

static void what_is_refused(void **state)
{
	(void)state;
	refuses(SOME, "\"arch_tag\":\"H\"", "\"arch_tag\":\"X\"", R_EVL_FIELD);
	refuses(SOME, "\"arch_tag\":\"H\",", "", R_EVL_FIELD);
	refuses(SOME, "\"turn\":1", "\"turn\":-1", R_EVL_FIELD);
	refuses(SOME, "\"turn\":1", "\"turn\":1.5", R_EVL_FIELD);
	refuses(SOME, "\"turn\":1", "\"turn\":99999", R_EVL_FIELD);
	refuses(SOME, "\"unknown\"", "\"Correct\"", R_EVL_FIELD);
	refuses(SOME, "\"unknown\"", "\"extraction_error\"", R_EVL_FIELD);
	refuses(SOME, "\"static\"", "\"reported\"", R_EVL_FIELD);
	refuses(SOME, "\"speedup\":\"0\"", "\"speedup\":\"1\"", R_EVL_FIELD);
	refuses(SOME, "\"speedup\":\"0\"", "\"speedup\":\"-1\"", R_EVL_FIELD);
	refuses(SOME, "{\"code\":{}}", "[]", R_EVL_FIELD);
	refuses(SOME, "kernel.cu", "../kernel.cu", R_EVL_FIELD);
	refuses(SOME, HEX, "e3", R_EVL_FIELD);
	refuses(SOME, "\"why_none\":null", "\"why_none\":\"x\"", R_EVL_FIELD);
	refuses(SOME, "artifact/candidates", "/artifact/candidates", R_EVL_FIELD);
	refuses(SOME, "\"text\":\"\"", "\"text\":null", R_EVL_FIELD);
	refuses(SOME, "null}", "null,\"x\":1}", R_EVL_FIELD);
	refuses(NONE(0, 0), "\"files\":[]", "\"files\":[{\"path\":\"a\",\"sha256\":\"" HEX "\"}]", R_EVL_FIELD);
	refuses(NONE(0, 0), "R-EXT-001", "", R_EVL_FIELD);
	refuses(NONE(0, 0), "R-EXT-001", "R-TLC-003", R_EVL_FIELD);
	refuses(SOME, "\"unknown\",\"rule\":\"\"", "\"correct\",\"rule\":\"R-TLC-003\"", R_EVL_FIELD);
	refuses(SOME, "{\"arch_tag\"", "{ \"arch_tag\"", R_EVL_LINE);
	refuses(SOME, "\n", "", R_EVL_LINE);
	refuses(SOME, "null}", "null", R_JSON_SYNTAX);
}

/* As a command opens one to write it. */
static enum status open_live(const struct root *root, uint32_t trajectories, struct keeper **keeper, struct journal **journal, struct error *err)
{
	enum status status = keeper_open(root, "r", KEEPER_EVALUATIONS, keeper, NULL, err);

	if (status == OK)
		status = journal_open(root, "r", trajectories, 3, *keeper, journal, err);
	if (status != OK)
		keeper_close(*keeper);
	return status;
}

static void the_journal(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct keeper *keeper;
	struct journal *journal;
	struct evaluation evaluation = {.trajectory = 1, .turn = 0, .why_none = mem_text("no"), .outcome = OUTCOME_MEASURED_EXTRACTION, .evidence = EVIDENCE_UNKNOWN, .speedup = "0", .rule = mem_text("R-EXT-001"),
	                                .text = mem_text(""), .facts = cJSON_CreateObject()};
	const struct evaluation *kept = NULL;
	struct bytes text = {0};
	struct error err;

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	/* Nothing there yet; frozen, that is a journal without records. */
	assert_int_equal(journal_open(&root, "r", 2, 3, NULL, &journal, NULL), OK);
	assert_null(journal_find(journal, 1, 0));
	journal_close(journal);
	assert_int_equal(open_live(&root, 2, &keeper, &journal, NULL), OK);
	assert_int_equal(journal_add(journal, &evaluation, &kept, NULL), OK);
	assert_ptr_equal(journal_find(journal, 1, 0), kept);
	assert_string_equal(kept->why_none, "no");
	assert_null(evaluation.facts);
	journal_close(journal);
	keeper_close(keeper);
	assert_int_equal(root_read(&root, "artifact/runs/r/evaluations.jsonl", 1000, &text, NULL), OK);
	assert_string_equal(text.data, NONE(1, 0));
	/* A torn line is cut off by who writes, and refused by who reads. */
	bytes_text(&text, "{\"arch");
	assert_int_equal(root_write(&root, "artifact/runs/r/evaluations.jsonl", text.data, text.len, NULL), OK);
	assert_int_equal(journal_open(&root, "r", 2, 3, NULL, &journal, &err), MALFORMED);
	assert_int_equal(err.rule, R_EVL_LINE);
	assert_int_equal(open_live(&root, 2, &keeper, &journal, NULL), OK);
	assert_non_null(journal_find(journal, 1, 0));
	journal_close(journal);
	keeper_close(keeper);
	bytes_free(&text);
	assert_int_equal(root_read(&root, "artifact/runs/r/evaluations.jsonl", 1000, &text, NULL), OK);
	assert_string_equal(text.data, NONE(1, 0));
	/* Beyond what was planned; out of order; twice. */
	assert_int_equal(open_live(&root, 1, &keeper, &journal, &err), MALFORMED);
	assert_int_equal(err.rule, R_EVL_ORDER);
	assert_int_equal(root_write(&root, "artifact/runs/r/evaluations.jsonl", SOME, strlen(SOME), NULL), OK);
	assert_int_equal(open_live(&root, 2, &keeper, &journal, &err), MALFORMED);
	assert_int_equal(err.rule, R_EVL_ORDER);
	bytes_text(&text, NONE(1, 0));
	assert_int_equal(root_write(&root, "artifact/runs/r/evaluations.jsonl", text.data, text.len, NULL), OK);
	assert_int_equal(open_live(&root, 2, &keeper, &journal, &err), MALFORMED);
	assert_int_equal(err.rule, R_EVL_ORDER);
	bytes_free(&text);
	root_close(&root);
	scratch_remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_read_is_written), cmocka_unit_test(what_is_refused), cmocka_unit_test(the_journal)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
