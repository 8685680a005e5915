/* Names of runs that a session takes before it measures: so that nothing is measured that cannot be written, and two sessions do not write one run. No CUDA types. */
#ifndef PTXSEAL_MEASURE_RESERVE_H
#define PTXSEAL_MEASURE_RESERVE_H

#include "../base/file.h"

struct reservation {
	char *directory; /* artifact/replays/RUN */
	int fd;          /* of it, locked */
};

struct reservations {
	const struct root *root;
	struct reservation *at;
	size_t count;
};

/*
 * Make artifact/replays/RUN beneath root and lock it (flock) until reservations_free. R_RPL_NAME: the run is in the ledger already, or records stand in that directory; R_RPL_BUSY: another process
 * holds it; R_IO_WRITE: it cannot be made. An empty directory that a killed session left is taken.
 */
enum status reservations_add(struct reservations *reservations, const struct root *root, const char *run, struct error *err);
/* Give them back; directories in which nothing was written are removed. Fine on an empty one. */
void reservations_free(struct reservations *reservations);

#endif
