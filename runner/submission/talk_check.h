/*
 * The record of a run that asked a model, or was an agent's, held against itself, the archive's template and task, and the candidates and records that came of it. Everything that
 * `query --frozen` checks, and of `rebuild` what needs no toolkit: that a source compiles to this cubin is left to that.
 */
#ifndef PTXSEAL_SUBMISSION_TALK_CHECK_H
#define PTXSEAL_SUBMISSION_TALK_CHECK_H

#include <stdbool.h>

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/ledger.h"

struct talk_check {
	const struct root *submission, *archive;
	const struct run *run;
	const struct turn *turns; /* of turns.jsonl */
	size_t count;
	const bool *recorded;     /* by turn: there is a record of a replay, which says of it what turns.jsonl says (R_SUB_TURN) */
	struct findings *findings;
};
void talk_check(const struct talk_check *check);

/* Where the candidate of that turn stands; free() it. */
char *talk_candidate(const struct run *run, uint32_t trajectory, uint32_t turn);

#endif
