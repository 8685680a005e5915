/*
 * Files that are held in memory in place of a directory: what an archive has, read once. A root with such a shelf lists and reads these and nothing of the disk.
 */
#ifndef PTXSEAL_BASE_KEPT_H
#define PTXSEAL_BASE_KEPT_H

#include "file.h"

struct kept_file {
	const char *path; /* keeps R_PATH_FORM */
	uint64_t size;
	bool held;         /* text is all of it; else it went by and is only known to be there */
	struct bytes text;
};

/* Sorted by path bytes, none twice, none beneath another. Who filled it owns what is in it. */
struct kept {
	struct kept_file *at;
	size_t count;
};

/* root_open for it; root_close closes that too. kept has to outlive the root. */
void kept_open(const struct kept *kept, const char *name, struct root *root);

/* What root_read and root_list_past do of such a root. */
enum status kept_read(const struct kept *kept, const char *path, size_t max, struct bytes *out, struct error *err);
void kept_list(const struct kept *kept, const char *path, struct file_list *list);

#endif
