/*
 * Text that looks like a key: a submission is public for good. What a run's own key was is not known here (model/secret.h takes that out when a reply is kept); this looks for the forms that
 * providers give theirs, and for what stands behind "Bearer". A form counts at the start of a word, and only with letters and digits in it.
 */
#ifndef PTXSEAL_SUBMISSION_KEYLIKE_H
#define PTXSEAL_SUBMISSION_KEYLIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/finding.h"

/* The first one: true, where it begins, and which form it has (static). */
bool keylike_find(const char *text, size_t len, size_t *at, const char **form);

/* Objects in which the words stand that take the place of a key (SECRET_MARK), and how often; sorted by id. free(at). */
struct marks {
	struct marked {
		struct sha256 object;
		uint64_t count;
	} *at;
	size_t count, room;
};
uint64_t marks_in(const struct marks *marks, const struct sha256 *object);

/* submission.json, records, objects and the files of runs: what a lab writes, and what it keeps of its talk with an endpoint. As they stand and with the escapes of JSON undone (base/unescape.h).
 * R_SUB_KEY, a finding a file. marks: since each object is read here. */
void keylike_check(const struct root *root, const struct file_list *list, struct marks *marks, struct findings *findings);

#endif
