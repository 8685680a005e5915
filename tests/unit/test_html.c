/* Text of a bundle in a page: it stays text, whatever it is, and what cannot be seen is shown by name. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/page.h"

static void shows(const char *text, size_t len, size_t max, enum html_place place, const char *wanted)
{
	struct bytes out = {0};

	bytes_text(&out, "");
	html_text(text, len, max, place, &out);
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
}

static void element(const char *text, const char *wanted)
{
	shows(text, strlen(text), HTML_TEXT_MAX, HTML_ELEMENT, wanted);
}

static void attribute(const char *text, const char *wanted)
{
	shows(text, strlen(text), HTML_TEXT_MAX, HTML_ATTRIBUTE, wanted);
}

static void markup_is_text(void **state)
{
	(void)state;
	element("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;");
	element("a & b &amp; \"c\" 'd'", "a &amp; b &amp;amp; \"c\" 'd'");
	element("<!-- ]]> &#x3c;", "&lt;!-- ]]&gt; &amp;#x3c;");
	attribute("\" onclick=\"x\" <b>&", "&quot; onclick=&quot;x&quot; &lt;b&gt;&amp;");
	element("", "");
	element("größer ≤ 5 µs", "größer ≤ 5 µs");
}

static void what_cannot_be_seen_is_named(void **state)
{
	(void)state;
	element("\033[31mred\033[0m", "<span class=odd>␛</span>[31mred<span class=odd>␛</span>[0m");
	attribute("\033[31m", "‹␛›[31m");
	element("a\nb\tc\rd\x7F", "a<span class=odd>␊</span>b<span class=odd>␉</span>c<span class=odd>␍</span>d<span class=odd>␡</span>");
	shows("a\0b", 3, 99, HTML_ELEMENT, "a<span class=odd>␀</span>b");
	element("\xC2\x85", "<span class=odd>U+0085</span>");
	element("x\u202Egnp.exe", "x<span class=odd>U+202E</span>gnp.exe");
	attribute("x\u2066y", "x‹U+2066›y");
	element("a\u200Bb\u00ADc\uFEFFd\u2028e\u180Ef", "a<span class=odd>U+200B</span>b<span class=odd>U+00AD</span>c<span class=odd>U+FEFF</span>d<span class=odd>U+2028</span>e"
							 "<span class=odd>U+180E</span>f");
	element("\U000E0041", "<span class=odd>U+E0041</span>"); /* a tag character */
	element("\u3164\u2800\uFFFE", "<span class=odd>U+3164</span><span class=odd>U+2800</span><span class=odd>U+FFFE</span>"); /* blanks that are no spaces */
}

static void bytes_that_are_no_text_are_named(void **state)
{
	(void)state;
	element("a\xFF\xC0\xAF", "a<span class=odd>\\xFF</span><span class=odd>\\xC0</span><span class=odd>\\xAF</span>");
	element("\xE2\x82", "<span class=odd>\\xE2</span><span class=odd>\\x82</span>"); /* cut off */
	element("\xED\xA0\x80", "<span class=odd>\\xED</span><span class=odd>\\xA0</span><span class=odd>\\x80</span>"); /* a surrogate */
}

static void other_directions_stay_in_their_place(void **state)
{
	(void)state;
	element("\u05D0\u05D1 12", "<bdi>\u05D0\u05D1 12</bdi>");
	element("<\u0639>", "<bdi>&lt;\u0639&gt;</bdi>");
	attribute("\u05D0", "\u05D0");
}

/* Marks pile up on one letter and over the lines above; a few are letters of a language. */
static void marks_do_not_pile_up(void **state)
{
	(void)state;
	element("e\u0301", "e\u0301");
	element("e\u0301\u0301\u0301\u0301\u0302x", "e\u0301\u0301\u0301\u0301<span class=odd>U+0302</span>x");
}

static void long_text_is_cut_and_told_of(void **state)
{
	char *text = mem_alloc((1 << 20) + 1);
	struct bytes out = {0};

	(void)state;
	shows("abcdef", 6, 4, HTML_ELEMENT, "abcd<span class=odd>… 2 bytes more</span>");
	shows("abcdef", 6, 4, HTML_ATTRIBUTE, "abcd‹… 2 bytes more›");
	shows("abcd", 4, 4, HTML_ELEMENT, "abcd");
	shows("ab\u20ACd", 6, 4, HTML_ELEMENT, "ab<span class=odd>… 4 bytes more</span>"); /* no half of a character */
	memset(text, 'x', 1 << 20);
	html_lines(text, 1 << 20, &out);
	assert_int_equal(out.len, HTML_LINE_MAX + strlen("<span class=odd>… 1046528 bytes more</span>"));
	bytes_free(&out);
	html_put(&out, "<p>%s</p>", text);
	assert_int_equal(out.len, HTML_TEXT_MAX + strlen("<p><span class=odd>… 1032192 bytes more</span></p>"));
	bytes_free(&out);
	free(text);
}

static void lines_are_lines(void **state)
{
	struct bytes out = {0};

	(void)state;
	html_lines("a <\n\tb\r\n\nc", 10, &out);
	assert_string_equal(out.data, "a &lt;\n\tb<span class=odd>␍</span>\n\nc");
	bytes_free(&out);
}

static void arguments_are_text_where_they_stand(void **state)
{
	const char *volatile none = NULL;
	struct bytes out = {0};

	(void)state;
	html_put(&out, "<a href=\"%s\" id=n%zu>%s</a> 100%% %d %lld %llu %u %lu %ld", "x\"\033", (size_t)7, "<\"\033", -3, -4000000000LL, 18446744073709551615ULL, 5u, 6ul, -7l);
	assert_string_equal(out.data, "<a href=\"x&quot;‹␛›\" id=n7>&lt;\"<span class=odd>␛</span></a> 100% -3 -4000000000 18446744073709551615 5 6 -7");
	bytes_free(&out);
	html_put(&out, "%s%s", none, "a > b");
	assert_string_equal(out.data, "a &gt; b");
	bytes_free(&out);
}

/* A grade and a verdict are told by a mark and by a word; an unknown word is text. */
static void marks_come_with_words(void **state)
{
	struct bytes out = {0};

	(void)state;
	page_grade("executed", &out);
	page_verdict("DIFFERS", &out);
	page_grade("<b>", &out);
	assert_string_equal(out.data, "<span class=\"grade g3\"><span aria-hidden=true>●</span> executed</span>"
				      "<span class=\"verdict differs\"><span aria-hidden=true>≠</span> DIFFERS</span><span class=\"grade\">&lt;b&gt;</span>");
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_is_text),
		cmocka_unit_test(what_cannot_be_seen_is_named),
		cmocka_unit_test(bytes_that_are_no_text_are_named),
		cmocka_unit_test(other_directions_stay_in_their_place),
		cmocka_unit_test(marks_do_not_pile_up),
		cmocka_unit_test(long_text_is_cut_and_told_of),
		cmocka_unit_test(lines_are_lines),
		cmocka_unit_test(arguments_are_text_where_they_stand),
		cmocka_unit_test(marks_come_with_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
