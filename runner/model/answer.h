/* From a frozen or live reply to what of it is evaluated: the same steps wherever a run is asked, played or checked. */
#ifndef PTXSEAL_MODEL_ANSWER_H
#define PTXSEAL_MODEL_ANSWER_H

#include "../bundle/evaluations.h"
#include "extraction.h"
#include "reply.h"

/* What the model itself said, be it no answer: the turn is used. Anything else is no word of the model's. */
bool answer_uses_turn(enum reply_class reply_class);

/* The kernel in it; only an answer is looked into. As extraction_find. */
bool answer_extract(enum form form, const struct reply_text *reply, struct extracted *extracted);

/* The evaluation is of this very kernel, or of none for this very reason. */
bool answer_was(const struct evaluation *evaluation, const struct extracted *extracted);

#endif
