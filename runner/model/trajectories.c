#include "trajectories.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "trace_schema.h"
#include "trajectory.h"

enum { PLAN_FILE = 4 << 20 };

/* What is known of a run so far. */
struct facts {
	char *model, *task, *workload, *arch;
	char date[DATE_TEXT + 1];
	uint64_t planned_trajectories; /* 0: there is no plan */
	uint64_t planned_turns;
	bool turns_agree;              /* every trajectory has the same step limit so far */
};

struct importing {
	struct dataset *dataset;
	const struct root *dir;
	const struct trajectories_told *told;
	struct facts facts;
	const char *file;
};

static void facts_free(struct facts *facts)
{
	free(facts->model);
	free(facts->task);
	free(facts->workload);
	free(facts->arch);
	*facts = (struct facts){0};
}

/* Keep the first; a later one has to be the same. */
static enum status agree(const struct importing *importing, const char *what, char **kept, const char *text, struct error *err)
{
	if (text == NULL)
		return OK;
	if (*kept == NULL)
		*kept = mem_text(text);
	return strcmp(*kept, text) == 0 ? OK
	                                : error_set(err, R_TRJ_RUN, importing->file, "%s '%s', and '%s' elsewhere", what, text, *kept);
}

/* The plan: one entry a trajectory, "exp_index" its number, "num_turns" its turns, "definition" and "test_path" its task and workload. */

/* DEFINITION_UUID.py, as PTXBench names its tests: the UUID, or NULL. */
static char *workload_of(const char *test_path, const char *definition)
{
	const char *slash = strrchr(test_path, '/'), *name = slash != NULL ? slash + 1 : test_path;
	size_t len = strlen(definition), uuid = 36;
	size_t digits = 0;

	if (strncmp(name, definition, len) != 0 || name[len] != '_' || strlen(name + len + 1) != uuid + 3 ||
	    strcmp(name + len + 1 + uuid, ".py") != 0)
		return NULL;
	for (size_t i = 0; i < uuid; i++)
		digits += strchr("0123456789abcdef", name[len + 1 + i]) != NULL;
	return digits == uuid - 4 ? mem_textn(name + len + 1, uuid) : NULL;
}

static enum status take_entry(struct importing *importing, const cJSON *entry, uint64_t number, struct error *err)
{
	struct facts *facts = &importing->facts;
	const cJSON *definition = cJSON_GetObjectItemCaseSensitive(entry, "definition");
	const cJSON *test = cJSON_GetObjectItemCaseSensitive(entry, "test_path");
	int64_t index = 0, turns = 0;
	enum status status = cJSON_IsObject(entry) ? json_integer(entry, "exp_index", 0, LEDGER_TRAJECTORIES_MAX, importing->file, &index, err)
	                                           : error_set(err, R_TRJ_PLAN, importing->file, "an entry is not an object");

	if (status == OK && (uint64_t)index != number)
		status = error_set(err, R_TRJ_PLAN, importing->file, "entry %" PRIu64 " has exp_index %" PRId64, number + 1, index);
	if (status == OK)
		status = json_integer(entry, "num_turns", 1, LEDGER_TURNS_MAX, importing->file, &turns, err);
	if (status == OK && (uint64_t)turns > facts->planned_turns)
		facts->planned_turns = (uint64_t)turns;
	if (status == OK && cJSON_IsString(definition)) {
		char *workload = cJSON_IsString(test) ? workload_of(test->valuestring, definition->valuestring) : NULL;

		status = agree(importing, "task", &facts->task, definition->valuestring, err);
		if (status == OK)
			status = agree(importing, "workload", &facts->workload, workload, err);
		free(workload);
	}
	return status;
}

static enum status read_plan(struct importing *importing, const char *path, struct error *err)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const cJSON *plan = NULL;
	uint64_t number = 0;

	importing->file = path;
	enum status status = dataset_read(importing->dataset, importing->dir, path, &text, err);

	if (status == OK && text.len > PLAN_FILE)
		status = error_set(err, R_SRC_SIZE, path, "a plan of %zu bytes", text.len);
	if (status == OK)
		status = json_parse(text.data, text.len, path, &tree, err);
	if (status == OK && !cJSON_IsObject(tree))
		status = error_set(err, R_TRJ_PLAN, path, "it is not an object");
	if (status == OK)
		status = json_child(tree, "plan", JSON_ARRAY, path, &plan, err);
	for (const cJSON *entry = status == OK ? plan->child : NULL; entry != NULL && status == OK; entry = entry->next)
		status = take_entry(importing, entry, number++, err);
	if (status == OK && number == 0)
		status = error_set(err, R_TRJ_PLAN, path, "it plans nothing");
	importing->facts.planned_trajectories = number;
	cJSON_Delete(tree);
	bytes_free(&text);
	return status;
}

/* Trajectories. */

/* The number of exp_NNN.json, or -1. */
static int64_t number_of(const char *name)
{
	size_t digits = strncmp(name, "exp_", 4) == 0 ? strspn(name + 4, "0123456789") : 0;

	if (digits < 3 || digits > 7 || (digits > 3 && name[4] == '0') || strcmp(name + 4 + digits, ".json") != 0)
		return -1;
	return strtol(name + 4, NULL, 10);
}

static void name_objects(struct importing *importing, const struct trajectory_turn *read, struct turn *turn)
{
	if (read->prompt.len > 0)
		dataset_object(importing->dataset, read->prompt.data, read->prompt.len, turn->prompt);
	if (read->response != NULL)
		dataset_object(importing->dataset, read->response, strlen(read->response), turn->response);
	if (read->feedback.len > 0)
		dataset_object(importing->dataset, read->feedback.data, read->feedback.len, turn->feedback);
}

static void add_usage(struct dataset_run *run, const struct trajectory_turn *read)
{
	run->has_usage = true;
	if (read->prompt_tokens < 0 || read->completion_tokens < 0) {
		run->turns_without_usage++;
		return;
	}
	run->prompt_tokens += (uint64_t)read->prompt_tokens;
	run->completion_tokens += (uint64_t)read->completion_tokens;
}

static void take_turns(struct importing *importing, struct dataset_run *run, const struct trajectory *trajectory, uint32_t number)
{
	for (size_t i = 0; i < trajectory->count; i++) {
		const struct trajectory_turn *read = &trajectory->turns[i];
		struct turn turn = {.trajectory = number, .turn = (uint32_t)i, .outcome = read->outcome, .reasoning_tokens = read->reasoning_tokens};

		memcpy(turn.reasoning_source, read->reasoning_source, strlen(read->reasoning_source) + 1);
		name_objects(importing, read, &turn);
		add_usage(run, read);
		dataset_turn(run, &turn, read->speedup);
		dataset_label(importing->dataset, read->label, read->outcome);
	}
}

static enum status take_facts(struct importing *importing, const struct trajectory *trajectory, struct error *err)
{
	struct facts *facts = &importing->facts;
	const char *date = trajectory->timestamp;
	enum status status = agree(importing, "model", &facts->model, trajectory->model, err);

	if (status == OK)
		status = agree(importing, "task", &facts->task, trajectory->task, err);
	if (status == OK)
		status = agree(importing, "workload", &facts->workload, trajectory->workload, err);
	if (status == OK && trajectory->hardware != NULL && dataset_arch(trajectory->hardware) == NULL)
		status = error_set(err, R_TRJ_RUN, importing->file, "its hardware '%s' is known as neither Hopper nor Blackwell",
		                   trajectory->hardware);
	if (status == OK && trajectory->hardware != NULL)
		status = agree(importing, "architecture", &facts->arch, dataset_arch(trajectory->hardware), err);
	if (date != NULL && strlen(date) >= DATE_TEXT && date_valid(date, DATE_TEXT) &&
	    (facts->date[0] == '\0' || memcmp(date, facts->date, DATE_TEXT) < 0))
		memcpy(facts->date, date, DATE_TEXT);
	return status;
}

/* Without a plan: the most turns that any has, or the step limit that all have. */
static void count_turns(struct facts *facts, const struct trajectory *trajectory, uint64_t *limit, size_t already)
{
	if (already == 0)
		*limit = trajectory->step_limit;
	facts->turns_agree = (already == 0 || facts->turns_agree) && *limit == trajectory->step_limit && *limit > 0;
	if (trajectory->count > facts->planned_turns)
		facts->planned_turns = trajectory->count;
}

static enum status read_trajectories(struct importing *importing, const char *folder, struct dataset_run *run, struct error *err)
{
	struct facts *facts = &importing->facts;
	struct file_list list = {0};
	struct bytes text = {0};
	const bool planned = facts->planned_trajectories > 0;
	uint64_t limit = 0, last = 0;
	size_t already = 0;
	enum status status = root_list(importing->dir, folder, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *path = list.at[i].path, *name = path + strlen(folder) + 1;
		struct trajectory trajectory = {0};
		int64_t number = number_of(name);

		importing->file = path;
		if (list.at[i].kind != FILE_REGULAR || number < 0 || number >= LEDGER_TRAJECTORIES_MAX)
			status = error_set(err, R_TRJ_NAME, path, "it is no regular file of that name");
		/* Names of more than three digits sort before shorter ones; turns have to stand in order. */
		else if (already > 0 && (uint64_t)number <= last)
			status = error_set(err, R_TRJ_NAME, path, "trajectory %" PRIu64 " stands before it", last);
		else if (planned && (uint64_t)number >= facts->planned_trajectories)
			status = error_set(err, R_TRJ_PLAN, path, "%" PRIu64 " trajectories were planned", facts->planned_trajectories);
		else if ((status = dataset_read(importing->dataset, importing->dir, path, &text, err)) == OK &&
		         (status = trajectory_parse(text.data, text.len, path, &trajectory, err)) == OK)
			status = take_facts(importing, &trajectory, err);
		if (status == OK && planned && trajectory.count > facts->planned_turns)
			status = error_set(err, R_TRJ_PLAN, path, "it has %zu turns, and %" PRIu64 " were planned", trajectory.count,
			                   facts->planned_turns);
		if (status == OK) {
			if (!planned)
				count_turns(facts, &trajectory, &limit, already);
			last = (uint64_t)number;
			already++;
			take_turns(importing, run, &trajectory, (uint32_t)number);
		}
		trajectory_free(&trajectory);
	}
	if (!planned) {
		facts->planned_trajectories = last + 1;
		if (facts->turns_agree && limit > facts->planned_turns)
			facts->planned_turns = limit;
	}
	bytes_free(&text);
	file_list_free(&list);
	return status;
}

/* Runs. */

static enum status told(struct importing *importing, const char *what, char **kept, const char *text, struct error *err)
{
	enum status status = agree(importing, what, kept, text, err);

	if (status == OK && (*kept == NULL || (*kept)[0] == '\0'))
		status = error_set(err, R_TRJ_UNSAID, importing->file, "no file says the %s: --%s does", what,
		                   strcmp(what, "architecture") == 0 ? "arch" : what);
	if (status == OK && strlen(*kept) > LEDGER_TEXT_MAX)
		status = error_set(err, R_TRJ_RUN, importing->file, "the %s has more than %d bytes", what, LEDGER_TEXT_MAX);
	return status;
}

struct looking {
	const char *workload;
	bool found;
};

static enum status look(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct looking *looking = context;
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	looking->found = looking->found || (status == OK && strcmp(trace.uuid, looking->workload) == 0);
	return status;
}

/* The bundle has the task and its workload. */
static enum status check_task(const struct importing *importing, const struct root *bundle, struct error *err)
{
	const struct facts *facts = &importing->facts;
	struct looking looking = {.workload = facts->workload};
	struct bytes text = {0};

	if (!dataset_has_task(bundle, facts->task))
		return error_set(err, R_TRJ_RUN, importing->file, "the bundle has no task '%s'", facts->task);
	char *file = mem_format(LAYOUT_TASKS "%s/workloads.jsonl", facts->task);
	enum status status = root_read(bundle, file, DATASET_FILE_MAX, &text, err);

	if (status == OK)
		status = dataset_lines(&text, file, look, &looking, err);
	if (status == OK && !looking.found)
		status = error_set(err, R_TRJ_RUN, importing->file, "the task '%s' has no workload '%s'", facts->task, facts->workload);
	bytes_free(&text);
	free(file);
	return status;
}

static enum status end_run(struct importing *importing, const struct root *bundle, struct dataset_run *made, struct error *err)
{
	struct facts *facts = &importing->facts;
	struct run *run = &made->run;

	importing->file = made->file;
	enum status status = told(importing, "model", &facts->model, importing->told->model, err);

	if (status == OK)
		status = told(importing, "task", &facts->task, importing->told->task, err);
	if (status == OK)
		status = told(importing, "workload", &facts->workload, importing->told->workload, err);
	if (status == OK)
		status = told(importing, "architecture", &facts->arch, importing->told->arch, err);
	if (status == OK)
		status = check_task(importing, bundle, err);
	if (status != OK)
		return status;
	run->model = mem_text(facts->model);
	run->task = mem_text(facts->task);
	run->workload = mem_text(facts->workload);
	run->workload_name = mem_text(facts->workload);
	run->arch = mem_text(facts->arch);
	run->required_tag = mem_text(strcmp(facts->arch, "hopper") == 0 ? "H" : "B");
	run->date = mem_text(facts->date);
	run->planned_trajectories = facts->planned_trajectories;
	run->planned_turns = facts->planned_turns > 0 ? facts->planned_turns : 1;
	if (!ledger_can_plan(run->planned_trajectories, run->planned_turns))
		return error_set(err, R_TRJ_PLAN, importing->file, "%" PRIu64 " trajectories of %" PRIu64 " turns; a run plans %d turns at the most", run->planned_trajectories, run->planned_turns, LEDGER_PLANNED_MAX);
	return OK;
}

/* One run; below is its directory in dir with a slash, "" for dir itself. */
static enum status import_run(struct importing *importing, const struct root *bundle, const char *below, bool planned, struct error *err)
{
	char *plan = mem_format("%splan.json", below), *folder = mem_format("%strajectories", below);
	struct dataset_run *run = dataset_run(importing->dataset, folder);
	enum status status = planned ? read_plan(importing, plan, err) : OK;

	if (status == OK)
		status = read_trajectories(importing, folder, run, err);
	if (status == OK)
		status = end_run(importing, bundle, run, err);
	facts_free(&importing->facts);
	free(folder);
	free(plan);
	return status;
}

static const struct file_entry *find_entry(const struct file_list *list, const char *below, const char *name)
{
	char *path = mem_format("%s%s", below, name);
	const struct file_entry *found = NULL;

	for (size_t i = 0; i < list->count && found == NULL; i++)
		if (strcmp(list->at[i].path, path) == 0)
			found = &list->at[i];
	free(path);
	return found;
}

static enum status import_if_run(struct importing *importing, const struct root *bundle, const struct file_list *list, const char *below,
                                 struct error *err)
{
	const struct file_entry *folder = find_entry(list, below, "trajectories");

	if (folder == NULL || folder->kind != FILE_DIRECTORY)
		return OK;
	if (!path_valid(folder->path, strlen(folder->path)))
		return error_set(err, R_PATH_FORM, folder->path, "its name cannot stand in a record");
	return import_run(importing, bundle, below, find_entry(list, below, "plan.json") != NULL, err);
}

enum status trajectories_import(const struct root *dir, const struct root *bundle, const struct trajectories_told *told_of,
                                struct dataset *dataset, struct error *err)
{
	struct importing importing = {.dataset = dataset, .dir = dir, .told = told_of};
	struct file_list list = {0};

	dataset->kind = TRAJECTORIES_KIND;
	enum status status = root_list(dir, "", &list, err);

	if (status == OK)
		status = import_if_run(&importing, bundle, &list, "", err);
	for (size_t i = 0; status == OK && i < list.count; i++) {
		if (list.at[i].kind != FILE_DIRECTORY || strchr(list.at[i].path, '/') != NULL || strcmp(list.at[i].path, "trajectories") == 0)
			continue;
		char *below = mem_format("%s/", list.at[i].path);

		status = import_if_run(&importing, bundle, &list, below, err);
		free(below);
	}
	file_list_free(&list);
	return status;
}
