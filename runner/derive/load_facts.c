/* artifact/facts/<name>.jsonl and tasks/<task>/facts.json into fact_<name> and fact_task: tables whose columns the records themselves
 * declare. And artifact/expected/<source>/<table>.jsonl into expected. */
#include "load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "jsonl.h"
#include "sqlfile.h"

enum { FIELDS_MAX = 128 };

struct record {
	cJSON *object;
	char *file;
	uint64_t line;
};

struct records {
	struct record *at;
	size_t count;
};

static void records_add(struct records *records, cJSON *object, const char *file, uint64_t line)
{
	records->at = mem_array(records->at, records->count + 1, sizeof *records->at);
	records->at[records->count++] = (struct record){.object = object, .file = mem_text(file), .line = line};
}

static void records_free(struct records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		cJSON_Delete(records->at[i].object);
		free(records->at[i].file);
	}
	free(records->at);
	*records = (struct records){0};
}

static enum status keep(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	(void)err;
	records_add(context, cJSON_Duplicate(object, true), file, line);
	return OK;
}

/* The SQL type that holds the field in every record; REAL if any number has a fraction, so that no division is
 * by integers in one row and not in another. Sets err and returns NULL if they are of several kinds. */
static const char *field_type(const struct records *records, const char *field, struct error *err)
{
	const char *type = NULL;

	for (size_t i = 0; i < records->count; i++) {
		const struct record *record = &records->at[i];
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(record->object, field);
		const char *this = "TEXT";

		if (item == NULL || cJSON_IsObject(item) || cJSON_IsArray(item)) {
			error_line(err, R_JSON_FIELD, record->file, record->line, "field '%s' is %s", field,
			           item == NULL ? "missing" : "not a single value");
			return NULL;
		}
		if (cJSON_IsNull(item))
			continue;
		if (cJSON_IsNumber(item) || cJSON_IsBool(item))
			this = cJSON_IsNumber(item) && item->valuedouble != floor(item->valuedouble) ? "REAL" : "INTEGER";
		if (type != NULL && (strcmp(type, "TEXT") == 0) != (strcmp(this, "TEXT") == 0)) {
			error_line(err, R_JSON_FIELD, record->file, record->line,
			           "field '%s' is text in one record and a number in another", field);
			return NULL;
		}
		type = type != NULL && strcmp(type, "REAL") == 0 ? type : this;
	}
	return type == NULL ? "TEXT" : type;
}

/* The statement that creates the table, and the one that inserts a record. */
static enum status declare(struct database *db, const char *table, const struct records *records, sqlite3_stmt **insert,
                           struct error *err)
{
	const struct record *first = &records->at[0];
	struct bytes create = {0};
	struct bytes values = {0};
	enum status status = OK;
	int fields = 0;

	bytes_format(&create, "CREATE TABLE \"%s\" (line INTEGER NOT NULL", table);
	bytes_format(&values, "INSERT INTO \"%s\" VALUES (?", table);
	for (const cJSON *item = first->object->child; item != NULL && status == OK; item = item->next) {
		const char *type = field_type(records, item->string, err);

		if (type == NULL) {
			status = MALFORMED;
		} else if (!sql_name_valid(item->string, strlen(item->string)) || strcmp(item->string, "line") == 0 ||
		           ++fields > FIELDS_MAX) {
			status = error_line(err, R_TAB_NAME, first->file, first->line, "'%s' cannot be the name of a fact's field",
			                    item->string);
		} else {
			bytes_format(&create, ", \"%s\" %s", item->string, type);
			bytes_text(&values, ", ?");
		}
	}
	bytes_text(&create, ")");
	bytes_text(&values, ")");
	if (status == OK && sqlite3_exec(db->handle, create.data, NULL, NULL, NULL) != SQLITE_OK)
		status = database_failed(db, first->file, 0, err);
	if (status == OK)
		status = database_prepare(db, values.data, insert, err);
	bytes_free(&create);
	bytes_free(&values);
	return status;
}

static void bind_item(sqlite3_stmt *insert, int index, const cJSON *item)
{
	if (cJSON_IsString(item))
		sqlite3_bind_text(insert, index, item->valuestring, -1, SQLITE_STATIC);
	else if (cJSON_IsBool(item))
		sqlite3_bind_int(insert, index, cJSON_IsTrue(item));
	else if (cJSON_IsNumber(item) && item->valuedouble == floor(item->valuedouble) && fabs(item->valuedouble) <= JSON_INTEGER_MAX)
		sqlite3_bind_int64(insert, index, (int64_t)item->valuedouble);
	else if (cJSON_IsNumber(item))
		sqlite3_bind_double(insert, index, item->valuedouble);
	else
		sqlite3_bind_null(insert, index);
}

static enum status insert_record(struct database *db, sqlite3_stmt *insert, const struct record *record, const cJSON *first,
                                 struct error *err)
{
	int index = 1;

	if (cJSON_GetArraySize(record->object) != cJSON_GetArraySize(first))
		return error_line(err, R_JSON_FIELD, record->file, record->line, "it has other fields than the first record");
	sqlite3_bind_int64(insert, index++, (int64_t)record->line);
	for (const cJSON *item = first->child; item != NULL; item = item->next)
		bind_item(insert, index++, cJSON_GetObjectItemCaseSensitive(record->object, item->string));
	return database_insert(db, insert, record->file, record->line, err);
}

static enum status load_records(struct database *db, const char *table, const struct records *records, struct error *err)
{
	sqlite3_stmt *insert = NULL;
	enum status status = records->count == 0 ? OK : declare(db, table, records, &insert, err);

	for (size_t i = 0; i < records->count && status == OK; i++)
		status = insert_record(db, insert, &records->at[i], records->at[0].object, err);
	sqlite3_finalize(insert);
	return status;
}

/* "artifact/facts/sft.jsonl" to "sft"; NULL unless path is dir/NAME.ext with a valid name and a regular file. */
static char *file_stem(const struct file_entry *entry, const char *dir, const char *ext)
{
	const char *name = entry->path + strlen(dir) + 1;
	size_t len = strlen(name);
	size_t tail = strlen(ext);

	if (entry->kind != FILE_REGULAR || len <= tail || strcmp(name + len - tail, ext) != 0 || !sql_name_valid(name, len - tail))
		return NULL;
	return mem_textn(name, len - tail);
}

static enum status load_fact_files(struct database *db, const struct root *bundle, struct error *err)
{
	static const char dir[] = "artifact/facts";
	struct file_list list = {0};
	enum status status = root_list(bundle, dir, &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		struct records records = {0};
		char *stem = file_stem(&list.at[i], dir, ".jsonl");
		char *table = mem_format("fact_%s", stem == NULL ? "" : stem);

		if (stem == NULL)
			status = error_set(err, R_TAB_NAME, list.at[i].path, "this is no <name>.jsonl");
		if (status == OK)
			status = jsonl_read(bundle, list.at[i].path, keep, &records, err);
		if (status == OK)
			status = load_records(db, table, &records, err);
		free(table);
		free(stem);
		records_free(&records);
	}
	file_list_free(&list);
	return status;
}

static enum status load_task_facts(struct database *db, const struct root *bundle, struct error *err)
{
	struct file_list list = {0};
	struct records records = {0};
	enum status status = root_list(bundle, "tasks", &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *path = list.at[i].path;
		size_t len = strlen(path);
		struct bytes text = {0};
		cJSON *tree = NULL;

		if (len < 11 || strcmp(path + len - 11, "/facts.json") != 0)
			continue;
		status = root_read(bundle, path, JSON_SIZE_MAX, &text, err);
		if (status == OK)
			status = json_parse(text.data == NULL ? "" : text.data, text.len, path, &tree, err);
		if (status == OK && !cJSON_IsObject(tree))
			status = error_set(err, R_JSON_FIELD, path, "it is not an object");
		if (tree != NULL)
			records_add(&records, tree, path, 1);
		bytes_free(&text);
	}
	if (status == OK)
		status = load_records(db, "fact_task", &records, err);
	records_free(&records);
	file_list_free(&list);
	return status;
}

enum status load_facts(struct database *db, const struct root *bundle, struct error *err)
{
	enum status status = load_task_facts(db, bundle, err);

	return status == OK ? load_fact_files(db, bundle, err) : status;
}

struct expecting {
	struct database *db;
	sqlite3_stmt *insert;
	const char *table;
	const char *source;
};

/* {"cells":{column: text or null},"row":"key/values"} */
static enum status expect_row(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	static const char *const names[] = {"cells", "row", NULL};
	struct expecting *expecting = context;
	const cJSON *cells = NULL;
	const char *row = NULL;
	enum status status = json_only(object, names, file, err);

	if (status == OK)
		status = json_child(object, "cells", JSON_OBJECT, file, &cells, err);
	if (status == OK)
		status = json_text(object, "row", file, &row, err);
	for (const cJSON *cell = cells != NULL ? cells->child : NULL; cell != NULL && status == OK; cell = cell->next) {
		if (!cJSON_IsString(cell) && !cJSON_IsNull(cell))
			return error_line(err, R_JSON_FIELD, file, line, "cell '%s' is neither text nor null", cell->string);
		sqlite3_bind_text(expecting->insert, 1, expecting->table, -1, SQLITE_STATIC);
		sqlite3_bind_text(expecting->insert, 2, row, -1, SQLITE_STATIC);
		sqlite3_bind_text(expecting->insert, 3, cell->string, -1, SQLITE_STATIC);
		bind_item(expecting->insert, 4, cell);
		sqlite3_bind_text(expecting->insert, 5, expecting->source, -1, SQLITE_STATIC);
		status = database_insert(expecting->db, expecting->insert, file, line, err);
	}
	return status;
}

enum status load_expected(struct database *db, const struct root *bundle, struct error *err)
{
	static const char dir[] = "artifact/expected";
	struct expecting expecting = {.db = db};
	struct file_list list = {0};
	enum status status = root_list(bundle, dir, &list, err);

	if (status == OK)
		status = database_prepare(db, "INSERT INTO expected VALUES (?, ?, ?, ?, ?)", &expecting.insert, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		const struct file_entry *entry = &list.at[i];
		const char *slash = strchr(entry->path + sizeof dir, '/');

		/* Files right in the directory, known.jsonl, are not published cells. */
		if (slash == NULL)
			continue;
		char *directory = mem_textn(entry->path, (size_t)(slash - entry->path));
		char *stem = file_stem(entry, directory, ".jsonl");

		expecting.table = stem;
		expecting.source = directory + sizeof dir;
		if (stem == NULL)
			status = error_set(err, R_TAB_NAME, entry->path, "this is no <table>.jsonl");
		else
			status = jsonl_read(bundle, entry->path, expect_row, &expecting, err);
		free(stem);
		free(directory);
	}
	sqlite3_finalize(expecting.insert);
	file_list_free(&list);
	return status;
}
