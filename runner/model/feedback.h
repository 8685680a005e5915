/* What a model is told of its answer, from the record of its evaluation alone: a frozen run says what the live one said. */
#ifndef PTXSEAL_MODEL_FEEDBACK_H
#define PTXSEAL_MODEL_FEEDBACK_H

#include "../bundle/evaluations.h"

/* Append the text; it ends without a newline. */
void feedback_write(const struct evaluation *evaluation, struct bytes *out);

/* Append text within a fence that nothing in it closes. info may be "". */
void feedback_fenced(const char *info, const char *text, size_t len, struct bytes *out);

#endif
