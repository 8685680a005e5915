/*
 * One CSV file with the columns it must have, read row by row, its cells checked as they are taken. Every
 * refusal names the file, the line and the column.
 */
#ifndef PTXSEAL_MODEL_SHEET_H
#define PTXSEAL_MODEL_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/csv.h"
#include "../base/error.h"

enum { SHEET_COLUMNS_MAX = 32 };

struct sheet {
	const char *file;             /* for messages */
	const char *const *columns;   /* NULL-terminated; the caller's numbers for columns are places in this list */
	struct csv *csv;
	int place[SHEET_COLUMNS_MAX]; /* where each stands in the file */
	const struct csv_field *fields;
	uint64_t line;                /* of the current row */
	uint64_t rows;                /* read so far */
};

/* text stays the caller's and must outlive the sheet. The file has to have exactly these columns, in
 * whatever order. */
enum status sheet_open(struct sheet *sheet, const char *text, size_t len, const char *file, const char *const *columns,
                       struct error *err);
void sheet_close(struct sheet *sheet);

/* The next row; *more is false at the end, which is refused if there was no row at all. */
enum status sheet_next(struct sheet *sheet, bool *more, struct error *err);

/* The cell as it stands, terminated; valid until the next row. */
const char *sheet_text(const struct sheet *sheet, int column);
size_t sheet_length(const struct sheet *sheet, int column);

/* An integer in plain digits without leading zeros, at most max. */
enum status sheet_integer(const struct sheet *sheet, int column, uint64_t max, uint64_t *out, struct error *err);
/* A decimal from 0 (decimal_parse in bundle/ledger.h). */
enum status sheet_decimal(const struct sheet *sheet, int column, double *out, struct error *err);
/* Not empty, and the same as text. */
enum status sheet_same(const struct sheet *sheet, int column, const char *text, enum rule rule, struct error *err);

/* Refuse the cell: "column 'turn': '9' WHY". */
enum status sheet_refuse(const struct sheet *sheet, int column, enum rule rule, struct error *err, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif
