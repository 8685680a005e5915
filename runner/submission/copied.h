/* A record held against those of an archive, and those beside it: samples, calls and seeds are its own. */
#ifndef PTXSEAL_SUBMISSION_COPIED_H
#define PTXSEAL_SUBMISSION_COPIED_H

#include "known.h"

/* path: of the record, which is not held against itself. R_SUB_COPIED. */
void copied_check(const struct known *own, const struct known *archive, const cJSON *record, const char *path, struct findings *findings);

#endif
