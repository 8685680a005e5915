/* The evaluations of a run on disk: kept (keeper.h), found by trajectory and turn. */
#ifndef PTXSEAL_MODEL_JOURNAL_H
#define PTXSEAL_MODEL_JOURNAL_H

#include "../base/file.h"
#include "../bundle/evaluations.h"
#include "keeper.h"

struct journal;

/*
 * trajectories, turns: what was planned, no more than LEDGER_PLANNED_MAX in all; a record beyond is R_EVL_ORDER. keeper, of the run's evaluations, stays the caller's. NULL: for reading only; nothing
 * is mended, a run that was not settled is R_AHD_UNFINISHED, and a file that is not there is one without records.
 */
enum status journal_open(const struct root *root, const char *run, uint32_t trajectories, uint32_t turns, struct keeper *keeper, struct journal **journal, struct error *err);
void journal_close(struct journal *journal); /* NULL is fine */

const struct evaluation *journal_find(const struct journal *journal, uint32_t trajectory, uint32_t turn); /* NULL if there is none */
size_t journal_count(const struct journal *journal); /* of turns that have one */
/* Takes over what the evaluation owns, and gives where it is then. It is kept, with all that was handed to the keeper before. */
enum status journal_add(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err);

/* The same, there after the keeper's next commit, and not to be used before. */
enum status journal_queue(struct journal *journal, struct evaluation *evaluation, const struct evaluation **kept, struct error *err);

#endif
