/* The page of one measured candidate, a file of its own. */
#ifndef PTXSEAL_REPORT_KERNEL_PAGE_H
#define PTXSEAL_REPORT_KERNEL_PAGE_H

#include "kernel.h"

/* Bytes of a page at most, whatever a record and its files hold: each part that can be long has a share of this, and says what it leaves out. */
enum { KERNEL_PAGE_MAX = 1536 << 10 };

/* kernel.css, which pages of comparisons use too. */
extern const char kernel_style[];

void kernel_page(const struct kernel *kernel, struct bytes *out);

#endif
