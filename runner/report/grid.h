/*
 * Text in columns for a terminal: cells of any text, shown as escapes where a character is hidden (base/utf8.h), each as wide as base/character.h says, whatever the
 * locale. What a cell has no room for goes on below it, two columns further in.
 */
#ifndef PTXSEAL_REPORT_GRID_H
#define PTXSEAL_REPORT_GRID_H

#include <stdbool.h>

#include "../base/bytes.h"

struct grid {
	size_t columns, rows;
	char **names;   /* [column], as can be shown */
	char **cells;   /* [row * columns + column], the same */
	bool *is_right; /* [column]: aligned to the right and never broken, as numbers are */
};

/* grid_free resets it too. */
void grid_make(struct grid *grid, size_t columns);
void grid_free(struct grid *grid);

void grid_name(struct grid *grid, size_t column, const char *name, bool is_right);
/* Cells come row by row; column 0 begins the next one. */
void grid_add(struct grid *grid, size_t column, const char *text);

const char *grid_cell(const struct grid *grid, size_t row, size_t column);

/* Columns of the terminal that no cell of the column, nor its name, overruns. With broken names, these may go on below themselves after each '_'. */
size_t grid_width(const struct grid *grid, size_t column, bool broken_names);

/* What is shown: which columns, how wide each, where. */
struct grid_part {
	const size_t *columns; /* indexes */
	const size_t *widths;
	size_t count;
	size_t indent;
	bool ruled; /* a line of dashes between names and cells */
};

/* Append the names, then rows first to end - 1. Two spaces stand between columns, none at the end of a line. */
void grid_write(const struct grid *grid, const struct grid_part *part, size_t first, size_t end, struct bytes *out);

/* All of it, as wide as it is. */
void grid_write_all(const struct grid *grid, size_t indent, struct bytes *out);

/* Append text in lines of at most width columns, the first beginning at column at, the others at indent; broken between words where that can be. */
void grid_paragraph(const char *text, size_t at, size_t indent, size_t width, struct bytes *out);

#endif
