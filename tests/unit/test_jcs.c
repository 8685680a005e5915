/* Canonical JSON out, RFC 8785: numbers (section 3.2.2.3), strings (3.2.2.2), key order (3.2.3), the
 * published triples, and what cannot be written. */
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/jcs.h"
#include "base/json.h"

static void expect_number(double value, const char *wanted)
{
	char out[JCS_NUMBER_MAX];

	assert_true(jcs_number(value, out));
	assert_string_equal(out, wanted);
}

static void numbers_as_ecmascript_writes_them(void **state)
{
	(void)state;
	expect_number(0.0, "0");
	expect_number(-0.0, "0");
	expect_number(1, "1");
	expect_number(-1.5, "-1.5");
	expect_number(0.1, "0.1");
	expect_number(1e-6, "0.000001");
	expect_number(-1.25e-6, "-0.00000125");
	expect_number(1e-7, "1e-7");
	expect_number(-2.5e-9, "-2.5e-9");
	expect_number(123456.789, "123456.789");
	expect_number(1e20, "100000000000000000000");
	expect_number(1.5e20, "150000000000000000000");
	expect_number(1e21, "1e+21");
	expect_number(-1.5e+300, "-1.5e+300");
	expect_number(0x1p60, "1152921504606847000");
	expect_number(1e23, "1e+23");
	expect_number(9007199254740991, "9007199254740991");
	expect_number(9007199254740992, "9007199254740992");
	expect_number(-9007199254740994, "-9007199254740994");
	/* cJSON prints 1.23456789012346e+15 and 4.94065645841247e-324 */
	expect_number(1234567890123460, "1234567890123460");
	expect_number(5e-324, "5e-324");
	expect_number(1.7976931348623157e308, "1.7976931348623157e+308");
	expect_number(2.2250738585072014e-308, "2.2250738585072014e-308");
	expect_number(2.225073858507201e-308, "2.225073858507201e-308");
}

/* Of 16 digits the nearest, ...801, reads back as the double below; the next, ...802, reads back to this one.
 */
static void numbers_at_powers_of_two(void **state)
{
	(void)state;
	expect_number(0x1p-44, "5.684341886080802e-14");
	expect_number(-0x1p-44, "-5.684341886080802e-14");
	expect_number(0x1p-24, "5.960464477539063e-8");
	expect_number(0x1p89, "6.189700196426902e+26");
	expect_number(0x1p-1022, "2.2250738585072014e-308");
}

/* For every power of two and the doubles beside it: it reads back, and no shorter text of printf's does. */
static void numbers_read_back_and_none_is_shorter(void **state)
{
	(void)state;
	for (int power = -1074; power < 1024; power++)
		for (int side = -1; side <= 1; side++) {
			double value = ldexp(1, power);
			char out[JCS_NUMBER_MAX];
			size_t digits = 0;
			char shorter[40];

			value = side == 0 ? value : nextafter(value, side * HUGE_VAL);
			if (value == 0)
				continue;
			assert_true(jcs_number(value, out));
			assert_true(strtod(out, NULL) == value);
			for (const char *c = out + strspn(out, "0."); *c != '\0' && *c != 'e'; c++)
				digits += *c >= '0' && *c <= '9';
			if (strchr(out, '.') == NULL && strchr(out, 'e') == NULL)
				for (size_t i = strlen(out); i > 0 && out[i - 1] == '0'; i--)
					digits--;
			assert_in_range(digits, 1, 17);
			if (digits > 1) {
				snprintf(shorter, sizeof shorter, "%.*e", (int)digits - 2, value);
				assert_false(strtod(shorter, NULL) == value);
			}
		}
}

static void numbers_that_are_none(void **state)
{
	char out[JCS_NUMBER_MAX];

	(void)state;
	assert_false(jcs_number((double)NAN, out));
	assert_false(jcs_number((double)INFINITY, out));
	assert_false(jcs_number(-(double)INFINITY, out));
}

/* The program never calls setlocale; even if a library did, the point stays a point. */
static void numbers_in_a_locale_with_a_decimal_comma(void **state)
{
	static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8",
					    "fr_FR.utf8",  "nl_NL.UTF-8", "pl_PL.UTF-8",
					    "ru_RU.UTF-8", "de_DE",       "fr_FR"};
	size_t i = 0;

	(void)state;
	while (i < sizeof names / sizeof *names && setlocale(LC_NUMERIC, names[i]) == NULL)
		i++;
	if (i == sizeof names / sizeof *names) {
		print_message("skipped: no locale with a decimal comma is installed\n");
		skip();
	}
	char comma[16];

	snprintf(comma, sizeof comma, "%.1f", 0.5);
	assert_string_equal(comma, "0,5");
	expect_number(0.5, "0.5");
	expect_number(1.7976931348623157e308, "1.7976931348623157e+308");
	assert_non_null(setlocale(LC_NUMERIC, "C"));
}

static void expect_text(const char *text, const char *wanted)
{
	struct bytes out = {0};

	jcs_string(text, strlen(text), &out);
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
}

static void strings_escape_only_what_they_must(void **state)
{
	(void)state;
	expect_text("", "\"\"");
	expect_text("plain /<>&' text", "\"plain /<>&' text\"");
	expect_text("\"\\", "\"\\\"\\\\\"");
	expect_text("\b\t\n\f\r", "\"\\b\\t\\n\\f\\r\"");
	expect_text("\x01\x07\x0B\x0E\x1F", "\"\\u0001\\u0007\\u000b\\u000e\\u001f\"");
	expect_text("a\x7F\xC2\x80z", "\"a\x7F\xC2\x80z\"");
	expect_text("\xE2\x80\xA8\xE2\x82\xAC\xF0\x9F\x98\x82",
		    "\"\xE2\x80\xA8\xE2\x82\xAC\xF0\x9F\x98\x82\"");
}

static void expect_canonical(const char *text, const char *wanted)
{
	struct error err = {0};
	struct bytes out = {0};
	cJSON *tree;

	if (json_parse(text, strlen(text), "doc.json", &tree, &err) != OK)
		fail_msg("%s: %s", text, err.what);
	assert_int_equal(jcs_write(tree, &out, &err), OK);
	assert_string_equal(out.data, wanted);
	assert_int_equal(out.len, strlen(wanted));
	bytes_free(&out);
	cJSON_Delete(tree);
}

static void trees(void **state)
{
	(void)state;
	expect_canonical("null", "null");
	expect_canonical(" { } ", "{}");
	expect_canonical("[ ]", "[]");
	expect_canonical("[true, false, null, 1.0, -0, \"\\u0041\"]", "[true,false,null,1,0,\"A\"]");
	expect_canonical("{\"b\": [{\"z\": 1, \"y\": 2}], \"a\": {}}",
			 "{\"a\":{},\"b\":[{\"y\":2,\"z\":1}]}");
	expect_canonical("[1e-7, -0.0, 1e20, 1e21, 4.50, 2e-3]",
			 "[1e-7,0,100000000000000000000,1e+21,4.5,0.002]");
}

/* What has been closed does not count as depth. */
static void many_siblings(void **state)
{
	struct bytes text = {0};

	(void)state;
	bytes_text(&text, "[[]");
	for (int i = 0; i < 2 * JSON_DEPTH_MAX; i++)
		bytes_text(&text, ",{}");
	bytes_text(&text, "]");
	expect_canonical(text.data, text.data);
	bytes_free(&text);
}

static void keys_in_utf16_order(void **state)
{
	(void)state;
	/* U+10000 is D800 DC00 in UTF-16 and so before U+FB33, though behind it by code point */
	expect_canonical("{\"\xEF\xAC\xB3\":1,\"\xF0\x90\x80\x80\":2}",
			 "{\"\xF0\x90\x80\x80\":2,\"\xEF\xAC\xB3\":1}");
	expect_canonical("{\"\\uFFFF\":1,\"\\uE000\":2,\"\\uD7FF\":3,\"\\uDBFF\\uDFFF\":4}",
			 "{\"\xED\x9F\xBF\":3,\"\xF4\x8F\xBF\xBF\":4,\"\xEE\x80\x80\":2,\"\xEF\xBF\xBF\":1}");
	expect_canonical("{\"x\xEF\xAC\xB3\":1,\"x\xEF\xAC\xB4\":2,\"x\xEE\x80\x80\":3}",
			 "{\"x\xEE\x80\x80\":3,\"x\xEF\xAC\xB3\":1,\"x\xEF\xAC\xB4\":2}");
	/* no language's order: plain e, then the accents by code point */
	expect_canonical("{\"cot\xC3\xA9\":1,\"c\xC3\xB4te\":2,\"cote\":3,\"c\xC3\xB4t\xC3\xA9\":4}",
			 "{\"cote\":3,\"cot\xC3\xA9\":1,\"c\xC3\xB4te\":2,\"c\xC3\xB4t\xC3\xA9\":4}");
	/* a prefix comes first; digits are text */
	expect_canonical("{\"aa\":1,\"a\":2,\"\":3,\"10\":4,\"9\":5,\"B\":6}",
			 "{\"\":3,\"10\":4,\"9\":5,\"B\":6,\"a\":2,\"aa\":1}");
}

static void expect_unwritable(const cJSON *tree, enum rule rule)
{
	struct error err = {0};
	struct bytes out = {0};

	bytes_text(&out, "before");
	assert_int_equal(jcs_write(tree, &out, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_string_equal(out.data, "before");
	assert_int_equal(out.len, 6);
	bytes_free(&out);
}

static void refuses_what_json_cannot_say(void **state)
{
	cJSON *tree = cJSON_CreateArray();

	(void)state;
	cJSON_AddItemToArray(tree, cJSON_CreateNumber((double)INFINITY));
	expect_unwritable(tree, R_JSON_RANGE);
	cJSON_Delete(tree);

	tree = cJSON_CreateObject();
	cJSON_AddNumberToObject(tree, "a", 1);
	cJSON_AddNumberToObject(tree, "b", 2);
	cJSON_AddNumberToObject(tree, "a", 3);
	expect_unwritable(tree, R_JSON_DUPLICATE);
	cJSON_Delete(tree);

	tree = cJSON_CreateObject();
	cJSON_AddStringToObject(tree, "a", "\xFF");
	expect_unwritable(tree, R_JSON_UTF8);
	cJSON_Delete(tree);

	tree = cJSON_CreateObject();
	cJSON_AddStringToObject(tree, "\xED\xA0\x80", "x");
	expect_unwritable(tree, R_JSON_UTF8);
	cJSON_Delete(tree);

	tree = cJSON_CreateArray();
	for (int i = 0; i < JSON_DEPTH_MAX; i++) {
		cJSON *outer = cJSON_CreateArray();

		cJSON_AddItemToArray(outer, tree);
		tree = outer;
	}
	expect_unwritable(tree, R_JSON_DEPTH);
	cJSON_Delete(tree);
}

/* The triples published with RFC 8785's reference implementation. */

static bool read_whole(const char *folder, const char *name, struct bytes *out)
{
	const char *shared = getenv("PTXSEAL_SHARED");
	char *path =
	    mem_format("%s/vectors/jcs/testdata/%s/%s", shared != NULL ? shared : "../shared", folder, name);
	FILE *file = fopen(path, "rb");

	free(path);
	if (file == NULL)
		return false;
	bytes_reserve(out, 1 << 16);
	out->len = fread(out->data, 1, 1 << 16, file);
	out->data[out->len] = '\0';
	fclose(file);
	return true;
}

/* "7b 22 0a" as bytes. */
static void from_hex(struct bytes *text)
{
	size_t n = 0;

	for (char *at = text->data; *(at += strspn(at, " \r\n")) != '\0'; at += strcspn(at, " \r\n"))
		text->data[n++] = (char)strtoul(at, NULL, 16);
	text->len = n;
}

static void published_triples(void **state)
{
	static const char *const names[] = {"arrays", "french", "structures", "unicode", "values", "weird"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char json[32];
		char txt[32];
		struct bytes input = {0};
		struct bytes output = {0};
		struct bytes hex = {0};
		struct bytes out = {0};
		cJSON *tree;

		snprintf(json, sizeof json, "%s.json", names[i]);
		snprintf(txt, sizeof txt, "%s.txt", names[i]);
		if (!read_whole("input", json, &input) && i == 0) {
			print_message("skipped: the RFC 8785 vectors are not beneath $PTXSEAL_SHARED\n");
			skip();
		}
		assert_true(read_whole("output", json, &output));
		assert_true(read_whole("outhex", txt, &hex));
		from_hex(&hex);
		assert_int_equal(json_parse(input.data, input.len, json, &tree, NULL), OK);
		assert_int_equal(jcs_write(tree, &out, NULL), OK);
		assert_string_equal(out.data, output.data);
		assert_int_equal(out.len, hex.len);
		assert_memory_equal(out.data, hex.data, hex.len);
		cJSON_Delete(tree);
		bytes_free(&input);
		bytes_free(&output);
		bytes_free(&hex);
		bytes_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_as_ecmascript_writes_them),
	    cmocka_unit_test(numbers_at_powers_of_two),
	    cmocka_unit_test(numbers_read_back_and_none_is_shorter),
	    cmocka_unit_test(numbers_that_are_none),
	    cmocka_unit_test(numbers_in_a_locale_with_a_decimal_comma),
	    cmocka_unit_test(strings_escape_only_what_they_must),
	    cmocka_unit_test(trees),
	    cmocka_unit_test(many_siblings),
	    cmocka_unit_test(keys_in_utf16_order),
	    cmocka_unit_test(refuses_what_json_cannot_say),
	    cmocka_unit_test(published_triples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
