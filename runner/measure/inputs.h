/*
 * Inputs of the standard seed by their hashes: artifact/facts/inputs.jsonl, a line a task, workload and seeded tensor:
 * {"bytes","seed","sha256","task","tensor","values","workload"}. Made on the CPU; every device has to make the same. No CUDA types.
 */
#ifndef PTXSEAL_MEASURE_INPUTS_H
#define PTXSEAL_MEASURE_INPUTS_H

#include "../base/sha256.h"
#include "philox.h"
#include "problem.h"

#define INPUTS_FILE "artifact/facts/inputs.jsonl"
enum { STANDARD_SEED = 1 };

/* How a tensor's elements are drawn in a trial of that set: scales always as scales. */
enum value_set input_values(const struct tensor *tensor, enum value_set values);

/* Round count values to dtype, as they lie in memory. */
void input_store(unsigned char *out, enum dtype dtype, const float *values, uint64_t count);

/* The tensor's bytes as they lie in memory, drawn on the CPU. Not for outputs and computed inputs. */
struct sha256 input_hash_of(const struct problem *problem, size_t tensor, uint64_t seed, enum value_set values);

/* Of each of the problem's tensors: whether the bundle lists it for the standard seed and normal values, and its hash. */
struct known_inputs {
	bool listed[PROBLEM_TENSORS_MAX];
	struct sha256 hash[PROBLEM_TENSORS_MAX];
};
enum status known_inputs_read(const struct root *root, const struct problem *problem, struct known_inputs *known, struct error *err);

#endif
