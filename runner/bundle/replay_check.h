/*
 * Everything in which the record of a replay has to agree with itself (docs/records.md), whoever signed it: for whoever takes one in. What it has to agree with
 * elsewhere, the ledger and the candidate's files, is the business of those who have these.
 */
#ifndef PTXSEAL_BUNDLE_REPLAY_CHECK_H
#define PTXSEAL_BUNDLE_REPLAY_CHECK_H

#include <cjson/cJSON.h>

#include "../base/error.h"

/* A call whose SM clock is below this share of the median of its kind is throttled. */
#define REPLAY_THROTTLED_CLOCK 0.9

/*
 * record as replay_parse gives it; path is for messages. R_RPL_RECORD: a member is missing or of another kind; trials, accounting, outcome, files, code and memcheck do not agree.
 * R_RPL_STAND_IN: one of its members tells of a stand-in for a device, and stand_in does not.
 * R_RPL_SAMPLES: pairs, throttled, speedup, cycles, control, times, hidden time or clocks do not follow from the samples, which are whole nanoseconds and hertz: of those
 * that count, neither warm-up nor throttled, unless over half are throttled, with the interval of base/interval.h.
 */
enum status replay_check(const cJSON *record, const char *path, struct error *err);

#endif
