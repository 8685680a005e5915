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
	struct value *values;      /* the same as the query gave them, but for texts, which are the cells themselves (derived_value) */
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

/* The cell's value, as lineage queries see it; its text stays as long as derived does. */
struct value derived_value(const struct derived *derived, size_t row, size_t column);

/* Open the main query of a table or claim and check that it returns first (if not NULL) and then the columns of the head. */
enum status table_query(struct database *db, const struct table *table, const char *first, struct query **query, struct error *err);

/* The value as the column writes it, appended to out; false for NULL, which is not written. */
enum status column_text(const struct table *table, size_t column, const struct value *value, struct bytes *out, bool *null,
                        struct error *err);

#endif
