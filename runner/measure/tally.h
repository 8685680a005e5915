/*
 * What a record concludes, from what stands beside it: trials and their marks, tallies, bounds, the outcome, the roofline and suspicions; and whether its problem is the one that the
 * archive defines. Samples and their medians are for replay_check (bundle/replay_check.h).
 */
#ifndef PTXSEAL_MEASURE_TALLY_H
#define PTXSEAL_MEASURE_TALLY_H

#include <cjson/cJSON.h>

#include "../bundle/finding.h"
#include "problem.h"

/* problem: NULL if it is not known; what needs it is left out then. */
void tally_check(const cJSON *record, const char *path, const struct problem *problem, struct findings *findings);

#endif
