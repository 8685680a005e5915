#include "text_function.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

/* Compared or copied bytes that count as one step: about as long as one instruction of SQLite's machine takes. */
enum { BYTES_A_STEP = 8 };

struct text {
	const char *at; /* "" instead of NULL */
	size_t len;
};

static struct text text_of(sqlite3_value *value)
{
	const char *at = (const char *)sqlite3_value_text(value);

	return (struct text){.at = at == NULL ? "" : at, .len = at == NULL ? 0 : (size_t)sqlite3_value_bytes(value)};
}

static bool any_null(int count, sqlite3_value **values)
{
	for (int i = 0; i < count; i++)
		if (sqlite3_value_type(values[i]) == SQLITE_NULL)
			return true;
	return false;
}

/* Whether the query may go on. */
static bool charge(sqlite3_context *context, uint64_t bytes)
{
	uint64_t *steps = sqlite3_user_data(context);
	uint64_t cost = bytes / BYTES_A_STEP;

	*steps -= cost < *steps ? cost : *steps;
	if (*steps == 0)
		sqlite3_result_error_code(context, SQLITE_INTERRUPT);
	return *steps != 0;
}

/* Each wildcard may try every place of the text. */
static bool charge_match(sqlite3_context *context, struct text pattern, struct text text)
{
	sqlite3 *handle = sqlite3_context_db_handle(context);

	if (pattern.len > (size_t)sqlite3_limit(handle, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1)) {
		sqlite3_result_error_toobig(context);
		return false;
	}
	return charge(context, (uint64_t)(pattern.len + 1) * (text.len + 1));
}

/* like(pattern, text [, escape]) is text LIKE pattern ESCAPE escape. */
static void sql_like(sqlite3_context *context, int count, sqlite3_value **values)
{
	if (any_null(count, values))
		return;
	struct text pattern = text_of(values[0]);
	struct text text = text_of(values[1]);
	struct text escape = count == 3 ? text_of(values[2]) : (struct text){.at = ""};

	if (count == 3 && (escape.len != 1 || (unsigned char)escape.at[0] >= 0x80))
		sqlite3_result_error(context, "ESCAPE takes one ASCII character", -1);
	else if (charge_match(context, pattern, text))
		sqlite3_result_int(context, sqlite3_strlike(pattern.at, text.at, (unsigned char)escape.at[0]) == 0);
}

static void sql_glob(sqlite3_context *context, int count, sqlite3_value **values)
{
	if (any_null(count, values))
		return;
	struct text pattern = text_of(values[0]);
	struct text text = text_of(values[1]);

	if (charge_match(context, pattern, text))
		sqlite3_result_int(context, sqlite3_strglob(pattern.at, text.at) == 0);
}

/* The character, from 1, at which the second text stands first in the first; 0: nowhere. */
static void sql_instr(sqlite3_context *context, int count, sqlite3_value **values)
{
	if (any_null(count, values))
		return;
	struct text text = text_of(values[0]);
	struct text wanted = text_of(values[1]);

	if (!charge(context, text.len + wanted.len))
		return;
	const char *found = memmem(text.at, text.len, wanted.at, wanted.len);
	int place = found == NULL ? 0 : 1;

	for (const char *at = text.at; found != NULL && at < found; at++)
		place += ((unsigned char)*at & 0xC0u) != 0x80;
	sqlite3_result_int(context, place);
}

static void sql_replace(sqlite3_context *context, int count, sqlite3_value **values)
{
	if (any_null(count, values))
		return;
	struct text text = text_of(values[0]);
	struct text old = text_of(values[1]);
	struct text new = text_of(values[2]);
	size_t limit = (size_t)sqlite3_limit(sqlite3_context_db_handle(context), SQLITE_LIMIT_LENGTH, -1);
	const char *end = text.at + text.len;
	struct bytes out = {0};

	bytes_text(&out, "");
	for (const char *found; old.len > 0 && out.len <= limit; text.at = found + old.len) {
		found = memmem(text.at, (size_t)(end - text.at), old.at, old.len);
		if (found == NULL)
			break;
		bytes_add(&out, text.at, (size_t)(found - text.at));
		bytes_add(&out, new.at, new.len);
	}
	if (out.len <= limit)
		bytes_add(&out, text.at, (size_t)(end - text.at));
	if (out.len > limit)
		sqlite3_result_error_toobig(context);
	else if (charge(context, text.len + old.len + out.len))
		sqlite3_result_text64(context, out.data, out.len, SQLITE_TRANSIENT, SQLITE_UTF8);
	bytes_free(&out);
}

/* ASCII only, as SQLite's own. */
static void change_case(sqlite3_context *context, sqlite3_value *value, char first, char last)
{
	struct text text = text_of(value);

	if (sqlite3_value_type(value) == SQLITE_NULL || !charge(context, text.len))
		return;
	char *out = mem_textn(text.at, text.len);

	for (size_t i = 0; i < text.len; i++)
		out[i] = (char)(out[i] >= first && out[i] <= last ? out[i] ^ ('a' ^ 'A') : out[i]);
	sqlite3_result_text64(context, out, text.len, free, SQLITE_UTF8);
}

static void sql_upper(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	change_case(context, values[0], 'a', 'z');
}

static void sql_lower(sqlite3_context *context, int count, sqlite3_value **values)
{
	(void)count;
	change_case(context, values[0], 'A', 'Z');
}

int text_functions_register(sqlite3 *handle, uint64_t *steps)
{
	static const struct {
		const char *name;
		int arguments;
		void (*call)(sqlite3_context *, int, sqlite3_value **);
	} functions[] = {{"like", 2, sql_like},   {"like", 3, sql_like},       {"glob", 2, sql_glob},  {"instr", 2, sql_instr},
	                 {"replace", 3, sql_replace}, {"upper", 1, sql_upper}, {"lower", 1, sql_lower}};
	int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
	int rc = SQLITE_OK;

	for (size_t i = 0; i < sizeof functions / sizeof functions[0] && rc == SQLITE_OK; i++)
		rc = sqlite3_create_function(handle, functions[i].name, functions[i].arguments, flags, steps, functions[i].call, NULL, NULL);
	return rc;
}
