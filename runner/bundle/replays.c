#include "replays.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "layout.h"
#include "ledger.h"

static const cJSON *member(const cJSON *object, const char *name, size_t len)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, object)
	{
		if (item->string != NULL && strncmp(item->string, name, len) == 0 && item->string[len] == '\0')
			return item;
	}
	return NULL;
}

const cJSON *replay_at(const cJSON *record, const char *path)
{
	while (record != NULL && *path != '\0') {
		const size_t len = strcspn(path, ".");

		record = member(record, path, len);
		path += len + (path[len] == '.');
	}
	return record;
}

const char *replay_text(const cJSON *record, const char *path)
{
	const cJSON *item = replay_at(record, path);

	return cJSON_IsString(item) ? item->valuestring : "";
}

double replay_value(const cJSON *record, const char *path)
{
	const cJSON *item = replay_at(record, path);
	double value;

	if (cJSON_IsNumber(item))
		return item->valuedouble;
	return cJSON_IsString(item) && decimal_parse(item->valuestring, strlen(item->valuestring), &value) ? value : NAN;
}

/* artifact/replays/RUN/CANDIDATE.json: the record repeats both. */
static enum status check_place(const cJSON *record, const char *path, struct error *err)
{
	char *expected = mem_format(REPLAY_DIRECTORY "/%s/%s.json", replay_text(record, "run"), replay_text(record, "candidate.name"));
	const bool same = strcmp(expected, path) == 0;

	free(expected);
	return same ? OK : error_set(err, R_RPL_RECORD, path, "the record is of run '%s' and candidate '%s'", replay_text(record, "run"),
	                             replay_text(record, "candidate.name"));
}

/* The members that other parts of the program go by. */
static enum status check_members(const cJSON *record, const char *path, struct error *err)
{
	static const char *const texts[] = {"program", "run",           "date",           "candidate.name", "candidate.id", "candidate.directory", "candidate.arch",
	                                    "candidate.label", "problem.task",  "problem.workload", "outcome.label", "outcome.published", "outcome.strict",
	                                    "evidence.evidence", "evidence.arch_tag", "device.name"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (!cJSON_IsString(replay_at(record, texts[i])))
			return error_set(err, R_RPL_RECORD, path, "%s is not a text", texts[i]);
	if (!cJSON_IsBool(replay_at(record, "stand_in")) || !cJSON_IsArray(replay_at(record, "trials")) ||
	    !cJSON_IsArray(replay_at(record, "candidate.files")) || !cJSON_IsNumber(replay_at(record, "trajectory")))
		return error_set(err, R_RPL_RECORD, path, "stand_in, trials, trajectory or candidate.files is missing or of another kind");
	return OK;
}

enum status replay_parse_anywhere(const char *text, size_t len, const char *path, cJSON **record, struct error *err)
{
	enum status status = json_parse(text, len, path, record, err);

	if (status == OK && strcmp(replay_text(*record, "schema"), REPLAY_SCHEMA) != 0)
		status = error_set(err, R_RPL_RECORD, path, "its schema is '%s'", replay_text(*record, "schema"));
	if (status == OK)
		status = check_members(*record, path, err);
	if (status != OK) {
		cJSON_Delete(*record);
		*record = NULL;
	}
	return status;
}

enum status replay_parse(const char *text, size_t len, const char *path, cJSON **record, struct error *err)
{
	enum status status = replay_parse_anywhere(text, len, path, record, err);

	if (status == OK)
		status = check_place(*record, path, err);
	if (status != OK) {
		cJSON_Delete(*record);
		*record = NULL;
	}
	return status;
}

enum status replay_read(const struct root *root, const char *path, cJSON **record, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_read(root, path, REPLAY_RECORD_MAX, &text, err);

	*record = NULL;
	if (status == OK)
		status = replay_parse(text.data != NULL ? text.data : "", text.len, path, record, err);
	bytes_free(&text);
	return status;
}

void replay_number(double value, char out[REPLAY_NUMBER_MAX])
{
	if (isfinite(value))
		snprintf(out, REPLAY_NUMBER_MAX, "%.9g", value);
	else
		strcpy(out, "infinite");
}

enum status replay_files(const cJSON *record, const char *path, replay_file *file, void *context, struct error *err)
{
	enum status status = OK;

	for (const cJSON *item = replay_at(record, "candidate.files")->child; item != NULL && status == OK; item = item->next) {
		const char *name = replay_text(item, "path");
		struct sha256 hash;

		if (!path_valid(name, strlen(name)) || !sha256_parse(replay_text(item, "sha256"), &hash))
			return error_set(err, R_RPL_RECORD, path, "one of candidate.files has no path or no sha256");
		status = file(context, name, &hash, err);
	}
	return status;
}

static void take(cJSON *to, const char *key, const cJSON *record, const char *path)
{
	const cJSON *item = replay_at(record, path);

	cJSON_AddItemToObject(to, key, item != NULL ? cJSON_Duplicate(item, true) : cJSON_CreateNull());
}

static cJSON *clocks_of(const cJSON *record)
{
	cJSON *clocks = cJSON_CreateObject(), *observed = cJSON_AddObjectToObject(clocks, "observed");

	/* The card is measured as it stands. */
	cJSON_AddStringToObject(clocks, "requested", "none");
	take(observed, "baseline_hz", record, "timing.baseline_hz");
	take(observed, "candidate_hz", record, "timing.candidate_hz");
	take(observed, "throttled", record, "timing.throttled");
	return clocks;
}

cJSON *replay_summary(const cJSON *record)
{
	static const char *const members[][2] = {
		{"arch", "candidate.arch"},   {"candidate", "candidate.name"}, {"candidate_id", "candidate.id"}, {"cubin_sha256", "code.sha256"},
		{"date", "date"},             {"device", "device.name"},       {"driver", "device.nvml.driver_version"},
		{"driver_cuda", "device.nvml.cuda_driver_version"}, {"inputs", "inputs"}, {"libraries", "library"}, {"outcome", "outcome"},
		{"stand_in", "stand_in"},     {"toolchain", "code.ptxas"},     {"vbios", "device.nvml.vbios"},
	};
	cJSON *summary = cJSON_CreateObject();

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
		take(summary, members[i][0], record, members[i][1]);
	cJSON_AddItemToObject(summary, "clocks", clocks_of(record));
	/* The form has it, and nobody is told which card it was: whether two records are of one card, their device.nvml.uuid_sha256 say. */
	cJSON_AddNullToObject(summary, "device_uuid");
	return summary;
}

cJSON *replay_predicate(const char *program, const char *run, const char *source, const cJSON *summaries)
{
	cJSON *predicate = cJSON_CreateObject();

	cJSON_AddItemToObject(predicate, "replays", cJSON_Duplicate(summaries, true));
	cJSON_AddStringToObject(predicate, "program", program);
	cJSON_AddStringToObject(predicate, "run", run);
	cJSON_AddStringToObject(predicate, "source", source);
	return predicate;
}

/* ---- the source ---- */

static enum status device_hash(const cJSON *record, char hex[SHA256_HEX + 1], struct error *err)
{
	struct bytes text = {0};
	const enum status status = jcs_write(replay_at(record, "device"), &text, err);
	const struct sha256 hash = sha256_of(text.data, text.len);

	sha256_hex(&hash, hex);
	bytes_free(&text);
	return status;
}

/* A record in the list of runs: it opens a new one, or counts in the last. Records come run by run. */
static enum status add_to_runs(cJSON *runs, const cJSON *record, struct error *err)
{
	cJSON *last = cJSON_GetArraySize(runs) > 0 ? cJSON_GetArrayItem(runs, cJSON_GetArraySize(runs) - 1) : NULL;
	char hex[SHA256_HEX + 1];

	if (last != NULL && strcmp(replay_text(last, "run"), replay_text(record, "run")) == 0) {
		cJSON *count = cJSON_GetObjectItemCaseSensitive(last, "records");

		cJSON_SetNumberValue(count, count->valuedouble + 1);
		return OK;
	}
	const enum status status = device_hash(record, hex, err);

	last = cJSON_CreateObject();
	cJSON_AddStringToObject(last, "date", replay_text(record, "date"));
	cJSON_AddStringToObject(last, "device", replay_text(record, "device.name"));
	cJSON_AddStringToObject(last, "device_facts_sha256", hex);
	cJSON_AddStringToObject(last, "program", replay_text(record, "program"));
	cJSON_AddNumberToObject(last, "records", 1);
	cJSON_AddStringToObject(last, "run", replay_text(record, "run"));
	cJSON_AddItemToArray(runs, last);
	return status;
}

static enum status is_run_of(const struct root *root, const cJSON *record, const char *source, bool *is, struct error *err)
{
	struct run run;
	const enum status status = run_read(root, replay_text(record, "run"), &run, err);

	*is = status == OK && strcmp(run.source, source) == 0;
	run_free(&run);
	/* A replay that was killed leaves records without a run. */
	return status != OK && err->rule == R_IO_OPEN ? OK : status;
}

static enum status list_runs(const struct root *root, const char *source, cJSON *runs, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(root, REPLAY_DIRECTORY, &list, err);
	bool is = false;

	for (size_t i = 0; status == OK && i < list.count; i++) {
		cJSON *record = NULL;

		if (list.at[i].kind == FILE_DIRECTORY)
			continue;
		status = replay_read(root, list.at[i].path, &record, err);
		if (status == OK)
			status = is_run_of(root, record, source, &is, err);
		if (status == OK && is)
			status = add_to_runs(runs, record, err);
		cJSON_Delete(record);
	}
	file_list_free(&list);
	return status;
}

enum status replay_source_write(const struct root *root, const char *source, const char *program, struct error *err)
{
	cJSON *tree = cJSON_CreateObject(), *runs = cJSON_AddArrayToObject(tree, "runs");
	char *path = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
	struct bytes text = {0};

	cJSON_AddStringToObject(tree, "kind", REPLAY_KIND);
	cJSON_AddStringToObject(tree, "program", program);
	cJSON_AddStringToObject(tree, "source", source);
	enum status status = list_runs(root, source, runs, err);

	if (status == OK)
		status = jcs_write(tree, &text, err);
	bytes_char(&text, '\n');
	if (status == OK)
		status = root_write(root, path, text.data, text.len, err);
	bytes_free(&text);
	free(path);
	cJSON_Delete(tree);
	return status;
}
