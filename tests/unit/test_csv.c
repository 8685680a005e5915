/* Strict CSV in: every rule R_CSV_* with the line it names, what is taken, and fields out. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/csv.h"

/* Every record of text as "line:field|field;", a quoted field in brackets; or the error. */
static enum status read_all(const char *text, size_t len, struct bytes *out, struct error *err)
{
	/* Exactly len bytes, so that a sanitizer sees a read behind them. */
	char *copy = malloc(len + (len == 0));
	struct csv *csv;

	memcpy(copy, text, len);
	enum status status = csv_open(copy, len, "table.csv", &csv, err);

	assert_true((csv != NULL) == (status == OK));
	while (status == OK) {
		const struct csv_field *fields;
		uint64_t line;

		status = csv_next(csv, &fields, &line, err);
		if (fields == NULL)
			break;
		bytes_format(out, "%llu:", (unsigned long long)line);
		for (size_t i = 0; i < csv_columns(csv); i++) {
			assert_int_equal(strlen(fields[i].text), fields[i].len);
			bytes_format(out, fields[i].quoted ? "[%s]" : "%s", fields[i].text);
			bytes_char(out, i + 1 < csv_columns(csv) ? '|' : ';');
		}
	}
	csv_close(csv);
	free(copy);
	return status;
}

struct refusal {
	const char *text;
	size_t len; /* 0 = strlen(text) */
	enum rule rule;
	uint64_t line;
};

static void expect_refusals(const struct refusal *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t len = cases[i].len != 0 ? cases[i].len : strlen(cases[i].text);
		struct bytes out = {0};
		struct error err = {0};
		enum status status = read_all(cases[i].text, len, &out, &err);

		if (status != MALFORMED || err.rule != cases[i].rule || err.line != cases[i].line)
			fail_msg("case %zu, %s: status %d, %s in line %llu, wanted %s in line %llu", i,
				 cases[i].text, status, rule_info(err.rule)->id, (unsigned long long)err.line,
				 rule_info(cases[i].rule)->id, (unsigned long long)cases[i].line);
		assert_string_equal(err.file, "table.csv");
		assert_int_equal(read_all(cases[i].text, len, &out, NULL), MALFORMED);
		bytes_free(&out);
	}
}

#define REFUSED(...)                                                                                         \
	static const struct refusal cases[] = {__VA_ARGS__};                                                 \
	expect_refusals(cases, sizeof cases / sizeof *cases)

static void refuses_what_is_not_utf8(void **state)
{
	(void)state;
	REFUSED({"\xEF\xBB\xBF"
		 "a,b\n",
		 0, R_CSV_UTF8, 1},
		{"a,b\n1,\xFF\n", 0, R_CSV_UTF8, 2}, {"a\nx\n\xC3\n", 0, R_CSV_UTF8, 3},
		{"a,b\n1,\"\n\n\xED\xA0\x80\"\n", 0, R_CSV_UTF8, 4}, {"a,b\n1,x\0y\n", 10, R_CSV_UTF8, 2},
		{"a\n\0\n\xFF\n", 6, R_CSV_UTF8, 2});
}

static void refuses_a_bad_header(void **state)
{
	(void)state;
	REFUSED({"", 0, R_CSV_HEADER, 1}, {"\n", 0, R_CSV_HEADER, 1}, {"a,,b\n", 0, R_CSV_HEADER, 1},
		{"a,b,\n", 0, R_CSV_HEADER, 1}, {"a,b,a\n1,2,3\n", 0, R_CSV_HEADER, 1},
		{"a,\"a\"\n", 0, R_CSV_HEADER, 1});
}

static void refuses_bad_quoting(void **state)
{
	(void)state;
	REFUSED({"a,b\n1,x\"y\n", 0, R_CSV_QUOTE, 2}, {"a,b\n1, \"x\"\n", 0, R_CSV_QUOTE, 2},
		{"a,b\n1,\"x\"y\n", 0, R_CSV_QUOTE, 2}, {"a,b\n1,\"x\ny\"\"z\n\"w\n", 0, R_CSV_QUOTE, 4},
		{"a,b\n1,\"x\" \n", 0, R_CSV_QUOTE, 2},
		/* not closed: the line where it was opened */
		{"a,b\n1,2\n3,\"x\n4,5\n", 0, R_CSV_QUOTE, 3}, {"a,\"b\n", 0, R_CSV_QUOTE, 1},
		{"a,b\n1,\"x\"\"\n", 0, R_CSV_QUOTE, 2}, {"a,b\n1,\"", 0, R_CSV_QUOTE, 2});
}

static void refuses_too_few_or_many_fields(void **state)
{
	(void)state;
	REFUSED({"a,b\n1,2\n3\n", 0, R_CSV_FIELDS, 3}, {"a,b\n1,2,3\n", 0, R_CSV_FIELDS, 2},
		{"a,b\n1,2,\n", 0, R_CSV_FIELDS, 2},
		{"a,b\n\"x\ny\",2\n\n", 0, R_CSV_FIELDS, 4}, /* an empty line is a record of one field */
		{"a,b\n1,2\n\"x\ny\"\n", 0, R_CSV_FIELDS, 3});
}

static void refuses_mixed_line_ends(void **state)
{
	(void)state;
	REFUSED({"a,b\n1,2\r\n", 0, R_CSV_LINE_END, 2}, {"a,b\r\n1,2\r\n3,4\n", 0, R_CSV_LINE_END, 3},
		{"a,b\r1,2\r", 0, R_CSV_LINE_END, 1}, {"a,b\n1,2\r3,4\n", 0, R_CSV_LINE_END, 2},
		{"a,b\n1,2\n3,4", 0, R_CSV_LINE_END, 3}, {"a,b", 0, R_CSV_LINE_END, 1},
		{"a,b\n1,\"2\"", 0, R_CSV_LINE_END, 2}, {"a,b\n1,", 0, R_CSV_LINE_END, 2},
		{"a,b\r\n1,2\r", 0, R_CSV_LINE_END, 2});
}

static void limits_columns(void **state)
{
	struct bytes doc = {0};
	struct bytes out = {0};
	struct error err = {0};

	(void)state;
	bytes_text(&doc, "c0");
	for (int i = 1; i < CSV_FIELDS_MAX; i++)
		bytes_format(&doc, ",c%d", i);
	bytes_char(&doc, '\n');
	assert_int_equal(read_all(doc.data, doc.len, &out, &err), OK);
	doc.len--;
	bytes_text(&doc, ",more\n");
	assert_int_equal(read_all(doc.data, doc.len, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_CSV_SIZE);
	assert_int_equal(err.line, 1);
	bytes_free(&doc);
	bytes_free(&out);
}

static void limits_field_bytes(void **state)
{
	struct bytes doc = {0};
	struct bytes out = {0};
	struct error err = {0};
	char *field = mem_array(NULL, CSV_FIELD_BYTES_MAX, 1);

	(void)state;
	memset(field, 'x', CSV_FIELD_BYTES_MAX);
	bytes_text(&doc, "a,b\n1,2\n3,");
	bytes_add(&doc, field, CSV_FIELD_BYTES_MAX);
	bytes_char(&doc, '\n');
	assert_int_equal(read_all(doc.data, doc.len, &out, &err), OK);
	doc.len--;
	bytes_text(&doc, "x\n");
	assert_int_equal(read_all(doc.data, doc.len, &out, &err), MALFORMED);
	assert_int_equal(err.rule, R_CSV_SIZE);
	assert_int_equal(err.line, 3);
	free(field);
	bytes_free(&doc);
	bytes_free(&out);
}

static void expect_records(const char *text, const char *wanted)
{
	struct bytes out = {0};
	struct error err = {0};

	bytes_text(&out, "");
	if (read_all(text, strlen(text), &out, &err) != OK)
		fail_msg("%s", err.what);
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
}

static void reads_records(void **state)
{
	(void)state;
	expect_records("a,b\n", "");
	expect_records("a,b\n1,2\n,\n", "2:1|2;3:|;");
	expect_records("a,b\r\n1,2\r\n\"\",\"x\"\r\n", "2:1|2;3:[]|[x];");
	expect_records("a,b\n\"1,\"\"2\"\"\",\"\"\"\"\n", "2:[1,\"2\"]|[\"];");
	/* lines inside quotes count, whatever ends them */
	expect_records("\"a\",b\n\"x\ny\r\nz\",1\n2,3\n", "2:[x\ny\r\nz]|1;5:2|3;");
	expect_records("a\n\n\"\"\n", "2:;3:[];");
	expect_records("na\xC3\xAFve,b\n\xE2\x82\xAC, x y \n", "2:\xE2\x82\xAC| x y ;");
}

static void finds_columns_by_name(void **state)
{
	static const char text[] = "id,\"a, b\",Id\n1,2,3\n";
	struct csv *csv;

	(void)state;
	assert_int_equal(csv_open(text, strlen(text), "table.csv", &csv, NULL), OK);
	assert_int_equal(csv_columns(csv), 3);
	assert_int_equal(csv_column(csv, "id"), 0);
	assert_int_equal(csv_column(csv, "a, b"), 1);
	assert_int_equal(csv_column(csv, "Id"), 2);
	assert_int_equal(csv_column(csv, "ID"), -1);
	assert_int_equal(csv_column(csv, ""), -1);
	csv_close(csv);
	csv_close(NULL);
}

static void expect_written(const char *field, const char *wanted)
{
	struct bytes out = {0};

	bytes_text(&out, ">");
	csv_write_field(field, strlen(field), &out);
	assert_string_equal(out.data + 1, wanted);
	bytes_free(&out);
}

static void writes_fields(void **state)
{
	(void)state;
	expect_written("", "");
	expect_written(" plain ; text' ", " plain ; text' ");
	expect_written("a,b", "\"a,b\"");
	expect_written("\"", "\"\"\"\"");
	expect_written("say \"x\"", "\"say \"\"x\"\"\"");
	expect_written("a\nb", "\"a\nb\"");
	expect_written("a\rb", "\"a\rb\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(refuses_what_is_not_utf8), cmocka_unit_test(refuses_a_bad_header),
	    cmocka_unit_test(refuses_bad_quoting),      cmocka_unit_test(refuses_too_few_or_many_fields),
	    cmocka_unit_test(refuses_mixed_line_ends),  cmocka_unit_test(limits_columns),
	    cmocka_unit_test(limits_field_bytes),       cmocka_unit_test(reads_records),
	    cmocka_unit_test(finds_columns_by_name),    cmocka_unit_test(writes_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
