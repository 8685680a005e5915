#include "candidate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../base/name.h"
#include "ptx.h"

static const char schema[] = "ptxseal-candidate/1";

static const struct {
	const char *name;
	unsigned bytes;
} elements[ELEMENT_COUNT] = {
	[ELEMENT_U8] = {"uint8", 1},     [ELEMENT_U16] = {"uint16", 2},   [ELEMENT_U32] = {"uint32", 4},
	[ELEMENT_I32] = {"int32", 4},    [ELEMENT_U64] = {"uint64", 8},   [ELEMENT_I64] = {"int64", 8},
	[ELEMENT_F16] = {"float16", 2},  [ELEMENT_BF16] = {"bfloat16", 2}, [ELEMENT_F32] = {"float32", 4},
};

static const char *const kinds[PARAMETER_COUNT] = {
	[PARAMETER_TENSOR] = "tensor", [PARAMETER_MAP] = "map", [PARAMETER_BUFFER] = "buffer",
	[PARAMETER_U32] = "u32",       [PARAMETER_U64] = "u64", [PARAMETER_F32] = "f32",       [PARAMETER_BYTES] = "bytes",
};

unsigned element_bytes(enum element element)
{
	return elements[element].bytes;
}

/* Letters, digits and _ (and where also says so, characters of also), beginning with a letter or _. */
static bool is_name(const char *text, const char *also, size_t max)
{
	const size_t len = strlen(text);
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

	if (len == 0 || len >= max || strchr(letters, text[0]) == NULL)
		return false;
	for (size_t i = 1; i < len; i++)
		if (strchr(letters, text[i]) == NULL && strchr("0123456789", text[i]) == NULL && strchr(also, text[i]) == NULL)
			return false;
	return true;
}

/* sm_90, sm_90a, sm_100f. */
static bool is_arch(const char *text)
{
	const size_t digits = strncmp(text, "sm_", 3) == 0 ? strspn(text + 3, "0123456789") : 0;
	const char *tail = text + 3 + digits;

	return digits >= 2 && digits <= 3 && (tail[0] == '\0' || ((tail[0] == 'a' || tail[0] == 'f') && tail[1] == '\0'));
}

/* One to max texts; more than max, none, or anything else is refused. */
static enum status texts(const struct candidate *candidate, const cJSON *object, const char *key, size_t min, size_t max,
                         const char **out, size_t *count, struct error *err)
{
	const cJSON *array = NULL;
	enum status status = json_child(object, key, JSON_ARRAY, candidate->file, &array, err);

	if (status != OK)
		return status;
	const size_t size = (size_t)cJSON_GetArraySize(array);

	if (size < min || size > max)
		return error_set(err, R_CAN_LIMIT, candidate->file, "\"%s\" has %zu members; %zu to %zu are allowed", key, size, min, max);
	*count = 0;
	for (const cJSON *item = array->child; item != NULL; item = item->next) {
		if (!cJSON_IsString(item))
			return error_set(err, R_JSON_FIELD, candidate->file, "\"%s\" holds something that is no text; expressions are texts", key);
		out[(*count)++] = item->valuestring;
	}
	return OK;
}

static enum status triple(const struct candidate *candidate, const cJSON *object, const char *key, const char **out, struct error *err)
{
	size_t count;

	return texts(candidate, object, key, 3, 3, out, &count, err);
}

/* One of the allowed numbers (ended by -1). */
static enum status choice(const struct candidate *candidate, const cJSON *object, const char *key, const int *allowed, unsigned *out,
                          struct error *err)
{
	int64_t value = 0;
	enum status status = json_integer(object, key, 0, 256, candidate->file, &value, err);

	if (status != OK)
		return status;
	for (size_t i = 0; allowed[i] >= 0; i++) {
		if (allowed[i] == value) {
			*out = (unsigned)value;
			return OK;
		}
	}
	return error_set(err, R_CAN_MAP, candidate->file, "\"%s\" is %lld, which the hardware does not have", key, (long long)value);
}

static bool name_taken(const struct candidate *candidate, const char *name)
{
	for (size_t i = 0; i < candidate->buffer_count; i++)
		if (strcmp(candidate->buffers[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < candidate->map_count; i++)
		if (strcmp(candidate->maps[i].name, name) == 0)
			return true;
	return false;
}

static enum status read_name(const struct candidate *candidate, const cJSON *object, const char **name, struct error *err)
{
	enum status status = json_text(object, "name", candidate->file, name, err);

	if (status != OK)
		return status;
	if (!is_name(*name, "", CANDIDATE_NAME_MAX))
		return error_set(err, R_CAN_NAME, candidate->file, "'%s' is no name of a buffer or map", *name);
	if (name_taken(candidate, *name))
		return error_set(err, R_CAN_NAME, candidate->file, "'%s' stands for two buffers or maps", *name);
	return OK;
}

static enum status read_buffer(struct candidate *candidate, const cJSON *object, struct error *err)
{
	static const char *const fields[] = {"name", "bytes", "fill", NULL};
	struct candidate_buffer buffer = {0};
	int64_t fill = 0;
	enum status status = json_only(object, fields, candidate->file, err);

	if (status == OK)
		status = read_name(candidate, object, &buffer.name, err);
	if (status == OK)
		status = json_text(object, "bytes", candidate->file, &buffer.bytes, err);
	buffer.filled = !cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(object, "fill"));
	if (status == OK && buffer.filled)
		status = json_integer(object, "fill", 0, 255, candidate->file, &fill, err);
	buffer.fill = (uint8_t)fill;
	candidate->buffers[candidate->buffer_count++] = buffer;
	return status;
}

static enum status read_element(const struct candidate *candidate, const cJSON *object, enum element *element, struct error *err)
{
	const char *text = NULL;
	enum status status = json_text(object, "dtype", candidate->file, &text, err);

	if (status != OK)
		return status;
	for (unsigned i = 0; i < ELEMENT_COUNT; i++) {
		if (strcmp(elements[i].name, text) == 0) {
			*element = (enum element)i;
			return OK;
		}
	}
	return error_set(err, R_CAN_MAP, candidate->file, "'%s' is no element type of a tensor map; FP8 goes as uint8", text);
}

/* An optional expression: bytes from the start of what is named. */
static enum status read_plus(const struct candidate *candidate, const cJSON *object, const char **plus, struct error *err)
{
	*plus = NULL;
	return cJSON_GetObjectItemCaseSensitive(object, "plus") == NULL ? OK : json_text(object, "plus", candidate->file, plus, err);
}

/* "tensor": a tensor of the task, or "buffer": a buffer of this file. */
static enum status read_target(const struct candidate *candidate, const cJSON *object, struct candidate_map *map, struct error *err)
{
	map->on_buffer = cJSON_GetObjectItemCaseSensitive(object, "buffer") != NULL;
	if (map->on_buffer && cJSON_GetObjectItemCaseSensitive(object, "tensor") != NULL)
		return error_set(err, R_CAN_REFERENCE, candidate->file, "map '%s' names a tensor and a buffer", map->name);
	enum status status = json_text(object, map->on_buffer ? "buffer" : "tensor", candidate->file, &map->target, err);

	return status == OK ? read_plus(candidate, object, &map->plus, err) : status;
}

static enum status read_map(struct candidate *candidate, const cJSON *object, struct error *err)
{
	static const char *const fields[] = {"name", "tensor", "buffer", "plus", "dtype", "dims", "strides", "box", "swizzle", "interleave", "l2", NULL};
	static const int swizzles[] = {0, 32, 64, 128, -1};
	static const int interleaves[] = {0, 16, 32, -1};
	static const int promotions[] = {0, 64, 128, 256, -1};
	struct candidate_map map = {0};
	size_t dims = 0, strides = 0, box = 0;
	enum status status = json_only(object, fields, candidate->file, err);

	if (status == OK)
		status = read_name(candidate, object, &map.name, err);
	if (status == OK)
		status = read_target(candidate, object, &map, err);
	if (status == OK)
		status = read_element(candidate, object, &map.element, err);
	if (status == OK)
		status = texts(candidate, object, "dims", 1, MAP_RANK_MAX, map.dims, &dims, err);
	if (status == OK)
		status = texts(candidate, object, "strides", dims - 1, dims - 1, map.strides, &strides, err);
	if (status == OK)
		status = texts(candidate, object, "box", dims, dims, map.box, &box, err);
	if (status == OK)
		status = choice(candidate, object, "swizzle", swizzles, &map.swizzle, err);
	if (status == OK)
		status = choice(candidate, object, "interleave", interleaves, &map.interleave, err);
	if (status == OK)
		status = choice(candidate, object, "l2", promotions, &map.l2, err);
	map.rank = (unsigned)dims;
	candidate->maps[candidate->map_count++] = map;
	return status;
}

/* A decimal number as C writes one, with a finite value in fp32. */
static bool is_float(const char *text)
{
	static const char digits[] = "0123456789";
	const char *at = text + (text[0] == '-');
	const size_t whole = strspn(at, digits);

	at += whole;
	if (*at == '.') {
		const size_t part = strspn(at + 1, digits);

		if (part == 0)
			return false;
		at += 1 + part;
	}
	if (whole > 0 && (*at == 'e' || *at == 'E')) {
		at += 1 + (at[1] == '-' || at[1] == '+');
		const size_t exponent = strspn(at, digits);

		if (exponent == 0)
			return false;
		at += exponent;
	}
	return whole > 0 && *at == '\0' && isfinite(strtof(text, NULL));
}

static bool names_map(const struct candidate *candidate, const char *name)
{
	for (size_t i = 0; i < candidate->map_count; i++)
		if (strcmp(candidate->maps[i].name, name) == 0)
			return true;
	return false;
}

static bool names_buffer(const struct candidate *candidate, const char *name)
{
	for (size_t i = 0; i < candidate->buffer_count; i++)
		if (strcmp(candidate->buffers[i].name, name) == 0)
			return true;
	return false;
}

static enum status check_reference(const struct candidate *candidate, enum parameter_kind kind, const char *name, struct error *err)
{
	if ((kind == PARAMETER_MAP && !names_map(candidate, name)) || (kind == PARAMETER_BUFFER && !names_buffer(candidate, name)))
		return error_set(err, R_CAN_REFERENCE, candidate->file, "there is no %s '%s'", kinds[kind], name);
	return OK;
}

/* The field that says the kind, which is the only one but those that kind may have beside it. */
static enum status read_kind(const struct candidate *candidate, const cJSON *object, enum parameter_kind *kind, const char **text, struct error *err)
{
	const cJSON *found = NULL;

	for (const cJSON *field = cJSON_IsObject(object) ? object->child : NULL; field != NULL; field = field->next) {
		unsigned i = 0;

		while (i < PARAMETER_COUNT && strcmp(kinds[i], field->string) != 0)
			i++;
		if (i == PARAMETER_COUNT)
			continue;
		if (found != NULL)
			return error_set(err, R_JSON_FIELD, candidate->file, "one thing is a '%s' and a '%s'", found->string, field->string);
		found = field;
		*kind = (enum parameter_kind)i;
	}
	if (found == NULL || !cJSON_IsString(found))
		return error_set(err, R_JSON_FIELD, candidate->file, "a parameter is an object whose field of its kind (tensor, u32, ...) is a text");
	*text = found->valuestring;
	return OK;
}

/* Hexadecimal digits in pairs: the same bytes are written in one way only. */
static enum status check_hex(const struct candidate *candidate, const char *text, struct error *err)
{
	const size_t len = strlen(text);

	if (len == 0 || len % 2 != 0 || len > 2 * PTX_PARAMETER_BYTES_MAX || strspn(text, "0123456789abcdef") != len)
		return error_set(err, R_CAN_RANGE, candidate->file, "bytes are written as 2 to %d digits 0-9, a-f, in pairs", 2 * PTX_PARAMETER_BYTES_MAX);
	return OK;
}

static unsigned patch_bytes(const struct candidate_patch *patch)
{
	return patch->kind == PARAMETER_MAP ? MAP_BYTES : 8;
}

static enum status read_patch(const struct candidate *candidate, const cJSON *object, struct candidate_parameter *parameter, struct error *err)
{
	static const char *const fields[] = {"offset", "tensor", "buffer", "map", "plus", NULL};
	struct candidate_patch *patch = &parameter->patches[parameter->patch_count];
	const size_t size = strlen(parameter->text) / 2;
	int64_t offset = 0;
	enum status status = json_only(object, fields, candidate->file, err);

	if (status == OK)
		status = json_integer(object, "offset", 0, PTX_PARAMETER_BYTES_MAX, candidate->file, &offset, err);
	if (status == OK)
		status = read_kind(candidate, object, &patch->kind, &patch->name, err);
	if (status == OK)
		status = read_plus(candidate, object, &patch->plus, err);
	if (status == OK)
		status = check_reference(candidate, patch->kind, patch->name, err);
	if (status != OK)
		return status;
	patch->offset = (uint32_t)offset;
	if (patch->kind == PARAMETER_MAP && patch->plus != NULL)
		return error_set(err, R_JSON_FIELD, candidate->file, "a map in a parameter has no \"plus\"");
	const struct candidate_patch *before = parameter->patch_count > 0 ? patch - 1 : NULL;
	const size_t from = before != NULL ? before->offset + patch_bytes(before) : 0;

	if (patch->offset % (patch->kind == PARAMETER_MAP ? 64 : 8) != 0 || patch->offset < from || patch->offset + patch_bytes(patch) > size)
		return error_set(err, R_CAN_RANGE, candidate->file,
		                 "what stands at byte %u of a parameter of %zu is not aligned, not in order, or beyond its end", patch->offset, size);
	parameter->patch_count++;
	return OK;
}

static enum status read_patches(const struct candidate *candidate, const cJSON *object, struct candidate_parameter *parameter, struct error *err)
{
	const cJSON *array = NULL;
	enum status status = check_hex(candidate, parameter->text, err);

	if (status == OK && cJSON_GetObjectItemCaseSensitive(object, "at") != NULL)
		status = json_child(object, "at", JSON_ARRAY, candidate->file, &array, err);
	if (status != OK || array == NULL)
		return status;
	const size_t size = (size_t)cJSON_GetArraySize(array);

	if (size > CANDIDATE_PATCHES_MAX)
		return error_set(err, R_CAN_LIMIT, candidate->file, "%zu addresses stand in one parameter; at most %d are allowed", size,
		                 CANDIDATE_PATCHES_MAX);
	parameter->patches = mem_alloc((size + 1) * sizeof *parameter->patches);
	for (const cJSON *item = array->child; item != NULL && status == OK; item = item->next)
		status = read_patch(candidate, item, parameter, err);
	return status;
}

/* Tensors and expressions are looked at when the workload is known. */
static enum status read_parameter(const struct candidate *candidate, const cJSON *object, struct candidate_parameter *parameter,
                                  struct error *err)
{
	*parameter = (struct candidate_parameter){0};
	enum status status = read_kind(candidate, object, &parameter->kind, &parameter->text, err);

	if (status != OK)
		return status;
	const enum parameter_kind kind = parameter->kind;
	const bool address = kind == PARAMETER_TENSOR || kind == PARAMETER_BUFFER;
	const char *const fields[] = {kinds[kind], address ? "plus" : kind == PARAMETER_BYTES ? "at" : NULL, NULL};

	status = json_only(object, fields, candidate->file, err);
	if (status == OK && address)
		status = read_plus(candidate, object, &parameter->plus, err);
	if (status == OK && kind == PARAMETER_BYTES)
		status = read_patches(candidate, object, parameter, err);
	if (status == OK && kind == PARAMETER_F32 && !is_float(parameter->text))
		return error_set(err, R_CAN_RANGE, candidate->file, "'%s' is no decimal number of fp32", parameter->text);
	return status == OK ? check_reference(candidate, kind, parameter->text, err) : status;
}

static enum status read_parameters(const struct candidate *candidate, const cJSON *object, struct candidate_launch *launch,
                                   struct error *err)
{
	const cJSON *array = NULL;
	enum status status = json_child(object, "parameters", JSON_ARRAY, candidate->file, &array, err);

	if (status != OK)
		return status;
	const size_t size = (size_t)cJSON_GetArraySize(array);

	if (size > CANDIDATE_PARAMETERS_MAX)
		return error_set(err, R_CAN_LIMIT, candidate->file, "a launch has %zu parameters; at most %d are allowed", size,
		                 CANDIDATE_PARAMETERS_MAX);
	launch->parameters = mem_alloc((size + 1) * sizeof *launch->parameters);
	for (const cJSON *item = array->child; item != NULL && status == OK; item = item->next)
		status = read_parameter(candidate, item, &launch->parameters[launch->parameter_count++], err);
	return status;
}

static enum status read_launch(struct candidate *candidate, const cJSON *object, struct error *err)
{
	static const char *const fields[] = {"function", "grid", "block", "cluster", "shared", "parameters", NULL};
	struct candidate_launch *launch = &candidate->launches[candidate->launch_count++];
	enum status status = json_only(object, fields, candidate->file, err);

	if (status == OK)
		status = json_text(object, "function", candidate->file, &launch->function, err);
	if (status == OK && !is_name(launch->function, "$", 1024))
		return error_set(err, R_CAN_NAME, candidate->file, "'%s' is no name of a function", launch->function);
	if (status == OK)
		status = triple(candidate, object, "grid", launch->grid, err);
	if (status == OK)
		status = triple(candidate, object, "block", launch->block, err);
	if (status == OK)
		status = triple(candidate, object, "cluster", launch->cluster, err);
	if (status == OK)
		status = json_text(object, "shared", candidate->file, &launch->shared, err);
	if (status == OK)
		status = read_parameters(candidate, object, launch, err);
	return status;
}

static enum status read_list(struct candidate *candidate, const char *key, size_t min, size_t max,
                             enum status (*read)(struct candidate *, const cJSON *, struct error *), struct error *err)
{
	const cJSON *array = NULL;
	enum status status = json_child(candidate->tree, key, JSON_ARRAY, candidate->file, &array, err);

	if (status != OK)
		return status;
	const size_t size = (size_t)cJSON_GetArraySize(array);

	if (size < min || size > max)
		return error_set(err, R_CAN_LIMIT, candidate->file, "\"%s\" has %zu members; %zu to %zu are allowed", key, size, min, max);
	for (const cJSON *item = array->child; item != NULL && status == OK; item = item->next)
		status = read(candidate, item, err);
	return status;
}

static enum status check_head(const struct candidate *candidate, const char *said, struct error *err)
{
	if (strcmp(said, schema) != 0)
		return error_set(err, R_CAN_SCHEMA, candidate->file, "the schema is '%s'", said);
	if (!is_name(candidate->task, ".-", 96) || !is_name(candidate->name, ".-", 96))
		return error_set(err, R_CAN_NAME, candidate->file, "'%s' or '%s' is no name of a task or candidate", candidate->task,
		                 candidate->name);
	if (!is_arch(candidate->arch))
		return error_set(err, R_CAN_PTX, candidate->file, "'%s' is no architecture such as sm_90a", candidate->arch);
	if (strchr(candidate->ptx_file, '/') != NULL || !path_valid(candidate->ptx_file, strlen(candidate->ptx_file)))
		return error_set(err, R_CAN_PTX, candidate->file, "'%s' is no file beside candidate.json", candidate->ptx_file);
	return OK;
}

static enum status read_asked(struct candidate *candidate, const cJSON *object, struct error *err)
{
	static const char *const fields[] = {"attribute", "value", NULL};
	struct candidate_asked *asked = &candidate->lowering.asked[candidate->lowering.asked_count++];
	int64_t attribute = 0;
	enum status status = json_only(object, fields, candidate->file, err);

	if (status == OK)
		status = json_integer(object, "attribute", 1, 1024, candidate->file, &attribute, err);
	if (status == OK)
		status = json_integer(object, "value", INT32_MIN, INT32_MAX, candidate->file, &asked->value, err);
	asked->attribute = (int)attribute;
	return status;
}

/* Fields that say how it was made are for `rebuild` and readers; those read here bind the data to its source, workload and device. */
static enum status read_lowering(struct candidate *candidate, struct error *err)
{
	static const char *const fields[] = {"source", "sha256", "workload", "asked", "toolchain", NULL};
	struct candidate_lowering *lowering = &candidate->lowering;
	const char *hash = NULL;
	const cJSON *object = NULL, *asked = NULL, *toolchain = NULL;
	enum status status = json_child(candidate->tree, "lowered", JSON_OBJECT, candidate->file, &object, err);

	if (status == OK)
		status = json_only(object, fields, candidate->file, err);
	if (status == OK)
		status = json_text(object, "source", candidate->file, &lowering->source, err);
	if (status == OK)
		status = json_text(object, "sha256", candidate->file, &hash, err);
	if (status == OK)
		status = json_text(object, "workload", candidate->file, &lowering->workload, err);
	if (status == OK)
		status = json_child(object, "toolchain", JSON_OBJECT, candidate->file, &toolchain, err);
	if (status == OK)
		status = json_child(object, "asked", JSON_ARRAY, candidate->file, &asked, err);
	if (status != OK)
		return status;
	if (!is_name(lowering->source, ".-", CANDIDATE_NAME_MAX) || !sha256_parse(hash, &lowering->hash))
		return error_set(err, R_LOW_SOURCE, candidate->file, "\"lowered\" names no file beside candidate.json, or no SHA-256 of it");
	if (cJSON_GetArraySize(asked) > CANDIDATE_ASKED_MAX)
		return error_set(err, R_CAN_LIMIT, candidate->file, "\"asked\" has more than %d members", CANDIDATE_ASKED_MAX);
	for (const cJSON *item = asked->child; item != NULL && status == OK; item = item->next)
		status = read_asked(candidate, item, err);
	return status;
}

static enum status read_head(struct candidate *candidate, struct error *err)
{
	static const char *const fields[] = {"schema", "task", "name", "label", "arch", "ptx", "origin", "lowered", "buffers", "maps", "launches", NULL};
	const char *said = NULL;
	const struct {
		const char *key;
		const char **out;
	} head[] = {{"schema", &said},           {"task", &candidate->task},    {"name", &candidate->name},    {"label", &candidate->label},
	            {"arch", &candidate->arch}, {"ptx", &candidate->ptx_file}, {"origin", &candidate->origin}};
	enum status status = json_parse(candidate->json.data, candidate->json.len, candidate->file, &candidate->tree, err);

	if (status == OK)
		status = json_only(candidate->tree, fields, candidate->file, err);
	for (size_t i = 0; i < sizeof head / sizeof head[0] && status == OK; i++)
		status = json_text(candidate->tree, head[i].key, candidate->file, head[i].out, err);
	if (status == OK)
		status = check_head(candidate, said, err);
	if (status == OK)
		status = name_check(candidate->label, "label", candidate->file, err);
	candidate->is_lowered = cJSON_GetObjectItemCaseSensitive(candidate->tree, "lowered") != NULL;
	return status == OK && candidate->is_lowered ? read_lowering(candidate, err) : status;
}

static enum status read_body(struct candidate *candidate, struct error *err)
{
	enum status status = read_list(candidate, "buffers", 0, CANDIDATE_BUFFERS_MAX, read_buffer, err);

	if (status == OK)
		status = read_list(candidate, "maps", 0, CANDIDATE_MAPS_MAX, read_map, err);
	for (size_t i = 0; i < candidate->map_count && status == OK; i++)
		if (candidate->maps[i].on_buffer && !names_buffer(candidate, candidate->maps[i].target))
			return error_set(err, R_CAN_REFERENCE, candidate->file, "map '%s' lies on a buffer '%s' that is not there",
			                 candidate->maps[i].name, candidate->maps[i].target);
	return status == OK ? read_list(candidate, "launches", 1, CANDIDATE_LAUNCHES_MAX, read_launch, err) : status;
}

static void add_length(struct bytes *out, size_t len)
{
	for (unsigned shift = 0; shift < 64; shift += 8)
		bytes_char(out, (char)((uint64_t)len >> shift & 0xFF));
}

static struct sha256 content_id(const struct candidate *candidate)
{
	struct bytes content = {0};

	add_length(&content, candidate->ptx.len);
	bytes_add(&content, candidate->ptx.data, candidate->ptx.len);
	add_length(&content, candidate->json.len);
	bytes_add(&content, candidate->json.data, candidate->json.len);
	const struct sha256 id = sha256_of(content.data, content.len);

	bytes_free(&content);
	return id;
}

static struct candidate *empty(const char *directory)
{
	struct candidate *candidate = mem_alloc(sizeof *candidate);

	candidate->directory = mem_text(directory);
	candidate->file = mem_format("%s/candidate.json", directory);
	return candidate;
}

static enum status deliver(enum status status, struct candidate *made, struct candidate **candidate)
{
	if (status != OK) {
		candidate_free(made);
		made = NULL;
	}
	*candidate = made;
	return status;
}

enum status candidate_parse(const char *directory, const void *json, size_t json_len, const void *ptx, size_t ptx_len,
                            struct candidate **candidate, struct error *err)
{
	struct candidate *made = empty(directory);

	bytes_add(&made->json, json, json_len);
	bytes_add(&made->ptx, ptx, ptx_len);
	made->id = content_id(made);
	enum status status = read_head(made, err);

	return deliver(status == OK ? read_body(made, err) : status, made, candidate);
}

bool candidate_stands_in(const struct candidate *candidate)
{
	char *want = mem_format("%s/%s", candidate->task, candidate->name);
	const size_t len = strlen(candidate->directory), tail = strlen(want);
	const bool held = len >= tail && strcmp(candidate->directory + len - tail, want) == 0 &&
	                  (len == tail || candidate->directory[len - tail - 1] == '/');

	free(want);
	return held;
}

static enum status read_source(const struct root *root, struct candidate *candidate, struct error *err)
{
	char *file = mem_format("%s/%s", candidate->directory, candidate->lowering.source);
	enum status status = root_read(root, file, CANDIDATE_SOURCE_MAX, &candidate->source, err);

	if (status == OK) {
		const struct sha256 hash = sha256_of(candidate->source.data, candidate->source.len);

		if (memcmp(&hash, &candidate->lowering.hash, sizeof hash) != 0)
			status = error_set(err, R_LOW_SOURCE, file, "its SHA-256 is another than candidate.json says");
	}
	free(file);
	return status;
}

static enum status read_files(const struct root *root, struct candidate *candidate, struct error *err)
{
	enum status status = root_read(root, candidate->file, CANDIDATE_JSON_MAX, &candidate->json, err);

	if (status == OK)
		status = read_head(candidate, err);
	if (status == OK && !candidate_stands_in(candidate))
		return error_set(err, R_CAN_NAME, candidate->file, "it says it is %s/%s", candidate->task, candidate->name);
	if (status != OK)
		return status;
	char *ptx = mem_format("%s/%s", candidate->directory, candidate->ptx_file);

	status = root_read(root, ptx, CANDIDATE_PTX_MAX, &candidate->ptx, err);
	free(ptx);
	candidate->id = content_id(candidate);
	return status == OK && candidate->is_lowered ? read_source(root, candidate, err) : status;
}

enum status candidate_read(const struct root *root, const char *directory, struct candidate **candidate, struct error *err)
{
	struct candidate *made = empty(directory);
	enum status status = read_files(root, made, err);

	return deliver(status == OK ? read_body(made, err) : status, made, candidate);
}

void candidate_free(struct candidate *candidate)
{
	if (candidate == NULL)
		return;
	for (size_t i = 0; i < candidate->launch_count; i++) {
		for (size_t j = 0; j < candidate->launches[i].parameter_count; j++)
			free(candidate->launches[i].parameters[j].patches);
		free(candidate->launches[i].parameters);
	}
	bytes_free(&candidate->source);
	bytes_free(&candidate->json);
	bytes_free(&candidate->ptx);
	cJSON_Delete(candidate->tree);
	free(candidate->directory);
	free(candidate->file);
	free(candidate);
}

unsigned parameter_bytes(const struct candidate_parameter *parameter)
{
	switch (parameter->kind) {
	case PARAMETER_BYTES:
		return (unsigned)(strlen(parameter->text) / 2);
	case PARAMETER_MAP:
		return MAP_BYTES;
	case PARAMETER_U32:
	case PARAMETER_F32:
		return 4;
	default:
		return 8;
	}
}

static const struct ptx_entry *find_entry(const struct ptx *ptx, const char *name)
{
	for (size_t i = 0; i < ptx->entries; i++)
		if (strcmp(ptx->entry[i].name, name) == 0)
			return &ptx->entry[i];
	return NULL;
}

static enum status check_launch(const struct candidate *candidate, const struct ptx *ptx, size_t index, struct error *err)
{
	const struct candidate_launch *launch = &candidate->launches[index];
	const struct ptx_entry *entry = find_entry(ptx, launch->function);

	if (entry == NULL)
		return error_set(err, R_CAN_PTX, candidate->file, "launch %zu: %s has no entry '%s'", index, candidate->ptx_file, launch->function);
	if (entry->parameters != launch->parameter_count)
		return error_set(err, R_CAN_PARAMETER, candidate->file, "launch %zu gives '%s' %zu parameters; it has %zu", index, launch->function,
		                 launch->parameter_count, entry->parameters);
	for (size_t i = 0; i < launch->parameter_count; i++) {
		const unsigned given = parameter_bytes(&launch->parameters[i]);

		if (entry->parameter[i].size != given)
			return error_set(err, R_CAN_PARAMETER, candidate->file, "launch %zu: parameter %zu of '%s' has %u bytes; %u are given", index, i,
			                 launch->function, entry->parameter[i].size, given);
	}
	return OK;
}

enum status candidate_check_ptx(const struct candidate *candidate, struct error *err)
{
	struct ptx ptx = {0};
	char *file = mem_format("%s/%s", candidate->directory, candidate->ptx_file);
	enum status status = ptx_read(candidate->ptx.data, candidate->ptx.len, file, &ptx, err);

	if (status == OK && strcmp(ptx.target, candidate->arch) != 0)
		status = error_set(err, R_CAN_PTX, file, "it is for %s, the candidate for %s", ptx.target, candidate->arch);
	for (size_t i = 0; i < candidate->launch_count && status == OK; i++)
		status = check_launch(candidate, &ptx, i, err);
	ptx_free(&ptx);
	free(file);
	return status;
}

enum status candidate_frozen_cubin(const struct root *root, const struct candidate *candidate, struct bytes *cubin, struct error *err)
{
	char *file = mem_format("%s/kernel.%s.cubin", candidate->directory, candidate->arch);
	enum status status = root_read(root, file, CANDIDATE_CUBIN_MAX, cubin, err);

	if (status != OK && err != NULL && err->rule == R_IO_OPEN)
		status = error_set(err, R_CAN_CUBIN, file, "it is not there");
	free(file);
	return status;
}
