/*
 * The ledger, facts, tasks and published cells of a bundle in an SQLite database in memory, made anew at each run (schema.sql).
 * Once open it is read-only, and only guarded queries (query.h) reach it.
 */
#ifndef PTXSEAL_DERIVE_DATABASE_H
#define PTXSEAL_DERIVE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sqlite3.h>

#include "../base/error.h"
#include "../base/file.h"
#include "function.h"

enum { DENIED_MAX = 160 };

/* Sorted. */
struct names {
	char **at;
	size_t count;
};

struct database {
	sqlite3 *handle;
	int64_t turns;          /* turn records in it */
	struct shown shown;     /* what the views show (database_show) */
	uint64_t steps;         /* left to the query that runs */
	uint64_t steps_max;     /* what each query gets */
	char denied[DENIED_MAX]; /* what the authorizer refused last, "" if nothing */
	struct names tables;    /* tables and views that may be read */
	struct names modules;   /* table-valued functions that may not */
	unsigned char *image;   /* the database's bytes, which its connections read in place */
	sqlite3_int64 image_size;
	bool owns_image;
};

/* Load the bundle whose root is given. database_close(*db). */
enum status database_open(const struct root *bundle, struct database **db, struct error *err);
/* Another connection to the same bytes, for another thread; to be closed before db is. */
enum status database_clone(const struct database *db, struct database **clone, struct error *err);
void database_close(struct database *db); /* NULL is fine */

/* Show only runs of that grade ("none" and NULL: all) and of that source (NULL: all) from now on. */
void database_show(struct database *db, const char *evidence, const char *source);

/* For the loaders: a statement to insert with, its execution, and the handle's last error as a rule. file is what was loaded. */
enum status database_prepare(struct database *db, const char *sql, sqlite3_stmt **statement, struct error *err);
enum status database_insert(struct database *db, sqlite3_stmt *statement, const char *file, uint64_t line, struct error *err);
enum status database_failed(struct database *db, const char *file, uint64_t line, struct error *err);

#endif
