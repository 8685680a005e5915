#include "trace_export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../base/utf8.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "dataset.h"
#include "label.h"
#include "trace_schema.h"

enum { SOURCE_MAX = 16 << 20 }; /* bytes of one file of a candidate */

static struct bytes *add_file(struct trace_export *export, char *path)
{
	export->files = mem_array(export->files, export->file_count + 1, sizeof *export->files);
	export->files[export->file_count] = (struct export_file){.path = path};
	return &export->files[export->file_count++].text;
}

static struct bytes *find_file(const struct trace_export *export, const char *path)
{
	for (size_t i = 0; i < export->file_count; i++)
		if (strcmp(export->files[i].path, path) == 0)
			return &export->files[i].text;
	return NULL;
}

static void leave_out(struct trace_export *export, const char *what, uint64_t count, const char *reason)
{
	export->left = mem_array(export->left, export->left_count + 1, sizeof *export->left);
	export->left[export->left_count++] = (struct export_left){.what = mem_text(what), .count = count, .reason = mem_text(reason)};
}

/* Order matters in a definition (it is that of a call's arguments): keys stay as they stand. Numbers are cJSON's, which read back. */
static void print(const cJSON *tree, struct bytes *out)
{
	char *text = cJSON_PrintUnformatted(tree);

	if (text == NULL)
		mem_lacking();
	bytes_text(out, text);
	bytes_char(out, '\n');
	cJSON_free(text);
}

/* Tasks: their files as they stand. */

static enum status count_workload(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct trace_export *export = context;
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	export->workloads += status == OK;
	return status;
}

static enum status export_task(struct trace_export *export, const struct root *bundle, const char *path, struct error *err)
{
	char *workloads = mem_format("%.*s/workloads.jsonl", (int)(strlen(path) - strlen("/task.json")), path);
	struct trace_definition definition;
	struct bytes text = {0};
	cJSON *tree = NULL;
	enum status status = root_read(bundle, path, DATASET_FILE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data == NULL ? "" : text.data, text.len, path, &tree, err);
	if (status == OK)
		status = trace_definition_read(tree, path, &definition, err);
	if (status == OK && (!ledger_name_valid(definition.op_type, strlen(definition.op_type)) ||
	                     !ledger_name_valid(definition.name, strlen(definition.name))))
		status = error_set(err, R_TRC_VALUE, path, "its name or op_type cannot name a file");
	if (status == OK) {
		*add_file(export, mem_format("definitions/%s/%s.json", definition.op_type, definition.name)) = text;
		text = (struct bytes){0};
		status = root_read(bundle, workloads, DATASET_FILE_MAX, &text, err);
	}
	if (status == OK)
		status = dataset_lines(&text, workloads, count_workload, export, err);
	if (status == OK) {
		*add_file(export, mem_format("workloads/%s/%s.jsonl", definition.op_type, definition.name)) = text;
		text = (struct bytes){0};
		export->definitions++;
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	free(workloads);
	return status;
}

static enum status export_tasks(struct trace_export *export, const struct root *bundle, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, "tasks", &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *rest;
		size_t len;

		if (list.at[i].kind == FILE_REGULAR && layout_split(list.at[i].path, LAYOUT_TASKS, &len, &rest) && strcmp(rest, "task.json") == 0)
			status = export_task(export, bundle, list.at[i].path, err);
	}
	file_list_free(&list);
	return status;
}

/* Solutions. */

/* A record that is being exported. */
struct measured {
	struct trace_export *export;
	const struct root *bundle;
	const char *path;    /* of the record */
	const cJSON *record;
	struct sha256 hash;  /* of the record's bytes */
	const char *task, *name, *author;
	char *op_type;
	const char *reason;  /* why it is left out, NULL: it is not */
	cJSON *sources;
	char *entry_point;
};

static bool is_text(const struct bytes *text)
{
	return text->len > 0 && memchr(text->data, '\0', text->len) == NULL && utf8_check(text->data, text->len) == text->len;
}

/* The launches' first function in the PTX that candidate.json names. */
static void take_entry_point(struct measured *measured, const char *text, size_t len)
{
	cJSON *tree = NULL;

	if (json_parse(text, len, measured->path, &tree, NULL) == OK) {
		const cJSON *ptx = cJSON_GetObjectItemCaseSensitive(tree, "ptx");
		const cJSON *launch = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(tree, "launches"), 0);
		const cJSON *function = cJSON_GetObjectItemCaseSensitive(launch, "function");

		if (cJSON_IsString(ptx) && cJSON_IsString(function) && measured->entry_point == NULL)
			measured->entry_point = mem_format("%s::%s", ptx->valuestring, function->valuestring);
	}
	cJSON_Delete(tree);
}

static enum status take_source(void *context, const char *path, const struct sha256 *hash, struct error *err)
{
	struct measured *measured = context;
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
	struct bytes text = {0};

	if (dot != NULL && strcmp(dot, ".cubin") == 0)
		return OK; /* machine code: the schema holds texts */
	enum status status = root_read(measured->bundle, path, SOURCE_MAX, &text, err);
	struct sha256 is = sha256_of(text.data, text.len);

	if (status != OK || memcmp(&is, hash, sizeof is) != 0) {
		measured->reason = "a file of its candidate is not there as it was measured";
	} else if (!is_text(&text)) {
		measured->reason = "a file of its candidate is no text";
	} else {
		cJSON *source = cJSON_CreateObject();

		if (strcmp(name, "candidate.json") == 0)
			take_entry_point(measured, text.data, text.len);
		cJSON_AddStringToObject(source, "path", name);
		cJSON_AddStringToObject(source, "content", text.data);
		cJSON_AddItemToArray(measured->sources, source);
	}
	bytes_free(&text);
	return OK;
}

static cJSON *solution_of(const struct measured *measured, const char *solution)
{
	cJSON *tree = cJSON_CreateObject(), *spec, *hardware;
	char *description =
		mem_format("%s. PTX, and in candidate.json how ptxseal launches it; flashinfer-bench has no language PTX and does not build it.",
	                   replay_text(measured->record, "candidate.origin"));

	cJSON_AddStringToObject(tree, "name", solution);
	cJSON_AddStringToObject(tree, "definition", measured->task);
	cJSON_AddStringToObject(tree, "author", measured->author);
	spec = cJSON_AddObjectToObject(tree, "spec");
	cJSON_AddStringToObject(spec, "language", "cuda");
	hardware = cJSON_AddArrayToObject(spec, "target_hardware");
	cJSON_AddItemToArray(hardware, cJSON_CreateString(replay_text(measured->record, "candidate.arch")));
	cJSON_AddStringToObject(spec, "entry_point", measured->entry_point);
	cJSON_AddArrayToObject(spec, "dependencies");
	cJSON_AddBoolToObject(spec, "destination_passing_style", true);
	cJSON_AddItemToObject(tree, "sources", cJSON_Duplicate(measured->sources, true));
	cJSON_AddStringToObject(tree, "description", description);
	free(description);
	return tree;
}

/* Traces. */

static double number_at(const cJSON *record, const char *path)
{
	const char *text = replay_text(record, path);
	double value;

	return decimal_parse(text, strlen(text), &value) ? value : NAN;
}

static void add_version(cJSON *libs, const char *name, const cJSON *version)
{
	if (cJSON_IsString(version) && version->valuestring[0] != '\0') {
		cJSON_AddStringToObject(libs, name, version->valuestring);
	} else if (cJSON_IsNumber(version)) {
		char text[JCS_NUMBER_MAX];

		jcs_number(version->valuedouble, text);
		cJSON_AddStringToObject(libs, name, text);
	}
}

static cJSON *environment_of(const cJSON *record)
{
	cJSON *environment = cJSON_CreateObject(), *libs;
	const char *library = replay_text(record, "worker.baseline.library");

	cJSON_AddStringToObject(environment, "hardware", replay_text(record, "device.name"));
	libs = cJSON_AddObjectToObject(environment, "libs");
	add_version(libs, "cuda driver", replay_at(record, "device.nvml.cuda_driver_version"));
	add_version(libs, "driver", replay_at(record, "device.nvml.driver_version"));
	add_version(libs, "ptxas", replay_at(record, "code.ptxas.version"));
	add_version(libs, "ptxseal", replay_at(record, "machine.program"));
	if (library[0] != '\0')
		add_version(libs, library, replay_at(record, "worker.baseline.version"));
	return environment;
}

/* The greatest errors of all outputs. An element that is not finite is infinitely off. */
struct errors {
	double absolute, relative;
	size_t outputs;
};

static double greatest(double a, const char *text)
{
	double value;

	if (!decimal_parse(text, strlen(text), &value))
		value = INFINITY; /* a record writes what is not finite as a word */
	return value > a ? value : a;
}

/* Of the trials of these values; NULL: of all. */
static struct errors errors_of(const cJSON *record, const char *values)
{
	struct errors errors = {0};
	const cJSON *trial, *output;

	cJSON_ArrayForEach(trial, replay_at(record, "trials")) {
		if (values != NULL && strcmp(replay_text(trial, "values"), values) != 0)
			continue;
		cJSON_ArrayForEach(output, cJSON_GetObjectItemCaseSensitive(trial, "outputs")) {
			const cJSON *error = cJSON_GetObjectItemCaseSensitive(output, "error");
			const cJSON *lost = cJSON_GetObjectItemCaseSensitive(error, "not_finite");

			if (!cJSON_IsObject(error))
				continue;
			errors.outputs++;
			errors.absolute = greatest(errors.absolute, replay_text(error, "quantiles.max"));
			errors.relative = greatest(errors.relative, replay_text(error, "max_rel"));
			if (cJSON_IsNumber(lost) && lost->valuedouble > 0)
				errors.absolute = errors.relative = INFINITY;
		}
	}
	return errors;
}

static void add_error(cJSON *correctness, const char *key, double value)
{
	if (isfinite(value))
		cJSON_AddNumberToObject(correctness, key, value);
	else
		cJSON_AddStringToObject(correctness, key, "Infinity");
}

/* What the schema has no field for stands where it has room for it. */
static cJSON *extra_of(const struct measured *measured)
{
	cJSON *extra = cJSON_CreateObject(), *ours = cJSON_AddObjectToObject(extra, "ptxseal");
	const struct errors all = errors_of(measured->record, NULL);
	char hex[SHA256_HEX + 1];

	sha256_hex(&measured->hash, hex);
	cJSON_AddStringToObject(ours, "record", measured->path);
	cJSON_AddStringToObject(ours, "record_sha256", hex);
	add_error(ours, "all_values_max_relative_error", all.relative);
	add_error(ours, "all_values_max_absolute_error", all.absolute);
	cJSON_AddStringToObject(ours, "outcome", replay_text(measured->record, "outcome.label"));
	cJSON_AddStringToObject(ours, "published_rule", replay_text(measured->record, "outcome.published"));
	cJSON_AddStringToObject(ours, "evidence", replay_text(measured->record, "evidence.state"));
	cJSON_AddStringToObject(ours, "target_share", replay_text(measured->record, "evidence.share"));
	cJSON_AddStringToObject(ours, "speedup_low", replay_text(measured->record, "timing.speedup.low"));
	cJSON_AddStringToObject(ours, "speedup_high", replay_text(measured->record, "timing.speedup.high"));
	return extra;
}

static cJSON *evaluation_of(struct measured *measured, const char *status)
{
	const cJSON *record = measured->record;
	/* A workload's `random` inputs are normal ones; the trials of other values are beyond it. */
	const struct errors errors = errors_of(record, "normal");
	const bool passed = strcmp(status, "PASSED") == 0, judged = passed || strcmp(status, "INCORRECT_NUMERICAL") == 0;
	double latency = number_at(record, "timing.candidate_ns.median"), reference = number_at(record, "timing.baseline_ns.median");
	double speedup = number_at(record, "timing.speedup.median");

	if (judged && errors.outputs == 0)
		measured->reason = "the schema wants the errors of its outputs, and none of normal values were measured";
	else if (passed && !(isfinite(latency) && isfinite(reference) && isfinite(speedup)))
		measured->reason = "it is correct and was not timed, which the schema has no word for";
	if (measured->reason != NULL)
		return NULL;
	cJSON *evaluation = cJSON_CreateObject();

	cJSON_AddStringToObject(evaluation, "status", status);
	cJSON_AddItemToObject(evaluation, "environment", environment_of(record));
	cJSON_AddStringToObject(evaluation, "timestamp", replay_text(record, "date"));
	cJSON_AddStringToObject(evaluation, "log", replay_text(record, "outcome.text"));
	if (judged) {
		cJSON *correctness = cJSON_AddObjectToObject(evaluation, "correctness");

		add_error(correctness, "max_relative_error", errors.relative);
		add_error(correctness, "max_absolute_error", errors.absolute);
		cJSON_AddItemToObject(correctness, "extra", extra_of(measured));
	} else {
		cJSON_AddNullToObject(evaluation, "correctness");
	}
	if (passed) {
		cJSON *performance = cJSON_AddObjectToObject(evaluation, "performance");

		cJSON_AddNumberToObject(performance, "latency_ms", latency / 1e6);
		cJSON_AddNumberToObject(performance, "reference_latency_ms", reference / 1e6);
		cJSON_AddNumberToObject(performance, "speedup_factor", speedup);
	} else {
		cJSON_AddNullToObject(evaluation, "performance");
	}
	return evaluation;
}

struct finding_workload {
	const char *uuid;
	cJSON *workload;
};

static enum status find_workload(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct finding_workload *finding = context;
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	if (status == OK && finding->workload == NULL && strcmp(trace.uuid, finding->uuid) == 0)
		finding->workload = cJSON_DetachItemFromObjectCaseSensitive(tree, "workload");
	return status;
}

static cJSON *workload_of(struct measured *measured)
{
	char *path = mem_format("workloads/%s/%s.jsonl", measured->op_type, measured->task);
	struct finding_workload finding = {.uuid = replay_text(measured->record, "problem.workload")};

	dataset_lines(find_file(measured->export, path), path, find_workload, &finding, NULL); /* they were read before */
	if (finding.workload == NULL)
		measured->reason = "its workload is not among those of its task";
	free(path);
	return finding.workload;
}

/* The op_type of the task that is exported, NULL if it is not; free() it. */
static char *op_type_of(const struct trace_export *export, const char *task)
{
	char *end = mem_format("/%s.json", task), *found = NULL;

	for (size_t i = 0; i < export->file_count && found == NULL; i++) {
		const char *path = export->files[i].path, *rest;
		size_t len;

		if (layout_split(path, "definitions/", &len, &rest) && strcmp(rest - 1, end) == 0)
			found = mem_textn(path + strlen("definitions/"), len);
	}
	free(end);
	return found;
}

/* Put solution and trace into the data set, or say why not. */
static void export_measured(struct measured *measured, const char *status)
{
	struct trace_export *export = measured->export;
	cJSON *workload = workload_of(measured);
	cJSON *evaluation = measured->reason == NULL ? evaluation_of(measured, status) : NULL;

	if (measured->reason != NULL) {
		cJSON_Delete(workload);
		return;
	}
	char *name = mem_format("%s_%s", measured->task, measured->name);
	char *path = mem_format("solutions/%s/%s/%s/%s.json", measured->author, measured->op_type, measured->task, name);
	char *traces = mem_format("traces/%s/%s.jsonl", measured->op_type, measured->task);
	cJSON *solution = solution_of(measured, name), *trace = cJSON_CreateObject();

	cJSON_AddStringToObject(trace, "definition", measured->task);
	cJSON_AddItemToObject(trace, "workload", workload);
	cJSON_AddStringToObject(trace, "solution", name);
	cJSON_AddItemToObject(trace, "evaluation", evaluation);
	/* Files were compared with what was measured, so one path has one text. */
	if (find_file(export, path) == NULL) {
		print(solution, add_file(export, mem_text(path)));
		export->solutions++;
	}
	struct bytes *out = find_file(export, traces);

	print(trace, out != NULL ? out : add_file(export, mem_text(traces)));
	export->traces++;
	cJSON_Delete(trace);
	cJSON_Delete(solution);
	free(traces);
	free(path);
	free(name);
}

static void judge_record(struct measured *measured)
{
	const char *label = replay_text(measured->record, "outcome.label");
	enum outcome outcome = OUTCOME_MEASURED_UNKNOWN;
	const char *status = outcome_parse(label, strlen(label), &outcome) ? label_status(outcome) : NULL;
	struct error err;

	if (cJSON_IsTrue(replay_at(measured->record, "stand_in")))
		measured->reason = "a stand-in for a device measured it";
	else if (status == NULL)
		measured->reason = "the schema has no status for its outcome";
	else if (measured->op_type == NULL)
		measured->reason = "its task is not in the bundle";
	else if (!ledger_name_valid(measured->author, strlen(measured->author)) || !ledger_name_valid(measured->name, strlen(measured->name)))
		measured->reason = "its name or label cannot name a file";
	else if (replay_text(measured->record, "device.name")[0] == '\0' || replay_text(measured->record, "date")[0] == '\0')
		measured->reason = "the schema wants a device and a date";
	if (measured->reason == NULL && replay_files(measured->record, measured->path, take_source, measured, &err) != OK)
		measured->reason = "its record names its files in another form";
	if (measured->reason == NULL && measured->entry_point == NULL)
		measured->reason = "its candidate.json names no PTX and launch";
	if (measured->reason == NULL)
		export_measured(measured, status);
}

static enum status export_record(struct trace_export *export, const struct root *bundle, const char *path, struct error *err)
{
	struct measured measured = {.export = export, .bundle = bundle, .path = path, .sources = cJSON_CreateArray()};
	struct bytes text = {0};
	cJSON *record = NULL;
	enum status status = root_read(bundle, path, REPLAY_RECORD_MAX, &text, err);

	if (status == OK)
		status = replay_parse(text.data == NULL ? "" : text.data, text.len, path, &record, err);
	if (status == OK) {
		measured.record = record;
		measured.hash = sha256_of(text.data, text.len);
		measured.task = replay_text(record, "problem.task");
		measured.name = replay_text(record, "candidate.name");
		measured.author = replay_text(record, "candidate.label");
		measured.op_type = op_type_of(export, measured.task);
		judge_record(&measured);
		if (measured.reason != NULL)
			leave_out(export, path, 1, measured.reason);
	}
	cJSON_Delete(measured.sources);
	cJSON_Delete(record);
	free(measured.entry_point);
	free(measured.op_type);
	bytes_free(&text);
	return status;
}

static enum status export_records(struct trace_export *export, const struct root *bundle, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, REPLAY_DIRECTORY, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++)
		if (list.at[i].kind == FILE_REGULAR)
			status = export_record(export, bundle, list.at[i].path, err);
	file_list_free(&list);
	return status;
}

/* Turns that were reported have no kernel here that could be a solution. Runs come in the order of their sources. */

struct counting {
	struct trace_export *export;
	char *source;
	uint64_t turns;
};

static void end_source(struct counting *counting)
{
	if (counting->source != NULL && counting->turns > 0) {
		char *what = mem_format("turns of the source %s", counting->source);

		leave_out(counting->export, what, counting->turns, "reported elsewhere: nothing of them was measured here, and no solution is made up");
		free(what);
	}
	free(counting->source);
	counting->source = NULL;
	counting->turns = 0;
}

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	struct counting *counting = context;

	(void)err;
	if (counting->source == NULL || strcmp(counting->source, run->source) != 0) {
		end_source(counting);
		counting->source = mem_text(run->source);
	}
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct counting *counting = context;

	(void)run, (void)line, (void)err;
	counting->turns += turn->evidence == EVIDENCE_REPORTED;
	return OK;
}

static enum status count_reported(struct trace_export *export, const struct root *bundle, struct error *err)
{
	struct counting counting = {.export = export};
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = &counting};
	enum status status = ledger_read(bundle, &visitor, err);

	end_source(&counting);
	return status;
}

static void describe(struct trace_export *export, const char *program)
{
	cJSON *about = cJSON_CreateObject(), *left = cJSON_AddArrayToObject(about, "left_out");

	cJSON_AddStringToObject(about, "schema", "ptxseal-flashinfer-trace/1");
	cJSON_AddStringToObject(about, "program", program);
	cJSON_AddNumberToObject(about, "definitions", (double)export->definitions);
	cJSON_AddNumberToObject(about, "workloads", (double)export->workloads);
	cJSON_AddNumberToObject(about, "solutions", (double)export->solutions);
	cJSON_AddNumberToObject(about, "traces", (double)export->traces);
	for (size_t i = 0; i < export->left_count; i++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddNumberToObject(one, "count", (double)export->left[i].count);
		cJSON_AddStringToObject(one, "reason", export->left[i].reason);
		cJSON_AddStringToObject(one, "what", export->left[i].what);
		cJSON_AddItemToArray(left, one);
	}
	struct bytes *out = add_file(export, mem_text("ptxseal.json"));

	jcs_write(about, out, NULL); /* texts came through a strict reader */
	bytes_char(out, '\n');
	cJSON_Delete(about);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct export_file *)a)->path, ((const struct export_file *)b)->path);
}

enum status trace_export_make(const struct root *bundle, const char *program, struct trace_export *export, struct error *err)
{
	*export = (struct trace_export){0};
	enum status status = export_tasks(export, bundle, err);

	if (status == OK)
		status = export_records(export, bundle, err);
	if (status == OK)
		status = count_reported(export, bundle, err);
	if (status == OK)
		describe(export, program);
	if (export->file_count > 1)
		qsort(export->files, export->file_count, sizeof *export->files, by_path);
	return status;
}

enum status trace_export_write(const struct trace_export *export, const struct root *dir, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; status == OK && i < export->file_count; i++)
		status = root_write_product(dir, export->files[i].path, export->files[i].text.data, export->files[i].text.len, err);
	return status;
}

void trace_export_free(struct trace_export *export)
{
	for (size_t i = 0; i < export->file_count; i++) {
		free(export->files[i].path);
		bytes_free(&export->files[i].text);
	}
	for (size_t i = 0; i < export->left_count; i++) {
		free(export->left[i].what);
		free(export->left[i].reason);
	}
	free(export->files);
	free(export->left);
	*export = (struct trace_export){0};
}
