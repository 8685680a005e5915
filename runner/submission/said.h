/* What a submission says of itself, held against what its runs show: sampling against the requests, run.json against what the program that ran it writes there. docs/submitting.md. */
#ifndef PTXSEAL_SUBMISSION_SAID_H
#define PTXSEAL_SUBMISSION_SAID_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/ledger.h"

/* Facts that are `unknown`: R_SUB_UNSAID. */
void said_check_unknown(const cJSON *facts, struct findings *findings);

/* Which workload it was, by the archive's task; checklist, retrieval, variant and tag: R_SUB_RUN. file: its run.json. */
void said_check_run(const struct root *submission, const struct root *archive, const struct run *run, const char *file, struct findings *findings);

enum { SAID_FIELDS = 4 }; /* temperature, top_p, max_tokens, seed */

/* What the requests of all runs state; zeroed to begin with. */
struct said_sampling {
	struct said_values {
		double *at;
		size_t count, room;
		bool silent; /* some run states none, or asked nobody */
	} of[SAID_FIELDS];
	bool asked; /* some run asked a model */
};
/* Of a run: its plan's parameters and first seed, or those of each request of a session. What cannot be read is told by talk_check. */
void said_take(struct said_sampling *sampling, const struct root *submission, const char *run);
/* R_SUB_SAMPLING; R_SUB_UNCHECKED of what no request states. Frees what was taken. */
void said_check_sampling(struct said_sampling *sampling, const cJSON *facts, struct findings *findings);

#endif
