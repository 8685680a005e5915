#include "derived.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CELL_NULL SIZE_MAX

void derived_free(struct derived *derived)
{
	bytes_free(&derived->text);
	free(derived->cells);
	free(derived->values);
	free(derived->names);
	free(derived->by_name);
	*derived = (struct derived){0};
}

const char *derived_cell(const struct derived *derived, size_t row, size_t column)
{
	size_t at = derived->cells[row * derived->table->column_count + column];

	return at == CELL_NULL ? NULL : derived->text.data + at;
}

const char *derived_shown(const struct derived *derived, size_t row, size_t column)
{
	const char *cell = derived_cell(derived, row, column);

	return cell != NULL ? cell : derived->table->columns[column].empty;
}

struct value derived_value(const struct derived *derived, size_t row, size_t column)
{
	struct value value = derived->values[row * derived->table->column_count + column];

	if (value.type == VALUE_TEXT)
		value.text = derived_cell(derived, row, column);
	return value;
}

const char *derived_name(const struct derived *derived, size_t row)
{
	return derived->text.data + derived->names[row];
}

bool derived_find(const struct derived *derived, const char *name, size_t *row)
{
	size_t low = 0;
	size_t high = derived->rows;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(name, derived_name(derived, derived->by_name[middle]));

		if (order == 0) {
			*row = derived->by_name[middle];
			return true;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return false;
}

enum status table_query(struct database *db, const struct table *table, const char *first, struct query **query, struct error *err)
{
	const struct sql_section *section = &table->sql.sections[0];
	size_t extra = first != NULL ? 1 : 0;

	database_show(db, table->evidence, table->source);
	enum status status = query_open(db, section->sql, table->file, section->line, query, err);

	if (status != OK)
		return status;
	if (query_unbound(*query) != NULL)
		status = error_line(err, R_TAB_SQL, table->file, section->line, "parameter ':%s' has a value only in lineage queries",
		                    query_unbound(*query));
	else if (query_columns(*query) != table->column_count + extra)
		status = error_line(err, R_TAB_SHAPE, table->file, section->line, "the query returns %zu columns, the head declares %zu",
		                    query_columns(*query), table->column_count + extra);
	for (size_t i = 0; i < table->column_count + extra && status == OK; i++) {
		const char *wanted = i < extra ? first : table->columns[i - extra].name;

		if (strcmp(query_column(*query, i), wanted) != 0)
			status = error_line(err, R_TAB_SHAPE, table->file, section->line,
			                    "the query's column %zu is '%s', the head declares '%s'", i + 1, query_column(*query, i),
			                    wanted);
	}
	if (status != OK) {
		query_close(*query);
		*query = NULL;
	}
	return status;
}

enum status column_text(const struct table *table, size_t column, const struct value *value, struct bytes *out, bool *null,
                        struct error *err)
{
	const struct column *declared = &table->columns[column];

	*null = value->type == VALUE_NULL;
	if (*null)
		return OK;
	const char *wrong = format_value(&declared->format, value, out);

	if (wrong == NULL)
		return OK;
	return error_line(err, R_TAB_TYPE, table->file, declared->line, "a value of column '%s' %s", declared->name, wrong);
}

static enum status row_cells(struct derived *derived, const struct query *query, struct error *err)
{
	const struct table *table = derived->table;
	size_t *cells = derived->cells + derived->rows * table->column_count;
	struct value *values = derived->values + derived->rows * table->column_count;

	for (size_t i = 0; i < table->column_count; i++) {
		struct value value = query_value(query, i);
		size_t at = derived->text.len;
		bool null;
		enum status status = column_text(table, i, &value, &derived->text, &null, err);

		if (status != OK)
			return status;
		cells[i] = null ? CELL_NULL : at;
		values[i] = value;
		if (!null)
			bytes_char(&derived->text, '\0');
	}
	return OK;
}

static enum status row_name(struct derived *derived, struct error *err)
{
	const struct table *table = derived->table;
	struct bytes name = {0};

	for (size_t i = 0; i < table->key_count; i++) {
		const char *part = derived_cell(derived, derived->rows, table->key[i]);

		if (part == NULL) {
			bytes_free(&name);
			return error_line(err, R_TAB_KEY, table->file, table->sql.sections[0].line, "the key column '%s' is NULL in row %zu",
			                  table->columns[table->key[i]].name, derived->rows + 1);
		}
		bytes_text(&name, i == 0 ? "" : ROW_NAME_JOIN);
		bytes_text(&name, part);
	}
	derived->names[derived->rows] = derived->text.len;
	bytes_add(&derived->text, name.data, name.len);
	bytes_char(&derived->text, '\0');
	bytes_free(&name);
	return OK;
}

static int by_row_name(const void *left, const void *right, void *context)
{
	const struct derived *derived = context;

	return strcmp(derived_name(derived, *(const size_t *)left), derived_name(derived, *(const size_t *)right));
}

static enum status index_names(struct derived *derived, struct error *err)
{
	const struct table *table = derived->table;

	derived->by_name = mem_array(NULL, derived->rows, sizeof *derived->by_name);
	for (size_t i = 0; i < derived->rows; i++)
		derived->by_name[i] = i;
	qsort_r(derived->by_name, derived->rows, sizeof *derived->by_name, by_row_name, derived);
	for (size_t i = 1; i < derived->rows; i++)
		if (by_row_name(&derived->by_name[i - 1], &derived->by_name[i], derived) == 0)
			return error_line(err, R_TAB_KEY, table->file, table->sql.sections[0].line, "two rows are named '%s'",
			                  derived_name(derived, derived->by_name[i]));
	return OK;
}

enum status derived_make(struct database *db, const struct table *table, struct derived *out, struct error *err)
{
	struct query *query = NULL;
	size_t room = 0;
	bool row = false;

	*out = (struct derived){.table = table};
	enum status status = table_query(db, table, NULL, &query, err);

	if (status == OK)
		status = query_next(query, &row, err);
	while (status == OK && row) {
		if (out->rows == room) {
			room = room == 0 ? 64 : room * 2;
			out->cells = mem_array(out->cells, room, table->column_count * sizeof *out->cells);
			out->values = mem_array(out->values, room, table->column_count * sizeof *out->values);
			out->names = mem_array(out->names, room, sizeof *out->names);
		}
		status = row_cells(out, query, err);
		if (status == OK)
			status = row_name(out, err);
		if (status == OK) {
			out->rows++;
			status = query_next(query, &row, err);
		}
	}
	query_close(query);
	return status == OK ? index_names(out, err) : status;
}
