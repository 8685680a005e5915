/*
 * The summary tables of schema.sql (trajectory_row, trajectory_limit_row, run_outcome_row), added up while the turns pass by on
 * their way into the database: they come sorted by run, trajectory and turn, so that no query has to sort them again.
 */
#ifndef PTXSEAL_DERIVE_SUMMARY_H
#define PTXSEAL_DERIVE_SUMMARY_H

#include "../bundle/ledger.h"
#include "database.h"

struct summary;

/* Prepares the inserts; the tables and turn_limit must be there. Free with summary_close, also after a failure. */
enum status summary_open(struct database *db, struct summary **summary, struct error *err);
void summary_close(struct summary *summary); /* NULL is fine */

/* The next turn of the run; has_target: the run's required tag stands in it. */
void summary_turn(struct summary *summary, const struct turn *turn, bool has_target);

/* The run's turns are all there: insert what was added up, under the run's grade. file is for messages. */
enum status summary_run(struct summary *summary, int64_t run_id, enum evidence grade, const char *file, struct error *err);

#endif
