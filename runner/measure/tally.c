#include "tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "nvml.h"
#include "statistics.h"
#include "trials.h"
#include "verdict.h"

struct checking {
	const cJSON *record;
	const char *path;
	struct findings *findings;
};

static void expect_number(const struct checking *checking, enum rule rule, const char *field, double is)
{
	const double said = replay_value(checking->record, field);

	if (!(said == is))
		findings_add_field(checking->findings, rule, checking->path, field, "it is %.15g and should be %.15g", said, is);
}

static void expect_text(const struct checking *checking, enum rule rule, const char *field, const char *is)
{
	const char *said = replay_text(checking->record, field);

	if (strcmp(said, is) != 0)
		findings_add_field(checking->findings, rule, checking->path, field, "it is '%s' and should be '%s'", said, is);
}

static enum mark mark_of(const char *text)
{
	return strcmp(text, mark_name(MARK_PASS)) == 0 ? MARK_PASS : strcmp(text, mark_name(MARK_FAIL)) == 0 ? MARK_FAIL : MARK_UNKNOWN;
}

/* ---- the problem ---- */

static void check_problem(const struct checking *checking, const struct problem *problem)
{
	const cJSON *axes = replay_at(checking->record, "problem.axes");

	expect_text(checking, R_SUB_PROBLEM, "problem.workload", problem->workload);
	expect_number(checking, R_SUB_PROBLEM, "problem.flops", problem->flops);
	expect_number(checking, R_SUB_PROBLEM, "problem.bytes", problem->bytes);
	for (size_t i = 0; i < problem->axis_count; i++) {
		char *field = mem_format("problem.axes.%s", problem->axes[i].name);

		expect_number(checking, R_SUB_PROBLEM, field, (double)problem->axes[i].size);
		free(field);
	}
	if (cJSON_GetArraySize(axes) != (int)problem->axis_count)
		findings_add_field(checking->findings, R_SUB_PROBLEM, checking->path, "problem.axes", "it has %d axes, the definition %zu", cJSON_GetArraySize(axes),
		                   problem->axis_count);
}

/* Every trial that came to its end has every output of the task, in its order. */
static void check_outputs(const struct checking *checking, const struct problem *problem)
{
	const cJSON *trial;
	size_t at = 0;

	cJSON_ArrayForEach(trial, replay_at(checking->record, "trials"))
	{
		const cJSON *outputs = replay_at(trial, "outputs"), *output = cJSON_IsArray(outputs) ? outputs->child : NULL;
		char *field = mem_format("trials[%zu].outputs", at++);
		bool same = true;

		for (size_t i = 0; i < problem->tensor_count; i++) {
			if (!problem->tensors[i].output)
				continue;
			same = same && output != NULL && strcmp(replay_text(output, "tensor"), problem->tensors[i].name) == 0 &&
			       replay_value(output, "count") == (double)problem->tensors[i].count;
			output = output != NULL ? output->next : NULL;
		}
		if (strcmp(replay_text(trial, "fate"), "done") == 0 && (!same || output != NULL))
			findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, field, "they are not the task's outputs");
		free(field);
	}
}

/* ---- trials ---- */

struct tallies {
	double published_trials, published_passed, library_passed, passed, failed;
	bool has_library;
	enum mark strict;
};

/* The published rule asks that no element is wrong by it. */
static bool keeps_published(const cJSON *error)
{
	return replay_value(error, "published_bad") == 0 && replay_value(error, "not_finite") == 0;
}

/* Worse than the strict rule allows beside the library (verdict.h)? Nine digits are written of each number. */
static bool breaks_strict(const cJSON *output)
{
	const cJSON *own = replay_at(output, "error"), *library = replay_at(output, "library_error");
	const double slack = 1 + 1e-8;

	if (!cJSON_IsObject(library))
		return false;
	if (replay_value(own, "not_finite") > 0)
		return true;
	return replay_value(own, "rms") > 2 * slack * replay_value(library, "rms") + STRICT_F32_FLOOR;
}

/* Without a library, or where its own result is not finite, the strict rule decides nothing; else it decides. */
static bool strict_is_open(const cJSON *output)
{
	const cJSON *library = replay_at(output, "library_error");

	return replay_value(replay_at(output, "error"), "not_finite") == 0 && (!cJSON_IsObject(library) || replay_value(library, "not_finite") > 0);
}

static void check_output(const struct checking *checking, const cJSON *output, const char *field, const char *fate)
{
	char *name = mem_format("%s.published", field), *strict = mem_format("%s.strict", field);

	if (strcmp(fate, "done") == 0 && mark_of(replay_text(output, "published")) == MARK_PASS && !keeps_published(replay_at(output, "error")))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, name, "it is said to pass, and elements are wrong by the published rule");
	if (strcmp(fate, "done") == 0 && mark_of(replay_text(output, "published")) != MARK_PASS && keeps_published(replay_at(output, "error")) &&
	    replay_text(output, "why")[0] == '\0')
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, name, "it is not said to pass, and no element is wrong by the published rule");
	if (strcmp(fate, "done") == 0 && mark_of(replay_text(output, "strict")) == MARK_UNKNOWN && !strict_is_open(output))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, strict, "it is unknown, and the library's error stands beside it");
	if (strcmp(fate, "done") == 0 && mark_of(replay_text(output, "strict")) == MARK_PASS && breaks_strict(output))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, strict, "it is said to pass, and its error is over twice the library's");
	free(name);
	free(strict);
}

/* A trial's marks are the worst of its outputs'. */
static void check_trial(const struct checking *checking, const cJSON *trial, size_t at, struct tallies *tallies)
{
	const char *fate = replay_text(trial, "fate");
	enum mark strict = MARK_PASS, published = MARK_PASS;
	bool library = true, any_library = false;
	const cJSON *output;
	char *field = mem_format("trials[%zu]", at), *name = mem_format("trials[%zu].strict", at);
	size_t number_of = 0;

	cJSON_ArrayForEach(output, replay_at(trial, "outputs"))
	{
		const cJSON *beside = replay_at(output, "library_error");
		char *one = mem_format("%s.outputs[%zu]", field, number_of++);

		check_output(checking, output, one, fate);
		strict = mark_both(strict, mark_of(replay_text(output, "strict")));
		published = mark_both(published, mark_of(replay_text(output, "published")));
		any_library = any_library || cJSON_IsObject(beside);
		library = library && cJSON_IsObject(beside) && keeps_published(beside);
		free(one);
	}
	if (strcmp(fate, "done") == 0 && (strict != mark_of(replay_text(trial, "strict")) || published != mark_of(replay_text(trial, "published"))))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, name, "its marks are not those of its outputs");
	tallies->strict = mark_both(tallies->strict, mark_of(replay_text(trial, "strict")));
	if (strcmp(replay_text(trial, "values"), "normal") == 0) {
		tallies->published_trials++;
		tallies->published_passed += mark_of(replay_text(trial, "published")) == MARK_PASS;
		tallies->library_passed += any_library && library;
		tallies->has_library = tallies->has_library || any_library;
	}
	const bool clean = strcmp(fate, "done") == 0 && replay_value(trial, "guard_bytes_changed") == 0 && replay_value(trial, "input_bytes_changed") == 0;

	if (mark_of(replay_text(trial, "strict")) == MARK_FAIL || !clean)
		tallies->failed++;
	else
		tallies->passed++;
	free(name);
	free(field);
}

static void check_outcome(const struct checking *checking, const struct tallies *tallies)
{
	const bool correct = strcmp(replay_text(checking->record, "outcome.label"), outcome_name(OUTCOME_MEASURED_CORRECT)) == 0;
	const double failed = replay_value(checking->record, "accounting.failed"), passed = replay_value(checking->record, "accounting.passed");

	expect_number(checking, R_SUB_STATISTICS, "outcome.published_trials", tallies->published_trials);
	expect_number(checking, R_SUB_STATISTICS, "outcome.published_passed", tallies->published_passed);
	if (tallies->has_library)
		expect_number(checking, R_SUB_STATISTICS, "outcome.library_passed", tallies->library_passed);
	expect_text(checking, R_SUB_STATISTICS, "outcome.strict", mark_name(tallies->passed + tallies->failed > 0 ? tallies->strict : MARK_UNKNOWN));
	expect_text(checking, R_SUB_STATISTICS, "outcome.published",
	            mark_name(tallies->published_trials == 0                           ? MARK_UNKNOWN
	                      : tallies->published_passed == tallies->published_trials ? MARK_PASS
	                                                                               : MARK_FAIL));
	if (tallies->failed > failed)
		findings_add_field(checking->findings, R_SUB_ACCOUNT, checking->path, "accounting.failed", "%.0f trials failed, it counts %.0f", tallies->failed, failed);
	if (replay_value(checking->record, "accounting.planned") != passed + failed + replay_value(checking->record, "accounting.not_run"))
		findings_add_field(checking->findings, R_SUB_ACCOUNT, checking->path, "accounting.planned", "it is not the sum of passed, failed and not_run");
	if (correct && (tallies->failed > 0 || passed == 0))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, "outcome.label", "it is called correct, and its trials are not");
	if (strcmp(replay_text(checking->record, "outcome.label"), outcome_name(OUTCOME_MEASURED_WRONG)) == 0 && tallies->failed == 0)
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, "outcome.label", "it is called wrong, and no trial of it is");
	if (correct == cJSON_IsString(replay_at(checking->record, "outcome.rule")))
		findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, "outcome.rule", "%s",
		                   correct ? "it is called correct, and broke a rule" : "it is not correct, and broke no rule");
}

static void check_bound(const struct checking *checking)
{
	const double passed = replay_value(checking->record, "accounting.passed");
	char text[REPLAY_NUMBER_MAX];

	if (replay_value(checking->record, "accounting.failed") != 0) {
		if (!cJSON_IsNull(replay_at(checking->record, "accounting.failure_rate_bound")))
			findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, "accounting.failure_rate_bound", "trials failed, and there is one");
		return;
	}
	if (!(passed >= 0))
		return;
	replay_number(bound_of_failures((uint64_t)passed), text);
	expect_text(checking, R_SUB_STATISTICS, "accounting.failure_rate_bound", text);
}

/* What is planned is drawn before anything runs: the plan before timing and after it, fresh ones, and as many as timing looks at. */
static void check_planned(const struct checking *checking)
{
	const double planned = replay_value(checking->record, "accounting.planned"), trials = replay_value(checking->record, "options.trials");
	const cJSON *trial;
	size_t timed = 0;

	cJSON_ArrayForEach(trial, replay_at(checking->record, "trials"))
	{
		timed += strcmp(replay_text(trial, "stage"), trial_stage_name(STAGE_TIMED)) == 0;
	}
	/* Of what did not come to a run, nothing is. */
	if (planned > 0 && planned != 2 * trials + TRIALS_FRESH_AFTER + (double)timed)
		findings_add_field(checking->findings, R_SUB_ACCOUNT, checking->path, "accounting.planned", "it is %.0f, and options.trials is %.0f, with %zu looked at in timing",
		                   planned, trials, timed);
}

static void check_trials(const struct checking *checking)
{
	struct tallies tallies = {.strict = MARK_PASS};
	const cJSON *trial;
	size_t at = 0;

	cJSON_ArrayForEach(trial, replay_at(checking->record, "trials"))
	{
		check_trial(checking, trial, at++, &tallies);
	}
	check_outcome(checking, &tallies);
	check_bound(checking);
	check_planned(checking);
}

/* ---- speed ---- */

static void read_interval(const cJSON *record, const char *path, double scale, struct interval *interval)
{
	const cJSON *item = replay_at(record, path);
	const double count = replay_value(item, "count");

	*interval = (struct interval){.median = replay_value(item, "median") * scale, .low = replay_value(item, "low") * scale, .high = replay_value(item, "high") * scale};
	interval->count = count > 0 && count < 0x1p32 ? (size_t)count : 0;
}

static bool has_suspicion(const cJSON *record, const char *text)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, replay_at(record, "timing.suspect"))
	{
		if (cJSON_IsString(item) && strcmp(item->valuestring, text) == 0)
			return true;
	}
	return false;
}

/* At the edges of what is suspect the digits that are written decide: these are left alone. */
static void check_suspicions(const struct checking *checking, const struct roofline *roofline)
{
	struct speed speed = {.hidden_ms = replay_value(checking->record, "timing.hidden_ns") / 1e6};
	struct interval control;
	const struct beside beside = {.chosen_ms = chosen_ms(replay_at(checking->record, "worker.baseline")),
	                              .target_share = replay_value(checking->record, "evidence.share"),
	                              .warp_share = replay_value(checking->record, "evidence.operations_share.warp")};

	read_interval(checking->record, "timing.speedup", 1, &speed.speedup);
	read_interval(checking->record, "timing.candidate_ns", 1e-6, &speed.candidate_ms);
	read_interval(checking->record, "timing.baseline_ns", 1e-6, &speed.baseline_ms);
	read_interval(checking->record, "timing.control", 1, &control);
	const unsigned found = suspicions_of(&speed, &control, roofline, &beside);

	for (unsigned bit = SUSPECT_ROOFLINE; bit < SUSPECT_END; bit <<= 1) {
		const char *text = suspicion_text((enum suspicion)bit);

		if ((found & bit) != 0 && !has_suspicion(checking->record, text))
			findings_add_field(checking->findings, R_SUB_STATISTICS, checking->path, "timing.suspect", "it does not say: %s", text);
	}
}

/* ---- which pairs count ---- */

/* Where a column stands in a row of timing.samples; -1: nowhere. */
static int column(const struct checking *checking, const char *name)
{
	const cJSON *item;
	int place = 0;

	cJSON_ArrayForEach(item, replay_at(checking->record, "timing.columns"))
	{
		if (cJSON_IsString(item) && strcmp(item->valuestring, name) == 0)
			return place;
		place++;
	}
	return -1;
}

/* Each value of a column of timing.samples, NAN where there is none; to be freed. */
static double *column_values(const struct checking *checking, const char *name, size_t *count)
{
	const cJSON *rows = replay_at(checking->record, "timing.samples"), *row;
	double *values = mem_array(NULL, (size_t)cJSON_GetArraySize(rows) + 1, sizeof *values);
	const int place = column(checking, name);

	*count = 0;
	cJSON_ArrayForEach(row, rows)
	{
		const cJSON *item = place < 0 ? NULL : cJSON_GetArrayItem(row, place);

		values[(*count)++] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
	}
	return values;
}

/* Warm-up ends with the block in which its time runs out, which counts: what is warm-up lies before, but for a first block (race.c). */
static void check_warm_up(const struct checking *checking)
{
	const double warm_up = replay_value(checking->record, "timing.warm_up_pairs"), ms = 1e3 * replay_value(checking->record, "options.seconds");
	const double most = fmin(ms * WARM_UP_SHARE, WARM_UP_MS);
	size_t count;
	double *candidate = column_values(checking, "candidate_wall_ns", &count), *baseline = column_values(checking, "baseline_wall_ns", &count);
	double took = 0;

	for (size_t i = 0; i < count && (double)i < warm_up; i++)
		took += (candidate[i] + baseline[i]) / 1e6;
	if (warm_up > PAIRS_BLOCK && !(took <= most + 1))
		findings_add_field(checking->findings, R_RPL_COUNTED, checking->path, "timing.warm_up_pairs", "these took %.0f ms, and warm-up is over after %.0f", took, most);
	if (warm_up < WARM_UP_PAIRS_MIN || (warm_up > PAIRS_BLOCK && fmod(warm_up, PAIRS_BLOCK) != 0))
		findings_add_field(checking->findings, R_RPL_COUNTED, checking->path, "timing.warm_up_pairs", "%.0f pairs are no whole blocks of %d", warm_up,
		                   PAIRS_BLOCK);
	free(candidate);
	free(baseline);
}

static double median_from(const double *values, size_t first, size_t count)
{
	double *copy = mem_array(NULL, count + 1, sizeof *copy);
	size_t taken = 0;

	for (size_t i = first; i < count; i++)
		copy[taken++] = values[i];
	const double median = median_of(copy, taken);

	free(copy);
	return median;
}

/* Did NVML name a slowdown at any time that the record keeps? */
static bool names_slowdown(const struct checking *checking)
{
	const cJSON *state;
	bool named = strstr(replay_text(checking->record, "state.after.event_reasons.mask"), "0x") != NULL &&
	             (strtoull(replay_text(checking->record, "state.after.event_reasons.mask"), NULL, 16) & NVML_SLOWDOWNS) != 0;

	cJSON_ArrayForEach(state, replay_at(checking->record, "state.during"))
	{
		named = named || (strtoull(replay_text(state, "event_reasons.mask"), NULL, 16) & NVML_SLOWDOWNS) != 0;
	}
	return named;
}

/* A pair that is throttled ran at a low clock, or all of its block did under a slowdown that NVML named (statistics.h, race.c). */
static void check_throttled(const struct checking *checking)
{
	const double warm_up = replay_value(checking->record, "timing.warm_up_pairs");
	const size_t first = warm_up > 0 ? (size_t)fmin(warm_up, 0x1p31) : 0;
	size_t count, unexplained = 0;
	double *candidate = column_values(checking, "candidate_hz", &count), *baseline = column_values(checking, "baseline_hz", &count);
	double *marks = column_values(checking, "throttled", &count);
	const double least_candidate = THROTTLED_CLOCK * median_from(candidate, first, count) + 2, least_baseline = THROTTLED_CLOCK * median_from(baseline, first, count) + 2;
	const bool slowdown = names_slowdown(checking);

	for (size_t i = 0; i < count; i++) {
		const size_t block = i - i % PAIRS_BLOCK;
		bool whole = slowdown;

		if (marks[i] == 0 || candidate[i] < least_candidate || baseline[i] < least_baseline)
			continue;
		for (size_t k = block; k < block + PAIRS_BLOCK && k < count; k++)
			whole = whole && marks[k] != 0;
		unexplained += !whole;
	}
	if (unexplained > 0)
		findings_add_field(checking->findings, R_RPL_COUNTED, checking->path, "timing.samples", "%zu pairs are marked as throttled, at no low clock and in no slowdown",
		                   unexplained);
	free(candidate);
	free(baseline);
	free(marks);
}

static void check_speed(const struct checking *checking, const struct problem *problem)
{
	const double capability = replay_value(checking->record, "device.compute_capability");
	struct roofline roofline = {
		.sms = (uint64_t)fmax(0, replay_value(checking->record, "timing.roofline.sms")),
		.sm_hz = (uint64_t)fmax(0, replay_value(checking->record, "timing.roofline.sm_hz")),
		.memory_hz = (uint64_t)fmax(0, replay_value(checking->record, "timing.roofline.memory_hz")),
		.bus_bits = (uint64_t)fmax(0, replay_value(checking->record, "timing.roofline.bus_bits")),
	};
	const struct {
		const char *field, *of;
		double scale;
	} facts[] = {{"timing.roofline.sms", "device.sms", 1}, {"timing.roofline.bus_bits", "device.memory_bus_bits", 1},
	             {"timing.roofline.memory_hz", "device.memory_clock_khz", 1e3}, {"timing.roofline.sm_hz", "device.sm_clock_khz", 1e3}};

	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		expect_number(checking, R_SUB_STATISTICS, facts[i].field, facts[i].scale * replay_value(checking->record, facts[i].of));
	roofline_set(&roofline, capability > 0 && capability < 1000 ? (int)capability : 0, problem);
	expect_number(checking, R_SUB_STATISTICS, "timing.roofline.floor_ns", round(roofline.floor_ns));
	check_suspicions(checking, &roofline);
}

void tally_check(const cJSON *record, const char *path, const struct problem *problem, struct findings *findings)
{
	const struct checking checking = {.record = record, .path = path, .findings = findings};

	if (problem != NULL)
		check_problem(&checking, problem);
	check_trials(&checking);
	if (problem != NULL)
		check_outputs(&checking, problem);
	if (!cJSON_IsObject(replay_at(record, "timing")))
		return;
	check_warm_up(&checking);
	check_throttled(&checking);
	if (problem != NULL)
		check_speed(&checking, problem);
}
