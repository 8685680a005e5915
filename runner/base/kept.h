/*
 * Files that are held in memory in place of a directory: what an archive has, read once. A root with such a shelf lists and reads these and nothing of the disk, or these over what a
 * directory has.
 */
#ifndef PTXSEAL_BASE_KEPT_H
#define PTXSEAL_BASE_KEPT_H

#include "file.h"

struct kept_file {
	const char *path; /* keeps R_PATH_FORM */
	uint64_t size;
	bool held;         /* text is all of it; else it stands elsewhere, or went by and is only known to be there */
	struct bytes text;
	const struct root *home; /* if it is not held: where it stands, as there; NULL: nowhere. Not owned */
	const char *there;
};

/* Sorted by path bytes, none twice, none beneath another. Who filled it owns what is in it. */
struct kept {
	struct kept_file *at;
	size_t count;
};

/* root_open for it; root_close closes that too. kept has to outlive the root. */
void kept_open(const struct kept *kept, const char *name, struct root *root);
/* The same over a directory, whose handle it shares: that has to outlive it, and root_close is not called. */
struct root kept_over(const struct kept *kept, const struct root *directory);

/* NULL if it is not kept. */
const struct kept_file *kept_find(const struct kept *kept, const char *path);

/* What root_read and root_list_past do of such a root. */
enum status kept_read(const struct kept *kept, const char *path, size_t max, struct bytes *out, struct error *err);
void kept_list(const struct kept *kept, const char *path, struct file_list *list);

#endif
