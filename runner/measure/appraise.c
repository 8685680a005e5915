#include "appraise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "machine.h"
#include "told.h"

enum status appraiser_open(struct assessor *assessor, size_t trials, const struct replay_options *options, const char *date, struct appraiser *appraiser, struct error *err)
{
	struct error why = {0};
	enum status status = OK;

	*appraiser = (struct appraiser){.assessor = assessor, .options = *options, .trials = trials};
	snprintf(appraiser->date, sizeof appraiser->date, "%s", date);
	appraiser->options.quiet = true;
	appraiser->options.sanitizer = &appraiser->sanitizer;
	if (options->memcheck != MEMCHECK_OFF && sanitizer_find(&appraiser->sanitizer, &why) != OK && options->memcheck == MEMCHECK_REQUIRE) {
		*err = why;
		return why.status;
	}
	status = judge_open(options->device, &appraiser->judge, err);
	if (status == OK)
		status = trial_plan_draw(trials, &appraiser->plan, err);
	if (status == OK)
		status = judge_set(appraiser->judge, &assessor->problem, err);
	if (status == OK)
		status = hash_inputs(appraiser->judge, assessor->bundle, &assessor->problem, &appraiser->plan, &appraiser->inputs, err);
	if (status == OK) {
		appraiser->device = judge_device_facts(appraiser->judge);
		appraiser->machine = machine_facts("");
	}
	return status;
}

void appraiser_close(struct appraiser *appraiser)
{
	judge_close(appraiser->judge);
	trial_plan_free(&appraiser->plan);
	free(appraiser->inputs.at);
	sanitizer_free(&appraiser->sanitizer);
	cJSON_Delete(appraiser->device);
	cJSON_Delete(appraiser->machine);
}

/* ---- the record ---- */

/* What is told follows from the record, and from nothing else: whoever has it can say it again. */
static enum status write_record(const struct appraiser *appraiser, const struct replay *replay, uint32_t trajectory, uint32_t turn, struct evaluation *evaluation, struct error *err)
{
	const struct assessor *assessor = appraiser->assessor;
	const struct record_session facts = {
		.run = assessor->run,
		.date = appraiser->date,
		.stand_in = judge_is_stand_in(appraiser->judge),
		.device = appraiser->device,
		.machine = appraiser->machine,
		.library = judge_library_facts(appraiser->judge),
		.hashes = appraiser->inputs.at,
		.hash_count = appraiser->inputs.count,
		.standard_known = appraiser->inputs.standard_known,
		.options = &appraiser->options,
		.trials = appraiser->trials,
	};
	cJSON *record = record_make(&facts, replay, trajectory);
	char *path = mem_format(REPLAY_DIRECTORY "/%s/%s.json", assessor->run, replay->candidate->name);
	struct bytes text = {0};

	cJSON_AddNumberToObject(record, "turn", turn);
	enum status status = jcs_write(record, &text, err);

	bytes_char(&text, '\n');
	if (status == OK)
		status = root_write(assessor->bundle, path, text.data, text.len, err);
	if (status == OK)
		status = told_from(record, path, evaluation, err);
	bytes_free(&text);
	free(path);
	cJSON_Delete(record);
	return status;
}

static enum status measure(struct appraiser *appraiser, const struct candidate *candidate, uint32_t trajectory, uint32_t turn, struct evaluation *evaluation, struct error *err)
{
	const struct assessor *assessor = appraiser->assessor;
	struct replay *replay = mem_alloc(sizeof *replay);
	enum status status = judge_here(appraiser->judge, err);

	if (status == OK)
		status = replay_run(appraiser->judge, assessor->bundle, &assessor->problem, candidate, &appraiser->plan, &appraiser->options, replay, err);
	if (status == OK)
		status = write_record(appraiser, replay, trajectory, turn, evaluation, err);
	replay_free(replay);
	free(replay);
	return status;
}

enum status appraise(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err)
{
	struct appraiser *appraiser = context;
	struct candidate *candidate = NULL;
	enum status status = assess(appraiser->assessor, trajectory, turn, extracted, evaluation, err);

	if (status != OK || evaluation->candidate == NULL)
		return status;
	status = candidate_read(appraiser->assessor->bundle, evaluation->candidate, &candidate, err);
	if (status == OK)
		status = measure(appraiser, candidate, trajectory, turn, evaluation, err);
	candidate_free(candidate);
	return status;
}
