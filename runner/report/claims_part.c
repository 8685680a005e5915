/* Claims of the paper and findings, each with the numbers that decide it; and the cells that differ from the published ones, by reason. */
#include <stdlib.h>
#include <string.h>

#include "../derive/reason.h"
#include "html.h"
#include "page.h"
#include "parts.h"

static void put_sql(const struct table *table, struct bytes *out)
{
	html_put(out, "<details class=sql><summary>SQL: %s</summary>\n<pre tabindex=0>", table->file);
	html_lines(table->sql.sections[0].sql, strlen(table->sql.sections[0].sql), out);
	bytes_text(out, "</pre></details>\n");
}

static void put_more(const struct decision *decision, struct bytes *out)
{
	const struct claim *claim = decision->claim;
	const struct table *table = &claim->table;

	bytes_text(out, "<details><summary>Statement, what the numbers are, SQL</summary>\n");
	html_put(out, "<p>%s <span class=where>[%s]</span>\n<dl class=columns>", claim->statement, claim->paper);
	for (size_t i = 0; i < table->column_count; i++)
		html_put(out, "<dt>%s<dd>%s%s%s\n", table->columns[i].name, table->columns[i].meaning, table->columns[i].denominator != NULL ? "; of: " : "",
		         table->columns[i].denominator);
	bytes_text(out, "</dl>\n");
	for (size_t i = 0; i < table->note_count; i++)
		html_put(out, "<p class=note>%s\n", table->notes[i]);
	put_sql(table, out);
	bytes_text(out, "</details>\n");
}

static void put_decision(const struct decision *decision, struct bytes *out)
{
	const struct claim *claim = decision->claim;

	html_put(out, "<tr id=\"c-%s\"><th scope=row>%s<td>", claim->id, claim->id);
	page_verdict(claim_verdict_name(decision->verdict), out);
	bytes_text(out, "<td>");
	if (decision->as_expected)
		html_put(out, "as expected");
	else
		page_verdict("NOT AS EXPECTED", out);
	if (!decision->as_expected)
		html_put(out, ": %s", claim->expect);
	bytes_text(out, "<td>");
	page_grade(claim->table.evidence, out);
	html_put(out, "<td><b>%s</b><ul class=numbers>", claim->table.title);
	for (size_t i = 0; i < claim->table.column_count; i++)
		html_put(out, "<li>%s <b>%s</b>", claim->table.columns[i].name, claim_number(decision, i));
	bytes_text(out, "</ul>");
	put_more(decision, out);
}

static void put_decisions_head(const char *title, struct bytes *out)
{
	html_put(out, "<h3>%s</h3>\n", title);
	page_scroll(title, out);
	bytes_text(out, "<table class=\"cards claims\"><thead><tr><th scope=col>id<th scope=col>verdict<th scope=col>expected<th scope=col>evidence<th scope=col>claim and deciding numbers</thead>\n<tbody>");
}

static void put_decisions(const struct standing *standing, bool findings, const char *title, struct bytes *out)
{
	const size_t count = standing->derivation.catalogue.claim_count;
	size_t shown = 0;

	for (size_t i = 0; i < count; i++) {
		if (standing->decisions[i].claim->is_finding != findings)
			continue;
		if (shown++ == 0)
			put_decisions_head(title, out);
		put_decision(&standing->decisions[i], out);
	}
	if (shown > 0)
		bytes_text(out, "</table></div>\n");
}

enum status claims_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	(void)state;
	(void)err;
	if (report->standing->derived != OK)
		return OK;
	put_decisions(report->standing, false, "Claims of the paper", out);
	put_decisions(report->standing, true, "What the data says against itself", out);
	return OK;
}

/* ---- differences ---- */

static void put_text(const char *text, const char *none, struct bytes *out)
{
	if (text == NULL)
		html_put(out, "<td><i>%s</i>", none);
	else
		html_put(out, "<td>%s", text);
}

static void put_difference(const struct difference *difference, size_t index, size_t common, struct bytes *out)
{
	const char *own = difference->reason != NULL && strlen(difference->reason) > common ? difference->reason + common : "";

	bytes_format(out, "<tr id=d%zu><th scope=row>", index);
	page_name(difference->row, out);
	bytes_text(out, "<td>");
	page_name(difference->column, out);
	put_text(difference->published, "empty", out);
	put_text(difference->derived, "no value", out);
	html_put(out, "<td>%s\n", own);
}

static void put_head(const char *label, struct bytes *out)
{
	page_scroll(label, out);
	bytes_text(out, "<table class=differences><thead><tr><th scope=col>row<th scope=col>column<th scope=col>published<th scope=col>derived"
	                "<th scope=col>of this cell</thead>\n<tbody>");
}

static void put_state(const struct check *check, enum difference_state state, const char *title, const char *why, struct bytes *out)
{
	size_t shown = 0;

	for (size_t i = 0; i < check->difference_count; i++) {
		const struct difference *difference = &check->differences[i];

		if (difference->state != state)
			continue;
		if (shown++ == 0) {
			html_put(out, "<div class=why><p><b>%s</b>: <span class=reason>%s</span>\n<details open><summary>The cells</summary>\n", title, why);
			put_head(title, out);
		}
		put_difference(difference, i, 0, out);
	}
	if (shown > 0)
		bytes_text(out, "</table></div></details></div>\n");
}

/* The columns that a reason speaks of, each once. */
static void put_columns(const struct check *check, const struct reason *reason, struct bytes *out)
{
	struct pool columns = {0};

	for (size_t i = 0; i < check->difference_count; i++)
		if (reason_covers(reason, &check->differences[i]))
			pool_add(&columns, check->differences[i].column);
	for (size_t i = 0; i < columns.count; i++)
		html_put(out, i == 0 ? "%s" : ", %s", columns.at[i]);
	pool_free(&columns);
}

static void put_reason(const struct check *check, const struct reason *reason, struct bytes *out)
{
	char *common = mem_textn(reason->reason, reason->reason_len);

	bytes_text(out, "<div class=why><p>");
	page_verdict(verdict_name(reason->verdict), out);
	html_put(out, " %zu %s of <a href=\"#t-%s\">%s</a>, ", reason->cells, reason->cells == 1 ? "cell" : "cells", reason->table, reason->table);
	put_columns(check, reason, out);
	html_put(out, ": <span class=reason>%s</span>\n<details><summary>%s</summary>\n", common, reason->cells == 1 ? "The cell" : "The cells");
	put_head(reason->table, out);
	for (size_t i = 0; i < check->difference_count; i++)
		if (reason_covers(reason, &check->differences[i]))
			put_difference(&check->differences[i], i, reason->reason_len, out);
	bytes_text(out, "</table></div></details></div>\n");
	free(common);
}

static void put_totals(const struct check *check, struct bytes *out)
{
	page_table("totals n2 n3 n4 n5 n6", "Published cells, each set beside the derived one", out);
	bytes_text(out, "<thead><tr><th scope=col>table"
	                "<th scope=col>published<th scope=col>same<th scope=col>differs<th scope=col>not derivable<th scope=col>unknown differences</thead>\n<tbody>");
	for (size_t i = 0; i < check->table_count; i++) {
		const struct table_totals *totals = &check->tables[i];

		html_put(out, "<tr><th scope=row><a href=\"#t-%s\">", totals->table->name);
		page_name(totals->table->name, out);
		html_put(out, "</a><td>%zu<td>%zu<td>%zu<td>%zu<td>%zu\n", totals->published, totals->same, totals->differs, totals->not_derivable, totals->unknown);
	}
	html_put(out, "<tr><th scope=row>all<td>%zu<td>%zu<td>%zu<td>%zu<td>%zu</table></div>\n", check->total.published, check->total.same, check->total.differs,
	         check->total.not_derivable, check->total.unknown);
}

enum status differences_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	const struct check *check = &report->standing->check;
	struct reason *reasons;

	(void)state;
	(void)err;
	if (report->standing->derived != OK || check->total.published == 0)
		return OK;
	put_totals(check, out);
	put_state(check, DIFFERENCE_UNKNOWN, "Unknown differences", "artifact/expected/known.jsonl does not list them with these values.", out);
	put_state(check, DIFFERENCE_VANISHED, "Listed differences that are gone", "artifact/expected/known.jsonl lists them, but the cells are not like that any more.", out);
	const size_t count = reasons_of(check, &reasons);

	for (int verdict = VERDICT_DIFFERS; verdict <= VERDICT_NOT_DERIVABLE; verdict++)
		for (size_t i = 0; i < count; i++)
			if ((int)reasons[i].verdict == verdict)
				put_reason(check, &reasons[i], out);
	free(reasons);
	return OK;
}
