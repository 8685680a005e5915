/* What became of a candidate in a worker. Never an error of ours: those are a struct error. */
#ifndef PTXSEAL_MEASURE_FATE_H
#define PTXSEAL_MEASURE_FATE_H

enum fate_kind {
	FATE_DONE,          /* it ran to its end */
	FATE_REFUSED,       /* the driver does not take its code or its launch description: before anything ran */
	FATE_RUNTIME_ERROR, /* a launch failed, trapped or asserted */
	FATE_MEMORY_ERROR,  /* an illegal or misaligned address */
	FATE_TIMEOUT,       /* not at its end at its deadline */
	FATE_CRASH,         /* the worker's process died, or said what no worker says */
	FATE_COUNT
};

enum { FATE_TEXT_MAX = 1024, FATE_FUNCTION_MAX = 128 };

struct fate {
	enum fate_kind kind;
	char text[FATE_TEXT_MAX];         /* for FATE_DONE "" */
	int launch;                          /* number of the launch to blame, from 0; -1 if none could be blamed */
	char function[FATE_FUNCTION_MAX]; /* its function, "" if none */
	int signal;                          /* that ended the worker; 0 if none */
};

/* "done", "refused", "runtime_error", "memory_error", "timeout", "crash" */
const char *fate_name(enum fate_kind kind);

#endif
