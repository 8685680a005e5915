#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/ledger.h"

static const char *const counts_names[] = {
	[COUNTS_NOTHING] = "nothing", [COUNTS_TURNS] = "turns", [COUNTS_TRAJECTORIES] = "trajectories", [COUNTS_RUNS] = "runs"};

const char *counts_name(enum counts counts)
{
	return counts_names[counts];
}

void table_free(struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		free(table->columns[i].name);
		free(table->columns[i].empty);
		free(table->columns[i].meaning);
		free(table->columns[i].denominator);
	}
	for (size_t i = 0; i < table->underivable_count; i++) {
		free(table->underivable[i].column);
		free(table->underivable[i].why);
	}
	for (size_t i = 0; i < table->note_count; i++)
		free(table->notes[i]);
	free(table->name);
	free(table->file);
	free(table->title);
	free(table->rebuilds);
	free(table->evidence);
	free(table->source);
	free(table->columns);
	free(table->key);
	free(table->underivable);
	free(table->notes);
	sqlfile_free(&table->sql);
	*table = (struct table){0};
}

void claim_free(struct claim *claim)
{
	table_free(&claim->table);
	free(claim->id);
	free(claim->statement);
	free(claim->paper);
	free(claim->expect);
	*claim = (struct claim){0};
}

int table_column(const struct table *table, const char *name, size_t len)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (strlen(table->columns[i].name) == len && memcmp(table->columns[i].name, name, len) == 0)
			return (int)i;
	return -1;
}

/* Take the text up to sep (or all of it) off *rest, without spaces around it; *rest is NULL after the last. */
static char *take(const char **rest, const char *sep)
{
	const char *from = *rest;
	const char *end = strstr(from, sep);
	size_t len = end == NULL ? strlen(from) : (size_t)(end - from);

	*rest = end == NULL ? NULL : end + strlen(sep);
	while (len > 0 && *from == ' ') {
		from++;
		len--;
	}
	while (len > 0 && from[len - 1] == ' ')
		len--;
	return mem_textn(from, len);
}

/* The options after a column's format: "counts trajectories", "empty TEXT". */
static bool column_options(const char *rest, struct column *column)
{
	if (strncmp(rest, " counts ", 8) == 0) {
		rest += 8;
		for (enum counts c = COUNTS_TURNS; c <= COUNTS_RUNS; c++) {
			size_t len = strlen(counts_names[c]);

			if (strncmp(rest, counts_names[c], len) == 0 && (rest[len] == '\0' || rest[len] == ' ')) {
				column->counts = c;
				rest += len;
				break;
			}
		}
		if (column->counts == COUNTS_NOTHING || column->format.kind != FORMAT_INTEGER)
			return false;
	}
	if (strncmp(rest, " empty ", 7) == 0 && rest[7] != '\0') {
		free(column->empty);
		column->empty = mem_text(rest + 7);
		return true;
	}
	return *rest == '\0';
}

/* "name | format | meaning" */
static enum status column_add(struct table *table, const struct head_line *line, struct error *err)
{
	const char *rest = line->value;
	struct column column = {.name = take(&rest, " | "), .empty = mem_text(""), .line = line->line};
	char *format = rest != NULL ? take(&rest, " | ") : NULL;

	column.meaning = rest != NULL ? mem_text(rest) : NULL;
	table->columns = mem_array(table->columns, table->column_count + 1, sizeof column);
	table->columns[table->column_count++] = column;

	struct column *added = &table->columns[table->column_count - 1];
	const char *options = format != NULL ? format_parse(format, &added->format) : NULL;
	bool good = options != NULL && column_options(options, added) && added->meaning != NULL && added->meaning[0] != '\0';

	free(format);
	if (!sql_name_valid(added->name, strlen(added->name)))
		return error_line(err, R_TAB_NAME, table->file, line->line, "'%s' is no name of a column", added->name);
	if (!good)
		return error_line(err, R_TAB_COLUMN, table->file, line->line,
		                  "column '%s' does not say 'name | format | meaning' in a known format", added->name);
	if (table_column(table, added->name, strlen(added->name)) != (int)table->column_count - 1)
		return error_line(err, R_TAB_COLUMN, table->file, line->line, "column '%s' stands here a second time", added->name);
	if (table->column_count > TABLE_COLUMNS_MAX)
		return error_line(err, R_TAB_COLUMN, table->file, line->line, "there are more than %d columns", TABLE_COLUMNS_MAX);
	return OK;
}

/* "a, b" to indexes of columns. */
static enum status column_list(const struct table *table, const char *text, uint64_t line, size_t **list, size_t *count,
                               struct error *err)
{
	const char *rest = text;

	while (rest != NULL) {
		char *name = take(&rest, ",");
		int column = table_column(table, name, strlen(name));

		if (column < 0) {
			enum status status =
				error_line(err, R_TAB_COLUMN, table->file, line, "'%s' is no column of this table", name);

			free(name);
			return status;
		}
		free(name);
		*list = mem_array(*list, *count + 1, sizeof **list);
		(*list)[(*count)++] = (size_t)column;
	}
	return OK;
}

/* "column, column | text" */
static enum status denominator_add(struct table *table, const struct head_line *line, struct error *err)
{
	const char *rest = line->value;
	char *names = take(&rest, " | ");
	size_t *list = NULL;
	size_t count = 0;
	enum status status = column_list(table, names, line->line, &list, &count, err);

	if (status == OK && rest == NULL)
		status = error_line(err, R_TAB_COLUMN, table->file, line->line, "'%s' does not say 'column | text'", line->value);
	for (size_t i = 0; i < count && status == OK; i++) {
		struct column *column = &table->columns[list[i]];

		if (column->denominator != NULL)
			status = error_line(err, R_TAB_COLUMN, table->file, line->line, "column '%s' has a denominator already",
			                    column->name);
		else
			column->denominator = mem_text(rest);
	}
	free(list);
	free(names);
	return status;
}

/* "published column | why" */
static enum status underivable_add(struct table *table, const struct head_line *line, struct error *err)
{
	const char *rest = line->value;

	table->underivable = mem_array(table->underivable, table->underivable_count + 1, sizeof *table->underivable);
	struct underivable *add = &table->underivable[table->underivable_count++];

	*add = (struct underivable){.column = take(&rest, " | "), .why = NULL};
	if (rest == NULL)
		return error_line(err, R_TAB_COLUMN, table->file, line->line, "'%s' does not say 'column | why'", line->value);
	add->why = mem_text(rest);
	return OK;
}

static void note_add(struct table *table, const char *text)
{
	table->notes = mem_array(table->notes, table->note_count + 1, sizeof *table->notes);
	table->notes[table->note_count++] = mem_text(text);
}

/* The head words that tables and claims have in common and that may stand more than once. */
static enum status parse_lines(struct table *table, const char *const *single, struct error *err)
{
	/* Columns first: the other lines name them. */
	for (size_t i = 0; i < table->sql.head_count; i++) {
		if (strcmp(table->sql.head[i].word, "column") == 0) {
			enum status status = column_add(table, &table->sql.head[i], err);

			if (status != OK)
				return status;
		}
	}
	for (size_t i = 0; i < table->sql.head_count; i++) {
		const struct head_line *line = &table->sql.head[i];
		const char *const *known = single;
		enum status status = OK;

		while (*known != NULL && strcmp(*known, line->word) != 0)
			known++;
		if (strcmp(line->word, "denominator") == 0)
			status = denominator_add(table, line, err);
		else if (strcmp(line->word, "not derivable") == 0)
			status = underivable_add(table, line, err);
		else if (strcmp(line->word, "note") == 0)
			note_add(table, line->value);
		else if (*known == NULL && strcmp(line->word, "column") != 0)
			status = error_line(err, R_TAB_HEAD, table->file, line->line, "'%s' is no word of a head", line->word);
		if (status != OK)
			return status;
	}
	return OK;
}

/* Which runs the table shows. */
static enum status parse_evidence(struct table *table, struct error *err)
{
	const char *source = NULL;

	bool known = strcmp(table->evidence, "none") == 0;

	for (enum evidence e = 0; e < EVIDENCE_COUNT && !known; e++)
		known = strcmp(table->evidence, evidence_name(e)) == 0;
	if (!known)
		return error_set(err, R_TAB_HEAD, table->file, "evidence '%s' is no grade of evidence", table->evidence);
	enum status status = sqlfile_word(&table->sql, "source", false, table->file, &source, err);

	if (status == OK && source != NULL && !ledger_name_valid(source, strlen(source)))
		status = error_set(err, R_TAB_HEAD, table->file, "source '%s' cannot name a source", source);
	table->source = status == OK && source != NULL ? mem_text(source) : NULL;
	return status;
}

/* Give each column its lineage section. */
static enum status parse_lineage(struct table *table, struct error *err)
{
	enum status status = OK;

	for (size_t i = 1; i < table->sql.section_count && status == OK; i++) {
		const struct sql_section *section = &table->sql.sections[i];
		size_t *list = NULL;
		size_t count = 0;

		status = column_list(table, section->columns, section->line - 1, &list, &count, err);
		for (size_t k = 0; k < count && status == OK; k++) {
			struct column *column = &table->columns[list[k]];

			if (column->lineage != 0)
				status = error_line(err, R_TAB_COLUMN, table->file, section->line - 1,
				                    "column '%s' has a lineage query already", column->name);
			column->lineage = i;
		}
		free(list);
	}
	for (size_t i = 0; i < table->column_count && status == OK; i++) {
		const struct column *column = &table->columns[i];

		if (column->counts != COUNTS_NOTHING && column->lineage == 0)
			status = error_line(err, R_TAB_COLUMN, table->file, column->line,
			                    "column '%s' counts %s but has no lineage query", column->name,
			                    counts_names[column->counts]);
	}
	return status;
}

/* A word that stands once in the head, and the field that takes its value. */
struct word {
	const char *word;
	char **field;
};

static enum status take_words(const struct table *table, const struct word *words, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++) {
		const char *value;
		enum status status = sqlfile_word(&table->sql, words[i].word, true, table->file, &value, err);

		if (status != OK)
			return status;
		*words[i].field = mem_text(value);
	}
	return OK;
}

static enum status parse_common(const char *text, size_t len, const char *name, const char *file, const char *const *single,
                                struct table *table, struct error *err)
{
	*table = (struct table){.name = mem_text(name), .file = mem_text(file)};
	enum status status = sqlfile_parse(text, len, file, &table->sql, err);

	if (status == OK)
		status = parse_lines(table, single, err);
	if (status == OK)
		status = parse_lineage(table, err);
	return status;
}

enum status table_parse(const char *text, size_t len, const char *name, const char *file, struct table *table, struct error *err)
{
	static const char *const single[] = {"title", "rebuilds", "evidence", "source", "key", NULL};
	const char *key = NULL;
	enum status status = parse_common(text, len, name, file, single, table, err);

	if (status == OK && !sql_name_valid(name, strlen(name)))
		return error_set(err, R_TAB_NAME, file, "'%s' is no name of a table", name);
	const struct word words[] = {
		{"title", &table->title}, {"rebuilds", &table->rebuilds}, {"evidence", &table->evidence}};

	if (status == OK)
		status = take_words(table, words, sizeof words / sizeof words[0], err);
	if (status == OK)
		status = parse_evidence(table, err);
	if (status == OK)
		status = sqlfile_word(&table->sql, "key", true, file, &key, err);
	if (status == OK)
		status = column_list(table, key, 0, &table->key, &table->key_count, err);
	return status;
}

/* C and a number without leading zeros. */
static bool claim_id_valid(const char *id)
{
	return id[0] == 'C' && id[1] >= '1' && id[1] <= '9' && strspn(id + 1, "0123456789") == strlen(id + 1);
}

enum status claim_parse(const char *text, size_t len, const char *name, const char *file, struct claim *claim, struct error *err)
{
	static const char *const single[] = {"claim", "kind", "title", "statement", "paper", "evidence", "source", "expect", NULL};
	static const char *const verdicts[] = {"HOLDS", "FAILS", "NOT DERIVABLE"};
	const char *kind = NULL;
	bool known = false;

	*claim = (struct claim){0};
	enum status status = parse_common(text, len, name, file, single, &claim->table, err);
	const struct word words[] = {
		{"claim", &claim->id},    {"title", &claim->table.title},       {"statement", &claim->statement},
		{"paper", &claim->paper}, {"evidence", &claim->table.evidence}, {"expect", &claim->expect}};

	if (status == OK)
		status = take_words(&claim->table, words, sizeof words / sizeof words[0], err);
	if (status == OK && (!claim_id_valid(claim->id) || strcmp(claim->id, name) != 0))
		return error_set(err, R_TAB_NAME, file, "the claim in it is '%s'", claim->id);
	if (status == OK)
		status = parse_evidence(&claim->table, err);
	if (status == OK)
		status = sqlfile_word(&claim->table.sql, "kind", false, file, &kind, err);
	if (status == OK && kind != NULL && strcmp(kind, "claim") != 0 && strcmp(kind, "finding") != 0)
		return error_set(err, R_TAB_HEAD, file, "kind '%s' is neither claim nor finding", kind);
	claim->is_finding = kind != NULL && strcmp(kind, "finding") == 0;
	for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0] && status == OK; i++)
		known = known || strcmp(claim->expect, verdicts[i]) == 0;
	if (status == OK && !known)
		return error_set(err, R_TAB_HEAD, file, "expect '%s' is not HOLDS, FAILS or NOT DERIVABLE", claim->expect);
	if (status == OK && table_column(&claim->table, "holds", 5) >= 0)
		return error_set(err, R_TAB_COLUMN, file, "'holds' is the verdict's own column and not declared");
	return status;
}
