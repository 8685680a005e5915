#include "prompt.h"

#include <stdlib.h>
#include <string.h>

#include "../base/utf8.h"
#include "../bundle/layout.h"

static char *part_name(enum prompt_part part, const char *arch)
{
	static const char *const names[PROMPT_PARTS] = {"task.txt", "feedback.txt", "single.txt", "example.txt", NULL};

	return names[part] != NULL ? mem_text(names[part]) : mem_format("%s.txt", arch);
}

static enum status read_part(const struct root *bundle, const char *id, const char *name, struct bytes *out, struct error *err)
{
	char *path = mem_format(LAYOUT_PROMPTS "%s/%s", id, name);
	struct error why = {0};
	enum status status = root_read(bundle, path, PROMPT_FILE_MAX, out, &why);

	if (status != OK && why.rule == R_IO_OPEN)
		status = error_set(err, R_PRM_NAME, path, "it is not there");
	else if (status != OK && err != NULL)
		*err = why;
	else if (status == OK && (out->len == 0 || utf8_check(out->data, out->len) != out->len || memchr(out->data, '\0', out->len) != NULL))
		status = error_set(err, R_PRM_FORM, path, "it is empty, or not UTF-8 text");
	free(path);
	return status;
}

static void hash_part(struct sha256_stream *stream, const char *name, const struct bytes *text)
{
	char *head = mem_format("%zu %s%zu ", strlen(name), name, text->len);

	sha256_add(stream, head, strlen(head));
	sha256_add(stream, text->data, text->len);
	free(head);
}

enum status template_read(const struct root *bundle, const char *id, const char *arch, struct template *template, struct error *err)
{
	struct sha256_stream *stream = sha256_stream_new();
	enum status status = layout_name_valid(id) ? OK : error_set(err, R_PRM_NAME, LAYOUT_PROMPTS, "'%s' is no name", id);

	*template = (struct template){.id = mem_text(id)};
	for (int i = 0; i < PROMPT_PARTS && status == OK; i++) {
		char *name = part_name((enum prompt_part)i, arch);

		status = read_part(bundle, id, name, &template->part[i], err);
		if (status == OK)
			hash_part(stream, name, &template->part[i]);
		free(name);
	}
	template->hash = sha256_end(stream);
	sha256_stream_free(stream);
	return status;
}

void template_free(struct template *template)
{
	for (int i = 0; i < PROMPT_PARTS; i++)
		bytes_free(&template->part[i]);
	free(template->id);
	*template = (struct template){0};
}

void prompt_values_add(struct prompt_values *values, const char *name, char *text)
{
	if (values->count == PROMPT_VALUES_MAX)
		mem_lacking();
	values->at[values->count++] = (struct prompt_value){name, text};
}

void prompt_values_free(struct prompt_values *values)
{
	for (size_t i = 0; i < values->count; i++)
		free(values->at[i].text);
	*values = (struct prompt_values){0};
}

static bool is_name(const char *text, size_t len, const char *name)
{
	return strlen(name) == len && memcmp(text, name, len) == 0;
}

/* The template's own parts are rendered no further. */
static bool add_value(const struct template *template, const struct prompt_values *values, const char *name, size_t len, struct bytes *out)
{
	static const struct {
		const char *name;
		enum prompt_part part;
	} own[] = {{"architecture", PROMPT_ARCH}, {"example", PROMPT_EXAMPLE}};

	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
		if (is_name(name, len, own[i].name)) {
			bytes_add(out, template->part[own[i].part].data, template->part[own[i].part].len);
			return true;
		}
	}
	for (size_t i = 0; i < values->count; i++) {
		if (is_name(name, len, values->at[i].name)) {
			bytes_text(out, values->at[i].text);
			return true;
		}
	}
	return false;
}

enum status prompt_render(const struct template *template, enum prompt_part part, const struct prompt_values *values, struct bytes *out, struct error *err)
{
	const char *at = template->part[part].data, *end = at + template->part[part].len;

	while (at < end) {
		const char *open = memmem(at, (size_t)(end - at), "{{", 2);

		if (open == NULL) {
			bytes_add(out, at, (size_t)(end - at));
			break;
		}
		const char *name = open + 2, *close = memmem(name, (size_t)(end - name), "}}", 2);

		bytes_add(out, at, (size_t)(open - at));
		if (close == NULL || !add_value(template, values, name, (size_t)(close - name), out)) {
			char *file = mem_format(LAYOUT_PROMPTS "%s/", template->id);
			const enum status status = error_set(err, R_PRM_FORM, file, "{{%.*s}} in its %s has no value", (int)((close != NULL ? close : end) - name > 40 ? 40 : (close != NULL ? close : end) - name), name,
			                                     part == PROMPT_TASK ? "task.txt" : part == PROMPT_FEEDBACK ? "feedback.txt" : "single.txt");

			free(file);
			return status;
		}
		at = close + 2;
	}
	return OK;
}
