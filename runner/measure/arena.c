#include "arena.h"

#include <stdlib.h>

struct place {
	CUdeviceptr base[ARENA_SETS_MAX];
	uint64_t room, bytes;
};

struct arena {
	const struct cuda *cuda;
	struct support *support;
	struct place places[ARENA_PLACES_MAX];
	CUdeviceptr now[ARENA_PLACES_MAX]; /* where each lies in the set whose turn it is */
	size_t tensors, count, sets, turn;
	uint8_t pattern;
	bool exact;
};

static void add_place(struct arena *arena, uint64_t bytes)
{
	const uint64_t whole = (bytes + ARENA_STEP - 1) / ARENA_STEP * ARENA_STEP;

	arena->places[arena->count++] =
		(struct place){.bytes = bytes, .room = arena->exact ? bytes : ARENA_GUARD + ARENA_SLACK + whole + ARENA_GUARD};
}

static enum status allocate_set(struct arena *arena, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < arena->count && status == OK; i++)
		status = cuda_check(arena->cuda, arena->cuda->cuMemAlloc(&arena->places[i].base[arena->sets], arena->places[i].room),
		                    "allocating tensors and their guard zones", err);
	arena->sets++;
	return status;
}

static enum status allocate(struct arena *arena, struct error *err)
{
	uint64_t set = 0;
	size_t available = 0, whole = 0;
	enum status status = cuda_check(arena->cuda, arena->cuda->cuMemGetInfo(&available, &whole), "asking for free memory", err);

	for (size_t i = 0; i < arena->count; i++)
		set += arena->places[i].room;
	do {
		if (status == OK)
			status = allocate_set(arena, err);
	} while (status == OK && !arena->exact && arena->sets < ARENA_SETS_MAX && set * (arena->sets + 1) < available / 5 * 4);
	return status;
}

enum status arena_open(const struct cuda *cuda, struct support *support, const struct problem *problem, const struct plan *plan,
                       bool exact, struct arena **arena, struct error *err)
{
	struct arena *made = mem_alloc(sizeof *made);

	made->cuda = cuda;
	made->support = support;
	made->exact = exact;
	made->tensors = problem->tensor_count;
	for (size_t i = 0; i < problem->tensor_count; i++)
		add_place(made, problem->tensors[i].bytes);
	for (size_t i = 0; plan != NULL && i < plan->buffer_count; i++)
		add_place(made, plan->buffers[i].bytes);
	enum status status = allocate(made, err);

	*arena = status == OK ? made : NULL;
	if (status != OK)
		arena_close(made);
	return status;
}

void arena_close(struct arena *arena)
{
	if (arena == NULL)
		return;
	for (size_t i = 0; i < arena->count; i++)
		for (size_t set = 0; set < arena->sets; set++)
			if (arena->places[i].base[set] != 0)
				arena->cuda->cuMemFree(arena->places[i].base[set]);
	free(arena);
}

enum status arena_place(struct arena *arena, uint32_t number, CUstream stream, struct error *err)
{
	const uint32_t steps = ARENA_SLACK / ARENA_STEP;
	enum status status = OK;

	arena->turn = number % arena->sets;
	/* Neither the inputs' fill nor the poison, and another one each time, so that a kernel cannot write what is there by luck. */
	arena->pattern = (uint8_t)(1 + number * 37 % 253);
	for (size_t i = 0; i < arena->count && status == OK; i++) {
		const struct place *place = &arena->places[i];
		const CUdeviceptr base = place->base[arena->turn];
		/* Odd multipliers: numbers in a row give other places, and tensors do not move together. */
		const CUdeviceptr at = base + ARENA_GUARD + (number * 977 + (uint32_t)i * 1409) % steps * ARENA_STEP;
		const CUdeviceptr end = at + place->bytes;

		arena->now[i] = arena->exact ? base : at;
		if (arena->exact)
			continue;
		status = cuda_check(arena->cuda, arena->cuda->cuMemsetD8Async(base, arena->pattern, at - base, stream), "writing guards", err);
		if (status == OK)
			status = cuda_check(arena->cuda, arena->cuda->cuMemsetD8Async(end, arena->pattern, base + place->room - end, stream),
			                    "writing guards", err);
	}
	return status;
}

const CUdeviceptr *arena_tensors(const struct arena *arena)
{
	return arena->now;
}

const CUdeviceptr *arena_buffers(const struct arena *arena)
{
	return arena->now + arena->tensors;
}

enum status arena_guards(struct arena *arena, uint64_t changed[ARENA_PLACES_MAX], size_t *count, struct error *err)
{
	enum status status = OK;

	*count = arena->count;
	for (size_t i = 0; i < arena->count && status == OK && arena->exact; i++)
		changed[i] = 0;
	for (size_t i = 0; i < arena->count && status == OK && !arena->exact; i++) {
		const struct place *place = &arena->places[i];
		const CUdeviceptr base = place->base[arena->turn], at = arena->now[i], end = at + place->bytes;
		uint64_t before = 0, behind = 0;

		status = support_guard(arena->support, base, at - base, arena->pattern, &before, err);
		if (status == OK)
			status = support_guard(arena->support, end, base + place->room - end, arena->pattern, &behind, err);
		changed[i] = before + behind;
	}
	return status;
}
