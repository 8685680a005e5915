/* Numbers of launch descriptions: R-CAN-003 and R-CAN-004. */
#include "unit.h"

#include <string.h>

#include "kernel/expression.h"

static bool axis(const void *context, const char *name, size_t len, uint64_t *size)
{
	(void)context;
	if (len == 1 && (name[0] == 'M' || name[0] == 'N')) {
		*size = name[0] == 'M' ? 8192 : 7;
		return true;
	}
	return false;
}

static void value_is(const char *text, uint64_t want)
{
	uint64_t value = 99;
	struct error err = {0};

	if (expression_value(text, axis, NULL, "f", &value, &err) != OK)
		fail_msg("%s: %s", text, err.what);
	assert_int_equal(value, want);
}

static void refused(const char *text, enum rule rule)
{
	uint64_t value;
	struct error err = {0};

	if (expression_value(text, axis, NULL, "f", &value, &err) != MALFORMED)
		fail_msg("'%s' was taken as %lu", text, (unsigned long)value);
	assert_int_equal(err.rule, rule);
}

static void values(void **state)
{
	(void)state;
	value_is("0", 0);
	value_is("M", 8192);
	value_is("M*N*4", 229376);
	value_is("1+2*3", 7);
	value_is("(1+2)*3", 9);
	value_is("10-3-2", 5);
	value_is("100/7/2", 7);
	value_is("100%7", 2);
	value_is(" 2 * ( N + 1 ) ", 16);
	value_is("ceil(N,4)", 2);
	value_is("ceil(8,4)", 2);
	value_is("ceil(M + 1, 2*64) * N", 455);
	value_is("200*1024", 204800);
	value_is("18446744073709551615", UINT64_MAX);
}

static void no_expression(void **state)
{
	(void)state;
	const char *const texts[] = {"",      " ",    "K",      "M N",    "1+",       "*2",         "(1",        "1)",   "ceil",
	                             "ceil(", "ceil(1)", "ceil(1,2", "ceil(1,2,3)", "0x10", "1.5", "-1", "m", "ceiling(1,2)", "MN", "1,2"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		refused(texts[i], R_CAN_EXPRESSION);
}

static void no_value(void **state)
{
	(void)state;
	refused("18446744073709551616", R_CAN_RANGE);
	refused("18446744073709551615+1", R_CAN_RANGE);
	refused("N-M", R_CAN_RANGE);
	refused("4294967296*4294967296", R_CAN_RANGE);
	refused("1/0", R_CAN_RANGE);
	refused("1%(N-7)", R_CAN_RANGE);
	refused("ceil(1,0)", R_CAN_RANGE);
}

static void limits(void **state)
{
	(void)state;
	char text[EXPRESSION_BYTES_MAX + 2];

	memset(text, '1', sizeof text);
	text[EXPRESSION_BYTES_MAX + 1] = '\0';
	refused(text, R_CAN_EXPRESSION);
	memset(text, '(', 100);
	strcpy(text + 100, "1");
	refused(text, R_CAN_EXPRESSION);
	value_is("(((((((((((((((1)))))))))))))))", 1);
	refused("((((((((((((((((1))))))))))))))))", R_CAN_EXPRESSION);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(no_expression),
		cmocka_unit_test(no_value),
		cmocka_unit_test(limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
