#include "race.h"

#include <stdlib.h>

#include "message.h"

enum {
	BLOCK = 8,            /* pairs on one base, between two looks at clocks and interval */
	CHECK_ONE_IN = 24,    /* pairs */
	CHECKS_MIN = 3,       /* among the first STOP_PAIRS_MIN */
	FIRST_NUMBER = 1 << 20, /* of addresses: other than the trials' */
};

static const unsigned slowdowns = NVML_REASON_HW_SLOWDOWN | NVML_REASON_SW_THERMAL | NVML_REASON_HW_THERMAL | NVML_REASON_POWER_BRAKE;

void race_free(struct race *race)
{
	free(race->samples);
	free(race->slowdown);
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
		const size_t third = STOP_PAIRS_MIN / CHECKS_MIN;

		status = draw_u64(&drawn, err);
		checks->at[i] = i * third + drawn % third;
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
		status = judge_compare(judge, expected, worker, false, &observed, err);
	if (status == OK)
		trial_decide(problem, &observed, expected_library(expected), result);
	return status;
}

struct block {
	uint64_t base_seed;
	bool new_base;
};

static enum status time_one(struct judge *judge, const struct problem *problem, struct worker *worker, struct block *block,
                            const struct checks *checks, struct trial_results *results, struct race *race, struct error *err)
{
	struct trial trial = {.base_seed = block->base_seed, .values = VALUES_NORMAL, .number = FIRST_NUMBER + (uint32_t)race->count};
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
	const bool slow = state.event_reasons.standing == NVML_KNOWN && (state.event_reasons.value & slowdowns) != 0;

	for (size_t i = first; i < race->count; i++)
		race->slowdown[i] = slow;
	if (keeps_state(race))
		race->states[race->state_count++] = state;
}

static bool is_narrow(struct race *race)
{
	if (race->count < STOP_PAIRS_MIN + WARM_UP_PAIRS)
		return false;
	mark_throttled(race->samples, race->slowdown, race->count);
	speed_of(race->samples, race->count, &race->speed);
	return interval_width(&race->speed.speedup) <= STOP_WIDTH;
}

enum status race_run(struct judge *judge, const struct problem *problem, struct worker *worker, const struct trial_plan *plan, double seconds,
                     struct trial_results *results, struct progress *progress, struct race *race, struct error *err)
{
	const uint64_t start = clock_ms(), budget = (uint64_t)(seconds * 1000);
	struct checks checks;
	enum status status = draw_checks(&checks, err);
	bool on = true;

	*race = (struct race){0};
	while (status == OK && on) {
		struct block block = {.new_base = true};
		const size_t first = race->count;
		const uint64_t before = race->elapsed_ms;
		uint64_t drawn = 0;

		status = replay_go_on(err);
		if (status == OK)
			status = draw_u64(&drawn, err);
		block.base_seed = choose_base(plan, drawn % plan->count);
		for (size_t i = 0; i < BLOCK && status == OK && race->fate.kind == FATE_DONE; i++)
			status = time_one(judge, problem, worker, &block, &checks, results, race, err);
		look_at_device(judge, race, first);
		race->elapsed_ms = clock_ms() - start;
		race->narrow = is_narrow(race);
		on = race->fate.kind == FATE_DONE && !race->narrow && race->elapsed_ms < budget && race->count < RACE_PAIRS_MAX;
		progress_add(progress, race->elapsed_ms - before);
	}
	if (race->count > 0)
		mark_throttled(race->samples, race->slowdown, race->count);
	speed_of(race->samples, race->count, &race->speed);
	return status;
}
