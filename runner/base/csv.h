/*
 * Strict CSV in (RFC 4180): one header line of distinct names, every record with as many fields, UTF-8
 * without BOM, quotes only around whole fields, one line ending throughout (LF or CRLF), last line ended.
 */
#ifndef PTXSEAL_BASE_CSV_H
#define PTXSEAL_BASE_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "error.h"

enum { CSV_FIELDS_MAX = 256, CSV_FIELD_BYTES_MAX = 1 << 20 };

struct csv_field {
	const char *text; /* unquoted, terminated; valid until the next csv_next */
	size_t len;
	bool quoted;
};

struct csv; /* a reader over bytes that the caller keeps */

/* Checks the whole text for UTF-8 and NUL, then the header. Free with csv_close; *csv is NULL unless OK is
 * returned. A line that an error names is the one at fault: where the record starts (R_CSV_FIELDS,
 * R_CSV_SIZE), where an unclosed quote was opened, or the very line (the others). */
enum status csv_open(const char *text, size_t len, const char *file, struct csv **csv, struct error *err);
void csv_close(struct csv *csv); /* NULL is fine */

size_t csv_columns(const struct csv *csv);
/* The column of that name, or -1. */
int csv_column(const struct csv *csv, const char *name);

/* The next record: *fields has csv_columns() entries and *line is where it starts, from 1 (the header is line
 * 1); *fields is NULL at the end. After an error there is only csv_close. */
enum status csv_next(struct csv *csv, const struct csv_field **fields, uint64_t *line, struct error *err);

/* Append one field, quoted where RFC 4180 needs it: if it holds a comma, a quote, CR or LF. */
void csv_write_field(const char *text, size_t len, struct bytes *out);

#endif
