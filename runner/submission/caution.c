#include "caution.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/ledger.h"
#include "../bundle/replays.h"
#include "../measure/philox.h"
#include "facts.h"

static void check_suspect(const cJSON *record, const char *path, struct findings *findings)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, replay_at(record, "timing.suspect"))
	{
		if (cJSON_IsString(item))
			findings_add_field(findings, R_SUB_SUSPECT, path, "timing.suspect", "%s", item->valuestring);
	}
}

static void check_sandbox(const cJSON *record, const char *path, struct findings *findings)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, replay_at(record, "worker.sandbox"))
	{
		if (cJSON_IsString(item) && strcmp(item->valuestring, "in force") != 0) {
			char *field = mem_format("worker.sandbox.%s", facts_text_plain(item->string) ? item->string : "(a layer)");

			findings_add_field(findings, R_SUB_SANDBOX, path, field, "%s", item->valuestring);
			free(field);
		}
	}
}

/* Fewer trials than eight leave some out (trials.h): right for values of the usual size is not right. */
static void check_values(const cJSON *record, const char *path, struct findings *findings)
{
	const cJSON *trial;

	if (strcmp(replay_text(record, "outcome.label"), outcome_name(OUTCOME_MEASURED_CORRECT)) != 0)
		return;
	for (unsigned values = 0; values < VALUES_COUNT; values++) {
		bool tried = false;

		cJSON_ArrayForEach(trial, replay_at(record, "trials"))
		{
			tried = tried || strcmp(replay_text(trial, "values"), value_set_name((enum value_set)values)) == 0;
		}
		if (!tried)
			findings_add_field(findings, R_SUB_VALUES, path, "trials", "none is of the values %s", value_set_name((enum value_set)values));
	}
}

void caution_check(const cJSON *record, const char *path, struct findings *findings)
{
	check_suspect(record, path, findings);
	check_sandbox(record, path, findings);
	check_values(record, path, findings);
}
