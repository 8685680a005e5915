#include "ask.h"

#include <string.h>

#include "nearest.h"

static const char *table_at(const void *context, size_t index)
{
	return ((const struct catalogue *)context)->tables[index].name;
}

static const char *column_at(const void *context, size_t index)
{
	return ((const struct table *)context)->columns[index].name;
}

static const char *claim_at(const void *context, size_t index)
{
	return ((const struct catalogue *)context)->claims[index].id;
}

static const char *row_at(const void *context, size_t index)
{
	return derived_name(context, index);
}

static enum status unknown(enum rule rule, const char *file, const char *what, const char *wanted, size_t count,
                           const char *(*get)(const void *context, size_t index), const void *context, struct error *err)
{
	struct bytes text = {0};

	nearest_tell(what, wanted, count, get, context, &text);
	const enum status status = error_set(err, rule, file, "%s", text.data);

	bytes_free(&text);
	return status;
}

enum status ask_table(const struct catalogue *catalogue, const char *name, const struct table **table, struct error *err)
{
	*table = catalogue_table(catalogue, name);
	if (catalogue->table_count == 0)
		return error_set(err, R_CMP_NOTHING, "artifact/tables", "there is no table");
	return *table != NULL ? OK : unknown(R_ASK_TABLE, "artifact/tables", "table", name, catalogue->table_count, table_at, catalogue, err);
}

enum status ask_column(const struct table *table, const char *name, size_t *column, struct error *err)
{
	const int at = table_column(table, name, strlen(name));

	*column = at < 0 ? 0 : (size_t)at;
	return at >= 0 ? OK : unknown(R_ASK_COLUMN, table->file, "column", name, table->column_count, column_at, table, err);
}

enum status ask_claim(const struct catalogue *catalogue, const char *id, size_t *claim, struct error *err)
{
	for (*claim = 0; *claim < catalogue->claim_count; ++*claim)
		if (strcmp(catalogue->claims[*claim].id, id) == 0)
			return OK;
	return unknown(R_ASK_CLAIM, "artifact/claims", "claim", id, catalogue->claim_count, claim_at, catalogue, err);
}

/* what: "row", "row with"; then the name. */
static enum status unknown_row(const struct derived *derived, const char *what, const char *wanted, struct error *err)
{
	size_t found[NEAREST_MAX];
	size_t count = nearest(wanted, derived->rows, row_at, derived, found);
	struct bytes names = {0};
	struct bytes key = {0};

	bytes_text(&names, "");
	for (size_t i = 0; i < count; i++)
		bytes_format(&names, "%s'%.120s'", i == 0 ? "" : ", ", derived_name(derived, found[i]));
	for (size_t i = 0; i < derived->table->key_count; i++)
		bytes_format(&key, "%s%s", i == 0 ? "" : ROW_NAME_JOIN, derived->table->columns[derived->table->key[i]].name);
	enum status status = error_set(err, R_ASK_ROW, derived->table->file, "there is no %s '%.200s' (a row is %s); the nearest of %zu: %s", what,
	                               wanted, key.data, derived->rows, names.data);

	bytes_free(&names);
	bytes_free(&key);
	return status;
}

enum status ask_row(const struct derived *derived, const char *name, size_t *row, struct error *err)
{
	return derived_find(derived, name, row) ? OK : unknown_row(derived, "row", name, err);
}

enum status ask_no_row(const struct derived *derived, const char *part, struct error *err)
{
	return unknown_row(derived, "row with", part, err);
}
