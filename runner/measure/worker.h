/*
 * The judge's hand on a worker: the child process in which a candidate runs (docs/measure.md, "Processes"). No CUDA types; the child's side is serve.h.
 *
 * Every call has a deadline. What a candidate does wrong is its fate, and the call returns OK; anything else is an error of the
 * machine: UNAVAILABLE (could not be tried), or UNHEALTHY with R_GPU_SICK where the device does not answer a probe afterwards or a
 * killed worker does not go away. After a fate other than FATE_DONE the worker is gone: close it and start another.
 */
#ifndef PTXSEAL_MEASURE_WORKER_H
#define PTXSEAL_MEASURE_WORKER_H

#include <cjson/cJSON.h>

#include "../kernel/candidate.h"
#include "fate.h"
#include "philox.h"
#include "problem.h"
#include "timing.h"

struct worker;

struct worker_options {
	const char *program;  /* started with the one argument "worker"; NULL = /proc/self/exe */
	int device;           /* ordinal, as the driver counts */
	bool baseline;        /* open the vendor library too, for worker_time */
	const char *count;    /* function whose instructions worker_count counts, NULL = none: a worker counts one function, once */
	bool reload;          /* load the code anew before every call but the first: variables of it in global memory are as at first in each */
	bool require_sandbox; /* a layer that is not in force is R_WRK_SANDBOX */
	unsigned without;     /* layers of sandbox.h to leave out, 1u << LAYER_...; the facts say so */
	unsigned start_ms;    /* deadlines; 0 = 60 s: process, context, libraries */
	unsigned load_ms;     /* 0 = 60 s */
	/* A program that starts the worker, with its arguments and last the worker's own path; NULL-terminated, NULL = none. program is then its path. */
	const char *const *wrapper;
	bool exact;           /* tensors and buffers are allocated to the byte, without guard zones, for a tool that watches accesses */
	unsigned end_ms;      /* how long it may take to end by itself before it is killed; 0 = 2 s after quit, else at once */
	unsigned run_ms;      /* 0 = 10 s: one run, one timed pair; ten times that for worker_count */
};

/* problem, candidate and cubin must outlive the worker. cubin NULL: no candidate, for a probe. *fate says whether the code was taken. *worker may be set
 * although an error is returned; worker_close it. */
enum status worker_start(const struct worker_options *options, const struct problem *problem, const struct candidate *candidate,
                         const struct bytes *cubin, struct worker **worker, struct fate *fate, struct error *err);
void worker_close(struct worker *worker); /* ends the process if it has to be; NULL is fine */

/* For the record: {"baseline":..., "device":..., "functions":[...], "sandbox":{layer: "in force" | "refused: why" | "left out"}, "stand_in":bool}. The worker's. */
const cJSON *worker_facts(const struct worker *worker);

/*
 * Shared memory of tensor i of problem->tensors, problem->tensors[i].bytes bytes. Before a run: the judge writes the computed inputs (backward's O and L) there. After it: the
 * outputs, and every input as it was after the run, for comparison. A worker's next run overwrites all of it.
 */
void *worker_tensor(const struct worker *worker, size_t i);

/* What the inputs of a run are: computed ones from shared memory; those that stand before the first computed one (backward's Q, K, V, from which O and L follow) from base_seed; the
 * others from seed. Without computed inputs only seed counts. tensor number as in problem->tensors. */
uint64_t input_seed(const struct problem *problem, size_t tensor, uint64_t base_seed, uint64_t seed);

struct trial {
	uint64_t seed, base_seed;
	enum value_set values;
	uint32_t number; /* chooses addresses and alignment: no two trials in a row have the same */
};

/* What the guard zones say: bytes around tensor i (then buffer i - tensor_count) that no longer hold the pattern. */
struct guards {
	uint64_t changed[PROBLEM_TENSORS_MAX + CANDIDATE_BUFFERS_MAX];
	size_t count;
	uint64_t zone_bytes; /* around each: at least so many on either side */
};

/* Fill, poison the outputs, run once, copy back. On a failure of a candidate with several launches, a second worker runs it again with a synchronisation after each launch, to find
 * the one to blame. */
enum status worker_run(struct worker *worker, const struct trial *trial, struct guards *guards, struct fate *fate,
                       struct error *err);

/* One pair, on new addresses. With computed inputs: new_base says that base_seed is new and that the computed inputs in shared memory are to be taken; else those
 * of the last base are used again. check: the tensors come back into shared memory, as after a run. */
enum status worker_time(struct worker *worker, const struct trial *trial, bool new_base, bool candidate_first, bool check,
                        struct sample *sample, struct fate *fate, struct error *err);

/* The same pair with the baseline in the candidate's place: what two equal calls differ by here and now. */
enum status worker_control(struct worker *worker, const struct trial *trial, bool new_base, bool first, struct sample *sample, struct fate *fate,
                           struct error *err);

/* The counts of options.count in one call of the candidate: evidence.h reads them. *counts is the caller's to delete. The tensors come back as after a run. */
enum status worker_count(struct worker *worker, const struct trial *trial, cJSON **counts, struct fate *fate, struct error *err);

#endif
