/*
 * What an agent hands in, evaluated: each a turn of its trajectory, kept as query keeps a model's answers. The answer is a text in which its files stand fenced, so that the rule of
 * extraction.h finds them again; what was asked is the text of the tool (mcp.h). Played from the record, nothing is evaluated, and each has to be what was handed in then.
 */
#ifndef PTXSEAL_MODEL_AGENT_TURNS_H
#define PTXSEAL_MODEL_AGENT_TURNS_H

#include "../base/file.h"
#include "evaluator.h"

struct agent_turns;

struct agent_turns_options { /* what it points to outlives the turns */
	const struct root *bundle;
	const char *run;
	uint32_t trajectory, trajectories, turns; /* which one; how many were planned */
	const char *prompt;  /* what the agent is told of the tool; NULL: from the record alone */
	enum form form;
	evaluator *evaluate; /* NULL: from the record alone */
	void *context;
};

/* The run has to be there (agent_run.h). R_MCP_LOCKED: another process adds to it. A turn that was evaluated when a process was killed gets its line now. */
enum status agent_turns_open(const struct agent_turns_options *options, struct agent_turns **turns, struct error *err);
void agent_turns_close(struct agent_turns *turns); /* NULL is fine */
/* All that was kept is in its place (keeper_settle). */
enum status agent_turns_settle(struct agent_turns *turns, struct error *err);

/* texts: one for each file of the form (kernel.cu; kernel.ptx, launches.json). *evaluation stays the turns'; feedback is what the agent is told. R_MCP_TURNS: none is left; R_MCP_LEAVES: it is
 * not what was handed in. */
enum status agent_turns_take(struct agent_turns *turns, const char *const *texts, const struct evaluation **evaluation, struct bytes *feedback, struct error *err);
/* From the record alone: every turn was asked for with this prompt, if there is one. */
bool agent_turns_told(const struct agent_turns *turns, const char *prompt);
/* Of a run that is there, without an agent: every turn follows from its evaluation, its prompt is what an agent is told of the tool, its answer is the kernel that was evaluated and nothing else, and no evaluation is left over. R_MCP_LEAVES. */
enum status agent_turns_check(const struct root *bundle, const struct run *run, const struct turn *turns, size_t count, struct error *err);
/* Does what was handed in give the kernel that was evaluated, or none for the same reason? *extracted is it, or empty if not; *form: FORM_COUNT where only the reason was kept. */
bool agent_turns_give(const struct evaluation *evaluation, const struct bytes *answer, enum form *form, struct extracted *extracted);
uint32_t agent_turns_left(const struct agent_turns *turns);
uint32_t agent_turns_done(const struct agent_turns *turns);
/* From the record alone: turns of the trajectory that were not handed in again. */
uint32_t agent_turns_unplayed(const struct agent_turns *turns);

#endif
