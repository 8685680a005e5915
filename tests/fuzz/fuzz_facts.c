/* Any bytes as a file of facts, and as a submission.json: no crash, what is taken says what it has to, and whatever is wrong is told. */
#include "fuzz.h"

#include "base/json.h"
#include "bundle/replays.h"
#include "submission/facts.h"

static void check_facts(const char *text, size_t size)
{
	static const char *const texts[] = {"source", "submitter", "contact", "model", "sampling.temperature", "environment.endpoint"};
	cJSON *facts = NULL;
	struct error err;
	const enum status status = facts_parse(text, size, "f", &facts, &err);

	REQUIRE(status == OK || (facts == NULL && err.what[0] != '\0'));
	for (size_t i = 0; status == OK && i < sizeof texts / sizeof texts[0]; i++) {
		const char *said = replay_text(facts, texts[i]);

		REQUIRE(said[0] != '\0' && facts_text_plain(said));
	}
	cJSON_Delete(facts);
}

static void check_submission(const char *text, size_t size)
{
	struct findings findings = {0};
	cJSON *tree = NULL;
	const cJSON *item;

	if (json_parse(text, size, "s", &tree, NULL) == OK) {
		REQUIRE(facts_check(tree, "s", &findings) == (findings.count == 0));
		cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(tree, "conflicts"))
		{
			const char *said = facts_conflict(tree, replay_text(item, "task"));

			REQUIRE(findings.count > 0 || strcmp(said, "yes") == 0 || strcmp(said, "no") == 0 || strcmp(said, "unknown") == 0);
		}
	}
	findings_free(&findings);
	cJSON_Delete(tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	check_facts(text, size);
	check_submission(text, size);
	return 0;
}
