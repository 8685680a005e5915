/* Timing a candidate beside the vendor library: alternating pairs on fresh inputs, some of them checked, until the speedup's interval is narrow enough or time is up. */
#ifndef PTXSEAL_MEASURE_RACE_H
#define PTXSEAL_MEASURE_RACE_H

#include "../base/progress.h"
#include "trials.h"

enum { RACE_PAIRS_MAX = 20000, RACE_STATES_MAX = 64 };
/* Of addresses: half a round of places (arena.h) away from those of the trials, which count from 0. */
enum { RACE_FIRST_NUMBER = (1 << 20) + (1 << 11) };

struct race {
	struct sample *samples;   /* every one, in order */
	bool *slowdown;           /* of each: NVML named one around it */
	size_t count, room;
	struct nvml_state states[RACE_STATES_MAX]; /* during: the first, and then at growing distances */
	size_t state_count;
	struct fate fate;         /* FATE_DONE unless the candidate failed while timed */
	size_t warm_up;           /* samples at the beginning that do not count */
	struct sample *controls;  /* the library beside itself, in the same places of the order; all after warm-up */
	size_t control_count, control_room;
	struct interval control;  /* of their ratios */
	bool narrow;              /* it ended because the interval was narrow; else time was up, or the candidate failed */
	uint64_t elapsed_ms;
	struct speed speed;
};
void race_free(struct race *race);

/*
 * worker was started with the baseline. plan: whose bases are taken for computed inputs. Checked calls add their verdicts to results; which ones are
 * checked is drawn here, where the worker does not see it. seconds: the budget.
 */
enum status race_run(struct judge *judge, const struct problem *problem, struct worker *worker, const struct trial_plan *plan, double seconds,
                     struct trial_results *results, struct progress *progress, struct race *race, struct error *err);

#endif
