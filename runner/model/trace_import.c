#include "trace_import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "label.h"
#include "trace_schema.h"

/* Something of the data set that has a name. */
struct named {
	const char *name; /* of the tree */
	cJSON *tree;
	char *file;
	/* A definition: */
	struct trace_definition definition;
	cJSON *workloads; /* of the bundle's task of that name: an array; NULL if there is none */
	const char *unfit; /* why its traces are not carried over, NULL: they are */
	/* A solution: */
	struct trace_solution solution;
	char object[SHA256_HEX + 1]; /* of its entry's text */
};

struct names {
	struct named *at;
	size_t count, room;
};

/* An evaluation that becomes a turn. */
struct evaluated {
	const struct named *definition, *solution;
	char *uuid, *file;
	const char *arch;
	char date[DATE_TEXT + 1];
	uint64_t line;
	struct turn turn;
	double speedup;
};

struct importing {
	struct dataset *dataset;
	const struct root *dir, *bundle;
	struct names definitions, solutions;
	struct evaluated *turns;
	size_t count, room;
};

static struct named *add_name(struct names *names)
{
	if (names->count == names->room) {
		names->room = names->room * 2 + 64;
		names->at = mem_array(names->at, names->room, sizeof *names->at);
	}
	names->at[names->count] = (struct named){0};
	return &names->at[names->count++];
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name, ((const struct named *)b)->name);
}

static struct named *find_name(const struct names *names, const char *name)
{
	const struct named wanted = {.name = name};

	return names->count == 0 ? NULL : bsearch(&wanted, names->at, names->count, sizeof *names->at, by_name);
}

static enum status sort_names(struct names *names, const char *what, struct error *err)
{
	if (names->count > 1)
		qsort(names->at, names->count, sizeof *names->at, by_name);
	for (size_t i = 1; i < names->count; i++)
		if (strcmp(names->at[i - 1].name, names->at[i].name) == 0)
			return error_set(err, R_TRC_DUPLICATE, names->at[i].file, "the %s '%s' stands in %s too", what, names->at[i].name,
			                 names->at[i - 1].file);
	return OK;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		cJSON_Delete(names->at[i].tree);
		cJSON_Delete(names->at[i].workloads);
		free(names->at[i].file);
	}
	free(names->at);
}

static bool ends(const char *path, const char *end)
{
	size_t len = strlen(path), end_len = strlen(end);

	return len > end_len && strcmp(path + len - end_len, end) == 0;
}

typedef enum status take_file(struct importing *importing, const char *path, const struct bytes *text, struct error *err);

/* Every file of a folder with that ending, in the order of their paths. */
static enum status each_file(struct importing *importing, const char *folder, const char *end, take_file *take, struct error *err)
{
	struct file_list list = {0};
	struct bytes text = {0};
	enum status status = root_list(importing->dir, folder, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++) {
		const struct file_entry *entry = &list.at[i];

		if (entry->kind == FILE_DIRECTORY)
			continue;
		if (entry->kind != FILE_REGULAR)
			status = error_set(err, R_TRC_PLACE, entry->path, "it is no regular file");
		else if (!path_valid(entry->path, strlen(entry->path)))
			status = error_set(err, R_PATH_FORM, entry->path, "its name cannot stand in a record");
		else if (!ends(entry->path, end))
			dataset_skip(importing->dataset, entry->path, 0, "", "its name does not have the ending that is loaded from this folder");
		else if ((status = dataset_read(importing->dataset, importing->dir, entry->path, &text, err)) == OK)
			status = take(importing, entry->path, &text, err);
	}
	bytes_free(&text);
	file_list_free(&list);
	return status;
}

/* Definitions, and what the bundle has of their tasks. */

static enum status read_task(const struct importing *importing, struct named *named, struct error *err)
{
	char *file = mem_format(LAYOUT_TASKS "%s/task.json", named->name);
	struct trace_definition ours;
	struct bytes text = {0};
	cJSON *tree = NULL;
	enum status status = root_read(importing->bundle, file, DATASET_FILE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data, text.len, file, &tree, err);
	if (status == OK)
		status = trace_definition_read(tree, file, &ours, err);
	if (status == OK && !trace_definition_equal(&ours, &named->definition))
		named->unfit = "its definition has other axes, inputs or outputs than the bundle's task of that name";
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return status;
}

static enum status keep_workload(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	if (status == OK) {
		cJSON *workload = cJSON_CreateObject();

		cJSON_AddStringToObject(workload, "uuid", trace.uuid);
		cJSON_AddItemToObject(workload, "axes", cJSON_Duplicate(trace.axes, true));
		cJSON_AddItemToArray(context, workload);
	}
	return status;
}

static enum status read_workloads(const struct importing *importing, struct named *named, struct error *err)
{
	char *file = mem_format(LAYOUT_TASKS "%s/workloads.jsonl", named->name);
	struct bytes text = {0};
	enum status status = root_read(importing->bundle, file, DATASET_FILE_MAX, &text, err);

	named->workloads = cJSON_CreateArray();
	if (status == OK)
		status = dataset_lines(&text, file, keep_workload, named->workloads, err);
	bytes_free(&text);
	free(file);
	return status;
}

static enum status take_definition(struct importing *importing, const char *path, const struct bytes *text, struct error *err)
{
	struct named *named = add_name(&importing->definitions);

	named->name = "";
	named->file = mem_text(path);
	enum status status = json_parse(text->data, text->len, path, &named->tree, err);

	if (status == OK)
		status = trace_definition_read(named->tree, path, &named->definition, err);
	if (status != OK)
		return status;
	named->name = named->definition.name;
	if (!dataset_has_task(importing->bundle, named->name)) {
		named->unfit = "the bundle has no task of that name";
	} else {
		status = read_task(importing, named, err);
		if (status == OK)
			status = read_workloads(importing, named, err);
	}
	if (status == OK && named->unfit != NULL)
		dataset_skip(importing->dataset, path, 0, named->name, named->unfit);
	return status;
}

/* Solutions: their texts become objects, what else they say a line of solutions.jsonl. */

static cJSON *copy_or_null(const cJSON *item)
{
	return item == NULL ? cJSON_CreateNull() : cJSON_Duplicate(item, true);
}

static enum status record_solution(struct importing *importing, struct named *named, struct error *err)
{
	const struct trace_solution *solution = &named->solution;
	cJSON *record = cJSON_CreateObject();
	cJSON *sources = cJSON_AddArrayToObject(record, "sources");

	cJSON_AddStringToObject(record, "name", solution->name);
	cJSON_AddStringToObject(record, "definition", solution->definition);
	cJSON_AddStringToObject(record, "author", solution->author);
	cJSON_AddStringToObject(record, "file", named->file);
	cJSON_AddItemToObject(record, "description", copy_or_null(solution->description));
	cJSON_AddItemToObject(record, "spec", copy_or_null(solution->spec));
	for (const cJSON *source = solution->sources->child; source != NULL; source = source->next) {
		const char *content = cJSON_GetObjectItemCaseSensitive(source, "content")->valuestring;
		char hex[SHA256_HEX + 1];
		cJSON *one = cJSON_CreateObject();

		dataset_object(importing->dataset, content, strlen(content), hex);
		if (content == solution->entry)
			memcpy(named->object, hex, sizeof hex);
		cJSON_AddItemToObject(one, "path", cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(source, "path"), true));
		cJSON_AddStringToObject(one, "sha256", hex);
		cJSON_AddItemToArray(sources, one);
	}
	enum status status = jcs_write(record, &importing->dataset->solutions, err);

	bytes_char(&importing->dataset->solutions, '\n');
	cJSON_Delete(record);
	return status;
}

static enum status take_solution(struct importing *importing, const char *path, const struct bytes *text, struct error *err)
{
	struct named *named = add_name(&importing->solutions);

	named->name = "";
	named->file = mem_text(path);
	enum status status = json_parse(text->data, text->len, path, &named->tree, err);

	if (status == OK)
		status = trace_solution_read(named->tree, path, &named->solution, err);
	if (status != OK)
		return status;
	named->name = named->solution.name;
	const struct named *definition = find_name(&importing->definitions, named->solution.definition);

	if (definition == NULL)
		dataset_skip(importing->dataset, path, 0, named->name, "it solves a definition that is not in definitions/");
	else if (definition->unfit == NULL)
		status = record_solution(importing, named, err);
	return status;
}

/* Traces. */

static const cJSON *find_workload(const struct named *definition, const struct trace *trace)
{
	const cJSON *workload;

	cJSON_ArrayForEach(workload, definition->workloads) {
		const cJSON *uuid = cJSON_GetObjectItemCaseSensitive(workload, "uuid");

		if (strcmp(uuid->valuestring, trace->uuid) == 0)
			return cJSON_GetObjectItemCaseSensitive(workload, "axes");
	}
	return NULL;
}

/* Why a trace is not carried over, or NULL. */
static const char *unfit(const struct importing *importing, const struct trace *trace, const struct named **definition,
                         const struct named **solution)
{
	*definition = find_name(&importing->definitions, trace->definition);
	*solution = find_name(&importing->solutions, trace->solution);
	if (*definition == NULL)
		return "it is of a definition that is not in definitions/";
	if ((*definition)->unfit != NULL)
		return (*definition)->unfit;
	if (*solution == NULL)
		return "its solution is not in solutions/, so nobody is known to have made it";
	if (strcmp((*solution)->solution.definition, trace->definition) != 0)
		return "its solution is of another definition";
	const cJSON *axes = find_workload(*definition, trace);

	if (axes == NULL)
		return "its workload is none of the bundle's task";
	if (!cJSON_Compare(axes, trace->axes, true))
		return "its workload has other sizes than the bundle's of that name";
	if (strlen((*solution)->solution.author) > LEDGER_TEXT_MAX)
		return "the name of its author is too long for a record";
	return dataset_arch(trace->hardware) == NULL ? "its hardware is known as neither Hopper nor Blackwell" : NULL;
}

static enum status take_trace(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct importing *importing = context;
	const struct named *definition, *solution;
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	if (status != OK)
		return status;
	if (trace.solution == NULL)
		return error_line(err, R_TRC_PLACE, file, line, "a workload without an evaluation stands in traces/");
	const char *reason = unfit(importing, &trace, &definition, &solution);

	if (reason != NULL) {
		dataset_skip(importing->dataset, file, line, trace.solution, reason);
		return OK;
	}
	if (importing->count == importing->room) {
		importing->room = importing->room * 2 + 64;
		importing->turns = mem_array(importing->turns, importing->room, sizeof *importing->turns);
	}
	struct evaluated *one = &importing->turns[importing->count++];

	*one = (struct evaluated){
		.definition = definition,
		.solution = solution,
		.uuid = mem_text(trace.uuid),
		.file = mem_text(file),
		.arch = dataset_arch(trace.hardware),
		.line = line,
		.speedup = trace.speedup,
		.turn = {.outcome = label_of_status(trace.status), .reasoning_tokens = -1, .source_line = line},
	};
	if (strlen(trace.timestamp) >= DATE_TEXT && date_valid(trace.timestamp, DATE_TEXT))
		memcpy(one->date, trace.timestamp, DATE_TEXT);
	memcpy(one->turn.response, solution->object, sizeof one->turn.response);
	if (trace.log[0] != '\0')
		dataset_object(importing->dataset, trace.log, strlen(trace.log), one->turn.feedback);
	dataset_label(importing->dataset, trace.status, one->turn.outcome);
	return OK;
}

static enum status take_traces(struct importing *importing, const char *path, const struct bytes *text, struct error *err)
{
	return dataset_lines(text, path, take_trace, importing, err);
}

static enum status check_workload(void *context, const char *file, uint64_t line, cJSON *tree, struct error *err)
{
	struct trace trace;
	enum status status = trace_read(tree, file, line, &trace, err);

	(void)context;
	return status == OK && trace.solution != NULL
	           ? error_line(err, R_TRC_PLACE, file, line, "an evaluation stands in workloads/")
	           : status;
}

static enum status check_workloads(struct importing *importing, const char *path, const struct bytes *text, struct error *err)
{
	return dataset_lines(text, path, check_workload, importing, err);
}

/* Runs. */

static int by_group(const struct evaluated *x, const struct evaluated *y)
{
	int order = strcmp(x->definition->name, y->definition->name);

	if (order == 0)
		order = strcmp(x->solution->solution.author, y->solution->solution.author);
	if (order == 0)
		order = strcmp(x->uuid, y->uuid);
	if (order == 0)
		order = strcmp(x->arch, y->arch);
	return order != 0 ? order : strcmp(x->file, y->file);
}

static int by_group_and_line(const void *a, const void *b)
{
	const struct evaluated *x = a, *y = b;
	int order = by_group(x, y);

	return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

static void make_run(struct importing *importing, struct evaluated *first, size_t count)
{
	struct dataset_run *made = dataset_run(importing->dataset, first->file);
	struct run *run = &made->run;
	const char *date = "";

	for (size_t i = 0; i < count; i++) {
		if (first[i].date[0] != '\0' && (date[0] == '\0' || strcmp(first[i].date, date) < 0))
			date = first[i].date;
		first[i].turn.trajectory = (uint32_t)i;
		dataset_turn(made, &first[i].turn, first[i].speedup);
	}
	run->model = mem_text(first->solution->solution.author);
	run->arch = mem_text(first->arch);
	run->required_tag = mem_text(strcmp(first->arch, "hopper") == 0 ? "H" : "B");
	run->task = mem_text(first->definition->name);
	run->workload = mem_text(first->uuid);
	run->workload_name = mem_text(first->uuid);
	run->date = mem_text(date);
	run->planned_trajectories = count;
	run->planned_turns = 1;
}

static enum status make_runs(struct importing *importing, struct error *err)
{
	if (importing->count > 1)
		qsort(importing->turns, importing->count, sizeof *importing->turns, by_group_and_line);
	for (size_t i = 0; i < importing->count;) {
		size_t end = i + 1;

		while (end < importing->count && by_group(&importing->turns[i], &importing->turns[end]) == 0)
			end++;
		if (end - i > LEDGER_TRAJECTORIES_MAX)
			return error_set(err, R_SRC_SIZE, importing->turns[i].file, "more than %d evaluations would make one run",
			                 LEDGER_TRAJECTORIES_MAX);
		make_run(importing, &importing->turns[i], end - i);
		i = end;
	}
	return OK;
}

enum status trace_import(const struct root *dir, const struct root *bundle, struct dataset *dataset, struct error *err)
{
	struct importing importing = {.dataset = dataset, .dir = dir, .bundle = bundle};

	dataset->kind = TRACE_KIND;
	enum status status = each_file(&importing, "definitions", ".json", take_definition, err);

	if (status == OK)
		status = sort_names(&importing.definitions, "definition", err);
	if (status == OK)
		status = each_file(&importing, "solutions", ".json", take_solution, err);
	if (status == OK)
		status = sort_names(&importing.solutions, "solution", err);
	if (status == OK)
		status = each_file(&importing, "workloads", ".jsonl", check_workloads, err);
	if (status == OK)
		status = each_file(&importing, "traces", ".jsonl", take_traces, err);
	if (status == OK)
		status = make_runs(&importing, err);
	for (size_t i = 0; i < importing.count; i++) {
		free(importing.turns[i].uuid);
		free(importing.turns[i].file);
	}
	free(importing.turns);
	free_names(&importing.definitions);
	free_names(&importing.solutions);
	return status;
}
