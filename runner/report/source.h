/* A PTX source on a page: lines with numbers and anchors (#L12), the instructions that matter marked, and a list of those to jump from. */
#ifndef PTXSEAL_REPORT_SOURCE_H
#define PTXSEAL_REPORT_SOURCE_H

#include <stddef.h>

#include "../base/bytes.h"

/* At most about max bytes of page; what does not fit is told of. Any bytes will do as text. */
void source_put(const char *text, size_t len, size_t max, struct bytes *out);

#endif
