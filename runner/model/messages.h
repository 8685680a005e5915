/* The messages of a turn, by the run's policy. */
#ifndef PTXSEAL_MODEL_MESSAGES_H
#define PTXSEAL_MODEL_MESSAGES_H

#include "query_plan.h"

/* What a turn left for those that follow; text is owned by whoever keeps them. */
struct said {
	char *answer;   /* as the model gave it, without reasoning; "" if it gave none */
	char *kernel;   /* its kernel, fenced; NULL if there was none */
	char *feedback;
};

/* Array of {"content","role"}; the caller deletes it. said: of the turns before. */
enum status messages_make(const struct query_plan *plan, const struct template *template, const struct prompt_values *values, const struct said *said, size_t count, cJSON **messages,
                          struct error *err);

#endif
