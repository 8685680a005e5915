/* What a recorder wrote down of one call of run (capture.h), read strictly: it comes from a process that a stranger's code shares. No CUDA types. */
#ifndef PTXSEAL_MEASURE_RECORDING_H
#define PTXSEAL_MEASURE_RECORDING_H

#include <cjson/cJSON.h>

#include "../kernel/candidate.h"

enum { RECORDED_ALLOCATIONS_MAX = 256, RECORDED_MAPS_MAX = 256, RECORDED_FILLS_MAX = 256 };

struct recorded_allocation {
	uint64_t address, bytes;
};

struct recorded_fill {
	uint64_t address, bytes;
	uint8_t value;
	size_t launch; /* it was set before this one */
};

/* Arguments of cuTensorMapEncodeTiled, with the driver's numbers. */
struct recorded_map {
	uint8_t token[MAP_BYTES]; /* what stands for it in parameters */
	uint64_t type, address;
	unsigned rank;
	uint64_t dims[MAP_RANK_MAX], strides[MAP_RANK_MAX - 1], box[MAP_RANK_MAX], steps[MAP_RANK_MAX];
	uint64_t interleave, swizzle, l2, fill;
};

struct recorded_parameter {
	uint8_t *bytes;
	size_t size;
};

struct recorded_launch {
	const char *function; /* in the tree */
	uint64_t grid[3], block[3], cluster[3], shared;
	struct recorded_parameter *parameters;
	size_t parameter_count;
};

struct recording {
	cJSON *tree;
	struct recorded_allocation allocations[RECORDED_ALLOCATIONS_MAX];
	size_t allocation_count;
	struct recorded_fill fills[RECORDED_FILLS_MAX];
	size_t fill_count;
	struct recorded_map maps[RECORDED_MAPS_MAX];
	size_t map_count;
	struct recorded_launch launches[CANDIDATE_LAUNCHES_MAX];
	size_t launch_count;
	struct candidate_asked asked[CANDIDATE_ASKED_MAX]; /* each attribute once, in ascending order */
	size_t asked_count;
};

/*
 * A text that is no record is R_LOW_RECORD. One that tells of a refusal, or of another end than run's return, is the rule of that with the record's words; too many launches,
 * maps, ... are R_LOW_LAUNCH. Free with recording_free, also after an error.
 */
enum status recording_read(const char *text, size_t len, struct recording *recording, struct error *err);
void recording_free(struct recording *recording);

#endif
