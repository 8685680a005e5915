#include "ptx_reads.h"

#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

static bool in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%';
}

/* What stands before the name, back to the end of the statement before. */
static const char *statement(const char *text, const char *at)
{
	while (at > text && strchr(";{}(\n,", at[-1]) == NULL)
		at--;
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

static bool is_declaration(const char *text, const char *at)
{
	return strncmp(statement(text, at), ".param", 6) == 0;
}

/* Bytes that "ld.param.v2.u32" reads: its last part's bits, as often as its vector says; 0 if that is not to be told. */
static size_t width(const char *from, const char *to)
{
	size_t count = 1, bits = 0;

	for (const char *at = from; at < to; at++) {
		if (*at != '.')
			continue;
		if (at + 2 < to && at[1] == 'v' && at[2] >= '1' && at[2] <= '8')
			count = (size_t)(at[2] - '0');
		else if (at + 2 < to && strchr("busf", at[1]) != NULL && at[2] >= '1' && at[2] <= '9')
			bits = (size_t)strtoul(at + 2, NULL, 10);
	}
	return bits % 8 == 0 ? bits / 8 * count : 0;
}

/* "ld.param.TYPE REGISTERS, [NAME" and then "+N]" or "]": the read bytes; else *bytes is 0. */
static void read_load(const char *text, const char *at, size_t name, size_t *offset, size_t *bytes)
{
	const char *line = at, *end = at + name;

	*offset = *bytes = 0;
	if (at == text || at[-1] != '[')
		return;
	while (line > text && strchr(";\n", line[-1]) == NULL)
		line--;
	while (*line == ' ' || *line == '\t')
		line++;
	if (strncmp(line, "ld.param.", 9) != 0)
		return;
	if (*end == '+' && end[1] >= '0' && end[1] <= '9') {
		char *after = NULL;

		*offset = (size_t)strtoul(end + 1, &after, 10);
		end = after;
	}
	if (*end == ']')
		*bytes = width(line + 8, line + strcspn(line, " \t"));
}

/* Where the comment or string at the place ends; NULL if none begins there. */
static const char *skip(const char *at, const char *end)
{
	const size_t left = (size_t)(end - at);
	const char *stop = NULL;

	if (left >= 2 && memcmp(at, "//", 2) == 0)
		return (stop = memchr(at, '\n', left)) != NULL ? stop : end;
	if (left >= 2 && memcmp(at, "/*", 2) == 0)
		return (stop = memmem(at + 2, left - 2, "*/", 2)) != NULL ? stop + 2 : end;
	if (*at != '"')
		return NULL;
	for (at++; at < end && *at != '"' && *at != '\n'; at++)
		at += *at == '\\' && end - at > 1 && at[1] != '\n';
	return at < end ? at + 1 : end;
}

/* The text with blanks for comments and strings, which could be made to look like what they are not; terminated. */
static char *bare(const char *text, size_t len)
{
	char *copy = mem_textn(text, len);
	const char *end = text + len;

	for (const char *at = text; at < end;) {
		const char *stop = skip(at, end);

		if (stop != NULL)
			memset(copy + (at - text), ' ', (size_t)(stop - at));
		at = stop != NULL ? stop : at + 1;
	}
	return copy;
}

/* An offset, or what may be one: other parameters lie there. */
static bool goes_on(const char *end)
{
	end += strspn(end, " \t\r\n");
	return *end == '+' || *end == '-';
}

bool ptx_reads(const char *text, size_t len, const char *parameter, bool *seen, size_t size)
{
	const size_t name = strlen(parameter);
	char *copy = bare(text, len);
	bool within = true;

	memset(seen, 0, size * sizeof *seen);
	for (const char *at = copy; (at = memmem(at, len - (size_t)(at - copy), parameter, name)) != NULL; at += name) {
		size_t offset, bytes;

		if ((at > copy && in_name(at[-1])) || in_name(at[name]) || is_declaration(copy, at))
			continue;
		read_load(copy, at, name, &offset, &bytes);
		if (bytes == 0 || offset >= size || bytes > size - offset) {
			within = within && bytes == 0 && !goes_on(at + name);
			offset = 0;
			bytes = size;
		}
		for (size_t i = offset; i - offset < bytes; i++)
			seen[i] = true;
	}
	free(copy);
	return within;
}
