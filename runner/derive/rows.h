/* The result of a reader's own query, as text. */
#ifndef PTXSEAL_DERIVE_ROWS_H
#define PTXSEAL_DERIVE_ROWS_H

#include "query.h"

struct rows {
	char **names; /* of the columns */
	size_t columns;
	struct bytes text;
	size_t *cells; /* [row * columns + column]: offset in text */
	enum value_type *types; /* of each cell */
	size_t count;
};

/* REALs are written with the shortest digits that read back. rows_free also after a failure. */
enum status rows_read(struct database *db, const char *sql, const char *file, struct rows *rows, struct error *err);
void rows_free(struct rows *rows);

/* NULL where the value is NULL. */
const char *rows_cell(const struct rows *rows, size_t row, size_t column);

#endif
