/*
 * One trial of a candidate under compute-sanitizer's memcheck: accesses outside of what was allocated, reads too, which guard zones and poison cannot show. The tool starts the
 * worker; tensors and buffers are allocated to the byte there, without guard zones. They talk through sockets of the host's, so of the worker's sandbox MEMCHECK_WITHOUT is
 * left out, and the facts say so: a candidate that is data has no code on the host that could make use of that.
 */
#ifndef PTXSEAL_MEASURE_MEMCHECK_H
#define PTXSEAL_MEASURE_MEMCHECK_H

#include "sandbox.h"
#include "sanitizer.h"
#include "worker.h"

/*
 * Layers of the sandbox that are left out: without the host's network the tool waits for its worker for ever; under the others all together a kernel without an error is found clean,
 * but one with an error never ended (2025.3.1 on an H200). tests/gpu/test_memcheck.c tries each layer alone on both.
 */
#define MEMCHECK_WITHOUT ((1u << LAYER_COUNT) - 1 - (1u << LAYER_NO_NEW_RIGHTS))

enum memcheck_mode { MEMCHECK_AUTO, MEMCHECK_OFF, MEMCHECK_REQUIRE }; /* where the tool is; never; or not at all */
const char *memcheck_mode_name(enum memcheck_mode mode); /* "auto", "off", "require" */

enum memcheck_state {
	MEMCHECK_SKIPPED, /* not asked for, or the candidate does not run */
	MEMCHECK_MISSING, /* there is no tool here */
	MEMCHECK_CLEAN,   /* the candidate ran to its end and the report counts no error */
	MEMCHECK_ERRORS,  /* the report counts errors */
	MEMCHECK_REFUSED, /* the tool does not work on this device or host */
	MEMCHECK_FAILED,  /* it was late, or its report has no end */
	MEMCHECK_STATES
};
const char *memcheck_state_name(enum memcheck_state state); /* "skipped", "missing", "clean", "errors", "refused", "failed" */

struct memcheck {
	enum memcheck_state state;
	char text[ERROR_WHAT_MAX];       /* why, where it is neither clean nor errors */
	struct sanitizer_report report;  /* of CLEAN and ERRORS */
	char workload[64];               /* UUID that it ran on; "" if it did not */
	cJSON *sandbox;                  /* the worker's; NULL if none opened */
	uint64_t took_ms;
};
void memcheck_free(struct memcheck *memcheck); /* fine on an empty one */

struct memcheck_options {
	const char *program; /* as worker_options */
	int device;
	unsigned without;    /* layers to leave out; 0: MEMCHECK_WITHOUT */
	unsigned start_ms;   /* deadline until the worker has the device; 0: two minutes */
	unsigned run_ms;     /* deadline of the run; 0: two minutes */
};

/* OK whatever came of it: *memcheck says. UNHEALTHY: the device does not answer any more; STOPPED as replay_go_on. Computed inputs are zero: what is looked at is addresses. */
enum status memcheck_run(const struct sanitizer *sanitizer, const struct problem *problem, const struct candidate *candidate, const struct bytes *cubin,
                         const struct memcheck_options *options, struct memcheck *memcheck, struct error *err);

/* For the record; sanitizer may be NULL or empty. The caller deletes it. */
cJSON *memcheck_facts(const struct memcheck *memcheck, const struct sanitizer *sanitizer);

#endif
