/* A directory of files that can be made again at any time, and a list of them in it, so that a file that is no longer made can be told from somebody else's and is removed.
 * A run that is killed leaves no file of its own unlisted. */
#ifndef PTXSEAL_BASE_PRODUCTS_H
#define PTXSEAL_BASE_PRODUCTS_H

#include "file.h"

struct products {
	const char *out;  /* as the user typed it */
	const char *list; /* the list's name: names of files, one a line */
	bool (*ours)(const char *name, size_t len); /* may a list name this file? One that was tampered with must not lead to the removal of others' */
	struct root dir;
	struct bytes old;
	struct bytes now;
	char **removed; /* stale files that are gone now */
	size_t removed_count;
};

/* Make the directory where it is missing and read its list. now holds the names of the files that will be written, each ended by a newline; it is taken over. The
 * texts are kept. Errors name files with the directory, here and below. products_free also after a failure. */
enum status products_open(struct products *products, const char *out, const char *list, bool (*ours)(const char *name, size_t len),
                           struct bytes *now, struct error *err);
/* Does a file of that name stand there that no list names? */
bool products_foreign(const struct products *products, const char *name);
/* Before the first file is written: from now on the list has the old names and the new ones. */
enum status products_begin(const struct products *products, struct error *err);
/* A file that already has the very bytes is left alone. May be called by several threads. */
enum status products_write(const struct products *products, const char *name, const struct bytes *text, struct error *err);
/* Remove what is stale and leave the list. */
enum status products_end(struct products *products, struct error *err);
void products_free(struct products *products);

#endif
