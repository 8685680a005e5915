/*
 * What the name of a PTXBench run's directory says and no column carries. A name is, in this order,
 *   PREFIX    a time stamp YYYY-MMDD-HHMM, or the model: opus48, glm52, gemini-31-pro, qwen36-27b, qwen36
 *   -b200     on Blackwell runs
 *   -FACTORS  patched | nopatched (the prompt checklist), retrieved-notes | note-feedback2 (what is retrieved after a failed
 *             turn: repair notes; the notes and a fixed kernel), and whatever else: the variant
 *   -TASK     the definition's name with '_' written '-' and "with-lse-" left out, "gemm" for any GEMM, or the name itself
 * any of which may be missing. What these rules do not name goes into the variant, never away.
 */
#ifndef PTXSEAL_MODEL_RUNNAME_H
#define PTXSEAL_MODEL_RUNNAME_H

#include <stdbool.h>

#include "../base/bytes.h"
#include "../base/date.h"

struct runname {
	char date[DATE_TEXT + 1]; /* of the time stamp, YYYY-MM-DD; "" if the name begins with none */
	bool names_blackwell;
	bool names_task;
	const char *checklist;    /* as in struct run */
	const char *retrieval;
	struct bytes variant;     /* the remaining parts joined by '-' */
};

void runname_read(const char *name, const char *task, struct runname *out);
void runname_free(struct runname *name);

#endif
