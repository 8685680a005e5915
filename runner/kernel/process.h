/* One program of somebody else's, run without a shell, with a deadline. */
#ifndef PTXSEAL_KERNEL_PROCESS_H
#define PTXSEAL_KERNEL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "cage.h"

enum { PROCESS_OUTPUT_MAX = 4 << 20 };

struct process {
	/* in */
	const char *const *argv;  /* argv[0] is the program's path; NULL-terminated */
	const char *directory;    /* to run in */
	unsigned deadline_s;      /* then its whole process group is killed */
	const struct cage *cage;  /* put on before it starts; NULL for none */
	const char *const *environment; /* more of it, NAME=VALUE each, NULL-terminated; NULL for none */
	uint64_t memory;          /* bytes of address space that it, and each process that it starts, may have; 0 for no limit */
	/* out */
	struct bytes output;      /* standard output and error together, at most PROCESS_OUTPUT_MAX; bytes_free */
	bool late;                /* it was killed at the deadline */
	bool flooded;             /* it was killed for writing more than the limit */
	int signal;               /* that ended it, 0 if it ended by itself */
	int exit_code;            /* if it ended by itself */
};

/* Its environment is fixed (PATH, LC_ALL=C, TMPDIR=directory, and what the caller adds), its standard input empty. OK once it has ended, however
 * it ended; R_TLC_RUN if it could not be started. */
enum status process_run(struct process *process, struct error *err);

#endif
