#include "ptx_marks.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

/* The longest that begins an opcode decides. */
static const struct opcode {
	const char *name;
	enum sass_group group;
} opcodes[] = {
	{"wgmma.mma_async", SASS_GROUP_GMMA},
	{"wgmma", SASS_GROUP_SERVICE},
	{"setmaxnreg", SASS_GROUP_SERVICE},
	{"cp.async.bulk.tensor", SASS_GROUP_TMA},
	{"cp.reduce.async.bulk.tensor", SASS_GROUP_TMA},
	{"cp.async.bulk", SASS_GROUP_BULK},
	{"cp.reduce.async.bulk", SASS_GROUP_BULK},
	{"multimem.cp.async.bulk", SASS_GROUP_BULK},
	{"multimem.cp.reduce.async.bulk", SASS_GROUP_BULK},
	{"cp.async.bulk.prefetch", SASS_GROUP_SERVICE},
	{"cp.async.bulk.commit_group", SASS_GROUP_SERVICE},
	{"cp.async.bulk.wait_group", SASS_GROUP_SERVICE},
	{"tensormap", SASS_GROUP_SERVICE},
	{"prefetch.tensormap", SASS_GROUP_SERVICE},
	{"prefetch.param.tensormap", SASS_GROUP_SERVICE},
	{"prefetch.const.tensormap", SASS_GROUP_SERVICE},
	{"tcgen05.mma", SASS_GROUP_TCGEN},
	{"tcgen05.cp", SASS_GROUP_TCGEN},
	{"tcgen05.ld", SASS_GROUP_TCGEN},
	{"tcgen05.st", SASS_GROUP_TCGEN},
	{"tcgen05", SASS_GROUP_SERVICE},
	{"mma", SASS_GROUP_WARP},
	{"wmma", SASS_GROUP_WARP},
	{"ldmatrix", SASS_GROUP_WARP},
	{"stmatrix", SASS_GROUP_WARP},
	{"cp.async", SASS_GROUP_WARP},
	{"cp.async.commit_group", SASS_GROUP_SERVICE},
	{"cp.async.wait_group", SASS_GROUP_SERVICE},
	{"cp.async.wait_all", SASS_GROUP_SERVICE},
	{"cp.async.mbarrier", SASS_GROUP_SERVICE},
};

enum { OPCODES = sizeof opcodes / sizeof opcodes[0] };

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' || c == '.';
}

/* "::" joins a modifier's parts, ".shared::cta"; one ':' alone ends a label. */
static size_t word_length(const char *at, const char *end)
{
	const char *from = at;

	while (at < end && (in_word(*at) || (end - at > 2 && at[0] == ':' && at[1] == ':' && in_word(at[2]))))
		at += in_word(*at) ? 1 : 2;
	return (size_t)(at - from);
}

static bool one_of(char c, const char *set)
{
	return c != '\0' && strchr(set, c) != NULL;
}

static enum sass_group group_of(const char *word, size_t len)
{
	enum sass_group group = SASS_GROUP_NONE;
	size_t longest = 0;

	if (!one_of(*word, "wsctpml"))
		return group;
	for (size_t i = 0; i < OPCODES; i++) {
		const size_t own = strlen(opcodes[i].name);

		if (own <= len && own > longest && memcmp(word, opcodes[i].name, own) == 0 && (own == len || word[own] == '.')) {
			longest = own;
			group = opcodes[i].group;
		}
	}
	return group;
}

/* An opcode has modifiers, behind a space maybe; a label or an operand on a line of its own has none. */
static bool has_modifier(const char *word, size_t len, const char *end)
{
	const char *after = word + len;

	while (after < end && (*after == ' ' || *after == '\t'))
		after++;
	return memchr(word, '.', len) != NULL || (after < end && *after == '.');
}

static void add(struct ptx_marks *marks, size_t offset, size_t len, uint64_t line, enum sass_group group)
{
	if (marks->count == marks->room) {
		marks->room = marks->room == 0 ? 64 : marks->room * 2;
		marks->at = mem_array(marks->at, marks->room, sizeof *marks->at);
	}
	marks->at[marks->count++] = (struct ptx_mark){.offset = offset, .len = len, .line = line, .group = group};
}

/* Behind the comment or string that begins there; NULL if none does. One without an end takes the rest. */
static const char *skip(const char *at, const char *end)
{
	const size_t left = (size_t)(end - at);
	const char *stop;

	if (*at == '/' && left >= 2 && at[1] == '/')
		return (stop = memchr(at, '\n', left)) != NULL ? stop : end;
	if (*at == '/' && left >= 2 && at[1] == '*')
		return (stop = memmem(at + 2, left - 2, "*/", 2)) != NULL ? stop + 2 : end;
	if (*at != '"')
		return NULL;
	for (at++; at < end && *at != '"' && *at != '\n'; at++)
		at += *at == '\\' && end - at > 1 && at[1] != '\n';
	return at < end && *at == '"' ? at + 1 : at;
}

void ptx_marks(const char *text, size_t len, struct ptx_marks *marks)
{
	const char *end = text + len;
	uint64_t line = 1;
	bool begins = true, guard = false; /* a statement may begin here; the next word is a guard's predicate */

	*marks = (struct ptx_marks){0};
	for (const char *at = text; at < end;) {
		const char *stop = skip(at, end);

		if (stop != NULL) {
			for (; at < stop; at++)
				line += *at == '\n';
		} else if (in_word(*at)) {
			const size_t word = word_length(at, end);
			const enum sass_group group = begins && !guard ? group_of(at, word) : SASS_GROUP_NONE;

			if (group != SASS_GROUP_NONE && has_modifier(at, word, end))
				add(marks, (size_t)(at - text), word, line, group);
			begins = guard;
			guard = false;
			at += word;
		} else {
			line += *at == '\n';
			guard = *at == '@' || (guard && one_of(*at, "! \t\r\n"));
			begins = guard || one_of(*at, ";{}:\n") || (begins && one_of(*at, " \t\r\f\v"));
			at++;
		}
	}
}

void ptx_marks_free(struct ptx_marks *marks)
{
	free(marks->at);
	*marks = (struct ptx_marks){0};
}
