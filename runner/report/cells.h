/* Cells of a derived table, as figures are drawn from them: columns by name, texts and numbers, and what is distinct in them. */
#ifndef PTXSEAL_REPORT_CELLS_H
#define PTXSEAL_REPORT_CELLS_H

#include "../derive/derived.h"

enum { CELLS_COLUMNS_MAX = 16 };

/* Texts, none twice, in the order they were met; they belong to the table. */
struct distinct {
	const char **at;
	size_t count;
};

void distinct_add(struct distinct *distinct, const char *text);
size_t distinct_find(const struct distinct *distinct, const char *text); /* count if it is not there */
bool distinct_have(const struct distinct *distinct, const char *text);
void distinct_free(struct distinct *distinct);

/* A table and those of its columns that a figure is drawn from, in the order that they were asked for. */
struct cells {
	const struct derived *of;
	size_t columns[CELLS_COLUMNS_MAX];
	size_t count;
};

/* columns: NULL-terminated, CELLS_COLUMNS_MAX at most. False where the bundle has no such table or column: *lacking says so, free() it. */
bool cells_open(const struct derived *tables, size_t count, const char *table, const char *const *columns, struct cells *cells, char **lacking);

/* column counts those of the cells, from 0. */
const char *cells_text(const struct cells *cells, size_t row, size_t column);
bool cells_is(const struct cells *cells, size_t row, size_t column, const char *text);
double cells_number(const struct cells *cells, size_t row, size_t column); /* NAN where the cell is empty or no finite number */

void cells_distinct(const struct cells *cells, size_t column, struct distinct *distinct);
/* What stands in column together with each text of the column where: models that ran on every architecture. Texts that are `all` sum others up and do not count. */
void cells_everywhere(const struct cells *cells, size_t column, size_t where, struct distinct *distinct);

/* As CSV: the columns' names, and a row's cells, both without a line end. */
void cells_write_names(const struct cells *cells, struct bytes *csv);
void cells_write_cells(const struct cells *cells, size_t row, struct bytes *csv);

#endif
