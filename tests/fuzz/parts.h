/* A bundle in memory from the bytes of an input: parts, parted by 0xFF, of which the first are files of given paths, and the others objects, named by their content. */
#ifndef PTXSEAL_TESTS_PARTS_H
#define PTXSEAL_TESTS_PARTS_H

#include "fuzz.h"

#include "base/kept.h"
#include "bundle/objects.h"

enum { PARTS_MAX = 48 };

struct parts {
	struct kept_file files[PARTS_MAX];
	struct kept kept;
	struct root root;
	size_t named;
};

static inline int parts_by_path(const void *a, const void *b)
{
	return strcmp(((const struct kept_file *)a)->path, ((const struct kept_file *)b)->path);
}

static inline void parts_add(struct parts *parts, char *path, const void *data, size_t len)
{
	for (size_t i = 0; i < parts->kept.count; i++)
		if (strcmp(parts->files[i].path, path) == 0) {
			free(path);
			return;
		}
	struct kept_file *file = &parts->files[parts->kept.count++];

	*file = (struct kept_file){.path = path, .size = len, .held = true};
	bytes_add(&file->text, data, len);
}

/* paths: NULL-terminated. */
static inline void parts_open(struct parts *parts, const char *const *paths, const uint8_t *data, size_t size)
{
	*parts = (struct parts){.kept = {.at = parts->files}};
	for (size_t part = 0; parts->kept.count < PARTS_MAX; part++) {
		const uint8_t *end = size > 0 ? memchr(data, 0xFF, size) : NULL;
		const size_t len = end != NULL ? (size_t)(end - data) : size;
		const struct sha256 id = sha256_of(len > 0 ? (const void *)data : "", len);

		if (*paths != NULL)
			parts_add(parts, mem_text(*paths++), data, len);
		else
			parts_add(parts, object_path(&id), data, len);
		if (end == NULL)
			break;
		data = end + 1;
		size -= len + 1;
	}
	qsort(parts->files, parts->kept.count, sizeof *parts->files, parts_by_path);
	kept_open(&parts->kept, "bundle", &parts->root);
}

static inline void parts_close(struct parts *parts)
{
	root_close(&parts->root);
	for (size_t i = 0; i < parts->kept.count; i++) {
		free((char *)(uintptr_t)parts->files[i].path);
		bytes_free(&parts->files[i].text);
	}
}

#endif
