/*
 * A large file or a tree in the making, beside the name it is to have: ".ptxseal-HEX.draft", so that a run that is killed leaves nothing under that name. Whoever writes holds a
 * lock on it (flock), which ends with the process: the next draft in the same directory removes those that nobody holds.
 */
#ifndef PTXSEAL_BASE_DRAFT_H
#define PTXSEAL_BASE_DRAFT_H

#include "file.h"

enum { DRAFT_NAME_MAX = 64 };

struct draft {
	int dir; /* where it and its name stand */
	int fd;  /* the file to write, or the directory; -1 when closed */
	bool tree;
	char temporary[DRAFT_NAME_MAX];
	char *last;  /* the last part of the name */
	char *shown; /* the name as the user typed it */
};

/* Both: the directory above has to be there. A tree's name must be free (R_PCK_EXISTS), a file's may be taken: it is replaced in the end. */
enum status draft_file(const char *name, struct draft *draft, struct error *err);
enum status draft_tree(const char *name, struct draft *draft, struct error *err);

/* Give it its name; a file is on the disk before. On failure nothing is left. The draft is closed either way. */
enum status draft_keep(struct draft *draft, struct error *err);
/* Remove it; fine on a closed one. */
void draft_drop(struct draft *draft);

#endif
