/*
 * A record of a replay held against the code that was measured: the candidate's files, the instructions of its cubin, and the work that follows from the counts in the record
 * and the code. No GPU and no toolkit is needed.
 */
#ifndef PTXSEAL_MEASURE_CODE_CHECK_H
#define PTXSEAL_MEASURE_CODE_CHECK_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"
#include "problem.h"

/* root: the bundle that the record and the candidate stand in. problem: NULL if it is not known; shares of work are not looked at then. */
void code_check(const struct root *root, const cJSON *record, const char *path, const struct problem *problem, struct findings *findings);

#endif
