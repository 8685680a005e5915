#include "csv.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

struct csv {
	const char *text;
	size_t len;
	size_t at;
	uint64_t line; /* of at, from 1 */
	char *file;
	bool crlf; /* how the header line ends, and so every other */

	char **names;
	size_t columns;

	struct csv_field *fields; /* room for CSV_FIELDS_MAX */
	struct bytes record;      /* the fields of one record, unquoted, each NUL-terminated */
};

static bool line_ends(const struct csv *csv)
{
	return csv->at < csv->len && (csv->text[csv->at] == '\n' || csv->text[csv->at] == '\r');
}

/* Past the LF or CRLF at hand. */
static enum status pass_line_end(struct csv *csv, struct error *err)
{
	bool crlf = csv->text[csv->at] == '\r';

	if (crlf && (csv->at + 1 == csv->len || csv->text[csv->at + 1] != '\n'))
		return error_line(err, R_CSV_LINE_END, csv->file, csv->line, "a CR stands without LF");
	if (csv->names == NULL)
		csv->crlf = crlf;
	else if (csv->crlf != crlf)
		return error_line(err, R_CSV_LINE_END, csv->file, csv->line,
				  "this line ends with %s, the first with %s", crlf ? "CRLF" : "LF",
				  csv->crlf ? "CRLF" : "LF");
	csv->at += crlf ? 2 : 1;
	csv->line++;
	return OK;
}

static enum status plain_field(struct csv *csv, struct error *err)
{
	const char *start = csv->text + csv->at;

	while (csv->at < csv->len) {
		char c = csv->text[csv->at];

		if (c == ',' || c == '\n' || c == '\r')
			break;
		if (c == '"')
			return error_line(err, R_CSV_QUOTE, csv->file, csv->line,
					  "a quote stands inside an unquoted field");
		csv->at++;
	}
	bytes_add(&csv->record, start, (size_t)(csv->text + csv->at - start));
	return OK;
}

static enum status quoted_field(struct csv *csv, struct error *err)
{
	uint64_t opened = csv->line;

	csv->at++;
	for (;;) {
		const char *run = csv->text + csv->at;
		const char *quote = memchr(run, '"', csv->len - csv->at);

		if (quote == NULL)
			return error_line(err, R_CSV_QUOTE, csv->file, opened,
					  "the quoted field that begins here is not closed");
		for (const char *c = run; (c = memchr(c, '\n', (size_t)(quote - c))) != NULL; c++)
			csv->line++;
		bytes_add(&csv->record, run, (size_t)(quote - run));
		csv->at = (size_t)(quote - csv->text) + 1;
		if (csv->at == csv->len || csv->text[csv->at] != '"')
			break;
		bytes_char(&csv->record, '"');
		csv->at++;
	}
	if (csv->at < csv->len && csv->text[csv->at] != ',' && !line_ends(csv))
		return error_line(err, R_CSV_QUOTE, csv->file, csv->line,
				  "text follows the closing quote of a field");
	return OK;
}

/* One record of at most most fields; *count is how many it has. Their text is set once the record's buffer
 * moves no more. */
static enum status read_record(struct csv *csv, size_t most, size_t *count, struct error *err)
{
	uint64_t first_line = csv->line;
	size_t n = 0;

	csv->record.len = 0;
	for (;;) {
		if (n == most)
			return error_line(err, csv->names == NULL ? R_CSV_SIZE : R_CSV_FIELDS, csv->file,
					  first_line, "this record has more than %zu fields", most);
		struct csv_field *field = &csv->fields[n++];
		size_t start = csv->record.len;

		field->quoted = csv->at < csv->len && csv->text[csv->at] == '"';
		enum status status = field->quoted ? quoted_field(csv, err) : plain_field(csv, err);

		if (status != OK)
			return status;
		field->len = csv->record.len - start;
		if (field->len > CSV_FIELD_BYTES_MAX)
			return error_line(err, R_CSV_SIZE, csv->file, first_line, "field %zu has %zu bytes",
					  n, field->len);
		bytes_char(&csv->record, '\0');
		if (csv->at == csv->len)
			return error_line(err, R_CSV_LINE_END, csv->file, csv->line,
					  "the file ends within this line");
		if (line_ends(csv))
			break;
		csv->at++;
	}
	const char *text = csv->record.data;

	for (size_t i = 0; i < n; i++) {
		csv->fields[i].text = text;
		text += csv->fields[i].len + 1;
	}
	*count = n;
	return pass_line_end(csv, err);
}

static enum status read_header(struct csv *csv, struct error *err)
{
	size_t count;
	enum status status = csv->len == 0 ? error_line(err, R_CSV_HEADER, csv->file, 1, "the file is empty")
					   : read_record(csv, CSV_FIELDS_MAX, &count, err);

	if (status != OK)
		return status;
	csv->names = mem_array(NULL, count, sizeof *csv->names);
	for (size_t i = 0; i < count; i++) {
		if (csv->fields[i].len == 0)
			return error_line(err, R_CSV_HEADER, csv->file, 1, "column %zu has no name", i + 1);
		if (csv_column(csv, csv->fields[i].text) >= 0)
			return error_line(err, R_CSV_HEADER, csv->file, 1, "there are two columns \"%.100s\"",
					  csv->fields[i].text);
		csv->names[csv->columns++] = mem_textn(csv->fields[i].text, csv->fields[i].len);
	}
	return OK;
}

/* The whole text at once, so that fields need no further look: UTF-8, no byte order mark, no NUL. */
static enum status check_text(const struct csv *csv, struct error *err)
{
	size_t bad = utf8_check(csv->text, csv->len);
	const char *nul = memchr(csv->text, '\0', bad);
	uint64_t line = 1;

	if (csv->len >= 3 && memcmp(csv->text, "\xEF\xBB\xBF", 3) == 0)
		return error_line(err, R_CSV_UTF8, csv->file, 1, "the file begins with a byte order mark");
	if (nul != NULL)
		bad = (size_t)(nul - csv->text);
	if (bad == csv->len)
		return OK;
	for (size_t i = 0; i < bad; i++)
		line += csv->text[i] == '\n';
	return error_line(err, R_CSV_UTF8, csv->file, line, "byte %zu of the file is 0x%02X", bad,
			  (unsigned char)csv->text[bad]);
}

enum status csv_open(const char *text, size_t len, const char *file, struct csv **csv, struct error *err)
{
	struct csv *c = mem_alloc(sizeof *c);

	c->text = len == 0 ? "" : text;
	c->len = len;
	c->line = 1;
	c->file = mem_text(file);
	c->fields = mem_array(NULL, CSV_FIELDS_MAX, sizeof *c->fields);
	enum status status = check_text(c, err);

	if (status == OK)
		status = read_header(c, err);
	if (status != OK) {
		csv_close(c);
		c = NULL;
	}
	*csv = c;
	return status;
}

void csv_close(struct csv *csv)
{
	if (csv == NULL)
		return;
	for (size_t i = 0; i < csv->columns; i++)
		free(csv->names[i]);
	free(csv->names);
	free(csv->fields);
	free(csv->file);
	bytes_free(&csv->record);
	free(csv);
}

size_t csv_columns(const struct csv *csv)
{
	return csv->columns;
}

int csv_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->columns; i++)
		if (strcmp(csv->names[i], name) == 0)
			return (int)i;
	return -1;
}

enum status csv_next(struct csv *csv, const struct csv_field **fields, uint64_t *line, struct error *err)
{
	size_t count;

	*fields = NULL;
	if (csv->at == csv->len)
		return OK;
	*line = csv->line;
	enum status status = read_record(csv, csv->columns, &count, err);

	if (status != OK)
		return status;
	if (count < csv->columns)
		return error_line(err, R_CSV_FIELDS, csv->file, *line, "this record has %zu of %zu fields",
				  count, csv->columns);
	*fields = csv->fields;
	return OK;
}

void csv_write_field(const char *text, size_t len, struct bytes *out)
{
	bool quote = false;

	for (size_t i = 0; i < len && !quote; i++)
		quote = text[i] == ',' || text[i] == '"' || text[i] == '\n' || text[i] == '\r';
	if (!quote) {
		bytes_add(out, text, len);
		return;
	}
	bytes_char(out, '"');
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '"')
			bytes_char(out, '"');
		bytes_char(out, text[i]);
	}
	bytes_char(out, '"');
}
