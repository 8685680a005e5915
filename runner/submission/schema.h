/* The form of a replay's record, member by member (docs/records.md): what is missing, of another kind, or not known. */
#ifndef PTXSEAL_SUBMISSION_SCHEMA_H
#define PTXSEAL_SUBMISSION_SCHEMA_H

#include <cjson/cJSON.h>

#include "../bundle/finding.h"

/* Findings of R_RPL_RECORD, each naming its member. True if there is none: the record can then be read by those names. */
bool schema_check(const cJSON *record, const char *path, struct findings *findings);

#endif
