/* A submission in a private directory, where nobody else can change it while it is looked at: unpacked from a file, or copied from a directory. */
#ifndef PTXSEAL_SUBMISSION_UNPACKED_H
#define PTXSEAL_SUBMISSION_UNPACKED_H

#include "../base/draft.h"
#include "../bundle/finding.h"

struct unpacked {
	struct draft draft;
	struct root root; /* of the bundle in it */
};

/* name: a packed bundle or the directory of one; beside: a directory that can be written to, on the disk where the files are to go. FAILS: a bag whose
 * hashes differ (findings). unpacked_remove in every case. */
enum status unpacked_open(const char *name, const char *beside, bool quiet, struct unpacked *unpacked, struct findings *findings, struct error *err);
void unpacked_remove(struct unpacked *unpacked);

#endif
