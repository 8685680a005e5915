#include "query_run.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/lock.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"

static bool exists(const struct root *root, const char *run, const char *file)
{
	char *path = mem_format(LAYOUT_RUNS "%s%s%s", run, file[0] != '\0' ? "/" : "", file);
	const bool is = root_has(root, path);

	free(path);
	return is;
}

static enum status write_file(const struct root *bundle, const char *run, const char *file, const struct bytes *text, struct error *err)
{
	char *path = mem_format(LAYOUT_RUNS "%s/%s", run, file);
	const enum status status = root_write(bundle, path, text->data != NULL ? text->data : "", text->len, err);

	free(path);
	return status;
}

enum status query_run_write_turns(const struct root *bundle, const char *run, const struct bytes *turns, struct error *err)
{
	return write_file(bundle, run, LAYOUT_TURNS, turns, err);
}

/* ---- beginning ---- */

bool query_run_is_source(const struct root *bundle, const char *source)
{
	char *path = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
	struct bytes text = {0};
	cJSON *tree = NULL;
	const bool is = root_read(bundle, path, QUERY_FILE_MAX, &text, NULL) == OK && json_parse(text.data != NULL ? text.data : "", text.len, path, &tree, NULL) == OK &&
	                strcmp(replay_text(tree, "kind"), QUERY_KIND) == 0;

	cJSON_Delete(tree);
	bytes_free(&text);
	free(path);
	return is;
}

enum status query_run_write_source(const struct root *bundle, const char *source, struct error *err)
{
	char *path = mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, source);
	cJSON *tree = cJSON_CreateObject();
	struct bytes text = {0};

	cJSON_AddStringToObject(tree, "kind", QUERY_KIND);
	cJSON_AddStringToObject(tree, "program", "ptxseal " PTXSEAL_VERSION);
	cJSON_AddStringToObject(tree, "source", source);
	enum status status = jcs_write(tree, &text, err);

	bytes_char(&text, '\n');
	cJSON_Delete(tree);
	if (status == OK && !root_has(bundle, path))
		status = root_write(bundle, path, text.data, text.len, err);
	else if (status == OK && !query_run_is_source(bundle, source))
		status = error_set(err, R_QRY_NAME, path, "the source '%s' is of another kind", source);
	bytes_free(&text);
	free(path);
	return status;
}

static enum status check_plan(const struct root *bundle, const char *run, const struct query_plan *plan, struct error *err)
{
	struct query_plan begun;
	enum status status = query_plan_read(bundle, run, &begun, err);
	const char *differs = status == OK ? query_plan_difference(plan, &begun) : NULL;

	if (differs != NULL)
		status = error_set(err, R_QRY_PLAN, "", "the run '%s' was begun with another '%s'", run, differs);
	query_plan_free(&begun);
	return status;
}

/* What run.json says of every such run. */
#define CHECKLIST "unsaid"
#define RETRIEVAL "none"
#define VARIANT ""

enum status query_run_check_record(const struct root *bundle, const char *run, const struct query_plan *plan, struct error *err)
{
	struct run record;
	enum status status = run_read(bundle, run, &record, err);
	const struct {
		const char *field, *is, *asked;
	} texts[] = {{"arch", record.arch, plan->arch}, {"model", record.model, plan->model}, {"task", record.task, plan->task}, {"workload", record.workload, plan->workload},
	             {"checklist", record.checklist, CHECKLIST}, {"retrieval", record.retrieval, RETRIEVAL}, {"variant", record.variant, VARIANT}};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0] && status == OK; i++)
		if (strcmp(texts[i].is, texts[i].asked) != 0)
			status = error_set(err, R_QRY_RECORD, "", "of the run '%s' the field '%s' is '%s' there, and '%s' was asked for", run, texts[i].field, texts[i].is, texts[i].asked);
	if (status == OK && (record.planned_trajectories != plan->trajectories || record.planned_turns != plan->turns))
		status = error_set(err, R_QRY_RECORD, "", "of the run '%s' %llu trajectories of %llu turns are planned there, and %lu of %lu were asked for", run, (unsigned long long)record.planned_trajectories,
		                   (unsigned long long)record.planned_turns, (unsigned long)plan->trajectories, (unsigned long)plan->turns);
	run_free(&record);
	return status;
}

static enum status check_source(const struct root *bundle, const char *run, const char *source, struct error *err)
{
	struct run begun;
	enum status status = run_read(bundle, run, &begun, err);

	if (status == OK && strcmp(begun.source, source) != 0)
		status = error_set(err, R_QRY_NAME, "", "the run '%s' is of the source '%s'", run, begun.source);
	run_free(&begun);
	return status;
}

static enum status write_run(const struct root *bundle, const char *run, const char *source, const struct query_plan *plan, const char *workload_name, uint64_t position, const char *date,
                             struct error *err)
{
	struct bytes text = {0};
	struct run record = {
		.run = mem_text(run),
		.source = mem_text(source),
		.position = position,
		.model = mem_text(plan->model),
		.arch = mem_text(plan->arch),
		.task = mem_text(plan->task),
		.workload = mem_text(plan->workload),
		.workload_name = mem_text(workload_name),
		.required_tag = mem_text(strcmp(plan->arch, "hopper") == 0 ? "H" : "B"),
		.date = mem_text(date),
		.checklist = mem_text(CHECKLIST),
		.retrieval = mem_text(RETRIEVAL),
		.variant = mem_text(VARIANT),
		.planned_trajectories = plan->trajectories,
		.planned_turns = plan->turns,
	};

	run_write(&record, &text);
	const enum status status = write_file(bundle, run, LAYOUT_RUN, &text, err);

	run_free(&record);
	bytes_free(&text);
	return status;
}

static enum status begin(const struct root *bundle, const char *run, const char *source, const struct query_plan *plan, const char *workload_name, const char *date, struct error *err)
{
	const struct bytes none = {0};
	uint64_t position = 1;
	enum status status = OK;

	if (exists(bundle, run, LAYOUT_RUN)) {
		if (!exists(bundle, run, LAYOUT_QUERY))
			return error_set(err, R_QRY_NAME, "", "the run '%s' is there, and asked no model", run);
		status = check_plan(bundle, run, plan, err);
		if (status == OK)
			status = query_run_check_record(bundle, run, plan, err);
		return status == OK ? check_source(bundle, run, source, err) : status;
	}
	/* run.json comes last, and what a killed beginning left is written again. A directory without it would be no run to the ledger. */
	status = ledger_next_position(bundle, source, &position, err);
	if (status == OK)
		status = query_run_write_source(bundle, source, err);
	if (status == OK)
		status = query_run_write_turns(bundle, run, &none, err);
	if (status == OK)
		status = query_plan_write(bundle, run, plan, err);
	return status == OK ? write_run(bundle, run, source, plan, workload_name, position, date, err) : status;
}

enum status query_run_begin(const struct root *bundle, const char *run, const char *source, const struct query_plan *plan, const char *workload_name, const char *date, struct error *err)
{
	int lock = -1;
	enum status status = bundle_lock_to_begin(bundle, &lock, err);

	if (status == OK)
		status = begin(bundle, run, source, plan, workload_name, date, err);
	bundle_unlock(lock);
	return status;
}

/* ---- ending ---- */

enum status query_run_check_turns(const struct root *bundle, const char *run, const struct bytes *turns, struct error *err)
{
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, run);
	struct bytes text = {0};
	enum status status = root_read(bundle, path, LEDGER_TURNS_FILE_MAX, &text, err);

	if (status == OK && (text.len != turns->len || (text.len > 0 && memcmp(text.data, turns->data, text.len) != 0))) {
		uint64_t line = 1;

		for (size_t i = 0; i < text.len && i < turns->len && text.data[i] == turns->data[i]; i++)
			line += text.data[i] == '\n';
		status = error_line(err, R_QRY_TURNS, path, line, "the record gives another line, or none");
	}
	bytes_free(&text);
	free(path);
	return status;
}

enum status query_run_recall(const struct root *bundle, const struct freezer *freezer, const struct query_plan *plan, struct spend *spend, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < freezer_count(freezer) && status == OK; i++) {
		const struct exchange *exchange = freezer_at(freezer, i);
		struct bytes body = {0};
		struct request request = {0};

		status = object_get(bundle, &exchange->request, &body, err);
		if (status == OK)
			status = request_read(plan->api, body.data != NULL ? body.data : "", body.len, &request, err);
		if (status == OK)
			spend_recall(spend, exchange, body.len, request.completion_most);
		request_free(&request);
		bytes_free(&body);
	}
	return status;
}
