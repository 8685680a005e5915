#include "roll.h"

#include <string.h>

#include "../bundle/layout.h"
#include "../log/tlog.h"
#include "leaf.h"

enum { FILE_MAX = 64 << 10 };

/* Of a checkpoint the origin and the number of entries, its first two lines. */
static void add_log(const struct root *archive, const char *indent, struct bytes *text)
{
	struct bytes note = {0};

	if (root_read(archive, LAYOUT_LOG TLOG_CHECKPOINT, FILE_MAX, &note, NULL) == OK && note.data != NULL) {
		const size_t origin = strcspn(note.data, "\n");
		const char *size = note.data + origin + (note.data[origin] == '\n');

		bytes_format(text, "%sSubmission log %.*s, entries: %.*s\n", indent, (int)origin, note.data, (int)strcspn(size, "\n"), size);
	}
	bytes_free(&note);
}

static void add_submission(const struct root *archive, const char *path, const char *indent, struct bytes *text)
{
	struct bytes entry = {0};
	struct leaf leaf = {0};

	if (root_read(archive, path, FILE_MAX, &entry, NULL) == OK && entry.data != NULL &&
	    leaf_parse(entry.data, entry.len, path, &leaf, NULL) == OK)
		bytes_format(text, "%sAdmitted on %s: submission %s, source %s, sealed by submitter's key %s\n", indent, leaf.admitted, leaf.id, leaf.source, leaf.key);
	leaf_free(&leaf);
	bytes_free(&entry);
}

void roll_text(const struct root *archive, const char *indent, struct bytes *text)
{
	struct file_list list;
	const char *rest;
	size_t len;

	add_log(archive, indent, text);
	root_list_past(archive, "manifests/submissions", &list);
	for (size_t i = 0; i < list.count; i++)
		if (layout_split(list.at[i].path, LAYOUT_SUBMISSIONS, &len, &rest) && strcmp(rest, LAYOUT_ENTRY) == 0)
			add_submission(archive, list.at[i].path, indent, text);
	file_list_free(&list);
}
