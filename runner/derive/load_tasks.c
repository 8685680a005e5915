/* tasks/<task>/task.json and workloads.jsonl (the FlashInfer Trace schema) into the task and workload tables. Of the schema only what these
 * tables hold is read here. */
#include "load.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "jsonl.h"

struct loading {
	struct database *db;
	sqlite3_stmt *task;
	sqlite3_stmt *axis;
	sqlite3_stmt *tensor;
	sqlite3_stmt *workload;
	sqlite3_stmt *workload_axis;
	sqlite3_stmt *workload_input;
	const char *name; /* the task's, from its directory */
};

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
	sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

/* A field that may be absent or null (both mean the same in this schema), otherwise text. */
static enum status optional_text(const cJSON *object, const char *key, const char *file, const char **out, struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	*out = NULL;
	return item == NULL || cJSON_IsNull(item) ? OK : json_text(object, key, file, out, err);
}

static enum status load_axes(struct loading *loading, const cJSON *tree, const char *file, struct error *err)
{
	const cJSON *axes = NULL;
	int position = 0;
	enum status status = json_child(tree, "axes", JSON_OBJECT, file, &axes, err);

	for (const cJSON *axis = status == OK ? axes->child : NULL; axis != NULL && status == OK; axis = axis->next) {
		const char *type = NULL;
		int64_t value = 0;

		status = json_text(axis, "type", file, &type, err);
		bool constant = status == OK && strcmp(type, "const") == 0;

		if (status == OK && !constant && strcmp(type, "var") != 0)
			status = error_set(err, R_JSON_FIELD, file, "axis '%s' is of type '%s', not const or var", axis->string, type);
		if (constant)
			status = json_integer(axis, "value", 0, JSON_INTEGER_MAX, file, &value, err);
		if (status != OK)
			break;
		sqlite3_clear_bindings(loading->axis);
		bind_text(loading->axis, 1, loading->name);
		sqlite3_bind_int(loading->axis, 2, ++position);
		bind_text(loading->axis, 3, axis->string);
		bind_text(loading->axis, 4, type);
		if (constant)
			sqlite3_bind_int64(loading->axis, 5, value);
		status = database_insert(loading->db, loading->axis, file, 0, err);
	}
	return status;
}

/* A tensor's axes joined by ','. */
static enum status shape_text(const cJSON *shape, const char *name, const char *file, struct bytes *out, struct error *err)
{
	bytes_text(out, "");
	for (const cJSON *axis = shape->child; axis != NULL; axis = axis->next) {
		if (!cJSON_IsString(axis))
			return error_set(err, R_JSON_FIELD, file, "the shape of '%s' names an axis that is not text", name);
		bytes_format(out, "%s%s", out->len == 0 ? "" : ",", axis->valuestring);
	}
	return OK;
}

static enum status load_tensors(struct loading *loading, const cJSON *tree, const char *field, const char *direction,
                                const char *file, struct error *err)
{
	const cJSON *tensors = NULL;
	int position = 0;
	enum status status = json_child(tree, field, JSON_OBJECT, file, &tensors, err);

	for (const cJSON *tensor = status == OK ? tensors->child : NULL; tensor != NULL && status == OK; tensor = tensor->next) {
		const cJSON *shape = cJSON_GetObjectItemCaseSensitive(tensor, "shape");
		const char *dtype = NULL;
		struct bytes axes = {0};

		status = json_text(tensor, "dtype", file, &dtype, err);
		if (status == OK && !cJSON_IsNull(shape))
			status = json_child(tensor, "shape", JSON_ARRAY, file, &shape, err);
		if (status == OK && !cJSON_IsNull(shape))
			status = shape_text(shape, tensor->string, file, &axes, err);
		if (status == OK) {
			bind_text(loading->tensor, 1, loading->name);
			bind_text(loading->tensor, 2, direction);
			sqlite3_bind_int(loading->tensor, 3, ++position);
			bind_text(loading->tensor, 4, tensor->string);
			bind_text(loading->tensor, 5, dtype);
			bind_text(loading->tensor, 6, axes.data);
			status = database_insert(loading->db, loading->tensor, file, 0, err);
		}
		bytes_free(&axes);
	}
	return status;
}

static enum status load_task(struct loading *loading, const struct root *bundle, const char *file, struct error *err)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *name = NULL;
	const char *op_type = NULL;
	const char *description = NULL;
	enum status status = root_read(bundle, file, JSON_SIZE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data == NULL ? "" : text.data, text.len, file, &tree, err);
	if (status == OK)
		status = json_text(tree, "name", file, &name, err);
	if (status == OK && strcmp(name, loading->name) != 0)
		status = error_set(err, R_JSON_FIELD, file, "the definition's name is '%s', its directory's '%s'", name, loading->name);
	if (status == OK)
		status = json_text(tree, "op_type", file, &op_type, err);
	if (status == OK)
		status = optional_text(tree, "description", file, &description, err);
	if (status == OK) {
		bind_text(loading->task, 1, name);
		bind_text(loading->task, 2, op_type);
		bind_text(loading->task, 3, description);
		status = database_insert(loading->db, loading->task, file, 0, err);
	}
	if (status == OK)
		status = load_axes(loading, tree, file, err);
	if (status == OK)
		status = load_tensors(loading, tree, "inputs", "input", file, err);
	if (status == OK)
		status = load_tensors(loading, tree, "outputs", "output", file, err);
	cJSON_Delete(tree);
	bytes_free(&text);
	return status;
}

static enum status load_workload_axes(struct loading *loading, const cJSON *workload, const char *uuid, const char *file,
                                      uint64_t line, struct error *err)
{
	const cJSON *axes = NULL;
	int position = 0;
	enum status status = json_child(workload, "axes", JSON_OBJECT, file, &axes, err);

	for (const cJSON *axis = status == OK ? axes->child : NULL; axis != NULL && status == OK; axis = axis->next) {
		int64_t value = 0;

		status = json_integer(axes, axis->string, 0, JSON_INTEGER_MAX, file, &value, err);
		if (status != OK)
			break;
		bind_text(loading->workload_axis, 1, uuid);
		sqlite3_bind_int(loading->workload_axis, 2, ++position);
		bind_text(loading->workload_axis, 3, axis->string);
		sqlite3_bind_int64(loading->workload_axis, 4, value);
		status = database_insert(loading->db, loading->workload_axis, file, line, err);
	}
	return status;
}

static enum status load_workload_inputs(struct loading *loading, const cJSON *workload, const char *uuid, const char *file,
                                        uint64_t line, struct error *err)
{
	const cJSON *inputs = NULL;
	int position = 0;
	enum status status = json_child(workload, "inputs", JSON_OBJECT, file, &inputs, err);

	for (const cJSON *input = status == OK ? inputs->child : NULL; input != NULL && status == OK; input = input->next) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(input, "value");
		const char *type = NULL;
		const char *path = NULL;

		status = json_text(input, "type", file, &type, err);
		if (status == OK)
			status = optional_text(input, "path", file, &path, err);
		if (status != OK)
			break;
		sqlite3_clear_bindings(loading->workload_input);
		bind_text(loading->workload_input, 1, uuid);
		sqlite3_bind_int(loading->workload_input, 2, ++position);
		bind_text(loading->workload_input, 3, input->string);
		bind_text(loading->workload_input, 4, type);
		if (cJSON_IsNumber(value))
			sqlite3_bind_double(loading->workload_input, 5, value->valuedouble);
		else if (cJSON_IsBool(value))
			sqlite3_bind_int(loading->workload_input, 5, cJSON_IsTrue(value));
		bind_text(loading->workload_input, 6, path);
		status = database_insert(loading->db, loading->workload_input, file, line, err);
	}
	return status;
}

/* {"definition":TASK,"workload":{"axes":{..},"inputs":{..},"uuid":..},"solution":null,"evaluation":null} */
static enum status load_workload(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	struct loading *loading = context;
	const char *definition = NULL;
	const char *uuid = NULL;
	const cJSON *workload = NULL;
	enum status status = json_text(object, "definition", file, &definition, err);

	if (status == OK && strcmp(definition, loading->name) != 0)
		status = error_line(err, R_JSON_FIELD, file, line, "the definition is '%s', the directory's task '%s'", definition,
		                    loading->name);
	if (status == OK)
		status = json_child(object, "workload", JSON_OBJECT, file, &workload, err);
	if (status == OK)
		status = json_text(workload, "uuid", file, &uuid, err);
	if (status != OK)
		return status;
	bind_text(loading->workload, 1, uuid);
	bind_text(loading->workload, 2, loading->name);
	sqlite3_bind_int64(loading->workload, 3, (int64_t)line);
	status = database_insert(loading->db, loading->workload, file, line, err);
	if (status == OK)
		status = load_workload_axes(loading, workload, uuid, file, line, err);
	return status == OK ? load_workload_inputs(loading, workload, uuid, file, line, err) : status;
}

static enum status load_directory(struct loading *loading, const struct root *bundle, struct error *err)
{
	char *definition = mem_format("tasks/%s/task.json", loading->name);
	char *workloads = mem_format("tasks/%s/workloads.jsonl", loading->name);
	enum status status = load_task(loading, bundle, definition, err);

	if (status == OK)
		status = jsonl_read(bundle, workloads, load_workload, loading, err);
	free(definition);
	free(workloads);
	return status;
}

enum status load_tasks(struct database *db, const struct root *bundle, struct error *err)
{
	struct loading loading = {.db = db};
	const struct {
		sqlite3_stmt **statement;
		const char *sql;
	} statements[] = {
		{&loading.task, "INSERT INTO task VALUES (?, ?, ?)"},
		{&loading.axis, "INSERT INTO task_axis VALUES (?, ?, ?, ?, ?)"},
		{&loading.tensor, "INSERT INTO task_tensor VALUES (?, ?, ?, ?, ?, ?)"},
		{&loading.workload, "INSERT INTO workload VALUES (?, ?, ?)"},
		{&loading.workload_axis, "INSERT INTO workload_axis VALUES (?, ?, ?, ?)"},
		{&loading.workload_input, "INSERT INTO workload_input VALUES (?, ?, ?, ?, ?, ?)"},
	};
	struct file_list list = {0};
	enum status status = root_list(bundle, "tasks", &list, err);

	for (size_t i = 0; i < sizeof statements / sizeof statements[0] && status == OK; i++)
		status = database_prepare(db, statements[i].sql, statements[i].statement, err);
	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *below = list.at[i].path + strlen("tasks/");

		if (list.at[i].kind != FILE_DIRECTORY || strchr(below, '/') != NULL || strcmp(below, "prompts") == 0)
			continue;
		loading.name = below;
		status = load_directory(&loading, bundle, err);
	}
	for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
		sqlite3_finalize(*statements[i].statement);
	file_list_free(&list);
	return status;
}
