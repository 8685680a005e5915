#include "inventory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ahead.h"
#include "key.h"
#include "layout.h"

void inventory_free(struct inventory *inventory)
{
	free(inventory->at);
	file_list_free(&inventory->list);
	*inventory = (struct inventory){0};
}

static int file_by_path(const void *a, const void *b)
{
	return strcmp(((const struct inventory_file *)a)->path, ((const struct inventory_file *)b)->path);
}

struct inventory_file *inventory_find(const struct inventory *inventory, const char *path)
{
	struct inventory_file key = {.path = path};

	if (inventory->count == 0)
		return NULL;
	return bsearch(&key, inventory->at, inventory->count, sizeof *inventory->at, file_by_path);
}

/* The first entry that does not sort before path. */
static size_t lower_bound(const struct file_list *list, const char *path)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(list->at[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool inventory_has(const struct inventory *inventory, const char *path)
{
	size_t at = lower_bound(&inventory->list, path);

	return at < inventory->list.count && strcmp(inventory->list.at[at].path, path) == 0;
}

bool inventory_hides(const struct inventory *inventory, const char *path)
{
	bool hidden = false;

	for (const char *slash = strchr(path, '/'); slash != NULL && !hidden; slash = strchr(slash + 1, '/')) {
		char *above = mem_textn(path, (size_t)(slash - path));
		size_t at = lower_bound(&inventory->list, above);

		hidden = at < inventory->list.count && strcmp(inventory->list.at[at].path, above) == 0 &&
		         inventory->list.at[at].fault != NULL;
		free(above);
	}
	return hidden;
}

const struct root *inventory_home(const struct root *root, const struct inventory_file *file)
{
	return file->home != NULL ? file->home : root;
}

enum status inventory_read(const struct root *root, const struct inventory_file *file, size_t max, struct bytes *out,
                           struct error *err)
{
	enum status status = root_read(inventory_home(root, file), file->path, max, out, err);

	if (status != OK)
		return status;
	struct sha256 hash = sha256_of(out->data, out->len);

	if (!file->hashed || memcmp(&hash, &file->hash, sizeof hash) != 0)
		return error_set(err, R_IO_CHANGED, file->path, "its bytes changed between two reads");
	return OK;
}

static void list_sealed(const struct root *root, struct file_list *list)
{
	/* The directories come in sorted order, so their lists one after the other are sorted too. */
	for (size_t i = 0; layout_sealed[i] != NULL; i++) {
		struct file_list part;

		root_list_past(root, layout_sealed[i], &part);
		if (part.count > 0) {
			list->at = mem_array(list->at, list->count + part.count, sizeof *list->at);
			memcpy(list->at + list->count, part.at, part.count * sizeof *part.at);
			list->count += part.count;
			list->room = list->count;
		}
		free(part.at); /* the paths moved */
	}
}

void inventory_check_case(const struct file_list *list, struct findings *findings)
{
	const struct file_entry **order = mem_array(NULL, list->count, sizeof *order);

	for (size_t i = 0; i < list->count; i++)
		order[i] = &list->at[i];
	if (list->count > 1)
		qsort(order, list->count, sizeof *order, file_by_folded_path);
	for (size_t i = 1; i < list->count; i++)
		if (strcasecmp(order[i - 1]->path, order[i]->path) == 0)
			findings_add(findings, R_PATH_CASE, order[i]->path, "it differs from '%s' only in letter case",
			             order[i - 1]->path);
	free(order);
}

static bool is_empty_directory(const struct file_list *list, const char *path)
{
	char *inside = mem_format("%s/", path);
	size_t at = lower_bound(list, inside);
	bool empty = at == list->count || strncmp(list->at[at].path, inside, strlen(inside)) != 0;

	free(inside);
	return empty;
}

/* False (told) if the entry cannot be sealed whatever is in it. */
static bool check_entry(const struct file_list *list, const struct file_entry *entry, struct findings *findings)
{
	size_t before = findings->count;

	if (!path_valid(entry->path, strlen(entry->path)))
		findings_add(findings, R_PATH_FORM, entry->path, "the name breaks the rule");
	if (entry->kind == FILE_OTHER)
		findings_add(findings, R_IO_KIND, entry->path, "a symbolic link, FIFO, socket or device");
	if (entry->kind == FILE_REGULAR && layout_is_leftover(entry->path))
		findings_add(findings, R_BND_LEFTOVER, entry->path, "a write was killed before its end");
	if (entry->kind == FILE_REGULAR && layout_is_ahead(entry->path))
		findings_add(findings, R_AHD_UNFINISHED, entry->path, AHEAD_UNFINISHED);
	if (entry->fault != NULL)
		findings_error(findings, entry->path, entry->fault);
	else if (entry->kind == FILE_DIRECTORY && is_empty_directory(list, entry->path))
		findings_add(findings, R_BND_EMPTY, entry->path, "the directory is empty");
	return findings->count == before;
}

void inventory_hashed(struct inventory *inventory, size_t at, uint64_t size, const struct sha256 *hash, bool private_key, struct findings *findings)
{
	struct inventory_file *file = &inventory->at[at];

	file->hashed = true;
	file->hash = *hash;
	file->size = size;
	inventory->bytes += size;
	if (private_key)
		findings_add(findings, R_KEY_PRIVATE, file->path, "it holds a private key");
}

static void hash_all(const struct root *root, unsigned threads, bool quiet, struct inventory *inventory,
                     struct findings *findings)
{
	struct hash_job *jobs = mem_array(NULL, inventory->count, sizeof *jobs);
	size_t count = 0;
	uint64_t total = 0;

	for (size_t i = 0; i < inventory->count; i++) {
		if (inventory->at[i].faulty)
			continue;
		jobs[count++] = (struct hash_job){.path = inventory->at[i].path};
		total += inventory->at[i].size;
	}
	struct progress *progress = progress_start("hashing", "bytes", total, quiet);

	hash_files(root, jobs, count, threads, key_is_private, progress);
	progress_end(progress);
	for (size_t i = 0, job = 0; i < inventory->count; i++) {
		struct inventory_file *file = &inventory->at[i];

		if (file->faulty)
			continue;
		if (jobs[job].status == OK) {
			inventory_hashed(inventory, i, jobs[job].size, &jobs[job].hash, jobs[job].noted, findings);
		} else {
			findings_error(findings, file->path, jobs[job].err);
			file->faulty = true;
		}
		job++;
	}
	hash_jobs_free(jobs, count);
}

void inventory_list(const struct root *root, struct inventory *inventory, struct findings *findings)
{
	*inventory = (struct inventory){0};
	list_sealed(root, &inventory->list);
	inventory_check_case(&inventory->list, findings);
	inventory->at = mem_array(NULL, inventory->list.count, sizeof *inventory->at);
	for (size_t i = 0; i < inventory->list.count; i++) {
		const struct file_entry *entry = &inventory->list.at[i];
		bool sound = check_entry(&inventory->list, entry, findings);

		if (entry->kind == FILE_REGULAR && layout_is_listed(entry->path))
			inventory->at[inventory->count++] = (struct inventory_file){
				.path = entry->path,
				.size = entry->size,
				.faulty = !sound,
			};
	}
}

void inventory_take(const struct root *root, unsigned threads, bool quiet, struct inventory *inventory,
                    struct findings *findings)
{
	inventory_list(root, inventory, findings);
	hash_all(root, threads, quiet, inventory, findings);
}

void inventory_check_places(const struct inventory *inventory, struct findings *findings)
{
	for (size_t i = 0; i < inventory->count; i++)
		if (!inventory->at[i].faulty && !layout_is_placed(inventory->at[i].path))
			findings_add(findings, R_BND_PLACE, inventory->at[i].path, "nothing says what it is");
}

bool inventory_check_sums(const struct file_list *list, struct findings *findings)
{
	bool listed = true;

	for (size_t i = 0; i < list->count; i++) {
		const char *path = list->at[i].path;

		if (strcmp(path, "checksums") == 0) {
			findings_error(findings, path, list->at[i].fault);
			listed = false;
		} else if (layout_is_leftover(path)) {
			findings_add(findings, R_BND_LEFTOVER, path, "a write was killed before its end");
		} else if (strcmp(path, LAYOUT_ADMITTING) == 0) {
			findings_add(findings, R_ADM_UNFINISHED, path, "an admission was begun and not ended");
		} else if (strcmp(path, LAYOUT_SUMS) != 0 && strcmp(path, LAYOUT_SUMS_SIGNATURE) != 0 &&
		           strcmp(path, LAYOUT_UNFINISHED) != 0 && strcmp(path, LAYOUT_LEFT_OUT) != 0) {
			findings_add(findings, R_BND_PLACE, path, "nothing says what it is");
		}
	}
	return listed;
}

void inventory_put(struct inventory *inventory, const char *path, const void *data, size_t len)
{
	struct inventory_file *file = inventory_find(inventory, path);
	struct file_list *list = &inventory->list;

	if (file == NULL) {
		size_t before = 0, at = lower_bound(list, path);
		char *own = mem_text(path);

		list->at = mem_array(list->at, list->count + 1, sizeof *list->at);
		list->room = list->count + 1;
		memmove(list->at + at + 1, list->at + at, (list->count++ - at) * sizeof *list->at);
		list->at[at] = (struct file_entry){.path = own, .kind = FILE_REGULAR, .size = len};
		while (before < inventory->count && strcmp(inventory->at[before].path, path) < 0)
			before++;
		inventory->at = mem_array(inventory->at, inventory->count + 1, sizeof *inventory->at);
		file = inventory->at + before;
		memmove(file + 1, file, (inventory->count++ - before) * sizeof *file);
		*file = (struct inventory_file){.path = own};
	}
	inventory->bytes = inventory->bytes - file->size + len;
	file->size = len;
	file->hash = sha256_of(data, len);
	file->hashed = true;
}
