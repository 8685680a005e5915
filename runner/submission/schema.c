#include "schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/sha256.h"
#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "facts.h"

enum kind {
	TEXT,
	COUNT,   /* integer from 0 */
	INTEGER,
	REAL,    /* decimal in a string, or a number */
	TRUTH,
	HASH,    /* 64 lowercase hex digits */
	SEED,    /* decimal digits in a string */
	LIST,
	OBJECT,
};

/* When a member has to be there. */
enum need {
	ALWAYS,
	OR_NULL,
	OPTIONAL, /* some records have none, as those of other versions of the program */
};

struct member {
	const char *path;
	enum kind kind;
	enum need need;
};

static const struct member members[] = {
	{"schema", TEXT, ALWAYS},
	{"program", TEXT, ALWAYS},
	{"run", TEXT, ALWAYS},
	{"date", TEXT, ALWAYS},
	{"trajectory", COUNT, ALWAYS},
	{"turn", COUNT, OPTIONAL}, /* of a run that asked a model; review.c asks whose it is */
	{"stand_in", TRUTH, ALWAYS},
	{"options", OBJECT, ALWAYS},
	{"options.trials", COUNT, ALWAYS},
	{"options.seconds", REAL, ALWAYS},
	{"options.evidence", TRUTH, ALWAYS},
	{"options.require_sandbox", TRUTH, ALWAYS},
	{"candidate", OBJECT, ALWAYS},
	{"candidate.arch", TEXT, ALWAYS},
	{"candidate.directory", TEXT, ALWAYS},
	{"candidate.files", LIST, ALWAYS},
	{"candidate.id", HASH, ALWAYS},
	{"candidate.label", TEXT, ALWAYS},
	{"candidate.name", TEXT, ALWAYS},
	{"candidate.origin", TEXT, ALWAYS},
	{"problem", OBJECT, ALWAYS},
	{"problem.axes", OBJECT, ALWAYS},
	{"problem.bytes", COUNT, ALWAYS},
	{"problem.flops", COUNT, ALWAYS},
	{"problem.task", TEXT, ALWAYS},
	{"problem.workload", TEXT, ALWAYS},
	{"code", OBJECT, OR_NULL},
	{"device", OBJECT, ALWAYS},
	{"device.compute_capability", COUNT, ALWAYS},
	{"device.memory_bus_bits", COUNT, ALWAYS},
	{"device.memory_clock_khz", COUNT, ALWAYS},
	{"device.name", TEXT, ALWAYS},
	{"device.nvml", OBJECT, ALWAYS},
	{"device.sm_clock_khz", COUNT, ALWAYS},
	{"device.sms", COUNT, ALWAYS},
	{"machine", OBJECT, ALWAYS},
	{"library", OBJECT, ALWAYS},
	{"worker", OBJECT, OR_NULL},
	{"state", OBJECT, ALWAYS},
	{"state.before", OBJECT, ALWAYS},
	{"state.during", LIST, ALWAYS},
	{"state.after", OBJECT, ALWAYS},
	{"inputs", LIST, ALWAYS},
	{"trials", LIST, ALWAYS},
	{"accounting", OBJECT, ALWAYS},
	{"accounting.failed", COUNT, ALWAYS},
	{"accounting.failure_rate_bound", REAL, OR_NULL},
	{"accounting.not_run", COUNT, ALWAYS},
	{"accounting.passed", COUNT, ALWAYS},
	{"accounting.planned", COUNT, ALWAYS},
	{"evidence", OBJECT, ALWAYS},
	{"evidence.arch_tag", TEXT, ALWAYS},
	{"evidence.decoy", TRUTH, ALWAYS},
	{"evidence.evidence", TEXT, ALWAYS},
	{"evidence.functions", LIST, ALWAYS},
	{"evidence.lines", LIST, ALWAYS},
	{"evidence.operations_share", OBJECT, ALWAYS},
	{"evidence.share", REAL, OR_NULL},
	{"evidence.state", TEXT, ALWAYS},
	{"evidence.tma_bytes_least", COUNT, ALWAYS},
	{"evidence.tma_bytes_most", COUNT, ALWAYS},
	{"memcheck", OBJECT, OPTIONAL},
	{"timing", OBJECT, OR_NULL},
	{"took", OBJECT, ALWAYS},
	{"took.all_ms", COUNT, ALWAYS},
	{"outcome", OBJECT, ALWAYS},
	{"outcome.label", TEXT, ALWAYS},
	{"outcome.library_passed", COUNT, OR_NULL},
	{"outcome.published", TEXT, ALWAYS},
	{"outcome.published_passed", COUNT, ALWAYS},
	{"outcome.published_trials", COUNT, ALWAYS},
	{"outcome.rule", TEXT, OR_NULL},
	{"outcome.strict", TEXT, ALWAYS},
	{"outcome.text", TEXT, ALWAYS},
};

static const struct member of_code[] = {
	{"code.assembled", TRUTH, ALWAYS}, {"code.census", LIST, ALWAYS},  {"code.frozen_sha256", HASH, OR_NULL},
	{"code.has_target", TRUTH, ALWAYS}, {"code.has_variables", TRUTH, ALWAYS}, {"code.ptxas", OBJECT, OR_NULL}, {"code.sha256", HASH, ALWAYS},
};

static const struct member of_timing[] = {
	{"timing.baseline_hz", COUNT, ALWAYS},
	{"timing.baseline_ns", OBJECT, ALWAYS},
	{"timing.baseline_ns.median", REAL, ALWAYS},
	{"timing.candidate_hz", COUNT, ALWAYS},
	{"timing.candidate_ns", OBJECT, ALWAYS},
	{"timing.candidate_ns.median", REAL, ALWAYS},
	{"timing.columns", LIST, ALWAYS},
	{"timing.control", OBJECT, ALWAYS},
	{"timing.control.median", REAL, ALWAYS},
	{"timing.control_samples", LIST, ALWAYS},
	{"timing.elapsed_ms", COUNT, ALWAYS},
	{"timing.ended_by", TEXT, ALWAYS},
	{"timing.hidden_ns", INTEGER, ALWAYS},
	{"timing.pairs", COUNT, ALWAYS},
	{"timing.roofline", OBJECT, ALWAYS},
	{"timing.roofline.floor_ns", COUNT, ALWAYS},
	{"timing.samples", LIST, ALWAYS},
	{"timing.speedup", OBJECT, ALWAYS},
	{"timing.speedup.high", REAL, ALWAYS},
	{"timing.speedup.low", REAL, ALWAYS},
	{"timing.speedup.median", REAL, ALWAYS},
	{"timing.suspect", LIST, ALWAYS},
	{"timing.throttled", COUNT, ALWAYS},
	{"timing.timer", TEXT, ALWAYS},
	{"timing.warm_up_pairs", COUNT, ALWAYS},
};

static const struct member of_trial[] = {
	{"base_seed", SEED, ALWAYS}, {"fate", TEXT, ALWAYS},  {"guard_bytes_changed", COUNT, ALWAYS}, {"input_bytes_changed", COUNT, ALWAYS},
	{"number", COUNT, ALWAYS},   {"outputs", LIST, ALWAYS}, {"published", TEXT, ALWAYS},          {"seed", SEED, ALWAYS},
	{"stage", TEXT, ALWAYS},     {"strict", TEXT, ALWAYS}, {"values", TEXT, ALWAYS},
};

static bool is_whole(const cJSON *item)
{
	return cJSON_IsNumber(item) && item->valuedouble == floor(item->valuedouble) && fabs(item->valuedouble) <= 0x1p53;
}

/* As the program writes it: one text for one number. */
static bool is_seed(const cJSON *item)
{
	return cJSON_IsString(item) && item->valuestring[0] != '\0' && strlen(item->valuestring) <= 20 &&
	       (item->valuestring[0] != '0' || item->valuestring[1] == '\0') &&
	       strspn(item->valuestring, "0123456789") == strlen(item->valuestring);
}

static bool is_of(const cJSON *item, enum kind kind)
{
	struct sha256 hash;
	double value;

	switch (kind) {
	case TEXT:
		return cJSON_IsString(item);
	case COUNT:
		return is_whole(item) && item->valuedouble >= 0;
	case INTEGER:
		return is_whole(item);
	case REAL:
		return cJSON_IsString(item) && decimal_parse(item->valuestring, strlen(item->valuestring), &value);
	case TRUTH:
		return cJSON_IsBool(item);
	case HASH:
		return cJSON_IsString(item) && sha256_parse(item->valuestring, &hash);
	case SEED:
		return is_seed(item);
	case LIST:
		return cJSON_IsArray(item);
	case OBJECT:
		return cJSON_IsObject(item);
	}
	return false;
}

static const char *kind_name(enum kind kind)
{
	static const char *const names[] = {[TEXT] = "a text",   [COUNT] = "an integer from 0",       [INTEGER] = "an integer", [REAL] = "a decimal in a string",
	                                    [TRUTH] = "a truth", [HASH] = "64 lowercase hex digits", [SEED] = "digits",        [LIST] = "a list",
	                                    [OBJECT] = "an object"};

	return names[kind];
}

static void check_members(const cJSON *tree, const char *prefix, const struct member *list, size_t count, const char *path, struct findings *findings)
{
	for (size_t i = 0; i < count; i++) {
		const cJSON *item = replay_at(tree, list[i].path);
		char *field = mem_format("%s%s", prefix, list[i].path);

		if (item == NULL ? list[i].need == OPTIONAL : list[i].need == OR_NULL && cJSON_IsNull(item))
			;
		else if (item == NULL)
			findings_add_field(findings, R_RPL_RECORD, path, field, "it is missing");
		else if (!is_of(item, list[i].kind))
			findings_add_field(findings, R_RPL_RECORD, path, field, "it is not %s", kind_name(list[i].kind));
		free(field);
	}
}

/* Every column of a sample is there, once: whoever left one out would not be asked about it. */
static void check_columns(const cJSON *record, const char *path, struct findings *findings)
{
	static const char *const columns[] = {"seed", "candidate_ns", "baseline_ns", "candidate_wall_ns", "baseline_wall_ns", "candidate_hz", "baseline_hz",
	                                      "candidate_first", "checked", "throttled"};
	static const char *const lists[] = {"timing.samples", "timing.control_samples"};
	const cJSON *names = replay_at(record, "timing.columns"), *name, *row;
	const int width = cJSON_GetArraySize(names);
	int seed = -1;

	for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
		int at = 0, found = 0;

		cJSON_ArrayForEach(name, names)
		{
			if (cJSON_IsString(name) && strcmp(name->valuestring, columns[i]) == 0) {
				found++;
				seed = i == 0 ? at : seed;
			}
			at++;
		}
		if (found != 1)
			findings_add_field(findings, R_RPL_RECORD, path, "timing.columns", "it has %d columns '%s'", found, columns[i]);
	}
	if (width != (int)(sizeof columns / sizeof columns[0]))
		findings_add_field(findings, R_RPL_RECORD, path, "timing.columns", "it has %d columns", width);
	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		int at = 0;

		cJSON_ArrayForEach(row, replay_at(record, lists[i]))
		{
			if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != width || !is_seed(cJSON_GetArrayItem(row, seed))) {
				findings_add_field(findings, R_RPL_RECORD, path, lists[i], "row %d has not a value a column, its seed as digits without leading zeros", at);
				break;
			}
			at++;
		}
	}
}

/* The record itself has no member but those that are listed. */
static void check_unknown(const cJSON *record, const char *path, struct findings *findings)
{
	for (const cJSON *item = record->child; item != NULL; item = item->next) {
		bool known = false;

		for (size_t i = 0; i < sizeof members / sizeof members[0] && !known; i++)
			known = strcmp(members[i].path, item->string) == 0;
		if (!known)
			findings_add_field(findings, R_RPL_RECORD, path, facts_text_plain(item->string) ? item->string : "(a member)", "there is no such member");
	}
}

/* Names and texts that tables and reports show. */
static void check_shown(const cJSON *record, const char *path, struct findings *findings)
{
	static const char *const names[] = {"candidate.label", "device.name", "device.nvml.driver_version"};
	static const char *const shown[] = {"program", "candidate.origin", "outcome.text"};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		facts_check_name(replay_text(record, names[i]), "", names[i], path, findings);
	for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++)
		if (!facts_text_plain(replay_text(record, shown[i])))
			findings_add_field(findings, R_SUB_TEXT, path, shown[i], "it is '%s'", replay_text(record, shown[i]));
}

bool schema_check(const cJSON *record, const char *path, struct findings *findings)
{
	const size_t before = findings->count;
	const cJSON *trial;
	size_t at = 0;

	check_members(record, "", members, sizeof members / sizeof members[0], path, findings);
	if (cJSON_IsObject(replay_at(record, "code")))
		check_members(record, "", of_code, sizeof of_code / sizeof of_code[0], path, findings);
	if (cJSON_IsObject(replay_at(record, "timing")))
		check_members(record, "", of_timing, sizeof of_timing / sizeof of_timing[0], path, findings);
	if (cJSON_IsObject(replay_at(record, "timing")))
		check_columns(record, path, findings);
	cJSON_ArrayForEach(trial, replay_at(record, "trials"))
	{
		char *prefix = mem_format("trials[%zu].", at++);

		check_members(trial, prefix, of_trial, sizeof of_trial / sizeof of_trial[0], path, findings);
		free(prefix);
	}
	check_unknown(record, path, findings);
	const bool sound = findings->count == before;

	check_shown(record, path, findings);
	return sound;
}
