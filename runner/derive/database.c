#include "database.h"

#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../bundle/ledger.h"
#include "function.h"
#include "load.h"
#include "query.h"
#include "text_function.h"

/* schema.sql, by the Makefile. Its two parts are run before and after loading. */
static const char schema[] =
#include "schema.inc"
	;
static const char second_part[] = "\n-- loaded\n";

enum status database_failed(struct database *db, const char *file, uint64_t line, struct error *err)
{
	int code = sqlite3_errcode(db->handle);
	enum rule rule = code == SQLITE_NOMEM        ? R_TAB_MEMORY
	                 : code == SQLITE_TOOBIG     ? R_TAB_MEMORY
	                 : code == SQLITE_CONSTRAINT ? R_TAB_DUPLICATE
	                                             : R_TAB_SQL;

	return error_line(err, rule, file, line, "%s", sqlite3_errmsg(db->handle));
}

enum status database_prepare(struct database *db, const char *sql, sqlite3_stmt **statement, struct error *err)
{
	if (sqlite3_prepare_v3(db->handle, sql, -1, SQLITE_PREPARE_PERSISTENT, statement, NULL) != SQLITE_OK)
		return database_failed(db, "schema.sql", 0, err);
	return OK;
}

enum status database_insert(struct database *db, sqlite3_stmt *statement, const char *file, uint64_t line, struct error *err)
{
	enum status status = sqlite3_step(statement) == SQLITE_DONE ? OK : database_failed(db, file, line, err);

	sqlite3_reset(statement);
	return status;
}

static enum status execute(struct database *db, const char *sql, struct error *err)
{
	return sqlite3_exec(db->handle, sql, NULL, NULL, NULL) == SQLITE_OK ? OK : database_failed(db, "schema.sql", 0, err);
}

/* Labels that the ledger has as enums become small tables, ids = enum values. */
static enum status load_labels(struct database *db, struct error *err)
{
	sqlite3_stmt *evidence = NULL;
	sqlite3_stmt *outcome = NULL;
	enum status status = database_prepare(db, "INSERT INTO evidence VALUES (?, ?)", &evidence, err);

	if (status == OK)
		status = database_prepare(db, "INSERT INTO outcome VALUES (?, ?, ?)", &outcome, err);
	for (int i = 0; i < EVIDENCE_COUNT && status == OK; i++) {
		sqlite3_bind_int(evidence, 1, i);
		sqlite3_bind_text(evidence, 2, evidence_name((enum evidence)i), -1, SQLITE_STATIC);
		status = database_insert(db, evidence, "schema.sql", 0, err);
	}
	for (int i = 0; i < OUTCOME_COUNT && status == OK; i++) {
		sqlite3_bind_int(outcome, 1, i);
		sqlite3_bind_text(outcome, 2, outcome_name((enum outcome)i), -1, SQLITE_STATIC);
		sqlite3_bind_int(outcome, 3, outcome_is_measured((enum outcome)i));
		status = database_insert(db, outcome, "schema.sql", 0, err);
	}
	sqlite3_finalize(evidence);
	sqlite3_finalize(outcome);
	return status;
}

static enum status load_all(struct database *db, const struct root *bundle, struct error *err)
{
	char *first = mem_textn(schema, (size_t)(strstr(schema, second_part) - schema));
	/* Nothing of this outlives the process, so it needs no journal. The transaction saves a commit a statement. */
	enum status status = execute(db, "PRAGMA journal_mode = OFF; PRAGMA temp_store = MEMORY; BEGIN", err);

	if (status == OK)
		status = execute(db, first, err);
	free(first);
	if (status == OK)
		status = load_labels(db, err);
	if (status == OK)
		status = load_ledger(db, bundle, err);
	if (status == OK)
		status = load_sources(db, bundle, err);
	if (status == OK)
		status = load_training(db, bundle, err);
	if (status == OK)
		status = load_tasks(db, bundle, err);
	if (status == OK)
		status = load_facts(db, bundle, err);
	if (status == OK)
		status = load_expected(db, bundle, err);
	if (status == OK)
		status = execute(db, strstr(schema, second_part), err);
	/* Last: what records say is looked up in what was loaded, and what else runs at the same time may be over, for they are read on all cores. */
	if (status == OK)
		status = load_replays(db, bundle, err);
	if (status == OK)
		status = execute(db, "COMMIT", err);
	return status;
}

static enum status open_handle(struct database *db, struct error *err)
{
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE;

	db->shown = (struct shown){-1, 0, INT64_MAX};
	if (sqlite3_open_v2(":memory:", &db->handle, flags, NULL) != SQLITE_OK ||
	    functions_register(db->handle, &db->shown) != SQLITE_OK || text_functions_register(db->handle, &db->steps) != SQLITE_OK)
		return database_failed(db, "schema.sql", 0, err);
	return OK;
}

/* Connect to an image that somebody else keeps. */
static enum status connect_image(struct database *db, struct error *err)
{
	enum status status = open_handle(db, err);

	if (status != OK)
		return status;
	if (sqlite3_deserialize(db->handle, "main", db->image, db->image_size, db->image_size, SQLITE_DESERIALIZE_READONLY) != SQLITE_OK)
		return database_failed(db, "schema.sql", 0, err);
	/* Pages are read where they stand, not copied. */
	char *pragma = mem_format("PRAGMA mmap_size = %lld; PRAGMA temp_store = MEMORY", (long long)db->image_size);

	status = execute(db, pragma, err);
	free(pragma);
	return status == OK ? query_guard(db, err) : status;
}

/* Load into a database of its own, and keep its bytes. */
static enum status make_image(struct database *db, const struct root *bundle, struct error *err)
{
	enum status status = open_handle(db, err);

	if (status == OK)
		status = load_all(db, bundle, err);
	if (status == OK) {
		db->image = sqlite3_serialize(db->handle, "main", &db->image_size, 0);
		db->owns_image = db->image != NULL;
		if (db->image == NULL)
			status = error_set(err, R_TAB_MEMORY, "schema.sql", "the loaded ledger could not be copied");
	}
	sqlite3_close(db->handle);
	db->handle = NULL;
	return status;
}

enum status database_open(const struct root *bundle, struct database **out, struct error *err)
{
	struct database *db = mem_alloc(sizeof *db);

	*out = NULL;
	sqlite3_hard_heap_limit64(0); /* of an earlier database: loading has no limit but what was read */
	enum status status = make_image(db, bundle, err);

	if (status == OK)
		status = connect_image(db, err);
	if (status != OK) {
		database_close(db);
		return status;
	}
	sqlite3_hard_heap_limit64(sqlite3_memory_used() + QUERY_HEAP_BASE + QUERY_HEAP_TURN * db->turns);
	*out = db;
	return OK;
}

enum status database_clone(const struct database *db, struct database **out, struct error *err)
{
	struct database *clone = mem_alloc(sizeof *clone);

	clone->image = db->image;
	clone->image_size = db->image_size;
	clone->turns = db->turns;
	enum status status = connect_image(clone, err);

	if (status != OK) {
		database_close(clone);
		clone = NULL;
	}
	*out = clone;
	return status;
}

static void names_free(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
}

void database_close(struct database *db)
{
	if (db == NULL)
		return;
	sqlite3_close(db->handle);
	if (db->owns_image)
		sqlite3_free(db->image);
	names_free(&db->tables);
	names_free(&db->modules);
	free(db);
}

void database_show(struct database *db, const char *evidence, const char *source)
{
	sqlite3_stmt *range = NULL;

	db->shown = (struct shown){-1, 0, INT64_MAX};
	for (int i = 0; i < EVIDENCE_COUNT && evidence != NULL; i++)
		if (strcmp(evidence, evidence_name((enum evidence)i)) == 0)
			db->shown.evidence_id = i;
	if (source == NULL)
		return;
	/* Runs were loaded in the order (source, position). Of a source that is not there nothing is shown. */
	db->shown.last_run = -1;
	db->steps = db->steps_max;
	if (sqlite3_prepare_v2(db->handle, "SELECT min(run_id), max(run_id) FROM run_row WHERE source = ?", -1, &range, NULL) == SQLITE_OK &&
	    sqlite3_bind_text(range, 1, source, -1, SQLITE_STATIC) == SQLITE_OK && sqlite3_step(range) == SQLITE_ROW &&
	    sqlite3_column_type(range, 0) == SQLITE_INTEGER) {
		db->shown.first_run = sqlite3_column_int64(range, 0);
		db->shown.last_run = sqlite3_column_int64(range, 1);
	}
	sqlite3_finalize(range);
}
