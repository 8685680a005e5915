#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/census.h"
#include "message.h"

enum {
	TRIALS_AT_LEAST = 8, /* every value set; a candidate that fails is not tried further */
};

/* A replay under way. */
struct under_way {
	struct judge *judge;
	const struct trial_plan *plan;
	const struct replay_options *options;
	struct replay *replay;
	struct worker *worker;
	struct fate fate; /* of the worker that is or was used last */
};

/* ---- outcome ---- */

static void conclude(struct replay *replay, enum outcome outcome, enum rule rule, const char *text)
{
	replay->outcome = outcome;
	replay->rule = rule;
	snprintf(replay->text, sizeof replay->text, "%s", text);
}

static void conclude_fate(struct replay *replay, const struct fate *fate)
{
	static const struct {
		enum outcome outcome;
		enum rule rule;
	} meaning[FATE_COUNT] = {
		[FATE_REFUSED] = {OUTCOME_MEASURED_REJECTED, R_RPL_LOAD},           [FATE_RUNTIME_ERROR] = {OUTCOME_MEASURED_RUNTIME, R_GPU_KERNEL},
		[FATE_MEMORY_ERROR] = {OUTCOME_MEASURED_MEMORY, R_GPU_KERNEL},      [FATE_TIMEOUT] = {OUTCOME_MEASURED_TIMEOUT, R_GPU_KERNEL},
		[FATE_CRASH] = {OUTCOME_MEASURED_RUNTIME, R_GPU_KERNEL},
	};
	char text[REPLAY_TEXT_MAX] = "";

	if (fate->function[0] != '\0')
		snprintf(text, sizeof text, "in %s: ", fate->function);
	strcat(text, fate->text);
	conclude(replay, meaning[fate->kind].outcome, meaning[fate->kind].rule, text);
}

/* A fault of the candidate's, or the machine's: either way this candidate is at its end. */
static void conclude_error(struct replay *replay, enum outcome fault, const struct error *err)
{
	conclude(replay, err->status == FAILS || err->status == MALFORMED ? fault : OUTCOME_MEASURED_INFRASTRUCTURE, err->rule, err->what);
}

/* ---- right or not ---- */

/* As good as the library on the same inputs. Where there is none, by the published rule, which is made for normal values; what is asked of others then is a result of the
 * right size. */
static bool output_accepted(const struct trial_output *output, enum value_set values)
{
	const struct verdict *verdict = &output->verdict;

	if (verdict->strict != MARK_UNKNOWN)
		return verdict->strict == MARK_PASS;
	return verdict->published == MARK_PASS || (values != VALUES_NORMAL && output->own.not_finite == 0 && verdict->own.rms <= RIGHT_SIZE_RMS);
}

static const struct trial_output *wrong_output(const struct trial_result *result)
{
	for (size_t i = 0; i < result->outputs; i++)
		if (!output_accepted(&result->output[i], result->trial.values))
			return &result->output[i];
	return NULL;
}

static bool trial_passed(const struct trial_result *result)
{
	return result->fate.kind == FATE_DONE && result->outputs > 0 && result->guards_changed == 0 && result->inputs_changed == 0 &&
	       wrong_output(result) == NULL;
}

static const char *output_name(const struct problem *problem, size_t output)
{
	for (size_t i = 0; i < problem->tensor_count; i++)
		if (problem->tensors[i].output && output-- == 0)
			return problem->tensors[i].name;
	return "";
}

static void conclude_trial(struct replay *replay, const struct trial_result *result)
{
	char text[ERROR_WHAT_MAX];

	if (result->fate.kind != FATE_DONE) {
		conclude_fate(replay, &result->fate);
	} else if (result->guards_changed > 0) {
		snprintf(text, sizeof text, "%llu bytes around tensors and buffers were changed", (unsigned long long)result->guards_changed);
		conclude(replay, OUTCOME_MEASURED_MEMORY, R_RPL_GUARD, text);
	} else if (result->inputs_changed > 0) {
		snprintf(text, sizeof text, "%llu bytes of inputs were changed", (unsigned long long)result->inputs_changed);
		conclude(replay, OUTCOME_MEASURED_REJECTED, R_RPL_INPUT, text);
	} else {
		const struct trial_output *output = wrong_output(result);

		snprintf(text, sizeof text, "%s of a trial %s timing, values %s: %s", output_name(replay->problem, (size_t)(output - result->output)),
		         result->stage == STAGE_TIMED ? "during" : trial_stage_name(result->stage), value_set_name(result->trial.values),
		         output->verdict.why);
		conclude(replay, OUTCOME_MEASURED_WRONG, R_RPL_RESULT, text);
	}
}

static void add_published(struct published *published, const struct trial_result *result)
{
	bool library_passes = result->has_library;

	for (size_t o = 0; o < result->outputs; o++)
		library_passes = library_passes && result->output[o].library.published_bad == 0 && result->output[o].library.not_finite == 0;
	published->trials++;
	published->passed += result->published == MARK_PASS;
	published->library_passed += library_passes;
	published->has_library = published->has_library || result->has_library;
}

static void add_marks(struct replay *replay)
{
	struct published *published = &replay->rule_of_paper;

	*published = (struct published){0};
	replay->strict = replay->trials.count > 0 ? MARK_PASS : MARK_UNKNOWN;
	for (size_t i = 0; i < replay->trials.count; i++) {
		const struct trial_result *result = &replay->trials.at[i];

		if (result->trial.values == VALUES_NORMAL)
			add_published(published, result);
		replay->strict = mark_both(replay->strict, result->strict);
	}
	replay->published = published->trials == 0 ? MARK_UNKNOWN : published->passed == published->trials ? MARK_PASS : MARK_FAIL;
}

/* From all trials; the first one that is not right decides. */
static void conclude_trials(struct replay *replay)
{
	for (size_t i = 0; i < replay->trials.count; i++) {
		if (!trial_passed(&replay->trials.at[i])) {
			conclude_trial(replay, &replay->trials.at[i]);
			return;
		}
	}
	conclude(replay, OUTCOME_MEASURED_CORRECT, R_RPL_RESULT, "");
}

void replay_account(const struct replay *replay, struct accounting *accounting)
{
	*accounting = (struct accounting){.planned = replay->trials.planned};
	for (size_t i = 0; i < replay->trials.count; i++) {
		if (trial_passed(&replay->trials.at[i]))
			accounting->passed++;
		else
			accounting->failed++;
	}
	accounting->not_run = accounting->planned - accounting->passed - accounting->failed;
}

/* ---- trials ---- */

/* One trial, from expectation to verdict. result->trial and ->stage are given. keep: see judge_expect. */
static enum status try_trial(struct judge *judge, const struct problem *problem, struct worker *worker, bool keep,
                             struct trial_result *result, struct error *err)
{
	const struct expected *expected = NULL;
	struct observed observed;
	struct guards guards;
	enum status status = replay_go_on(err);

	if (status == OK)
		status = judge_expect(judge, &result->trial, keep, &expected, err);
	result->published = result->strict = MARK_FAIL;
	if (status == OK)
		status = judge_give_computed(judge, &result->trial, worker, err);
	if (status == OK)
		status = worker_run(worker, &result->trial, &guards, &result->fate, err);
	if (status != OK || result->fate.kind != FATE_DONE)
		return status;
	for (size_t i = 0; i < guards.count; i++)
		result->guards_changed += guards.changed[i];
	status = judge_compare(judge, expected, worker, &observed, err);
	if (status == OK)
		trial_decide(problem, &observed, expected_library(expected), result);
	return status;
}

static enum status try_one(struct under_way *way, enum trial_stage stage, const struct trial *trial, uint32_t number, bool keep, bool *bad,
                           struct error *err)
{
	struct trial_result *result = trial_results_add(&way->replay->trials);

	result->stage = stage;
	result->trial = *trial;
	result->trial.number = number;
	const enum status status = try_trial(way->judge, way->replay->problem, way->worker, keep, result, err);

	if (status != OK) {
		way->replay->trials.count--;
		return status;
	}
	way->fate = result->fate;
	*bad = *bad || !trial_passed(result);
	return OK;
}

static enum status try_before(struct under_way *way, bool *bad, struct error *err)
{
	struct progress *progress = progress_start(way->replay->candidate->name, "trials", way->plan->count, way->options->quiet);
	enum status status = OK;

	for (size_t i = 0; i < way->plan->count && status == OK && way->fate.kind == FATE_DONE && (!*bad || i < TRIALS_AT_LEAST); i++) {
		status = try_one(way, STAGE_BEFORE, &way->plan->at[i], (uint32_t)i, true, bad, err);
		progress_add(progress, 1);
	}
	progress_end(progress);
	return status;
}

/* The same inputs in the other order, on other addresses, and fresh ones. */
static enum status try_after(struct under_way *way, bool *bad, struct error *err)
{
	const size_t count = way->plan->count;
	struct progress *progress = progress_start(way->replay->candidate->name, "trials once more", count, way->options->quiet);
	enum status status = OK;

	for (size_t i = 0; i < count && status == OK && way->fate.kind == FATE_DONE && !*bad; i++) {
		status = try_one(way, STAGE_AFTER, &way->plan->at[count - 1 - i], (uint32_t)(count + i), true, bad, err);
		progress_add(progress, 1);
	}
	for (uint32_t i = 0; i < TRIALS_FRESH_AFTER && status == OK && way->fate.kind == FATE_DONE && !*bad; i++) {
		struct trial trial = {.values = VALUES_NORMAL};

		status = draw_u64(&trial.seed, err);
		if (status == OK)
			status = draw_u64(&trial.base_seed, err);
		if (status == OK)
			status = try_one(way, STAGE_AFTER, &trial, (uint32_t)(2 * count) + i, false, bad, err);
	}
	progress_end(progress);
	return status;
}

static enum status time_it(struct under_way *way, bool *bad, struct error *err)
{
	struct replay *replay = way->replay;
	struct progress *progress =
		progress_start(replay->candidate->name, "ms of timing at most", (uint64_t)(way->options->seconds * 1000), way->options->quiet);
	const size_t before = replay->trials.count;

	replay->raced = true;
	enum status status =
		race_run(way->judge, replay->problem, way->worker, way->plan, way->options->seconds, &replay->trials, progress, &replay->race, err);

	progress_end(progress);
	way->fate = replay->race.fate;
	for (size_t i = before; i < replay->trials.count; i++)
		*bad = *bad || !trial_passed(&replay->trials.at[i]);
	return status;
}

static enum status start_worker(struct under_way *way, struct error *err)
{
	struct replay *replay = way->replay;
	const struct worker_options options = {
		.program = way->options->program,
		.device = way->options->device,
		.baseline = judge_has_library(way->judge) && way->options->seconds > 0,
		.reload = replay->cubin.has_variables,
		.require_sandbox = way->options->require_sandbox,
	};
	enum status status =
		worker_start(&options, replay->problem, replay->candidate, &replay->image.cubin, &way->worker, &way->fate, err);

	if (status == OK) {
		replay->worker_facts = cJSON_Duplicate(worker_facts(way->worker), true);
		judge_pin(way->judge, way->worker);
	}
	return status;
}

static uint64_t lap(uint64_t *since)
{
	const uint64_t now = clock_ms(), took = now - *since;

	*since = now;
	return took;
}

/* A worker from its start to its end. */
static enum status use_worker(struct under_way *way, struct error *err)
{
	struct replay *replay = way->replay;
	uint64_t since = clock_ms();
	bool bad = false;
	enum status status = start_worker(way, err);

	replay->trials.planned = 2 * way->plan->count + TRIALS_FRESH_AFTER;
	replay->times.start = lap(&since);
	if (status == OK)
		status = try_before(way, &bad, err);
	replay->times.trials = lap(&since);
	if (status == OK && !bad && way->fate.kind == FATE_DONE && judge_has_library(way->judge) && way->options->seconds > 0)
		status = time_it(way, &bad, err);
	replay->times.timing = lap(&since);
	if (status == OK && !bad && way->fate.kind == FATE_DONE)
		status = try_after(way, &bad, err);
	if (way->worker != NULL && replay->worker_facts != NULL)
		judge_release(way->judge, way->worker);
	worker_close(way->worker);
	way->worker = NULL;
	replay->times.trials += lap(&since);
	return status;
}

/* ---- instructions ---- */

static bool ends_session(enum status status)
{
	return status == UNHEALTHY || status == STOPPED;
}

static bool has_function(const struct replay *replay, const char *name)
{
	for (size_t i = 0; i < replay->functions; i++)
		if (strcmp(replay->counts[i].function, name) == 0)
			return true;
	return false;
}

static void not_counted(struct counts *counts, const char *function, const char *why)
{
	counts_free(counts);
	counts->state = COUNTS_FAILED;
	counts->function = mem_text(function);
	snprintf(counts->text, sizeof counts->text, "%s", why);
}

/* What was counted says nothing if the call did not do the task: code that knows it is counted could do anything else then. */
static void need_right(struct counts *counts, const struct trial_result *called)
{
	const struct trial_output *output = wrong_output(called);
	char text[ERROR_WHAT_MAX], function[FATE_FUNCTION_MAX];

	if ((counts->state != COUNTS_EXECUTED && counts->state != COUNTS_NOT_EXECUTED) || (called->inputs_changed == 0 && output == NULL))
		return;
	snprintf(function, sizeof function, "%s", counts->function);
	snprintf(text, sizeof text, "the call that was counted is not right: %s", output != NULL ? output->verdict.why : "it changed inputs");
	not_counted(counts, function, text);
}

/* The call as one of the trials is looked at. */
static enum status look_at_call(struct under_way *way, const struct worker *worker, struct trial_result *called, struct error *err)
{
	const struct expected *expected = NULL;
	struct observed observed;
	enum status status = judge_expect(way->judge, &called->trial, false, &expected, err);

	if (status == OK)
		status = judge_compare(way->judge, expected, worker, &observed, err);
	if (status == OK)
		trial_decide(way->replay->problem, &observed, expected_library(expected), called);
	return status;
}

/* One worker, one function, inputs that nobody knew. What fails here is no fault of the candidate's, whose trials are done: patched code is slow. */
static enum status count_function(struct under_way *way, const char *function, struct error *err)
{
	struct replay *replay = way->replay;
	struct counts *counts = &replay->counts[replay->functions];
	struct trial_result *called = &replay->called[replay->functions];
	const struct worker_options options = {
		.program = way->options->program, .device = way->options->device, .count = function, .require_sandbox = way->options->require_sandbox};
	struct worker *worker = NULL;
	struct fate fate;
	cJSON *message = NULL;
	enum status status = replay_go_on(err);

	*called = (struct trial_result){.stage = STAGE_COUNTED};
	if (status == OK)
		status = trial_plan_choose(way->plan, &called->trial, err);
	if (status == OK)
		status = worker_start(&options, replay->problem, replay->candidate, &replay->image.cubin, &worker, &fate, err);
	if (status == OK && fate.kind == FATE_DONE)
		status = judge_give_computed(way->judge, &called->trial, worker, err);
	if (status == OK && fate.kind == FATE_DONE)
		status = worker_count(worker, &called->trial, &message, &fate, err);
	if (status == OK && message != NULL)
		status = counts_read(message, counts, err);
	if (status == OK && message != NULL)
		status = look_at_call(way, worker, called, err);
	if (status == OK && message != NULL)
		need_right(counts, called);
	if (status == OK && message == NULL)
		not_counted(counts, function, fate.text);
	else if (status != OK && !ends_session(status))
		not_counted(counts, function, err->what);
	replay->functions += !ends_session(status);
	cJSON_Delete(message);
	worker_close(worker);
	return ends_session(status) ? status : OK;
}

/* What is known of all functions together: one that could not be counted makes the whole unknown. */
static enum counts_state weakest(const struct replay *replay)
{
	static const int weakness[COUNTS_STATES] = {[COUNTS_NOT_EXECUTED] = 0, [COUNTS_EXECUTED] = 1, [COUNTS_UNKNOWN] = 2, [COUNTS_FAILED] = 3,
	                                            [COUNTS_REFUSED] = 4};
	enum counts_state state = replay->functions > 0 ? COUNTS_NOT_EXECUTED : COUNTS_UNKNOWN;

	for (size_t i = 0; i < replay->functions; i++)
		if (weakness[replay->counts[i].state] > weakness[state])
			state = replay->counts[i].state;
	return state;
}

static void weigh(struct replay *replay)
{
	bool gmma_known, tcgen_known;
	const double done =
		work_operations(&replay->work, SASS_GROUP_GMMA, &gmma_known) + work_operations(&replay->work, SASS_GROUP_TCGEN, &tcgen_known);

	replay->state = weakest(replay);
	if (replay->work.counted < replay->work.functions || !gmma_known || !tcgen_known)
		return;
	replay->share = done / replay->problem->flops;
	replay->decoy = replay->names_target && replay->share < DECOY_SHARE;
}

static enum status count_all(struct under_way *way, struct error *err)
{
	struct replay *replay = way->replay;
	struct progress *progress =
		progress_start(replay->candidate->name, "functions counted", replay->candidate->launch_count, way->options->quiet);
	enum status status = OK;

	for (size_t i = 0; i < replay->candidate->launch_count && status == OK; i++) {
		if (!has_function(replay, replay->candidate->launches[i].function))
			status = count_function(way, replay->candidate->launches[i].function, err);
		progress_add(progress, 1);
	}
	progress_end(progress);
	for (size_t i = 0; i < replay->functions && status == OK; i++)
		status = work_add(&replay->work, &replay->counts[i], &replay->cubin, &replay->plan, err);
	if (status == OK)
		weigh(replay);
	return status;
}

/* ---- memory ---- */

static void no_memcheck(struct replay *replay, enum memcheck_state state, const char *why)
{
	replay->memcheck.state = state;
	snprintf(replay->memcheck.text, sizeof replay->memcheck.text, "%s", why);
}

/* On the small workload where the task has one, for the tool slows kernels down by far; a lowered candidate's numbers belong to its own. */
static enum status check_memory(struct under_way *way, const struct root *root, struct error *err)
{
	struct replay *replay = way->replay;
	const struct replay_options *options = way->options;
	const struct memcheck_options how = {.program = options->program, .device = options->device};
	struct problem *small = mem_alloc(sizeof *small);
	const bool try_small = !replay->candidate->is_lowered;
	struct error none;
	enum status status = OK;

	if (options->memcheck == MEMCHECK_OFF)
		no_memcheck(replay, MEMCHECK_SKIPPED, "--memcheck off");
	else if (options->sanitizer == NULL || options->sanitizer->path == NULL)
		no_memcheck(replay, MEMCHECK_MISSING, "there is no compute-sanitizer here");
	else if (way->fate.kind != FATE_DONE)
		no_memcheck(replay, MEMCHECK_SKIPPED, "the candidate does not run to its end without it");
	else if ((status = replay_go_on(err)) == OK)
		status = memcheck_run(options->sanitizer,
		                      try_small && problem_read(root, replay->problem->task, "small", small, &none) == OK ? small : replay->problem, replay->candidate, &replay->image.cubin, &how, &replay->memcheck, err);
	free(small);
	return status;
}

/* What memcheck found outweighs what the candidate computed. */
static void conclude_memory(struct replay *replay, const struct replay_options *options)
{
	const struct memcheck *memcheck = &replay->memcheck;
	char text[REPLAY_TEXT_MAX];

	if (memcheck->state == MEMCHECK_ERRORS) {
		snprintf(text, sizeof text, "memcheck counts %llu; the first%s%s: %s", (unsigned long long)memcheck->report.errors,
		         memcheck->report.function[0] != '\0' ? " in " : "", memcheck->report.function, memcheck->report.first);
		conclude(replay, OUTCOME_MEASURED_MEMORY, R_RPL_MEMCHECK, text);
	} else if (options->memcheck == MEMCHECK_REQUIRE && memcheck->state != MEMCHECK_CLEAN && replay->outcome == OUTCOME_MEASURED_CORRECT) {
		snprintf(text, sizeof text, "memcheck: %s: %s", memcheck_state_name(memcheck->state), memcheck->text);
		conclude(replay, OUTCOME_MEASURED_INFRASTRUCTURE, R_MEM_RUN, text);
	}
}

/* ---- all of it ---- */

static bool is_target(enum sass_group group)
{
	return group == SASS_GROUP_GMMA || group == SASS_GROUP_TMA || group == SASS_GROUP_TCGEN;
}

static void look_for_target(struct replay *replay)
{
	struct census census;

	census_cubin(&replay->cubin, &census);
	for (size_t i = 0; i < census.lines; i++) {
		const struct census_line *line = &census.line[i];

		if (!is_target(sass_group_of(line->family)))
			continue;
		replay->names_target = true;
		replay->has_target = replay->has_target || line->count > line->null + line->never;
	}
	census_free(&census);
}

/* The frozen cubin is what is measured, where there is one; what ptxas makes here is then looked at only (image_facts). */
static enum status get_image(const struct root *root, const struct candidate *candidate, struct image *image, struct error *err)
{
	enum status status = image_make(root, candidate, false, image, err);

	if (status == OK && image->frozen && memcmp(&image->hash, &image->frozen_hash, sizeof image->hash) != 0) {
		image_free(image);
		status = image_make(root, candidate, true, image, err);
	}
	return status;
}

/* All that can be said without a device. */
static enum status prepare(struct replay *replay, const struct root *root, struct error *err)
{
	enum status status = candidate_check_ptx(replay->candidate, err);

	if (status == OK)
		status = get_image(root, replay->candidate, &replay->image, err);
	if (status == OK)
		status = cubin_read((const uint8_t *)replay->image.cubin.data, replay->image.cubin.len, replay->candidate->file, &replay->cubin, err);
	replay->has_code = status == OK;
	if (replay->has_code)
		look_for_target(replay);
	return status;
}

static bool ready(struct under_way *way, const struct root *root, struct error *err)
{
	struct replay *replay = way->replay;
	uint64_t since = clock_ms();
	enum status status = prepare(replay, root, err);

	replay->times.code = lap(&since);
	if (status != OK) {
		conclude_error(replay, OUTCOME_MEASURED_COMPILATION, err);
		return false;
	}
	status = plan_make(replay->candidate, replay->problem, &replay->plan, err);
	if (status != OK)
		conclude_error(replay, OUTCOME_MEASURED_REJECTED, err);
	return status == OK;
}

static void suspect(struct replay *replay)
{
	bool known;
	const double by_warps = work_operations(&replay->work, SASS_GROUP_WARP, &known);
	const struct beside beside = {.chosen_ms = chosen_ms(cJSON_GetObjectItemCaseSensitive(replay->worker_facts, "baseline")),
	                              .target_share = replay->share,
	                              .warp_share = known ? by_warps / replay->problem->flops : -1};

	replay->suspicions = suspicions_of(&replay->race.speed, &replay->race.control, &replay->roofline, &beside);
}

static enum status measure(struct under_way *way, const struct root *root, struct error *err)
{
	struct replay *replay = way->replay;
	enum status status = use_worker(way, err);
	uint64_t since = clock_ms();

	add_marks(replay);
	if (status != OK) {
		conclude_error(replay, OUTCOME_MEASURED_INFRASTRUCTURE, err);
		return status;
	}
	if (way->fate.kind == FATE_DONE && !way->options->no_evidence)
		status = count_all(way, err);
	replay->times.counting = lap(&since);
	if (status == OK)
		status = check_memory(way, root, err);
	replay->times.memcheck = lap(&since);
	if (status != OK)
		conclude_error(replay, OUTCOME_MEASURED_INFRASTRUCTURE, err);
	else if (way->fate.kind != FATE_DONE)
		conclude_fate(replay, &way->fate);
	else
		conclude_trials(replay);
	if (status == OK)
		conclude_memory(replay, way->options);
	if (replay_is_timed(replay))
		suspect(replay);
	return status;
}

enum status replay_run(struct judge *judge, const struct root *root, const struct problem *problem, const struct candidate *candidate,
                       const struct trial_plan *plan, const struct replay_options *options, struct replay *replay, struct error *err)
{
	struct under_way way = {.judge = judge, .plan = plan, .options = options, .replay = replay, .fate = {.kind = FATE_DONE, .launch = -1}};
	const uint64_t start = clock_ms();
	enum status status = OK;

	*replay = (struct replay){.problem = problem, .candidate = candidate};
	replay->state = COUNTS_UNKNOWN;
	replay->share = -1;
	judge_roofline(judge, &replay->roofline);
	judge_state(judge, &replay->before);
	no_memcheck(replay, MEMCHECK_SKIPPED, "the candidate did not come to a run");
	if (ready(&way, root, err))
		status = measure(&way, root, err);
	judge_state(judge, &replay->after);
	replay->times.all = clock_ms() - start;
	/* A machine that cannot run this one may run the next: another architecture, less memory. */
	return ends_session(status) ? status : OK;
}

void replay_free(struct replay *replay)
{
	cubin_free(&replay->cubin);
	image_free(&replay->image);
	plan_free(&replay->plan);
	trial_results_free(&replay->trials);
	race_free(&replay->race);
	for (size_t i = 0; i < replay->functions; i++)
		counts_free(&replay->counts[i]);
	work_free(&replay->work);
	memcheck_free(&replay->memcheck);
	cJSON_Delete(replay->worker_facts);
	*replay = (struct replay){0};
}

/* ---- what the ledger says ---- */

bool replay_is_timed(const struct replay *replay)
{
	return replay->raced && replay->race.speed.speedup.count > 0;
}

enum evidence replay_evidence(const struct replay *replay)
{
	if (replay->functions == 0)
		return replay->has_code ? EVIDENCE_STATIC : EVIDENCE_UNKNOWN;
	switch (replay->state) {
	case COUNTS_EXECUTED:
	case COUNTS_NOT_EXECUTED:
		return EVIDENCE_EXECUTED;
	case COUNTS_REFUSED:
		return EVIDENCE_REFUSED;
	default:
		return EVIDENCE_UNKNOWN;
	}
}

static uint64_t effective(const struct work *work, enum sass_group group)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < work->lines; i++)
		if (sass_group_of(work->line[i].family) == group)
			sum += work->line[i].effective;
	return sum;
}

const char *replay_arch_tag(const struct replay *replay)
{
	const struct work *work = &replay->work;

	if (replay_evidence(replay) != EVIDENCE_EXECUTED)
		return !replay->has_code ? "" : replay->has_target ? "H" : "G";
	if (effective(work, SASS_GROUP_TCGEN) > 0)
		return "B";
	return effective(work, SASS_GROUP_GMMA) + effective(work, SASS_GROUP_TMA) > 0 ? "H" : "G";
}
