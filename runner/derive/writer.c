#include "writer.h"

#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"
#include "../base/utf8.h"

/* utf8_printable makes at most "\u{10FFFF}" of a character. */
enum { PRINTABLE_GROWTH = 10 };

/* Append text with every character of specials replaced. Most cells are numbers and short names: what has nothing to replace
 * is added as it is, and only what is not plain ASCII passes through utf8_printable. */
static void add_escaped(const char *text, const char *specials, void (*replace)(char c, struct bytes *out), struct bytes *out)
{
	char *line = NULL;

	for (const char *at = text; *at != '\0' && line == NULL; at++) {
		if (*at < ' ' || *at > '~') {
			size_t size = strlen(text) * PRINTABLE_GROWTH + 1;

			line = mem_alloc(size);
			utf8_printable(text, strlen(text), line, size);
		}
	}
	for (const char *at = line != NULL ? line : text; *at != '\0';) {
		size_t span = strcspn(at, specials);

		bytes_add(out, at, span);
		at += span;
		if (*at != '\0')
			replace(*at++, out);
	}
	free(line);
}

/* CommonMark 0.30 section 2.4: a backslash before any ASCII punctuation makes it literal. */
static void replace_in_markdown(char c, struct bytes *out)
{
	bytes_char(out, '\\');
	bytes_char(out, c);
}

void markdown_text(const char *text, struct bytes *out)
{
	add_escaped(text, "\\`*_{}[]<>|&~$#^", replace_in_markdown, out);
}

static void replace_in_latex(char c, struct bytes *out)
{
	switch (c) {
	case '\\': bytes_text(out, "\\textbackslash{}"); break;
	case '~': bytes_text(out, "\\textasciitilde{}"); break;
	case '^': bytes_text(out, "\\textasciicircum{}"); break;
	case '<': bytes_text(out, "\\textless{}"); break;
	case '>': bytes_text(out, "\\textgreater{}"); break;
	case '|': bytes_text(out, "\\textbar{}"); break;
	case '-': bytes_text(out, "-{}"); break; /* -- would be a dash */
	case '_': case '&': case '%': case '#': case '{': case '}': case '$':
		bytes_char(out, '\\');
		bytes_char(out, c);
		break;
	default: /* \[ would take a length, \* would be a command, `` a quotation mark */
		bytes_char(out, '{');
		bytes_char(out, c);
		bytes_char(out, '}');
	}
}

void latex_text(const char *text, struct bytes *out)
{
	add_escaped(text, "\\~^<>|_&%#{}$-[]*`'", replace_in_latex, out);
}

void write_csv(const struct derived *derived, struct bytes *out)
{
	const struct table *table = derived->table;

	for (size_t c = 0; c < table->column_count; c++) {
		bytes_text(out, c == 0 ? "" : ",");
		bytes_text(out, table->columns[c].name);
	}
	bytes_char(out, '\n');
	for (size_t r = 0; r < derived->rows; r++) {
		for (size_t c = 0; c < table->column_count; c++) {
			const char *cell = derived_shown(derived, r, c);

			bytes_text(out, c == 0 ? "" : ",");
			/* A lone empty field would read as an empty line. */
			if (table->column_count == 1 && cell[0] == '\0')
				bytes_text(out, "\"\"");
			else
				csv_write_field(cell, strlen(cell), out);
		}
		bytes_char(out, '\n');
	}
}

static bool is_number(const struct column *column)
{
	return column->format.kind != FORMAT_TEXT;
}

/* What the head says, as text for people below the table. */
static void markdown_notes(const struct table *table, struct bytes *out)
{
	bytes_text(out, "\nRebuilds: ");
	markdown_text(table->rebuilds, out);
	bytes_text(out, ". Evidence: ");
	markdown_text(table->evidence, out);
	bytes_text(out, ". Derived by ");
	markdown_text(table->file, out);
	bytes_text(out, ".\n\n");
	for (size_t c = 0; c < table->column_count; c++) {
		const struct column *column = &table->columns[c];

		bytes_text(out, "* ");
		markdown_text(column->name, out);
		bytes_text(out, ": ");
		markdown_text(column->meaning, out);
		if (column->denominator != NULL) {
			bytes_text(out, "; denominator: ");
			markdown_text(column->denominator, out);
		}
		bytes_char(out, '\n');
	}
	for (size_t i = 0; i < table->underivable_count; i++) {
		bytes_text(out, "* ");
		markdown_text(table->underivable[i].column, out);
		bytes_text(out, ": not derivable: ");
		markdown_text(table->underivable[i].why, out);
		bytes_char(out, '\n');
	}
	for (size_t i = 0; i < table->note_count; i++) {
		bytes_text(out, "* Note: ");
		markdown_text(table->notes[i], out);
		bytes_char(out, '\n');
	}
}

void write_markdown(const struct derived *derived, struct bytes *out)
{
	const struct table *table = derived->table;

	bytes_text(out, "# ");
	markdown_text(table->title, out);
	bytes_text(out, "\n\n|");
	for (size_t c = 0; c < table->column_count; c++) {
		bytes_char(out, ' ');
		markdown_text(table->columns[c].name, out);
		bytes_text(out, " |");
	}
	bytes_text(out, "\n|");
	for (size_t c = 0; c < table->column_count; c++)
		bytes_text(out, is_number(&table->columns[c]) ? " ---: |" : " --- |");
	bytes_char(out, '\n');
	for (size_t r = 0; r < derived->rows; r++) {
		bytes_char(out, '|');
		for (size_t c = 0; c < table->column_count; c++) {
			bytes_char(out, ' ');
			markdown_text(derived_shown(derived, r, c), out);
			bytes_text(out, " |");
		}
		bytes_char(out, '\n');
	}
	markdown_notes(table, out);
}

void write_latex(const struct derived *derived, struct bytes *out)
{
	const struct table *table = derived->table;

	bytes_text(out, "% Needs \\usepackage{longtable} and UTF-8 input.\n\\begin{longtable}{");
	for (size_t c = 0; c < table->column_count; c++)
		bytes_char(out, is_number(&table->columns[c]) ? 'r' : 'l');
	bytes_text(out, "}\n\\caption{");
	latex_text(table->title, out);
	bytes_format(out, "}\\label{tab:%s}\\\\\n\\hline\n", table->name);
	for (size_t c = 0; c < table->column_count; c++) {
		bytes_text(out, c == 0 ? "" : " & ");
		latex_text(table->columns[c].name, out);
	}
	bytes_text(out, " \\\\\n\\hline\n\\endhead\n");
	for (size_t r = 0; r < derived->rows; r++) {
		for (size_t c = 0; c < table->column_count; c++) {
			bytes_text(out, c == 0 ? "" : " & ");
			latex_text(derived_shown(derived, r, c), out);
		}
		bytes_text(out, " \\\\\n");
	}
	bytes_text(out, "\\hline\n\\end{longtable}\n");
}
