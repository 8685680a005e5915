/*
 * A candidate made concrete for a problem: every expression a number, every name an index, and all that can be checked without a device
 * checked. No CUDA types.
 */
#ifndef PTXSEAL_MEASURE_PLAN_H
#define PTXSEAL_MEASURE_PLAN_H

#include "../kernel/candidate.h"
#include "problem.h"

enum {
	PLAN_BLOCK_THREADS_MAX = 1024,
	PLAN_SHARED_MAX = 227 << 10, /* dynamic, of a block: compute capability 9.0 and 10.0 (CUDA C++ programming guide, table of technical specifications) */
	PLAN_CLUSTER_MAX = 16,       /* blocks; more than 8 need an attribute, which launch.c sets */
};

/* Scratch of all buffers together; more is refused before a device is asked. */
#define PLAN_BUFFERS_BYTES_MAX (UINT64_C(64) << 30)

struct plan_buffer {
	uint64_t bytes;
	bool filled;
	uint8_t fill;
};

struct plan_map {
	bool on_buffer;
	size_t target; /* of problem->tensors or of buffers */
	uint64_t plus; /* bytes from its start */
	enum element element;
	unsigned rank;
	uint64_t dims[MAP_RANK_MAX], strides[MAP_RANK_MAX - 1];
	uint32_t box[MAP_RANK_MAX];
	unsigned swizzle, interleave, l2;
};

/* What stands within a parameter of bytes. */
struct plan_patch {
	uint32_t offset;
	enum parameter_kind kind; /* PARAMETER_TENSOR, _MAP, _BUFFER */
	size_t index;
	uint64_t plus;
};

struct plan_parameter {
	enum parameter_kind kind;
	unsigned size;  /* bytes, as the function declares them */
	size_t index;   /* PARAMETER_TENSOR, _MAP, _BUFFER */
	uint64_t value; /* PARAMETER_U32, _U64; for PARAMETER_F32 the number's bits; for PARAMETER_TENSOR, _BUFFER what is added to the address */
	uint8_t *bytes; /* PARAMETER_BYTES: size of them */
	struct plan_patch *patches;
	size_t patch_count;
};

struct plan_launch {
	const char *function; /* the candidate's */
	uint32_t grid[3], block[3], cluster[3], shared;
	struct plan_parameter *parameters;
	size_t parameter_count;
};

struct plan {
	struct plan_buffer buffers[CANDIDATE_BUFFERS_MAX];
	size_t buffer_count;
	struct plan_map maps[CANDIDATE_MAPS_MAX];
	size_t map_count;
	struct plan_launch launches[CANDIDATE_LAUNCHES_MAX];
	size_t launch_count;
	const struct candidate_asked *asked; /* the candidate's: attributes of the device that have to have these values */
	size_t asked_count;
};

/* The candidate must outlive the plan, which is freed with plan_free (also after an error). Errors are of R_CAN_*; R_LOW_WORKLOAD for a lowered candidate and another
 * workload than its own. */
enum status plan_make(const struct candidate *candidate, const struct problem *problem, struct plan *plan, struct error *err);
void plan_free(struct plan *plan);

#endif
