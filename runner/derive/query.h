/*
 * A query that somebody else wrote, on a database that it must not harm: only SELECT, only known tables and listed functions, with limits
 * on steps (SQLite's virtual machine instructions, so the same on every machine), memory and result size.
 */
#ifndef PTXSEAL_DERIVE_QUERY_H
#define PTXSEAL_DERIVE_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "database.h"
#include "format.h"

/* What a query may take: a floor, and more for each turn in the ledger. */
#define QUERY_STEPS_BASE 50000000u
#define QUERY_STEPS_TURN 2000u
#define QUERY_HEAP_BASE (128LL << 20) /* bytes that SQLite may use beyond the loaded database, for all connections together */
#define QUERY_HEAP_TURN 512LL

enum {
	QUERY_SQL_MAX = 1 << 20,      /* bytes of the query itself */
	QUERY_TEXT_MAX = 2 << 10,     /* bytes of one value or row: what one step can take, in the worst case, is proportional to it */
	QUERY_ROWS_MAX = 2 << 20,     /* rows of one result */
	QUERY_RESULT_MAX = 256 << 20, /* bytes of one result, 8 for a number */
};

struct query;

/* Close the database to everything but such queries; database_open does. */
enum status query_guard(struct database *db, struct error *err);

/* file and line: where the SQL stands (line 0: it has none), for messages. One query runs at a time. query_close(*query). */
enum status query_open(struct database *db, const char *sql, const char *file, uint64_t line, struct query **query, struct error *err);
void query_close(struct query *query); /* NULL is fine */

size_t query_columns(const struct query *query);
const char *query_column(const struct query *query, size_t column);

/* Does the query use :name? */
bool query_uses(const struct query *query, const char *name);
/* Bind :name; a name the query does not use is fine. The text must stay until query_close. */
void query_bind(struct query *query, const char *name, const struct value *value);

/* A parameter that is not bound, without its colon, or NULL. */
const char *query_unbound(const struct query *query);

/* To the start again, for other values of its parameters; it may take as much as before. */
void query_again(struct query *query);

/* *row is false at the end. */
enum status query_next(struct query *query, bool *row, struct error *err);

/* A value of the row; its text stays until the next call of query_next. */
struct value query_value(const struct query *query, size_t column);

#endif
