/*
 * Runs of agents, as PTXBench's loop leaves them: a directory with trajectories/exp_NNN.json and, beside it, plan.json. DIR is one such
 * directory, or holds several. docs/records.md, "Trajectories", says what becomes of them.
 */
#ifndef PTXSEAL_MODEL_TRAJECTORIES_H
#define PTXSEAL_MODEL_TRAJECTORIES_H

#include "dataset.h"

#define TRAJECTORIES_KIND "trajectories"

/* What the command line says of every run; NULL: nothing. */
struct trajectories_told {
	const char *model, *task, *workload, *arch;
};

/* Read dir. dataset->source is the caller's, the rest is filled. dataset_free in every case. */
enum status trajectories_import(const struct root *dir, const struct root *bundle, const struct trajectories_told *told,
                                struct dataset *dataset, struct error *err);

#endif
