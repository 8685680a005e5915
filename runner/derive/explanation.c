#include "explanation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/layout.h"
#include "nearest.h"

void explanation_free(struct explanation *explanation)
{
	derived_free(&explanation->derived);
	lineage_free(&explanation->lineage);
	check_free(&explanation->check);
	checksums_free(&explanation->sums);
	free(explanation->published);
	*explanation = (struct explanation){0};
}

static const char *table_at(const void *context, size_t index)
{
	return ((const struct catalogue *)context)->tables[index].name;
}

static const char *column_at(const void *context, size_t index)
{
	return ((const struct table *)context)->columns[index].name;
}

static const char *row_at(const void *context, size_t index)
{
	return derived_name(context, index);
}

/* All the names, as far as they fit into a message. */
static enum status unknown(enum rule rule, const char *file, const char *what, const char *wanted, size_t count,
                           const char *(*get)(const void *context, size_t index), const void *context, struct error *err)
{
	struct bytes names = {0};

	bytes_text(&names, "");
	for (size_t i = 0; i < count && names.len < ERROR_WHAT_MAX / 2; i++)
		bytes_format(&names, "%s%s", i == 0 ? "" : ", ", get(context, i));
	enum status status = error_set(err, rule, file, "there is no %s '%.200s'; there are: %s", what, wanted, names.data);

	bytes_free(&names);
	return status;
}

static enum status unknown_row(const struct derived *derived, const char *wanted, struct error *err)
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
	enum status status =
		error_set(err, R_ASK_ROW, derived->table->file, "there is no row '%.200s' (a row is %s); the nearest of %zu: %s", wanted,
	                  key.data, derived->rows, names.data);

	bytes_free(&names);
	bytes_free(&key);
	return status;
}

static enum status read_sums(const struct root *bundle, struct explanation *explanation, struct error *err)
{
	struct file_list list = {0};
	struct bytes text = {0};
	enum status status = root_list(bundle, "checksums", &list, err);

	for (size_t i = 0; i < list.count; i++)
		explanation->is_sealed = explanation->is_sealed || strcmp(list.at[i].path, LAYOUT_SUMS) == 0;
	file_list_free(&list);
	if (status != OK || !explanation->is_sealed)
		return status;
	status = root_read(bundle, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, err);
	/* A broken line is verify's to report; here the others still answer. */
	if (status == OK)
		checksums_parse(text.data == NULL ? "" : text.data, text.len, LAYOUT_SUMS, &explanation->sums, NULL, NULL);
	bytes_free(&text);
	return status;
}

static enum status find_records(struct derivation *derivation, struct explanation *explanation, struct error *err)
{
	const struct table *table = explanation->table;
	struct value *values = mem_alloc((table->column_count + 1) * sizeof *values);
	struct bytes text = {0};
	enum status status = derived_values(derivation->db, table, explanation->row, values, &text, err);

	if (status == OK)
		status = lineage_make(derivation->db, table, values, explanation->column, &explanation->lineage, err);
	bytes_free(&text);
	free(values);
	return status;
}

enum status explain_cell(struct derivation *derivation, const char *table, const char *row, const char *column,
                         struct explanation *explanation, struct error *err)
{
	const struct catalogue *catalogue = &derivation->catalogue;

	*explanation = (struct explanation){.table = catalogue_table(catalogue, table)};
	if (explanation->table == NULL)
		return unknown(R_ASK_TABLE, "artifact/tables", "table", table, catalogue->table_count, table_at, catalogue, err);
	int at = table_column(explanation->table, column, strlen(column));

	if (at < 0)
		return unknown(R_ASK_COLUMN, explanation->table->file, "column", column, explanation->table->column_count, column_at,
		               explanation->table, err);
	explanation->column = (size_t)at;
	enum status status = derived_make(derivation->db, explanation->table, &explanation->derived, err);

	if (status == OK && !derived_find(&explanation->derived, row, &explanation->row))
		status = unknown_row(&explanation->derived, row, err);
	if (status == OK)
		status = find_records(derivation, explanation, err);
	if (status == OK)
		status = published_find(derivation->db, table, row, column, &explanation->is_published, &explanation->published, err);
	if (status == OK)
		status = check_make(derivation->db, &derivation->bundle, catalogue, &explanation->derived, 1, &explanation->check, err);
	if (status == OK)
		explanation->difference = check_find(&explanation->check, table, row, column);
	return status == OK ? read_sums(&derivation->bundle, explanation, err) : status;
}

char *source_turn_file(const struct root *bundle, const char *source)
{
	char *file = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *found = NULL;
	char *name = NULL;

	if (root_read(bundle, file, JSON_SIZE_MAX, &text, NULL) == OK && json_parse(text.data, text.len, file, &tree, NULL) == OK) {
		const cJSON *turns = cJSON_GetObjectItemCaseSensitive(tree, "turns");
		const cJSON *listed = cJSON_GetObjectItemCaseSensitive(tree, "files");
		const cJSON *entry;
		int matches = 0;

		cJSON_ArrayForEach(entry, listed) {
			const cJSON *rows = cJSON_GetObjectItemCaseSensitive(entry, "rows");
			const cJSON *called = cJSON_GetObjectItemCaseSensitive(entry, "file");

			if (cJSON_IsNumber(rows) && cJSON_IsNumber(turns) && cJSON_IsString(called) &&
			    rows->valueint == turns->valueint) {
				found = called->valuestring;
				matches++;
			}
		}
		name = matches == 1 ? mem_text(found) : NULL;
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return name;
}
