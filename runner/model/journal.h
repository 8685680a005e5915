/* The evaluations of a run on disk: appended and flushed, found by trajectory and turn. Who writes has the run's exchanges locked (freeze.h). */
#ifndef PTXSEAL_MODEL_JOURNAL_H
#define PTXSEAL_MODEL_JOURNAL_H

#include "../base/file.h"
#include "../bundle/evaluations.h"

struct journal;

/* trajectories, turns: what was planned, no more than LEDGER_PLANNED_MAX in all; a record beyond is R_EVL_ORDER. frozen: for reading only; nothing is mended, and a file that is not there is one without records. */
enum status journal_open(const struct root *root, const char *run, uint32_t trajectories, uint32_t turns, bool frozen, struct journal **journal, struct error *err);
void journal_close(struct journal *journal); /* NULL is fine */

const struct evaluation *journal_find(const struct journal *journal, uint32_t trajectory, uint32_t turn); /* NULL if there is none */
size_t journal_count(const struct journal *journal); /* of turns that have one */
/* Takes over what the evaluation owns, and gives where it is then. */
enum status journal_add(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err);

/* The same in two steps, so that many wait for the disk together; what was queued must not be used before journal_commit says that it is there. */
enum status journal_queue(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err);
enum status journal_commit(struct journal *journal, struct error *err);

#endif
