/*
 * A table or claim file before it is understood: the head's lines and the SQL sections
 * (docs/design.md, "A table is one SQL file").
 */
#ifndef PTXSEAL_DERIVE_SQLFILE_H
#define PTXSEAL_DERIVE_SQLFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"

enum { SQLFILE_BYTES_MAX = 256 << 10, SQLFILE_SECTIONS_MAX = 64 };

struct head_line {
	char *word;    /* "title" */
	char *value;   /* never empty; continuation lines joined by one space */
	uint64_t line; /* from 1 */
};

struct sql_section {
	char *columns; /* what the "-- lineage:" line says; NULL for the main query, which is the first section */
	char *sql;
	uint64_t line; /* of the SQL's first byte */
};

struct sqlfile {
	struct head_line *head;
	size_t head_count;
	struct sql_section *sections; /* at least one when parsed */
	size_t section_count;
};

/* file is for messages. sqlfile_free also after a failure. */
enum status sqlfile_parse(const char *text, size_t len, const char *file, struct sqlfile *out, struct error *err);
void sqlfile_free(struct sqlfile *sqlfile);

/* The value of the only line with that word; NULL if there is none. R_TAB_HEAD if there are several, or none although needed. */
enum status sqlfile_word(const struct sqlfile *sqlfile, const char *word, bool needed, const char *file, const char **value,
                         struct error *err);

/* "R-TAB-001": [a-z][a-z0-9_]* of at most 63 bytes. */
bool sql_name_valid(const char *name, size_t len);

#endif
