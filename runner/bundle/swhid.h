/*
 * Software Heritage identifiers (ISO/IEC 18670) of a directory: "swh:1:dir:" and the SHA-1 of its git tree object (gitformat-pack, "tree"), which is what
 * `git add -f -A && git write-tree` gives in a repository that holds nothing else. It is of the files as they are: .gitignore
 * leaves nothing out (-f), and .gitattributes converts nothing (a line "* -text -ident -filter -working-tree-encoding" in .git/info/attributes switches it off). Modes are 100644, 100755 (the owner may execute) and 40000; an empty directory does not exist.
 */
#ifndef PTXSEAL_BUNDLE_SWHID_H
#define PTXSEAL_BUNDLE_SWHID_H

#include "../base/file.h"

enum { SWHID_TEXT = 10 + 40 }; /* characters of one */

/* Of the directory that holds those of the named directories (NULL-terminated) that are there, and nothing else. */
enum status swhid_of(const struct root *root, const char *const *names, char out[SWHID_TEXT + 1], struct error *err);

#endif
