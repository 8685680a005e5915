#include "problem.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../derive/jsonl.h"

enum { TASK_FILE_MAX = 1 << 20 };

/* Axes are single letters, so a shape is a word of them. */
struct form_tensor {
	const char *name;
	const char *shape;
	enum dtype dtype;
	bool output;
	bool computed;
	bool scale;
};

struct form {
	const char *op_family; /* in facts.json */
	const char *axes;
	struct form_tensor tensors[PROBLEM_TENSORS_MAX]; /* ended by one without a name */
};

static const struct form forms[] = {
	[FAMILY_GEMM] = {"gemm", "MNK", {{.name = "A", .shape = "MK"}, {.name = "B", .shape = "NK"}, {.name = "C", .shape = "MN", .output = true}}},
	[FAMILY_GEMM_1D1D] = {"gemm_fp8_1d1d",
	                      "MNKG",
	                      {{.name = "A", .shape = "MK", .dtype = DTYPE_E4M3},
	                       {.name = "B", .shape = "NK", .dtype = DTYPE_E4M3},
	                       {.name = "A_scale", .shape = "GM", .dtype = DTYPE_F32, .scale = true},
	                       {.name = "B_scale", .shape = "GN", .dtype = DTYPE_F32, .scale = true},
	                       {.name = "C", .shape = "MN", .output = true}}},
	[FAMILY_GEMM_1D2D] = {"gemm_fp8_1d2d",
	                      "MNKGP",
	                      {{.name = "A", .shape = "MK", .dtype = DTYPE_E4M3},
	                       {.name = "B", .shape = "NK", .dtype = DTYPE_E4M3},
	                       {.name = "A_scale", .shape = "GM", .dtype = DTYPE_F32, .scale = true},
	                       {.name = "B_scale", .shape = "PG", .dtype = DTYPE_F32, .scale = true},
	                       {.name = "C", .shape = "MN", .output = true}}},
	[FAMILY_ATTENTION_FORWARD] = {"mha_forward",
	                              "BHSD",
	                              {{.name = "Q", .shape = "BHSD"},
	                               {.name = "K", .shape = "BHSD"},
	                               {.name = "V", .shape = "BHSD"},
	                               {.name = "O", .shape = "BHSD", .output = true},
	                               {.name = "LSE", .shape = "BHS", .dtype = DTYPE_F32, .output = true}}},
	[FAMILY_ATTENTION_BACKWARD] = {"mha_backward",
	                               "BHSD",
	                               {{.name = "Q", .shape = "BHSD"},
	                                {.name = "K", .shape = "BHSD"},
	                                {.name = "V", .shape = "BHSD"},
	                                {.name = "O", .shape = "BHSD", .computed = true},
	                                {.name = "dO", .shape = "BHSD"},
	                                {.name = "L", .shape = "BHS", .dtype = DTYPE_F32, .computed = true},
	                                {.name = "dQ", .shape = "BHSD", .output = true},
	                                {.name = "dK", .shape = "BHSD", .output = true},
	                                {.name = "dV", .shape = "BHSD", .output = true}}},
};

bool problem_is_gemm(const struct problem *problem)
{
	return problem->family == FAMILY_GEMM || problem->family == FAMILY_GEMM_1D1D || problem->family == FAMILY_GEMM_1D2D;
}

uint64_t problem_axis(const struct problem *problem, const char *name)
{
	for (size_t i = 0; i < problem->axis_count; i++)
		if (strcmp(problem->axes[i].name, name) == 0)
			return problem->axes[i].size;
	return 0;
}

const struct tensor *problem_tensor(const struct problem *problem, const char *name)
{
	for (size_t i = 0; i < problem->tensor_count; i++)
		if (strcmp(problem->tensors[i].name, name) == 0)
			return &problem->tensors[i];
	return NULL;
}

/* What reading one problem needs: the three files' trees and names. */
struct reading {
	const struct root *root;
	struct problem *problem;
	const struct form *form;
	const char *wanted; /* UUID */
	char *task_file;
	char *facts_file;
	char *workloads_file;
	cJSON *task;
	cJSON *facts;
	cJSON *workload; /* the row's "workload" */
};

static enum status read_json(const struct reading *reading, const char *file, cJSON **tree, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_read(reading->root, file, TASK_FILE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data, text.len, file, tree, err);
	bytes_free(&text);
	return status;
}

static bool task_name_valid(const char *task)
{
	const size_t len = strlen(task);

	return len > 0 && len < sizeof((struct problem *)NULL)->task && task[0] != '.' && strchr(task, '/') == NULL && path_valid(task, len);
}

/* A directory that is not there is the reader's slip; one whose files are faulty is the bundle's. */
static enum status find_task(struct reading *reading, const char *task, struct error *err)
{
	struct file_list list = {0};
	struct error inner = {0};

	if (!task_name_valid(task))
		return error_set(err, R_PRB_TASK, "", "'%s' is not a task's name", task);

	char *directory = mem_format("tasks/%s", task);
	const bool there = root_list(reading->root, directory, &list, &inner) == OK && list.count > 0;

	file_list_free(&list);
	free(directory);
	if (!there)
		return error_set(err, R_PRB_TASK, "", "there is no task '%s'", task);
	strcpy(reading->problem->task, task);
	return OK;
}

static enum status read_family(struct reading *reading, struct error *err)
{
	const char *op_family = NULL;
	const cJSON *causal = NULL;
	enum status status = json_text(reading->facts, "op_family", reading->facts_file, &op_family, err);

	if (status == OK)
		status = json_child(reading->facts, "causal", JSON_TRUE, reading->facts_file, &causal, err);
	if (status != OK)
		return status;
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		if (strcmp(forms[i].op_family, op_family) == 0) {
			reading->form = &forms[i];
			reading->problem->family = (enum family)i;
			reading->problem->causal = cJSON_IsTrue(causal);
			return OK;
		}
	}
	return error_set(err, R_PRB_FAMILY, reading->facts_file, "the task '%s' is of the family '%s'", reading->problem->task, op_family);
}

/* The UUID that was asked for by name, or the name itself. */
static enum status choose_workload(struct reading *reading, const char *workload, struct error *err)
{
	const char *field = workload == NULL ? "workload" : strcmp(workload, "small") == 0 ? "small_workload" : NULL;

	if (field == NULL) {
		reading->wanted = workload;
		return OK;
	}
	return json_text(reading->facts, field, reading->facts_file, &reading->wanted, err);
}

static enum status visit_workload(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	(void)line;
	struct reading *reading = context;
	const cJSON *workload = NULL;
	const char *uuid = NULL;
	enum status status = json_child(object, "workload", JSON_OBJECT, file, &workload, err);

	if (status == OK)
		status = json_text(workload, "uuid", file, &uuid, err);
	if (status == OK && reading->workload == NULL && strcmp(uuid, reading->wanted) == 0)
		reading->workload = cJSON_DetachItemFromObjectCaseSensitive(object, "workload");
	return status;
}

static enum status read_workload(struct reading *reading, struct error *err)
{
	enum status status = jsonl_read(reading->root, reading->workloads_file, visit_workload, reading, err);

	if (status != OK)
		return status;
	if (reading->workload == NULL || strlen(reading->wanted) >= sizeof reading->problem->workload)
		return error_set(err, R_PRB_WORKLOAD, reading->workloads_file, "there is no workload '%s'", reading->wanted);
	strcpy(reading->problem->workload, reading->wanted);
	return OK;
}

/* Definitions write the head dimension D or d. */
static char axis_letter(const char *name)
{
	return strlen(name) != 1 ? '\0' : name[0] == 'd' ? 'D' : name[0];
}

/* An axis's size: in task.json where it is constant, in the workload where it varies; in both they agree. */
static enum status read_axis(const struct reading *reading, const cJSON *axis, const cJSON *given, int64_t *size, struct error *err)
{
	const int64_t max = 1 << 24;
	const char *type = NULL;
	int64_t said = 0;
	enum status status = json_text(axis, "type", reading->task_file, &type, err);

	if (status != OK)
		return status;
	const bool constant = strcmp(type, "const") == 0;

	if (constant)
		status = json_integer(axis, "value", 1, max, reading->task_file, size, err);
	if (status != OK || (constant && cJSON_GetObjectItemCaseSensitive(given, axis->string) == NULL))
		return status;
	status = json_integer(given, axis->string, 1, max, reading->workloads_file, &said, err);
	if (status == OK && constant && said != *size)
		return error_set(err, R_PRB_SHAPE, reading->workloads_file, "axis %s is %lld, in task.json it is constant %lld",
		                 axis->string, (long long)said, (long long)*size);
	*size = said;
	return status;
}

static enum status read_axes(struct reading *reading, struct error *err)
{
	struct problem *problem = reading->problem;
	const cJSON *axes = NULL;
	const cJSON *given = NULL;
	enum status status = json_child(reading->task, "axes", JSON_OBJECT, reading->task_file, &axes, err);

	if (status == OK)
		status = json_child(reading->workload, "axes", JSON_OBJECT, reading->workloads_file, &given, err);
	for (const cJSON *axis = status == OK ? axes->child : NULL; axis != NULL && status == OK; axis = axis->next) {
		const char letter = axis_letter(axis->string);
		int64_t size = 0;

		if (letter == '\0' || strchr(reading->form->axes, letter) == NULL ||
		    problem_axis(problem, (const char[]){letter, '\0'}) != 0)
			return error_set(err, R_PRB_SHAPE, reading->task_file, "axis '%s' is none of this family's (%s), or named twice",
			                 axis->string, reading->form->axes);
		status = read_axis(reading, axis, given, &size, err);
		problem->axes[problem->axis_count].name[0] = letter;
		problem->axes[problem->axis_count++].size = (uint64_t)size;
	}
	if (status == OK && problem->axis_count != strlen(reading->form->axes))
		return error_set(err, R_PRB_SHAPE, reading->task_file, "the axes of this family are %s", reading->form->axes);
	return status;
}

static enum status tensor_shape(const struct problem *problem, const struct form_tensor *form, const cJSON *shape, const char *file,
                                struct tensor *tensor, struct error *err)
{
	const uint64_t bytes_max = 1ULL << 40;
	const char *want = form->shape;

	tensor->count = 1;
	for (const cJSON *axis = shape->child; axis != NULL; axis = axis->next, want++) {
		if (*want == '\0' || !cJSON_IsString(axis) || axis_letter(axis->valuestring) != *want)
			return error_set(err, R_PRB_SHAPE, file, "tensor %s has another shape than %s", form->name, form->shape);
		const uint64_t size = problem_axis(problem, (const char[]){*want, '\0'});

		if (tensor->count > bytes_max / size)
			return error_set(err, R_PRB_SHAPE, file, "tensor %s does not fit a device", form->name);
		tensor->dims[tensor->rank++] = size;
		tensor->count *= size;
	}
	if (*want != '\0')
		return error_set(err, R_PRB_SHAPE, file, "tensor %s has another shape than %s", form->name, form->shape);
	tensor->bytes = tensor->count * dtype_bytes(tensor->dtype);
	return OK;
}

static enum status read_tensor(struct reading *reading, const struct form_tensor *form, const cJSON *spec, struct error *err)
{
	struct problem *problem = reading->problem;
	struct tensor *tensor = &problem->tensors[problem->tensor_count];
	const char *file = reading->task_file;
	const char *type = NULL;
	const cJSON *shape = NULL;

	if (spec == NULL || form->name == NULL || strcmp(spec->string, form->name) != 0)
		return error_set(err, R_PRB_SHAPE, file, "tensor %s stands where %s should", spec == NULL ? "(none)" : spec->string,
		                 form->name == NULL ? "none" : form->name);
	strcpy(tensor->name, form->name);
	tensor->output = form->output;
	tensor->computed = form->computed;
	tensor->scale = form->scale;
	tensor->dtype = form->dtype;
	enum status status = json_text(spec, "dtype", file, &type, err);

	if (status == OK && strcmp(dtype_name(form->dtype), type) != 0)
		status = error_set(err, R_PRB_SHAPE, file, "tensor %s is of type '%s', of this family it is %s", form->name, type, dtype_name(form->dtype));
	if (status == OK)
		status = json_child(spec, "shape", JSON_ARRAY, file, &shape, err);
	if (status == OK)
		status = tensor_shape(problem, form, shape, file, tensor, err);
	problem->tensor_count++;
	return status;
}

static enum status read_tensors(struct reading *reading, struct error *err)
{
	const cJSON *inputs = NULL;
	const cJSON *outputs = NULL;
	const struct form_tensor *form = reading->form->tensors;
	enum status status = json_child(reading->task, "inputs", JSON_OBJECT, reading->task_file, &inputs, err);

	if (status == OK)
		status = json_child(reading->task, "outputs", JSON_OBJECT, reading->task_file, &outputs, err);
	if (status != OK)
		return status;
	const cJSON *spec = inputs->child;

	for (bool output = false; status == OK && form->name != NULL; form++) {
		if (form->output && !output) {
			if (spec != NULL)
				break;
			output = true;
			spec = outputs->child;
		}
		status = read_tensor(reading, form, spec, err);
		spec = spec == NULL ? NULL : spec->next;
	}
	if (status == OK && spec != NULL)
		return error_set(err, R_PRB_SHAPE, reading->task_file, "tensor %s is not of this family", spec->string);
	return status;
}

/* A group of scales is 128 elements; the last of an axis is whole. */
static enum status check_groups(const struct reading *reading, const char *groups, const char *axis, struct error *err)
{
	const uint64_t count = problem_axis(reading->problem, groups), size = problem_axis(reading->problem, axis);

	if (count == 0 || count * SCALE_GROUP == size)
		return OK;
	return error_set(err, R_PRB_SHAPE, reading->task_file, "%s=%llu is not %s=%llu / %d", groups, (unsigned long long)count, axis,
	                 (unsigned long long)size, SCALE_GROUP);
}

/* Operations by FlashAttention's convention, which PTXBench uses: a forward pass is two matrix products, a backward pass five, causal half. Scaling is not counted. */
static void count_work(struct problem *problem)
{
	double work = 2;

	for (size_t i = 0; i < problem->axis_count; i++)
		if (strchr("GP", problem->axes[i].name[0]) == NULL)
			work *= (double)problem->axes[i].size;
	if (!problem_is_gemm(problem))
		work *= (double)problem_axis(problem, "S") * (problem->family == FAMILY_ATTENTION_FORWARD ? 2 : 5) / (problem->causal ? 2 : 1);
	problem->flops = work;
	problem->bytes = 0;
	for (size_t i = 0; i < problem->tensor_count; i++)
		problem->bytes += (double)problem->tensors[i].bytes;
}

static enum status read_all(struct reading *reading, const char *task, const char *workload, struct error *err)
{
	enum status status = find_task(reading, task, err);

	if (status != OK)
		return status;
	reading->task_file = mem_format("tasks/%s/task.json", task);
	reading->facts_file = mem_format("tasks/%s/facts.json", task);
	reading->workloads_file = mem_format("tasks/%s/workloads.jsonl", task);
	status = read_json(reading, reading->task_file, &reading->task, err);
	if (status == OK)
		status = read_json(reading, reading->facts_file, &reading->facts, err);
	if (status == OK)
		status = read_family(reading, err);
	if (status == OK)
		status = choose_workload(reading, workload, err);
	if (status == OK)
		status = read_workload(reading, err);
	if (status == OK)
		status = read_axes(reading, err);
	if (status == OK)
		status = check_groups(reading, "G", "K", err);
	if (status == OK)
		status = check_groups(reading, "P", "N", err);
	if (status == OK)
		status = read_tensors(reading, err);
	if (status == OK)
		count_work(reading->problem);
	return status;
}

enum status problem_read(const struct root *root, const char *task, const char *workload, struct problem *problem, struct error *err)
{
	struct reading reading = {.root = root, .problem = problem};

	*problem = (struct problem){0};
	enum status status = read_all(&reading, task, workload, err);

	free(reading.task_file);
	free(reading.facts_file);
	free(reading.workloads_file);
	cJSON_Delete(reading.task);
	cJSON_Delete(reading.facts);
	cJSON_Delete(reading.workload);
	return status;
}

enum status problem_named_in(const char *file, enum status status, struct error *err)
{
	const struct error why = *err;

	return status == OK || (why.rule != R_PRB_TASK && why.rule != R_PRB_WORKLOAD) ? status : error_set(err, R_PRB_NAMED, file, "%s", why.what);
}
