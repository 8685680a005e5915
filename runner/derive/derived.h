/* A table's rows as text, in the order of its query: what is written, compared and explained. */
#ifndef PTXSEAL_DERIVE_DERIVED_H
#define PTXSEAL_DERIVE_DERIVED_H

#include <stddef.h>

#include "database.h"
#include "query.h"
#include "table.h"

/* Parts of a row's name are joined by this. */
#define ROW_NAME_JOIN "/"

struct derived {
	const struct table *table; /* not owned */
	struct bytes text;         /* every cell and row name, each ended by NUL */
	size_t *cells;             /* [row * column_count + column]: offset in text, or CELL_NULL */
	size_t *names;             /* [row]: offset of the row's name in text */
	size_t *by_name;           /* rows in the order of their names' bytes */
	size_t rows;
};

/* Run the table's query. derived_free also after a failure. */
enum status derived_make(struct database *db, const struct table *table, struct derived *out, struct error *err);
void derived_free(struct derived *derived);

/* The cell's text; NULL if its value is NULL. derived_shown gives what NULL is written as instead. */
const char *derived_cell(const struct derived *derived, size_t row, size_t column);
const char *derived_shown(const struct derived *derived, size_t row, size_t column);
const char *derived_name(const struct derived *derived, size_t row);

/* *row of that name; false if there is none. */
bool derived_find(const struct derived *derived, const char *name, size_t *row);

/* For lineage: a query over the row's own values. Its query runs again up to the row; values (column_count of them, text
 * owned by *text) are those of the row. */
enum status derived_values(struct database *db, const struct table *table, size_t row, struct value *values, struct bytes *text,
                           struct error *err);

/* Open the main query of a table or claim and check that it returns first (if not NULL) and then the columns of the head. */
enum status table_query(struct database *db, const struct table *table, const char *first, struct query **query, struct error *err);

/* The value as the column writes it, appended to out; false for NULL, which is not written. */
enum status column_text(const struct table *table, size_t column, const struct value *value, struct bytes *out, bool *null,
                        struct error *err);

#endif
