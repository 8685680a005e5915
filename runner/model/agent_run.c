#include "agent_run.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/lock.h"
#include "../bundle/training_set.h"
#include "query_run.h"

/* The first thing that an existing run has planned otherwise; NULL if it is the same run. */
static const char *difference(const struct run *run, const struct agent_plan *plan)
{
	const struct {
		const char *name, *has, *wanted;
	} texts[] = {{"source", run->source, plan->source}, {"model", run->model, plan->model},       {"task", run->task, plan->task},
	             {"workload", run->workload, plan->workload}, {"arch", run->arch, plan->arch}, {"variant", run->variant, plan->variant}};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (strcmp(texts[i].has, texts[i].wanted) != 0)
			return texts[i].name;
	if (run->planned_trajectories != plan->trajectories)
		return "planned_trajectories";
	return run->planned_turns != plan->turns ? "planned_turns" : NULL;
}

static enum status make(const struct root *bundle, const struct agent_plan *plan, struct error *err)
{
	struct run run = {
		.run = (char *)(uintptr_t)plan->run,
		.source = (char *)(uintptr_t)plan->source,
		.model = (char *)(uintptr_t)plan->model,
		.arch = (char *)(uintptr_t)plan->arch,
		.task = (char *)(uintptr_t)plan->task,
		.workload = (char *)(uintptr_t)plan->workload,
		.workload_name = (char *)(uintptr_t)plan->workload_name,
		.required_tag = (char[]){strcmp(plan->arch, "hopper") == 0 ? 'H' : 'B', '\0'},
		.date = (char[]){""},
		.checklist = (char[]){"unsaid"},
		.retrieval = (char[]){"unsaid"},
		.variant = (char *)(uintptr_t)plan->variant,
		.planned_trajectories = plan->trajectories,
		.planned_turns = plan->turns,
	};
	struct bytes text = {0};
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, plan->run), *turns = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, plan->run);
	enum status status = run_check_names(&run, "", err);

	if (status == OK)
		status = ledger_next_position(bundle, plan->source, &run.position, err);
	run_write(&run, &text);
	if (status == OK)
		status = query_run_write_source(bundle, plan->source, err);
	if (status == OK)
		status = root_write(bundle, turns, "", 0, err);
	if (status == OK)
		status = root_write(bundle, path, text.data, text.len, err);
	free(turns);
	free(path);
	bytes_free(&text);
	return status;
}

static enum status check(const struct agent_plan *plan, struct error *err)
{
	if (!ledger_name_valid(plan->run, strlen(plan->run)))
		return error_set(err, R_PRX_RUN, "", "'%s' cannot name a run", plan->run);
	if (!layout_name_valid(plan->source))
		return error_set(err, R_PRX_RUN, "", "'%s' cannot name a source", plan->source);
	if (plan->model[0] == '\0' || strlen(plan->model) > LEDGER_TEXT_MAX || strlen(plan->variant) > LEDGER_TEXT_MAX)
		return error_set(err, R_PRX_RUN, "", "the model's or the agent's name is empty, or longer than %d bytes", LEDGER_TEXT_MAX);
	if (plan->trajectories < 1 || plan->turns < 1 || !ledger_can_plan(plan->trajectories, plan->turns))
		return error_set(err, R_PRX_RUN, "", "1 to %d trajectories of 1 to %d turns are allowed, and %d turns in all", LEDGER_TRAJECTORIES_MAX, LEDGER_TURNS_MAX, LEDGER_PLANNED_MAX);
	return OK;
}

static enum status begin(const struct root *bundle, const struct agent_plan *plan, struct error *err)
{
	struct run run = {0};
	struct error why = {0};
	enum status status = run_read(bundle, plan->run, &run, &why);

	if (status != OK && why.rule == R_IO_OPEN) {
		status = make(bundle, plan, err);
	} else if (status == OK) {
		const char *other = difference(&run, plan);
		char *query = mem_format(LAYOUT_RUNS "%s/" LAYOUT_QUERY, plan->run);

		/* Its own sessions write both files that an agent's write one each of. */
		if (root_has(bundle, query))
			status = error_set(err, R_PRX_RUN, plan->run, "the run is there already, and asks its model without an agent");
		else if (other != NULL)
			status = error_set(err, R_PRX_RUN, plan->run, "the run is there already, with another '%s'", other);
		free(query);
	} else if (err != NULL) {
		*err = why;
	}
	run_free(&run);
	return status;
}

enum status agent_run_open(const struct root *bundle, const struct agent_plan *plan, struct error *err)
{
	struct bytes training_set = {0};
	int lock = -1;
	enum status status = check(plan, err);

	if (status == OK && plan->training_set != NULL)
		status = training_set_load(plan->training_set, &training_set, err);
	if (status == OK)
		status = bundle_lock_to_begin(bundle, &lock, err);
	if (status == OK)
		status = begin(bundle, plan, err);
	if (status == OK)
		status = training_set_keep(bundle, plan->run, &training_set, err);
	bytes_free(&training_set);
	bundle_unlock(lock);
	return status;
}
