#include "products.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "utf8.h"

enum { LIST_BYTES_MAX = 1 << 20 };

void products_free(struct products *products)
{
	for (size_t i = 0; i < products->removed_count; i++)
		free(products->removed[i]);
	free(products->removed);
	bytes_free(&products->old);
	bytes_free(&products->now);
	root_close(&products->dir);
	*products = (struct products){.dir = {.fd = -1}};
}

/* The next name of a list, which *at moves past; NULL at the end. */
static const char *next_name(const struct bytes *list, const char **at, size_t *len)
{
	const char *end = list->data == NULL ? NULL : list->data + list->len;
	const char *name = *at;

	if (name == NULL || name >= end)
		return NULL;
	const char *stop = memchr(name, '\n', (size_t)(end - name));

	stop = stop == NULL ? end : stop;
	*len = (size_t)(stop - name);
	*at = stop < end ? stop + 1 : end;
	return name;
}

static bool in_list(const struct bytes *list, const char *wanted, size_t wanted_len)
{
	const char *at = list->data;
	const char *name;
	size_t len;

	while ((name = next_name(list, &at, &len)) != NULL)
		if (len == wanted_len && memcmp(name, wanted, len) == 0)
			return true;
	return false;
}

/* Names beneath the directory, as the user can find them. */
static enum status name_in(const struct products *products, enum status status, struct error *err)
{
	size_t len = strlen(products->out);

	if (status == OK || err == NULL)
		return status;
	char *file = mem_format("%s%s%s", products->out, len > 0 && products->out[len - 1] == '/' ? "" : "/", err->file);

	utf8_printable(file, strlen(file), err->file, sizeof err->file);
	free(file);
	return status;
}

static enum status write_changed(const struct root *dir, const char *name, const struct bytes *text, struct error *err)
{
	struct bytes old = {0};
	bool same = root_has(dir, name) && root_read(dir, name, text->len, &old, NULL) == OK && old.len == text->len &&
	            (text->len == 0 || memcmp(old.data, text->data, text->len) == 0);

	bytes_free(&old);
	return same ? OK : root_write_product(dir, name, text->len == 0 ? "" : text->data, text->len, err);
}

enum status products_open(struct products *products, const char *out, const char *list, bool (*ours)(const char *name, size_t len),
                           struct bytes *now, struct error *err)
{
	*products = (struct products){.out = out, .list = list, .ours = ours, .dir = {.fd = -1}, .now = *now};
	*now = (struct bytes){0};
	enum status status = root_create(out, &products->dir, err);

	if (status != OK)
		return status;
	if (root_has(&products->dir, list))
		status = root_read(&products->dir, list, LIST_BYTES_MAX, &products->old, err);
	return name_in(products, status, err);
}

bool products_foreign(const struct products *products, const char *name)
{
	return root_has(&products->dir, name) && !in_list(&products->old, name, strlen(name));
}

enum status products_write(const struct products *products, const char *name, const struct bytes *text, struct error *err)
{
	return name_in(products, write_changed(&products->dir, name, text, err), err);
}

enum status products_begin(const struct products *products, struct error *err)
{
	const struct bytes *old = &products->old;
	const struct bytes *now = &products->now;
	struct bytes both = {0};

	if (old->len == now->len && (now->len == 0 || memcmp(old->data, now->data, now->len) == 0))
		return OK;
	bytes_add(&both, old->data, old->len);
	bytes_add(&both, now->data, now->len);
	enum status status = products_write(products, products->list, &both, err);

	bytes_free(&both);
	return status;
}

/* *gone is false if there was none. Only a file is removed, whatever stands there now. */
static enum status remove_file(const struct root *root, const char *path, bool *gone, struct error *err)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash == NULL ? path : slash + 1;
	char *parent = mem_textn(path, (size_t)(last - path) - (slash == NULL ? 0 : 1));
	struct root dir = {.fd = -1};
	enum status status = OK;

	*gone = root_has(root, path);
	if (*gone)
		status = root_beneath(root, parent, &dir, err);
	if (*gone && status == OK && unlinkat(dir.fd, last, 0) != 0)
		status = error_errno(err, R_IO_WRITE, path, "removing it");
	root_close(&dir);
	free(parent);
	return status;
}

static enum status remove_stale(struct products *products, struct error *err)
{
	const char *at = products->old.data;
	const char *name;
	size_t len;

	while ((name = next_name(&products->old, &at, &len)) != NULL) {
		if (!products->ours(name, len) || in_list(&products->now, name, len))
			continue;
		char *path = mem_textn(name, len);
		bool gone = false;
		enum status status = remove_file(&products->dir, path, &gone, err);

		if (status == OK && gone) {
			products->removed = mem_array(products->removed, products->removed_count + 1, sizeof path);
			products->removed[products->removed_count++] = path;
			continue;
		}
		free(path);
		if (status != OK)
			return status;
	}
	return OK;
}

enum status products_end(struct products *products, struct error *err)
{
	enum status status = name_in(products, remove_stale(products, err), err);

	return status == OK ? products_write(products, products->list, &products->now, err) : status;
}
