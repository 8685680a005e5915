#include "tuned.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/training_set.h"
#include "facts.h"

/* A task of a set; of the runs whose sets have it, the first by name. */
struct has {
	char *task, *run;
	uint64_t pairs;
};

struct tuned {
	struct has *at;
	size_t count, room;
};

static void take_set(struct tuned *tuned, const struct training_set *set, const char *run)
{
	for (size_t i = 0; i < set->count; i++) {
		if (tuned->count == tuned->room) {
			tuned->room = tuned->room == 0 ? 64 : tuned->room * 2;
			tuned->at = mem_array(tuned->at, tuned->room, sizeof *tuned->at);
		}
		tuned->at[tuned->count++] = (struct has){mem_text(set->at[i].task), mem_text(run), set->at[i].pairs};
	}
}

/* The run of a path artifact/runs/RUN/FILE, or NULL. */
static char *run_of(const struct file_entry *entry, const char *file)
{
	const char *rest;
	size_t len;

	if (entry->kind != FILE_REGULAR || !layout_split(entry->path, LAYOUT_RUNS, &len, &rest) || strcmp(rest, file) != 0)
		return NULL;
	return mem_textn(entry->path + strlen(LAYOUT_RUNS), len);
}

static void take_sets(const struct root *submission, const struct file_list *list, struct tuned *tuned, struct findings *findings)
{
	for (size_t i = 0; i < list->count; i++) {
		char *run = run_of(&list->at[i], LAYOUT_TRAINING_SET);
		struct training_set set = {0};
		struct error err = {0};
		bool found;

		if (run != NULL && training_set_of_run(submission, run, &set, &found, &err) != OK)
			findings_error(findings, NULL, &err);
		else if (run != NULL)
			take_set(tuned, &set, run);
		training_set_free(&set);
		free(run);
	}
}

static int by_task(const void *a, const void *b)
{
	const struct has *x = a, *y = b;
	const int order = strcmp(x->task, y->task);

	return order != 0 ? order : strcmp(x->run, y->run);
}

/* Sorted by task, and each task once. */
static void merge(struct tuned *tuned)
{
	size_t kept = 0;

	if (tuned->count > 1)
		qsort(tuned->at, tuned->count, sizeof *tuned->at, by_task);
	for (size_t i = 0; i < tuned->count; i++) {
		if (kept > 0 && strcmp(tuned->at[kept - 1].task, tuned->at[i].task) == 0) {
			free(tuned->at[i].task);
			free(tuned->at[i].run);
		} else {
			tuned->at[kept++] = tuned->at[i];
		}
	}
	tuned->count = kept;
}

static int at_task(const void *task, const void *has)
{
	return strcmp(task, ((const struct has *)has)->task);
}

static void check_run(const struct tuned *tuned, const struct run *run, const cJSON *facts, struct findings *findings)
{
	const char *trained = facts_conflict(facts, run->task);
	const struct has *has = tuned->count > 0 ? bsearch(run->task, tuned->at, tuned->count, sizeof *tuned->at, at_task) : NULL;

	/* That nothing is stated is told by R_SUB_CONFLICT. */
	if (has != NULL && trained != NULL && strcmp(trained, "yes") != 0)
		findings_add_field(findings, R_SUB_TRAINING, LAYOUT_SUBMISSION, "conflicts", "it says '%s' of '%s', the task of '%s', and the training set of '%s' has %llu pairs of it", trained, run->task,
		                   run->run, has->run, (unsigned long long)has->pairs);
}

void tuned_check(const struct root *submission, const struct file_list *list, const cJSON *facts, struct findings *findings)
{
	struct tuned tuned = {0};

	take_sets(submission, list, &tuned, findings);
	merge(&tuned);
	for (size_t i = 0; i < list->count && tuned.count > 0; i++) {
		char *name = run_of(&list->at[i], LAYOUT_RUN);
		struct run run = {0};

		if (name != NULL && run_read(submission, name, &run, NULL) == OK) /* else told where it is reviewed */
			check_run(&tuned, &run, facts, findings);
		run_free(&run);
		free(name);
	}
	for (size_t i = 0; i < tuned.count; i++) {
		free(tuned.at[i].task);
		free(tuned.at[i].run);
	}
	free(tuned.at);
}
