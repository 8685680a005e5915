#include "journal.h"

#include <stdlib.h>

#include "../bundle/layout.h"

struct journal {
	char *path;
	struct keeper *keeper; /* NULL: for reading only */
	uint32_t trajectories, turns;
	struct evaluation **at; /* one a turn that is planned; NULL where none is recorded */
	size_t count; /* that are */
};

static struct evaluation **place(const struct journal *journal, uint32_t trajectory, uint32_t turn)
{
	return &journal->at[(size_t)trajectory * journal->turns + turn];
}

const struct evaluation *journal_find(const struct journal *journal, uint32_t trajectory, uint32_t turn)
{
	return *place(journal, trajectory, turn);
}

size_t journal_count(const struct journal *journal)
{
	return journal->count;
}

/* Takes over what the evaluation owns. */
static const struct evaluation *take(struct journal *journal, struct evaluation *evaluation)
{
	struct evaluation **at = place(journal, evaluation->trajectory, evaluation->turn);

	*at = mem_alloc(sizeof **at);
	**at = *evaluation;
	*evaluation = (struct evaluation){0};
	journal->count++;
	return *at;
}

static enum status on_evaluation(void *context, struct evaluation *evaluation, uint64_t line, struct error *err)
{
	struct journal *journal = context;

	if (evaluation->trajectory >= journal->trajectories || evaluation->turn >= journal->turns)
		return error_line(err, R_EVL_ORDER, journal->path, line, "trajectory %lu, turn %lu was not planned", (unsigned long)evaluation->trajectory, (unsigned long)evaluation->turn);
	if (journal_find(journal, evaluation->trajectory, evaluation->turn) != NULL ||
	    (evaluation->turn > 0 && journal_find(journal, evaluation->trajectory, evaluation->turn - 1) == NULL))
		return error_line(err, R_EVL_ORDER, journal->path, line, "trajectory %lu, turn %lu stands there twice, or before the one before it", (unsigned long)evaluation->trajectory,
		                  (unsigned long)evaluation->turn);
	take(journal, evaluation);
	return OK;
}

static enum status read_all(struct journal *journal, const struct root *root, struct error *err)
{
	struct bytes text = {0};
	struct error why = {0};
	enum status status = root_read(root, journal->path, EVALUATIONS_FILE_MAX, &text, &why);

	if (journal->keeper == NULL && status != OK && why.rule == R_IO_OPEN)
		return OK;
	if (status != OK && err != NULL)
		*err = why;
	if (status == OK)
		status = evaluations_parse(text.data, text.len, journal->path, on_evaluation, journal, err);
	bytes_free(&text);
	return status;
}

enum status journal_open(const struct root *root, const char *run, uint32_t trajectories, uint32_t turns, struct keeper *keeper, struct journal **opened, struct error *err)
{
	struct journal *journal = mem_alloc(sizeof *journal);
	enum status status = keeper == NULL ? keeper_check_settled(root, run, KEEPER_EVALUATIONS, err) : OK;

	*journal = (struct journal){.path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_EVALUATIONS, run), .keeper = keeper, .trajectories = trajectories, .turns = turns};
	journal->at = mem_alloc(((size_t)trajectories * turns + 1) * sizeof *journal->at);
	if (status == OK)
		status = read_all(journal, root, err);
	*opened = status == OK ? journal : NULL;
	if (status != OK)
		journal_close(journal);
	return status;
}

void journal_close(struct journal *journal)
{
	if (journal == NULL)
		return;
	for (size_t i = 0; i < (size_t)journal->trajectories * journal->turns; i++)
		if (journal->at[i] != NULL) {
			evaluation_free(journal->at[i]);
			free(journal->at[i]);
		}
	free(journal->at);
	free(journal->path);
	free(journal);
}

enum status journal_queue(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err)
{
	struct bytes line = {0};
	const enum status status = evaluation_write(evaluation, &line, err);

	if (status == OK) {
		keeper_lines(journal->keeper, KEEPER_EVALUATIONS, line.data, line.len);
		*kept = take(journal, evaluation);
	}
	bytes_free(&line);
	return status;
}

enum status journal_add(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err)
{
	enum status status = journal_queue(journal, evaluation, kept, err);

	if (status != OK)
		return status;
	status = keeper_commit(journal->keeper, err);
	if (status != OK) {
		struct evaluation **at = place(journal, (*kept)->trajectory, (*kept)->turn);

		evaluation_free(*at);
		free(*at);
		*at = NULL;
		*kept = NULL;
		journal->count--;
	}
	return status;
}
