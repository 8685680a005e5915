/*
 * What a program that is run on a stranger's text may read, write and start: a Landlock ruleset (Documentation/userspace-api/landlock.rst), made here and put on by the
 * process that becomes it. All that is not allowed fails for it with EACCES, as if it had no rights.
 */
#ifndef PTXSEAL_KERNEL_CAGE_H
#define PTXSEAL_KERNEL_CAGE_H

#include <stdbool.h>

#include "../base/error.h"

struct cage {
	int ruleset; /* descriptor */
};

/*
 * read: files and directories whose contents may be read and run, NULL-terminated; what is not there is passed over. work: the one directory that may be written, too.
 * Also /dev/null and /dev/urandom. No TCP, from Landlock's version 4 on. R_TLC_CAGE (UNAVAILABLE) on a host without Landlock. Free with cage_free.
 */
enum status cage_make(const char *const *read, const char *work, struct cage *cage, struct error *err);
/* In the process that is to be caged, between fork and exec: only calls that are safe there. errno tells why not. */
bool cage_enter(const struct cage *cage);
void cage_free(struct cage *cage);

#endif
