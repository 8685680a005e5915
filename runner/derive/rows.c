#include "rows.h"

#include <stdlib.h>

void rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->columns; i++)
		free(rows->names[i]);
	free(rows->names);
	free(rows->cells);
	free(rows->types);
	bytes_free(&rows->text);
	*rows = (struct rows){0};
}

const char *rows_cell(const struct rows *rows, size_t row, size_t column)
{
	size_t at = row * rows->columns + column;

	return rows->types[at] == VALUE_NULL ? NULL : rows->text.data + rows->cells[at];
}

static enum status take_row(struct rows *rows, const struct query *query, const char *file, struct error *err)
{
	static const struct format formats[] = {[VALUE_INTEGER] = {.kind = FORMAT_INTEGER},
	                                        [VALUE_REAL] = {.kind = FORMAT_REPR},
	                                        [VALUE_TEXT] = {.kind = FORMAT_TEXT}};

	for (size_t i = 0; i < rows->columns; i++) {
		struct value value = query_value(query, i);
		size_t at = rows->count * rows->columns + i;
		const char *wrong = NULL;

		rows->types[at] = value.type;
		rows->cells[at] = rows->text.len;
		if (value.type != VALUE_NULL)
			wrong = format_value(&formats[value.type], &value, &rows->text);
		if (wrong != NULL)
			return error_set(err, R_TAB_TYPE, file, "a value of column '%s' %s", rows->names[i], wrong);
		bytes_char(&rows->text, '\0');
	}
	rows->count++;
	return OK;
}

enum status rows_read(struct database *db, const char *sql, const char *file, struct rows *rows, struct error *err)
{
	struct query *query = NULL;
	size_t room = 0;
	bool more = false;

	*rows = (struct rows){0};
	database_show(db, NULL, NULL);
	enum status status = query_open(db, sql, file, 0, &query, err);

	if (status != OK)
		return status;
	if (query_unbound(query) != NULL)
		status = error_set(err, R_TAB_SQL, file, "parameter ':%s' has no value here", query_unbound(query));
	rows->columns = query_columns(query);
	rows->names = mem_alloc(rows->columns * sizeof *rows->names);
	for (size_t i = 0; i < rows->columns; i++)
		rows->names[i] = mem_text(query_column(query, i));
	if (status == OK)
		status = query_next(query, &more, err);
	while (status == OK && more) {
		if (rows->count == room) {
			room = room == 0 ? 64 : room * 2;
			rows->cells = mem_array(rows->cells, room, rows->columns * sizeof *rows->cells);
			rows->types = mem_array(rows->types, room, rows->columns * sizeof *rows->types);
		}
		status = take_row(rows, query, file, err);
		if (status == OK)
			status = query_next(query, &more, err);
	}
	query_close(query);
	return status;
}
