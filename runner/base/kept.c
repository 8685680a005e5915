#include "kept.h"

#include <stdlib.h>
#include <string.h>

void kept_open(const struct kept *kept, const char *name, struct root *root)
{
	*root = (struct root){.fd = -1, .name = mem_text(name), .kept = kept};
}

/* The first file that does not sort before path. */
static size_t lower_bound(const struct kept *kept, const char *path)
{
	size_t low = 0, high = kept->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(kept->at[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct root kept_over(const struct kept *kept, const struct root *directory)
{
	struct root root = *directory;

	root.kept = kept;
	return root;
}

const struct kept_file *kept_find(const struct kept *kept, const char *path)
{
	size_t at = lower_bound(kept, path);

	return at < kept->count && strcmp(kept->at[at].path, path) == 0 ? &kept->at[at] : NULL;
}

enum status kept_read(const struct kept *kept, const char *path, size_t max, struct bytes *out, struct error *err)
{
	const struct kept_file *file = kept_find(kept, path);

	if (file == NULL)
		return error_set(err, R_IO_OPEN, path, "the archive has no such file");
	if (!file->held && file->home != NULL)
		return root_read(file->home, file->there, max, out, err);
	if (file->size > max)
		return error_set(err, R_IO_SIZE, path, "%llu bytes, the limit is %zu", (unsigned long long)file->size, max);
	if (!file->held)
		return error_set(err, R_PCK_KEPT, path, "%llu bytes that were not kept", (unsigned long long)file->size);
	bytes_reserve(out, file->text.len + 1);
	bytes_add(out, file->text.data, file->text.len);
	return OK;
}

static void add(struct file_list *list, const char *path, size_t len, enum file_kind kind, uint64_t size)
{
	if (list->count == list->room) {
		list->room = list->room == 0 ? 64 : list->room * 2;
		list->at = mem_array(list->at, list->room, sizeof *list->at);
	}
	list->at[list->count++] = (struct file_entry){.path = mem_textn(path, len), .kind = kind, .size = size};
}

/* How many leading bytes two paths share, up to and with a '/'. */
static size_t shared(const char *a, const char *b)
{
	size_t slash = 0;

	for (size_t i = 0; a[i] != '\0' && a[i] == b[i]; i++)
		if (a[i] == '/')
			slash = i + 1;
	return slash;
}

void kept_list(const struct kept *kept, const char *path, struct file_list *list)
{
	char *prefix = path[0] == '\0' ? mem_text("") : mem_format("%s/", path);
	size_t len = strlen(prefix);
	const char *before = prefix;

	*list = (struct file_list){0};
	/* Files with one directory's name in front come one after the other, so each directory is new once. */
	for (size_t i = lower_bound(kept, prefix); i < kept->count && strncmp(kept->at[i].path, prefix, len) == 0; i++) {
		const char *at = kept->at[i].path;
		size_t from = shared(before, at);

		for (const char *slash = strchr(at + (from > len ? from : len), '/'); slash != NULL; slash = strchr(slash + 1, '/'))
			add(list, at, (size_t)(slash - at), FILE_DIRECTORY, 0);
		add(list, at, strlen(at), FILE_REGULAR, kept->at[i].size);
		before = at;
	}
	free(prefix);
}
