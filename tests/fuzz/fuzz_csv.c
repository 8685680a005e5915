/* Any bytes as CSV: no crash, and what is taken, written again, is read as the same. */
#include "fuzz.h"

#include "base/csv.h"

/* Every field written again, LF-ended; only if the whole text is taken. */
static enum status rewrite(const char *text, size_t size, struct bytes *out, struct error *err)
{
	struct csv *csv;
	const struct csv_field *fields;
	uint64_t line = 1;
	uint64_t last = 1;
	enum status status = csv_open(text, size, "table.csv", &csv, err);

	if (status != OK) {
		REQUIRE(csv == NULL);
		return status;
	}
	while ((status = csv_next(csv, &fields, &line, err)) == OK && fields != NULL) {
		REQUIRE(line > last);
		last = line;
		for (size_t i = 0; i < csv_columns(csv); i++) {
			REQUIRE(fields[i].text[fields[i].len] == '\0');
			csv_write_field(fields[i].text, fields[i].len, out);
			bytes_char(out, i + 1 < csv_columns(csv) ? ',' : '\n');
		}
	}
	csv_close(csv);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct bytes first = {0};
	struct bytes second = {0};
	enum status status = rewrite((const char *)data, size, &first, &err);

	if (status != OK) {
		REQUIRE(status == MALFORMED && err.line > 0);
	} else if (first.len > 0) {
		/* The first record now stands where the header stood, where it may be no header. */
		struct bytes table = {0};
		size_t columns = 1;

		for (const char *c = first.data, *quote = NULL; *c != '\n' || quote != NULL; c++) {
			if (*c == '"')
				quote = quote == NULL ? c : NULL;
			columns += *c == ',' && quote == NULL;
		}
		for (size_t i = 0; i < columns; i++)
			bytes_format(&table, "%sc%zu", i > 0 ? "," : "", i);
		bytes_char(&table, '\n');
		bytes_add(&table, first.data, first.len);
		REQUIRE(rewrite(table.data, table.len, &second, &err) == OK);
		REQUIRE(first.len == second.len && memcmp(first.data, second.data, first.len) == 0);
		bytes_free(&table);
	}
	bytes_free(&first);
	bytes_free(&second);
	return 0;
}
