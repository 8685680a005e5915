/*
 * Trials of a candidate: which inputs, what became of each, and whether it was right. The first is of the standard seed, whose inputs anybody can hash; all others are drawn
 * from the system's random numbers when a session starts, so no candidate was made for them. Of eight and more, four are of normal values and one of each other value set (philox.h) at
 * least; the first four are of normal values.
 */
#ifndef PTXSEAL_MEASURE_TRIALS_H
#define PTXSEAL_MEASURE_TRIALS_H

#include <signal.h>

#include "inputs.h"
#include "judge.h"
#include "verdict.h"

/* 30 trials without a failure bound the rate of failures by a tenth at 95 % (bound_of_failures). */
enum { TRIALS_DEFAULT = 30, TRIALS_MIN = 3, TRIALS_MAX = 10000, OUTPUTS_MAX = 3 };

struct trial_plan {
	struct trial *at;
	size_t count;
};
enum status trial_plan_draw(size_t count, struct trial_plan *plan, struct error *err);
void trial_plan_free(struct trial_plan *plan);
/* One of them that has normal values and is not the standard one, drawn anew: nobody knew its inputs before the session. */
enum status trial_plan_choose(const struct trial_plan *plan, struct trial *trial, struct error *err);

/* Random 64 bits of the system's. */
enum status draw_u64(uint64_t *value, struct error *err);

/* After timing, besides the plan's trials once more. */
enum { TRIALS_FRESH_AFTER = 3 };

/* Before timing, among the timed calls, and once more after timing; and the call whose instructions are counted, which is none of the trials. */
enum trial_stage { STAGE_BEFORE, STAGE_TIMED, STAGE_AFTER, STAGE_COUNTED };
const char *trial_stage_name(enum trial_stage stage); /* "before", "timed", "after", "counted" */

struct trial_output {
	struct comparison own, library; /* library: only where has_library */
	struct verdict verdict;
};

struct trial_result {
	enum trial_stage stage;
	struct trial trial;
	struct fate fate;
	bool has_library;
	size_t outputs;
	struct trial_output output[OUTPUTS_MAX]; /* if fate is FATE_DONE */
	uint64_t inputs_changed, guards_changed; /* bytes */
	enum mark published, strict;             /* of all outputs; MARK_FAIL where it did not come to its end */
};

struct trial_results {
	struct trial_result *at;
	size_t count, room;
	size_t planned;
};
struct trial_result *trial_results_add(struct trial_results *results);
void trial_results_free(struct trial_results *results);

/* Set the verdicts of what a worker gave back. library NULL: none. */
void trial_decide(const struct problem *problem, const struct observed *observed, const struct comparison *library, struct trial_result *result);

/* Set by a signal handler: stop soon, keep what is done. */
extern volatile sig_atomic_t replay_stop;
/* OK, or STOPPED with R_RPL_STOPPED. */
enum status replay_go_on(struct error *err);

#endif
