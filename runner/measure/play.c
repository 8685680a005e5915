#include "play.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "assess.h"

static enum status read_template(struct play *play, const struct root *definitions, struct error *err)
{
	const enum status status = template_read(definitions, play->plan.template, play->plan.arch, &play->template, err);

	if (status != OK || memcmp(&play->plan.template_hash, &play->template.hash, sizeof play->template.hash) == 0)
		return status;
	return error_set(err, R_QRY_LEAVES, "", "the template '%s' has other bytes than the run '%s' asked with", play->plan.template, play->run);
}

static enum status read_task(struct play *play, const struct root *definitions, struct error *err)
{
	struct problem *problem = mem_alloc(sizeof *problem);
	char *file = mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, play->run);
	enum status status = problem_named_in(file, problem_read(definitions, play->plan.task, play->plan.workload, problem, err), err);

	if (status == OK)
		status = assess_values(definitions, problem, &play->values, err);
	free(file);
	free(problem);
	return status;
}

static enum status no_plan(const struct root *bundle, const char *run, struct error *err)
{
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, run);
	const bool is_other = root_has(bundle, path);

	free(path);
	return error_set(err, R_EXC_NONE, "", is_other ? "the run '%s' asked no model by itself; an agent's is played to the agent (record --frozen, mcp --frozen)" : "the bundle has no run '%s' that asked a model", run);
}

enum status play_open(const struct root *bundle, const struct root *definitions, const char *run, struct play *play, struct error *err)
{
	struct error why = {0};

	*play = (struct play){.bundle = bundle, .run = run};
	enum status status = query_plan_read(bundle, run, &play->plan, &why);

	if (status != OK && why.rule == R_IO_OPEN)
		return no_plan(bundle, run, err);
	if (status != OK) {
		*err = why;
		return status;
	}
	status = read_template(play, definitions, err);
	if (status == OK)
		status = read_task(play, definitions, err);
	if (status == OK)
		status = freezer_open_frozen(bundle, run, &play->freezer, err);
	if (status == OK)
		status = journal_open(bundle, run, play->plan.trajectories, play->plan.turns, NULL, &play->journal, err);
	return status;
}

/* `published`, `small` or the UUID: of this task it is the workload that was asked for. */
static enum status check_workload_name(const struct play *play, const struct root *definitions, const char *name, struct error *err)
{
	struct problem *problem = mem_alloc(sizeof *problem);
	char *file = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, play->run);
	enum status status = problem_named_in(file, problem_read(definitions, play->plan.task, strcmp(name, "published") == 0 ? NULL : name, problem, err), err);

	if (status == OK && strcmp(problem->workload, play->plan.workload) != 0)
		status = error_set(err, R_QRY_RECORD, "", "of the run '%s' the field 'workload_name' is '%s' there, and '%s' was asked for", play->run, name, play->plan.workload);
	free(file);
	free(problem);
	return status;
}

enum status play_check_record(const struct play *play, const struct root *definitions, struct error *err)
{
	struct run record = {0};
	enum status status = query_run_check_record(play->bundle, play->run, &play->plan, err);

	if (status == OK)
		status = run_read(play->bundle, play->run, &record, err);
	if (status == OK)
		status = check_workload_name(play, definitions, record.workload_name, err);
	run_free(&record);
	return status;
}

enum status play_run(struct play *play, void (*event)(void *context, const struct conversation_event *event), void *context, struct conversation_result *result, struct error *err)
{
	const struct conversation_options how = {
		.bundle = play->bundle,
		.run = play->run,
		.plan = &play->plan,
		.template = &play->template,
		.values = &play->values,
		.freezer = play->freezer,
		.journal = play->journal,
		.event = event,
		.event_context = context,
	};
	const enum status status = conversation_run(&how, result, err);

	return status == OK ? query_run_check_turns(play->bundle, play->run, &result->turns, err) : status;
}

void play_close(struct play *play)
{
	journal_close(play->journal);
	freezer_close(play->freezer);
	prompt_values_free(&play->values);
	template_free(&play->template);
	query_plan_free(&play->plan);
}
