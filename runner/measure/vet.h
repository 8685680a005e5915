/*
 * Can a record be believed? All that can be checked of one without a device, in one place for whoever takes records in: admission, tables, comparison and seals.
 * It agrees with itself (replay_check.h), concludes what follows (tally.h), could have been measured (plausible.h), had the inputs that all have, and the work and
 * instructions of its cubin (code_check.h).
 */
#ifndef PTXSEAL_MEASURE_VET_H
#define PTXSEAL_MEASURE_VET_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"

/*
 * record as replay_parse gives it. tasks: the bundle whose tasks and artifact/facts/inputs.jsonl count; NULL: there is none, and what needs its problem is left out.
 * candidates: the bundle with the candidate's files; NULL: they are not looked at. A record that calls its device a stand-in is not asked whether a device can have measured it.
 */
void vet_findings(const struct root *tasks, const struct root *candidates, const cJSON *record, const char *path, struct findings *findings);

/* The same, ending with the first error: of its own rule if that is one of R-RPL, else R_RPL_FOLLOWS with its id in the message. */
enum status vet(const struct root *tasks, const struct root *candidates, const cJSON *record, const char *path, struct error *err);

/* Every record of a bundle, in the order of their paths. */
enum status vet_bundle(const struct root *bundle, struct error *err);

#endif
