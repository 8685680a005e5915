/*
 * A derived table for a reader at a terminal. A table that fits the width stands as it is; one that does not, by these rules, in this order:
 * 1. Names of columns go on below themselves after '_', and texts (never numbers) below themselves, in no less than 16 columns.
 * 2. The leading columns of the key, as few as are needed, stand once above the rows that share them, and with them what is the same in every such group.
 * 3. Columns that still have no room go into a further block below, which begins with the rest of the key.
 * 4. Where step 2 would leave single rows, fewer columns of the key stand above, if the rest of it has room in half the width; else each row is a list, a line a column.
 * Names stand over each block, and are not repeated within it. The bytes depend on the table, the choice and the width alone.
 */
#ifndef PTXSEAL_REPORT_TERMINAL_H
#define PTXSEAL_REPORT_TERMINAL_H

#include <cjson/cJSON.h>

#include "../derive/derived.h"

enum { TERMINAL_WIDTH = 80, TERMINAL_WIDTH_LEAST = 40, TERMINAL_WIDTH_MOST = 1000 };

/* What of a table is shown. */
struct choice {
	const char *columns; /* names, with commas between: these and the key's; NULL: all */
	const char *rows;    /* only rows whose name has this in it; NULL: all */
};

struct chosen {
	const struct derived *derived; /* not owned */
	size_t *columns;               /* indexes */
	size_t column_count;
	size_t *rows;
	size_t row_count;
};

/* R_ASK_COLUMN, R_ASK_ROW. chosen_free also after a failure. */
enum status chosen_make(const struct derived *derived, const struct choice *choice, struct chosen *chosen, struct error *err);
void chosen_free(struct chosen *chosen);

/* Append title, rows and a line about them. */
void terminal_write(const struct chosen *chosen, size_t width, struct bytes *out);

/* The same for machines: head and rows; every cell is a text, NULL is null. The caller deletes it. */
cJSON *chosen_json(const struct chosen *chosen);

#endif
