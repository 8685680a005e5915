/* Machine code on a page: every instruction of a cubin as far as sass.h reads it, how often each of the families ran beside it, and a list to jump from. */
#ifndef PTXSEAL_REPORT_CODE_H
#define PTXSEAL_REPORT_CODE_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../kernel/cubin.h"

/*
 * record: whose counts stand beside the instructions; NULL if they are of other code. At most about max bytes of page; what does not fit is told of.
 * Ids are S and the number of the function, from 0, then '-' and the offset in hexadecimal: S0-9c0.
 */
void code_put(const struct cubin *cubin, const cJSON *record, size_t max, struct bytes *out);

#endif
