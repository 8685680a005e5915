#include "ptx_reads.h"

#include <stdlib.h>
#include <string.h>

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

void ptx_reads(const char *text, size_t len, const char *parameter, bool *seen, size_t size)
{
	const size_t name = strlen(parameter);

	memset(seen, 0, size * sizeof *seen);
	for (const char *at = text; (at = memmem(at, len - (size_t)(at - text), parameter, name)) != NULL; at += name) {
		size_t offset, bytes;

		if ((at > text && in_name(at[-1])) || in_name(at[name]) || is_declaration(text, at))
			continue;
		read_load(text, at, name, &offset, &bytes);
		if (bytes == 0 || offset >= size) {
			offset = 0;
			bytes = size;
		}
		for (size_t i = offset; i < size && i - offset < bytes; i++)
			seen[i] = true;
	}
}
