/*
 * What the runs of a submission name as the training set of their model, held against what it states. A submission has one model, so the set of any run counts for the tasks of all: a run that
 * names none hides none.
 */
#ifndef PTXSEAL_SUBMISSION_TUNED_H
#define PTXSEAL_SUBMISSION_TUNED_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"

/* list: the submission's files. facts: its submission.json; may be NULL. R_SUB_TRAINING; R_TRN of a set that is none. */
void tuned_check(const struct root *submission, const struct file_list *list, const cJSON *facts, struct findings *findings);

#endif
