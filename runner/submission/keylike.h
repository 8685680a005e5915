/*
 * Text that looks like a key: a submission is public for good. What a run's own key was is not known here (model/secret.h takes that out when a reply is kept); this looks for the forms that
 * providers give theirs, and for what stands behind "Bearer". A form counts at the start of a word, and only with letters and digits in it.
 */
#ifndef PTXSEAL_SUBMISSION_KEYLIKE_H
#define PTXSEAL_SUBMISSION_KEYLIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/file.h"
#include "../bundle/finding.h"

/* The first one: true, where it begins, and which form it has (static). */
bool keylike_find(const char *text, size_t len, size_t *at, const char **form);

/* submission.json, records, objects and the files of runs: what a lab writes, and what it keeps of its talk with an endpoint. As they stand and with the escapes of JSON undone (base/unescape.h).
 * R_SUB_KEY, a finding a file. */
void keylike_check(const struct root *root, const struct file_list *list, struct findings *findings);

#endif
