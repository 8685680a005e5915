#include "unpacked.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../archive/tarball.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../bundle/presence.h"

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
	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *name_of;
		struct bytes text = {0};

		if (list.at[i].kind == FILE_DIRECTORY)
			continue;
		if (layout_object(list.at[i].path, &name_of) && list.at[i].size > OBJECT_MAX)
			status = error_set(err, R_OBJ_SIZE, list.at[i].path, "%llu bytes; the limit is %d", (unsigned long long)list.at[i].size, OBJECT_MAX);
		else
			status = root_read(&from, list.at[i].path, SIZE_MAX, &text, err);
		if (status == OK)
			status = root_write_product(to, list.at[i].path, text.data, text.len, err);
		bytes_free(&text);
	}
	file_list_free(&list);
	root_close(&from);
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
