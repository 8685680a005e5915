/*
 * Memory that judge and worker share, as two memfds. The package goes to the worker only and is sealed: the problem, candidate.json, the cubin. The
 * exchange is written by both in turn: every tensor's bytes, one after the other. Both sides are the same program, so the package is plain memory.
 */
#ifndef PTXSEAL_MEASURE_SHARE_H
#define PTXSEAL_MEASURE_SHARE_H

#include "../kernel/candidate.h"
#include "problem.h"

/* Descriptors in the worker's process; 0 to 2 are /dev/null there, and there are no others. */
enum { SHARE_SOCKET = 3, SHARE_PACKAGE = 4, SHARE_EXCHANGE = 5, SHARE_END = 6 };

/* Bytes of a guard zone on either side of a tensor or buffer, at least. */
enum { SHARE_GUARD_BYTES = 1 << 20 };

struct package {
	uint64_t size; /* of this structure: another build's differs */
	struct problem problem;
	char directory[PATH_BYTES_MAX + 1]; /* the candidate's, for messages */
	uint64_t json_bytes, cubin_bytes;   /* behind this structure, in this order; 0 cubin_bytes = no candidate */
};

/* A new sealed memfd; candidate and cubin may be NULL. */
enum status package_make(const struct problem *problem, const struct candidate *candidate, const struct bytes *cubin, int *fd,
                         struct error *err);
/* Map the package of another process; it stays mapped. */
enum status package_map(int fd, const struct package **package, struct error *err);

uint64_t exchange_offset(const struct problem *problem, size_t tensor);
uint64_t exchange_bytes(const struct problem *problem);
enum status exchange_make(const struct problem *problem, int *fd, struct error *err);
enum status exchange_map(int fd, const struct problem *problem, void **memory, struct error *err); /* munmap exchange_bytes */

#endif
