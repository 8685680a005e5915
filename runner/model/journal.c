#include "journal.h"

#include <stdlib.h>
#include <unistd.h>

#include "../bundle/layout.h"

struct journal {
	char *path;
	int fd;     /* -1: for reading only */
	uint64_t size; /* of what was flushed */
	struct bytes lines; /* queued */
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

/* A line that was not written whole was not flushed, and so not used. */
static enum status cut_torn_line(struct journal *journal, struct bytes *text, struct error *err)
{
	size_t len = text->len;

	while (len > 0 && text->data[len - 1] != '\n')
		len--;
	if (len < text->len && (ftruncate(journal->fd, (off_t)len) != 0 || fsync(journal->fd) != 0))
		return error_errno(err, R_IO_WRITE, journal->path, "cannot cut off the last line, which was not written whole");
	text->len = len;
	journal->size = len;
	return OK;
}

static enum status read_all(struct journal *journal, const struct root *root, bool frozen, struct error *err)
{
	struct bytes text = {0};
	struct error why = {0};
	enum status status = root_read(root, journal->path, EVALUATIONS_FILE_MAX, &text, &why);

	if (frozen && status != OK && why.rule == R_IO_OPEN)
		return OK;
	if (status != OK && err != NULL)
		*err = why;
	if (status == OK && !frozen)
		status = cut_torn_line(journal, &text, err);
	if (status == OK)
		status = evaluations_parse(text.data, text.len, journal->path, on_evaluation, journal, err);
	bytes_free(&text);
	return status;
}

enum status journal_open(const struct root *root, const char *run, uint32_t trajectories, uint32_t turns, bool frozen, struct journal **opened, struct error *err)
{
	struct journal *journal = mem_alloc(sizeof *journal);
	enum status status = OK;

	*journal = (struct journal){.path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_EVALUATIONS, run), .fd = -1, .trajectories = trajectories, .turns = turns};
	journal->at = mem_alloc(((size_t)trajectories * turns + 1) * sizeof *journal->at);
	if (!frozen)
		status = root_open_append(root, journal->path, &journal->fd, err);
	if (status == OK)
		status = read_all(journal, root, frozen, err);
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
	bytes_free(&journal->lines);
	free(journal->at);
	free(journal->path);
	if (journal->fd >= 0)
		close(journal->fd);
	free(journal);
}

enum status journal_queue(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err)
{
	const size_t before = journal->lines.len;
	const enum status status = evaluation_write(evaluation, &journal->lines, err);

	if (status != OK) {
		journal->lines.len = before;
		return status;
	}
	*kept = take(journal, evaluation);
	return OK;
}

enum status journal_commit(struct journal *journal, struct error *err)
{
	const enum status status = journal->lines.len > 0 ? file_append(journal->fd, journal->path, journal->lines.data, journal->lines.len, &journal->size, err) : OK;

	journal->lines.len = 0;
	return status;
}

enum status journal_add(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err)
{
	enum status status = journal_queue(journal, evaluation, kept, err);

	if (status != OK)
		return status;
	status = journal_commit(journal, err);
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
