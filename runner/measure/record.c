#include "record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "listing.h"
#include "message.h"

/* ---- values ---- */

static void add_text(cJSON *object, const char *key, const char *text)
{
	cJSON_AddStringToObject(object, key, text);
}

/* Counts, bytes, nanoseconds and hertz: below 2^53. */
static void add_integer(cJSON *object, const char *key, double value)
{
	cJSON_AddNumberToObject(object, key, round(value));
}

static cJSON *real_of(double value)
{
	char text[REPLAY_NUMBER_MAX];

	replay_number(value, text);
	return cJSON_CreateString(text);
}

static void add_real(cJSON *object, const char *key, double value)
{
	cJSON_AddItemToObject(object, key, real_of(value));
}

static void add_copy(cJSON *object, const char *key, const cJSON *item)
{
	cJSON_AddItemToObject(object, key, item != NULL ? cJSON_Duplicate(item, true) : cJSON_CreateNull());
}

static double ns(double ms)
{
	return ms * 1e6;
}

/* ---- what was replayed ---- */

static void add_file(cJSON *files, const char *directory, const char *name, const struct bytes *bytes)
{
	const struct sha256 hash = sha256_of(bytes->data, bytes->len);
	cJSON *file = cJSON_CreateObject();
	char *path = mem_format("%s/%s", directory, name);

	add_text(file, "path", path);
	jcs_add_hash(file, "sha256", &hash);
	add_integer(file, "bytes", (double)bytes->len);
	cJSON_AddItemToArray(files, file);
	free(path);
}

static cJSON *candidate_json(const struct replay *replay)
{
	const struct candidate *candidate = replay->candidate;
	cJSON *object = cJSON_CreateObject();
	cJSON *files = cJSON_AddArrayToObject(object, "files");
	char *cubin = mem_format("kernel.%s.cubin", candidate->arch);

	add_text(object, "arch", candidate->arch);
	add_text(object, "directory", candidate->directory);
	jcs_add_hash(object, "id", &candidate->id);
	add_text(object, "label", candidate->label);
	add_text(object, "name", candidate->name);
	add_text(object, "origin", candidate->origin);
	add_file(files, candidate->directory, "candidate.json", &candidate->json);
	add_file(files, candidate->directory, candidate->ptx_file, &candidate->ptx);
	if (candidate->is_lowered)
		add_file(files, candidate->directory, candidate->lowering.source, &candidate->source);
	if (replay->has_code)
		add_file(files, candidate->directory, cubin, &replay->image.cubin);
	free(cubin);
	return object;
}

static cJSON *problem_json(const struct problem *problem)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *axes = cJSON_AddObjectToObject(object, "axes");

	for (size_t i = 0; i < problem->axis_count; i++)
		add_integer(axes, problem->axes[i].name, (double)problem->axes[i].size);
	add_integer(object, "bytes", problem->bytes);
	add_integer(object, "flops", problem->flops);
	add_text(object, "task", problem->task);
	add_text(object, "workload", problem->workload);
	return object;
}

static cJSON *code_json(const struct replay *replay)
{
	if (!replay->has_code)
		return cJSON_CreateNull();
	cJSON *object = image_facts(&replay->image);

	cJSON_AddItemToObject(object, "census", listing_of(&replay->cubin));
	cJSON_AddBoolToObject(object, "has_target", replay->has_target);
	cJSON_AddBoolToObject(object, "has_variables", replay->cubin.has_variables);
	return object;
}

/* ---- trials ---- */

static void add_statistics(cJSON *object, const struct error_statistics *statistics)
{
	cJSON *quantiles = cJSON_AddObjectToObject(object, "quantiles");

	for (int i = 0; i < ERROR_QUANTILES; i++)
		add_real(quantiles, error_quantile_name[i], statistics->quantile[i]);
	add_real(object, "rms", statistics->rms);
}

static cJSON *comparison_json(const struct comparison *comparison, const struct error_statistics *statistics)
{
	cJSON *object = cJSON_CreateObject();

	add_statistics(object, statistics);
	add_real(object, "max_rel", comparison->max_rel);
	add_integer(object, "not_finite", (double)comparison->not_finite);
	add_integer(object, "published_bad", (double)comparison->published_bad);
	return object;
}

static cJSON *output_json(const struct tensor *tensor, const struct trial_result *result, const struct trial_output *output)
{
	cJSON *object = cJSON_CreateObject();

	add_integer(object, "count", (double)output->own.count);
	add_real(object, "greatest", output->own.max_reference);
	cJSON_AddItemToObject(object, "error", comparison_json(&output->own, &output->verdict.own));
	if (result->has_library)
		cJSON_AddItemToObject(object, "library_error", comparison_json(&output->library, &output->verdict.library));
	else
		cJSON_AddNullToObject(object, "library_error");
	add_text(object, "published", mark_name(output->verdict.published));
	add_text(object, "strict", mark_name(output->verdict.strict));
	add_text(object, "tensor", tensor->name);
	add_text(object, "why", output->verdict.why);
	return object;
}

static void add_fate(cJSON *object, const struct fate *fate)
{
	add_text(object, "fate", fate_name(fate->kind));
	if (fate->kind == FATE_DONE)
		return;
	add_text(object, "fate_text", fate->text);
	add_text(object, "fate_function", fate->function);
	add_integer(object, "fate_launch", fate->launch);
	add_integer(object, "fate_signal", fate->signal);
}

static cJSON *trial_json(const struct problem *problem, const struct trial_result *result)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *outputs = cJSON_AddArrayToObject(object, "outputs");
	size_t output = 0;

	message_put_u64(object, "base_seed", result->trial.base_seed);
	message_put_u64(object, "seed", result->trial.seed);
	add_integer(object, "number", result->trial.number);
	add_text(object, "stage", trial_stage_name(result->stage));
	add_text(object, "values", value_set_name(result->trial.values));
	add_fate(object, &result->fate);
	add_integer(object, "guard_bytes_changed", (double)result->guards_changed);
	add_integer(object, "input_bytes_changed", (double)result->inputs_changed);
	add_text(object, "published", mark_name(result->published));
	add_text(object, "strict", mark_name(result->strict));
	for (size_t i = 0; i < problem->tensor_count && output < result->outputs; i++) {
		if (!problem->tensors[i].output)
			continue;
		cJSON_AddItemToArray(outputs, output_json(&problem->tensors[i], result, &result->output[output]));
		output++;
	}
	return object;
}

static cJSON *trials_json(const struct replay *replay)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < replay->trials.count; i++)
		cJSON_AddItemToArray(array, trial_json(replay->problem, &replay->trials.at[i]));
	return array;
}

static cJSON *accounting_json(const struct replay *replay)
{
	struct accounting accounting;
	cJSON *object = cJSON_CreateObject();

	replay_account(replay, &accounting);
	add_integer(object, "failed", (double)accounting.failed);
	add_integer(object, "not_run", (double)accounting.not_run);
	add_integer(object, "passed", (double)accounting.passed);
	add_integer(object, "planned", (double)accounting.planned);
	/* Where nothing failed, so often it may fail all the same. */
	if (accounting.failed == 0)
		add_real(object, "failure_rate_bound", bound_of_failures(accounting.passed));
	else
		cJSON_AddNullToObject(object, "failure_rate_bound");
	return object;
}

/* {seed, values, tensor: hash}, one a trial whose inputs were hashed. */
static cJSON *inputs_json(const struct record_session *session, const struct problem *problem)
{
	cJSON *array = cJSON_CreateArray(), *object = NULL, *tensors = NULL;

	for (size_t i = 0; i < session->hash_count; i++) {
		const struct input_hash *hash = &session->hashes[i];

		if (i == 0 || hash->trial.seed != session->hashes[i - 1].trial.seed || hash->trial.values != session->hashes[i - 1].trial.values) {
			object = cJSON_CreateObject();
			message_put_u64(object, "base_seed", hash->trial.base_seed);
			message_put_u64(object, "seed", hash->trial.seed);
			add_text(object, "values", value_set_name(hash->trial.values));
			cJSON_AddBoolToObject(object, "listed", session->standard_known && hash->trial.seed == STANDARD_SEED);
			tensors = cJSON_AddObjectToObject(object, "sha256");
			cJSON_AddItemToArray(array, object);
		}
		jcs_add_hash(tensors, problem->tensors[hash->tensor].name, &hash->hash);
	}
	return array;
}

/* ---- instructions ---- */

/* The call that was counted; null where it did not come to its end. */
static cJSON *called_json(const struct trial_result *called)
{
	if (called->outputs == 0)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();

	message_put_u64(object, "base_seed", called->trial.base_seed);
	message_put_u64(object, "seed", called->trial.seed);
	add_text(object, "values", value_set_name(called->trial.values));
	add_integer(object, "input_bytes_changed", (double)called->inputs_changed);
	add_text(object, "published", mark_name(called->published));
	add_text(object, "strict", mark_name(called->strict));
	return object;
}

/* [offset, text, executed by warps, threads with the predicate on], of the families; the rest as a sum. */
static cJSON *counts_json(const struct cubin *cubin, const struct counts *counts, const struct trial_result *called)
{
	const struct cubin_function *function = cubin_find(cubin, counts->function);
	cJSON *object = cJSON_CreateObject();
	cJSON *array = cJSON_AddArrayToObject(object, "at");
	double executed = 0;

	for (size_t i = 0; i < counts->count && function != NULL; i++) {
		const struct instruction_count *count = &counts->at[i];
		struct sass sass;

		executed += (double)count->executed;
		if (count->offset >= function->size)
			continue;
		sass_read(cubin_code(cubin, function) + count->offset, cubin->sm, &sass);
		if (sass.family == SASS_OTHER || count->executed == 0)
			continue;
		cJSON *row = cJSON_CreateArray();

		cJSON_AddItemToArray(row, cJSON_CreateNumber((double)count->offset));
		cJSON_AddItemToArray(row, cJSON_CreateString(sass.text));
		cJSON_AddItemToArray(row, cJSON_CreateNumber((double)count->executed));
		cJSON_AddItemToArray(row, cJSON_CreateNumber((double)count->threads_true));
		cJSON_AddItemToArray(array, row);
	}
	add_integer(object, "executed", executed);
	add_text(object, "function", counts->function);
	add_text(object, "state", counts_state_name(counts->state));
	add_text(object, "text", counts->text);
	cJSON_AddItemToObject(object, "call", called_json(called));
	return object;
}

/* Numbers of work_facts that may have fractions as texts, as everywhere in records. */
static void reals_to_text(cJSON *item)
{
	for (cJSON *child = item->child, *next; child != NULL; child = next) {
		next = child->next;
		if (cJSON_IsNumber(child) && child->string != NULL)
			cJSON_ReplaceItemInObjectCaseSensitive(item, child->string, real_of(child->valuedouble));
	}
}

static cJSON *evidence_json(const struct replay *replay)
{
	cJSON *object = work_facts(&replay->work, replay->problem);
	cJSON *functions = cJSON_AddArrayToObject(object, "functions");
	double least = 0, most = 0;

	reals_to_text(cJSON_GetObjectItemCaseSensitive(object, "operations_share"));
	reals_to_text(cJSON_GetObjectItemCaseSensitive(object, "bytes_share"));
	for (size_t i = 0; i < replay->functions; i++)
		cJSON_AddItemToArray(functions, counts_json(&replay->cubin, &replay->counts[i], &replay->called[i]));
	for (size_t i = 0; i < replay->work.lines; i++) {
		least += replay->work.line[i].bytes_least;
		most += replay->work.line[i].bytes_most;
	}
	add_integer(object, "tma_bytes_least", least);
	add_integer(object, "tma_bytes_most", most);
	add_text(object, "state", counts_state_name(replay->state));
	if (replay->share >= 0)
		add_real(object, "share", replay->share);
	else
		cJSON_AddNullToObject(object, "share");
	cJSON_AddBoolToObject(object, "decoy", replay->decoy);
	add_text(object, "evidence", evidence_name(replay_evidence(replay)));
	add_text(object, "arch_tag", replay_arch_tag(replay));
	return object;
}

/* ---- speed ---- */

static cJSON *interval_json(const struct interval *interval, double scale)
{
	cJSON *object = cJSON_CreateObject();

	add_integer(object, "count", (double)interval->count);
	add_real(object, "high", interval->high * scale);
	add_real(object, "low", interval->low * scale);
	add_real(object, "median", interval->median * scale);
	add_integer(object, "rank", (double)interval->rank);
	return object;
}

/* Samples as rows: what each column is stands once. */
static const char *const sample_columns[] = {"seed", "candidate_ns", "baseline_ns", "candidate_wall_ns", "baseline_wall_ns", "candidate_hz",
                                             "baseline_hz", "candidate_first", "checked", "throttled"};

static cJSON *sample_json(const struct sample *sample)
{
	const double numbers[] = {ns(sample->candidate_ms), ns(sample->baseline_ms), ns(sample->candidate_wall_ms), ns(sample->baseline_wall_ms),
	                          sample->candidate_hz,     sample->baseline_hz,     sample->candidate_first,       sample->checked,
	                          sample->throttled};
	cJSON *row = cJSON_CreateArray();
	char seed[24];

	snprintf(seed, sizeof seed, "%llu", (unsigned long long)sample->seed);
	cJSON_AddItemToArray(row, cJSON_CreateString(seed));
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
		cJSON_AddItemToArray(row, cJSON_CreateNumber(round(numbers[i])));
	return row;
}

static cJSON *samples_json(const struct sample *samples, size_t count)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(array, sample_json(&samples[i]));
	return array;
}

static cJSON *roofline_json(const struct roofline *roofline)
{
	cJSON *object = cJSON_CreateObject();

	add_integer(object, "bus_bits", (double)roofline->bus_bits);
	add_integer(object, "bytes_per_s", roofline->bytes_per_s);
	add_integer(object, "floor_ns", roofline->floor_ns);
	add_integer(object, "flops_per_s", roofline->flops_per_s);
	add_integer(object, "memory_hz", (double)roofline->memory_hz);
	add_integer(object, "operations_per_clock_and_sm", (double)roofline->operations_per_clock);
	add_integer(object, "sm_hz", (double)roofline->sm_hz);
	add_integer(object, "sms", (double)roofline->sms);
	return object;
}

static cJSON *suspicions_json(unsigned suspicions)
{
	cJSON *array = cJSON_CreateArray();

	for (unsigned bit = SUSPECT_ROOFLINE; bit < SUSPECT_END; bit <<= 1)
		if ((suspicions & bit) != 0)
			cJSON_AddItemToArray(array, cJSON_CreateString(suspicion_text((enum suspicion)bit)));
	return array;
}

static cJSON *timing_json(const struct replay *replay)
{
	const struct race *race = &replay->race;
	const struct speed *speed = &race->speed;

	if (!replay->raced)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	cJSON *columns = cJSON_AddArrayToObject(object, "columns");

	cJSON_AddItemToObject(object, "samples", samples_json(race->samples, race->count));
	for (size_t i = 0; i < sizeof sample_columns / sizeof sample_columns[0]; i++)
		cJSON_AddItemToArray(columns, cJSON_CreateString(sample_columns[i]));
	add_text(object, "timer", TIMER_KIND);
	add_integer(object, "pairs", (double)race->count);
	add_integer(object, "warm_up_pairs", (double)race->warm_up);
	add_integer(object, "throttled", (double)speed->throttled);
	add_text(object, "ended_by", race->fate.kind != FATE_DONE ? "failure" : race->narrow ? "interval" : "budget");
	add_integer(object, "elapsed_ms", (double)race->elapsed_ms);
	cJSON_AddItemToObject(object, "speedup", interval_json(&speed->speedup, 1));
	if (speed->cycles.count > 0)
		cJSON_AddItemToObject(object, "cycles", interval_json(&speed->cycles, 1));
	else
		cJSON_AddNullToObject(object, "cycles");
	cJSON_AddItemToObject(object, "control", interval_json(&race->control, 1));
	cJSON_AddItemToObject(object, "control_samples", samples_json(race->controls, race->control_count));
	cJSON_AddItemToObject(object, "candidate_ns", interval_json(&speed->candidate_ms, 1e6));
	cJSON_AddItemToObject(object, "baseline_ns", interval_json(&speed->baseline_ms, 1e6));
	add_integer(object, "candidate_hz", speed->candidate_hz);
	add_integer(object, "baseline_hz", speed->baseline_hz);
	add_integer(object, "hidden_ns", ns(speed->hidden_ms));
	cJSON_AddItemToObject(object, "roofline", roofline_json(&replay->roofline));
	cJSON_AddItemToObject(object, "suspect", suspicions_json(replay->suspicions));
	return object;
}

static cJSON *states_json(const struct replay *replay)
{
	cJSON *object = cJSON_CreateObject();
	cJSON *during = cJSON_AddArrayToObject(object, "during");

	cJSON_AddItemToObject(object, "before", nvml_state_facts(&replay->before));
	for (size_t i = 0; i < replay->race.state_count; i++)
		cJSON_AddItemToArray(during, nvml_state_facts(&replay->race.states[i]));
	cJSON_AddItemToObject(object, "after", nvml_state_facts(&replay->after));
	return object;
}

/* ---- all of it ---- */

static cJSON *outcome_json(const struct replay *replay)
{
	cJSON *object = cJSON_CreateObject();

	add_text(object, "label", outcome_name(replay->outcome));
	if (replay->outcome == OUTCOME_MEASURED_CORRECT)
		cJSON_AddNullToObject(object, "rule");
	else
		add_text(object, "rule", rule_info(replay->rule)->id);
	add_text(object, "text", replay->text);
	add_text(object, "published", mark_name(replay->published));
	add_text(object, "strict", mark_name(replay->strict));
	add_integer(object, "published_trials", (double)replay->rule_of_paper.trials);
	add_integer(object, "published_passed", (double)replay->rule_of_paper.passed);
	if (replay->rule_of_paper.has_library)
		add_integer(object, "library_passed", (double)replay->rule_of_paper.library_passed);
	else
		cJSON_AddNullToObject(object, "library_passed");
	return object;
}

static cJSON *options_json(const struct record_session *session)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddBoolToObject(object, "evidence", !session->options->no_evidence);
	add_text(object, "memcheck", memcheck_mode_name(session->options->memcheck));
	cJSON_AddBoolToObject(object, "require_sandbox", session->options->require_sandbox);
	add_real(object, "seconds", session->options->seconds);
	add_integer(object, "trials", (double)session->trials);
	return object;
}

static cJSON *times_json(const struct replay_times *times)
{
	cJSON *object = cJSON_CreateObject();

	add_integer(object, "all_ms", (double)times->all);
	add_integer(object, "code_ms", (double)times->code);
	add_integer(object, "counting_ms", (double)times->counting);
	add_integer(object, "memcheck_ms", (double)times->memcheck);
	add_integer(object, "start_ms", (double)times->start);
	add_integer(object, "timing_ms", (double)times->timing);
	add_integer(object, "trials_ms", (double)times->trials);
	return object;
}

cJSON *record_make(const struct record_session *session, const struct replay *replay, uint64_t trajectory)
{
	cJSON *record = cJSON_CreateObject();

	add_text(record, "schema", REPLAY_SCHEMA);
	add_text(record, "program", "ptxseal " PTXSEAL_VERSION);
	add_text(record, "run", session->run);
	add_text(record, "date", session->date);
	add_integer(record, "trajectory", (double)trajectory);
	cJSON_AddBoolToObject(record, "stand_in", session->stand_in);
	cJSON_AddItemToObject(record, "options", options_json(session));
	cJSON_AddItemToObject(record, "candidate", candidate_json(replay));
	cJSON_AddItemToObject(record, "problem", problem_json(replay->problem));
	cJSON_AddItemToObject(record, "code", code_json(replay));
	add_copy(record, "device", session->device);
	add_copy(record, "machine", session->machine);
	add_copy(record, "library", session->library);
	add_copy(record, "worker", replay->worker_facts);
	cJSON_AddItemToObject(record, "state", states_json(replay));
	cJSON_AddItemToObject(record, "inputs", inputs_json(session, replay->problem));
	cJSON_AddItemToObject(record, "trials", trials_json(replay));
	cJSON_AddItemToObject(record, "accounting", accounting_json(replay));
	cJSON_AddItemToObject(record, "evidence", evidence_json(replay));
	cJSON_AddItemToObject(record, "memcheck", memcheck_facts(&replay->memcheck, session->options->sanitizer));
	cJSON_AddItemToObject(record, "timing", timing_json(replay));
	cJSON_AddItemToObject(record, "took", times_json(&replay->times));
	cJSON_AddItemToObject(record, "outcome", outcome_json(replay));
	return record;
}
