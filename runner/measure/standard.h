/* Inputs of a session's trials hashed on the device, and those of the standard seed set beside what the CPU makes. */
#ifndef PTXSEAL_MEASURE_STANDARD_H
#define PTXSEAL_MEASURE_STANDARD_H

#include "record.h"

struct hashed_inputs {
	struct input_hash *at; /* free */
	size_t count;
	bool standard_known; /* artifact/facts/inputs.jsonl has the standard seed's, and they are the same */
};

/* Of the plan's first trial of each value set. The judge is set to the problem. R_GPU_SICK where the standard inputs have other bytes: a device that makes other inputs than the CPU does not compute. */
enum status hash_inputs(struct judge *judge, const struct root *bundle, const struct problem *problem, const struct trial_plan *plan, struct hashed_inputs *inputs, struct error *err);

#endif
