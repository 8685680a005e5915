#include "trace_schema.h"

#include <math.h>
#include <string.h>

#include "../base/file.h"
#include "../base/json.h"
#include "../base/name.h"

/* The line of the document is known only here. */
static enum status at_line(enum status status, uint64_t line, struct error *err)
{
	if (status != OK && err != NULL && err->line == 0)
		err->line = line;
	return status;
}

static bool absent(const cJSON *item)
{
	return item == NULL || cJSON_IsNull(item);
}

/* NonEmptyString of the models. */
static enum status some_text(const cJSON *object, const char *key, const char *file, const char **out, struct error *err)
{
	enum status status = json_text(object, key, file, out, err);

	if (status == OK && (*out)[0] == '\0')
		status = error_set(err, R_TRC_VALUE, file, "field '%s' is empty", key);
	return status;
}

static enum status optional_text(const cJSON *object, const char *key, const char *file, const char **out, struct error *err)
{
	*out = NULL;
	return absent(cJSON_GetObjectItemCaseSensitive(object, key)) ? OK : json_text(object, key, file, out, err);
}

static enum status optional_texts(const cJSON *object, const char *key, const char *file, struct error *err)
{
	const cJSON *list = NULL;

	if (cJSON_GetObjectItemCaseSensitive(object, key) == NULL)
		return OK;
	enum status status = json_child(object, key, JSON_ARRAY, file, &list, err);

	for (const cJSON *item = status == OK ? list->child : NULL; item != NULL && status == OK; item = item->next)
		if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
			status = error_set(err, R_TRC_VALUE, file, "an element of '%s' is no text, or empty", key);
	return status;
}

static enum status one_of(const char *value, const char *key, const char *const *words, const char *file, struct error *err)
{
	for (size_t i = 0; words[i] != NULL; i++)
		if (strcmp(words[i], value) == 0)
			return OK;
	return error_set(err, R_TRC_VALUE, file, "'%s' is no %s", value, key);
}

/* Every name of an object is some text. */
static enum status named(const cJSON *object, const char *key, const char *file, struct error *err)
{
	for (const cJSON *item = object->child; item != NULL; item = item->next)
		if (item->string[0] == '\0')
			return error_set(err, R_TRC_VALUE, file, "a name in '%s' is empty", key);
	return OK;
}

/* Definitions. */

static enum status read_axis(const cJSON *axis, const char *file, struct error *err)
{
	static const char *const constant[] = {"type", "value", "description", NULL}, *const variable[] = {"type", "description", NULL};
	static const char *const types[] = {"const", "var", NULL};
	const char *type = NULL, *description = NULL;
	int64_t value;

	if (!cJSON_IsObject(axis))
		return error_set(err, R_JSON_FIELD, file, "axis '%s' is not an object", axis->string);
	enum status status = json_text(axis, "type", file, &type, err);

	if (status == OK)
		status = one_of(type, "type of axis", types, file, err);
	bool is_const = status == OK && strcmp(type, "const") == 0;

	if (status == OK)
		status = json_only(axis, is_const ? constant : variable, file, err);
	if (status == OK && is_const)
		status = json_integer(axis, "value", 0, JSON_INTEGER_MAX, file, &value, err);
	return status == OK ? optional_text(axis, "description", file, &description, err) : status;
}

static enum status read_tensor(const cJSON *tensor, const cJSON *axes, const char *file, struct error *err)
{
	static const char *const fields[] = {"shape", "dtype", "description", NULL};
	static const char *const dtypes[] = {"float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "float4_e2m1",
	                                     "int64",   "int32",   "int16",    "int8",          "bool",        NULL};
	const char *dtype = NULL, *description = NULL;
	const cJSON *shape = cJSON_GetObjectItemCaseSensitive(tensor, "shape");

	if (!cJSON_IsObject(tensor))
		return error_set(err, R_JSON_FIELD, file, "tensor '%s' is not an object", tensor->string);
	enum status status = json_only(tensor, fields, file, err);

	if (status == OK)
		status = json_text(tensor, "dtype", file, &dtype, err);
	if (status == OK)
		status = one_of(dtype, "dtype", dtypes, file, err);
	if (status == OK)
		status = optional_text(tensor, "description", file, &description, err);
	if (status == OK && !cJSON_IsNull(shape) && !cJSON_IsArray(shape))
		status = error_set(err, R_JSON_FIELD, file, "field 'shape' of '%s' is neither null nor an array", tensor->string);
	for (const cJSON *axis = status == OK ? shape->child : NULL; axis != NULL && status == OK; axis = axis->next)
		if (!cJSON_IsString(axis) || cJSON_GetObjectItemCaseSensitive(axes, axis->valuestring) == NULL)
			status = error_set(err, R_TRC_VALUE, file, "the shape of '%s' names an axis that is not there", tensor->string);
	return status;
}

static enum status read_tensors(const cJSON *tensors, const char *key, const cJSON *axes, const char *file, struct error *err)
{
	enum status status = named(tensors, key, file, err);

	for (const cJSON *tensor = tensors->child; tensor != NULL && status == OK; tensor = tensor->next)
		status = read_tensor(tensor, axes, file, err);
	return status;
}

enum status trace_definition_read(const cJSON *tree, const char *file, struct trace_definition *definition, struct error *err)
{
	static const char *const fields[] = {"name",      "op_type", "axes",        "inputs",      "outputs",
	                                     "reference", "tags",    "description", "constraints", NULL};
	const char *text = NULL;

	*definition = (struct trace_definition){0};
	if (!cJSON_IsObject(tree))
		return error_set(err, R_JSON_FIELD, file, "the definition is not an object");
	enum status status = json_only(tree, fields, file, err);

	if (status == OK)
		status = some_text(tree, "name", file, &definition->name, err);
	if (status == OK)
		status = some_text(tree, "op_type", file, &definition->op_type, err);
	if (status == OK)
		status = some_text(tree, "reference", file, &text, err);
	if (status == OK)
		status = optional_text(tree, "description", file, &text, err);
	if (status == OK)
		status = optional_texts(tree, "tags", file, err);
	if (status == OK)
		status = optional_texts(tree, "constraints", file, err);
	if (status == OK)
		status = json_child(tree, "axes", JSON_OBJECT, file, &definition->axes, err);
	if (status == OK)
		status = json_child(tree, "inputs", JSON_OBJECT, file, &definition->inputs, err);
	if (status == OK)
		status = json_child(tree, "outputs", JSON_OBJECT, file, &definition->outputs, err);
	if (status == OK)
		status = named(definition->axes, "axes", file, err);
	for (const cJSON *axis = status == OK ? definition->axes->child : NULL; axis != NULL && status == OK; axis = axis->next)
		status = read_axis(axis, file, err);
	if (status == OK)
		status = read_tensors(definition->inputs, "inputs", definition->axes, file, err);
	if (status == OK)
		status = read_tensors(definition->outputs, "outputs", definition->axes, file, err);
	for (const cJSON *tensor = status == OK ? definition->outputs->child : NULL; tensor != NULL && status == OK; tensor = tensor->next)
		if (cJSON_GetObjectItemCaseSensitive(definition->inputs, tensor->string) != NULL)
			status = error_set(err, R_TRC_VALUE, file, "'%s' is an input and an output", tensor->string);
	return status;
}

static bool equal_members(const cJSON *a, const cJSON *b, const char *const *keys)
{
	const cJSON *x = a->child, *y = b->child;

	for (; x != NULL && y != NULL; x = x->next, y = y->next) {
		if (strcmp(x->string, y->string) != 0)
			return false;
		for (size_t i = 0; keys[i] != NULL; i++) {
			const cJSON *left = cJSON_GetObjectItemCaseSensitive(x, keys[i]), *right = cJSON_GetObjectItemCaseSensitive(y, keys[i]);

			if (absent(left) != absent(right) || (!absent(left) && !cJSON_Compare(left, right, true)))
				return false;
		}
	}
	return x == NULL && y == NULL;
}

bool trace_definition_equal(const struct trace_definition *a, const struct trace_definition *b)
{
	static const char *const axis[] = {"type", "value", NULL}, *const tensor[] = {"shape", "dtype", NULL};

	return equal_members(a->axes, b->axes, axis) && equal_members(a->inputs, b->inputs, tensor) &&
	       equal_members(a->outputs, b->outputs, tensor);
}

/* Solutions. */

static enum status read_spec(const cJSON *spec, const char *file, const char **entry_point, struct error *err)
{
	static const char *const fields[] = {"language", "target_hardware", "entry_point", "dependencies", "destination_passing_style",
	                                     "binding",  NULL};
	static const char *const languages[] = {"python", "triton", "cpp", "cuda", "tilelang", NULL};
	static const char *const bindings[] = {"tvm-ffi", "torch", NULL};
	const char *language = NULL, *binding = NULL;
	const cJSON *hardware = NULL, *style = cJSON_GetObjectItemCaseSensitive(spec, "destination_passing_style");
	enum status status = json_only(spec, fields, file, err);

	if (status == OK)
		status = json_text(spec, "language", file, &language, err);
	if (status == OK)
		status = one_of(language, "language", languages, file, err);
	if (status == OK)
		status = json_child(spec, "target_hardware", JSON_ARRAY, file, &hardware, err);
	if (status == OK && hardware->child == NULL)
		status = error_set(err, R_TRC_VALUE, file, "field 'target_hardware' names nothing");
	for (const cJSON *item = status == OK ? hardware->child : NULL; item != NULL && status == OK; item = item->next)
		if (!cJSON_IsString(item))
			status = error_set(err, R_JSON_FIELD, file, "an element of 'target_hardware' is no text");
	if (status == OK)
		status = some_text(spec, "entry_point", file, entry_point, err);
	if (status == OK)
		status = optional_texts(spec, "dependencies", file, err);
	if (status == OK && style != NULL && !cJSON_IsBool(style))
		status = error_set(err, R_JSON_FIELD, file, "field 'destination_passing_style' is neither true nor false");
	if (status == OK)
		status = optional_text(spec, "binding", file, &binding, err);
	return status == OK && binding != NULL ? one_of(binding, "binding", bindings, file, err) : status;
}

/* Sources are read one after the other; those before this one have paths. */
static enum status read_source(const cJSON *source, const cJSON *sources, const char *file, struct error *err)
{
	static const char *const fields[] = {"path", "content", NULL};
	const char *path = NULL, *content = NULL;

	if (!cJSON_IsObject(source))
		return error_set(err, R_JSON_FIELD, file, "a source is not an object");
	enum status status = json_only(source, fields, file, err);

	if (status == OK)
		status = some_text(source, "path", file, &path, err);
	if (status == OK)
		status = some_text(source, "content", file, &content, err);
	if (status == OK && !path_valid(path, strlen(path)))
		status = error_set(err, R_TRC_VALUE, file, "a source's path '%s' is not a plain relative one", path);
	for (const cJSON *other = sources->child; status == OK && other != source; other = other->next)
		if (strcmp(cJSON_GetObjectItemCaseSensitive(other, "path")->valuestring, path) == 0)
			status = error_set(err, R_TRC_DUPLICATE, file, "the source '%s' is there twice", path);
	return status;
}

static const char *find_entry(const cJSON *sources, const char *entry_point)
{
	const char *colons = strstr(entry_point, "::");
	size_t len = colons != NULL ? (size_t)(colons - entry_point) : 0;

	if (colons == NULL || strstr(colons + 2, "::") != NULL)
		return NULL;
	for (const cJSON *source = sources->child; source != NULL; source = source->next) {
		const char *path = cJSON_GetObjectItemCaseSensitive(source, "path")->valuestring;

		if (strlen(path) == len && memcmp(path, entry_point, len) == 0)
			return cJSON_GetObjectItemCaseSensitive(source, "content")->valuestring;
	}
	return NULL;
}

enum status trace_solution_read(const cJSON *tree, const char *file, struct trace_solution *solution, struct error *err)
{
	static const char *const fields[] = {"name", "definition", "author", "spec", "sources", "description", NULL};
	const char *entry_point = NULL, *description = NULL;

	*solution = (struct trace_solution){0};
	if (!cJSON_IsObject(tree))
		return error_set(err, R_JSON_FIELD, file, "the solution is not an object");
	enum status status = json_only(tree, fields, file, err);

	if (status == OK)
		status = some_text(tree, "name", file, &solution->name, err);
	if (status == OK)
		status = some_text(tree, "definition", file, &solution->definition, err);
	if (status == OK)
		status = some_text(tree, "author", file, &solution->author, err);
	if (status == OK)
		status = name_check(solution->name, "name", file, err);
	if (status == OK) /* a run's model */
		status = name_check(solution->author, "author", file, err);
	if (status == OK)
		status = optional_text(tree, "description", file, &description, err);
	if (status == OK)
		status = json_child(tree, "spec", JSON_OBJECT, file, &solution->spec, err);
	if (status == OK)
		status = read_spec(solution->spec, file, &entry_point, err);
	if (status == OK)
		status = json_child(tree, "sources", JSON_ARRAY, file, &solution->sources, err);
	if (status == OK && solution->sources->child == NULL)
		status = error_set(err, R_TRC_VALUE, file, "it has no source");
	for (const cJSON *source = status == OK ? solution->sources->child : NULL; source != NULL && status == OK; source = source->next)
		status = read_source(source, solution->sources, file, err);
	if (status == OK && (solution->entry = find_entry(solution->sources, entry_point)) == NULL)
		status = error_set(err, R_TRC_VALUE, file, "the entry point '%s' is not PATH::FUNCTION of one of the sources", entry_point);
	solution->description = cJSON_GetObjectItemCaseSensitive(tree, "description");
	return status;
}

/* Traces. */

static enum status read_input(const cJSON *input, const char *file, struct error *err)
{
	static const char *const random[] = {"type", NULL}, *const scalar[] = {"type", "value", NULL},
				 *const tensors[] = {"type", "path", "tensor_key", NULL}, *const types[] = {"random", "scalar", "safetensors", NULL};
	const char *type = NULL, *text = NULL;

	if (!cJSON_IsObject(input))
		return error_set(err, R_JSON_FIELD, file, "input '%s' is not an object", input->string);
	enum status status = json_text(input, "type", file, &type, err);

	if (status == OK)
		status = one_of(type, "type of input", types, file, err);
	if (status != OK)
		return status;
	if (strcmp(type, "random") == 0)
		return json_only(input, random, file, err);
	if (strcmp(type, "scalar") == 0) {
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(input, "value");

		status = json_only(input, scalar, file, err);
		return status != OK || cJSON_IsNumber(value) || cJSON_IsBool(value)
		           ? status
		           : error_set(err, R_JSON_FIELD, file, "the value of input '%s' is neither a number nor a truth value", input->string);
	}
	status = json_only(input, tensors, file, err);
	if (status == OK)
		status = some_text(input, "path", file, &text, err);
	return status == OK ? some_text(input, "tensor_key", file, &text, err) : status;
}

static enum status read_workload(const cJSON *workload, const char *file, struct trace *trace, struct error *err)
{
	static const char *const fields[] = {"axes", "inputs", "uuid", NULL};
	const cJSON *inputs = NULL;
	int64_t size;
	enum status status = json_only(workload, fields, file, err);

	if (status == OK)
		status = some_text(workload, "uuid", file, &trace->uuid, err);
	if (status == OK)
		status = json_child(workload, "axes", JSON_OBJECT, file, &trace->axes, err);
	for (const cJSON *axis = status == OK ? trace->axes->child : NULL; axis != NULL && status == OK; axis = axis->next)
		status = json_integer(trace->axes, axis->string, 0, JSON_INTEGER_MAX, file, &size, err);
	if (status == OK)
		status = json_child(workload, "inputs", JSON_OBJECT, file, &inputs, err);
	for (const cJSON *input = status == OK ? inputs->child : NULL; input != NULL && status == OK; input = input->next)
		status = read_input(input, file, err);
	return status;
}

static enum status read_environment(const cJSON *environment, const char *file, struct trace *trace, struct error *err)
{
	static const char *const fields[] = {"hardware", "libs", NULL};
	const cJSON *libs = NULL;
	enum status status = json_only(environment, fields, file, err);

	if (status == OK)
		status = some_text(environment, "hardware", file, &trace->hardware, err);
	if (status == OK && cJSON_GetObjectItemCaseSensitive(environment, "libs") != NULL)
		status = json_child(environment, "libs", JSON_OBJECT, file, &libs, err);
	for (const cJSON *lib = libs != NULL ? libs->child : NULL; lib != NULL && status == OK; lib = lib->next)
		if (!cJSON_IsString(lib))
			status = error_set(err, R_JSON_FIELD, file, "the version of '%s' is no text", lib->string);
	return status;
}

/* A number from 0; an error may also be a text, for JSON has no NaN and no infinity. */
static enum status magnitude(const cJSON *object, const char *key, bool may_be_text, const char *file, double *out, struct error *err)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	*out = 0;
	if (item == NULL)
		return OK;
	if (may_be_text && cJSON_IsString(item) && (strcmp(item->valuestring, "NaN") == 0 || strcmp(item->valuestring, "Infinity") == 0)) {
		*out = strcmp(item->valuestring, "NaN") == 0 ? (double)NAN : (double)INFINITY;
		return OK;
	}
	if (!cJSON_IsNumber(item) || item->valuedouble < 0)
		return error_set(err, R_JSON_FIELD, file, "field '%s' is no number from 0", key);
	*out = item->valuedouble;
	return OK;
}

static enum status read_correctness(const cJSON *correctness, const char *file, struct error *err)
{
	static const char *const fields[] = {"max_relative_error", "max_absolute_error", "extra", NULL};
	const cJSON *extra = cJSON_GetObjectItemCaseSensitive(correctness, "extra");
	double value;
	enum status status = json_only(correctness, fields, file, err);

	if (status == OK)
		status = magnitude(correctness, "max_relative_error", true, file, &value, err);
	if (status == OK)
		status = magnitude(correctness, "max_absolute_error", true, file, &value, err);
	if (status == OK && !absent(extra) && !cJSON_IsObject(extra))
		status = error_set(err, R_JSON_FIELD, file, "field 'extra' is neither null nor an object");
	return status;
}

static enum status read_performance(const cJSON *performance, const char *file, struct trace *trace, struct error *err)
{
	static const char *const fields[] = {"latency_ms", "reference_latency_ms", "speedup_factor", NULL};
	double value;
	enum status status = json_only(performance, fields, file, err);

	if (status == OK)
		status = magnitude(performance, "latency_ms", false, file, &value, err);
	if (status == OK)
		status = magnitude(performance, "reference_latency_ms", false, file, &value, err);
	return status == OK ? magnitude(performance, "speedup_factor", false, file, &trace->speedup, err) : status;
}

/* The rule of the schema for the statuses that it names: what is measured belongs to a kernel that ran. */
static enum status check_presence(const struct trace *trace, bool correctness, bool performance, const char *file, struct error *err)
{
	static const char *const neither[] = {"INCORRECT_SHAPE", "INCORRECT_DTYPE", "RUNTIME_ERROR", "COMPILE_ERROR", "TIMEOUT"};
	bool good = true;

	if (strcmp(trace->status, "PASSED") == 0)
		good = correctness && performance;
	else if (strcmp(trace->status, "INCORRECT_NUMERICAL") == 0)
		good = correctness && !performance;
	for (size_t i = 0; i < sizeof neither / sizeof neither[0]; i++)
		if (strcmp(trace->status, neither[i]) == 0)
			good = !correctness && !performance;
	return good ? OK
	            : error_set(err, R_TRC_VALUE, file, "status %s %s correctness and %s performance", trace->status,
	                        correctness ? "with" : "without", performance ? "with" : "without");
}

static enum status read_evaluation(const cJSON *evaluation, const char *file, struct trace *trace, struct error *err)
{
	static const char *const fields[] = {"status", "environment", "timestamp", "log", "correctness", "performance", NULL};
	const cJSON *environment = NULL, *correctness = NULL, *performance = NULL;
	enum status status = json_only(evaluation, fields, file, err);

	if (status == OK)
		status = some_text(evaluation, "status", file, &trace->status, err);
	if (status == OK)
		status = some_text(evaluation, "timestamp", file, &trace->timestamp, err);
	if (status == OK)
		status = optional_text(evaluation, "log", file, &trace->log, err);
	if (status == OK)
		status = json_child(evaluation, "environment", JSON_OBJECT, file, &environment, err);
	if (status == OK)
		status = read_environment(environment, file, trace, err);
	if (status == OK && !absent(cJSON_GetObjectItemCaseSensitive(evaluation, "correctness")))
		status = json_child(evaluation, "correctness", JSON_OBJECT, file, &correctness, err);
	if (status == OK && correctness != NULL)
		status = read_correctness(correctness, file, err);
	if (status == OK && !absent(cJSON_GetObjectItemCaseSensitive(evaluation, "performance")))
		status = json_child(evaluation, "performance", JSON_OBJECT, file, &performance, err);
	if (status == OK && performance != NULL)
		status = read_performance(performance, file, trace, err);
	if (status == OK && trace->log == NULL)
		trace->log = "";
	return status == OK ? check_presence(trace, correctness != NULL, performance != NULL, file, err) : status;
}

static enum status read_trace(const cJSON *tree, const char *file, struct trace *trace, struct error *err)
{
	static const char *const fields[] = {"definition", "workload", "solution", "evaluation", NULL};
	const cJSON *workload = NULL, *evaluation = NULL;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_JSON_FIELD, file, "the trace is not an object");
	enum status status = json_only(tree, fields, file, err);

	if (status == OK)
		status = some_text(tree, "definition", file, &trace->definition, err);
	if (status == OK)
		status = json_child(tree, "workload", JSON_OBJECT, file, &workload, err);
	if (status == OK)
		status = read_workload(workload, file, trace, err);
	if (status == OK)
		status = optional_text(tree, "solution", file, &trace->solution, err);
	if (status == OK && !absent(cJSON_GetObjectItemCaseSensitive(tree, "evaluation")))
		status = json_child(tree, "evaluation", JSON_OBJECT, file, &evaluation, err);
	if (status == OK && evaluation != NULL)
		status = read_evaluation(evaluation, file, trace, err);
	if (status == OK && (evaluation != NULL) != (trace->solution != NULL))
		status = error_set(err, R_TRC_VALUE, file, "it has only one of solution and evaluation");
	return status;
}

enum status trace_read(const cJSON *tree, const char *file, uint64_t line, struct trace *trace, struct error *err)
{
	*trace = (struct trace){0};
	return at_line(read_trace(tree, file, trace, err), line, err);
}
