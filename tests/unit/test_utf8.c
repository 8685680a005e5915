/* UTF-8 as RFC 3629 defines it, and text made safe to print. */
#include "unit.h"

#include <string.h>

#include "base/utf8.h"

static size_t put(uint32_t point, char out[4])
{
	if (point < 0x80) {
		out[0] = (char)point;
		return 1;
	}
	size_t len = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
	static const uint8_t lead[] = {0, 0, 0xC0, 0xE0, 0xF0};

	for (size_t i = len - 1; i > 0; i--, point >>= 6)
		out[i] = (char)(0x80 | (point & 0x3F));
	out[0] = (char)(lead[len] | point);
	return len;
}

static void takes_every_code_point_but_surrogates(void **state)
{
	(void)state;
	for (uint32_t point = 0; point <= 0x110FFF; point++) {
		char text[4];
		uint32_t back = 0;
		size_t len = put(point, text);
		bool valid = point <= 0x10FFFF && (point < 0xD800 || point > 0xDFFF);

		if (utf8_next(text, len, &back) != (valid ? len : 0) || (valid && back != point))
			fail_msg("U+%04X", (unsigned)point);
		if (valid && utf8_next(text, len - 1, NULL) != 0)
			fail_msg("U+%04X cut", (unsigned)point);
	}
}

static void refuses_what_is_none(void **state)
{
	static const char *const bad[] = {
	    "\x80",
	    "\xBF",
	    "\xFE",
	    "\xFF",
	    "\xF5\x80\x80\x80",
	    "\xF8\x88\x80\x80\x80", /* no lead byte */
	    "\xC0\x80",
	    "\xC1\xBF",
	    "\xE0\x80\x80",
	    "\xE0\x9F\xBF",
	    "\xF0\x80\x80\x80",
	    "\xF0\x8F\xBF\xBF", /* overlong */
	    "\xED\xA0\x80",
	    "\xED\xBF\xBF",
	    "\xF4\x90\x80\x80", /* surrogates, beyond */
	    "\xC3(",
	    "\xE2\x82(",
	    "\xE2(\xAC",
	    "\xF0\x9F\x98(",
	    "\xF0\x9F(\x80",
	    "\xF0(\x98\x80",
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(utf8_next(bad[i], strlen(bad[i]), NULL), 0);
		assert_int_equal(utf8_check(bad[i], strlen(bad[i])), 0);
	}
	assert_int_equal(utf8_next("", 0, NULL), 0);
}

static void checks_up_to_the_first_bad_byte(void **state)
{
	char text[40];

	(void)state;
	assert_int_equal(utf8_check("", 0), 0);
	assert_int_equal(utf8_check("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x82z", 11), 11);
	assert_int_equal(utf8_check("a\xC3\xA9\xE2\x82", 5), 3);
	/* at every place, whatever the stride of the scan */
	for (size_t at = 0; at < sizeof text; at++) {
		memset(text, 'x', sizeof text);
		text[at] = '\xFF';
		assert_int_equal(utf8_check(text, sizeof text), at);
		assert_int_equal(utf8_check(text, at), at);
	}
}

static void expect_printable(const char *text, size_t len, const char *wanted)
{
	char out[100];

	utf8_printable(text, len, out, sizeof out);
	assert_string_equal(out, wanted);
}

/* A hostile name cannot move the cursor, colour the screen or turn the reading direction. */
static void prints_nothing_that_acts(void **state)
{
	(void)state;
	expect_printable("plain \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x82", 15,
			 "plain \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x82");
	expect_printable("a\x1B[31m\x07z\x7F", 9, "a\\x1B[31m\\x07z\\x7F");
	expect_printable("\0\t\n\r", 4, "\\x00\\x09\\n\\x0D");
	expect_printable("\xC2\x9B"
			 "2J",
			 4, "\\x9B2J"); /* C1 CSI */
	expect_printable("a\xFF\xC3z", 4, "a\\xFF\\xC3z");
	expect_printable("\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F", 8, "\\u{61C}\\u{200E}\\u{200F}");
	expect_printable("\xE2\x80\xAA\xE2\x80\xAE\xE2\x81\xA6\xE2\x81\xA9", 12,
			 "\\u{202A}\\u{202E}\\u{2066}\\u{2069}");
	expect_printable("\xE2\x80\xA8\xE2\x80\xA9", 6, "\\u{2028}\\u{2029}");
	expect_printable("\xE2\x80\x90\xE2\x80\xAF\xE2\x81\xB0", 9,
			 "\xE2\x80\x90\xE2\x80\xAF\xE2\x81\xB0"); /* their neighbours */
	expect_printable("GLM\xE2\x80\x8B-5\xC2\xAD\xEF\xBB\xBF\xF3\xA0\x81\x81", 17,
			 "GLM\\u{200B}-5\\xAD\\u{FEFF}\\u{E0041}");
}

static void cuts_at_whole_characters(void **state)
{
	char out[8] = "#######";

	(void)state;
	utf8_printable("abc\xE2\x82\xAC", 6, out, 6);
	assert_string_equal(out, "abc");
	utf8_printable("abc\xE2\x82\xAC", 6, out, 7);
	assert_string_equal(out, "abc\xE2\x82\xAC");
	utf8_printable("ab\x01z", 4, out, 6);
	assert_string_equal(out, "ab");
	utf8_printable("abc", 3, out, 1);
	assert_string_equal(out, "");
	out[0] = '#';
	utf8_printable("abc", 3, out, 0);
	assert_int_equal(out[0], '#');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(takes_every_code_point_but_surrogates),
	    cmocka_unit_test(refuses_what_is_none),
	    cmocka_unit_test(checks_up_to_the_first_bad_byte),
	    cmocka_unit_test(prints_nothing_that_acts),
	    cmocka_unit_test(cuts_at_whole_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
