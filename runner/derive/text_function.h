/*
 * SQLite's like, glob, instr, replace, upper and lower again, in its own words (sqlite3_strlike, sqlite3_strglob) or by linear search: SQLite counts a
 * call of a function as one step however long its texts are, and its own instr and replace take quadratic time. These charge the query's
 * steps by the work that they do, and end it (SQLITE_INTERRUPT) when none is left.
 */
#ifndef PTXSEAL_DERIVE_TEXT_FUNCTION_H
#define PTXSEAL_DERIVE_TEXT_FUNCTION_H

#include <stdint.h>

#include <sqlite3.h>

/* *steps: what is left to the query that runs; it has to outlive the handle. Returns SQLite's result code. */
int text_functions_register(sqlite3 *handle, uint64_t *steps);

#endif
