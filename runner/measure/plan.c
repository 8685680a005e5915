#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../kernel/expression.h"

/* Limits of cuTensorMapEncodeTiled (CUDA driver API, "Tensor Map Object Management"). */
enum { MAP_BOX_MAX = 256, MAP_ALIGNMENT = 16 };
static const uint64_t map_dim_max = UINT64_C(1) << 32;
static const uint64_t map_stride_max = UINT64_C(1) << 40;

/* Limits of a grid's and a block's dimensions (CUDA C++ programming guide, table of technical specifications). */
static const uint32_t grid_max[3] = {2147483647, 65535, 65535};
static const uint32_t block_max[3] = {1024, 1024, 64};

struct making {
	const struct candidate *candidate;
	const struct problem *problem;
	struct plan *plan;
	struct error *err;
};

static bool find_axis(const void *context, const char *name, size_t len, uint64_t *size)
{
	const struct problem *problem = context;

	for (size_t i = 0; i < problem->axis_count; i++) {
		if (strlen(problem->axes[i].name) == len && memcmp(problem->axes[i].name, name, len) == 0) {
			*size = problem->axes[i].size;
			return true;
		}
	}
	return false;
}

static enum status number(const struct making *making, const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
	const char *file = making->candidate->file;
	enum status status = expression_value(text, find_axis, making->problem, file, value, making->err);

	if (status == OK && (*value < min || *value > max))
		return error_set(making->err, R_CAN_RANGE, file, "'%s' is %" PRIu64 "; %" PRIu64 " to %" PRIu64 " is allowed", text, *value, min, max);
	return status;
}

static enum status number32(const struct making *making, const char *text, uint32_t min, uint32_t max, uint32_t *value)
{
	uint64_t wide = 0;
	enum status status = number(making, text, min, max, &wide);

	*value = (uint32_t)wide;
	return status;
}

static bool find_tensor(const struct problem *problem, const char *name, size_t *index)
{
	for (*index = 0; *index < problem->tensor_count; ++*index)
		if (strcmp(problem->tensors[*index].name, name) == 0)
			return true;
	return false;
}

/* The candidate's reader has checked that these are there. */
static size_t buffer_index(const struct candidate *candidate, const char *name)
{
	size_t i = 0;

	while (strcmp(candidate->buffers[i].name, name) != 0)
		i++;
	return i;
}

static size_t map_index(const struct candidate *candidate, const char *name)
{
	size_t i = 0;

	while (strcmp(candidate->maps[i].name, name) != 0)
		i++;
	return i;
}

static enum status make_buffers(const struct making *making)
{
	uint64_t left = PLAN_BUFFERS_BYTES_MAX;
	enum status status = OK;

	for (size_t i = 0; i < making->candidate->buffer_count && status == OK; i++) {
		struct plan_buffer *buffer = &making->plan->buffers[i];

		buffer->filled = making->candidate->buffers[i].filled;
		buffer->fill = making->candidate->buffers[i].fill;
		status = number(making, making->candidate->buffers[i].bytes, 1, left, &buffer->bytes);
		left -= buffer->bytes;
		making->plan->buffer_count = i + 1;
	}
	return status;
}

static enum status refuse_map(const struct making *making, const struct candidate_map *map, const char *why)
{
	return error_set(making->err, R_CAN_MAP, making->candidate->file, "map '%s': %s", map->name, why);
}

/* What a box's inner row may be, and how the strides must stand. */
static enum status check_map(const struct making *making, const struct candidate_map *source, const struct plan_map *map)
{
	const uint64_t row = (uint64_t)map->box[0] * element_bytes(map->element);
	const uint64_t stride_unit = map->interleave == 32 ? 32 : MAP_ALIGNMENT;

	if (map->interleave != 0 && map->rank < 3)
		return refuse_map(making, source, "interleaving needs three dimensions");
	if (map->interleave == 32 && map->swizzle != 32)
		return refuse_map(making, source, "interleaving of 32 bytes needs a swizzle of 32 bytes");
	if (map->interleave == 0 && row % MAP_ALIGNMENT != 0)
		return refuse_map(making, source, "a row of the box is no multiple of 16 bytes");
	if (map->interleave == 0 && map->swizzle != 0 && row > map->swizzle)
		return refuse_map(making, source, "a row of the box is longer than the swizzle");
	if (map->plus % stride_unit != 0)
		return refuse_map(making, source, "it begins at no multiple of 16 bytes (32 where interleaved by 32)");
	for (unsigned i = 0; i + 1 < map->rank; i++)
		if (map->strides[i] % stride_unit != 0)
			return refuse_map(making, source, "a stride is no multiple of 16 bytes (32 where interleaved by 32)");
	return OK;
}

/* Dimensions and strides may reach no further than the memory they are laid on. */
static enum status check_extent(const struct making *making, const struct candidate_map *source, const struct plan_map *map)
{
	const uint64_t room = map->on_buffer ? making->plan->buffers[map->target].bytes : making->problem->tensors[map->target].bytes;
	uint64_t end = map->dims[0] * element_bytes(map->element) + map->plus; /* at most 2^35, and the memory */

	for (unsigned i = 1; i < map->rank; i++) {
		uint64_t step = 0;

		if (__builtin_mul_overflow(map->dims[i] - 1, map->strides[i - 1], &step) || __builtin_add_overflow(end, step, &end))
			return refuse_map(making, source, "it reaches beyond any memory");
	}
	if (end > room)
		return error_set(making->err, R_CAN_MAP, making->candidate->file, "map '%s' reaches to byte %" PRIu64 " of %s, which has %" PRIu64,
		                 source->name, end, source->target, room);
	return OK;
}

static enum status make_map(const struct making *making, const struct candidate_map *source, struct plan_map *map)
{
	enum status status = OK;

	*map = (struct plan_map){
		.on_buffer = source->on_buffer,
		.element = source->element,
		.rank = source->rank,
		.swizzle = source->swizzle,
		.interleave = source->interleave,
		.l2 = source->l2,
	};
	if (source->on_buffer)
		map->target = buffer_index(making->candidate, source->target);
	else if (!find_tensor(making->problem, source->target, &map->target))
		return error_set(making->err, R_CAN_REFERENCE, making->candidate->file, "map '%s': the task has no tensor '%s'", source->name,
		                 source->target);
	if (source->plus != NULL)
		status = number(making, source->plus, 0, PLAN_BUFFERS_BYTES_MAX, &map->plus);
	for (unsigned i = 0; i < map->rank && status == OK; i++) {
		status = number(making, source->dims[i], 1, map_dim_max, &map->dims[i]);
		if (status == OK)
			status = number32(making, source->box[i], 1, MAP_BOX_MAX, &map->box[i]);
		if (status == OK && i > 0)
			status = number(making, source->strides[i - 1], 1, map_stride_max - 1, &map->strides[i - 1]);
	}
	if (status == OK)
		status = check_map(making, source, map);
	return status == OK ? check_extent(making, source, map) : status;
}

static enum status make_maps(const struct making *making)
{
	enum status status = OK;

	for (size_t i = 0; i < making->candidate->map_count && status == OK; i++)
		status = make_map(making, &making->candidate->maps[i], &making->plan->maps[making->plan->map_count++]);
	return status;
}

/* Where a name of that kind stands, and what is added to its address: at most its size, since one past the end is an address too. */
static enum status make_address(const struct making *making, enum parameter_kind kind, const char *name, const char *plus, size_t *index,
                                uint64_t *value)
{
	uint64_t room = 0;

	*value = 0;
	if (kind == PARAMETER_MAP) {
		*index = map_index(making->candidate, name);
		return OK;
	}
	if (kind == PARAMETER_BUFFER) {
		*index = buffer_index(making->candidate, name);
		room = making->plan->buffers[*index].bytes;
	} else if (find_tensor(making->problem, name, index)) {
		room = making->problem->tensors[*index].bytes;
	} else {
		return error_set(making->err, R_CAN_REFERENCE, making->candidate->file, "the task has no tensor '%s'", name);
	}
	return plus != NULL ? number(making, plus, 0, room, value) : OK;
}

static uint8_t nibble(char digit)
{
	return (uint8_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static enum status make_bytes(const struct making *making, const struct candidate_parameter *source, struct plan_parameter *parameter)
{
	enum status status = OK;

	parameter->bytes = mem_alloc(parameter->size);
	for (unsigned i = 0; i < parameter->size; i++)
		parameter->bytes[i] = (uint8_t)(nibble(source->text[2 * i]) << 4 | nibble(source->text[2 * i + 1]));
	parameter->patches = mem_alloc((source->patch_count + 1) * sizeof *parameter->patches);
	parameter->patch_count = source->patch_count;
	for (size_t i = 0; i < source->patch_count && status == OK; i++) {
		const struct candidate_patch *from = &source->patches[i];
		struct plan_patch *patch = &parameter->patches[i];

		patch->offset = from->offset;
		patch->kind = from->kind;
		status = make_address(making, from->kind, from->name, from->plus, &patch->index, &patch->plus);
	}
	return status;
}

static enum status make_parameter(const struct making *making, const struct candidate_parameter *source, struct plan_parameter *parameter)
{
	float real;
	uint32_t bits;

	*parameter = (struct plan_parameter){.kind = source->kind, .size = parameter_bytes(source)};
	switch (source->kind) {
	case PARAMETER_BYTES:
		return make_bytes(making, source, parameter);
	case PARAMETER_U32:
		return number(making, source->text, 0, UINT32_MAX, &parameter->value);
	case PARAMETER_U64:
		return number(making, source->text, 0, UINT64_MAX, &parameter->value);
	case PARAMETER_F32:
		real = strtof(source->text, NULL);
		memcpy(&bits, &real, sizeof bits);
		parameter->value = bits;
		return OK;
	default:
		return make_address(making, source->kind, source->text, source->plus, &parameter->index, &parameter->value);
	}
}

static enum status check_launch(const struct making *making, const struct plan_launch *launch)
{
	const char *file = making->candidate->file;
	const uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
	const uint64_t blocks = (uint64_t)launch->cluster[0] * launch->cluster[1] * launch->cluster[2];

	if (threads > PLAN_BLOCK_THREADS_MAX)
		return error_set(making->err, R_CAN_RANGE, file, "a block of '%s' has %" PRIu64 " threads; %d are allowed", launch->function, threads,
		                 PLAN_BLOCK_THREADS_MAX);
	if (blocks > PLAN_CLUSTER_MAX)
		return error_set(making->err, R_CAN_RANGE, file, "a cluster of '%s' has %" PRIu64 " blocks; %d are allowed", launch->function, blocks,
		                 PLAN_CLUSTER_MAX);
	for (int i = 0; i < 3; i++)
		if (launch->grid[i] % launch->cluster[i] != 0)
			return error_set(making->err, R_CAN_RANGE, file, "the grid of '%s' is no multiple of its cluster (%u and %u)",
			                 launch->function, launch->grid[i], launch->cluster[i]);
	return OK;
}

static enum status make_launch(const struct making *making, const struct candidate_launch *source, struct plan_launch *launch)
{
	enum status status = number32(making, source->shared, 0, PLAN_SHARED_MAX, &launch->shared);

	launch->function = source->function;
	for (int i = 0; i < 3 && status == OK; i++) {
		status = number32(making, source->grid[i], 1, grid_max[i], &launch->grid[i]);
		if (status == OK)
			status = number32(making, source->block[i], 1, block_max[i], &launch->block[i]);
		if (status == OK)
			status = number32(making, source->cluster[i], 1, PLAN_CLUSTER_MAX, &launch->cluster[i]);
	}
	launch->parameters = mem_alloc((source->parameter_count + 1) * sizeof *launch->parameters);
	launch->parameter_count = source->parameter_count;
	for (size_t i = 0; i < source->parameter_count && status == OK; i++)
		status = make_parameter(making, &source->parameters[i], &launch->parameters[i]);
	return status == OK ? check_launch(making, launch) : status;
}

enum status plan_make(const struct candidate *candidate, const struct problem *problem, struct plan *plan, struct error *err)
{
	const struct making making = {candidate, problem, plan, err};

	*plan = (struct plan){0};
	if (candidate->is_lowered && strcmp(candidate->lowering.workload, problem->workload) != 0)
		return error_set(err, R_LOW_WORKLOAD, candidate->file, "it was lowered for workload %s, not for %s", candidate->lowering.workload,
		                 problem->workload);
	plan->asked = candidate->lowering.asked;
	plan->asked_count = candidate->lowering.asked_count;
	enum status status = make_buffers(&making);

	if (status == OK)
		status = make_maps(&making);
	for (size_t i = 0; i < candidate->launch_count && status == OK; i++)
		status = make_launch(&making, &candidate->launches[i], &plan->launches[plan->launch_count++]);
	return status;
}

void plan_free(struct plan *plan)
{
	for (size_t i = 0; i < plan->launch_count; i++) {
		for (size_t j = 0; j < plan->launches[i].parameter_count; j++) {
			free(plan->launches[i].parameters[j].bytes);
			free(plan->launches[i].parameters[j].patches);
		}
		free(plan->launches[i].parameters);
	}
	*plan = (struct plan){0};
}
