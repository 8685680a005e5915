/* Derived tables into a directory: <table>.csv, .md and .tex, each written atomically, and a list of them, so that a file of a table that is gone
 * can be told from somebody else's and is removed. */
#ifndef PTXSEAL_DERIVE_PUBLISH_H
#define PTXSEAL_DERIVE_PUBLISH_H

#include "derived.h"

/* Names of the files that were written here, one a line, sorted. */
#define PUBLISH_LIST "DERIVED"

struct published {
	char **removed; /* stale files that are gone now */
	size_t removed_count;
};

/* Make the directory where it is missing. A file that already has the very bytes is left alone. published_free also after a failure. */
enum status publish(const struct derived *derived, size_t count, const char *out, struct published *published, struct error *err);
void published_free(struct published *published);

#endif
