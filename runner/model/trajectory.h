/*
 * One trajectory of an agent, as mini-swe-agent 2 saves it (agents/default.py, "mini-swe-agent-1.1") and PTXBench's loop with it: messages of
 * the roles system, user (or tool), assistant and exit. An answer of the assistant is a turn; what comes between two answers is what the
 * model was told of the first. PTXBench puts what it measured beside the text, in the message's `extra`.
 *
 * Only what is named here is looked at; the rest of a file is the agent's own and free.
 */
#ifndef PTXSEAL_MODEL_TRAJECTORY_H
#define PTXSEAL_MODEL_TRAJECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "../bundle/ledger.h"

enum { TRAJECTORY_TURNS_MAX = LEDGER_TURNS_MAX };

struct trajectory_turn {
	/* Canonical JSON, a list of {"content","role"}: the messages before the answer and since the one before it. */
	struct bytes prompt;
	struct bytes feedback;   /* the same after it; empty: there are none */
	char *response;          /* the answer's text; NULL: it was not kept */
	char *label;             /* what the outcome follows from: a status, an event, or "text" */
	enum outcome outcome;
	double speedup;          /* 0 if none is said */
	int64_t reasoning_tokens; /* -1 unknown */
	const char *reasoning_source; /* "" unknown; static */
	int64_t prompt_tokens, completion_tokens; /* -1 unknown */
};

struct trajectory {
	/* What the file says of its run; NULL or 0 where it does not. Traces and configuration agree where both say it. */
	char *model, *task, *workload, *hardware, *timestamp;
	uint64_t step_limit;
	struct trajectory_turn *turns;
	size_t count;
};

/* file is for messages. *trajectory is empty unless OK is returned; trajectory_free. */
enum status trajectory_parse(const char *text, size_t len, const char *file, struct trajectory *trajectory, struct error *err);
void trajectory_free(struct trajectory *trajectory);

#endif
