/* What a compiler complains of: the lines of its messages that say what is wrong, for people and models. */
#ifndef PTXSEAL_KERNEL_COMPLAINTS_H
#define PTXSEAL_KERNEL_COMPLAINTS_H

#include "../base/bytes.h"

enum { COMPLAINTS_LINES = 12, COMPLAINT_BYTES = 300 };

/*
 * Append the lines of output that are errors, parted by newlines, none after the last: the first COMPLAINTS_LINES, of each the first COMPLAINT_BYTES bytes, and how many more there are. Lines that only count or sum up are left
 * out. Of a path from the root its last part stands: directories are of the machine, not of the kernel.
 */
void complaints_add(const char *output, struct bytes *out);

#endif
