#include "publish.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/utf8.h"
#include "../bundle/layout.h"
#include "parallel.h"
#include "writer.h"

enum { LIST_BYTES_MAX = 1 << 20 };

static const struct {
	const char *extension;
	void (*write)(const struct derived *derived, struct bytes *out);
} forms[] = {{"csv", write_csv}, {"md", write_markdown}, {"tex", write_latex}};

enum { FORMS = sizeof forms / sizeof forms[0] };

void published_free(struct published *published)
{
	for (size_t i = 0; i < published->removed_count; i++)
		free(published->removed[i]);
	free(published->removed);
	*published = (struct published){0};
}

/* What a list may name: a file that publish itself could have written. */
static bool ours(const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	if (dot == NULL || !sql_name_valid(name, (size_t)(dot - name)))
		return false;
	for (size_t i = 0; i < FORMS; i++)
		if (strlen(forms[i].extension) == len - (size_t)(dot + 1 - name) &&
		    memcmp(dot + 1, forms[i].extension, strlen(forms[i].extension)) == 0)
			return true;
	return false;
}

static bool in_list(const struct bytes *list, const char *name, size_t len)
{
	const char *end = list->data + list->len;

	for (const char *at = list->data; at != NULL && at < end; at++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop == NULL ? end : stop;
		if ((size_t)(stop - at) == len && memcmp(at, name, len) == 0)
			return true;
		at = stop;
	}
	return false;
}

/* Write unless the file has these bytes already. */
static enum status write_changed(const struct root *dir, const char *name, const struct bytes *text, struct error *err)
{
	struct bytes old = {0};
	bool same = root_has(dir, name) && root_read(dir, name, text->len, &old, NULL) == OK && old.len == text->len &&
	            (text->len == 0 || memcmp(old.data, text->data, text->len) == 0);

	bytes_free(&old);
	return same ? OK : root_write_product(dir, name, text->len == 0 ? "" : text->data, text->len, err);
}

static enum status remove_stale(const struct root *dir, const struct bytes *old, const struct bytes *now,
                                struct published *published, struct error *err)
{
	const char *end = old->data != NULL ? old->data + old->len : NULL;

	for (const char *at = old->data; at != NULL && at < end; at++) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));

		stop = stop == NULL ? end : stop;
		size_t len = (size_t)(stop - at);

		if (ours(at, len) && !in_list(now, at, len)) {
			char *name = mem_textn(at, len);

			if (unlinkat(dir->fd, name, 0) == 0) {
				published->removed = mem_array(published->removed, published->removed_count + 1, sizeof name);
				published->removed[published->removed_count++] = name;
			} else {
				enum status status = errno == ENOENT ? OK : error_errno(err, R_IO_WRITE, name, "removing it");

				free(name);
				if (status != OK)
					return status;
			}
		}
		at = stop;
	}
	return OK;
}

struct publishing {
	const struct root *dir;
	const struct derived *derived;
};

static enum status write_table(struct database *db, size_t index, void *context, struct error *err)
{
	const struct publishing *publishing = context;
	const struct root *dir = publishing->dir;
	const struct derived *derived = &publishing->derived[index];
	enum status status = OK;

	(void)db;
	for (size_t i = 0; i < FORMS && status == OK; i++) {
		char *name = mem_format("%s.%s", derived->table->name, forms[i].extension);
		struct bytes text = {0};

		forms[i].write(derived, &text);
		status = write_changed(dir, name, &text, err);
		bytes_free(&text);
		free(name);
	}
	return status;
}

enum status publish_place(const char *out, struct error *err)
{
	if (out[0] == '\0')
		return error_set(err, R_IO_NAME, "", "an empty name for the directory of the tables");
	return layout_inside_bundle(out) ? error_set(err, R_BND_OUTSIDE, out, "this is inside a bundle") : OK;
}

/* Names beneath the directory, as the user can find them. */
static void name_in(const char *out, struct error *err)
{
	size_t len = strlen(out);
	char *file = mem_format("%s%s%s", out, len > 0 && out[len - 1] == '/' ? "" : "/", err->file);

	utf8_printable(file, strlen(file), err->file, sizeof err->file);
	free(file);
}

enum status publish(const struct derived *derived, size_t count, const char *out, struct published *published, struct error *err)
{
	struct root dir = {.fd = -1};
	struct bytes old = {0};
	struct bytes both = {0};
	struct bytes now = {0};
	enum status status = root_create(out, &dir, err);

	*published = (struct published){0};
	if (status != OK)
		return status;
	if (root_has(&dir, PUBLISH_LIST))
		status = root_read(&dir, PUBLISH_LIST, LIST_BYTES_MAX, &old, err);
	for (size_t t = 0; t < count; t++)
		for (size_t i = 0; i < FORMS; i++)
			bytes_format(&now, "%s.%s\n", derived[t].table->name, forms[i].extension);
	/* Old and new names stand in the list while files are written, so that being killed leaves none unlisted. */
	bytes_add(&both, old.data, old.len);
	bytes_add(&both, now.data, now.len);
	if (status == OK && (old.len != now.len || (now.len > 0 && memcmp(old.data, now.data, now.len) != 0)))
		status = write_changed(&dir, PUBLISH_LIST, &both, err);
	struct publishing publishing = {.dir = &dir, .derived = derived};

	if (status == OK)
		status = parallel_run(NULL, count, write_table, &publishing, err);
	if (status == OK)
		status = remove_stale(&dir, &old, &now, published, err);
	if (status == OK)
		status = write_changed(&dir, PUBLISH_LIST, &now, err);
	if (status != OK)
		name_in(out, err);
	bytes_free(&old);
	bytes_free(&both);
	bytes_free(&now);
	root_close(&dir);
	return status;
}
