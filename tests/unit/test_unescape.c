/* The escapes of JSON are undone in any text, torn or not, and what they hide is found at every level that is looked at and at no further one. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/unescape.h"

static void undone(void **state)
{
	static const struct {
		const char *text, *is;
	} texts[] = {
		{"", ""}, {"plain", "plain"}, {"a\\nb\\t\\\"c\\\"\\/\\\\", "a\nb\t\"c\"/\\"}, {"sk\\u002dA\\u0042", "sk-AB"}, {"\\u00e9\\u20AC", "\xc3\xa9\xe2\x82\xac"},
		{"\\", "\\"}, {"\\u", "\\u"}, {"\\u00", "\\u00"}, {"\\u00g0", "\\u00g0"}, {"\\x41", "\\x41"}, {"\\\\u002d", "\\u002d"}, {"{\"torn\": \"a\\u002db", "{\"torn\": \"a-b"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		char *copy = strdup(texts[i].text);
		const size_t len = unescape(copy, strlen(copy));

		assert_int_equal(len, strlen(texts[i].is));
		assert_memory_equal(copy, texts[i].is, len);
		free(copy);
	}
}

static bool holds(void *context, const char *text, size_t len)
{
	return len > 0 && memmem(text, len, context, strlen(context)) != NULL;
}

static void levels(void **state)
{
	static const struct {
		const char *text;
		int level; /* -1: not found */
	} texts[] = {
		{"a word-x", 0}, {"a word\\u002dx", 1}, {"a word\\\\u002dx", 2}, {"\\u005c\\u005cu002d word\\\\\\\\\\\\\\\\u002dx", 4}, {"word\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\\u002dx", -1}, {"word\\x2dx", -1}, {"", -1},
	};
	char word[] = "word-x";

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		int level = -2;
		const bool found = unescape_any(texts[i].text, strlen(texts[i].text), holds, word, &level);

		assert_int_equal(found ? level : -1, texts[i].level);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(undone), cmocka_unit_test(levels)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
