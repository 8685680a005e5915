#include "inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/json.h"
#include "../derive/jsonl.h"

enum { AT_ONCE = 1 << 16 };

void input_store(unsigned char *out, enum dtype dtype, const float *values, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++) {
		if (dtype == DTYPE_BF16) {
			const uint16_t rounded = bf16_from_float(values[i]);

			memcpy(out + 2 * i, &rounded, sizeof rounded);
		} else if (dtype == DTYPE_E4M3) {
			out[i] = e4m3_from_float(values[i]);
		} else {
			memcpy(out + 4 * i, &values[i], sizeof values[i]);
		}
	}
}

enum value_set input_values(const struct tensor *tensor, enum value_set values)
{
	return tensor->scale ? VALUES_SCALES : values;
}

struct sha256 input_hash_of(const struct problem *problem, size_t tensor, uint64_t seed, enum value_set values)
{
	const struct tensor *drawn = &problem->tensors[tensor];
	unsigned char *bytes = mem_alloc(drawn->bytes);
	float *some = mem_array(NULL, AT_ONCE, sizeof *some);

	for (uint64_t first = 0; first < drawn->count; first += AT_ONCE) {
		const uint64_t count = drawn->count - first < AT_ONCE ? drawn->count - first : AT_ONCE;

		philox_values(seed, (uint32_t)tensor, first, count, input_values(drawn, values), some);
		input_store(bytes + first * dtype_bytes(drawn->dtype), drawn->dtype, some, count);
	}
	const struct sha256 hash = sha256_of(bytes, drawn->bytes);

	free(some);
	free(bytes);
	return hash;
}

struct reading {
	const struct problem *problem;
	struct known_inputs *known;
};

static enum status visit(void *context, cJSON *object, const char *file, uint64_t line, struct error *err)
{
	struct reading *reading = context;
	const char *task = NULL, *workload = NULL, *tensor = NULL, *seed = NULL, *values = NULL, *hash = NULL;
	enum status status;

	if ((status = json_text(object, "task", file, &task, err)) != OK || (status = json_text(object, "workload", file, &workload, err)) != OK ||
	    (status = json_text(object, "tensor", file, &tensor, err)) != OK || (status = json_text(object, "seed", file, &seed, err)) != OK ||
	    (status = json_text(object, "values", file, &values, err)) != OK || (status = json_text(object, "sha256", file, &hash, err)) != OK)
		return status;
	if (strcmp(task, reading->problem->task) != 0 || strcmp(workload, reading->problem->workload) != 0 || strcmp(seed, "1") != 0 ||
	    strcmp(values, value_set_name(VALUES_NORMAL)) != 0)
		return OK;
	for (size_t i = 0; i < reading->problem->tensor_count; i++) {
		if (strcmp(reading->problem->tensors[i].name, tensor) != 0)
			continue;
		if (!sha256_parse(hash, &reading->known->hash[i]))
			return error_line(err, R_JSON_FIELD, file, line, "field 'sha256' is no SHA-256");
		reading->known->listed[i] = true;
	}
	return OK;
}

enum status known_inputs_read(const struct root *root, const struct problem *problem, struct known_inputs *known, struct error *err)
{
	struct reading reading = {.problem = problem, .known = known};

	*known = (struct known_inputs){0};
	if (faccessat(root->fd, INPUTS_FILE, F_OK, 0) != 0)
		return OK;
	return jsonl_read(root, INPUTS_FILE, visit, &reading, err);
}
