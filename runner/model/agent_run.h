/* The run of an agent: run.json is written before anything is recorded, an empty turns.jsonl with it, to which the evaluations of mcp.h add. */
#ifndef PTXSEAL_MODEL_AGENT_RUN_H
#define PTXSEAL_MODEL_AGENT_RUN_H

#include "../bundle/ledger.h"

#define AGENT_SOURCE "agents"

struct agent_plan {
	const char *run, *source, *model, *task, *workload, *workload_name, *arch;
	uint32_t trajectories, turns;
	const char *variant; /* says what agent it is; "" if nothing */
	const char *training_set; /* manifest of the set that the model was tuned on, a file; NULL: nothing is said */
};

/* A run that is there already is taken up again if its plan is the same (R_PRX_RUN), and the training set is the one that it named, if it did (R_TRN_*). */
enum status agent_run_open(const struct root *bundle, const struct agent_plan *plan, struct error *err);

#endif
