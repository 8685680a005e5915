#include "grid.h"

#include <stdlib.h>
#include <string.h>

#include "../base/character.h"
#include "../base/utf8.h"

enum {
	BETWEEN = 2,
	FURTHER = 2,    /* columns by which the second and further lines of a cell stand further in */
	ESCAPE_MAX = 10 /* bytes that utf8_printable makes of one */
};

void grid_make(struct grid *grid, size_t columns)
{
	*grid = (struct grid){.columns = columns,
	                      .names = mem_alloc((columns + 1) * sizeof *grid->names),
	                      .is_right = mem_alloc((columns + 1) * sizeof *grid->is_right)};
}

void grid_free(struct grid *grid)
{
	for (size_t i = 0; i < grid->columns; i++)
		free(grid->names[i]);
	for (size_t i = 0; i < grid->rows * grid->columns; i++)
		free(grid->cells[i]);
	free(grid->names);
	free(grid->cells);
	free(grid->is_right);
	*grid = (struct grid){0};
}

static char *printable(const char *text)
{
	const size_t len = strlen(text), size = len * ESCAPE_MAX + 1;
	char *shown = mem_alloc(size);

	utf8_printable(text, len, shown, size);
	return shown;
}

void grid_name(struct grid *grid, size_t column, const char *name, bool is_right)
{
	grid->names[column] = printable(name);
	grid->is_right[column] = is_right;
}

void grid_add(struct grid *grid, size_t column, const char *text)
{
	if (column == 0 && (grid->rows & (grid->rows + 1)) == 0) /* room for a power of two, less one */
		grid->cells = mem_array(grid->cells, 2 * grid->rows + 1, grid->columns * sizeof *grid->cells);
	grid->rows += column == 0;
	grid->cells[(grid->rows - 1) * grid->columns + column] = printable(text);
}

const char *grid_cell(const struct grid *grid, size_t row, size_t column)
{
	return grid->cells[row * grid->columns + column];
}

/* Bytes of a name up to the end of its first line when it is broken. */
static size_t name_piece(const char *name)
{
	size_t len = strcspn(name, "_");

	while (name[len] == '_')
		len++;
	return len;
}

static size_t name_width(const char *name, bool broken)
{
	size_t width = 0;

	for (size_t len; *name != '\0'; name += len) {
		len = broken ? name_piece(name) : strlen(name);
		const size_t piece = text_width(name, len);

		width = piece > width ? piece : width;
	}
	return width;
}

size_t grid_width(const struct grid *grid, size_t column, bool broken_names)
{
	size_t width = name_width(grid->names[column], broken_names);

	for (size_t r = 0; r < grid->rows; r++) {
		const size_t cell = text_width(grid_cell(grid, r, column), strlen(grid_cell(grid, r, column)));

		width = cell > width ? cell : width;
	}
	return width;
}

/* Bytes of text, which is not empty, that fit in width columns: all, or up to the last place where parts of words end, or as many characters as fit, at least one with
 * its marks. */
static size_t fitting(const char *text, size_t width)
{
	const size_t len = strlen(text);
	size_t used = 0, at = 0, broken = 0;

	while (at < len) {
		uint32_t point = 0;
		size_t step = utf8_next(text + at, len - at, &point);
		const size_t columns = step == 0 ? 1 : character_width(point);

		step = step == 0 ? 1 : step;
		if (at > 0 && used + columns > width) {
			/* A space that does not fit any more ends the line before it. */
			return text[at] == ' ' || broken == 0 ? at : broken;
		}
		used += columns;
		at += step;
		if (strchr(" -_/,;", text[at - 1]) != NULL)
			broken = at;
	}
	return len;
}

/* A cell, or a name, on its way down the lines of its row. */
struct thread {
	const char *rest;
	bool begun;
};

static void spaces(size_t count, struct bytes *out)
{
	for (; count > 0; count--)
		bytes_char(out, ' ');
}

/* Append one line of a column; what stands to its left has been written up to *at, and spaces wait to be written until something follows them. */
struct pen {
	struct bytes *out;
	size_t waiting;
};

static void put(struct pen *pen, const char *text, size_t len, size_t columns, size_t width, bool right)
{
	const size_t room = width > columns ? width - columns : 0;

	if (len > 0) {
		spaces(pen->waiting + (right ? room : 0), pen->out);
		bytes_add(pen->out, text, len);
		pen->waiting = right ? 0 : room;
	} else {
		pen->waiting += width;
	}
}

static void put_thread(struct pen *pen, struct thread *thread, size_t width, bool right)
{
	const size_t further = thread->begun && !right && width > 2 * FURTHER ? FURTHER : 0;

	if (*thread->rest == '\0') {
		put(pen, "", 0, 0, width, right);
		return;
	}
	size_t len = right ? strlen(thread->rest) : fitting(thread->rest, width - further), end = len;

	while (end > 0 && thread->rest[end - 1] == ' ')
		end--;
	pen->waiting += further;
	put(pen, thread->rest, end, text_width(thread->rest, end), width - further, right);
	thread->rest += len;
	thread->rest += strspn(thread->rest, " ");
	thread->begun = true;
}

static void write_row(const struct grid *grid, const struct grid_part *part, size_t row, struct thread *threads, struct bytes *out)
{
	bool more = true;

	for (size_t i = 0; i < part->count; i++)
		threads[i] = (struct thread){.rest = grid_cell(grid, row, part->columns[i])};
	while (more) {
		struct pen pen = {.out = out, .waiting = part->indent};

		more = false;
		for (size_t i = 0; i < part->count; i++) {
			pen.waiting += i > 0 ? BETWEEN : 0;
			put_thread(&pen, &threads[i], part->widths[i], grid->is_right[part->columns[i]]);
			more = more || *threads[i].rest != '\0';
		}
		bytes_char(out, '\n');
	}
}

static size_t name_lines(const char *name, size_t width)
{
	size_t lines = 0;

	if (text_width(name, strlen(name)) <= width)
		return 1;
	for (; *name != '\0'; name += name_piece(name))
		lines++;
	return lines;
}

/* Names stand on the cells: the last lines of all are one line. */
static void write_names(const struct grid *grid, const struct grid_part *part, struct bytes *out)
{
	size_t lines = 1;

	for (size_t i = 0; i < part->count; i++) {
		const size_t own = name_lines(grid->names[part->columns[i]], part->widths[i]);

		lines = own > lines ? own : lines;
	}
	for (size_t left = lines; left > 0; left--) {
		struct pen pen = {.out = out, .waiting = part->indent};

		for (size_t i = 0; i < part->count; i++) {
			const char *name = grid->names[part->columns[i]];
			const size_t own = name_lines(name, part->widths[i]);

			for (size_t above = left; above < own; above++)
				name += name_piece(name);
			const size_t len = left > own ? 0 : left == 1 ? strlen(name) : name_piece(name);

			pen.waiting += i > 0 ? BETWEEN : 0;
			put(&pen, name, len, text_width(name, len), part->widths[i], grid->is_right[part->columns[i]]);
		}
		bytes_char(out, '\n');
	}
}

void grid_write(const struct grid *grid, const struct grid_part *part, size_t first, size_t end, struct bytes *out)
{
	struct thread *threads = mem_alloc((part->count + 1) * sizeof *threads);

	write_names(grid, part, out);
	spaces(part->ruled ? part->indent : 0, out);
	for (size_t i = 0; i < part->count && part->ruled; i++) {
		spaces(i > 0 ? BETWEEN : 0, out);
		for (size_t c = 0; c < part->widths[i]; c++)
			bytes_char(out, '-');
	}
	if (part->ruled)
		bytes_char(out, '\n');
	for (size_t r = first; r < end; r++)
		write_row(grid, part, r, threads, out);
	free(threads);
}

void grid_write_all(const struct grid *grid, size_t indent, struct bytes *out)
{
	size_t *columns = mem_alloc((grid->columns + 1) * sizeof *columns), *widths = mem_alloc((grid->columns + 1) * sizeof *widths);
	const struct grid_part part = {.columns = columns, .widths = widths, .count = grid->columns, .indent = indent};

	for (size_t i = 0; i < grid->columns; i++) {
		columns[i] = i;
		widths[i] = grid_width(grid, i, false);
	}
	grid_write(grid, &part, 0, grid->rows, out);
	free(widths);
	free(columns);
}

static void break_line(size_t indent, size_t *column, struct bytes *out)
{
	bytes_char(out, '\n');
	spaces(indent, out);
	*column = indent;
}

void grid_paragraph(const char *text, size_t at, size_t indent, size_t width, struct bytes *out)
{
	char *shown = printable(text);
	size_t column = at;
	bool first = true;

	for (const char *word = shown + strspn(shown, " "); *word != '\0';) {
		size_t len = strcspn(word, " "), taken = text_width(word, len);
		/* A word that is longer than a line begins on this one if there is room for a good part of it. */
		if (column + !first + taken > width && column > indent && (indent + taken <= width || column > (indent + width) / 2)) {
			break_line(indent, &column, out);
		} else if (!first) {
			bytes_char(out, ' ');
			column++;
		}
		while (column + taken > width) {
			const size_t piece = fitting(word, width > column ? width - column : 1);

			if (piece >= len)
				break;
			bytes_add(out, word, piece);
			word += piece;
			len -= piece;
			taken = text_width(word, len);
			break_line(indent, &column, out);
		}
		bytes_add(out, word, len);
		column += taken;
		word += len;
		word += strspn(word, " ");
		first = false;
	}
	free(shown);
}
