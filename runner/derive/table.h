/*
 * What artifact/tables/<name>.sql and artifact/claims/<id>.sql say: head, query and lineage queries
 * (docs/design.md, "A table is one SQL file").
 */
#ifndef PTXSEAL_DERIVE_TABLE_H
#define PTXSEAL_DERIVE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"
#include "format.h"
#include "sqlfile.h"

enum { TABLE_COLUMNS_MAX = 128 };

/* What a cell's number is a number of: the distinct ones in its lineage. */
enum counts { COUNTS_NOTHING, COUNTS_TURNS, COUNTS_TRAJECTORIES, COUNTS_RUNS };
const char *counts_name(enum counts counts); /* "turns" */

struct column {
	char *name;
	struct format format;
	enum counts counts;
	char *empty;   /* what NULL is written as, "" if the head says nothing */
	char *meaning;
	char *denominator; /* NULL: none */
	size_t lineage;    /* index of its section in struct table, 0 = none */
	uint64_t line;     /* of its head line */
};

/* A published column that the table gives no value for, or not in every row: not among its columns, or NULL there. */
struct underivable {
	char *column;
	char *why;
};

struct table {
	char *name; /* the file's name without .sql */
	char *file; /* as messages name it */
	char *title;
	char *rebuilds;
	char *evidence; /* a name of bundle/ledger.h's grades, or "none" */
	char *source;   /* the one source whose runs it shows; NULL: all */
	struct column *columns;
	size_t column_count;
	size_t *key; /* indexes of columns */
	size_t key_count;
	struct underivable *underivable;
	size_t underivable_count;
	char **notes;
	size_t note_count;
	struct sqlfile sql; /* sections[0] is the query */
};

struct claim {
	struct table table; /* its columns are the deciding numbers; no key; the query has `holds` before them */
	char *id;           /* "C3" */
	char *statement;
	char *paper;  /* where it stands */
	char *expect; /* "HOLDS" | "FAILS" | "NOT DERIVABLE" */
	bool is_finding; /* kind: finding; a sentence one would take for granted of the data, not one of the paper */
};

/* Both: name is the file's name without .sql; free also after a failure. */
enum status table_parse(const char *text, size_t len, const char *name, const char *file, struct table *table, struct error *err);
void table_free(struct table *table);
enum status claim_parse(const char *text, size_t len, const char *name, const char *file, struct claim *claim, struct error *err);
void claim_free(struct claim *claim);

/* The column of that name, or -1. */
int table_column(const struct table *table, const char *name, size_t len);

#endif
