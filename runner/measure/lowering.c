#include "lowering.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPANS_MAX = PROBLEM_TENSORS_MAX + RECORDED_ALLOCATIONS_MAX, NONE = -1 };

/* Memory that an address may lie in: a tensor, or what was allocated. */
struct span {
	const char *kind; /* "tensor", "buffer": the field that names it */
	char name[32];
	uint64_t address[2], bytes;
	bool used;      /* a launch or a map has an address in it */
	bool filled;
	uint8_t fill;
	size_t given;   /* the first launch that is given an address in it */
};

struct making {
	const struct recording *take; /* two */
	lowering_sees *sees;
	const void *context;
	struct error *err;
	struct span spans[SPANS_MAX];
	size_t span_count, tensor_count;
	int map_number[RECORDED_MAPS_MAX]; /* in the order of first use; NONE */
	size_t map_order[CANDIDATE_MAPS_MAX];
	size_t maps_used;
	size_t launch; /* being made */
};

static enum status differ(const struct making *making, const char *what)
{
	return error_set(making->err, R_LOW_LEAK, "", "two recordings differ in %s", what);
}

/* The span in which the two addresses are one; NONE. */
static int find_span(struct making *making, uint64_t one, uint64_t two, uint64_t *plus)
{
	for (size_t i = 0; i < making->span_count; i++) {
		const struct span *span = &making->spans[i];

		*plus = one - span->address[0];
		if (one >= span->address[0] && *plus <= span->bytes && two - span->address[1] == *plus)
			return (int)i;
	}
	return NONE;
}

static void add_decimal(cJSON *object, const char *key, uint64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, value);
	if (key != NULL)
		cJSON_AddStringToObject(object, key, text);
	else
		cJSON_AddItemToArray(object, cJSON_CreateString(text));
}

static void add_decimals(cJSON *object, const char *key, const uint64_t *values, size_t count)
{
	cJSON *array = cJSON_AddArrayToObject(object, key);

	for (size_t i = 0; i < count; i++)
		add_decimal(array, NULL, values[i]);
}

/* {"tensor":"A"} or {"buffer":"buffer0"}, with "plus" if it is not 0. */
static void add_address(struct making *making, cJSON *object, int index, uint64_t plus)
{
	struct span *span = &making->spans[index];

	cJSON_AddStringToObject(object, span->kind, span->name);
	if (plus != 0)
		add_decimal(object, "plus", plus);
	if (!span->used)
		span->given = making->launch;
	span->used = true;
}

/* ---- parameters ---- */

static uint64_t word_at(const struct recorded_parameter *parameter, size_t offset)
{
	uint64_t word;

	memcpy(&word, parameter->bytes + offset, sizeof word);
	return word;
}

static bool is_map(const struct making *making, const struct recorded_parameter *one, const struct recorded_parameter *two, size_t offset, size_t *index)
{
	if (offset % 64 != 0 || one->size - offset < MAP_BYTES)
		return false;
	for (*index = 0; *index < making->take[0].map_count; ++*index)
		if (memcmp(one->bytes + offset, making->take[0].maps[*index].token, MAP_BYTES) == 0 &&
		    memcmp(two->bytes + offset, making->take[1].maps[*index].token, MAP_BYTES) == 0)
			return true;
	return false;
}

/* "map0", "map1", ... in the order in which launches take them, each one's addresses given with it. */
static enum status name_map(struct making *making, size_t index, char name[32])
{
	const struct recorded_map *one = &making->take[0].maps[index];
	uint64_t plus = 0;

	if (making->map_number[index] == NONE) {
		if (making->maps_used == CANDIDATE_MAPS_MAX)
			return error_set(making->err, R_LOW_LAUNCH, "", "launches take more than %d tensor maps", CANDIDATE_MAPS_MAX);
		making->map_order[making->maps_used] = index;
		making->map_number[index] = (int)making->maps_used++;
	}
	const int span = find_span(making, one->address, making->take[1].maps[index].address, &plus);

	if (span != NONE && !making->spans[span].used) {
		making->spans[span].used = true;
		making->spans[span].given = making->launch;
	}
	snprintf(name, 32, "map%d", making->map_number[index]);
	return OK;
}

static enum status leak(const struct making *making, size_t parameter, size_t offset)
{
	return error_set(making->err, R_LOW_LEAK, "", "launch %zu: what stands from byte %zu on in parameter %zu is no address of a tensor or of its own memory, and another at other addresses",
	                 making->launch, offset, parameter);
}

/* The address or map that stands at the offset; *size 0 if there is none. */
static enum status find_patch(struct making *making, const struct recorded_parameter *one, const struct recorded_parameter *two, size_t offset,
                              cJSON *object, size_t *size)
{
	size_t map = 0;
	uint64_t plus = 0;

	*size = 0;
	if (is_map(making, one, two, offset, &map)) {
		char name[32];
		enum status status = name_map(making, map, name);

		cJSON_AddStringToObject(object, "map", name);
		*size = MAP_BYTES;
		return status;
	}
	if (one->size - offset < 8 || word_at(one, offset) == word_at(two, offset))
		return OK;
	const int span = find_span(making, word_at(one, offset), word_at(two, offset), &plus);

	if (span == NONE)
		return OK;
	add_address(making, object, span, plus);
	*size = 8;
	return OK;
}

static void add_hex(cJSON *object, const uint8_t *bytes, size_t size)
{
	char *text = mem_alloc(2 * size + 1);

	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	cJSON_AddStringToObject(object, "bytes", text);
	free(text);
}

/* A parameter that is more than one thing: its bytes, in which addresses and maps stand as zeros, and those. */
static enum status make_bytes(struct making *making, const struct recorded_parameter *one, const struct recorded_parameter *two, size_t number,
                              cJSON *object)
{
	cJSON *at = cJSON_CreateArray();
	uint8_t *bytes = mem_alloc(one->size);
	enum status status = OK;
	size_t offset = 0;

	while (offset < one->size && status == OK) {
		cJSON *patch = cJSON_CreateObject();
		size_t size = 0;

		if (offset % 8 == 0)
			status = find_patch(making, one, two, offset, patch, &size);
		if (status == OK && size > 0) {
			cJSON_AddNumberToObject(patch, "offset", (double)offset);
			cJSON_AddItemToArray(at, patch);
			offset += size;
			continue;
		}
		cJSON_Delete(patch);
		if (status == OK && making->sees(making->context, making->take[0].launches[making->launch].function, number, offset)) {
			if (one->bytes[offset] != two->bytes[offset])
				status = leak(making, number, offset / 8 * 8);
			bytes[offset] = one->bytes[offset];
		}
		offset++;
	}
	add_hex(object, bytes, one->size);
	if (at->child != NULL)
		cJSON_AddItemToObject(object, "at", at);
	else
		cJSON_Delete(at);
	free(bytes);
	return status;
}

static enum status make_parameter(struct making *making, const struct recorded_parameter *one, const struct recorded_parameter *two, size_t number,
                                  cJSON *object)
{
	size_t size = 0;
	uint32_t half = 0;
	enum status status = find_patch(making, one, two, 0, object, &size);

	if (status != OK || size == one->size)
		return status;
	const bool same = memcmp(one->bytes, two->bytes, one->size) == 0;

	if (size == 0 && same && one->size == 4) {
		memcpy(&half, one->bytes, sizeof half);
		add_decimal(object, "u32", half);
		return OK;
	}
	if (size == 0 && same && one->size == 8) {
		add_decimal(object, "u64", word_at(one, 0));
		return OK;
	}
	while (object->child != NULL)
		cJSON_Delete(cJSON_DetachItemViaPointer(object, object->child));
	return make_bytes(making, one, two, number, object);
}

/* ---- launches, maps, buffers ---- */

static enum status make_launch(struct making *making, cJSON *launches)
{
	const struct recorded_launch *one = &making->take[0].launches[making->launch], *two = &making->take[1].launches[making->launch];
	cJSON *object = cJSON_CreateObject();
	enum status status = OK;

	cJSON_AddItemToArray(launches, object);
	if (strcmp(one->function, two->function) != 0 || memcmp(one->grid, two->grid, sizeof one->grid) != 0 ||
	    memcmp(one->block, two->block, sizeof one->block) != 0 || memcmp(one->cluster, two->cluster, sizeof one->cluster) != 0 ||
	    one->shared != two->shared || one->parameter_count != two->parameter_count)
		return differ(making, "a launch's function, grid, block, cluster or shared memory");
	cJSON_AddStringToObject(object, "function", one->function);
	add_decimals(object, "grid", one->grid, 3);
	add_decimals(object, "block", one->block, 3);
	add_decimals(object, "cluster", one->cluster, 3);
	add_decimal(object, "shared", one->shared);
	cJSON *parameters = cJSON_AddArrayToObject(object, "parameters");

	for (size_t i = 0; i < one->parameter_count && status == OK; i++) {
		cJSON *parameter = cJSON_CreateObject();

		cJSON_AddItemToArray(parameters, parameter);
		if (one->parameters[i].size != two->parameters[i].size)
			return differ(making, "the size of a parameter");
		status = make_parameter(making, &one->parameters[i], &two->parameters[i], i, parameter);
	}
	return status;
}

/* CUtensorMapDataType to what candidate.json calls it; doubles, and floats that the copy rounds or flushes, have no name there. */
static const char *type_name(uint64_t type)
{
	static const char *const names[] = {"uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", NULL, "bfloat16"};

	return type < sizeof names / sizeof names[0] ? names[type] : NULL;
}

/* The driver's numbers to bytes: of swizzles, interleaves and promotions. */
static bool to_bytes(uint64_t number, const int *table, size_t count, cJSON *object, const char *key)
{
	if (number >= count)
		return false;
	cJSON_AddNumberToObject(object, key, table[number]);
	return true;
}

static enum status make_map(struct making *making, size_t number, cJSON *maps)
{
	static const int swizzles[] = {0, 32, 64, 128}, interleaves[] = {0, 16, 32}, promotions[] = {0, 64, 128, 256};
	const size_t index = making->map_order[number];
	const struct recorded_map *one = &making->take[0].maps[index], *two = &making->take[1].maps[index];
	cJSON *object = cJSON_CreateObject();
	struct recorded_map same = *two;
	uint64_t plus = 0;
	char name[32];

	cJSON_AddItemToArray(maps, object);
	same.address = one->address;
	memcpy(same.token, one->token, sizeof same.token);
	if (memcmp(&same, one, sizeof same) != 0)
		return differ(making, "a tensor map");
	const int span = find_span(making, one->address, two->address, &plus);

	if (span == NONE)
		return error_set(making->err, R_LOW_LEAK, "", "a tensor map lies on no tensor and no memory of its own");
	snprintf(name, sizeof name, "map%zu", number);
	cJSON_AddStringToObject(object, "name", name);
	add_address(making, object, span, plus);
	for (unsigned i = 0; i < one->rank; i++)
		if (one->steps[i] != 1)
			return error_set(making->err, R_LOW_LAUNCH, "", "a tensor map leaves out elements (element strides), which data cannot say");
	if (type_name(one->type) == NULL || one->fill != 0 ||
	    !to_bytes(one->swizzle, swizzles, 4, object, "swizzle") || !to_bytes(one->interleave, interleaves, 3, object, "interleave") ||
	    !to_bytes(one->l2, promotions, 4, object, "l2"))
		return error_set(making->err, R_LOW_LAUNCH, "", "a tensor map has a type, swizzle, interleave, promotion or filling that data cannot say");
	cJSON_AddStringToObject(object, "dtype", type_name(one->type));
	add_decimals(object, "dims", one->dims, one->rank);
	add_decimals(object, "strides", one->strides, one->rank - 1);
	add_decimals(object, "box", one->box, one->rank);
	return OK;
}

/* A filling is part of the call and precedes its launches: so it may come late only where nothing saw the buffer before. */
static enum status take_fill(struct making *making, size_t index)
{
	const struct recorded_fill *one = &making->take[0].fills[index], *two = &making->take[1].fills[index];
	uint64_t plus = 0;

	if (one->bytes != two->bytes || one->value != two->value || one->launch != two->launch)
		return differ(making, "memory that is set to a byte");
	const int at = find_span(making, one->address, two->address, &plus);

	if (at == NONE || (size_t)at < making->tensor_count)
		return error_set(making->err, R_LOW_FILL, "", "it sets %" PRIu64 " bytes of %s to %u", one->bytes,
		                 at == NONE ? "memory that is not its own" : making->spans[at].name, one->value);
	struct span *span = &making->spans[at];

	if (plus != 0 || one->bytes != span->bytes)
		return error_set(making->err, R_LOW_FILL, "", "it sets %" PRIu64 " of the %" PRIu64 " bytes of an allocation", one->bytes, span->bytes);
	if (span->filled)
		return error_set(making->err, R_LOW_FILL, "", "it sets one allocation twice");
	if (span->used && span->given < one->launch)
		return error_set(making->err, R_LOW_FILL, "", "it sets an allocation that launch %zu was given before", span->given);
	span->filled = true;
	span->fill = one->value;
	return OK;
}

static void add_buffers(const struct making *making, cJSON *candidate)
{
	cJSON *buffers = cJSON_AddArrayToObject(candidate, "buffers");

	for (size_t i = making->tensor_count; i < making->span_count; i++) {
		const struct span *span = &making->spans[i];
		cJSON *object;

		if (!span->used && !span->filled)
			continue;
		object = cJSON_CreateObject();
		cJSON_AddStringToObject(object, "name", span->name);
		add_decimal(object, "bytes", span->bytes);
		if (span->filled)
			cJSON_AddNumberToObject(object, "fill", span->fill);
		else
			cJSON_AddNullToObject(object, "fill");
		cJSON_AddItemToArray(buffers, object);
	}
}

static enum status take_spans(struct making *making, const struct problem *problem, const struct lowering_place *places)
{
	const struct recording *one = &making->take[0], *two = &making->take[1];

	for (size_t i = 0; i < problem->tensor_count; i++) {
		struct span *span = &making->spans[making->span_count++];

		*span = (struct span){.kind = "tensor", .address = {places[i].address[0], places[i].address[1]}, .bytes = problem->tensors[i].bytes};
		snprintf(span->name, sizeof span->name, "%s", problem->tensors[i].name);
	}
	making->tensor_count = making->span_count;
	for (size_t i = 0; i < one->allocation_count; i++) {
		struct span *span = &making->spans[making->span_count++];

		if (one->allocations[i].bytes != two->allocations[i].bytes)
			return differ(making, "the size of an allocation");
		*span = (struct span){.kind = "buffer",
		                      .address = {one->allocations[i].address, two->allocations[i].address},
		                      .bytes = one->allocations[i].bytes};
		snprintf(span->name, sizeof span->name, "buffer%zu", i);
	}
	return OK;
}

enum status lowering_make(const struct recording take[2], const struct problem *problem, const struct lowering_place *places,
                          lowering_sees *sees, const void *context, cJSON *candidate, struct error *err)
{
	struct making *making = mem_alloc(sizeof *making);
	cJSON *maps = cJSON_CreateArray(), *launches = cJSON_CreateArray();
	enum status status = OK;

	*making = (struct making){.take = take, .sees = sees, .context = context, .err = err};
	for (size_t i = 0; i < RECORDED_MAPS_MAX; i++)
		making->map_number[i] = NONE;
	if (take[0].launch_count != take[1].launch_count || take[0].allocation_count != take[1].allocation_count ||
	    take[0].map_count != take[1].map_count || take[0].fill_count != take[1].fill_count || take[0].asked_count != take[1].asked_count ||
	    memcmp(take[0].asked, take[1].asked, take[0].asked_count * sizeof take[0].asked[0]) != 0)
		status = differ(making, "the number of launches, allocations, maps or questions");
	if (status == OK)
		status = take_spans(making, problem, places);
	for (; making->launch < take[0].launch_count && status == OK; making->launch++)
		status = make_launch(making, launches);
	for (size_t i = 0; i < making->maps_used && status == OK; i++)
		status = make_map(making, i, maps);
	for (size_t i = 0; i < take[0].fill_count && status == OK; i++)
		status = take_fill(making, i);
	add_buffers(making, candidate);
	cJSON_AddItemToObject(candidate, "maps", maps);
	cJSON_AddItemToObject(candidate, "launches", launches);
	free(making);
	return status;
}
