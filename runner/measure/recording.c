#include "recording.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../kernel/ptx.h"

static const char file[] = "record";

/* Whatever is wrong with it: nobody but the recorder writes such a text, and the recorder does not err so. */
static enum status no_record(struct error *err, const char *what)
{
	return error_set(err, R_LOW_RECORD, "", "what came back is no record: %s", what);
}

static enum status as_number(const cJSON *item, uint64_t *value, struct error *err)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";
	const size_t len = strlen(text);

	if (len == 0 || len > 20 || strspn(text, "0123456789") != len || (len == 20 && strcmp(text, "18446744073709551615") > 0))
		return no_record(err, "a number is none");
	*value = strtoull(text, NULL, 10);
	return OK;
}

static enum status number(const cJSON *object, const char *key, uint64_t *value, struct error *err)
{
	return as_number(cJSON_GetObjectItemCaseSensitive(object, key), value, err);
}

static enum status numbers(const cJSON *object, const char *key, size_t count, uint64_t *values, struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(object, key);
	enum status status = OK;

	if (!cJSON_IsArray(array) || (size_t)cJSON_GetArraySize(array) != count)
		return no_record(err, "a list has another length");
	for (const cJSON *item = array->child; item != NULL && status == OK; item = item->next)
		status = as_number(item, values++, err);
	return status;
}

static int nibble(char digit)
{
	return digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

static enum status bytes_of(const cJSON *item, uint8_t *out, size_t size, struct error *err)
{
	const char *text = cJSON_IsString(item) ? item->valuestring : "";

	if (strlen(text) != 2 * size)
		return no_record(err, "bytes are of another length");
	for (size_t i = 0; i < size; i++) {
		const int high = nibble(text[2 * i]), low = nibble(text[2 * i + 1]);

		if (high < 0 || low < 0)
			return no_record(err, "bytes are not in hexadecimal digits");
		out[i] = (uint8_t)(high << 4 | low);
	}
	return OK;
}

static enum status too_many(struct error *err, const char *what, size_t most)
{
	return error_set(err, R_LOW_LAUNCH, "", "there are more than %zu %s in one call", most, what);
}

static enum status take_allocation(struct recording *recording, const cJSON *call, struct error *err)
{
	if (recording->allocation_count == RECORDED_ALLOCATIONS_MAX)
		return too_many(err, "allocations", RECORDED_ALLOCATIONS_MAX);
	struct recorded_allocation *allocation = &recording->allocations[recording->allocation_count++];
	enum status status = number(call, "address", &allocation->address, err);

	return status == OK ? number(call, "bytes", &allocation->bytes, err) : status;
}

static enum status take_fill(struct recording *recording, const cJSON *call, struct error *err)
{
	if (recording->fill_count == RECORDED_FILLS_MAX)
		return too_many(err, "fillings", RECORDED_FILLS_MAX);
	struct recorded_fill *fill = &recording->fills[recording->fill_count++];
	uint64_t value = 0;
	enum status status = number(call, "address", &fill->address, err);

	if (status == OK)
		status = number(call, "bytes", &fill->bytes, err);
	if (status == OK)
		status = number(call, "value", &value, err);
	if (status == OK && value > 255)
		status = no_record(err, "a byte is none");
	fill->value = (uint8_t)value;
	fill->launch = recording->launch_count;
	return status;
}

static enum status take_map(struct recording *recording, const cJSON *call, struct error *err)
{
	if (recording->map_count == RECORDED_MAPS_MAX)
		return too_many(err, "tensor maps", RECORDED_MAPS_MAX);
	struct recorded_map *map = &recording->maps[recording->map_count++];
	const struct {
		const char *key;
		uint64_t *value;
	} fields[] = {{"type", &map->type},       {"address", &map->address}, {"interleave", &map->interleave},
	              {"swizzle", &map->swizzle}, {"l2", &map->l2},           {"fill", &map->fill}};
	const int rank = cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(call, "dims"));
	enum status status = bytes_of(cJSON_GetObjectItemCaseSensitive(call, "token"), map->token, MAP_BYTES, err);

	if (status == OK && (rank < 1 || rank > MAP_RANK_MAX))
		return no_record(err, "a map has no dimensions, or more than five");
	map->rank = (unsigned)rank;
	for (size_t i = 0; i < sizeof fields / sizeof fields[0] && status == OK; i++)
		status = number(call, fields[i].key, fields[i].value, err);
	if (status == OK)
		status = numbers(call, "dims", map->rank, map->dims, err);
	if (status == OK)
		status = numbers(call, "strides", map->rank - 1, map->strides, err);
	if (status == OK)
		status = numbers(call, "box", map->rank, map->box, err);
	return status == OK ? numbers(call, "steps", map->rank, map->steps, err) : status;
}

static enum status take_parameters(struct recorded_launch *launch, const cJSON *call, struct error *err)
{
	const cJSON *array = cJSON_GetObjectItemCaseSensitive(call, "parameters");
	const size_t count = (size_t)cJSON_GetArraySize(array);
	enum status status = OK;

	if (!cJSON_IsArray(array))
		return no_record(err, "a launch has no parameters");
	if (count > CANDIDATE_PARAMETERS_MAX)
		return too_many(err, "parameters", CANDIDATE_PARAMETERS_MAX);
	launch->parameters = mem_alloc((count + 1) * sizeof *launch->parameters);
	for (const cJSON *item = array->child; item != NULL && status == OK; item = item->next) {
		struct recorded_parameter *parameter = &launch->parameters[launch->parameter_count++];

		parameter->size = cJSON_IsString(item) ? strlen(item->valuestring) / 2 : 0;
		if (parameter->size == 0 || parameter->size > PTX_PARAMETER_BYTES_MAX)
			return no_record(err, "a parameter has no bytes, or too many");
		parameter->bytes = mem_alloc(parameter->size);
		status = bytes_of(item, parameter->bytes, parameter->size, err);
	}
	return status;
}

static enum status take_launch(struct recording *recording, const cJSON *call, struct error *err)
{
	if (recording->launch_count == CANDIDATE_LAUNCHES_MAX)
		return too_many(err, "launches", CANDIDATE_LAUNCHES_MAX);
	struct recorded_launch *launch = &recording->launches[recording->launch_count++];
	const cJSON *function = cJSON_GetObjectItemCaseSensitive(call, "function");

	if (!cJSON_IsString(function))
		return no_record(err, "a launch has no function");
	launch->function = function->valuestring;
	enum status status = numbers(call, "grid", 3, launch->grid, err);

	if (status == OK)
		status = numbers(call, "block", 3, launch->block, err);
	if (status == OK)
		status = numbers(call, "cluster", 3, launch->cluster, err);
	if (status == OK)
		status = number(call, "shared", &launch->shared, err);
	return status == OK ? take_parameters(launch, call, err) : status;
}

static enum status take_asked(struct recording *recording, const cJSON *call, struct error *err)
{
	uint64_t attribute = 0, value = 0;
	size_t at = 0;
	enum status status = number(call, "attribute", &attribute, err);

	if (status == OK)
		status = number(call, "value", &value, err);
	if (status != OK)
		return status;
	if (attribute == 0 || attribute > 1024 || value > INT32_MAX)
		return no_record(err, "an attribute of the device is none");
	while (at < recording->asked_count && recording->asked[at].attribute < (int)attribute)
		at++;
	if (at < recording->asked_count && recording->asked[at].attribute == (int)attribute)
		return recording->asked[at].value == (int64_t)value ? OK : no_record(err, "the device gave two answers");
	if (recording->asked_count == CANDIDATE_ASKED_MAX)
		return too_many(err, "questions", CANDIDATE_ASKED_MAX);
	memmove(&recording->asked[at + 1], &recording->asked[at], (recording->asked_count - at) * sizeof recording->asked[0]);
	recording->asked[at] = (struct candidate_asked){(int)attribute, (int64_t)value};
	recording->asked_count++;
	return OK;
}

static enum status take_call(struct recording *recording, const cJSON *call, struct error *err)
{
	static const struct {
		const char *name;
		enum status (*take)(struct recording *, const cJSON *, struct error *);
	} calls[] = {{"malloc", take_allocation}, {"memset", take_fill}, {"map", take_map}, {"launch", take_launch}, {"asked", take_asked}};
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(call, "call");

	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
		if (cJSON_IsString(name) && strcmp(calls[i].name, name->valuestring) == 0)
			return calls[i].take(recording, call, err);
	return no_record(err, "a call has no name that is known");
}

static enum status take_end(const cJSON *tree, struct error *err)
{
	static const struct {
		const char *end, *kind;
		enum rule rule;
		const char *words; /* before the record's own */
	} ends[] = {
		{"raised", "", R_LOW_END, "run reports an error: "},
		{"unloadable", "", R_LOW_CALLS, "the code cannot be loaded: "},
		{"unexported", "", R_LOW_EXPORT, "the code exports no run"},
		{"unsafe", "", R_LOW_SANDBOX, ""},
		{"tools", "", R_LOW_TOOLS, ""},
		{"refused", "calls", R_LOW_CALLS, ""},
		{"refused", "copy", R_LOW_COPY, ""},
		{"refused", "order", R_LOW_ORDER, ""},
		{"refused", "launch", R_LOW_LAUNCH, ""},
		{"refused", "unknown", R_LOW_UNKNOWN, ""},
	};
	const char *end = NULL, *kind = NULL, *text = NULL;
	enum status status = json_text(tree, "end", file, &end, err);

	if (status == OK)
		status = json_text(tree, "kind", file, &kind, err);
	if (status == OK)
		status = json_text(tree, "text", file, &text, err);
	if (status != OK)
		return no_record(err, "it does not say how it ended");
	if (strcmp(end, "returned") == 0)
		return OK;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
		if (strcmp(ends[i].end, end) == 0 && strcmp(ends[i].kind, kind) == 0)
			return error_set(err, ends[i].rule, "", "%s%s", ends[i].words, text);
	return no_record(err, "it ended in a way that is not known");
}

enum status recording_read(const char *text, size_t len, struct recording *recording, struct error *err)
{
	const cJSON *calls = NULL;

	*recording = (struct recording){0};
	if (json_parse(text, len, file, &recording->tree, NULL) != OK)
		return no_record(err, "it is no JSON text");
	enum status status = take_end(recording->tree, err);

	if (status != OK)
		return status;
	calls = cJSON_GetObjectItemCaseSensitive(recording->tree, "calls");
	if (!cJSON_IsArray(calls))
		return no_record(err, "it has no calls");
	for (const cJSON *call = calls->child; call != NULL && status == OK; call = call->next)
		status = take_call(recording, call, err);
	if (status == OK && recording->launch_count == 0)
		status = error_set(err, R_LOW_EXPORT, "", "run launches nothing");
	return status;
}

void recording_free(struct recording *recording)
{
	for (size_t i = 0; i < recording->launch_count; i++) {
		for (size_t j = 0; j < recording->launches[i].parameter_count; j++)
			free(recording->launches[i].parameters[j].bytes);
		free(recording->launches[i].parameters);
	}
	cJSON_Delete(recording->tree);
	*recording = (struct recording){0};
}
