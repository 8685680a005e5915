/* Cells as text (R-TAB-009): every format, its limits, negative zero, what cannot be written. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "derive/format.h"

static void check(const char *format, struct value value, const char *wanted)
{
	struct format parsed;
	struct bytes out = {0};
	const char *end = format_parse(format, &parsed);

	assert_non_null(end);
	assert_string_equal(end, "");
	assert_null(format_value(&parsed, &value, &out));
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
}

static struct value real(double value)
{
	return (struct value){.type = VALUE_REAL, .real = value};
}

static struct value integer(int64_t value)
{
	return (struct value){.type = VALUE_INTEGER, .integer = value};
}

static struct value text(const char *value)
{
	return (struct value){.type = VALUE_TEXT, .text = value, .len = strlen(value)};
}

static void fixed_is_printf_f(void **state)
{
	(void)state;
	check("fixed 6", real(0.75), "0.750000");
	check("fixed 6", real(2.0 / 3), "0.666667");
	check("fixed 0", real(0.5), "0"); /* half to even: the double is exactly one half */
	check("fixed 0", real(1.5), "2");
	check("fixed 2", real(1.005), "1.00"); /* the double is below 1.005 */
	check("fixed 1", integer(3), "3.0");
	check("fixed 17", real(0.1), "0.10000000000000001");
	check("fixed 0", real(1e22), "10000000000000000000000");
}

static void general_is_printf_g(void **state)
{
	(void)state;
	check("general 9", real(0.78184942830107), "0.781849428");
	check("general 9", real(1.01155692604), "1.01155693");
	check("general 9", real(0), "0");
	check("general 9", integer(0), "0");
	check("general 3", real(0.00001234), "1.23e-05");
	check("general 3", real(123456), "1.23e+05");
	check("general 17", real(0.1), "0.10000000000000001");
}

/* Expected texts: CPython 3.11, repr() of the same literals. */
static void repr_is_python_s(void **state)
{
	static const struct {
		double value;
		const char *repr;
	} cases[] = {
		{0.0, "0.0"},
		{1.0, "1.0"},
		{0.25, "0.25"},
		{-2.5, "-2.5"},
		{0.9166666666666666, "0.9166666666666666"},
		{120.0, "120.0"},
		{12345678.9, "12345678.9"},
		{0.0001, "0.0001"},
		{0.00012345, "0.00012345"},
		{0.00001, "1e-05"},
		{0.000012345, "1.2345e-05"},
		{1e15, "1000000000000000.0"},
		{9999999999999998.0, "9999999999999998.0"},
		{1e16, "1e+16"},
		{1.5e16, "1.5e+16"},
		{1e21, "1e+21"},
		{1e22, "1e+22"},
		{123456789012345680.0, "1.2345678901234568e+17"},
		{1e100, "1e+100"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{2.2250738585072014e-308, "2.2250738585072014e-308"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check("repr", real(cases[i].value), cases[i].repr);
	check("repr", integer(7), "7.0");
}

static void integers_and_text(void **state)
{
	(void)state;
	check("integer", integer(INT64_MIN), "-9223372036854775808");
	check("text", text("a,b \"c\""), "a,b \"c\"");
	check("text", text(""), "");
}

static void negative_zero_is_zero(void **state)
{
	(void)state;
	check("repr", real(-0.0), "0.0");
	check("fixed 2", real(-0.0), "0.00");
	check("fixed 2", real(-0.001), "0.00");
	check("fixed 3", real(-0.001), "-0.001");
	check("general 9", real(-0.0), "0");
}

static void refused(const char *format, struct value value, const char *why)
{
	struct format parsed;
	struct bytes out = {0};

	assert_non_null(format_parse(format, &parsed));
	const char *said = format_value(&parsed, &value, &out);

	assert_non_null(said);
	assert_string_equal(said, why);
	assert_int_equal(out.len, 0);
	bytes_free(&out);
}

static void what_a_format_cannot_write_is_refused(void **state)
{
	(void)state;
	refused("fixed 2", real(NAN), "is not finite");
	refused("repr", real(INFINITY), "is not finite");
	refused("integer", real(1), "is REAL where the format is integer");
	refused("integer", text("1"), "is text where the format is a number");
	refused("repr", text("1"), "is text where the format is a number");
	refused("text", integer(1), "is a number where the format is text");
	refused("repr", integer((1LL << 53) + 1), "is an integer that no double holds");
	refused("text", (struct value){.type = VALUE_TEXT, .text = "a\0b", .len = 3}, "holds a NUL");
	refused("text", text("\xff"), "is not UTF-8");
}

static void only_the_known_formats_are_read(void **state)
{
	static const char *const wrong[] = {"", "fixed", "fixed x", "fixed 18", "fixed -1", "fixed  2", "fixed 2x", "general 0",
	                                    "general 18", "repr2", "integers", "Text", "float"};
	struct format format;

	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_null(format_parse(wrong[i], &format));
	assert_string_equal(format_parse("fixed 3 empty -", &format), " empty -");
	assert_int_equal(format.digits, 3);
}

static void names_read_back(void **state)
{
	static const char *const names[] = {"text", "integer", "fixed 0", "general 17", "repr"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct format format;
		struct bytes out = {0};

		assert_non_null(format_parse(names[i], &format));
		format_name(&format, &out);
		assert_string_equal(out.data, names[i]);
		bytes_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fixed_is_printf_f),
		cmocka_unit_test(general_is_printf_g),
		cmocka_unit_test(repr_is_python_s),
		cmocka_unit_test(integers_and_text),
		cmocka_unit_test(negative_zero_is_zero),
		cmocka_unit_test(what_a_format_cannot_write_is_refused),
		cmocka_unit_test(only_the_known_formats_are_read),
		cmocka_unit_test(names_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
