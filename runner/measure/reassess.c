#include "reassess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../model/agent_turns.h"
#include "../model/answer.h"
#include "../model/freeze.h"
#include "../model/journal.h"
#include "../model/query_plan.h"
#include "../model/query_run.h"
#include "assess.h"

struct tools { /* for answers of one form */
	bool tried, there;
	struct assessor assessor;
};

struct again {
	const struct root *bundle;
	const char *run;
	/* Of a run that asked its model itself: */
	struct query_plan plan;
	struct freezer *freezer; /* NULL: it is an agent's, of which stands there instead: */
	struct turn *turns;
	size_t turn_count;
	struct run record;       /* its run.json */
	struct journal *journal;
	struct tools tools[FORM_COUNT];
	char *why_not;           /* of the caller: why there are none */
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

/* ---- tools ---- */

static enum status open_tools(struct again *again, enum form form, struct error *err)
{
	struct tools *tools = &again->tools[form];
	const struct run *record = &again->record;
	struct error why = {0};

	if (tools->tried)
		return OK;
	tools->tried = true;
	char *file = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, again->run);
	const enum status status = problem_named_in(file, assessor_open(again->bundle, again->run, record->model, record->task, record->workload, record->arch, form, &tools->assessor, &why), &why);

	free(file);
	tools->there = status == OK;
	if (status == UNAVAILABLE) {
		snprintf(again->why_not, ERROR_WHAT_MAX, "%s", why.what);
		return OK;
	}
	if (status != OK && err != NULL)
		*err = why;
	return status;
}

static enum status assess_again(struct again *again, enum form form, const struct extracted *extracted, struct reassessment *found, struct error *err)
{
	struct evaluation evaluation = {.trajectory = found->evaluation->trajectory, .turn = found->evaluation->turn};
	enum status status = open_tools(again, form, err);

	if (status == OK && again->tools[form].there) {
		status = assess(&again->tools[form].assessor, evaluation.trajectory, evaluation.turn, extracted, &evaluation, err);
		if (status == OK)
			compare(found->evaluation, &evaluation, found);
	}
	evaluation_free(&evaluation);
	return status;
}

/* ---- what was answered ---- */

static enum status from_reply(const struct again *again, struct reassessment *found, struct extracted *extracted, struct error *err)
{
	const struct evaluation *evaluation = found->evaluation;
	const struct exchange *exchange = freezer_last_try(again->freezer, evaluation->trajectory, evaluation->turn);
	struct reply_text reply = {0};

	if (exchange == NULL || !answer_uses_turn(exchange->reply_class)) {
		differs(found, false, R_QRY_KERNEL, "there is no frozen reply of this turn");
		return OK;
	}
	const enum status status = freezer_reply(again->freezer, exchange, &reply, err);

	if (status == OK) {
		const bool has_kernel = answer_extract(again->plan.form, &reply, extracted);

		if (!answer_was(evaluation, extracted))
			differs(found, false, R_QRY_KERNEL, has_kernel ? "the frozen reply gives another kernel" : "the frozen reply gives no kernel, or none for another reason");
	}
	reply_text_free(&reply);
	return status;
}

static int by_place(const void *a, const void *b)
{
	const struct turn *one = a, *two = b;

	if (one->trajectory != two->trajectory)
		return one->trajectory < two->trajectory ? -1 : 1;
	return (one->turn > two->turn) - (one->turn < two->turn);
}

static enum status from_agent(const struct again *again, struct reassessment *found, enum form *form, struct extracted *extracted, struct error *err)
{
	const struct evaluation *evaluation = found->evaluation;
	const struct turn place = {.trajectory = evaluation->trajectory, .turn = evaluation->turn};
	const struct turn *turn = again->turn_count > 0 ? bsearch(&place, again->turns, again->turn_count, sizeof place, by_place) : NULL;
	struct bytes answer = {0};
	struct sha256 id;
	enum status status = OK;

	if (turn == NULL || !sha256_parse(turn->response, &id))
		differs(found, false, R_QRY_KERNEL, "what was handed in is not in the record");
	else if ((status = object_get(again->bundle, &id, &answer, err)) == OK && !agent_turns_give(evaluation, &answer, form, extracted))
		differs(found, false, R_QRY_KERNEL, "what was handed in gives another kernel, or none for another reason");
	bytes_free(&answer);
	return status;
}

static enum status take(struct again *again, const struct evaluation *evaluation, struct error *err)
{
	struct reassessment found = {.evaluation = evaluation, .rebuilt = REBUILT_SAME, .text = ""};
	struct extracted extracted = {0};
	enum form form = again->plan.form;
	enum status status = again->freezer != NULL ? from_reply(again, &found, &extracted, err) : from_agent(again, &found, &form, &extracted, err);

	if (status == OK && found.rebuilt == REBUILT_SAME && extracted.why == NULL)
		status = assess_again(again, form, &extracted, &found, err);
	if (status == OK)
		again->report(again->context, &found);
	extracted_free(&extracted);
	return status;
}

/* ---- the run ---- */

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct again *again = context;

	(void)run, (void)line, (void)err;
	again->turns = mem_array(again->turns, again->turn_count + 1, sizeof *again->turns);
	again->turns[again->turn_count++] = *turn;
	return OK;
}

static enum status read_turns(struct again *again, struct error *err)
{
	const struct ledger_visitor visitor = {.on_turn = on_turn, .context = again};
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, again->run);
	struct bytes text = {0};
	enum status status = root_read(again->bundle, path, LEDGER_TURNS_FILE_MAX, &text, err);

	if (status == OK)
		status = turns_read(text.data != NULL ? text.data : "", text.len, path, &again->record, &visitor, err);
	bytes_free(&text);
	free(path);
	return status;
}

static enum status open_again(struct again *again, struct error *err)
{
	char *query = mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, again->run);
	const bool is_agents = !root_has(again->bundle, query);
	enum status status = run_read(again->bundle, again->run, &again->record, err);

	free(query);
	if (status == OK && is_agents)
		status = read_turns(again, err);
	else if (status == OK)
		status = query_plan_read(again->bundle, again->run, &again->plan, err);
	if (status == OK && !is_agents)
		status = query_run_check_record(again->bundle, again->run, &again->plan, err);
	if (status == OK && !is_agents)
		status = freezer_open_frozen(again->bundle, again->run, &again->freezer, err);
	if (status == OK)
		status = journal_open(again->bundle, again->run, (uint32_t)again->record.planned_trajectories, (uint32_t)again->record.planned_turns, NULL, &again->journal, err);
	return status;
}

enum status reassess_run(const struct root *bundle, const char *run, reassess_report *report, void *context, char *why_not, struct error *err)
{
	struct again again = {.bundle = bundle, .run = run, .why_not = why_not, .report = report, .context = context};
	enum status status = open_again(&again, err);

	why_not[0] = '\0';
	for (uint32_t i = 0; status == OK && i < again.record.planned_trajectories; i++) {
		for (uint32_t j = 0; status == OK && j < again.record.planned_turns; j++) {
			const struct evaluation *evaluation = journal_find(again.journal, i, j);

			if (evaluation != NULL)
				status = take(&again, evaluation, err);
		}
	}
	for (enum form form = 0; form < FORM_COUNT; form++)
		if (again.tools[form].tried)
			assessor_close(&again.tools[form].assessor);
	journal_close(again.journal);
	freezer_close(again.freezer);
	query_plan_free(&again.plan);
	run_free(&again.record);
	free(again.turns);
	return status;
}

enum status reassess_list(const struct root *bundle, char ***runs, size_t *count, struct error *err)
{
	struct file_list list = {0};
	const enum status status = root_list(bundle, LEDGER_DIRECTORY, &list, err);

	*runs = NULL;
	*count = 0;
	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *rest, *name = list.at[i].path + strlen(LAYOUT_RUNS);
		size_t len;

		if (!layout_split(list.at[i].path, LAYOUT_RUNS, &len, &rest) || (strcmp(rest, LAYOUT_QUERY) != 0 && strcmp(rest, LAYOUT_EVALUATIONS) != 0))
			continue;
		/* One that asked its model itself has both. */
		if (*count > 0 && strlen((*runs)[*count - 1]) == len && memcmp((*runs)[*count - 1], name, len) == 0)
			continue;
		*runs = mem_array(*runs, *count + 1, sizeof **runs);
		(*runs)[(*count)++] = mem_textn(name, len);
	}
	file_list_free(&list);
	return status;
}
