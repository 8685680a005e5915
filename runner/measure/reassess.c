#include "reassess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../model/answer.h"
#include "../model/freeze.h"
#include "../model/journal.h"
#include "../model/query_plan.h"
#include "assess.h"

struct again {
	const struct root *bundle;
	const char *run;
	struct query_plan plan;
	struct freezer *freezer;
	struct journal *journal;
	struct assessor assessor;
	bool has_tools;
	reassess_report *report;
	void *context;
};

static const char *code_text(const struct evaluation *evaluation, const char *key)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(evaluation->facts, "code"), key);

	return cJSON_IsString(item) ? item->valuestring : "";
}

/* What compiling alone decides. */
static bool refused(const struct evaluation *evaluation)
{
	return evaluation->outcome == OUTCOME_MEASURED_COMPILATION || (evaluation->outcome == OUTCOME_MEASURED_REJECTED && code_text(evaluation, "cubin")[0] == '\0');
}

static void differs(struct reassessment *found, bool other_tool, enum rule rule, const char *text)
{
	found->rebuilt = other_tool ? REBUILT_OTHER_TOOL : REBUILT_DIFFERS;
	found->rule = rule;
	found->text = text;
}

static void compare(const struct evaluation *was, const struct evaluation *is, struct reassessment *found)
{
	const char *tool = code_text(was, "ptxas"), *here = code_text(is, "ptxas");
	const bool other = tool[0] != '\0' && here[0] != '\0' && strcmp(tool, here) != 0;

	found->compiled = true;
	if (refused(was) != refused(is))
		differs(found, other, R_QRY_REBUILT, refused(was) ? "it compiles, and did not then" : "it does not compile, and did then");
	else if (refused(was) && (was->outcome != is->outcome || strcmp(was->rule, is->rule) != 0))
		differs(found, other, R_QRY_REBUILT, "it breaks another rule than then");
	else if (!refused(was) && strcmp(code_text(was, "cubin"), code_text(is, "cubin")) != 0)
		differs(found, other, R_QRY_REBUILT, "it compiles to another cubin than then");
	else if (!refused(was) && !cJSON_Compare(cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(was->facts, "code"), "instructions"),
	                                         cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(is->facts, "code"), "instructions"), true))
		differs(found, false, R_QRY_REBUILT, "the record lists other instructions of the same cubin");
}

/* The last try of that turn. */
static const struct exchange *last_try(const struct again *again, uint32_t trajectory, uint32_t turn)
{
	const struct exchange *last = NULL;

	for (size_t i = 0; i < freezer_count(again->freezer); i++)
		if (freezer_at(again->freezer, i)->trajectory == trajectory && freezer_at(again->freezer, i)->turn == turn)
			last = freezer_at(again->freezer, i);
	return last;
}

static enum status assess_again(struct again *again, const struct extracted *extracted, struct reassessment *found, struct error *err)
{
	struct evaluation evaluation = {.trajectory = found->evaluation->trajectory, .turn = found->evaluation->turn};
	const enum status status = assess(&again->assessor, evaluation.trajectory, evaluation.turn, extracted, &evaluation, err);

	if (status == OK)
		compare(found->evaluation, &evaluation, found);
	evaluation_free(&evaluation);
	return status;
}

static enum status take(struct again *again, const struct evaluation *evaluation, struct error *err)
{
	const struct exchange *exchange = last_try(again, evaluation->trajectory, evaluation->turn);
	struct reassessment found = {.evaluation = evaluation, .rebuilt = REBUILT_SAME, .text = ""};
	struct extracted extracted = {0};
	struct reply_text reply = {0};
	enum status status = OK;

	if (exchange == NULL || !answer_uses_turn(exchange->reply_class)) {
		differs(&found, false, R_QRY_KERNEL, "there is no frozen reply of this turn");
	} else if ((status = freezer_reply(again->freezer, exchange, &reply, err)) == OK) {
		const bool has_kernel = answer_extract(again->plan.form, &reply, &extracted);

		if (!answer_was(evaluation, &extracted))
			differs(&found, false, R_QRY_KERNEL, has_kernel ? "the frozen reply gives another kernel" : "the frozen reply gives no kernel, or none for another reason");
		else if (has_kernel && again->has_tools)
			status = assess_again(again, &extracted, &found, err);
	}
	if (status == OK)
		again->report(again->context, &found);
	extracted_free(&extracted);
	reply_text_free(&reply);
	return status;
}

static enum status open_again(struct again *again, char *why_not, struct error *err)
{
	struct error why = {0};
	const struct query_plan *plan = &again->plan;
	enum status status = query_plan_read(again->bundle, again->run, &again->plan, err);

	why_not[0] = '\0';
	if (status == OK)
		status = freezer_open_frozen(again->bundle, again->run, &again->freezer, err);
	if (status == OK)
		status = journal_open(again->bundle, again->run, plan->trajectories, plan->turns, NULL, &again->journal, err);
	if (status != OK)
		return status;
	status = assessor_open(again->bundle, again->run, plan->model, plan->task, plan->workload, plan->arch, plan->form, &again->assessor, &why);
	again->has_tools = status == OK;
	if (status == UNAVAILABLE) {
		snprintf(why_not, ERROR_WHAT_MAX, "%s", why.what);
		return OK;
	}
	if (status != OK)
		*err = why;
	return status;
}

enum status reassess_run(const struct root *bundle, const char *run, reassess_report *report, void *context, char *why_not, struct error *err)
{
	struct again again = {.bundle = bundle, .run = run, .report = report, .context = context};
	enum status status = open_again(&again, why_not, err);

	for (uint32_t i = 0; i < again.plan.trajectories && status == OK; i++) {
		for (uint32_t j = 0; j < again.plan.turns && status == OK; j++) {
			const struct evaluation *evaluation = journal_find(again.journal, i, j);

			if (evaluation != NULL)
				status = take(&again, evaluation, err);
		}
	}
	assessor_close(&again.assessor);
	journal_close(again.journal);
	freezer_close(again.freezer);
	query_plan_free(&again.plan);
	return status;
}

enum status reassess_list(const struct root *bundle, char ***runs, size_t *count, struct error *err)
{
	struct file_list list = {0};
	const enum status status = root_list(bundle, LEDGER_DIRECTORY, &list, err);

	*runs = NULL;
	*count = 0;
	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *rest;
		size_t len;

		if (!layout_split(list.at[i].path, LAYOUT_RUNS, &len, &rest) || strcmp(rest, LAYOUT_QUERY) != 0)
			continue;
		*runs = mem_array(*runs, *count + 1, sizeof **runs);
		(*runs)[(*count)++] = mem_textn(list.at[i].path + strlen(LAYOUT_RUNS), len);
	}
	file_list_free(&list);
	return status;
}
