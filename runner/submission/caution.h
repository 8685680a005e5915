/* What does not refuse a record of a replay, and who reads it should know: a speed that it calls suspect itself, a layer of the sandbox that was not in force, value sets that were not tried. */
#ifndef PTXSEAL_SUBMISSION_CAUTION_H
#define PTXSEAL_SUBMISSION_CAUTION_H

#include <cjson/cJSON.h>

#include "../bundle/finding.h"

/* Warnings: R_SUB_SUSPECT, R_SUB_SANDBOX, R_SUB_VALUES. */
void caution_check(const cJSON *record, const char *path, struct findings *findings);

#endif
