/* Any bytes as a trajectory: no crash, and of what is taken every turn has an outcome, and prompts and feedback are canonical JSON. */
#include "fuzz.h"

#include <cjson/cJSON.h>

#include "base/bytes.h"
#include "base/jcs.h"
#include "base/json.h"
#include "model/trajectory.h"

static void check_messages(const struct bytes *text)
{
	struct bytes again = {0};
	cJSON *tree = NULL;

	if (text->len == 0)
		return;
	REQUIRE(json_parse(text->data, text->len, "messages", &tree, NULL) == OK && cJSON_IsArray(tree));
	REQUIRE(jcs_write(tree, &again, NULL) == OK && again.len == text->len && memcmp(again.data, text->data, again.len) == 0);
	bytes_free(&again);
	cJSON_Delete(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct trajectory trajectory;
	enum status status = trajectory_parse((const char *)data, size, "trajectory", &trajectory, &err);

	REQUIRE(status == OK || (status == MALFORMED && trajectory.count == 0 && err.what[0] != '\0'));
	for (size_t i = 0; i < trajectory.count; i++) {
		const struct trajectory_turn *turn = &trajectory.turns[i];

		REQUIRE(turn->label != NULL && turn->outcome < OUTCOME_COUNT && turn->speedup >= 0);
		REQUIRE((turn->reasoning_tokens < 0) == (turn->reasoning_source[0] == '\0'));
		REQUIRE(turn->prompt.len > 0 || i > 0);
		check_messages(&turn->prompt);
		check_messages(&turn->feedback);
	}
	trajectory_free(&trajectory);
	return 0;
}
