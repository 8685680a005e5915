#include "terminal.h"

#include <stdlib.h>
#include <string.h>

#include "../base/plural.h"
#include "../derive/ask.h"
#include "grid.h"

enum {
	BETWEEN = 2,    /* spaces between columns, as grid_write has them */
	TEXT_LEAST = 16, /* columns that a broken text has where that makes a table fit */
	TEXT_BLOCK = 24, /* and where it stands in one of several blocks, if there is no room for more */
	KEY_LEAST = 8,
};

/* ---- what is shown ---- */

void chosen_free(struct chosen *chosen)
{
	free(chosen->columns);
	free(chosen->rows);
	*chosen = (struct chosen){0};
}

static bool is_key(const struct table *table, size_t column)
{
	for (size_t i = 0; i < table->key_count; i++)
		if (table->key[i] == column)
			return true;
	return false;
}

/* Mark the columns that the list names. */
static enum status mark_named(const struct table *table, const char *list, bool *wanted, struct error *err)
{
	enum status status = OK;

	while (status == OK) {
		const size_t len = strcspn(list, ",");
		char *name = mem_textn(list, len);
		size_t column = 0;

		status = ask_column(table, name, &column, err);
		wanted[column] = true;
		free(name);
		if (list[len] == '\0')
			break;
		list += len + 1;
	}
	return status;
}

enum status chosen_make(const struct derived *derived, const struct choice *choice, struct chosen *chosen, struct error *err)
{
	const struct table *table = derived->table;
	bool *wanted = mem_alloc((table->column_count + 1) * sizeof *wanted);
	enum status status = OK;

	*chosen = (struct chosen){.derived = derived,
	                          .columns = mem_alloc((table->column_count + 1) * sizeof *chosen->columns),
	                          .rows = mem_alloc((derived->rows + 1) * sizeof *chosen->rows)};
	if (choice->columns != NULL)
		status = mark_named(table, choice->columns, wanted, err);
	for (size_t c = 0; c < table->column_count; c++)
		if (choice->columns == NULL || wanted[c] || is_key(table, c))
			chosen->columns[chosen->column_count++] = c;
	for (size_t r = 0; r < derived->rows; r++)
		if (choice->rows == NULL || strstr(derived_name(derived, r), choice->rows) != NULL)
			chosen->rows[chosen->row_count++] = r;
	if (status == OK && choice->rows != NULL && chosen->row_count == 0)
		status = ask_no_row(derived, choice->rows, err);
	free(wanted);
	return status;
}

/* ---- for machines ---- */

cJSON *chosen_json(const struct chosen *chosen)
{
	const struct derived *derived = chosen->derived;
	const struct table *table = derived->table;
	cJSON *tree = cJSON_CreateObject(), *columns = cJSON_AddArrayToObject(tree, "columns"), *key = cJSON_AddArrayToObject(tree, "key"),
	      *rows = cJSON_AddArrayToObject(tree, "rows");

	cJSON_AddStringToObject(tree, "table", table->name);
	cJSON_AddStringToObject(tree, "title", table->title);
	cJSON_AddStringToObject(tree, "rebuilds", table->rebuilds);
	cJSON_AddStringToObject(tree, "evidence", table->evidence);
	for (size_t i = 0; i < table->key_count; i++)
		cJSON_AddItemToArray(key, cJSON_CreateString(table->columns[table->key[i]].name));
	for (size_t i = 0; i < chosen->column_count; i++) {
		const struct column *column = &table->columns[chosen->columns[i]];
		cJSON *object = cJSON_CreateObject();
		struct bytes format = {0};

		format_name(&column->format, &format);
		cJSON_AddStringToObject(object, "name", column->name);
		cJSON_AddStringToObject(object, "format", format.data);
		cJSON_AddStringToObject(object, "meaning", column->meaning);
		cJSON_AddItemToObject(object, "denominator", column->denominator != NULL ? cJSON_CreateString(column->denominator) : cJSON_CreateNull());
		cJSON_AddItemToArray(columns, object);
		bytes_free(&format);
	}
	for (size_t r = 0; r < chosen->row_count; r++) {
		cJSON *row = cJSON_CreateArray();

		for (size_t i = 0; i < chosen->column_count; i++) {
			const char *cell = derived_cell(derived, chosen->rows[r], chosen->columns[i]);

			cJSON_AddItemToArray(row, cell == NULL ? cJSON_CreateNull() : cJSON_CreateString(cell));
		}
		cJSON_AddItemToArray(rows, row);
	}
	return tree;
}

/* ---- for people ---- */

struct page {
	struct grid grid; /* the chosen columns and rows */
	size_t width;
	size_t *key;      /* the grid's columns that are the key's, in its order */
	size_t key_count;
	size_t lead;      /* of them stand above their rows */
	bool *above;      /* [column]: it does, as one of these or as the same in every group */
	size_t *whole;    /* [column]: its width, names broken */
	size_t *columns, *widths; /* of one block */
	struct bytes *out;
};

static void fill_grid(const struct chosen *chosen, struct grid *grid)
{
	const struct table *table = chosen->derived->table;

	grid_make(grid, chosen->column_count);
	for (size_t i = 0; i < chosen->column_count; i++)
		grid_name(grid, i, table->columns[chosen->columns[i]].name, table->columns[chosen->columns[i]].format.kind != FORMAT_TEXT);
	for (size_t r = 0; r < chosen->row_count; r++)
		for (size_t i = 0; i < chosen->column_count; i++)
			grid_add(grid, i, derived_shown(chosen->derived, chosen->rows[r], chosen->columns[i]));
}

/* The row after the last that shares the leading key with row. */
static size_t group_end(const struct page *page, size_t row)
{
	size_t end = row + 1;
	bool same = true;

	for (; end < page->grid.rows; end += same) {
		for (size_t i = 0; i < page->lead && same; i++)
			same = strcmp(grid_cell(&page->grid, row, page->key[i]), grid_cell(&page->grid, end, page->key[i])) == 0;
		if (!same)
			break;
	}
	return end;
}

/* Put the first lead columns of the key above the rest; false if that leaves single rows. */
static bool group(struct page *page, size_t lead)
{
	const struct grid *grid = &page->grid;
	bool shares = lead == 0;

	page->lead = lead;
	for (size_t c = 0; c < grid->columns; c++)
		page->above[c] = lead > 0;
	for (size_t i = lead; i < page->key_count; i++)
		page->above[page->key[i]] = false;
	for (size_t first = 0, end; first < grid->rows && lead > 0; first = end) {
		end = group_end(page, first);
		shares = shares || end > first + 1;
		for (size_t c = 0; c < grid->columns; c++)
			for (size_t r = first + 1; r < end && page->above[c]; r++)
				page->above[c] = strcmp(grid_cell(grid, first, c), grid_cell(grid, r, c)) == 0;
	}
	return shares;
}

static size_t least(const struct page *page, size_t column, size_t text)
{
	const size_t whole = page->whole[column];

	return page->grid.is_right[column] || whole <= text ? whole : text;
}

/* Take columns from the widest text until all fit in room, but leave each text its least. Returns what they take. */
static size_t narrow(const struct page *page, size_t count, size_t text, size_t room)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += page->widths[i] + (i > 0 ? BETWEEN : 0);
	while (total > room) {
		size_t widest = count;

		for (size_t i = 0; i < count; i++)
			if (page->widths[i] > least(page, page->columns[i], text) && (widest == count || page->widths[i] > page->widths[widest]))
				widest = i;
		if (widest == count)
			break;
		page->widths[widest]--;
		total--;
	}
	return total;
}

/* All that does not stand above, as one block. */
static size_t gather(const struct page *page)
{
	size_t count = 0;

	for (size_t c = 0; c < page->grid.columns; c++) {
		if (page->above[c])
			continue;
		page->columns[count] = c;
		page->widths[count++] = page->whole[c];
	}
	return count;
}

static void write_block(const struct page *page, size_t count, size_t first, size_t end)
{
	const struct grid_part part = {.columns = page->columns, .widths = page->widths, .count = count, .indent = page->lead > 0 ? BETWEEN : 0, .ruled = true};

	grid_write(&page->grid, &part, first, end, page->out);
}

static void write_above(const struct page *page, size_t row)
{
	struct bytes line = {0};

	for (size_t i = 0; i < page->lead; i++)
		bytes_format(&line, "%s%s: %s", i == 0 ? "" : "; ", page->grid.names[page->key[i]], grid_cell(&page->grid, row, page->key[i]));
	for (size_t c = 0; c < page->grid.columns; c++) {
		bool is_lead = false;

		for (size_t i = 0; i < page->lead; i++)
			is_lead = is_lead || page->key[i] == c;
		if (page->above[c] && !is_lead)
			bytes_format(&line, "; %s: %s", page->grid.names[c], grid_cell(&page->grid, row, c)[0] != '\0' ? grid_cell(&page->grid, row, c) : "(empty)");
	}
	grid_paragraph(line.data, 0, 2 * BETWEEN, page->width, page->out);
	bytes_char(page->out, '\n');
	bytes_free(&line);
}

/* Columns that are not above and not the rest of the key, as many blocks as they need. */
static void write_blocks(const struct page *page, size_t first, size_t end)
{
	const size_t indent = page->lead > 0 ? BETWEEN : 0, rest = page->key_count - page->lead;
	bool begun = false;

	for (size_t next = 0; next < page->grid.columns;) {
		size_t count = 0;

		for (size_t i = page->lead; i < page->key_count; i++) {
			page->columns[count] = page->key[i];
			page->widths[count++] = page->whole[page->key[i]];
		}
		size_t used = indent + narrow(page, count, KEY_LEAST, (page->width - indent) / 2);

		for (; next < page->grid.columns; next++) {
			bool skipped = page->above[next];

			for (size_t i = page->lead; i < page->key_count; i++)
				skipped = skipped || page->key[i] == next;
			if (skipped)
				continue;
			const size_t wanted = least(page, next, TEXT_BLOCK) + (count > 0 ? BETWEEN : 0);

			if (count > rest && used + wanted > page->width)
				break;
			page->columns[count] = next;
			page->widths[count++] = page->whole[next];
			used += wanted;
		}
		if (count == rest && begun)
			break;
		narrow(page, count, TEXT_BLOCK, page->width - indent);
		/* A key, and a text beside it, that have no room even so. */
		narrow(page, count, KEY_LEAST, page->width - indent);
		if (begun)
			bytes_char(page->out, '\n');
		begun = true;
		write_block(page, count, first, end);
	}
}

static void write_list(const struct page *page)
{
	size_t names = 0;

	for (size_t c = 0; c < page->grid.columns; c++)
		names = strlen(page->grid.names[c]) > names ? strlen(page->grid.names[c]) : names;
	for (size_t r = 0; r < page->grid.rows; r++) {
		if (r > 0)
			bytes_char(page->out, '\n');
		for (size_t c = 0; c < page->grid.columns; c++) {
			bytes_format(page->out, "%-*s", (int)names, page->grid.names[c]);
			if (grid_cell(&page->grid, r, c)[0] != '\0') {
				bytes_text(page->out, "  ");
				grid_paragraph(grid_cell(&page->grid, r, c), names + BETWEEN, names + 2 * BETWEEN, page->width, page->out);
			} else {
				while (page->out->data[page->out->len - 1] == ' ')
					page->out->len--;
				page->out->data[page->out->len] = '\0';
			}
			bytes_char(page->out, '\n');
		}
	}
}

/* Has the rest of the key room in half the width beside what blocks show? */
static bool rest_fits(const struct page *page, size_t lead)
{
	size_t used = BETWEEN;

	for (size_t i = lead; i < page->key_count; i++)
		used += least(page, page->key[i], TEXT_LEAST) + BETWEEN;
	return used <= page->width / 2;
}

/* Rule by rule (terminal.h), the first that makes it fit. */
static void write_rows(struct page *page)
{
	size_t total = 0, count = 0, lead = 0, shared = 0;
	bool shares = true, fits = false;

	for (size_t c = 0; c < page->grid.columns; c++) {
		const size_t whole = grid_width(&page->grid, c, false);

		total += whole + (c > 0 ? BETWEEN : 0);
		page->whole[c] = whole;
	}
	if (total <= page->width) {
		group(page, 0);
		write_block(page, gather(page), 0, page->grid.rows);
		return;
	}
	for (size_t c = 0; c < page->grid.columns; c++)
		page->whole[c] = grid_width(&page->grid, c, true);
	for (lead = 0; lead < page->key_count && !fits && shares; lead++) {
		shares = group(page, lead);
		shared = shares && rest_fits(page, lead) ? lead : shared;
		count = gather(page);
		fits = narrow(page, count, TEXT_LEAST, page->width - (lead > 0 ? BETWEEN : 0)) + (lead > 0 ? BETWEEN : 0) <= page->width;
	}
	if (!shares && shared == 0) {
		write_list(page);
		return;
	}
	if (!shares) {
		(void)group(page, shared);
		fits = false;
	}
	for (size_t first = 0, end; first < page->grid.rows; first = end) {
		end = page->lead > 0 ? group_end(page, first) : page->grid.rows;
		if (first > 0)
			bytes_char(page->out, '\n');
		if (page->lead > 0)
			write_above(page, first);
		if (fits)
			write_block(page, count, first, end);
		else
			write_blocks(page, first, end);
	}
}

static void write_about(const struct chosen *chosen, size_t width, struct bytes *out)
{
	const struct table *table = chosen->derived->table;
	struct bytes line = {0};

	bytes_format(&line, "%zu row%s", chosen->row_count, plural(chosen->row_count));
	if (chosen->row_count < chosen->derived->rows)
		bytes_format(&line, " of %zu", chosen->derived->rows);
	bytes_format(&line, "; evidence: %s", table->evidence);
	if (strcmp(table->rebuilds, "new") != 0)
		bytes_format(&line, "; rebuilds: %s", table->rebuilds);
	bytes_format(&line, "; columns and query: %s", table->file);
	bytes_char(out, '\n');
	grid_paragraph(line.data, 0, BETWEEN, width, out);
	bytes_char(out, '\n');
	bytes_free(&line);
}

void terminal_write(const struct chosen *chosen, size_t width, struct bytes *out)
{
	const struct table *table = chosen->derived->table;
	struct page page = {.width = width, .out = out};

	fill_grid(chosen, &page.grid);
	page.key = mem_alloc((table->key_count + 1) * sizeof *page.key);
	page.above = mem_alloc((page.grid.columns + 1) * sizeof *page.above);
	page.whole = mem_alloc((page.grid.columns + 1) * sizeof *page.whole);
	page.columns = mem_alloc((page.grid.columns + 1) * sizeof *page.columns);
	page.widths = mem_alloc((page.grid.columns + 1) * sizeof *page.widths);
	for (size_t k = 0; k < table->key_count; k++)
		for (size_t c = 0; c < page.grid.columns; c++)
			if (chosen->columns[c] == table->key[k])
				page.key[page.key_count++] = c;
	grid_paragraph(table->title, 0, 0, width, out);
	bytes_text(out, "\n\n");
	write_rows(&page);
	write_about(chosen, width, out);
	free(page.widths);
	free(page.columns);
	free(page.whole);
	free(page.above);
	free(page.key);
	grid_free(&page.grid);
}
