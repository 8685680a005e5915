#include "race.h"

#include <stdlib.h>

#include "message.h"

enum {
	BLOCK = PAIRS_BLOCK, /* pairs on one base, between two looks at clocks and interval */
	CONTROLS = 2,         /* pairs of the library beside itself after each block */
	CHECK_ONE_IN = 24,    /* pairs */
	CHECKS_MIN = 8,       /* among the first STOP_PAIRS_MIN: a candidate that is idle in half of its calls, which is what it takes to move the median, passes one time in 256 */
};

void race_free(struct race *race)
{
	free(race->samples);
	free(race->slowdown);
	free(race->controls);
	*race = (struct race){0};
}

static void add_sample(struct race *race, const struct sample *sample)
{
	if (race->count == race->room) {
		race->room = race->room == 0 ? 256 : 2 * race->room;
		race->samples = mem_array(race->samples, race->room, sizeof *race->samples);
		race->slowdown = mem_array(race->slowdown, race->room, sizeof *race->slowdown);
	}
	race->samples[race->count] = *sample;
	race->slowdown[race->count++] = false;
}

/* Which of the first pairs are checked whatever is drawn later. */
struct checks {
	size_t at[CHECKS_MIN];
};

static enum status draw_checks(struct checks *checks, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < CHECKS_MIN && status == OK; i++) {
		uint64_t drawn = 0;
		const size_t part = STOP_PAIRS_MIN / CHECKS_MIN;

		status = draw_u64(&drawn, err);
		checks->at[i] = i * part + drawn % part;
	}
	return status;
}

static bool is_checked(const struct checks *checks, size_t pair, uint64_t drawn)
{
	for (size_t i = 0; i < CHECKS_MIN; i++)
		if (checks->at[i] == pair)
			return true;
	return drawn % CHECK_ONE_IN == 0;
}

/* A base of normal values from the plan; there is one: the standard trial. */
static uint64_t choose_base(const struct trial_plan *plan, uint64_t drawn)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct trial *trial = &plan->at[(drawn + i) % plan->count];

		if (trial->values == VALUES_NORMAL)
			return trial->base_seed;
	}
	return STANDARD_SEED;
}

static enum status check_timed(struct judge *judge, const struct problem *problem, struct worker *worker, const struct trial *trial,
                               const struct sample *sample, struct trial_results *results, struct error *err)
{
	const struct expected *expected = NULL;
	struct trial_result *result = trial_results_add(results);
	struct observed observed;

	result->stage = STAGE_TIMED;
	result->trial = *trial;
	result->published = result->strict = MARK_FAIL;
	result->guards_changed = sample->guard_changed;
	results->planned++;
	enum status status = judge_expect(judge, trial, false, &expected, err);

	if (status == OK)
		status = judge_compare(judge, expected, worker, &observed, err);
	if (status == OK)
		trial_decide(problem, &observed, expected_library(expected), result);
	return status;
}

struct block {
	uint64_t base_seed;
	bool new_base;
};

static struct trial next_trial(const struct block *block, const struct race *race)
{
	return (struct trial){.base_seed = block->base_seed,
	                      .values = VALUES_NORMAL,
	                      .number = RACE_FIRST_NUMBER + (uint32_t)(race->count + race->control_count)};
}

/*
 * The library beside itself, on fresh inputs. Which is counted first alternates, and the other way round in each next block: the clock of a card at its power cap follows what came before by a
 * few tenths of a percent, so a place in the block must not always be the same side's (with that, equal calls came out at 1.002).
 */
static enum status time_control(struct judge *judge, struct worker *worker, struct block *block, struct race *race, struct error *err)
{
	struct trial trial = next_trial(block, race);
	struct sample sample;
	enum status status = draw_u64(&trial.seed, err);

	if (status == OK && block->new_base)
		status = judge_give_computed(judge, &trial, worker, err);
	if (status == OK)
		status = worker_control(worker, &trial, block->new_base, (race->control_count + race->count / BLOCK) % 2 == 0, &sample, &race->fate, err);
	block->new_base = false;
	if (status != OK || race->fate.kind != FATE_DONE)
		return status;
	if (race->control_count == race->control_room) {
		race->control_room = race->control_room == 0 ? 64 : 2 * race->control_room;
		race->controls = mem_array(race->controls, race->control_room, sizeof *race->controls);
	}
	race->controls[race->control_count++] = sample;
	return OK;
}

static enum status time_one(struct judge *judge, const struct problem *problem, struct worker *worker, struct block *block,
                            const struct checks *checks, struct trial_results *results, struct race *race, struct error *err)
{
	struct trial trial = next_trial(block, race);
	struct sample sample;
	uint64_t drawn = 0;
	enum status status = draw_u64(&trial.seed, err);

	if (status == OK)
		status = draw_u64(&drawn, err);
	if (status == OK && block->new_base)
		status = judge_give_computed(judge, &trial, worker, err);
	if (status != OK)
		return status;
	const bool check = is_checked(checks, race->count, drawn >> 1);

	/* Which goes first is drawn for each two pairs, and the other way round in the second. */
	const bool first = race->count % 2 == 0 ? (drawn & 1) != 0 : !race->samples[race->count - 1].candidate_first;

	status = worker_time(worker, &trial, block->new_base, first, check, &sample, &race->fate, err);
	block->new_base = false;
	if (status != OK || race->fate.kind != FATE_DONE)
		return status;
	add_sample(race, &sample);
	return check ? check_timed(judge, problem, worker, &trial, &sample, results, err) : OK;
}

static bool keeps_state(const struct race *race)
{
	const size_t blocks = race->count / BLOCK;

	return race->state_count < RACE_STATES_MAX && (blocks < 8 || blocks % 16 == 0);
}

/* After a block: was the device slowed down? */
static void look_at_device(const struct judge *judge, struct race *race, size_t first)
{
	struct nvml_state state;

	judge_state(judge, &state);
	const bool slow = state.event_reasons.standing == NVML_KNOWN && (state.event_reasons.value & NVML_SLOWDOWNS) != 0;

	for (size_t i = first; i < race->count; i++)
		race->slowdown[i] = slow;
	if (keeps_state(race))
		race->states[race->state_count++] = state;
}

static void add_up(struct race *race)
{
	double *ratios = mem_array(NULL, race->control_count + 1, sizeof *ratios);

	if (race->count > 0)
		mark_throttled(race->samples, race->slowdown, race->warm_up, race->count);
	speed_of(race->samples, race->warm_up, race->count, &race->speed);
	for (size_t i = 0; i < race->control_count; i++)
		ratios[i] = race->controls[i].baseline_ms / race->controls[i].candidate_ms;
	interval_of(ratios, race->control_count, &race->control);
	free(ratios);
}

/* What a budget in ms leaves for a part that is to have that share of it, but no more than most. */
static uint64_t part_of(uint64_t budget, double share, uint64_t most)
{
	const uint64_t part = (uint64_t)((double)budget * share);

	return part < most ? part : most;
}

struct clocking {
	uint64_t start, budget, warm_until, stop_from; /* ms since start */
};

/* After a block: does it go on? */
static bool goes_on(struct race *race, const struct clocking *clocking)
{
	race->elapsed_ms = clock_ms() - clocking->start;
	if (race->elapsed_ms < clocking->warm_until || race->warm_up == 0) {
		race->warm_up = race->count < WARM_UP_PAIRS_MIN ? WARM_UP_PAIRS_MIN : race->count;
		race->control_count = 0;
		/* However slow the candidate is, one block counts. */
		return race->fate.kind == FATE_DONE;
	}
	add_up(race);
	race->narrow = race->count >= race->warm_up + STOP_PAIRS_MIN && race->elapsed_ms >= clocking->stop_from &&
	               interval_width(&race->speed.speedup) <= STOP_WIDTH;
	return race->fate.kind == FATE_DONE && !race->narrow && race->elapsed_ms < clocking->budget && race->count < RACE_PAIRS_MAX;
}

static enum status run_block(struct judge *judge, const struct problem *problem, struct worker *worker, const struct trial_plan *plan,
                             const struct checks *checks, struct trial_results *results, struct race *race, struct error *err)
{
	struct block block = {.new_base = true};
	const size_t first = race->count;
	uint64_t drawn = 0;
	enum status status = replay_go_on(err);

	if (status == OK)
		status = draw_u64(&drawn, err);
	block.base_seed = choose_base(plan, drawn % plan->count);
	for (size_t i = 0; i < BLOCK && status == OK && race->fate.kind == FATE_DONE; i++)
		status = time_one(judge, problem, worker, &block, checks, results, race, err);
	for (size_t i = 0; i < CONTROLS && status == OK && race->fate.kind == FATE_DONE; i++)
		status = time_control(judge, worker, &block, race, err);
	look_at_device(judge, race, first);
	return status;
}

enum status race_run(struct judge *judge, const struct problem *problem, struct worker *worker, const struct trial_plan *plan, double seconds,
                     struct trial_results *results, struct progress *progress, struct race *race, struct error *err)
{
	struct clocking clocking = {.start = clock_ms(), .budget = (uint64_t)(seconds * 1000)};
	struct checks checks;
	enum status status = draw_checks(&checks, err);
	bool on = true;

	clocking.warm_until = part_of(clocking.budget, WARM_UP_SHARE, WARM_UP_MS);
	clocking.stop_from = clocking.warm_until + part_of(clocking.budget, STOP_SHARE, STOP_MS_MIN);
	*race = (struct race){0};
	while (status == OK && on) {
		const uint64_t before = race->elapsed_ms;

		status = run_block(judge, problem, worker, plan, &checks, results, race, err);
		on = goes_on(race, &clocking);
		progress_add(progress, race->elapsed_ms - before);
	}
	add_up(race);
	return status;
}
