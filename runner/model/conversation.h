/*
 * A run: trajectories of turns, each a request, its answer, the kernel in it, and what became of that. Many are under way at once. Whatever was asked and evaluated is kept (keeper.h) before it
 * is used, and is never asked or evaluated again: a run that was killed, live, and one that is played from its record alone go through the same steps (docs/query.md, "A run").
 */
#ifndef PTXSEAL_MODEL_CONVERSATION_H
#define PTXSEAL_MODEL_CONVERSATION_H

#include "endpoint.h"
#include "evaluator.h"
#include "freeze.h"
#include "journal.h"
#include "query_plan.h"

enum trajectory_state {
	TRAJECTORY_UNDER_WAY,
	TRAJECTORY_DONE,       /* it has all its turns */
	TRAJECTORY_EARLY,      /* nothing more was to be asked */
	TRAJECTORY_TOO_LONG,   /* its next prompt does not fit into the model; why says it */
	TRAJECTORY_UNFINISHED, /* it could not go on; why says it */
	TRAJECTORY_STATES
};

struct conversation_event {
	enum { EVENT_TRY, EVENT_TURN, EVENT_TRAJECTORY } kind;
	uint32_t trajectory, turn;
	bool recorded;                  /* of an earlier session; not told of tries */
	const struct try *try;          /* EVENT_TRY */
	const struct turn *done;        /* EVENT_TURN */
	const struct evaluation *evaluation; /* EVENT_TURN */
	enum trajectory_state state;    /* EVENT_TRAJECTORY */
	const char *why;                /* EVENT_TRAJECTORY: "" unless unfinished */
};

struct conversation_options {
	const struct root *bundle;
	const char *run;
	const struct query_plan *plan;
	const struct template *template;
	const struct prompt_values *values; /* of the task */
	struct keeper *keeper;              /* of both; NULL with endpoint */
	struct freezer *freezer;
	struct journal *journal;
	struct endpoint *endpoint;          /* NULL: from the record alone, and nothing is written */
	evaluator *evaluate;                /* NULL with endpoint */
	void *evaluate_context;
	unsigned evaluators;                /* threads that evaluate, 1 to 64 */
	void (*event)(void *context, const struct conversation_event *event);
	void *event_context;
	bool (*stop)(void);                 /* NULL: never. Once true, what is under way is dropped */
};

struct conversation_result { /* conversation_result_free */
	struct bytes turns;            /* turns.jsonl */
	bool recalled;                 /* the record was gone through to its end; else turns may lack some that are in it */
	uint64_t trajectories[TRAJECTORY_STATES];
	uint64_t planned, done, early, too_long, missing; /* turns: planned = done + early (not wanted) + too_long (their prompt, or one before) + missing */
	uint64_t outcomes[OUTCOME_COUNT];
	uint64_t recorded;             /* of done: of earlier sessions */
	char best[32];                 /* speedup of a correct turn, as decimal; "" if there is none */
	char *why;                     /* of the first unfinished trajectory; NULL if all are finished */
	enum rule why_rule;            /* R_SPD_CAP, R_END_DEADLINE, R_END_KEY, ...; R_QRY_UNFINISHED where no rule is broken */
	uint32_t why_trajectory, why_turn;
};
void conversation_result_free(struct conversation_result *result);

/*
 * Trajectories that could not go on are in the result, and are no error. Errors: the record was left (R_QRY_LEAVES, R_QRY_KERNEL, R_QRY_STRAY, R_EXC_REPLY), something could not be written or evaluated, STOPPED.
 * *result is set in every case, and what it says is so.
 */
enum status conversation_run(const struct conversation_options *options, struct conversation_result *result, struct error *err);

#endif
