/* Which candidates a bundle has: the directories artifact/candidates/TASK/NAME with a candidate.json. */
#ifndef PTXSEAL_KERNEL_SHELF_H
#define PTXSEAL_KERNEL_SHELF_H

#include "../base/file.h"

#define CANDIDATES_DIRECTORY "artifact/candidates"

struct shelved {
	char *directory; /* from the bundle's top */
	char *task;      /* the last but one part of it */
	const char *name; /* the last, in directory */
	bool in_bundle;  /* beneath artifact/candidates */
};

struct shelf {
	struct shelved *at; /* sorted by directory, so those of a task stand together */
	size_t count;
};

/*
 * task NULL: any. candidate NULL: any; a name; or, with a '/', one directory TASK/NAME anywhere beneath the bundle. R_RPL_NAME if there is none. shelf_free in
 * every case.
 */
enum status shelf_read(const struct root *bundle, const char *task, const char *candidate, struct shelf *shelf, struct error *err);
void shelf_free(struct shelf *shelf);

#endif
