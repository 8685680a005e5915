/* The files that a candidate has: its description, its PTX, the cubin of its architecture, and the source if it was lowered. */
#ifndef PTXSEAL_SUBMISSION_OWN_FILES_H
#define PTXSEAL_SUBMISSION_OWN_FILES_H

#include "../kernel/candidate.h"

enum { OWN_FILES_MAX = 4 };

/* The path of the file of that number, whether it is there or not; NULL: it has none. free() it. */
char *own_files_path(const struct candidate *candidate, size_t number);
bool own_files_have(const struct candidate *candidate, const char *path);

/* artifact/candidates/TASK/NAME, and nothing else, is where a candidate stands. */
bool own_files_stand(const char *directory);

#endif
