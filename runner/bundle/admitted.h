/*
 * Submissions that an archive has admitted. Each stands in it as its submitter sealed it: runs, records, candidates, objects and its source among the archive's own,
 * all else (its manifests, keys, trust.json, checksums/, submission.json) under manifests/submissions/ID/ by the paths it has in the submission. ID is the first
 * 16 hex digits of the SHA-256 of its checksums/SHA256SUMS.
 *
 * What its keys sign counts for its own files only: they are looked up in its own trust.json, and that vouches for nothing but what its SHA256SUMS lists.
 */
#ifndef PTXSEAL_BUNDLE_ADMITTED_H
#define PTXSEAL_BUNDLE_ADMITTED_H

#include "imports.h"

enum { ADMITTED_ID = 16 };

/* May a submission list a file of that path? */
bool admitted_may_hold(const char *path);

/* Where the file of a submission stands in an archive that admitted it; free() it. */
char *admitted_path(const char *id, const char *path);

/* The manifest that vouches for a run, as far as files are there: its own, that of the submission which brought it, or its source's; free() it. */
char *manifest_of_run(const struct root *root, const char *run, const char *source);

/* Every admitted submission set beside what its submitter sealed; findings name the files as they stand in the archive. */
void admitted_check(const struct root *root, const struct inventory *inventory, const struct imports *imports, struct findings *findings);

#endif
