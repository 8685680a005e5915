#include "sheet.h"

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

const char *sheet_cell(const struct sheet *sheet, size_t row, size_t column)
{
	return derived_shown(sheet->of, row, sheet->columns[column]);
}

bool sheet_is(const struct sheet *sheet, size_t row, size_t column, const char *text)
{
	return strcmp(sheet_cell(sheet, row, column), text) == 0;
}

double sheet_number(const struct sheet *sheet, size_t row, size_t column)
{
	const char *text = derived_cell(sheet->of, row, sheet->columns[column]);
	char *end;
	const double value = text != NULL ? strtod(text, &end) : NAN;

	return text == NULL || end == text || *end != '\0' || !isfinite(value) ? NAN : value;
}

bool sheet_open(const struct derived *tables, size_t count, const char *table, const char *const *columns, struct sheet *sheet, char **lacking)
{
	*sheet = (struct sheet){0};
	for (size_t i = 0; i < count; i++)
		if (strcmp(tables[i].table->name, table) == 0)
			sheet->of = &tables[i];
	if (sheet->of == NULL) {
		*lacking = mem_format("the bundle has no table %s", table);
		return false;
	}
	for (; *columns != NULL; columns++) {
		const int column = table_column(sheet->of->table, *columns, strlen(*columns));

		if (column < 0) {
			*lacking = mem_format("the bundle's table %s has no column %s", table, *columns);
			return false;
		}
		sheet->columns[sheet->count++] = (size_t)column;
	}
	return true;
}

void sheet_distinct(const struct sheet *sheet, size_t column, struct distinct *names)
{
	for (size_t row = 0; row < sheet->of->rows; row++)
		distinct_add(names, sheet_cell(sheet, row, column));
}

void sheet_everywhere(const struct sheet *sheet, size_t column, size_t where, struct distinct *names)
{
	struct distinct all = {0}, places = {0};

	sheet_distinct(sheet, column, &all);
	sheet_distinct(sheet, where, &places);
	for (size_t i = 0; i < all.count; i++) {
		bool everywhere = strcmp(all.at[i], "all") != 0;

		for (size_t p = 0; p < places.count && everywhere; p++) {
			everywhere = strcmp(places.at[p], "all") == 0;
			for (size_t row = 0; row < sheet->of->rows && !everywhere; row++)
				everywhere = sheet_is(sheet, row, column, all.at[i]) && sheet_is(sheet, row, where, places.at[p]);
		}
		if (everywhere)
			distinct_add(names, all.at[i]);
	}
	distinct_free(&all);
	distinct_free(&places);
}

void sheet_write_names(const struct sheet *sheet, struct bytes *csv)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const char *name = sheet->of->table->columns[sheet->columns[i]].name;

		bytes_text(csv, i > 0 ? "," : "");
		csv_write_field(name, strlen(name), csv);
	}
}

void sheet_write_cells(const struct sheet *sheet, size_t row, struct bytes *csv)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const char *text = sheet_cell(sheet, row, i);

		bytes_text(csv, i > 0 ? "," : "");
		csv_write_field(text, strlen(text), csv);
	}
}
