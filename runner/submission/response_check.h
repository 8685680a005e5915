/*
 * A record of a replay held against the response that its turn names: what was measured is what the model said. Of a lowered candidate that is its kernel.cu, of another its PTX; how its
 * launches were told is not looked at.
 */
#ifndef PTXSEAL_SUBMISSION_RESPONSE_CHECK_H
#define PTXSEAL_SUBMISSION_RESPONSE_CHECK_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/ledger.h"

/*
 * root: the bundle that the record, its candidate and the objects stand in. turns: of the record's run. Nothing is told where no turn of the record's trajectory names a response, or the
 * candidate cannot be read (code_check tells that). R_SUB_RESPONSE: the source stands in none of them. R_SUB_EXTRACTED: it does, but is not what model/extraction.h takes from one.
 */
void response_check(const struct root *root, const struct turn *turns, size_t count, const cJSON *record, const char *path, struct findings *findings);

#endif
