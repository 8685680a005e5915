/* Every derived table, and for each cell what it rests on: the links that need no script, and the data that the script shows it by. */
#include <stdlib.h>
#include <string.h>

#include "html.h"
#include "page.h"
#include "parts.h"

#define NOTHING "∅" /* in place of an empty cell that leads somewhere */

static bool is_named(const struct table *table, size_t column, const char *name)
{
	return strcmp(table->columns[column].name, name) == 0;
}

/* ---- what the head says ---- */

static void put_columns(const struct table *table, struct bytes *out)
{
	bytes_text(out, "<details class=meaning><summary>Columns, denominators, notes</summary>\n<dl class=columns>");
	for (size_t c = 0; c < table->column_count; c++) {
		const struct column *column = &table->columns[c];

		html_put(out, "<dt>%s<dd>%s", column->name, column->meaning);
		if (column->denominator != NULL)
			html_put(out, "<span class=of>; of: %s</span>", column->denominator);
		bytes_char(out, '\n');
	}
	bytes_text(out, "</dl>\n");
	for (size_t i = 0; i < table->underivable_count; i++)
		html_put(out, "<p class=note>Not derivable: %s: %s\n", table->underivable[i].column, table->underivable[i].why);
	for (size_t i = 0; i < table->note_count; i++)
		html_put(out, "<p class=note>%s\n", table->notes[i]);
	bytes_text(out, "</details>\n");
}

static void put_sql(const struct table *table, struct bytes *out)
{
	html_put(out, "<details class=sql><summary>SQL: %s</summary>\n", table->file);
	for (size_t i = 0; i < table->sql.section_count; i++) {
		const struct sql_section *section = &table->sql.sections[i];

		if (i > 0)
			html_put(out, "<p>Records behind: %s", section->columns);
		bytes_text(out, "<pre tabindex=0>");
		html_lines(section->sql, strlen(section->sql), out);
		bytes_text(out, "</pre>\n");
	}
	bytes_text(out, "</details>\n");
}

/* ---- rows ---- */

/* The column that stays in sight and names the row: of the key's the one that tells most rows apart. */
static size_t row_header(const struct derived *derived)
{
	const struct table *table = derived->table;
	size_t best = table->key[0], most = 0;

	for (size_t k = 0; k < table->key_count; k++) {
		struct pool values = {0};

		for (size_t row = 0; row < derived->rows; row++)
			pool_add(&values, derived_shown(derived, row, table->key[k]));
		if (values.count > most) {
			most = values.count;
			best = table->key[k];
		}
		pool_free(&values);
	}
	return best;
}

static void put_cell(const struct report *report, const struct derived *derived, size_t row, size_t column, struct bytes *out)
{
	const char *shown = derived_shown(derived, row, column);
	const struct table *table = derived->table;
	size_t run = SIZE_MAX;

	if (is_named(table, column, "run"))
		run = pool_find(&report->trail->names, shown);
	if (run != SIZE_MAX)
		html_put(out, "<a href=#r%zu>%s</a>", run, shown);
	else if (is_named(table, column, "evidence"))
		page_grade(shown, out);
	else
		html_text(shown, strlen(shown), HTML_TEXT_MAX, HTML_ELEMENT, out);
}

/* A link to what the row rests on: a run, a file, or a list of several. */
static void put_records(const struct report *report, size_t group, struct bytes *out)
{
	const char *members = report->trail->groups.at[group];
	size_t runs = 0, files = 0;

	for (const char *at = members; *at != '\0'; at++) {
		runs += *at == 'r' ? 1 : 0;
		files += *at == 'f' ? 1 : 0;
	}
	if (runs + files == 0)
		return;
	if (runs + files == 1)
		bytes_format(out, "<a href=#%s>", members);
	else
		bytes_format(out, "<a href=#g%zu>", group);
	if (runs > 0)
		bytes_format(out, runs == 1 ? "1 run" : "%zu runs", runs);
	if (files > 0)
		bytes_format(out, files == 1 ? "%s1 file" : "%s%zu files", runs > 0 ? ", " : "", files);
	bytes_text(out, "</a>");
}

/* What was published for the cell is something else, or nothing that the records give: a mark for each, and a link to the reason. */
static void put_difference(const struct report *report, size_t difference, const char *shown, struct bytes *out)
{
	const bool lacks = report->standing->check.differences[difference].verdict == VERDICT_NOT_DERIVABLE && shown[0] == '\0';

	html_put(out, lacks ? " class=\"d u\"><a href=#d%zu>%s</a>" : " class=d><a href=#d%zu>%s</a>", difference, shown[0] != '\0' ? shown : NOTHING);
}

static void put_row(const struct report *report, size_t index, size_t row, size_t header, struct bytes *out)
{
	const struct derived *derived = &report->standing->derivation.tables[index];
	const struct table *table = derived->table;
	const uint32_t *beside = report->beside->cells[index] + row * table->column_count;

	bytes_text(out, "<tr>");
	for (size_t c = 0; c < table->column_count; c++) {
		bytes_text(out, c == header ? "<th scope=row" : "<td");
		if (beside[c] >= BESIDE_DIFFERS) {
			put_difference(report, beside[c] - BESIDE_DIFFERS, derived_shown(derived, row, c), out);
			continue;
		}
		bytes_char(out, '>');
		put_cell(report, derived, row, c, out);
	}
	bytes_text(out, "<td>");
	put_records(report, report->trail->tables[index].groups[row], out);
	bytes_char(out, '\n');
}

static void put_table(const struct report *report, size_t index, struct bytes *out)
{
	const struct derived *derived = &report->standing->derivation.tables[index];
	const struct table *table = derived->table;
	const size_t header = row_header(derived);

	html_put(out, "<details class=table><summary><h3>%s</h3> <span class=about><code>%s</code>, %zu %s; rebuilds: %s; ", table->title, table->name,
	         derived->rows, derived->rows == 1 ? "row" : "rows", table->rebuilds);
	page_grade(table->evidence, out);
	html_put(out, "</span></summary>\n<div id=\"t-%s\"></div>\n", table->name); /* inside, so that a link to it opens the table */
	put_columns(table, out);
	put_sql(table, out);
	if (derived->rows == 0) {
		bytes_text(out, "<p class=note>No rows: the bundle has no records that it is about.</details>\n");
		return;
	}
	page_scroll(table->title, out);
	bytes_text(out, "<table class=\"derived");
	for (size_t c = 0; c < table->column_count; c++)
		if (table->columns[c].format.kind != FORMAT_TEXT)
			bytes_format(out, " n%zu", c + 1);
	html_put(out, "\" data-t=\"%s\"><thead><tr>", table->name);
	for (size_t c = 0; c < table->column_count; c++) {
		bytes_text(out, c == header ? "<th scope=col class=key>" : "<th scope=col>");
		page_name(table->columns[c].name, out);
	}
	bytes_text(out, "<th scope=col>records</thead>\n<tbody>");
	for (size_t row = 0; row < derived->rows; row++)
		put_row(report, index, row, header, out);
	bytes_text(out, "</table></div></details>\n");
}

/* ---- what the script knows ---- */

static void put_numbers(const size_t *numbers, size_t count, struct bytes *out)
{
	bytes_char(out, '[');
	for (size_t i = 0; i < count; i++)
		bytes_format(out, i == 0 ? "%zu" : ",%zu", numbers[i]);
	bytes_char(out, ']');
}

/* Which rows of a column were published: 0 none, 1 all, else a set of row numbers from 1, in the form of turns (trail.h). */
static void put_published(const struct report *report, size_t index, size_t column, struct bytes *out)
{
	const struct derived *derived = &report->standing->derivation.tables[index];
	const uint32_t *beside = report->beside->cells[index];
	int64_t *rows = mem_alloc((derived->rows + 1) * sizeof *rows);
	size_t count = 0;

	for (size_t row = 0; row < derived->rows; row++)
		if (beside[row * derived->table->column_count + column] != BESIDE_NONE)
			rows[count++] = (int64_t)row + 1;
	if (count == 0 || count == derived->rows) {
		bytes_char(out, count == 0 ? '0' : '1');
	} else {
		bytes_char(out, '"');
		trail_set(rows, count, out);
		bytes_char(out, '"');
	}
	free(rows);
}

/* Names of tables and columns are of [a-z0-9_], sets of [0-9a-z.,@-]: nothing in it needs an escape, and no byte could end the script element. */
static void put_data(const struct report *report, struct bytes *out)
{
	const struct trail *trail = report->trail;

	bytes_text(out, "<script type=\"application/json\" id=trail>{\"sets\":\"");
	for (size_t i = 0; i < trail->sets.count; i++)
		bytes_format(out, i == 0 ? "%s" : "|%s", trail->sets.at[i]);
	bytes_text(out, "\",\"tables\":{");
	for (size_t t = 0; t < trail->table_count; t++) {
		const struct derived *derived = &report->standing->derivation.tables[t];
		const struct table *table = derived->table;

		bytes_format(out, "%s\"%s\":{\"key\":", t == 0 ? "" : ",\n", table->name);
		put_numbers(table->key, table->key_count, out);
		bytes_text(out, ",\"section\":[");
		for (size_t c = 0; c < table->column_count; c++)
			bytes_format(out, c == 0 ? "%zu" : ",%zu", table->columns[c].lineage);
		bytes_text(out, "],\"published\":[");
		for (size_t c = 0; c < table->column_count; c++) {
			bytes_text(out, c == 0 ? "" : ",");
			put_published(report, t, c, out);
		}
		bytes_text(out, "],\"sets\":[");
		for (size_t s = 0; s < trail->tables[t].sections; s++) {
			bytes_text(out, s == 0 ? "" : ",");
			put_numbers(trail->tables[t].sets + s * derived->rows, derived->rows, out);
		}
		bytes_text(out, "]}");
	}
	bytes_text(out, "}}</script>\n");
}

enum status tables_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	(void)state;
	(void)err;
	if (report->trail == NULL || report->trail->table_count == 0)
		return OK;
	bytes_text(out, "<p>Each table is derived from the records in this bundle. The last column leads to the records that its row rests on. <span class=scripted>Choose a cell, or move to it with the arrow keys and press "
	                "Enter, and its own records are shown; choose a column’s name to sort by it.</span>\n<p>A cell that differs from what was published is "
	                "marked <a class=sample href=#differences>so</a>, one that the records do not give <span class=\"d u\"><a href=#differences>" NOTHING "</a></span>; both lead to the reason.\n");
	for (size_t t = 0; t < report->trail->table_count; t++)
		put_table(report, t, out);
	put_data(report, out);
	return OK;
}
