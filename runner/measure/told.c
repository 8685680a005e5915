#include "told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"
#include "../kernel/sass.h"
#include "fate.h"
#include "verdict.h"

static void add_copy(cJSON *object, const char *key, const cJSON *item)
{
	cJSON_AddItemToObject(object, key, item != NULL ? cJSON_Duplicate(item, true) : cJSON_CreateNull());
}

static size_t count_of(const cJSON *array)
{
	return cJSON_IsArray(array) ? (size_t)cJSON_GetArraySize(array) : 0;
}

static void add_trials(cJSON *facts, const cJSON *record)
{
	static const char *const counts[] = {"planned", "passed", "failed", "not_run"};
	cJSON *trials = cJSON_AddObjectToObject(facts, "trials");

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
		add_copy(trials, counts[i], cJSON_GetObjectItemCaseSensitive(replay_at(record, "accounting"), counts[i]));
}

/* The first trial that is wrong, or the first of all. */
static const cJSON *shown_trial(const cJSON *record)
{
	const cJSON *shown = NULL, *trial;

	cJSON_ArrayForEach(trial, replay_at(record, "trials"))
	{
		if (strcmp(replay_text(trial, "fate"), fate_name(FATE_DONE)) != 0 || count_of(replay_at(trial, "outputs")) == 0)
			continue;
		if (strcmp(replay_text(trial, "strict"), mark_name(MARK_FAIL)) == 0)
			return trial;
		shown = shown != NULL ? shown : trial;
	}
	return shown;
}

static void add_errors(cJSON *facts, const cJSON *record)
{
	const cJSON *outputs = replay_at(shown_trial(record), "outputs"), *output;
	cJSON *errors = cJSON_AddArrayToObject(facts, "errors");

	cJSON_ArrayForEach(output, outputs)
	{
		cJSON *error = cJSON_CreateObject();

		add_copy(error, "tensor", replay_at(output, "tensor"));
		add_copy(error, "rms", replay_at(output, "error.rms"));
		if (cJSON_IsObject(replay_at(output, "library_error")))
			add_copy(error, "library_rms", replay_at(output, "library_error.rms"));
		add_copy(error, "quantiles", replay_at(output, "error.quantiles"));
		add_copy(error, "not_finite", replay_at(output, "error.not_finite"));
		cJSON_AddItemToArray(errors, error);
	}
}

static bool is_timed(const cJSON *record)
{
	return replay_value(record, "timing.speedup.count") > 0;
}

static void add_ms(cJSON *object, const char *key, const cJSON *record, const char *ns)
{
	char text[REPLAY_NUMBER_MAX];

	replay_number(replay_value(record, ns) / 1e6, text);
	cJSON_AddStringToObject(object, key, text);
}

static void add_speed(cJSON *facts, const cJSON *record)
{
	const char *name = replay_text(record, "library.library");

	if (!is_timed(record))
		return;
	cJSON *object = cJSON_AddObjectToObject(facts, "speed");

	cJSON_AddStringToObject(object, "speedup", replay_text(record, "timing.speedup.median"));
	cJSON_AddStringToObject(object, "low", replay_text(record, "timing.speedup.low"));
	cJSON_AddStringToObject(object, "high", replay_text(record, "timing.speedup.high"));
	add_ms(object, "candidate_ms", record, "timing.candidate_ns.median");
	add_ms(object, "baseline_ms", record, "timing.baseline_ns.median");
	cJSON_AddStringToObject(object, "baseline", name[0] != '\0' ? name : "the vendor's library");
}

static bool is_target(const char *group)
{
	static const enum sass_group groups[] = {SASS_GROUP_GMMA, SASS_GROUP_TMA, SASS_GROUP_TCGEN};

	for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
		if (strcmp(group, sass_group_name(groups[i])) == 0)
			return true;
	return false;
}

static void add_work(cJSON *facts, const cJSON *record)
{
	const cJSON *share = replay_at(record, "evidence.share"), *line;

	if (!cJSON_IsTrue(replay_at(record, "options.evidence")) || count_of(replay_at(record, "evidence.functions")) == 0)
		return;
	cJSON *object = cJSON_AddObjectToObject(facts, "work"), *executed = cJSON_AddArrayToObject(object, "executed");

	if (cJSON_IsString(share))
		add_copy(object, "target_share", share);
	cJSON_ArrayForEach(line, replay_at(record, "evidence.lines"))
	{
		if (!is_target(replay_text(line, "group")))
			continue;
		cJSON *one = cJSON_CreateObject();

		add_copy(one, "text", replay_at(line, "text"));
		add_copy(one, "executed", replay_at(line, "executed"));
		cJSON_AddItemToArray(executed, one);
	}
}

static void add_sanitizer(cJSON *facts, const cJSON *record)
{
	const char *function = replay_text(record, "memcheck.function");

	if (strcmp(replay_text(record, "memcheck.state"), "errors") != 0)
		return;
	char *text = mem_format("%.0f errors; the first%s%s: %s", replay_value(record, "memcheck.errors"), function[0] != '\0' ? " in " : "", function, replay_text(record, "memcheck.first"));

	cJSON_AddStringToObject(facts, "sanitizer", text);
	free(text);
}

enum status told_from(const cJSON *record, const char *path, struct evaluation *evaluation, struct error *err)
{
	const char *label = replay_text(record, "outcome.label"), *evidence = replay_text(record, "evidence.evidence");

	if (!outcome_parse(label, strlen(label), &evaluation->outcome) || !evidence_parse(evidence, strlen(evidence), &evaluation->evidence))
		return error_set(err, R_RPL_RECORD, path, "it has no outcome, or no evidence");
	const bool correct = evaluation->outcome == OUTCOME_MEASURED_CORRECT;

	snprintf(evaluation->arch_tag, sizeof evaluation->arch_tag, "%s", replay_text(record, "evidence.arch_tag"));
	snprintf(evaluation->speedup, sizeof evaluation->speedup, "%s", correct && is_timed(record) ? replay_text(record, "timing.speedup.median") : "0");
	free(evaluation->rule);
	free(evaluation->text);
	evaluation->rule = mem_text(correct ? "" : replay_text(record, "outcome.rule"));
	evaluation->text = mem_text(replay_text(record, "outcome.text"));
	add_trials(evaluation->facts, record);
	add_errors(evaluation->facts, record);
	add_speed(evaluation->facts, record);
	add_work(evaluation->facts, record);
	add_sanitizer(evaluation->facts, record);
	return OK;
}
