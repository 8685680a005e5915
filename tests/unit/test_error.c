/* Errors and rules: the status a rule stands for, and a message that names file, place, rule and remedy. */
#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static void rules_are_whole_and_named_once(void **state)
{
	(void)state;
	for (int i = 0; i < RULE_COUNT; i++) {
		const struct rule_info *rule = rule_info((enum rule)i);

		/* "R-", letters, "-", three digits */
		size_t letters = strspn(rule->id + 2, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		assert_memory_equal(rule->id, "R-", 2);
		assert_in_range(letters, 2, 5);
		assert_int_equal(rule->id[2 + letters], '-');
		assert_int_equal(strspn(rule->id + 3 + letters, "0123456789"), 3);
		assert_int_equal(strlen(rule->id), letters + 6);
		assert_memory_equal(rule->name, "R_", 2);
		assert_int_equal(rule->status == OK, rule->severity != SEVERITY_ERROR); /* what only tells something breaks nothing */
		assert_true(strlen(rule->text) > 0 && strlen(rule->remedy) > 0);
		assert_null(strpbrk(rule->text, "\n\t"));
		assert_null(strpbrk(rule->remedy, "\n\t"));
		assert_true(rule->text[strlen(rule->text) - 1] != '.' &&
			    rule->remedy[strlen(rule->remedy) - 1] != '.');
		for (int k = 0; k < i; k++)
			assert_string_not_equal(rule->id, rule_info((enum rule)k)->id);
	}
}

static void fills_and_returns_the_status_of_the_rule(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(error_set(&err, R_IO_WRITE, "out.csv", "%d left", 3), UNAVAILABLE);
	assert_int_equal(err.status, UNAVAILABLE);
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_string_equal(err.file, "out.csv");
	assert_string_equal(err.what, "3 left");
	assert_false(err.has_offset);
	assert_int_equal(err.line, 0);

	assert_int_equal(error_at(&err, R_JSON_NUL, "a.json", 7, "x"), MALFORMED);
	assert_true(err.has_offset);
	assert_int_equal(err.offset, 7);

	assert_int_equal(error_line(&err, R_CSV_QUOTE, NULL, 9, "y"), MALFORMED);
	assert_int_equal(err.line, 9);
	assert_false(err.has_offset);
	assert_string_equal(err.file, "");

	assert_int_equal(error_set(NULL, R_JSON_NUL, "a.json", "x"), MALFORMED);
	assert_int_equal(error_at(NULL, R_JSON_NUL, "a.json", 1, "x"), MALFORMED);
	assert_int_equal(error_line(NULL, R_JSON_NUL, "a.json", 1, "x"), MALFORMED);
}

static void may_quote_itself(void **state)
{
	struct error err = {0};

	(void)state;
	error_set(&err, R_JSON_NUL, "a.json", "inner");
	error_set(&err, R_JSON_FIELD, err.file, "outer of %s", err.what);
	assert_string_equal(err.what, "outer of inner");
	assert_string_equal(err.file, "a.json");
}

static void cuts_long_and_hostile_text(void **state)
{
	struct error err = {0};
	char name[5000];

	(void)state;
	memset(name, 'n', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	error_set(&err, R_JSON_NUL, name, "%s", name);
	assert_int_equal(strlen(err.file), ERROR_FILE_MAX - 1);
	assert_int_equal(strlen(err.what), ERROR_WHAT_MAX - 1);
	error_set(&err, R_JSON_NUL, "a\x1B]0;x\x07\n", "\xFF%s", "\x1B[2J");
	assert_string_equal(err.file, "a\\x1B]0;x\\x07\\n");
	assert_string_equal(err.what, "\\xFF\\x1B[2J");
}

static void says_why_a_call_failed(void **state)
{
	struct error err = {0};

	(void)state;
	errno = ENOENT;
	assert_int_equal(error_errno(&err, R_IO_OPEN, "x", "cannot open it"), MALFORMED);
	assert_string_equal(err.what, "cannot open it: No such file or directory");
	errno = 99999;
	error_errno(&err, R_IO_OPEN, "x", "cannot open it");
	assert_string_equal(err.what, "cannot open it: unknown error");
}

static void expect_print(const struct error *err, const char *wanted)
{
	FILE *file = tmpfile();
	char text[4096];
	int saved = dup(STDERR_FILENO);

	assert_non_null(file);
	assert_true(saved >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
	error_print(err);
	fflush(stderr);
	assert_true(dup2(saved, STDERR_FILENO) >= 0);
	close(saved);
	rewind(file);
	size_t len = fread(text, 1, sizeof text - 1, file);

	text[len] = '\0';
	fclose(file);
	assert_string_equal(text, wanted);
}

static void prints_file_place_rule_and_remedy(void **state)
{
	struct error err = {0};

	(void)state;
	error_at(&err, R_JSON_NUL, "a.json", 0, "a NUL");
	expect_print(
	    &err,
	    "ptxseal: a.json: byte 0: a NUL (R-JSN-006: no string holds U+0000); remove the character\n");
	error_line(&err, R_CSV_FIELDS, "t.csv", 12, "two fields");
	expect_print(
	    &err,
	    "ptxseal: t.csv: line 12: two fields (R-CSV-004: every record has as many fields as the header); "
	    "mend the record at the named line\n");
	error_set(&err, R_JSON_NUL, NULL, "a NUL");
	expect_print(&err, "ptxseal: a NUL (R-JSN-006: no string holds U+0000); remove the character\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rules_are_whole_and_named_once),
	    cmocka_unit_test(fills_and_returns_the_status_of_the_rule),
	    cmocka_unit_test(may_quote_itself),
	    cmocka_unit_test(cuts_long_and_hostile_text),
	    cmocka_unit_test(says_why_a_call_failed),
	    cmocka_unit_test(prints_file_place_rule_and_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
