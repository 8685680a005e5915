#include "query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

enum { PARAMETERS_MAX = 200, STEPS_AT_ONCE = 1000 };

struct query {
	struct database *db;
	sqlite3_stmt *statement;
	char *file;
	uint64_t line;
	uint64_t rows;
	uint64_t bytes;
	bool bound[PARAMETERS_MAX + 1]; /* by index from 1 */
};

/* Functions whose result depends on their arguments alone, in every version of SQLite alike, and whose time is linear in their bytes
 * (text_function.h), which QUERY_TEXT_MAX bounds. trim(x, y) takes the product of their lengths; hex is for BLOBs, of which there are none. */
static const char *const functions[] = {
	"abs", "coalesce", "count", "dense_rank", "evidence_wanted", "first_value", "glob", "group_concat", "ifnull", "iif",
	"instr", "lag", "last_value", "lead", "length", "like", "lower", "max", "median", "min", "nth_value", "ntile",
	"nullif", "rank", "real", "replace", "row_number", "run_first", "run_last", "sign", "substr", "substring", "sum", "typeof", "unicode",
	"upper", "wilson_high", "wilson_low",
};

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool function_allowed(const char *name)
{
	return bsearch(&name, functions, sizeof functions / sizeof functions[0], sizeof functions[0], by_name) != NULL;
}

static bool in_names(const struct names *names, const char *name)
{
	return names->count > 0 && bsearch(&name, names->at, names->count, sizeof names->at[0], by_name) != NULL;
}

/* SQLite asks for each column that is read, with the table's own name; and with column "" and the name as the query writes it for what
 * stands in FROM without a column being read, `SELECT count(*) FROM x`. Then x may be a table in any spelling or the query's own WITH name,
 * which are fine, or a table-valued function, which is not. */
static bool read_allowed(const struct database *db, const char *table, const char *column)
{
	if (column[0] != '\0')
		return in_names(&db->tables, table);
	char *lower = mem_text(table);

	for (char *at = lower; *at != '\0'; at++)
		*at = (char)(*at >= 'A' && *at <= 'Z' ? *at - 'A' + 'a' : *at);
	bool allowed = !in_names(&db->modules, lower); /* pragma_*: the PRAGMA behind it is refused */

	free(lower);
	return allowed;
}

static int authorize(void *context, int action, const char *first, const char *second, const char *schema, const char *inner)
{
	struct database *db = context;

	(void)schema;
	(void)inner;
	if (action == SQLITE_SELECT || action == SQLITE_RECURSIVE)
		return SQLITE_OK;
	if (action == SQLITE_READ && read_allowed(db, first, second))
		return SQLITE_OK;
	if (action == SQLITE_FUNCTION && function_allowed(second))
		return SQLITE_OK;
	if (action == SQLITE_READ)
		snprintf(db->denied, sizeof db->denied, "it reads '%s', which is not a table of the ledger", first);
	else if (action == SQLITE_FUNCTION)
		snprintf(db->denied, sizeof db->denied, "it calls %s(), which is not on the list", second);
	else
		snprintf(db->denied, sizeof db->denied, "it does something else than SELECT");
	return SQLITE_DENY;
}

static int count_steps(void *context)
{
	struct database *db = context;

	db->steps -= db->steps < STEPS_AT_ONCE ? db->steps : STEPS_AT_ONCE;
	return db->steps == 0;
}

/* What the query names, sorted; extra, if not NULL, too. */
static enum status read_names(struct database *db, const char *sql, const char *extra, struct names *names, struct error *err)
{
	sqlite3_stmt *statement = NULL;
	enum status status = database_prepare(db, sql, &statement, err);

	if (extra != NULL) {
		names->at = mem_array(NULL, 1, sizeof *names->at);
		names->at[names->count++] = mem_text(extra);
	}
	while (status == OK && sqlite3_step(statement) == SQLITE_ROW) {
		names->at = mem_array(names->at, names->count + 1, sizeof *names->at);
		names->at[names->count++] = mem_text((const char *)sqlite3_column_text(statement, 0));
	}
	sqlite3_finalize(statement);
	if (names->count > 0)
		qsort(names->at, names->count, sizeof *names->at, by_name);
	return status;
}

enum status query_guard(struct database *db, struct error *err)
{
	static const struct {
		int id;
		int value;
	} limits[] = {
		{SQLITE_LIMIT_LENGTH, QUERY_TEXT_MAX},   {SQLITE_LIMIT_SQL_LENGTH, QUERY_SQL_MAX},
		{SQLITE_LIMIT_COLUMN, 256},              {SQLITE_LIMIT_EXPR_DEPTH, 200},
		{SQLITE_LIMIT_COMPOUND_SELECT, 100},     {SQLITE_LIMIT_VDBE_OP, 250000},
		{SQLITE_LIMIT_FUNCTION_ARG, 32},         {SQLITE_LIMIT_ATTACHED, 0},
		{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 256}, {SQLITE_LIMIT_VARIABLE_NUMBER, PARAMETERS_MAX},
		{SQLITE_LIMIT_TRIGGER_DEPTH, 1},         {SQLITE_LIMIT_WORKER_THREADS, 0},
	};
	/* The list of tables itself goes by the name sqlite_master here. */
	enum status status = read_names(db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", "sqlite_master",
	                                &db->tables, err);

	if (status == OK)
		status = read_names(db, "SELECT lower(name) FROM pragma_module_list", NULL, &db->modules, err);
	if (status != OK)
		return status;
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
		sqlite3_limit(db->handle, limits[i].id, limits[i].value);
	/* "misspelt" in double quotes is an unknown column, not a string. */
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db->handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	db->steps_max = QUERY_STEPS_BASE + QUERY_STEPS_TURN * (uint64_t)db->turns;
	sqlite3_progress_handler(db->handle, STEPS_AT_ONCE, count_steps, db);
	sqlite3_set_authorizer(db->handle, authorize, db);
	return OK;
}

static const char *name_at(const void *context, size_t index)
{
	return ((const struct names *)context)->at[index];
}

/* Tables and views that a query can be about: not the rows behind the views, nor SQLite's own. wanted: as the query names it. */
static enum status complain_of_table(const struct query *query, const char *wanted, uint64_t line, struct error *err)
{
	const struct names *tables = &query->db->tables;
	struct names shown = {.at = mem_array(NULL, tables->count + 1, sizeof *shown.at)};
	struct bytes text = {0};

	for (size_t i = 0; i < tables->count; i++) {
		char *name = tables->at[i];
		const size_t len = strlen(name);

		if (strncmp(name, "sqlite_", 7) != 0 && (len < 4 || strcmp(name + len - 4, "_row") != 0))
			shown.at[shown.count++] = name;
	}
	nearest_tell("table", wanted, shown.count, name_at, &shown, &text);
	const enum status status = error_line(err, R_TAB_SQL, query->file, line, "%s", text.data);

	bytes_free(&text);
	free(shown.at);
	return status;
}

/* SQLite's complaint as a rule; offset: of the complaint in the SQL, below 0 if it has none. */
static enum status complain(const struct query *query, const char *sql, int offset, struct error *err)
{
	static const char no_table[] = "no such table: ";
	struct database *db = query->db;
	int code = sqlite3_errcode(db->handle);
	uint64_t line = query->line;

	for (int i = 0; line != 0 && i < offset; i++)
		line += sql[i] == '\n' ? 1 : 0;
	if (db->denied[0] != '\0')
		return error_line(err, R_TAB_FORBIDDEN, query->file, line, "%s", db->denied);
	if (code == SQLITE_INTERRUPT)
		return error_line(err, R_TAB_STEPS, query->file, line, "the query was stopped after %llu steps",
		                  (unsigned long long)db->steps_max);
	if (code == SQLITE_NOMEM || code == SQLITE_TOOBIG)
		return error_line(err, R_TAB_MEMORY, query->file, line, "%s", sqlite3_errmsg(db->handle));
	if (strncmp(sqlite3_errmsg(db->handle), no_table, strlen(no_table)) == 0)
		return complain_of_table(query, sqlite3_errmsg(db->handle) + strlen(no_table), line, err);
	return error_line(err, R_TAB_SQL, query->file, line, "%s", sqlite3_errmsg(db->handle));
}

/* Whether there is only white space, comments and semicolons. */
static bool is_blank_sql(const char *sql)
{
	while (*sql != '\0') {
		size_t skip = strspn(sql, " \t\r\n;");

		if (skip == 0 && strncmp(sql, "--", 2) == 0)
			skip = strcspn(sql, "\n");
		else if (skip == 0 && strncmp(sql, "/*", 2) == 0)
			skip = strstr(sql + 2, "*/") != NULL ? (size_t)(strstr(sql + 2, "*/") + 2 - sql) : strlen(sql);
		if (skip == 0)
			return false;
		sql += skip;
	}
	return true;
}

enum status query_open(struct database *db, const char *sql, const char *file, uint64_t line, struct query **out, struct error *err)
{
	struct query *query = mem_alloc(sizeof *query);
	const char *rest = NULL;
	enum status status = OK;

	*out = NULL;
	*query = (struct query){.db = db, .file = mem_text(file), .line = line};
	db->steps = db->steps_max;
	db->denied[0] = '\0';
	if (sqlite3_prepare_v2(db->handle, sql, -1, &query->statement, &rest) != SQLITE_OK)
		status = complain(query, sql, sqlite3_error_offset(db->handle), err);
	else if (query->statement == NULL)
		status = error_line(err, R_TAB_SQL, file, line, "there is no query here");
	else if (!is_blank_sql(rest))
		status = error_line(err, R_TAB_SQL, file, line, "a second statement follows the query");
	/* EXPLAIN asks the authorizer for nothing, and its result is another in each version of SQLite. */
	else if (!sqlite3_stmt_readonly(query->statement) || sqlite3_stmt_isexplain(query->statement) != 0 ||
	         sqlite3_column_count(query->statement) == 0)
		status = error_line(err, R_TAB_FORBIDDEN, file, line, "it does something else than SELECT");
	if (status != OK) {
		query_close(query);
		return status;
	}
	*out = query;
	return OK;
}

void query_close(struct query *query)
{
	if (query == NULL)
		return;
	sqlite3_finalize(query->statement);
	free(query->file);
	free(query);
}

void query_again(struct query *query)
{
	sqlite3_reset(query->statement);
	query->rows = 0;
	query->bytes = 0;
	query->db->steps = query->db->steps_max;
}

size_t query_columns(const struct query *query)
{
	return (size_t)sqlite3_column_count(query->statement);
}

const char *query_column(const struct query *query, size_t column)
{
	return sqlite3_column_name(query->statement, (int)column);
}

static int parameter_index(const struct query *query, const char *name)
{
	const int count = sqlite3_bind_parameter_count(query->statement);

	for (int i = 1; i <= count; i++) {
		const char *parameter = sqlite3_bind_parameter_name(query->statement, i);

		if (parameter != NULL && parameter[0] == ':' && strcmp(parameter + 1, name) == 0)
			return i;
	}
	return 0;
}

bool query_uses(const struct query *query, const char *name)
{
	return parameter_index(query, name) != 0;
}

void query_bind(struct query *query, const char *name, const struct value *value)
{
	int index = parameter_index(query, name);

	if (index == 0)
		return;
	query->bound[index] = true;
	switch (value->type) {
	case VALUE_NULL:
		sqlite3_bind_null(query->statement, index);
		break;
	case VALUE_INTEGER:
		sqlite3_bind_int64(query->statement, index, value->integer);
		break;
	case VALUE_REAL:
		sqlite3_bind_double(query->statement, index, value->real);
		break;
	case VALUE_TEXT:
		sqlite3_bind_text(query->statement, index, value->text, (int)value->len, SQLITE_STATIC);
		break;
	}
}

const char *query_unbound(const struct query *query)
{
	int count = sqlite3_bind_parameter_count(query->statement);

	for (int i = 1; i <= count; i++) {
		const char *name = sqlite3_bind_parameter_name(query->statement, i);

		if (!query->bound[i])
			return name == NULL ? "?" : name + 1;
	}
	return NULL;
}

struct value query_value(const struct query *query, size_t column)
{
	int at = (int)column;

	switch (sqlite3_column_type(query->statement, at)) {
	case SQLITE_NULL:
		return (struct value){.type = VALUE_NULL};
	case SQLITE_INTEGER:
		return (struct value){.type = VALUE_INTEGER, .integer = sqlite3_column_int64(query->statement, at)};
	case SQLITE_FLOAT:
		return (struct value){.type = VALUE_REAL, .real = sqlite3_column_double(query->statement, at)};
	default: { /* a BLOB is taken as text, which is checked for UTF-8 where it is written */
		const char *text = (const char *)sqlite3_column_text(query->statement, at);
		int len = sqlite3_column_bytes(query->statement, at);

		return (struct value){.type = VALUE_TEXT, .text = text == NULL ? "" : text, .len = text == NULL ? 0 : (size_t)len};
	}
	}
}

enum status query_next(struct query *query, bool *row, struct error *err)
{
	int rc = sqlite3_step(query->statement);

	*row = rc == SQLITE_ROW;
	if (rc == SQLITE_DONE)
		return OK;
	if (rc != SQLITE_ROW)
		return complain(query, "", -1, err);
	for (int i = 0; i < sqlite3_column_count(query->statement); i++) {
		const int type = sqlite3_column_type(query->statement, i);

		query->bytes += sizeof(double) + (type == SQLITE_TEXT || type == SQLITE_BLOB ? (uint64_t)sqlite3_column_bytes(query->statement, i) : 0);
	}
	if (++query->rows > QUERY_ROWS_MAX || query->bytes > QUERY_RESULT_MAX)
		return error_line(err, R_TAB_MEMORY, query->file, query->line, "the result is larger than %d rows or %d bytes",
		                  QUERY_ROWS_MAX, QUERY_RESULT_MAX);
	return OK;
}
