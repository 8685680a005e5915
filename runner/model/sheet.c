#include "sheet.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../bundle/ledger.h"

static enum status check_columns(struct sheet *sheet, struct error *err)
{
	size_t count = 0;

	for (; sheet->columns[count] != NULL; count++) {
		sheet->place[count] = csv_column(sheet->csv, sheet->columns[count]);
		if (sheet->place[count] < 0)
			return error_line(err, R_IMP_COLUMNS, sheet->file, 1, "column '%s' is missing",
			                  sheet->columns[count]);
	}
	if (csv_columns(sheet->csv) != count)
		return error_line(err, R_IMP_COLUMNS, sheet->file, 1, "%zu columns, %zu are known",
		                  csv_columns(sheet->csv), count);
	return OK;
}

enum status sheet_open(struct sheet *sheet, const char *text, size_t len, const char *file,
                       const char *const *columns, struct error *err)
{
	*sheet = (struct sheet){.file = file, .columns = columns};
	enum status status = csv_open(text, len, file, &sheet->csv, err);

	if (status == OK)
		status = check_columns(sheet, err);
	return status;
}

void sheet_close(struct sheet *sheet)
{
	csv_close(sheet->csv);
	*sheet = (struct sheet){0};
}

enum status sheet_next(struct sheet *sheet, bool *more, struct error *err)
{
	enum status status = csv_next(sheet->csv, &sheet->fields, &sheet->line, err);

	*more = status == OK && sheet->fields != NULL;
	if (*more)
		sheet->rows++;
	else if (status == OK && sheet->rows == 0)
		return error_line(err, R_IMP_EMPTY, sheet->file, 1, "no row follows the header");
	return status;
}

const char *sheet_text(const struct sheet *sheet, int column)
{
	return sheet->fields[sheet->place[column]].text;
}

size_t sheet_length(const struct sheet *sheet, int column)
{
	return sheet->fields[sheet->place[column]].len;
}

enum status sheet_refuse(const struct sheet *sheet, int column, enum rule rule, struct error *err,
                         const char *fmt, ...)
{
	char why[512];
	va_list args;

	va_start(args, fmt);
	vsnprintf(why, sizeof why, fmt, args);
	va_end(args);
	return error_line(err, rule, sheet->file, sheet->line, "column '%s': '%.200s' %s",
	                  sheet->columns[column], sheet_text(sheet, column), why);
}

enum status sheet_integer(const struct sheet *sheet, int column, uint64_t max, uint64_t *out,
                          struct error *err)
{
	const char *text = sheet_text(sheet, column);
	size_t len = sheet_length(sheet, column);
	uint64_t value = 0;

	if (len == 0 || len > 16 || strspn(text, "0123456789") != len || (len > 1 && text[0] == '0'))
		return sheet_refuse(sheet, column, R_IMP_NUMBER, err, "is not an integer in plain digits");
	for (size_t i = 0; i < len; i++)
		value = value * 10 + (uint64_t)(text[i] - '0');
	if (value > max)
		return sheet_refuse(sheet, column, R_IMP_RANGE, err, "is more than %" PRIu64, max);
	*out = value;
	return OK;
}

enum status sheet_decimal(const struct sheet *sheet, int column, double *out, struct error *err)
{
	if (!decimal_parse(sheet_text(sheet, column), sheet_length(sheet, column), out))
		return sheet_refuse(sheet, column, R_IMP_NUMBER, err, "is not a decimal from 0");
	return OK;
}

enum status sheet_same(const struct sheet *sheet, int column, const char *text, enum rule rule,
                       struct error *err)
{
	if (strcmp(sheet_text(sheet, column), text) != 0)
		return sheet_refuse(sheet, column, rule, err, "where '%.200s' should stand", text);
	return OK;
}
