#include "cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"

void distinct_add(struct distinct *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->at[i], name) == 0)
			return;
	names->at = mem_array(names->at, names->count + 1, sizeof *names->at);
	names->at[names->count++] = name;
}

size_t distinct_find(const struct distinct *names, const char *name)
{
	size_t i = 0;

	while (i < names->count && strcmp(names->at[i], name) != 0)
		i++;
	return i;
}

bool distinct_have(const struct distinct *names, const char *name)
{
	return distinct_find(names, name) < names->count;
}

void distinct_free(struct distinct *names)
{
	free(names->at);
	*names = (struct distinct){0};
}

const char *cells_text(const struct cells *cells, size_t row, size_t column)
{
	return derived_shown(cells->of, row, cells->columns[column]);
}

bool cells_is(const struct cells *cells, size_t row, size_t column, const char *text)
{
	return strcmp(cells_text(cells, row, column), text) == 0;
}

double cells_number(const struct cells *cells, size_t row, size_t column)
{
	const char *text = derived_cell(cells->of, row, cells->columns[column]);
	char *end;
	const double value = text != NULL ? strtod(text, &end) : NAN;

	return text == NULL || end == text || *end != '\0' || !isfinite(value) ? NAN : value;
}

bool cells_open(const struct derived *tables, size_t count, const char *table, const char *const *columns, struct cells *cells, char **lacking)
{
	*cells = (struct cells){0};
	for (size_t i = 0; i < count; i++)
		if (strcmp(tables[i].table->name, table) == 0)
			cells->of = &tables[i];
	if (cells->of == NULL) {
		*lacking = mem_format("the bundle has no table %s", table);
		return false;
	}
	for (; *columns != NULL; columns++) {
		const int column = table_column(cells->of->table, *columns, strlen(*columns));

		if (column < 0) {
			*lacking = mem_format("the bundle's table %s has no column %s", table, *columns);
			return false;
		}
		cells->columns[cells->count++] = (size_t)column;
	}
	return true;
}

void cells_distinct(const struct cells *cells, size_t column, struct distinct *names)
{
	for (size_t row = 0; row < cells->of->rows; row++)
		distinct_add(names, cells_text(cells, row, column));
}

void cells_everywhere(const struct cells *cells, size_t column, size_t where, struct distinct *names)
{
	struct distinct all = {0}, places = {0};

	cells_distinct(cells, column, &all);
	cells_distinct(cells, where, &places);
	for (size_t i = 0; i < all.count; i++) {
		bool everywhere = strcmp(all.at[i], "all") != 0;

		for (size_t p = 0; p < places.count && everywhere; p++) {
			everywhere = strcmp(places.at[p], "all") == 0;
			for (size_t row = 0; row < cells->of->rows && !everywhere; row++)
				everywhere = cells_is(cells, row, column, all.at[i]) && cells_is(cells, row, where, places.at[p]);
		}
		if (everywhere)
			distinct_add(names, all.at[i]);
	}
	distinct_free(&all);
	distinct_free(&places);
}

void cells_write_names(const struct cells *cells, struct bytes *csv)
{
	for (size_t i = 0; i < cells->count; i++) {
		const char *name = cells->of->table->columns[cells->columns[i]].name;

		bytes_text(csv, i > 0 ? "," : "");
		csv_write_field(name, strlen(name), csv);
	}
}

void cells_write_cells(const struct cells *cells, size_t row, struct bytes *csv)
{
	for (size_t i = 0; i < cells->count; i++) {
		const char *text = cells_text(cells, row, i);

		bytes_text(csv, i > 0 ? "," : "");
		csv_write_field(text, strlen(text), csv);
	}
}
