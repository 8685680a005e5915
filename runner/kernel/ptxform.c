#include "ptxform.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct token {
	const char *at;
	size_t len;
	bool name; /* an identifier that is not part of a dotted word: `r1`, `%p3`, and the opcode `add` of `add.u32` */
};

struct name {
	const char *at;
	size_t len;
	bool range; /* declared as NAME<N>: followed by digits */
};

struct numbered { /* a declared name as it stands in the text, and the number it got */
	const char *at;
	size_t len, number;
};

struct form {
	struct token *token;
	size_t tokens;
	struct name *name; /* sorted by bytes once all are known */
	size_t names, numbers;
};

static bool starts_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* White space and comments; an unclosed comment takes the rest. */
static size_t skip(const char *text, size_t len, size_t at)
{
	for (;;) {
		while (at < len && isspace((unsigned char)text[at]))
			at++;
		if (at + 1 >= len || text[at] != '/' || (text[at + 1] != '/' && text[at + 1] != '*'))
			return at;
		const bool line = text[at + 1] == '/';

		for (at += 2; at < len && (line ? text[at] != '\n' : text[at - 1] != '*' || text[at] != '/' ); at++)
			;
		at += at < len;
	}
}

static size_t token_end(const char *text, size_t len, size_t at)
{
	size_t end = at + 1;

	if (text[at] == '"') {
		while (end < len && text[end] != '"')
			end++;
		return end + (end < len);
	}
	if (text[at] == '.' || starts_name(text[at]) || isdigit((unsigned char)text[at]))
		while (end < len && in_name(text[end]))
			end++;
	return end;
}

static void take_tokens(struct form *form, const char *text, size_t len)
{
	size_t room = 0;

	for (size_t at = skip(text, len, 0); at < len;) {
		const size_t end = token_end(text, len, at);

		if (form->tokens == room) {
			room = room == 0 ? 1024 : room * 2;
			form->token = mem_array(form->token, room, sizeof *form->token);
		}
		form->token[form->tokens++] = (struct token){.at = text + at, .len = end - at, .name = starts_name(text[at])};
		at = skip(text, len, end);
	}
}

static bool is(const struct form *form, size_t token, const char *word)
{
	return token < form->tokens && form->token[token].len == strlen(word) && strncmp(form->token[token].at, word, form->token[token].len) == 0;
}

static bool declares(const struct form *form, size_t token)
{
	static const char *const words[] = {".reg", ".param", ".shared", ".local", ".const", ".global", ".entry", ".func"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (is(form, token, words[i]))
			return true;
	return false;
}

static int by_bytes(const void *a, const void *b)
{
	const struct name *x = a, *y = b;
	const int order = memcmp(x->at, y->at, x->len < y->len ? x->len : y->len);

	return order != 0 ? order : (x->len > y->len) - (x->len < y->len);
}

static void add_name(struct form *form, size_t token, size_t *room)
{
	if (form->names == *room) {
		*room = *room == 0 ? 256 : *room * 2;
		form->name = mem_array(form->name, *room, sizeof *form->name);
	}
	form->name[form->names++] = (struct name){.at = form->token[token].at, .len = form->token[token].len, .range = is(form, token + 1, "<")};
}

/* A declaration names up to its `;`, `)` or `{`, an initialiser after `=` left out; and a name before `:` is a label. */
static void take_names(struct form *form)
{
	bool open = false;
	size_t room = 0, kept = 0;

	for (size_t i = 0; i < form->tokens; i++) {
		if (declares(form, i))
			open = true;
		else if (is(form, i, ";") || is(form, i, ")") || is(form, i, "{") || is(form, i, "="))
			open = false;
		else if (form->token[i].name && (open || is(form, i + 1, ":")))
			add_name(form, i, &room);
	}
	if (form->names > 1)
		qsort(form->name, form->names, sizeof *form->name, by_bytes);
	for (size_t i = 0; i < form->names; i++) {
		if (kept > 0 && by_bytes(&form->name[kept - 1], &form->name[i]) == 0)
			form->name[kept - 1].range = form->name[kept - 1].range || form->name[i].range;
		else
			form->name[kept++] = form->name[i];
	}
	form->names = kept;
}

static const struct name *find(const struct form *form, const char *at, size_t len)
{
	const struct name key = {.at = at, .len = len};

	return form->names == 0 ? NULL : bsearch(&key, form->name, form->names, sizeof key, by_bytes);
}

/* Is the token a declared name, or one of a range that was declared? */
static bool is_declared(const struct form *form, const struct token *token)
{
	size_t len = token->len;

	if (find(form, token->at, len) != NULL)
		return true;
	while (len > 1 && isdigit((unsigned char)token->at[len - 1]))
		len--;
	const struct name *name = len < token->len ? find(form, token->at, len) : NULL;

	return name != NULL && name->range;
}

/* The number of a name, a new one where it appears first. The table is probed from a slot that its text gives. */
static size_t number_of(struct form *form, const struct token *token, struct numbered *table, size_t size)
{
	size_t slot = 5381;

	for (size_t i = 0; i < token->len; i++)
		slot = slot * 33 + (unsigned char)token->at[i];
	for (slot %= size; table[slot].at != NULL; slot = (slot + 1) % size)
		if (table[slot].len == token->len && memcmp(table[slot].at, token->at, token->len) == 0)
			return table[slot].number;
	table[slot] = (struct numbered){.at = token->at, .len = token->len, .number = ++form->numbers};
	return table[slot].number;
}

void ptx_form(const char *text, size_t len, struct bytes *out)
{
	struct form form = {0};

	take_tokens(&form, text, len);
	take_names(&form);
	const size_t size = 2 * form.tokens + 1;
	struct numbered *table = mem_alloc(size * sizeof *table);

	for (size_t i = 0; i < form.tokens; i++) {
		const struct token *token = &form.token[i];

		if (i > 0)
			bytes_char(out, ' ');
		if (token->name && is_declared(&form, token))
			bytes_format(out, "$%zu", number_of(&form, token, table, size));
		else
			bytes_add(out, token->at, token->len);
	}
	free(table);
	free(form.token);
	free(form.name);
}

struct sha256 ptx_form_hash(const char *text, size_t len)
{
	struct bytes form = {0};

	ptx_form(text, len, &form);
	const struct sha256 hash = sha256_of(form.data != NULL ? form.data : "", form.len);

	bytes_free(&form);
	return hash;
}
