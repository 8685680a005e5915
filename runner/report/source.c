#include "source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/ptx_marks.h"
#include "html.h"
#include "kind.h"
#include "page.h"
#include "show.h"

enum {
	NEAR_LINES = 12,   /* nvcc puts some lines around each inline asm */
	OPCODES_MAX = 100, /* rows of the list */
};

struct sorted {
	const char *text;
	const struct ptx_mark *mark;
};

/* By group, opcode and place. */
static int by_opcode(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	const size_t len = x->mark->len < y->mark->len ? x->mark->len : y->mark->len;
	int order = (x->mark->group > y->mark->group) - (x->mark->group < y->mark->group);

	if (order == 0)
		order = memcmp(x->text + x->mark->offset, y->text + y->mark->offset, len);
	if (order == 0)
		order = (x->mark->len > y->mark->len) - (x->mark->len < y->mark->len);
	if (order == 0)
		order = (x->mark->offset > y->mark->offset) - (x->mark->offset < y->mark->offset);
	return order;
}

static bool same_opcode(const struct sorted *x, const struct sorted *y)
{
	return x->mark->len == y->mark->len && memcmp(x->text + x->mark->offset, y->text + y->mark->offset, x->mark->len) == 0;
}

/* Lines up to last are on the page. */
static void put_row(const struct sorted *sorted, size_t count, uint64_t last, struct bytes *out)
{
	struct place *places = mem_array(NULL, count, sizeof *places);

	for (size_t i = 0; i < count; i++) {
		places[i].at = sorted[i].mark->line;
		snprintf(places[i].text, sizeof places[i].text, "%llu", (unsigned long long)sorted[i].mark->line);
		snprintf(places[i].link, sizeof places[i].link, "L%s", places[i].text);
		if (places[i].at > last)
			places[i].link[0] = '\0';
	}
	bytes_text(out, "<tr><th scope=row><code>");
	html_text(sorted->text + sorted->mark->offset, sorted->mark->len, 200, HTML_ELEMENT, out);
	bytes_text(out, "</code></th><td>");
	kind_put(sorted->mark->group, out);
	bytes_text(out, "</td><td class=n>");
	show_number(out, count);
	bytes_text(out, "</td><td class=places>");
	kind_places(places, count, NEAR_LINES, out);
	bytes_text(out, "</td></tr>\n");
	free(places);
}

static void put_list(const char *text, const struct ptx_marks *marks, uint64_t last, struct bytes *out)
{
	struct sorted *sorted = mem_array(NULL, marks->count, sizeof *sorted);
	size_t rows = 0, at = 0;

	for (size_t i = 0; i < marks->count; i++)
		sorted[i] = (struct sorted){text, &marks->at[i]};
	qsort(sorted, marks->count, sizeof *sorted, by_opcode);
	page_table("jump", "Marked instructions, by opcode", out);
	bytes_text(out, "<thead><tr><th scope=col>opcode</th><th scope=col>what it is</th>"
	                "<th scope=col class=n>times</th><th scope=col>lines</th></tr></thead><tbody>\n");
	for (size_t end; at < marks->count && rows < OPCODES_MAX; rows++, at = end) {
		for (end = at + 1; end < marks->count && same_opcode(&sorted[at], &sorted[end]); end++)
			;
		put_row(sorted + at, end - at, last, out);
	}
	bytes_text(out, "</tbody></table></div>\n");
	if (at < marks->count)
		html_put(out, "<p class=note>%zu more of other opcodes are marked in the source only.</p>\n", marks->count - at);
	free(sorted);
}

static bool is_comment(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	return end - at >= 2 && at[0] == '/' && at[1] == '/';
}

/* Of the line from text[start] to text[end] the marks from *mark on. */
static void put_line(const char *text, size_t start, size_t end, uint64_t line, const struct ptx_marks *marks, size_t *mark, struct bytes *out)
{
	const size_t most = start + HTML_LINE_MAX;
	size_t from = start;

	if (*mark < marks->count && marks->at[*mark].line == line)
		html_put(out, "<span id=L%llu class=\"m %s\">", (unsigned long long)line, sass_group_name(marks->at[*mark].group));
	else
		html_put(out, is_comment(text + start, text + end) ? "<span id=L%llu class=c>" : "<span id=L%llu>", (unsigned long long)line);
	for (; *mark < marks->count && marks->at[*mark].line == line; ++*mark) {
		const struct ptx_mark *at = &marks->at[*mark];

		if (at->offset + at->len > most)
			continue;
		html_text(text + from, at->offset - from, HTML_LINE_MAX, HTML_LINES, out);
		html_put(out, "<mark class=\"%s\">", sass_group_name(at->group));
		html_text(text + at->offset, at->len, HTML_LINE_MAX, HTML_LINES, out);
		bytes_text(out, "</mark>");
		from = at->offset + at->len;
	}
	html_text(text + from, end - from, most - from, HTML_LINES, out);
	bytes_text(out, "\n</span>");
}

/* Gives the last line that it put. */
static uint64_t put_lines(const char *text, size_t len, size_t max, const struct ptx_marks *marks, struct bytes *out)
{
	const size_t begun = out->len;
	size_t at = 0, mark = 0;
	uint64_t line = 1;

	bytes_text(out, "<pre class=\"listing ptx\" tabindex=0 role=region aria-label=\"PTX source\">");
	for (; at < len && out->len - begun < max; line++) {
		const char *stop = memchr(text + at, '\n', len - at);
		const size_t end = stop != NULL ? (size_t)(stop - text) : len;

		put_line(text, at, end, line, marks, &mark, out);
		at = end + (stop != NULL);
	}
	bytes_text(out, "</pre>\n");
	if (at < len)
		html_put(out, "<p class=note>The source goes on from line %llu; its last %zu bytes are not shown here.</p>\n", (unsigned long long)line, len - at);
	return line - 1;
}

void source_put(const char *text, size_t len, size_t max, struct bytes *out)
{
	struct ptx_marks marks;
	struct bytes lines = {0};
	unsigned groups = 0;

	ptx_marks(text, len, &marks);
	for (size_t i = 0; i < marks.count; i++)
		groups |= 1u << marks.at[i].group;
	const uint64_t last = put_lines(text, len, max, &marks, &lines);

	if (marks.count > 0)
		put_list(text, &marks, last, out);
	else
		bytes_text(out, "<p>None of the instructions that matter as evidence stands in this source.</p>\n");
	kind_legend(groups, out);
	bytes_add(out, lines.data, lines.len);
	bytes_free(&lines);
	ptx_marks_free(&marks);
}
