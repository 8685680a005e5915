#include "standard.h"

#include <stdlib.h>
#include <string.h>

static enum status hash_first(struct judge *judge, const struct problem *problem, const struct trial_plan *plan, struct hashed_inputs *inputs, struct error *err)
{
	bool seen[VALUES_COUNT] = {false};
	enum status status = OK;

	for (size_t i = 0; i < plan->count && status == OK; i++) {
		const struct trial *trial = &plan->at[i];
		const struct expected *expected = NULL;
		struct sha256 hashes[PROBLEM_TENSORS_MAX];

		if (seen[trial->values])
			continue;
		seen[trial->values] = true;
		status = judge_expect(judge, trial, true, &expected, err);
		if (status == OK)
			status = judge_hash_inputs(judge, expected, hashes, err);
		for (size_t t = 0; t < problem->tensor_count && status == OK; t++)
			if (!problem->tensors[t].output)
				inputs->at[inputs->count++] = (struct input_hash){.trial = *trial, .tensor = t, .hash = hashes[t]};
	}
	return status;
}

static enum status check(const struct root *bundle, const struct problem *problem, struct hashed_inputs *inputs, struct error *err)
{
	struct known_inputs known;
	enum status status = known_inputs_read(bundle, problem, &known, err);

	for (size_t i = 0; i < inputs->count && status == OK; i++) {
		const struct input_hash *hash = &inputs->at[i];

		if (hash->trial.seed != STANDARD_SEED || !known.listed[hash->tensor])
			continue;
		inputs->standard_known = true;
		if (memcmp(&hash->hash, &known.hash[hash->tensor], sizeof hash->hash) != 0)
			status = error_set(err, R_GPU_SICK, INPUTS_FILE, "input %s of %s, workload %s, has other bytes on this device", problem->tensors[hash->tensor].name, problem->task,
			                   problem->workload);
	}
	return status;
}

enum status hash_inputs(struct judge *judge, const struct root *bundle, const struct problem *problem, const struct trial_plan *plan, struct hashed_inputs *inputs, struct error *err)
{
	*inputs = (struct hashed_inputs){.at = mem_array(NULL, VALUES_COUNT * PROBLEM_TENSORS_MAX, sizeof *inputs->at)};
	const enum status status = hash_first(judge, problem, plan, inputs, err);

	return status == OK ? check(bundle, problem, inputs, err) : status;
}
