/* What became of a candidate in a worker. Never an error of ours: those are a struct error. */
#ifndef PTXSEAL_MEASURE_OUTCOME_H
#define PTXSEAL_MEASURE_OUTCOME_H

enum outcome_kind {
	OUTCOME_DONE,          /* it ran to its end */
	OUTCOME_REFUSED,       /* the driver does not take its code or its launch description: before anything ran */
	OUTCOME_RUNTIME_ERROR, /* a launch failed, trapped or asserted */
	OUTCOME_MEMORY_ERROR,  /* an illegal or misaligned address */
	OUTCOME_TIMEOUT,       /* not at its end at its deadline */
	OUTCOME_CRASH,         /* the worker's process died, or said what no worker says */
	OUTCOME_COUNT
};

enum { OUTCOME_TEXT_MAX = 512, OUTCOME_FUNCTION_MAX = 128 };

struct outcome {
	enum outcome_kind kind;
	char text[OUTCOME_TEXT_MAX];         /* for OUTCOME_DONE "" */
	int launch;                          /* number of the launch to blame, from 0; -1 if none could be blamed */
	char function[OUTCOME_FUNCTION_MAX]; /* its function, "" if none */
	int signal;                          /* that ended the worker; 0 if none */
};

/* "done", "refused", "runtime_error", "memory_error", "timeout", "crash" */
const char *outcome_name(enum outcome_kind kind);

#endif
