/* in-toto Statement v1: literal bytes out, and every way to break one in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "bundle/statement.h"

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define HEAD "{\"_type\":\"https://in-toto.io/Statement/v1\",\"predicate\":{\"a\":1},\"predicateType\":\"urn:x\",\"subject\":["
#define SUBJECT(name) "{\"digest\":{\"sha256\":\"" ABC "\"},\"name\":\"" name "\"}"

static void a_statement_is_written_canonically(void **state)
{
	(void)state;
	struct statement statement = {.predicate_type = mem_text("urn:x"), .predicate = cJSON_Parse("{\"a\":1}")};
	struct sha256 hash = sha256_of("abc", 3);
	struct bytes out = {0};
	struct error err;

	statement_add(&statement, "z/\"1\"", &hash);
	statement_add(&statement, "b", &hash);
	assert_int_equal(statement_write(&statement, &out, &err), OK);
	assert_string_equal(out.data, HEAD SUBJECT("z/\\\"1\\\"") "," SUBJECT("b") "]}");
	bytes_free(&out);
	statement_free(&statement);
}

static void subjects_are_found_by_name(void **state)
{
	(void)state;
	struct statement statement;
	struct error err;
	const char *text = HEAD SUBJECT("z") "," SUBJECT("b") "]}";

	assert_int_equal(statement_parse(text, strlen(text), "m", &statement, &err), OK);
	assert_int_equal(statement.count, 2);
	assert_string_equal(statement.predicate_type, "urn:x");
	assert_string_equal(statement_find(&statement, "z")->name, "z");
	assert_null(statement_find(&statement, "a"));
	statement_free(&statement);
}

static void expect_refused(const char *text, enum rule rule)
{
	struct statement statement;
	struct error err;

	assert_int_equal(statement_parse(text, strlen(text), "m", &statement, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_string_equal(err.file, "m");
	assert_null(statement.subjects);
}

static void broken_statements_are_refused(void **state)
{
	(void)state;
	expect_refused("{}", R_JSON_FIELD);
	expect_refused("[]", R_STM_FORM);
	expect_refused(HEAD "]}", R_STM_FORM); /* vouches for nothing */
	expect_refused(HEAD SUBJECT("a") "," SUBJECT("b") "," SUBJECT("a") "]}", R_STM_DUPLICATE);
	expect_refused(HEAD SUBJECT("../a") "]}", R_PATH_FORM);
	expect_refused(HEAD "1]}", R_STM_FORM);
	expect_refused(HEAD "{\"name\":\"a\"}]}", R_JSON_FIELD);
	expect_refused(HEAD "{\"name\":\"a\",\"digest\":{\"sha1\":\"00\"}}]}", R_JSON_FIELD);
	expect_refused(HEAD "{\"name\":\"a\",\"digest\":{\"sha256\":\"00\"}}]}", R_STM_FORM);
	expect_refused(HEAD SUBJECT("a") "],\"more\":1}", R_JSON_FIELD);
	expect_refused("{\"_type\":\"https://in-toto.io/Statement/v0.1\",\"predicate\":{},\"predicateType\":\"urn:x\","
	               "\"subject\":[" SUBJECT("a") "]}",
	               R_STM_FORM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_statement_is_written_canonically),
		cmocka_unit_test(subjects_are_found_by_name),
		cmocka_unit_test(broken_statements_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
