#include "assess.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/file.h"
#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/layout.h"
#include "../kernel/census.h"
#include "../kernel/complaints.h"
#include "lower.h"
#include "plan.h"

enum { REPORT_MAX = 4 << 10, TASK_FILE_BYTES = 1 << 20 };

static const char *code_arch(const char *arch)
{
	return strcmp(arch, "hopper") == 0 ? "sm_90a" : "sm_100a";
}

enum status assessor_open(const struct root *bundle, const char *run, const char *model, const char *task, const char *workload, const char *arch, enum form form, struct assessor *assessor,
                          struct error *err)
{
	*assessor = (struct assessor){.bundle = bundle, .run = run, .model = model, .arch = arch, .form = form};
	enum status status = problem_read(bundle, task, workload, &assessor->problem, err);

	if (status == OK)
		status = toolchain_find(&assessor->toolchain, err);
	if (status == OK && form == FORM_KERNEL)
		status = nvcc_find(&assessor->nvcc, err);
	return status;
}

void assessor_close(struct assessor *assessor)
{
	toolchain_free(&assessor->toolchain);
	nvcc_free(&assessor->nvcc);
}

/* ---- what is said ---- */

static void conclude(struct evaluation *evaluation, enum outcome outcome, const char *rule, const char *text)
{
	evaluation->outcome = outcome;
	evaluation->evidence = outcome == OUTCOME_MEASURED_UNKNOWN ? EVIDENCE_STATIC : EVIDENCE_UNKNOWN;
	memcpy(evaluation->speedup, "0", 2);
	free(evaluation->rule);
	free(evaluation->text);
	evaluation->rule = mem_text(rule);
	evaluation->text = mem_text(text);
}

/* What is the kernel's fault is an outcome; what is the machine's stays an error. */
static enum status conclude_error(struct evaluation *evaluation, const struct error *why, const struct bytes *complaints, struct error *err)
{
	const bool compiles = why->rule != R_LOW_COMPILE && why->rule != R_TLC_REFUSED && why->rule != R_TLC_DIED && why->rule != R_TLC_DEADLINE && why->status != MALFORMED;

	if (why->status != FAILS && why->status != MALFORMED && why->rule != R_TLC_DEADLINE) {
		*err = *why;
		return why->status;
	}
	conclude(evaluation, compiles ? OUTCOME_MEASURED_REJECTED : OUTCOME_MEASURED_COMPILATION, rule_info(why->rule)->id, why->what);
	/* Of several complaints all: one alone is what the error says. */
	if ((why->rule == R_LOW_COMPILE || why->rule == R_TLC_REFUSED) && complaints->data != NULL && strchr(complaints->data, '\n') != NULL) {
		free(evaluation->text);
		evaluation->text = mem_format("%.*s:\n%s", (int)strcspn(why->what, ":"), why->what, complaints->data);
	}
	return OK;
}

static bool is_target(enum sass_group group)
{
	return group == SASS_GROUP_GMMA || group == SASS_GROUP_TMA || group == SASS_GROUP_TCGEN;
}

static void add_instructions(cJSON *code, const struct cubin *cubin, bool *target)
{
	cJSON *list = cJSON_AddArrayToObject(code, "instructions");
	struct census census;

	census_cubin(cubin, &census);
	for (size_t i = 0; i < census.lines; i++) {
		const struct census_line *line = &census.line[i];
		const enum sass_group group = sass_group_of(line->family);
		const uint64_t effective = line->count - line->null - line->never;

		if (group == SASS_GROUP_SERVICE)
			continue;
		cJSON *one = cJSON_CreateObject();

		cJSON_AddNumberToObject(one, "count", (double)effective);
		cJSON_AddBoolToObject(one, "target", is_target(group) && effective > 0);
		cJSON_AddStringToObject(one, "text", line->text);
		cJSON_AddItemToArray(list, one);
		*target = *target || (is_target(group) && effective > 0);
	}
	census_free(&census);
}

static void add_functions(cJSON *code, const struct cubin *cubin)
{
	cJSON *list = cJSON_AddArrayToObject(code, "functions");

	for (size_t i = 0; i < cubin->count; i++) {
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "function", cubin->at[i].name);
		cJSON_AddNumberToObject(one, "registers", cubin->at[i].registers);
		cJSON_AddNumberToObject(one, "shared_bytes", (double)cubin->at[i].shared);
		cJSON_AddItemToArray(list, one);
	}
}

enum status assess_code(const struct bytes *bytes, const char *file, cJSON *code, bool *target, struct error *err)
{
	struct cubin cubin = {0};
	const enum status status = cubin_read((const uint8_t *)bytes->data, bytes->len, file, &cubin, err);
	char hex[SHA256_HEX + 1];

	*target = false;
	if (status == OK) {
		sha256_hex(&cubin.hash, hex);
		cJSON_AddStringToObject(code, "cubin", hex);
		add_functions(code, &cubin);
		add_instructions(code, &cubin, target);
	}
	cubin_free(&cubin);
	return status;
}

static enum status look(const struct assessor *assessor, const struct bytes *code, const char *report, struct evaluation *evaluation, struct error *err)
{
	cJSON *facts = cJSON_CreateObject();
	bool target;
	const enum status status = assess_code(code, "the cubin", facts, &target, err);

	if (status == OK) {
		char *shown = mem_textn(report, strnlen(report, REPORT_MAX));

		cJSON_AddStringToObject(facts, "ptxas", assessor->toolchain.version);
		cJSON_AddStringToObject(facts, "report", shown);
		free(shown);
		memcpy(evaluation->arch_tag, target ? "H" : "G", 2);
		conclude(evaluation, OUTCOME_MEASURED_UNKNOWN, "", "");
		cJSON_AddItemToObject(evaluation->facts, "code", facts);
	} else {
		cJSON_Delete(facts);
	}
	return status;
}

/* ---- a candidate ---- */

static char *directory_of(const struct assessor *assessor, uint32_t trajectory, uint32_t turn)
{
	return mem_format(LAYOUT_CANDIDATES "%s/%s-%03u-%02u", assessor->problem.task, assessor->run, trajectory, turn);
}

char *assess_origin(const char *model, const char *run, uint32_t trajectory, uint32_t turn)
{
	return mem_format("answer of %s in the run %s, trajectory %u, turn %u", model, run, trajectory, turn);
}

/* The head of candidate.json. The caller deletes it. */
static cJSON *head(const struct assessor *assessor, const char *directory, uint32_t trajectory, uint32_t turn)
{
	cJSON *tree = cJSON_CreateObject();
	char *origin = assess_origin(assessor->model, assessor->run, trajectory, turn);

	cJSON_AddStringToObject(tree, "schema", "ptxseal-candidate/1");
	cJSON_AddStringToObject(tree, "task", assessor->problem.task);
	cJSON_AddStringToObject(tree, "name", strrchr(directory, '/') + 1);
	cJSON_AddStringToObject(tree, "label", assessor->run);
	cJSON_AddStringToObject(tree, "arch", code_arch(assessor->arch));
	cJSON_AddStringToObject(tree, "origin", origin);
	free(origin);
	return tree;
}

static enum status write_beside(const struct root *root, const char *directory, const char *name, const struct bytes *text, struct error *err)
{
	char *path = mem_format("%s/%s", directory, name);
	const enum status status = root_write(root, path, text->data, text->len, err);

	free(path);
	return status;
}

/* ---- kernel.cu ---- */

/* Where a source is lowered: a directory that has the task and nothing else of the bundle, so that what does not compile leaves nothing there. */
struct workplace {
	char *name;
	struct root root;
};

static enum status copy_task(const struct assessor *assessor, const struct workplace *place, struct error *err)
{
	static const char *const files[] = {"task.json", "workloads.jsonl", "facts.json"};
	enum status status = OK;

	for (size_t i = 0; i < sizeof files / sizeof files[0] && status == OK; i++) {
		char *path = mem_format(LAYOUT_TASKS "%s/%s", assessor->problem.task, files[i]);
		struct bytes text = {0};

		status = root_read(assessor->bundle, path, TASK_FILE_BYTES, &text, err);
		if (status == OK)
			status = root_write_product(&place->root, path, text.data, text.len, err);
		bytes_free(&text);
		free(path);
	}
	return status;
}

static enum status open_workplace(const struct assessor *assessor, struct workplace *place, struct error *err)
{
	const char *above = getenv("TMPDIR");

	*place = (struct workplace){.root = {.fd = -1}};
	place->name = mem_format("%s/ptxseal-query-XXXXXX", above != NULL && above[0] == '/' ? above : "/tmp");
	if (mkdtemp(place->name) == NULL) {
		const enum status status = error_errno(err, R_IO_WRITE, place->name, "cannot make a directory");

		place->name[0] = '\0';
		return status;
	}
	enum status status = root_open(place->name, &place->root, err);

	return status == OK ? copy_task(assessor, place, err) : status;
}

static void close_workplace(struct workplace *place)
{
	root_close(&place->root);
	if (place->name[0] != '\0')
		file_remove_tree(AT_FDCWD, place->name);
	free(place->name);
}

static enum status place_source(const struct assessor *assessor, const struct workplace *place, const char *directory, uint32_t trajectory, uint32_t turn, const struct bytes *source,
                                struct error *err)
{
	cJSON *tree = head(assessor, directory, trajectory, turn), *lowered = cJSON_AddObjectToObject(tree, "lowered");
	struct bytes text = {0};

	cJSON_AddStringToObject(lowered, "source", "kernel.cu");
	cJSON_AddStringToObject(lowered, "workload", assessor->problem.workload);
	enum status status = jcs_write(tree, &text, err);

	if (status == OK)
		status = write_beside(&place->root, directory, "candidate.json", &text, err);
	if (status == OK)
		status = write_beside(&place->root, directory, "kernel.cu", source, err);
	bytes_free(&text);
	cJSON_Delete(tree);
	return status;
}

static enum status keep_lowered(const struct assessor *assessor, const char *directory, const struct lowered *lowered, const struct bytes *source, struct evaluation *evaluation, struct error *err)
{
	enum status status = write_beside(assessor->bundle, directory, "kernel.cu", source, err);

	if (status == OK)
		status = lowered_write(assessor->bundle, lowered, err);
	evaluation->candidate = status == OK ? mem_text(directory) : NULL;
	return status;
}

static const char *report_of(const struct lowered *lowered)
{
	const cJSON *tools = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(lowered->tree, "lowered"), "toolchain");
	const cJSON *report = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(tools, "ptxas"), "report");

	return cJSON_IsString(report) ? report->valuestring : "";
}

static enum status assess_kernel(const struct assessor *assessor, const char *directory, uint32_t trajectory, uint32_t turn, const struct bytes *source, struct evaluation *evaluation,
                                 struct error *err)
{
	struct workplace place;
	struct lowered lowered = {0};
	struct error why = {0};
	enum status status = open_workplace(assessor, &place, err);

	if (status == OK)
		status = place_source(assessor, &place, directory, trajectory, turn, source, err);
	if (status == OK && lower_directory(&place.root, directory, &assessor->nvcc, NULL, &lowered, &why) != OK)
		status = conclude_error(evaluation, &why, &lowered.complaints, err);
	else if (status == OK)
		status = look(assessor, &lowered.cubin, report_of(&lowered), evaluation, err);
	if (status == OK && assessor->keep && lowered.candidate != NULL)
		status = keep_lowered(assessor, directory, &lowered, source, evaluation, err);
	lowered_free(&lowered);
	close_workplace(&place);
	return status;
}

/* ---- PTX and launches ---- */

static enum status describe(const struct assessor *assessor, const char *directory, uint32_t trajectory, uint32_t turn, const struct bytes *launches, struct bytes *json, struct error *err)
{
	static const char *const theirs[] = {"buffers", "maps", "launches"};
	cJSON *tree = head(assessor, directory, trajectory, turn), *said = NULL;
	enum status status = json_parse(launches->data, launches->len, "launches.json", &said, err);

	cJSON_AddStringToObject(tree, "ptx", "kernel.ptx");
	for (size_t i = 0; i < sizeof theirs / sizeof theirs[0] && status == OK; i++) {
		cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(said, theirs[i]);

		cJSON_AddItemToObject(tree, theirs[i], item != NULL ? item : cJSON_CreateArray());
	}
	if (status == OK && said->child != NULL)
		status = error_set(err, R_CAN_SCHEMA, "launches.json", "'%s' is none of buffers, maps and launches", said->child->string);
	if (status == OK)
		status = jcs_write(tree, json, err);
	if (status == OK)
		bytes_char(json, '\n');
	cJSON_Delete(said);
	cJSON_Delete(tree);
	return status;
}

static enum status keep_candidate(const struct assessor *assessor, const char *directory, const struct candidate *candidate, const struct bytes *cubin, struct evaluation *evaluation,
                                  struct error *err)
{
	char *name = mem_format("kernel.%s.cubin", candidate->arch);
	enum status status = write_beside(assessor->bundle, directory, "kernel.ptx", &candidate->ptx, err);

	if (status == OK)
		status = write_beside(assessor->bundle, directory, name, cubin, err);
	if (status == OK)
		status = write_beside(assessor->bundle, directory, "candidate.json", &candidate->json, err);
	evaluation->candidate = status == OK ? mem_text(directory) : NULL;
	free(name);
	return status;
}

static enum status assess_ptx(const struct assessor *assessor, const char *directory, uint32_t trajectory, uint32_t turn, const struct bytes *ptx, const struct bytes *launches,
                              struct evaluation *evaluation, struct error *err)
{
	struct bytes json = {0};
	struct candidate *candidate = NULL;
	struct assembly assembly = {0};
	struct plan plan = {0};
	struct bytes complaints = {0};
	struct error why = {0};
	enum status status = describe(assessor, directory, trajectory, turn, launches, &json, &why);

	if (status == OK)
		status = candidate_parse(directory, json.data, json.len, ptx->data, ptx->len, &candidate, &why);
	/* Whoever answered knows what is wrong with it by this name. */
	if (status == MALFORMED) {
		char *what = mem_text(why.what);

		status = error_set(&why, why.rule, "launches.json", "launches.json: %s", what);
		free(what);
	}
	if (status == OK)
		status = candidate_check_ptx(candidate, &why);
	if (status == OK)
		status = toolchain_assemble(&assessor->toolchain, ptx->data, ptx->len, "kernel.ptx", candidate->arch, &assembly, &why);
	if (assembly.report.data != NULL)
		complaints_add(assembly.report.data, &complaints);
	if (status == OK) {
		status = plan_make(candidate, &assessor->problem, &plan, &why);
		plan_free(&plan);
	}
	if (status != OK)
		status = conclude_error(evaluation, &why, &complaints, err);
	else
		status = look(assessor, &assembly.cubin, assembly.report.data != NULL ? assembly.report.data : "", evaluation, err);
	if (status == OK && assessor->keep && evaluation->outcome == OUTCOME_MEASURED_UNKNOWN)
		status = keep_candidate(assessor, directory, candidate, &assembly.cubin, evaluation, err);
	assembly_free(&assembly);
	candidate_free(candidate);
	bytes_free(&complaints);
	bytes_free(&json);
	return status;
}

enum status assess(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err)
{
	const struct assessor *assessor = context;
	char *directory = directory_of(assessor, trajectory, turn);

	evaluation->facts = cJSON_CreateObject();
	const enum status status = assessor->form == FORM_KERNEL
	                                   ? assess_kernel(assessor, directory, trajectory, turn, &extracted->file[0].text, evaluation, err)
	                                   : assess_ptx(assessor, directory, trajectory, turn, &extracted->file[0].text, &extracted->file[1].text, evaluation, err);

	free(directory);
	return status;
}

/* ---- what a prompt says of a task ---- */

static char *axes_of(const struct problem *problem)
{
	struct bytes text = {0};

	for (size_t i = 0; i < problem->axis_count; i++)
		bytes_format(&text, "%s%s = %llu", i > 0 ? ", " : "", problem->axes[i].name, (unsigned long long)problem->axes[i].size);
	bytes_text(&text, ".");
	return text.data;
}

static char *tensors_of(const struct problem *problem, bool outputs)
{
	struct bytes text = {0};

	for (size_t i = 0; i < problem->tensor_count; i++) {
		const struct tensor *tensor = &problem->tensors[i];

		if (tensor->output != outputs)
			continue;
		bytes_format(&text, "- %s: %s [", tensor->name, dtype_name(tensor->dtype));
		for (unsigned j = 0; j < tensor->rank; j++)
			bytes_format(&text, "%s%llu", j > 0 ? ", " : "", (unsigned long long)tensor->dims[j]);
		bytes_text(&text, "]\n");
	}
	/* The template's line ends after it. */
	if (text.len > 0)
		text.data[--text.len] = '\0';
	return text.data;
}

static enum status add_text(const cJSON *tree, const char *key, const char *file, struct prompt_values *values, struct error *err)
{
	const char *text;
	const enum status status = json_text(tree, key, file, &text, err);

	if (status == OK) {
		char *copy = mem_text(text);

		for (size_t len = strlen(copy); len > 0 && copy[len - 1] == '\n'; len--)
			copy[len - 1] = '\0';
		prompt_values_add(values, key, copy);
	}
	return status;
}

enum status assess_values(const struct root *bundle, const struct problem *problem, struct prompt_values *values, struct error *err)
{
	char *file = mem_format(LAYOUT_TASKS "%s/task.json", problem->task);
	struct bytes text = {0};
	cJSON *tree = NULL;
	enum status status = root_read(bundle, file, TASK_FILE_BYTES, &text, err);

	if (status == OK)
		status = json_parse(text.data, text.len, file, &tree, err);
	if (status == OK)
		status = add_text(tree, "description", file, values, err);
	if (status == OK)
		status = add_text(tree, "reference", file, values, err);
	if (status == OK) {
		prompt_values_add(values, "task", mem_text(problem->task));
		prompt_values_add(values, "axes", axes_of(problem));
		prompt_values_add(values, "inputs", tensors_of(problem, false));
		prompt_values_add(values, "outputs", tensors_of(problem, true));
		prompt_values_add(values, "flops", mem_format("%.0f", problem->flops));
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	free(file);
	return status;
}
