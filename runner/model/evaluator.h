/*
 * Who says what a kernel does, and the threads that ask it: compiling and measuring take long, and replies come meanwhile. The evaluator is handed in, for the rooms that can do it stand
 * below this one.
 */
#ifndef PTXSEAL_MODEL_EVALUATOR_H
#define PTXSEAL_MODEL_EVALUATOR_H

#include "../bundle/evaluations.h"
#include "extraction.h"

/*
 * Fill evaluation but for trajectory, turn and files: outcome, evidence, arch_tag, speedup, rule, text, facts, candidate. From several threads at once, unless there is one. An error says that it
 * could not be tried here, and ends the run; what is wrong with the kernel is an outcome.
 */
typedef enum status evaluator(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err);

struct assessment {
	struct assessment *next;
	uint32_t trajectory, turn;
	struct extracted extracted;
	struct evaluation evaluation;
	enum status status;
	struct error err;
};
void assessment_free(struct assessment *assessment); /* NULL is fine */

struct evaluators;
/* notify is called from their threads whenever one is done. */
struct evaluators *evaluators_start(unsigned threads, evaluator *evaluate, void *context, void (*notify)(void *context), void *notify_context);
void evaluators_submit(struct evaluators *evaluators, struct assessment *assessment); /* takes it over */
struct assessment *evaluators_take(struct evaluators *evaluators);                  /* one that is done; NULL if none is */
size_t evaluators_open(struct evaluators *evaluators);                               /* submitted and not taken */
/* What waits is dropped, what runs comes to its end. NULL is fine. */
void evaluators_stop(struct evaluators *evaluators);

#endif
