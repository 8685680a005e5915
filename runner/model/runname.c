#include "runname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The name without a leading WORD or WORD-, or NULL if it does not begin so. */
static const char *after(const char *name, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(name, word, len) != 0)
		return NULL;
	if (name[len] == '-')
		return name + len + 1;
	return name[len] == '\0' ? name + len : NULL;
}

/* YYYY-MMDD-HHMM at the beginning of the name. */
static const char *after_stamp(const char *name, char date[DATE_TEXT + 1])
{
	static const char form[] = "dddd-dddd-dddd";
	char text[DATE_TEXT + 1];

	for (size_t i = 0; i < sizeof form - 1; i++)
		if (form[i] == 'd' ? name[i] < '0' || name[i] > '9' : name[i] != form[i])
			return NULL;
	snprintf(text, sizeof text, "%.4s-%.2s-%.2s", name, name + 5, name + 7);
	char next = name[sizeof form - 1];

	if (!date_valid(text, DATE_TEXT) || (next != '-' && next != '\0'))
		return NULL;
	memcpy(date, text, sizeof text);
	return name + sizeof form - (next == '\0');
}

static const char *after_prefix(const char *name, char date[DATE_TEXT + 1])
{
	static const char *const models[] = {"opus48", "glm52", "gemini-31-pro", "qwen36-27b", "qwen36"};
	const char *rest = after_stamp(name, date);

	for (size_t i = 0; rest == NULL && i < sizeof models / sizeof *models; i++)
		rest = after(name, models[i]);
	return rest == NULL ? name : rest;
}

/* The definition's name as directory names shorten it. */
static char *short_task(const char *task)
{
	if (strncmp(task, "gemm_", 5) == 0)
		return mem_text("gemm");
	char *name = mem_text(task);
	char *lse = strstr(name, "with_lse_");

	if (lse != NULL)
		memmove(lse, lse + strlen("with_lse_"), strlen(lse + strlen("with_lse_")) + 1);
	for (char *c = name; *c != '\0'; c++)
		if (*c == '_')
			*c = '-';
	return name;
}

/* Whether len bytes of text end in WORD or -WORD; then *len is what stands before. */
static bool strip_end(const char *text, size_t *len, const char *word)
{
	size_t length = strlen(word);

	if (*len < length || memcmp(text + *len - length, word, length) != 0)
		return false;
	if (*len > length && text[*len - length - 1] != '-')
		return false;
	*len = *len == length ? 0 : *len - length - 1;
	return true;
}

void runname_read(const char *name, const char *task, struct runname *out)
{
	*out = (struct runname){.checklist = "unsaid", .retrieval = "none"};
	const char *rest = after_prefix(name, out->date);
	const char *next = after(rest, "b200");

	if (next != NULL) {
		out->names_blackwell = true;
		rest = next;
	}
	char *shortened = short_task(task);
	size_t len = strlen(rest);

	out->names_task = strip_end(rest, &len, shortened) || strip_end(rest, &len, task);
	free(shortened);
	char *factors = mem_textn(rest, len);

	for (const char *at = factors; *at != '\0'; at = next) {
		if ((next = after(at, "patched")) != NULL) {
			out->checklist = "patched";
		} else if ((next = after(at, "nopatched")) != NULL) {
			out->checklist = "nopatched";
		} else if ((next = after(at, "retrieved-notes")) != NULL) {
			out->retrieval = "notes";
		} else if ((next = after(at, "note-feedback2")) != NULL) {
			out->retrieval = "notes and kernel";
		} else {
			size_t part = strcspn(at, "-");

			if (out->variant.len > 0)
				bytes_char(&out->variant, '-');
			bytes_add(&out->variant, at, part);
			next = at + part + (at[part] == '-');
		}
	}
	free(factors);
}

void runname_free(struct runname *name)
{
	bytes_free(&name->variant);
}
