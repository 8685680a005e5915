/* What artifact/sources/<source>/source.json counts (docs/records.md), into source, source_table and source_column. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/imports.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"

struct declaring {
	struct database *db;
	const char *file;
	const char *source;
	sqlite3_stmt *insert;        /* into source */
	sqlite3_stmt *insert_table;
	sqlite3_stmt *insert_column;
};

/* Bind the integer; what is not there is not counted. */
static enum status bind_count(const struct declaring *declaring, int index, const cJSON *object, const char *key, struct error *err)
{
	int64_t count = 0;

	if (cJSON_GetObjectItemCaseSensitive(object, key) == NULL) {
		sqlite3_bind_null(declaring->insert, index);
		return OK;
	}
	enum status status = json_integer(object, key, 0, JSON_INTEGER_MAX, declaring->file, &count, err);

	sqlite3_bind_int64(declaring->insert, index, count);
	return status;
}

static enum status declare_source(const struct declaring *declaring, const cJSON *tree, struct error *err)
{
	static const char *const counts[] = {"runs", "trajectories", "turns"};
	const cJSON *lines = NULL;
	int64_t first = 0, last = 0;
	enum status status = OK;

	sqlite3_bind_text(declaring->insert, 1, declaring->source, -1, SQLITE_STATIC);
	for (int i = 0; i < 3 && status == OK; i++)
		status = bind_count(declaring, i + 2, tree, counts[i], err);
	sqlite3_bind_null(declaring->insert, 5);
	sqlite3_bind_null(declaring->insert, 6);
	if (status == OK && cJSON_GetObjectItemCaseSensitive(tree, "turn_lines") != NULL) {
		status = json_child(tree, "turn_lines", JSON_OBJECT, declaring->file, &lines, err);
		if (status == OK)
			status = json_integer(lines, "first", 1, JSON_INTEGER_MAX, declaring->file, &first, err);
		if (status == OK)
			status = json_integer(lines, "last", first - 1, JSON_INTEGER_MAX, declaring->file, &last, err);
		sqlite3_bind_int64(declaring->insert, 5, first);
		sqlite3_bind_int64(declaring->insert, 6, last);
	}
	return status == OK ? database_insert(declaring->db, declaring->insert, declaring->file, 0, err) : status;
}

static enum status declare_column(const struct declaring *declaring, const char *table, const cJSON *column, struct error *err)
{
	if (!cJSON_IsString(column))
		return error_set(err, R_JSON_FIELD, declaring->file, "a column of the table '%s' is no text", table);
	sqlite3_bind_text(declaring->insert_column, 1, declaring->source, -1, SQLITE_STATIC);
	sqlite3_bind_text(declaring->insert_column, 2, table, -1, SQLITE_STATIC);
	sqlite3_bind_text(declaring->insert_column, 3, column->valuestring, -1, SQLITE_STATIC);
	return database_insert(declaring->db, declaring->insert_column, declaring->file, 0, err);
}

static enum status declare_table(const struct declaring *declaring, const cJSON *table, struct error *err)
{
	const char *name = NULL;
	const cJSON *columns = NULL;
	int64_t rows = 0;
	enum status status = json_text(table, "table", declaring->file, &name, err);

	if (status == OK)
		status = json_integer(table, "rows", 1, JSON_INTEGER_MAX, declaring->file, &rows, err);
	if (status == OK)
		status = json_child(table, "columns", JSON_ARRAY, declaring->file, &columns, err);
	if (status == OK && columns->child == NULL)
		status = error_set(err, R_JSON_FIELD, declaring->file, "the table '%s' has no columns", name);
	if (status != OK)
		return status;
	sqlite3_bind_text(declaring->insert_table, 1, declaring->source, -1, SQLITE_STATIC);
	sqlite3_bind_text(declaring->insert_table, 2, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(declaring->insert_table, 3, rows);
	status = database_insert(declaring->db, declaring->insert_table, declaring->file, 0, err);
	for (const cJSON *column = columns->child; column != NULL && status == OK; column = column->next)
		status = declare_column(declaring, name, column, err);
	return status;
}

static enum status declare_all(const struct declaring *declaring, const cJSON *tree, struct error *err)
{
	const cJSON *tables = NULL;
	enum status status = cJSON_IsObject(tree) ? declare_source(declaring, tree, err)
	                                          : error_set(err, R_JSON_FIELD, declaring->file, "it is not an object");

	if (status == OK && cJSON_GetObjectItemCaseSensitive(tree, "tables") != NULL)
		status = json_child(tree, "tables", JSON_ARRAY, declaring->file, &tables, err);
	for (const cJSON *table = tables != NULL ? tables->child : NULL; table != NULL && status == OK; table = table->next)
		status = declare_table(declaring, table, err);
	return status;
}

static enum status load_source(const struct declaring *declaring, const struct root *bundle, struct error *err)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	enum status status = root_read(bundle, declaring->file, PROVENANCE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data == NULL ? "" : text.data, text.len, declaring->file, &tree, err);
	/* What was measured is held together by the manifest of each run, which names its records; its source only lists the runs. */
	if (status == OK && strcmp(replay_text(tree, "kind"), REPLAY_KIND) != 0)
		status = declare_all(declaring, tree, err);
	cJSON_Delete(tree);
	bytes_free(&text);
	return status;
}

enum status load_sources(struct database *db, const struct root *bundle, struct error *err)
{
	struct declaring declaring = {.db = db};
	struct file_list list = {0};
	enum status status = root_list(bundle, "artifact/sources", &list, err);

	if (status == OK)
		status = database_prepare(db, "INSERT INTO source VALUES (?, ?, ?, ?, ?, ?)", &declaring.insert, err);
	if (status == OK)
		status = database_prepare(db, "INSERT INTO source_table VALUES (?, ?, ?)", &declaring.insert_table, err);
	if (status == OK)
		status = database_prepare(db, "INSERT INTO source_column VALUES (?, ?, ?)", &declaring.insert_column, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *rest;
		size_t len;

		if (!layout_split(list.at[i].path, LAYOUT_SOURCES, &len, &rest) || strcmp(rest, LAYOUT_PROVENANCE) != 0)
			continue;
		char *source = mem_textn(list.at[i].path + strlen(LAYOUT_SOURCES), len);

		declaring.file = list.at[i].path;
		declaring.source = source;
		status = load_source(&declaring, bundle, err);
		free(source);
	}
	sqlite3_finalize(declaring.insert);
	sqlite3_finalize(declaring.insert_table);
	sqlite3_finalize(declaring.insert_column);
	file_list_free(&list);
	return status;
}
