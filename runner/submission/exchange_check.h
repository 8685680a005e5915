/* The exchanges of a run held against the calendar, and against those of every other run: they were made between the run's first day and the submission's, and are of this run alone. */
#ifndef PTXSEAL_SUBMISSION_EXCHANGE_CHECK_H
#define PTXSEAL_SUBMISSION_EXCHANGE_CHECK_H

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/ledger.h"
#include "keylike.h"
#include "known.h"

struct exchange_check {
	const struct root *submission;
	const struct run *run;
	const char *made, *today; /* YYYY-MM-DD: what the submission says of itself ("" if nothing), and what the clock says */
	const struct known *own, *archive;
	const struct marks *marks; /* of the submission's objects */
	struct findings *findings;
};
/* A run without exchanges, or with such as cannot be read, is passed over: talk_check tells of it. R_SUB_TIME, R_SUB_TWICE, R_SUB_SAME_ANSWERS, R_SUB_MARKED. */
void exchange_check(const struct exchange_check *check);

#endif
