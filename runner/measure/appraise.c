#include "appraise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "machine.h"

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

/* ---- what feedback tells ---- */

static void add_number(cJSON *object, const char *key, double value)
{
	char text[REPLAY_NUMBER_MAX];

	replay_number(value, text);
	cJSON_AddStringToObject(object, key, text);
}

static void add_trials(cJSON *facts, const struct replay *replay)
{
	cJSON *trials = cJSON_AddObjectToObject(facts, "trials");
	struct accounting accounting;

	replay_account(replay, &accounting);
	cJSON_AddNumberToObject(trials, "planned", (double)accounting.planned);
	cJSON_AddNumberToObject(trials, "passed", (double)accounting.passed);
	cJSON_AddNumberToObject(trials, "failed", (double)accounting.failed);
	cJSON_AddNumberToObject(trials, "not_run", (double)accounting.not_run);
}

/* The first trial that is wrong, or the first of all. */
static const struct trial_result *shown_trial(const struct replay *replay)
{
	const struct trial_result *shown = NULL;

	for (size_t i = 0; i < replay->trials.count; i++) {
		const struct trial_result *result = &replay->trials.at[i];

		if (result->fate.kind != FATE_DONE || result->outputs == 0)
			continue;
		if (shown == NULL || (shown->strict != MARK_FAIL && result->strict == MARK_FAIL))
			shown = result;
	}
	return shown;
}

static void add_errors(cJSON *facts, const struct replay *replay)
{
	const struct trial_result *result = shown_trial(replay);
	cJSON *errors = cJSON_AddArrayToObject(facts, "errors");
	size_t output = 0;

	for (size_t i = 0; result != NULL && i < replay->problem->tensor_count; i++) {
		if (!replay->problem->tensors[i].output)
			continue;
		const struct trial_output *one = &result->output[output++];
		cJSON *error = cJSON_CreateObject(), *quantiles = cJSON_AddObjectToObject(error, "quantiles");

		cJSON_AddStringToObject(error, "tensor", replay->problem->tensors[i].name);
		add_number(error, "rms", one->verdict.own.rms);
		if (result->has_library)
			add_number(error, "library_rms", one->verdict.library.rms);
		for (size_t q = 0; q < ERROR_QUANTILES; q++)
			add_number(quantiles, error_quantile_name[q], one->verdict.own.quantile[q]);
		cJSON_AddNumberToObject(error, "not_finite", (double)one->own.not_finite);
		cJSON_AddItemToArray(errors, error);
	}
}

static void add_speed(cJSON *facts, const struct replay *replay, const cJSON *library)
{
	const struct speed *speed = &replay->race.speed;
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(library, "library");

	if (!replay_is_timed(replay))
		return;
	cJSON *object = cJSON_AddObjectToObject(facts, "speed");

	add_number(object, "speedup", speed->speedup.median);
	add_number(object, "low", speed->speedup.low);
	add_number(object, "high", speed->speedup.high);
	add_number(object, "candidate_ms", speed->candidate_ms.median);
	add_number(object, "baseline_ms", speed->baseline_ms.median);
	cJSON_AddStringToObject(object, "baseline", cJSON_IsString(name) ? name->valuestring : "the vendor's library");
}

static void add_work(cJSON *facts, const struct replay *replay)
{
	cJSON *object = cJSON_AddObjectToObject(facts, "work"), *executed = cJSON_AddArrayToObject(object, "executed");

	if (replay->share >= 0)
		add_number(object, "target_share", replay->share);
	for (size_t i = 0; i < replay->work.lines; i++) {
		const struct work_line *line = &replay->work.line[i];
		const enum sass_group group = sass_group_of(line->family);

		if (group != SASS_GROUP_GMMA && group != SASS_GROUP_TMA && group != SASS_GROUP_TCGEN)
			continue;
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "text", line->text);
		cJSON_AddNumberToObject(one, "executed", (double)line->executed);
		cJSON_AddItemToArray(executed, one);
	}
}

static void add_sanitizer(cJSON *facts, const struct replay *replay)
{
	const struct sanitizer_report *report = &replay->memcheck.report;

	if (replay->memcheck.state != MEMCHECK_ERRORS)
		return;
	char *text = mem_format("%llu errors; the first%s%s: %s", (unsigned long long)report->errors, report->function[0] != '\0' ? " in " : "", report->function, report->first);

	cJSON_AddStringToObject(facts, "sanitizer", text);
	free(text);
}

static void tell(const struct appraiser *appraiser, const struct replay *replay, struct evaluation *evaluation)
{
	const bool correct = replay->outcome == OUTCOME_MEASURED_CORRECT;

	evaluation->outcome = replay->outcome;
	evaluation->evidence = replay_evidence(replay);
	snprintf(evaluation->arch_tag, sizeof evaluation->arch_tag, "%s", replay_arch_tag(replay));
	if (correct && replay_is_timed(replay))
		replay_number(replay->race.speed.speedup.median, evaluation->speedup);
	free(evaluation->rule);
	free(evaluation->text);
	evaluation->rule = mem_text(correct ? "" : rule_info(replay->rule)->id);
	evaluation->text = mem_text(replay->text);
	add_trials(evaluation->facts, replay);
	add_errors(evaluation->facts, replay);
	add_speed(evaluation->facts, replay, judge_library_facts(appraiser->judge));
	if (!appraiser->options.no_evidence && replay->functions > 0)
		add_work(evaluation->facts, replay);
	add_sanitizer(evaluation->facts, replay);
}

/* ---- the record ---- */

static enum status write_record(const struct appraiser *appraiser, const struct replay *replay, uint32_t trajectory, uint32_t turn, struct error *err)
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
		status = write_record(appraiser, replay, trajectory, turn, err);
	if (status == OK)
		tell(appraiser, replay, evaluation);
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
