/* Candidates of a bundle replayed one after the other, and what is written of that: a record each, and for each task a run for the ledger. */
#ifndef PTXSEAL_MEASURE_SESSION_H
#define PTXSEAL_MEASURE_SESSION_H

#include "../kernel/shelf.h"
#include "record.h"

struct session_options {
	const char *task;      /* NULL: every task that has candidates */
	const char *candidate; /* a name in artifact/candidates/TASK/, or a directory TASK/NAME elsewhere beneath the bundle (then nothing is written of it); NULL: every one */
	const char *workload;  /* as for problem_read */
	const char *run;       /* runs are named RUN-TASK; NULL: after the device and the time */
	const char *source;    /* of the runs; NULL: REPLAY_SOURCE */
	const char *model;     /* whose candidates these are; NULL: this program's own */
	size_t trials;
	struct replay_options replay;
};

/* Told of each candidate as it is done. path: of the record that was written, or NULL. */
typedef void session_report(void *context, const struct replay *replay, const cJSON *record, const char *path);

struct session_result {
	char **runs; /* written, in order */
	size_t run_count;
	size_t candidates, correct;
	size_t malformed; /* candidates that could not be read; err is of the first */
	struct error first;
};
void session_result_free(struct session_result *result);

/*
 * bundle: where candidates and tasks are read. into: where records, runs and the candidates' files go that are not there yet; NULL: nowhere. A candidate that fails, or cannot be read, is no
 * error: see result. R_RPL_NAME: there is no such candidate, or the run is there already. UNHEALTHY: the device; STOPPED: replay_stop (trials.h) was set; what was done so far is written.
 */
enum status session_run(const struct root *bundle, const struct root *into, const struct session_options *options, session_report *report,
                        void *context, struct session_result *result, struct error *err);

#endif
