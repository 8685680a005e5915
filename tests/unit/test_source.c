/* A PTX source on a page: numbered lines with anchors, marked opcodes, a list to jump from, and nothing of it is markup. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "report/source.h"

static struct bytes page_of(const char *text, size_t len, size_t max)
{
	struct bytes out = {0};

	source_put(text, len, max, &out);
	return out;
}

/* Is want on the page of text? */
static void has(const char *text, const char *want)
{
	struct bytes page = page_of(text, strlen(text), 100000);

	if (strstr(page.data, want) == NULL)
		print_error("%s\n", page.data);
	assert_non_null(strstr(page.data, want));
	bytes_free(&page);
}

static void lines(void **state)
{
	(void)state;
	has("a;\n// c\nwgmma.fence.sync.aligned;",
	    "<span id=L1>a;\n</span><span id=L2 class=c>// c\n</span><span id=L3 class=\"m service\"><mark class=\"service\">wgmma.fence.sync.aligned</mark>;\n</span></pre>");
	has("@p wgmma.mma_async.sync x; cp.async.bulk.tensor.1d y;",
	    "<span id=L1 class=\"m gmma\">@p <mark class=\"gmma\">wgmma.mma_async.sync</mark> x; <mark class=\"tma\">cp.async.bulk.tensor.1d</mark> y;\n</span>");
}

/* Places close together are one link, to the first. */
static void jumps(void **state)
{
	(void)state;
	has("mma.sync.a;\nmma.sync.a;\n\n\n\n\n\n\n\n\n\n\n\n\n\nmma.sync.a;\n",
	    "<tr><th scope=row><code>mma.sync.a</code></th><td><span class=\"kind warp\"><b aria-hidden=true>m</b> by one warp, as on sm_80</span></td>"
	    "<td class=n><data value=\"3\">3</data></td><td class=places><a href=\"#L1\">1–2</a> ×2, <a href=\"#L16\">16</a></td></tr>\n");
	has("add.s32 a, b, c;", "<p>None of the instructions that matter as evidence stands in this source.</p>");
}

static void hostile(void **state)
{
	struct bytes page;

	(void)state;
	has("// </pre><script>alert(1)</script> \x1b[31m \xe2\x80\xae \xff\n",
	    "<span id=L1 class=c>// &lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt; <span class=odd>␛</span>[31m <span class=odd>U+202E</span> <span class=odd>\\xFF</span>\n</span>");
	page = page_of("a\0b\n", 4, 1000);
	assert_non_null(strstr(page.data, "<span id=L1>a<span class=odd>␀</span>b\n</span>"));
	bytes_free(&page);
}

/* A line of a mebibyte is cut with a word on how much, and what is marked beyond the cut is in no line; a source beyond the limit says where it goes on, and its marks there have no link. */
static void limits(void **state)
{
	struct bytes text = {0}, page;

	(void)state;
	for (size_t i = 0; i < 1 << 20; i++)
		bytes_char(&text, 'x');
	bytes_text(&text, ";wgmma.fence.sync;\nb;\n");
	page = page_of(text.data, text.len, 100000);
	assert_true(page.len < 8000);
	assert_non_null(strstr(page.data, "<span class=odd>… 1046546 bytes more</span>\n</span><span id=L2>b;\n</span>"));
	bytes_free(&page);
	text.len = 0;
	for (int i = 0; i < 1000; i++)
		bytes_format(&text, "mma.sync.a;%s", "\n\n\n\n\n\n\n\n" "\n\n\n\n\n\n\n\n");
	page = page_of(text.data, text.len, 500);
	assert_true(page.len < 8000);
	assert_non_null(strstr(page.data, "<p class=note>The source goes on from line 18; its last 26961 bytes are not shown here.</p>"));
	assert_non_null(strstr(page.data, "<a href=\"#L1\">1</a>, <a href=\"#L17\">17</a>, 33, "));
	bytes_free(&page);
	page = page_of("", 0, 500);
	assert_non_null(strstr(page.data, "aria-label=\"PTX source\"></pre>"));
	bytes_free(&page);
	bytes_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(jumps), cmocka_unit_test(hostile), cmocka_unit_test(limits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
