#include "ptx.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

enum token_kind {
	END,
	WORD,   /* an identifier, or a directive with its dot */
	NUMBER, /* digits and what follows them without a space, such as 9.0 or 0f3F800000 */
	TEXT,   /* a string with its quotes */
	SIGN,   /* any other character */
};

struct token {
	enum token_kind kind;
	const char *text;
	size_t len;
	uint64_t line;
};

struct reader {
	const char *at, *end;
	uint64_t line;
	const char *file;
	struct token token; /* the one at hand */
	struct error *err;
	enum status status;
};

/* Once something failed there are no more tokens, so every loop ends. */
static void stop(struct reader *reader, enum status status)
{
	reader->status = status;
	reader->token.kind = END;
	reader->at = reader->end;
}

static void fail(struct reader *reader, enum rule rule, const char *what)
{
	const struct token *token = &reader->token;
	int shown = token->len < 40 ? (int)token->len : 40;

	if (reader->status != OK)
		return;
	if (token->kind == END)
		stop(reader, error_line(reader->err, rule, reader->file, token->line, "%s, not the end", what));
	else
		stop(reader, error_line(reader->err, rule, reader->file, token->line, "%s, not '%.*s'", what, shown,
		                        token->text));
}

static bool word_character(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

/* False where a comment has no end. */
static bool skip_space(struct reader *reader)
{
	while (reader->at < reader->end) {
		const char *at = reader->at;
		size_t left = (size_t)(reader->end - at);

		if (*at == '\n') {
			reader->line++;
			reader->at++;
		} else if (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\f' || *at == '\v') {
			reader->at++;
		} else if (left >= 2 && at[0] == '/' && at[1] == '/') {
			const char *stop = memchr(at, '\n', left);

			reader->at = stop != NULL ? stop : reader->end;
		} else if (left >= 2 && at[0] == '/' && at[1] == '*') {
			const char *stop = memmem(at + 2, left - 2, "*/", 2);

			if (stop == NULL)
				return false;
			for (; reader->at < stop + 2; reader->at++)
				reader->line += *reader->at == '\n';
		} else {
			break;
		}
	}
	return true;
}

static void next(struct reader *reader)
{
	struct token *token = &reader->token;

	if (reader->status != OK)
		return;
	if (!skip_space(reader)) {
		*token = (struct token){SIGN, reader->at, 2, reader->line};
		fail(reader, R_PTX_TEXT, "a comment should end");
		return;
	}
	*token = (struct token){END, reader->at, 0, reader->line};
	if (reader->at == reader->end)
		return;
	const char *at = reader->at;
	const char *end = reader->end;

	if (word_character(*at) || (*at == '.' && end - at > 1 && (isalpha((unsigned char)at[1]) || at[1] == '_'))) {
		token->kind = isdigit((unsigned char)*at) ? NUMBER : WORD;
		/* A version is 9.0; an instruction's suffixes come as words of their own. */
		for (at++; at < end && (word_character(*at) || (token->kind == NUMBER && *at == '.'));)
			at++;
	} else if (*at == '"') {
		token->kind = TEXT;
		for (at++; at < end && *at != '"' && *at != '\n'; at++)
			at += *at == '\\' && end - at > 1 && at[1] != '\n';
		if (at == end || *at != '"') {
			fail(reader, R_PTX_TEXT, "a string should end on its line");
			return;
		}
		at++;
	} else {
		token->kind = SIGN;
		at++;
	}
	token->len = (size_t)(at - token->text);
	reader->at = at;
}

static bool is(const struct reader *reader, const char *text)
{
	return reader->token.kind != END && reader->token.len == strlen(text) &&
	       memcmp(reader->token.text, text, reader->token.len) == 0;
}

static bool take(struct reader *reader, const char *text)
{
	if (!is(reader, text))
		return false;
	next(reader);
	return true;
}

static void need(struct reader *reader, const char *text, enum rule rule, const char *what)
{
	if (!take(reader, text))
		fail(reader, rule, what);
}

/* A decimal number of at most max, with nothing behind it. */
static uint32_t number(struct reader *reader, uint32_t max, enum rule rule, const char *what)
{
	const struct token *token = &reader->token;
	uint64_t value = 0;
	bool good = token->kind == NUMBER;

	for (size_t i = 0; good && i < token->len; i++) {
		good = isdigit((unsigned char)token->text[i]);
		value = value * 10 + (uint64_t)(token->text[i] - '0');
		good = good && value <= max;
	}
	if (!good) {
		fail(reader, rule, what);
		return 0;
	}
	next(reader);
	return (uint32_t)value;
}

/* An identifier (PTX ISA 4.4): a letter, or one of _$% and then something. */
static char *name(struct reader *reader, enum rule rule, const char *what)
{
	const struct token *token = &reader->token;
	char *copy = NULL;

	if (token->kind != WORD || token->text[0] == '.' || token->len > PTX_NAME_MAX ||
	    (token->len == 1 && !isalpha((unsigned char)token->text[0]))) {
		fail(reader, rule, what);
		return NULL;
	}
	copy = mem_textn(token->text, token->len);
	next(reader);
	return copy;
}

static void read_version(struct reader *reader, struct ptx *ptx)
{
	static const char what[] = "the text should start with .version MAJOR.MINOR";
	const struct token *token = &reader->token;

	need(reader, ".version", R_PTX_HEADER, what);
	if (reader->status != OK)
		return;
	const char *dot = token->kind == NUMBER ? memchr(token->text, '.', token->len) : NULL;
	size_t before = dot != NULL ? (size_t)(dot - token->text) : 0;
	bool good = dot != NULL && before >= 1 && before <= 2 && token->len - before == 2;

	for (size_t i = 0; good && i < token->len; i++)
		good = i == before || isdigit((unsigned char)token->text[i]);
	if (!good) {
		fail(reader, R_PTX_HEADER, what);
		return;
	}
	for (size_t i = 0; i < before; i++)
		ptx->major = ptx->major * 10 + (unsigned)(token->text[i] - '0');
	ptx->minor = (unsigned)(dot[1] - '0');
	next(reader);
}

static void read_target(struct reader *reader, struct ptx *ptx)
{
	static const char what[] = "behind .version should come .target sm_NN";

	need(reader, ".target", R_PTX_HEADER, what);
	if (reader->status == OK && (reader->token.len < 5 || memcmp(reader->token.text, "sm_", 3) != 0))
		fail(reader, R_PTX_HEADER, what);
	ptx->target = name(reader, R_PTX_HEADER, what);
	while (take(reader, ",")) {
		char *option = name(reader, R_PTX_HEADER, "a comma in .target should be followed by an option");

		ptx->debug = ptx->debug || (option != NULL && strcmp(option, "debug") == 0);
		free(option);
	}
}

static void read_address_size(struct reader *reader, struct ptx *ptx)
{
	ptx->address_size = 32; /* PTX ISA 11.1.3: what holds where none is written */
	if (!take(reader, ".address_size"))
		return;
	ptx->address_size = number(reader, 64, R_PTX_HEADER, ".address_size should be 32 or 64");
	if (reader->status == OK && ptx->address_size != 32 && ptx->address_size != 64)
		fail(reader, R_PTX_HEADER, ".address_size should be 32 or 64");
}

static const struct type {
	const char *name;
	uint32_t size;
} types[] = {
	{".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2}, {".u16", 2}, {".s16", 2}, {".f16", 2},  {".b32", 4},
	{".u32", 4}, {".s32", 4}, {".f32", 4}, {".b64", 8}, {".u64", 8}, {".s64", 8}, {".f64", 8},  {".b128", 16},
	{".f16x2", 4},
	/* Opaque handles of the driver API, passed as 64 bits. */
	{".texref", 8}, {".samplerref", 8}, {".surfref", 8},
};

static const struct type *type(struct reader *reader)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (take(reader, types[i].name))
			return &types[i];
	fail(reader, R_PTX_PARAMETER, "a parameter should have a type");
	return NULL;
}

static uint32_t alignment(struct reader *reader)
{
	uint32_t value = number(reader, 128, R_PTX_PARAMETER, ".align should be followed by a power of two up to 128");

	if (reader->status == OK && (value == 0 || (value & (value - 1)) != 0))
		fail(reader, R_PTX_PARAMETER, ".align should have been followed by a power of two up to 128");
	return value;
}

/* .ptr .SPACE .align N: what the pointer points to, which matters to the compiler alone. */
static void read_pointer(struct reader *reader, struct ptx_parameter *parameter)
{
	static const char *const spaces[] = {".const", ".global", ".local", ".shared"};

	if (!take(reader, ".ptr"))
		return;
	parameter->pointer = true;
	for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
		if (take(reader, spaces[i]))
			break;
	if (take(reader, ".align"))
		alignment(reader);
}

static void read_parameter(struct reader *reader, struct ptx_parameter *parameter)
{
	bool aligned = false;

	need(reader, ".param", R_PTX_PARAMETER, "a parameter should start with .param");
	if (take(reader, ".align")) {
		aligned = true;
		parameter->alignment = alignment(reader);
	}
	const struct type *of = type(reader);

	if (of == NULL)
		return;
	strncpy(parameter->type, of->name + 1, sizeof parameter->type - 1);
	if (!aligned)
		parameter->alignment = of->size;
	parameter->count = 1;
	read_pointer(reader, parameter);
	parameter->name = name(reader, R_PTX_PARAMETER, "a parameter should have a name");
	if (take(reader, "[")) {
		parameter->array = true;
		parameter->count = number(reader, PTX_PARAMETER_BYTES_MAX, R_PTX_PARAMETER,
		                          "an array should have a number of elements that fits");
		need(reader, "]", R_PTX_PARAMETER, "the number of elements should be followed by ]");
	}
	parameter->size = parameter->count * of->size;
}

static void place_parameter(struct reader *reader, struct ptx_entry *entry, struct ptx_parameter *parameter)
{
	if (reader->status != OK)
		return;
	parameter->offset = (entry->size + parameter->alignment - 1) & ~(parameter->alignment - 1);
	entry->size = parameter->offset + parameter->size;
	if (parameter->size == 0 || entry->size > PTX_PARAMETER_BYTES_MAX)
		stop(reader, error_line(reader->err, R_PTX_PARAMETER, reader->file, entry->line,
		                        "parameter '%.100s' takes %" PRIu32 " bytes, all up to it %" PRIu32
		                        "; more than none and at most %d are allowed",
		                        parameter->name, parameter->size, entry->size, PTX_PARAMETER_BYTES_MAX));
}

static void read_parameters(struct reader *reader, struct ptx_entry *entry)
{
	size_t room = 0;

	if (!take(reader, "(") || take(reader, ")"))
		return; /* no list, or an empty one */
	do {
		if (entry->parameters == PTX_PARAMETERS_MAX) {
			fail(reader, R_PTX_PARAMETER, "the list of parameters should be shorter");
			return;
		}
		if (entry->parameters == room) {
			room = room == 0 ? 8 : room * 2;
			entry->parameter = mem_array(entry->parameter, room, sizeof *entry->parameter);
		}
		struct ptx_parameter *parameter = &entry->parameter[entry->parameters++];

		*parameter = (struct ptx_parameter){0};
		read_parameter(reader, parameter);
		place_parameter(reader, entry, parameter);
	} while (take(reader, ","));
	need(reader, ")", R_PTX_PARAMETER, "the list of parameters should end in )");
}

/* From the { at hand to behind its }. */
static void skip_body(struct reader *reader)
{
	uint64_t depth = 0;

	do {
		if (reader->token.kind == END) {
			fail(reader, R_PTX_TEXT, "a } should close what { opened");
			return;
		}
		if (is(reader, "{"))
			depth++;
		else if (is(reader, "}"))
			depth--;
		next(reader);
	} while (depth > 0);
}

static void entry_free(struct ptx_entry *entry)
{
	for (size_t i = 0; i < entry->parameters; i++)
		free(entry->parameter[i].name);
	free(entry->parameter);
	free(entry->name);
}

static void add_entry(struct reader *reader, struct ptx *ptx, const struct ptx_entry *entry)
{
	for (size_t i = 0; i < ptx->entries; i++)
		if (strcmp(ptx->entry[i].name, entry->name) == 0) {
			stop(reader, error_line(reader->err, R_PTX_ENTRY, reader->file, entry->line,
			                        "entry '%.100s' stands on line %" PRIu64 " already", entry->name,
			                        ptx->entry[i].line));
			return;
		}
	if (ptx->entries == PTX_ENTRIES_MAX) {
		stop(reader, error_line(reader->err, R_PTX_ENTRY, reader->file, entry->line,
		                        "there are more than %d entries", PTX_ENTRIES_MAX));
		return;
	}
	ptx->entry = mem_array(ptx->entry, ptx->entries + 1, sizeof *ptx->entry);
	ptx->entry[ptx->entries++] = *entry;
}

/* Behind .entry: name, parameters, directives such as .maxntid, and a body or, in a prototype, a semicolon. */
static void read_entry(struct reader *reader, struct ptx *ptx, bool visible)
{
	struct ptx_entry entry = {.line = reader->token.line, .visible = visible};

	entry.name = name(reader, R_PTX_ENTRY, ".entry should be followed by a name");
	read_parameters(reader, &entry);
	while (reader->token.kind != END && !is(reader, "{") && !is(reader, ";"))
		next(reader);
	bool body = is(reader, "{");

	if (body)
		skip_body(reader);
	else
		need(reader, ";", R_PTX_ENTRY, "an entry should have a body");
	if (reader->status == OK && body)
		add_entry(reader, ptx, &entry);
	if (reader->status != OK || !body)
		entry_free(&entry);
}

static void read_module(struct reader *reader, struct ptx *ptx)
{
	bool visible = false;

	while (reader->status == OK && reader->token.kind != END) {
		if (is(reader, "{")) {
			skip_body(reader);
		} else if (is(reader, "}")) {
			fail(reader, R_PTX_TEXT, "a } should close something");
		} else if (take(reader, ".visible")) {
			visible = true;
			continue;
		} else if (take(reader, ".entry")) {
			read_entry(reader, ptx, visible);
		} else {
			next(reader);
		}
		visible = false;
	}
}

enum status ptx_read(const char *text, size_t len, const char *file, struct ptx *ptx, struct error *err)
{
	struct reader reader = {.at = text, .end = text + len, .line = 1, .file = file, .err = err, .status = OK};
	const char *nul = memchr(text, '\0', len);

	*ptx = (struct ptx){0};
	if (len > PTX_BYTES_MAX)
		return error_set(err, R_PTX_TEXT, file, "%zu bytes are more than the limit of %d", len, PTX_BYTES_MAX);
	if (nul != NULL)
		return error_at(err, R_PTX_TEXT, file, (uint64_t)(nul - text), "a NUL byte");
	next(&reader);
	read_version(&reader, ptx);
	read_target(&reader, ptx);
	read_address_size(&reader, ptx);
	read_module(&reader, ptx);
	if (reader.status != OK)
		ptx_free(ptx);
	return reader.status;
}

void ptx_free(struct ptx *ptx)
{
	for (size_t i = 0; i < ptx->entries; i++)
		entry_free(&ptx->entry[i]);
	free(ptx->entry);
	free(ptx->target);
	*ptx = (struct ptx){0};
}
