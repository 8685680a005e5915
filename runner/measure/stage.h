/* All that a worker has on the device, and what every run does with it: place, fill, copy back. Child's side. */
#ifndef PTXSEAL_MEASURE_STAGE_H
#define PTXSEAL_MEASURE_STAGE_H

#include "arena.h"
#include "fate.h"
#include "launch.h"
#include "share.h"
#include "support.h"
#include "worker.h"

struct stage {
	struct cuda cuda;
	CUcontext context;
	CUstream stream;
	struct support *support;
	const struct problem *problem;
	unsigned char *exchange;
	bool exact;  /* the arena is (arena.h) */
	bool pinned; /* exchange is registered with the driver */
	struct candidate *candidate;
	struct plan plan;
	struct program *program;
	const void *code; /* the cubin, in the package */
	bool reload;      /* see worker_options */
	bool called;      /* the code was loaded before the last stage_set, and may have run */
	struct arena *arena;
	CUdeviceptr computed[PROBLEM_TENSORS_MAX]; /* copies of the computed inputs of the last base; 0 for other tensors */
};

/* Driver, context, stream, our kernels, and a test that the device computes what the CPU computes. */
enum status stage_open(struct stage *stage, bool exact, int device, const struct problem *problem, unsigned char *exchange, struct error *err);
/* candidate.json, its plan, its code, and memory. */
enum status stage_load(struct stage *stage, const struct package *package, bool reload, struct error *err);
void stage_close(struct stage *stage);

/* The computed inputs of a new base, from the exchange. Synchronous. */
enum status stage_take_computed(struct stage *stage, struct error *err);
/* New places; inputs filled, outputs and buffers poisoned, the program loaded anew where that was asked for, and bound to them. Waits until all that is done. */
enum status stage_set(struct stage *stage, const struct trial *trial, struct error *err);
/* All tensors into the exchange: outputs, and inputs as they are now. Synchronous. */
enum status stage_give_back(struct stage *stage, struct error *err);

/* What a driver's answer says of the candidate whose code was launched. OK: fate is filled (FATE_DONE for success). Else the device is to blame. launch is the one during
 * which the answer came; where nobody waited after each (waited false), a kernel's failure may be an earlier one's, and none of several is blamed. */
enum status stage_fate(const struct stage *stage, CUresult result, int launch, bool waited, struct fate *fate, struct error *err);

#endif
