#include "trials.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { NORMAL_TRIALS = 4 /* the standard one, and three fresh ones */ };

enum status draw_u64(uint64_t *value, struct error *err)
{
	if (getrandom(value, sizeof *value, 0) == (ssize_t)sizeof *value)
		return OK;
	return error_errno(err, R_IO_READ, "", "drawing random numbers");
}

volatile sig_atomic_t replay_stop;

enum status replay_go_on(struct error *err)
{
	return replay_stop ? error_set(err, R_RPL_STOPPED, "", "stopped on request") : OK;
}

/* Normal values first, then each other set, then all in turn. */
static enum value_set values_of(size_t i)
{
	return i < NORMAL_TRIALS ? VALUES_NORMAL : (enum value_set)((i - NORMAL_TRIALS + 1) % VALUES_COUNT);
}

enum status trial_plan_draw(size_t count, struct trial_plan *plan, struct error *err)
{
	enum status status = OK;

	*plan = (struct trial_plan){.at = mem_array(NULL, count, sizeof *plan->at), .count = count};
	for (size_t i = 0; i < count && status == OK; i++) {
		struct trial *trial = &plan->at[i];

		*trial = (struct trial){.seed = STANDARD_SEED, .base_seed = STANDARD_SEED, .values = values_of(i), .number = (uint32_t)i};
		if (i > 0)
			status = draw_u64(&trial->seed, err);
		if (i > 0 && status == OK)
			status = draw_u64(&trial->base_seed, err);
	}
	return status;
}

enum status trial_plan_choose(const struct trial_plan *plan, struct trial *trial, struct error *err)
{
	uint64_t drawn = 0;
	const enum status status = draw_u64(&drawn, err);

	/* There is one: a plan has three at least, and the first ones are normal. */
	for (size_t i = 0; i < plan->count; i++) {
		*trial = plan->at[(drawn + i) % plan->count];
		if (trial->values == VALUES_NORMAL && trial->seed != STANDARD_SEED)
			break;
	}
	trial->number = (uint32_t)(drawn >> 32);
	return status;
}

void trial_plan_free(struct trial_plan *plan)
{
	free(plan->at);
	*plan = (struct trial_plan){0};
}

const char *trial_stage_name(enum trial_stage stage)
{
	static const char *const names[] = {[STAGE_BEFORE] = "before", [STAGE_TIMED] = "timed", [STAGE_AFTER] = "after", [STAGE_COUNTED] = "counted"};

	return names[stage];
}

struct trial_result *trial_results_add(struct trial_results *results)
{
	if (results->count == results->room) {
		results->room = results->room == 0 ? 64 : 2 * results->room;
		results->at = mem_array(results->at, results->room, sizeof *results->at);
	}
	results->at[results->count] = (struct trial_result){0};
	return &results->at[results->count++];
}

void trial_results_free(struct trial_results *results)
{
	free(results->at);
	*results = (struct trial_results){0};
}

void trial_decide(const struct problem *problem, const struct observed *observed, const struct comparison *library, struct trial_result *result)
{
	result->published = result->strict = MARK_PASS;
	result->has_library = library != NULL;
	result->outputs = 0;
	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];
		struct trial_output *output = &result->output[result->outputs];

		if (!tensor->output) {
			result->inputs_changed += observed->input_changed[i];
			continue;
		}
		output->own = observed->output[result->outputs];
		if (library != NULL)
			output->library = library[result->outputs];
		verdict_of(&output->own, library != NULL ? &output->library : NULL, tensor->dtype, &output->verdict);
		result->published = mark_both(result->published, output->verdict.published);
		result->strict = mark_both(result->strict, output->verdict.strict);
		result->outputs++;
	}
}
