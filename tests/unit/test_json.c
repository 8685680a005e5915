/* Strict JSON in: every rule R_JSON_* with the byte it names, what is taken, the events, and the record
 * fields. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/json.h"

struct refusal {
	const char *text;
	size_t len; /* 0 = strlen(text) */
	enum rule rule;
	uint64_t offset;
};

static void expect_refusals(const struct refusal *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = cases[i].text;
		size_t len = cases[i].len != 0 ? cases[i].len : strlen(text);
		/* Exactly len bytes, so that a sanitizer sees a read behind them. */
		char *copy = malloc(len + (len == 0));
		struct error err = {0};
		cJSON *tree;

		memcpy(copy, text, len);
		enum status status = json_scan(copy, len, "doc.json", 0, NULL, NULL, &err);

		if (status != MALFORMED || err.rule != cases[i].rule || err.offset != cases[i].offset ||
		    !err.has_offset)
			fail_msg("case %zu, %s: status %d, %s at byte %llu, wanted %s at byte %llu", i, text,
				 status, rule_info(err.rule)->id, (unsigned long long)err.offset,
				 rule_info(cases[i].rule)->id, (unsigned long long)cases[i].offset);
		assert_string_equal(err.file, "doc.json");
		assert_int_equal(json_scan(copy, len, "doc.json", 0, NULL, NULL, NULL), MALFORMED);

		err = (struct error){0};
		assert_int_equal(json_scan(copy, len, "doc.json", 1000, NULL, NULL, &err), MALFORMED);
		assert_int_equal(err.offset, 1000 + cases[i].offset);

		assert_int_equal(json_parse(copy, len, "doc.json", &tree, &err), MALFORMED);
		assert_null(tree);
		free(copy);
	}
}

#define REFUSED(...)                                                                                         \
	static const struct refusal cases[] = {__VA_ARGS__};                                                 \
	expect_refusals(cases, sizeof cases / sizeof *cases)

static void refuses_broken_grammar(void **state)
{
	(void)state;
	REFUSED({"", 0, R_JSON_SYNTAX, 0}, {"  ", 0, R_JSON_SYNTAX, 2}, {"{", 0, R_JSON_SYNTAX, 1},
		{"[", 0, R_JSON_SYNTAX, 1}, {"[1", 0, R_JSON_SYNTAX, 2}, {"[1,", 0, R_JSON_SYNTAX, 3},
		{"[1,]", 0, R_JSON_SYNTAX, 3}, {"[,1]", 0, R_JSON_SYNTAX, 1}, {"[1 2]", 0, R_JSON_SYNTAX, 3},
		{"{\"a\"}", 0, R_JSON_SYNTAX, 4}, {"{\"a\":}", 0, R_JSON_SYNTAX, 5},
		{"{\"a\":1,}", 0, R_JSON_SYNTAX, 7}, {"{a:1}", 0, R_JSON_SYNTAX, 1},
		{"{'a':1}", 0, R_JSON_SYNTAX, 1}, {"{1:1}", 0, R_JSON_SYNTAX, 1},
		{"{\"a\":1 \"b\":2}", 0, R_JSON_SYNTAX, 7}, {"{\"a\":1]", 0, R_JSON_SYNTAX, 6},
		{"[1}", 0, R_JSON_SYNTAX, 2}, {"]", 0, R_JSON_SYNTAX, 0}, {"nul", 0, R_JSON_SYNTAX, 0},
		{"True", 0, R_JSON_SYNTAX, 0}, {"truex", 0, R_JSON_SYNTAX, 4},
		{"// a\n1", 0, R_JSON_SYNTAX, 0}, {"[1,/**/2]", 0, R_JSON_SYNTAX, 3},
		{"\v1", 0, R_JSON_SYNTAX, 0}, {"\xC2\xA0 1", 0, R_JSON_SYNTAX, 0},
		{"undefined", 0, R_JSON_SYNTAX, 0},
		/* more than one value: cJSON_Parse takes it */
		{"{} trailing", 0, R_JSON_SYNTAX, 3}, {"{}{}", 0, R_JSON_SYNTAX, 2},
		{"1\0", 2, R_JSON_SYNTAX, 1}, {"\"a", 0, R_JSON_SYNTAX, 2}, {"\"a\\", 0, R_JSON_SYNTAX, 2},
		{"\"\\x41\"", 0, R_JSON_SYNTAX, 1}, {"\"\\u12g4\"", 0, R_JSON_SYNTAX, 1},
		{"\"\\u12", 0, R_JSON_SYNTAX, 1}, {"\"ab\\u\"", 0, R_JSON_SYNTAX, 3},
		{"\"abcdefgh\\'\"", 0, R_JSON_SYNTAX, 9}, {"\"\\\0\"", 4, R_JSON_SYNTAX, 1});
}

static void refuses_what_is_not_utf8(void **state)
{
	(void)state;
	REFUSED({"\xEF\xBB\xBF{}", 0, R_JSON_UTF8, 0},                          /* BOM: cJSON skips it */
		{"\xFF\xFE{\0}\0", 6, R_JSON_UTF8, 0},                          /* UTF-16 */
		{"\"ab\xFF\"", 0, R_JSON_UTF8, 3},                              /* cJSON takes it */
		{"\"\xC3\"", 0, R_JSON_UTF8, 1}, {"\"\xC3", 0, R_JSON_UTF8, 1}, /* cut */
		{"\"abcdefgh\xFFijklmnopqrst\"", 0, R_JSON_UTF8, 9},
		{"\"\xC0\xAF\"", 0, R_JSON_UTF8, 1},             /* overlong '/' */
		{"\"\xC3\xA9\xED\xA0\x80\"", 0, R_JSON_UTF8, 3}, /* a surrogate in UTF-8 */
		{"\"\xF4\x90\x80\x80\"", 0, R_JSON_UTF8, 1},     /* beyond U+10FFFF */
		{"{\"k\xE9y\":1}", 0, R_JSON_UTF8, 3}, {"[\xE9]", 0, R_JSON_UTF8, 1});
}

/* cJSON keeps the first, JavaScript the last. */
static void refuses_duplicate_keys(void **state)
{
	(void)state;
	REFUSED({"{\"status\":\"FAIL\",\"status\":\"PASS\"}", 0, R_JSON_DUPLICATE, 17},
		{"{\"a\":1,\"b\":{\"a\":1,\"c\":2,\"c\":3}}", 0, R_JSON_DUPLICATE, 24},
		{"{\"a\":{\"b\":[{},{\"x\":1}]},\"a\":2}", 0, R_JSON_DUPLICATE, 24},
		{"{\"a\":1,\"\\u0061\":2}", 0, R_JSON_DUPLICATE, 7}, /* the same key once it is decoded */
		{"{\"\\n\\u00e9x\":1,\"b\":0,\"\\u000A\xC3\xA9\\u0078\":2}", 0, R_JSON_DUPLICATE, 21},
		{"{\"\":1,\"\":2}", 0, R_JSON_DUPLICATE, 6});
}

/* "key0": 0, ... with the given one repeated at the end. */
static void many_keys(struct bytes *doc, size_t count, size_t repeated, uint64_t *offset)
{
	bytes_text(doc, "{\"o\":{");
	for (size_t i = 0; i < count; i++)
		bytes_format(doc, "\"key%zu\":%zu,", i, i);
	*offset = doc->len;
	bytes_format(doc, "\"key%zu\":0}}", repeated);
}

static void finds_duplicates_in_large_objects(void **state)
{
	/* around the sizes at which the scanner changes its ways, and far beyond */
	static const size_t sizes[] = {2, 23, 24, 25, 26, 62, 63, 64, 65, 127, 128, 5000};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct bytes doc = {0};
		struct error err = {0};
		uint64_t offset;

		many_keys(&doc, sizes[i], sizes[i], &offset);
		assert_int_equal(json_scan(doc.data, doc.len, "doc.json", 0, NULL, NULL, &err), OK);
		doc.len = 0;
		many_keys(&doc, sizes[i], sizes[i] / 2, &offset);
		assert_int_equal(json_scan(doc.data, doc.len, "doc.json", 0, NULL, NULL, &err), MALFORMED);
		assert_int_equal(err.rule, R_JSON_DUPLICATE);
		assert_int_equal(err.offset, offset);
		bytes_free(&doc);
	}
}

/* Of several the first in the document, whatever order they sort in. */
static void names_the_first_of_several_duplicates(void **state)
{
	static const char *const names[2][2] = {{"x", "y"}, {"y", "x"}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct bytes doc = {0};
		struct error err = {0};

		bytes_text(&doc, "{\"x\":0,\"y\":0,");
		for (int k = 0; k < 40; k++)
			bytes_format(&doc, "\"%d\":0,", k);
		size_t offset = doc.len;

		bytes_format(&doc, "\"%s\":0,\"%s\":0}", names[i][0], names[i][1]);
		assert_int_equal(json_scan(doc.data, doc.len, "doc.json", 0, NULL, NULL, &err), MALFORMED);
		assert_int_equal(err.rule, R_JSON_DUPLICATE);
		assert_int_equal(err.offset, offset);
		bytes_free(&doc);
	}
}

/* A quadratic look for duplicates would take hours here; that it ends is the test. */
static void a_million_keys_end_in_time(void **state)
{
	struct bytes doc = {0};
	struct error err = {0};
	uint64_t offset;

	(void)state;
	many_keys(&doc, 1000000, 999999, &offset);
	assert_int_equal(json_scan(doc.data, doc.len, "doc.json", 0, NULL, NULL, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_DUPLICATE);
	assert_int_equal(err.offset, offset);
	bytes_free(&doc);
}

static void refuses_numbers_off_the_grammar(void **state)
{
	(void)state;
	REFUSED({"01", 0, R_JSON_NUMBER, 0}, {"[1.]", 0, R_JSON_NUMBER, 3}, /* cJSON takes both */
		{"-", 0, R_JSON_NUMBER, 1}, {"-01", 0, R_JSON_NUMBER, 1}, {"[-]", 0, R_JSON_NUMBER, 2},
		{"+1", 0, R_JSON_NUMBER, 0}, {".5", 0, R_JSON_NUMBER, 0}, {"-.5", 0, R_JSON_NUMBER, 1},
		{"1.e5", 0, R_JSON_NUMBER, 2}, {"1e", 0, R_JSON_NUMBER, 2}, {"1e+", 0, R_JSON_NUMBER, 3},
		{"1E-x", 0, R_JSON_NUMBER, 3}, {"1.2.3", 0, R_JSON_NUMBER, 3}, {"0x10", 0, R_JSON_NUMBER, 1},
		{"1_000", 0, R_JSON_NUMBER, 1}, {"1f", 0, R_JSON_NUMBER, 1}, {"[NaN]", 0, R_JSON_NUMBER, 1},
		{"Infinity", 0, R_JSON_NUMBER, 0}, {"-Infinity", 0, R_JSON_NUMBER, 1},
		/* 64 characters */
		{"[0.12345678901234567890123456789012345678901234567890123456789012]", 0, R_JSON_NUMBER, 1});
}

static void refuses_numbers_that_would_change(void **state)
{
	(void)state;
	REFUSED({"[14771362308971278857]", 0, R_JSON_RANGE, 1}, /* a seed of MLPerf's mlperf.conf */
		{"9007199254740993", 0, R_JSON_RANGE, 0}, {"9007199254740992", 0, R_JSON_RANGE, 0},
		{"-9007199254740992", 0, R_JSON_RANGE, 0}, {"1152921504606846976", 0, R_JSON_RANGE, 0},
		{"100000000000000000000000000000000000000", 0, R_JSON_RANGE, 0},
		{"1E400", 0, R_JSON_RANGE, 0}, /* cJSON makes it null */
		{"[-1e309]", 0, R_JSON_RANGE, 1}, {"1.8e308", 0, R_JSON_RANGE, 0},
		{"1e99999999999999999999", 0, R_JSON_RANGE, 0});
}

static void refuses_nul_surrogates_and_controls(void **state)
{
	(void)state;
	REFUSED({"\"a\\u0000b\"", 0, R_JSON_NUL, 2}, {"{\"a\\u0000\":1}", 0, R_JSON_NUL, 3},
		{"\"a\0b\"", 5, R_JSON_NUL, 2}, {"\"\\uD800\"", 0, R_JSON_SURROGATE, 1},
		{"\"\\uDC00\"", 0, R_JSON_SURROGATE, 1}, {"\"\\uD83D\\uD83D\"", 0, R_JSON_SURROGATE, 1},
		{"\"\\uD83Dx\"", 0, R_JSON_SURROGATE, 1}, {"\"\\uD83D\\n\"", 0, R_JSON_SURROGATE, 1},
		{"\"\\uD83D\\u0041\"", 0, R_JSON_SURROGATE, 1}, {"\"\\uD83D\\uDE0\"", 0, R_JSON_SURROGATE, 1},
		{"\"xyz\\uD83D", 0, R_JSON_SURROGATE, 4}, {"\"\\uD83D\\uDE0", 0, R_JSON_SURROGATE, 1},
		{"\"\\uDC00\\uDC00\"", 0, R_JSON_SURROGATE, 1},
		{"\"a\tb\"", 0, R_JSON_CONTROL, 2}, /* cJSON takes it */
		{"\"a\nb\"", 0, R_JSON_CONTROL, 2}, {"\"\x1F\"", 0, R_JSON_CONTROL, 1},
		{"\"abcdefghij\x01klmnopqrst\"", 0, R_JSON_CONTROL, 11},
		{"{\"a\x02\":1}", 0, R_JSON_CONTROL, 3});
}

static char *nested(size_t depth, char open, char close)
{
	char *text = mem_alloc(2 * depth + 1);

	memset(text, open, depth);
	memset(text + depth, close, depth);
	return text;
}

static void refuses_too_deep_a_nest(void **state)
{
	struct error err = {0};
	char *text = nested(JSON_DEPTH_MAX, '[', ']');
	cJSON *tree;

	(void)state;
	assert_int_equal(json_parse(text, strlen(text), "doc.json", &tree, &err), OK);
	cJSON_Delete(tree);
	free(text);
	text = nested(JSON_DEPTH_MAX + 1, '[', ']');
	assert_int_equal(json_parse(text, strlen(text), "doc.json", &tree, &err), MALFORMED);
	assert_null(tree);
	assert_int_equal(err.rule, R_JSON_DEPTH);
	assert_int_equal(err.offset, JSON_DEPTH_MAX);
	free(text);
	text = nested(10 << 20, '[', ']');
	assert_int_equal(json_scan(text, strlen(text), "doc.json", 0, NULL, NULL, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_DEPTH);
	free(text);

	struct bytes doc = {0};

	for (int i = 0; i <= JSON_DEPTH_MAX; i++)
		bytes_text(&doc, "{\"a\":");
	assert_int_equal(json_scan(doc.data, doc.len, "doc.json", 0, NULL, NULL, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_DEPTH);
	assert_int_equal(err.offset, 5 * JSON_DEPTH_MAX);
	bytes_free(&doc);
}

static void refuses_too_large_a_document(void **state)
{
	struct error err = {0};
	size_t len = (size_t)JSON_SIZE_MAX + 1;
	char *text = mem_array(NULL, len, 1);

	(void)state;
	memset(text, ' ', len);
	text[0] = '1';
	assert_int_equal(json_scan(text, len - 1, "doc.json", 0, NULL, NULL, &err), OK);
	assert_int_equal(json_scan(text, len, "doc.json", 0, NULL, NULL, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_SIZE);
	assert_int_equal(err.offset, JSON_SIZE_MAX);
	free(text);
}

static void takes_all_that_is_json(void **state)
{
	static const char *const texts[] = {
	    "0",
	    "-0",
	    "-0.0",
	    "0.5",
	    "1e5",
	    "1E+5",
	    "1e-400",
	    "9007199254740991",
	    "-9007199254740991",
	    "5e-324",
	    "1e20",
	    "1.7976931348623157e308",
	    "1234567890123460",
	    "9007199254740993.0",
	    "\"\"",
	    "\"\xF0\x9F\x98\x82\"",
	    "\"\\ud83d\\ude02\"",
	    "\"\\uFFFF\\u007f\x7F\"",
	    "null",
	    "true",
	    "false",
	    "[]",
	    "{}",
	    "[[],{}]",
	    " \t\r\n[ 1 , 2 ] \n",
	    "{ \"a\" : 1 , \"A\" : 2 }",
	    "[{\"a\":1},{\"a\":1}]",
	    "{\"a\":{\"a\":{\"a\":1}}}",
	    "{\"a\":{\"b\":1},\"b\":2}",
	    /* 63 characters */
	    "0.1234567890123456789012345678901234567890123456789012345678901",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct error err = {0};
		cJSON *tree;

		if (json_parse(texts[i], strlen(texts[i]), "doc.json", &tree, &err) != OK)
			fail_msg("%s: %s", texts[i], err.what);
		assert_non_null(tree);
		cJSON_Delete(tree);
	}
}

/* Events, written as "depth key type text@offset;" */

static const char *const type_letters[] = {"null", "false", "true", "number", "string", "object", "array"};

static enum status record(void *context, const struct json_event *event, struct error *err)
{
	(void)err;
	bytes_format(context, "%u ", event->depth);
	if (event->key != NULL)
		bytes_add(context, event->key, event->key_len);
	bytes_format(context, " %s ", type_letters[event->type]);
	if (event->text != NULL)
		bytes_add(context, event->text, event->text_len);
	bytes_format(context, "@%llu;", (unsigned long long)event->offset);
	return OK;
}

static void expect_events(const char *text, const char *wanted)
{
	struct bytes events = {0};

	assert_int_equal(json_scan(text, strlen(text), "doc.json", 0, record, &events, NULL), OK);
	assert_string_equal(events.data, wanted);
	bytes_free(&events);
}

static void visits_values_in_document_order(void **state)
{
	(void)state;
	expect_events(" -1.50e2 ", "0  number -1.50e2@1;");
	expect_events(
	    "{\"a\":{\"b\":[1,{\"c\":null}],\"d\":true},\"e\":\"x\",\"f\":{},\"g\":false}",
	    "0  object @0;1 a object @5;2 b array @10;3  number 1@11;3  object @13;4 c null @18;2 d true @29;"
	    "1 e string x@39;1 f object @47;1 g false @54;");
	expect_events("[\"\",[],\"\\u0041\\\"\\\\\\/\\b\\f\\n\\r\\t\"]",
		      "0  array @0;1  string @1;1  array @4;1  string A\"\\/\b\f\n\r\t@7;");
	/* decoded keys outlive the values between, and plain text around escapes is kept */
	expect_events(
	    "{\"k\\u00e9y\":[\"a\\u20acz\",\"\\ud834\\udd1e\"],\"\\u0031\":\"p\xC3\xA9\\nq\"}",
	    "0  object @0;1 k\xC3\xA9y array @12;2  string a\xE2\x82\xACz@13;2  string \xF0\x9D\x84\x9E@24;"
	    "1 1 string p\xC3\xA9\nq@49;");
}

/* Longer than what needs no allocation. */
static void decodes_escapes_in_long_documents(void **state)
{
	struct bytes doc = {0};
	struct bytes wanted = {0};

	(void)state;
	bytes_text(&doc, "{");
	bytes_text(&wanted, "0  object @0;");
	for (int i = 0; i < 400; i++) {
		if (i > 0)
			bytes_char(&doc, ',');
		bytes_format(&doc, "\"\\u006b%d\":", i);
		bytes_format(&wanted, "1 k%d string \xC2\xBD%d@%zu;", i, i, doc.len);
		bytes_format(&doc, "\"\\u00bd%d\"", i);
	}
	bytes_text(&doc, "}");
	expect_events(doc.data, wanted.data);
	bytes_free(&doc);
	bytes_free(&wanted);
}

static enum status stop_at_two(void *context, const struct json_event *event, struct error *err)
{
	(*(int *)context)++;
	return event->type == JSON_NUMBER && event->text[0] == '2'
		   ? error_at(err, R_JSON_FIELD, "visit", event->offset, "two")
		   : OK;
}

static void passes_up_what_the_visitor_says(void **state)
{
	struct error err = {0};
	int seen = 0;

	(void)state;
	assert_int_equal(json_scan("[1,2,3,x", 8, "doc.json", 50, stop_at_two, &seen, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_FIELD);
	assert_int_equal(err.offset, 53);
	assert_int_equal(seen, 3);
}

/* Fields of records */

static cJSON *parsed(const char *text)
{
	struct error err = {0};
	cJSON *tree;

	assert_int_equal(json_parse(text, strlen(text), "doc.json", &tree, &err), OK);
	return tree;
}

static void field_names_are_case_sensitive(void **state)
{
	cJSON *tree = parsed("{\"Sig\":1,\"sig\":2}");
	struct error err = {0};
	int64_t value;
	const cJSON *child;

	(void)state;
	assert_int_equal(json_integer(tree, "sig", 0, 9, "doc.json", &value, &err), OK);
	assert_int_equal(value, 2);
	assert_int_equal(json_child(tree, "SIG", JSON_NUMBER, "doc.json", &child, &err), MALFORMED);
	assert_null(child);
	assert_int_equal(err.rule, R_JSON_FIELD);
	assert_string_equal(err.what, "the field \"SIG\" (a number) is missing");
	assert_string_equal(err.file, "doc.json");
	cJSON_Delete(tree);
}

static void text_fields(void **state)
{
	cJSON *tree = parsed("{\"a\":\"x\",\"b\":1,\"c\":null}");
	struct error err = {0};
	const char *text;

	(void)state;
	assert_int_equal(json_text(tree, "a", "doc.json", &text, &err), OK);
	assert_string_equal(text, "x");
	assert_int_equal(json_text(tree, "b", "doc.json", &text, &err), MALFORMED);
	assert_string_equal(err.what, "the field \"b\" is not a string");
	assert_int_equal(json_text(tree, "c", "doc.json", &text, &err), MALFORMED);
	assert_int_equal(json_text(tree, "d", "doc.json", &text, &err), MALFORMED);
	cJSON_Delete(tree);
}

static void integer_fields(void **state)
{
	cJSON *tree =
	    parsed("{\"a\":-5,\"b\":1.5,\"c\":9007199254740991,\"d\":1e300,\"e\":\"1\",\"f\":1e20,\"g\":-0}");
	struct error err = {0};
	int64_t value;

	(void)state;
	assert_int_equal(json_integer(tree, "a", -5, -5, "doc.json", &value, &err), OK);
	assert_true(value == -5);
	assert_int_equal(json_integer(tree, "a", -4, 9, "doc.json", &value, &err), MALFORMED);
	assert_string_equal(err.what, "the field \"a\" is not an integer from -4 to 9");
	assert_int_equal(json_integer(tree, "a", -9, -6, "doc.json", &value, &err), MALFORMED);
	assert_int_equal(json_integer(tree, "b", 0, 9, "doc.json", &value, &err), MALFORMED);
	assert_int_equal(json_integer(tree, "c", 0, INT64_MAX, "doc.json", &value, &err), OK);
	assert_true(value == INT64_C(9007199254740991));
	assert_int_equal(json_integer(tree, "d", INT64_MIN, INT64_MAX, "doc.json", &value, &err), MALFORMED);
	assert_int_equal(json_integer(tree, "e", 0, 9, "doc.json", &value, &err), MALFORMED);
	assert_int_equal(json_integer(tree, "f", INT64_MIN, INT64_MAX, "doc.json", &value, &err), MALFORMED);
	assert_int_equal(json_integer(tree, "g", 0, 0, "doc.json", &value, &err), OK);
	assert_int_equal(value, 0);
	cJSON_Delete(tree);
}

static void child_fields(void **state)
{
	static const struct {
		const char *key;
		enum json_type type;
	} fields[] = {{"n", JSON_NULL},   {"f", JSON_FALSE},  {"t", JSON_TRUE}, {"i", JSON_NUMBER},
		      {"s", JSON_STRING}, {"o", JSON_OBJECT}, {"a", JSON_ARRAY}};
	cJSON *tree = parsed("{\"n\":null,\"f\":false,\"t\":true,\"i\":1,\"s\":\"\",\"o\":{},\"a\":[]}");
	const size_t count = sizeof fields / sizeof *fields;

	(void)state;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count; k++) {
			const cJSON *child;
			/* false and true are one type */
			bool fits = i == k || (i >= 1 && i <= 2 && k >= 1 && k <= 2);

			assert_int_equal(
			    json_child(tree, fields[i].key, fields[k].type, "doc.json", &child, NULL),
			    fits ? OK : MALFORMED);
			assert_true((child != NULL) == fits);
		}
	assert_int_equal(json_child(cJSON_GetObjectItemCaseSensitive(tree, "a"), "x", JSON_NULL, "doc.json",
				    &(const cJSON *){NULL}, NULL),
			 MALFORMED);
	cJSON_Delete(tree);
}

static void only_the_fields_of_the_schema(void **state)
{
	static const char *const names[] = {"a", "b", "c", NULL};
	struct error err = {0};
	cJSON *tree = parsed("{\"b\":1,\"a\":2}");

	(void)state;
	assert_int_equal(json_only(tree, names, "doc.json", &err), OK);
	cJSON_Delete(tree);
	tree = parsed("{\"b\":1,\"A\":2}");
	assert_int_equal(json_only(tree, names, "doc.json", &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_FIELD);
	assert_string_equal(err.what, "there is no field \"A\" in this kind of record");
	cJSON_Delete(tree);
	tree = parsed("[1]");
	assert_int_equal(json_only(tree, names, "doc.json", &err), MALFORMED);
	cJSON_Delete(tree);
}

/* R-JSN-012: 2^19 values make a tree, one more is refused where it stands, whatever the size of the text. */
static void a_tree_has_only_so_many_values(void **state)
{
	const size_t elements = JSON_VALUES_MAX; /* and the array itself: one too many */
	struct bytes text = {0};
	struct error err;
	cJSON *tree;

	(void)state;
	bytes_char(&text, '[');
	for (size_t i = 1; i < elements; i++)
		bytes_text(&text, i == 1 ? "1" : ",1");
	bytes_char(&text, ']');
	assert_int_equal(json_parse(text.data, text.len, "f", &tree, &err), OK);
	assert_int_equal(cJSON_GetArraySize(tree), 524287);
	cJSON_Delete(tree);
	text.len--;
	bytes_text(&text, ",1]");
	assert_int_equal(json_parse(text.data, text.len, "f", &tree, &err), MALFORMED);
	assert_int_equal(err.rule, R_JSON_VALUES);
	assert_int_equal(err.offset, 1048575);
	assert_null(tree);
	bytes_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_has_only_so_many_values),
	    cmocka_unit_test(refuses_broken_grammar),
	    cmocka_unit_test(refuses_what_is_not_utf8),
	    cmocka_unit_test(refuses_duplicate_keys),
	    cmocka_unit_test(finds_duplicates_in_large_objects),
	    cmocka_unit_test(names_the_first_of_several_duplicates),
	    cmocka_unit_test(a_million_keys_end_in_time),
	    cmocka_unit_test(refuses_numbers_off_the_grammar),
	    cmocka_unit_test(refuses_numbers_that_would_change),
	    cmocka_unit_test(refuses_nul_surrogates_and_controls),
	    cmocka_unit_test(refuses_too_deep_a_nest),
	    cmocka_unit_test(refuses_too_large_a_document),
	    cmocka_unit_test(takes_all_that_is_json),
	    cmocka_unit_test(visits_values_in_document_order),
	    cmocka_unit_test(decodes_escapes_in_long_documents),
	    cmocka_unit_test(passes_up_what_the_visitor_says),
	    cmocka_unit_test(field_names_are_case_sensitive),
	    cmocka_unit_test(text_fields),
	    cmocka_unit_test(integer_fields),
	    cmocka_unit_test(child_fields),
	    cmocka_unit_test(only_the_fields_of_the_schema),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
