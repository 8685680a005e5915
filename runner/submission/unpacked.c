#include "unpacked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../archive/tarball.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../bundle/presence.h"

enum { LIST_MAX = 8 << 20, TURNS_MAX = 16 << 20, RUN_MAX = 32 << 20, OTHER_MAX = OBJECT_MAX }; /* bytes of a file, by its kind (R_SUB_SIZE) */

static uint64_t size_max(const char *path)
{
	const char *rest;
	size_t len;

	if (strcmp(path, LAYOUT_SUMS) == 0)
		return LIST_MAX;
	if (layout_split(path, LAYOUT_RUNS, &len, &rest))
		return strcmp(rest, LAYOUT_TURNS) == 0 ? TURNS_MAX : RUN_MAX;
	return OTHER_MAX;
}

/* Before any of it is read. */
static enum status check_sizes(const struct file_list *list, struct error *err)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct file_entry *entry = &list->at[i];
		const uint64_t max = size_max(entry->path);
		const char *name;

		if (entry->kind == FILE_REGULAR && entry->size > max)
			return error_set(err, layout_object(entry->path, &name) ? R_OBJ_SIZE : R_SUB_SIZE, entry->path, "%llu bytes; the limit is %llu", (unsigned long long)entry->size,
			                 (unsigned long long)max);
	}
	return OK;
}

/* Links, pipes and devices are refused by root_read. */
static enum status copy_tree(const char *name, const struct root *to, struct error *err)
{
	struct root from = {.fd = -1};
	struct file_list list = {0};
	enum status status = root_open(name, &from, err);

	if (status == OK && presence_is_bag(&from))
		status = presence_check(&from, err);
	if (status == OK)
		status = root_list(&from, "", &list, err);
	if (status == OK)
		status = check_sizes(&list, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		struct bytes text = {0};

		if (list.at[i].kind == FILE_DIRECTORY)
			continue;
		status = root_read(&from, list.at[i].path, size_max(list.at[i].path), &text, err);
		if (status == OK)
			status = root_write_product(to, list.at[i].path, text.data, text.len, err);
		bytes_free(&text);
	}
	file_list_free(&list);
	root_close(&from);
	return status;
}

static enum status check_unpacked(const struct root *root, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(root, "", &list, err);

	if (status == OK)
		status = check_sizes(&list, err);
	file_list_free(&list);
	return status;
}

static enum status unpack(const char *name, const char *directory, bool quiet, struct findings *findings, struct error *err)
{
	struct tarball_report report = {0};
	const enum status status = tarball_unpack(name, directory, quiet, &report, err);

	*findings = report.verify.findings;
	report.verify.findings = (struct findings){0};
	tarball_report_free(&report);
	return status;
}

enum status unpacked_open(const char *name, const char *beside, bool quiet, struct unpacked *unpacked, struct findings *findings, struct error *err)
{
	char *wanted = mem_format("%s/.ptxseal-admission", beside), *directory = NULL, *data;
	struct stat st;

	*unpacked = (struct unpacked){.draft = {.fd = -1, .dir = -1}, .root = {.fd = -1}};
	enum status status = draft_tree(wanted, &unpacked->draft, err);

	if (status == OK) {
		directory = mem_format("%s/%s/submission", beside, unpacked->draft.temporary);
		data = mem_format("%s/" TARBALL_DATA, directory);
		if (stat(name, &st) == 0 && S_ISDIR(st.st_mode)) {
			status = root_create(data, &unpacked->root, err);
			if (status == OK)
				status = copy_tree(name, &unpacked->root, err);
		} else {
			status = unpack(name, directory, quiet, findings, err);
			if (status == OK)
				status = root_open(data, &unpacked->root, err);
			if (status == OK)
				status = check_unpacked(&unpacked->root, err);
		}
		/* What packing puts beside a bundle is none of it. */
		if (status == OK)
			status = root_remove(&unpacked->root, TARBALL_CRATE, err);
		free(data);
		free(directory);
	}
	free(wanted);
	return status;
}

void unpacked_remove(struct unpacked *unpacked)
{
	root_close(&unpacked->root);
	draft_drop(&unpacked->draft);
}
