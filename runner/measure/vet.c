#include "vet.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/replay_check.h"
#include "../bundle/replays.h"
#include "code_check.h"
#include "inputs.h"
#include "plausible.h"
#include "tally.h"

static bool is_standard(const cJSON *input)
{
	return strcmp(replay_text(input, "seed"), "1") == 0 && strcmp(replay_text(input, "base_seed"), "1") == 0 && strcmp(replay_text(input, "values"), "normal") == 0;
}

static void check_input(const struct problem *problem, const struct known_inputs *known, const cJSON *input, size_t at, const char *path, struct findings *findings)
{
	bool listed = false;

	for (size_t i = 0; i < problem->tensor_count && is_standard(input); i++) {
		char *field = mem_format("inputs[%zu].sha256.%s", at, problem->tensors[i].name), hex[SHA256_HEX + 1];

		sha256_hex(&known->hash[i], hex);
		if (known->listed[i] && strcmp(replay_text(replay_at(input, "sha256"), problem->tensors[i].name), hex) != 0)
			findings_add_field(findings, R_RPL_LISTED, path, field, "the list has %s", hex);
		listed = listed || known->listed[i];
		free(field);
	}
	if (cJSON_IsTrue(replay_at(input, "listed")) && !listed) {
		char *field = mem_format("inputs[%zu].listed", at);

		findings_add_field(findings, R_RPL_LISTED, path, field, "no hash of such inputs is listed");
		free(field);
	}
}

static void check_inputs(const struct root *tasks, const cJSON *record, const struct problem *problem, const char *path, struct findings *findings)
{
	struct known_inputs known;
	struct error err;
	const cJSON *input;
	size_t at = 0;

	if (known_inputs_read(tasks, problem, &known, &err) != OK) {
		findings_error(findings, NULL, &err);
		return;
	}
	cJSON_ArrayForEach(input, replay_at(record, "inputs"))
	{
		check_input(problem, &known, input, at++, path, findings);
	}
}

void vet_findings(const struct root *tasks, const struct root *candidates, const cJSON *record, const char *path, struct findings *findings)
{
	struct problem *problem = mem_alloc(sizeof *problem);
	struct error err;
	const bool known =
		tasks != NULL && problem_read(tasks, replay_text(record, "problem.task"), replay_text(record, "problem.workload"), problem, &err) == OK;

	if (replay_check(record, path, &err) != OK)
		findings_error(findings, path, &err);
	tally_check(record, path, known ? problem : NULL, findings);
	if (!known && tasks != NULL)
		findings_add_field(findings, R_SUB_PROBLEM, path, "problem.workload", "the archive has no workload '%s' of a task '%s'",
		                   replay_text(record, "problem.workload"), replay_text(record, "problem.task"));
	if (known)
		check_inputs(tasks, record, problem, path, findings);
	if (!cJSON_IsTrue(replay_at(record, "stand_in")))
		plausible_check(record, path, known ? problem : NULL, findings);
	if (candidates != NULL)
		code_check(candidates, record, path, known ? problem : NULL, findings);
	free(problem);
}

static enum status told(const struct finding *finding, const char *path, struct error *err)
{
	const char *id = rule_info(finding->rule)->id, *field = finding->field != NULL ? finding->field : "", *colon = finding->field != NULL ? ": " : "";

	if (strncmp(id, "R-RPL-", strlen("R-RPL-")) == 0)
		return error_set(err, finding->rule, path, "%s%s%s", field, colon, finding->what);
	return error_set(err, R_RPL_FOLLOWS, path, "%s%s%s; %s", field, colon, finding->what, id);
}

enum status vet(const struct root *tasks, const struct root *candidates, const cJSON *record, const char *path, struct error *err)
{
	struct findings findings = {0};
	enum status status = OK;

	vet_findings(tasks, candidates, record, path, &findings);
	for (size_t i = 0; i < findings.count && status == OK; i++)
		if (rule_info(findings.at[i].rule)->severity == SEVERITY_ERROR)
			status = told(&findings.at[i], path, err);
	findings_free(&findings);
	return status;
}

enum status vet_bundle(const struct root *bundle, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, REPLAY_DIRECTORY, &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		cJSON *record = NULL;

		if (list.at[i].kind == FILE_DIRECTORY)
			continue;
		status = replay_read(bundle, list.at[i].path, &record, err);
		if (status == OK)
			status = vet(bundle, bundle, record, list.at[i].path, err);
		cJSON_Delete(record);
	}
	file_list_free(&list);
	return status;
}
