/* Any bytes as a record of host code: refused by a rule, or data that candidate.json's reader takes or refuses by its own. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/jcs.h"
#include "measure/lowering.h"

static const char head[] = "{\"schema\":\"ptxseal-candidate/1\",\"task\":\"t\",\"name\":\"n\",\"label\":\"l\",\"arch\":\"sm_90a\",\"ptx\":\"k.ptx\",\"origin\":\"o\"}";

static bool sees_some(const void *context, const char *function, size_t parameter, size_t byte)
{
	(void)context;
	(void)function;
	return (parameter + byte) % 3 != 0;
}

static void take_back(const cJSON *tree)
{
	struct candidate *candidate = NULL;
	struct bytes text = {0};
	struct error err = {0};

	REQUIRE(jcs_write(tree, &text, &err) == OK);
	REQUIRE(candidate_parse("t/n", text.data, text.len, "", 0, &candidate, &err) == OK || err.what[0] != '\0');
	candidate_free(candidate);
	bytes_free(&text);
}

/* The same record as both takes: whatever is an address in it lies in the tensor or the allocations. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct problem problem = {.tensors = {{.name = "A", .bytes = 4096}}, .tensor_count = 1};
	static const struct lowering_place place = {{UINT64_C(1) << 44, UINT64_C(1) << 44}};
	struct recording *takes = malloc(2 * sizeof *takes);
	struct error err = {0};

	REQUIRE(takes != NULL);
	const enum status status = recording_read((const char *)data, size, &takes[0], &err);

	if (status == OK) {
		cJSON *tree = cJSON_Parse(head);

		REQUIRE(recording_read((const char *)data, size, &takes[1], &err) == OK);
		if (lowering_make(takes, &problem, &place, sees_some, NULL, tree, &err) == OK)
			take_back(tree);
		else
			REQUIRE(err.status == FAILS && err.what[0] != '\0');
		cJSON_Delete(tree);
		recording_free(&takes[1]);
	} else {
		REQUIRE(err.what[0] != '\0' && (status == FAILS || status == UNAVAILABLE));
	}
	recording_free(&takes[0]);
	free(takes);
	return 0;
}
