#include "beside.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../derive/rows.h"

void beside_free(struct beside *beside)
{
	for (size_t i = 0; beside->cells != NULL && i < beside->tables; i++)
		free(beside->cells[i]);
	free(beside->cells);
	*beside = (struct beside){0};
}

/* Set the cell of that name, if the tables have it. */
static void set(const struct derivation *derivation, struct beside *beside, const char *table, const char *row, const char *column, uint32_t what)
{
	const struct table *found = catalogue_table(&derivation->catalogue, table);
	size_t at = found != NULL ? (size_t)(found - derivation->catalogue.tables) : 0;
	int number = found != NULL ? table_column(found, column, strlen(column)) : -1;
	size_t line;

	if (number >= 0 && derived_find(&derivation->tables[at], row, &line))
		beside->cells[at][line * found->column_count + (size_t)number] = what;
}

enum status beside_make(const struct derivation *derivation, const struct check *check, struct beside *beside, struct error *err)
{
	const size_t tables = derivation->catalogue.table_count;
	struct rows published;
	enum status status = rows_read(derivation->db, "SELECT table_name, row, column_name FROM expected", LAYOUT_EXPECTED, &published, err);

	*beside = (struct beside){.cells = mem_alloc((tables + 1) * sizeof *beside->cells), .tables = tables};
	for (size_t t = 0; t < tables; t++)
		beside->cells[t] = mem_alloc((derivation->tables[t].rows * derivation->catalogue.tables[t].column_count + 1) * sizeof **beside->cells);
	for (size_t i = 0; i < published.count && status == OK; i++)
		set(derivation, beside, rows_cell(&published, i, 0), rows_cell(&published, i, 1), rows_cell(&published, i, 2), BESIDE_SAME);
	for (size_t i = 0; i < check->difference_count && status == OK; i++)
		if (check->differences[i].state != DIFFERENCE_VANISHED)
			set(derivation, beside, check->differences[i].table, check->differences[i].row, check->differences[i].column,
			    (uint32_t)(BESIDE_DIFFERS + i));
	rows_free(&published);
	return status;
}
