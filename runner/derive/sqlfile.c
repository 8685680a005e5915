#include "sqlfile.h"

#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/utf8.h"

enum { NAME_MAX_BYTES = 63 };

bool sql_name_valid(const char *name, size_t len)
{
	if (len == 0 || len > NAME_MAX_BYTES || name[0] < 'a' || name[0] > 'z')
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = name[i];

		if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_')
			return false;
	}
	return true;
}

void sqlfile_free(struct sqlfile *sqlfile)
{
	for (size_t i = 0; i < sqlfile->head_count; i++) {
		free(sqlfile->head[i].word);
		free(sqlfile->head[i].value);
	}
	for (size_t i = 0; i < sqlfile->section_count; i++) {
		free(sqlfile->sections[i].columns);
		free(sqlfile->sections[i].sql);
	}
	free(sqlfile->head);
	free(sqlfile->sections);
	*sqlfile = (struct sqlfile){0};
}

/* A cursor over lines; at stands on the first byte of line number. */
struct lines {
	const char *text;
	size_t len;
	size_t at;
	uint64_t number;
};

static size_t line_length(const struct lines *lines)
{
	const char *end = memchr(lines->text + lines->at, '\n', lines->len - lines->at);

	return end == NULL ? lines->len - lines->at : (size_t)(end - (lines->text + lines->at));
}

static void line_skip(struct lines *lines, size_t length)
{
	lines->at += length + (lines->at + length < lines->len ? 1 : 0);
	lines->number++;
}

static bool starts(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && memcmp(text, with, strlen(with)) == 0;
}

/* Without the spaces and tabs around it. */
static char *trimmed(const char *text, size_t len)
{
	while (len > 0 && (text[0] == ' ' || text[0] == '\t')) {
		text++;
		len--;
	}
	while (len > 0 && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	return mem_textn(text, len);
}

/* One line of the head that is not a continuation: "-- word: value". */
static enum status head_add(struct sqlfile *out, const char *text, size_t len, uint64_t line, const char *file,
                            struct error *err)
{
	const char *colon = memchr(text, ':', len);

	if (colon == NULL || !starts(text, len, "-- "))
		return error_line(err, R_TAB_HEAD, file, line, "this is no line of a head: '%.*s'", (int)(len < 60 ? len : 60),
		                  text);
	size_t word = (size_t)(colon - text);

	out->head = mem_array(out->head, out->head_count + 1, sizeof *out->head);
	struct head_line *add = &out->head[out->head_count++];

	*add = (struct head_line){.word = trimmed(text + 3, word - 3),
	                          .value = trimmed(colon + 1, len - word - 1),
	                          .line = line};
	if (add->value[0] == '\0')
		return error_line(err, R_TAB_HEAD, file, line, "the word '%s' has no value", add->word);
	return OK;
}

static enum status head_continue(struct sqlfile *out, const char *text, size_t len, uint64_t line, const char *file,
                                 struct error *err)
{
	if (out->head_count == 0)
		return error_line(err, R_TAB_HEAD, file, line, "there is nothing before this line that it could continue");
	struct head_line *last = &out->head[out->head_count - 1];
	char *more = trimmed(text + 4, len - 4);
	char *both = mem_format("%s %s", last->value, more);

	free(more);
	free(last->value);
	last->value = both;
	return OK;
}

static enum status parse_head(struct lines *lines, const char *file, struct sqlfile *out, struct error *err)
{
	while (lines->at < lines->len) {
		const char *text = lines->text + lines->at;
		size_t len = line_length(lines);
		enum status status = OK;

		if (!starts(text, len, "--"))
			break;
		if (starts(text, len, "-- |"))
			status = head_continue(out, text, len, lines->number, file, err);
		else if (len > 2)
			status = head_add(out, text, len, lines->number, file, err);
		if (status != OK)
			return status;
		line_skip(lines, len);
	}
	return OK;
}

/* SQL up to the next "-- lineage:" line or the end. */
static enum status parse_section(struct lines *lines, char *columns, const char *file, struct sqlfile *out, struct error *err)
{
	out->sections = mem_array(out->sections, out->section_count + 1, sizeof *out->sections);
	struct sql_section *section = &out->sections[out->section_count++];
	size_t from = lines->at;

	*section = (struct sql_section){.columns = columns, .line = lines->number};
	while (lines->at < lines->len) {
		const char *text = lines->text + lines->at;
		size_t len = line_length(lines);

		if (starts(text, len, "-- lineage:"))
			break;
		/* A head line down here would silently be taken for a comment. */
		if (starts(text, len, "-- column:") || starts(text, len, "-- key:") || starts(text, len, "-- denominator:"))
			return error_line(err, R_TAB_HEAD, file, lines->number, "this line belongs into the head, before the query");
		line_skip(lines, len);
	}
	section->sql = mem_textn(lines->text + from, lines->at - from);
	if (strspn(section->sql, " \t\r\n;") == strlen(section->sql))
		return error_line(err, R_TAB_SQL, file, section->line, "there is no query here");
	return OK;
}

static enum status parse_lineage(struct lines *lines, const char *file, struct sqlfile *out, struct error *err)
{
	size_t len = line_length(lines);
	size_t word = strlen("-- lineage:");
	char *columns = trimmed(lines->text + lines->at + word, len - word);

	if (out->section_count >= SQLFILE_SECTIONS_MAX) {
		free(columns);
		return error_line(err, R_TAB_HEAD, file, lines->number, "there are more than %d queries", SQLFILE_SECTIONS_MAX);
	}
	line_skip(lines, len);
	return parse_section(lines, columns, file, out, err);
}

enum status sqlfile_parse(const char *text, size_t len, const char *file, struct sqlfile *out, struct error *err)
{
	struct lines lines = {.text = text, .len = len, .number = 1};

	*out = (struct sqlfile){0};
	size_t valid = utf8_check(text, len);

	if (valid < len)
		return error_at(err, R_TAB_SQL, file, valid, "the file is not UTF-8");
	if (memchr(text, '\0', len) != NULL || memchr(text, '\r', len) != NULL)
		return error_set(err, R_TAB_SQL, file, "the file holds a NUL or a carriage return");
	enum status status = parse_head(&lines, file, out, err);

	if (status == OK)
		status = parse_section(&lines, NULL, file, out, err);
	while (status == OK && lines.at < lines.len)
		status = parse_lineage(&lines, file, out, err);
	return status;
}

enum status sqlfile_word(const struct sqlfile *sqlfile, const char *word, bool needed, const char *file, const char **value,
                         struct error *err)
{
	*value = NULL;
	for (size_t i = 0; i < sqlfile->head_count; i++) {
		if (strcmp(sqlfile->head[i].word, word) != 0)
			continue;
		if (*value != NULL)
			return error_line(err, R_TAB_HEAD, file, sqlfile->head[i].line, "the word '%s' stands here a second time",
			                  word);
		*value = sqlfile->head[i].value;
	}
	if (*value == NULL && needed)
		return error_set(err, R_TAB_HEAD, file, "the head has no line '-- %s: ...'", word);
	return OK;
}
