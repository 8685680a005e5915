#include "keylike.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/unescape.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../model/secret.h"

/* What providers document of their keys: how they begin, and the fewest characters that follow. */
static const struct {
	const char *begin;
	size_t least;
} forms[] = {
	{"sk-", 20}, {"AIza", 35}, {"AKIA", 16}, {"ghp_", 36}, {"github_pat_", 40}, {"gsk_", 40}, {"hf_", 30}, {"nvapi-", 40}, {"xai-", 40}, {"Bearer ", 24},
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* No word of a language, no name in a program: digits stand in it. */
static bool is_random(const char *text, size_t len)
{
	size_t digits = 0, uppers = 0, lowers = 0;

	for (size_t i = 0; i < len; i++) {
		digits += isdigit((unsigned char)text[i]) != 0;
		uppers += isupper((unsigned char)text[i]) != 0;
		lowers += islower((unsigned char)text[i]) != 0;
	}
	return digits >= 2 && uppers + lowers >= 2;
}

static bool is_form(const char *text, size_t len, size_t form)
{
	const size_t begin = strlen(forms[form].begin);
	size_t end = begin;

	if (len < begin + forms[form].least || memcmp(text, forms[form].begin, begin) != 0)
		return false;
	while (end < len && (is_word(text[end]) || text[end] == '.'))
		end++;
	return end - begin >= forms[form].least && is_random(text + begin, end - begin);
}

bool keylike_find(const char *text, size_t len, size_t *at, const char **form)
{
	static const char begins[] = "sAghnxB"; /* what the forms begin with: most of a text is none of these */

	for (size_t i = 0; i < len; i++) {
		if (strchr(begins, text[i]) == NULL || text[i] == '\0' || (i > 0 && is_word(text[i - 1])))
			continue;
		for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
			if (!is_form(text + i, len - i, f))
				continue;
			*at = i;
			*form = forms[f].begin;
			return true;
		}
	}
	return false;
}

struct place {
	size_t at;
	const char *form;
};

static bool on_text(void *context, const char *text, size_t len)
{
	struct place *place = context;

	return keylike_find(text, len, &place->at, &place->form);
}

static bool is_searched(const struct file_entry *entry)
{
	static const char *const begins[] = {LAYOUT_OBJECTS, LAYOUT_RUNS, LAYOUT_REPLAYS, LAYOUT_SUBMISSION};
	bool begun = false;

	for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
		begun = begun || strncmp(entry->path, begins[i], strlen(begins[i])) == 0;
	/* An object that is too large is refused for that (R_OBJ_SIZE). */
	return begun && entry->kind == FILE_REGULAR && (strncmp(entry->path, LAYOUT_OBJECTS, strlen(LAYOUT_OBJECTS)) != 0 || entry->size <= OBJECT_MAX);
}

static int by_object(const void *object, const void *marked)
{
	return memcmp(object, &((const struct marked *)marked)->object, sizeof(struct sha256));
}

uint64_t marks_in(const struct marks *marks, const struct sha256 *object)
{
	const struct marked *found = marks->count > 0 ? bsearch(object, marks->at, marks->count, sizeof *marks->at, by_object) : NULL;

	return found != NULL ? found->count : 0;
}

/* The list is in the order of the paths, and so of the ids. */
static void take_marks(const char *path, const struct bytes *text, struct marks *marks)
{
	struct marked marked = {.count = 0};
	const char *hex;

	if (!layout_object(path, &hex) || !sha256_parse(hex, &marked.object))
		return;
	for (const char *at = text->data; (at = memmem(at, text->len - (size_t)(at - text->data), SECRET_MARK, strlen(SECRET_MARK))) != NULL; at += strlen(SECRET_MARK))
		marked.count++;
	if (marked.count == 0)
		return;
	if (marks->count == marks->room) {
		marks->room = marks->room == 0 ? 16 : marks->room * 2;
		marks->at = mem_array(marks->at, marks->room, sizeof *marks->at);
	}
	marks->at[marks->count++] = marked;
}

void keylike_check(const struct root *root, const struct file_list *list, struct marks *marks, struct findings *findings)
{
	for (size_t i = 0; i < list->count; i++) {
		struct bytes text = {0};
		struct place place;
		int level;

		if (!is_searched(&list->at[i]) || root_read(root, list->at[i].path, SIZE_MAX, &text, NULL) != OK || text.len == 0)
			continue;
		take_marks(list->at[i].path, &text, marks);
		if (unescape_within(text.data, text.len, on_text, &place, &level))
			findings_add(findings, R_SUB_KEY, list->at[i].path, "what begins with '%s' at byte %zu%s", place.form, place.at, level > 0 ? ", once the escapes of its strings are undone" : "");
		bytes_free(&text);
	}
}
