/* The admitted submissions of an archive as its entries tell of them: for people, once the archive is verified. */
#ifndef PTXSEAL_SUBMISSION_ROLL_H
#define PTXSEAL_SUBMISSION_ROLL_H

#include "../base/bytes.h"
#include "../base/file.h"

/* A line for the log and one for each submission, each behind indent; nothing where there is neither. */
void roll_text(const struct root *archive, const char *indent, struct bytes *text);

#endif
