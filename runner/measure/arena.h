/*
 * Device memory for a candidate's tensors and buffers. Each lies somewhere else on every placing, between guard zones that hold a pattern; several sets
 * take turns, so that no two calls in a row see the same address.
 */
#ifndef PTXSEAL_MEASURE_ARENA_H
#define PTXSEAL_MEASURE_ARENA_H

#include "cuda.h"
#include "plan.h"
#include "problem.h"
#include "share.h"
#include "support.h"

enum {
	ARENA_GUARD = SHARE_GUARD_BYTES,
	ARENA_SLACK = 1 << 20, /* how far the place within an allocation varies */
	ARENA_STEP = 256,      /* by multiples of this: what cuMemAlloc promises */
	ARENA_SETS_MAX = 4,
	ARENA_PLACES_MAX = PROBLEM_TENSORS_MAX + CANDIDATE_BUFFERS_MAX,
};

struct arena;

/* As many sets as fit into four fifths of the memory that is free, at least one. exact: one set, each an allocation of its own size, without guard zones. plan NULL = no buffers. What it is given must outlive it. */
enum status arena_open(const struct cuda *cuda, struct support *support, const struct problem *problem, const struct plan *plan,
                       bool exact, struct arena **arena, struct error *err);
void arena_close(struct arena *arena); /* NULL is fine */

/* Choose set and places by number and write the guards, in stream. The addresses are the arena's: of tensors, then of buffers. */
enum status arena_place(struct arena *arena, uint32_t number, CUstream stream, struct error *err);
const CUdeviceptr *arena_tensors(const struct arena *arena);
const CUdeviceptr *arena_buffers(const struct arena *arena);

/* Changed bytes around each tensor, then each buffer. Synchronous. */
enum status arena_guards(struct arena *arena, uint64_t changed[ARENA_PLACES_MAX], size_t *count, struct error *err);

#endif
