/* Which of several ways to do the same thing is the fastest: what a library's heuristic offers, timed before one is chosen. */
#ifndef PTXSEAL_MEASURE_TRIAL_H
#define PTXSEAL_MEASURE_TRIAL_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "cuda.h"
#include "problem.h"

enum { TRIAL_WAYS_MAX = 64, TRIAL_ROUNDS = 15 };

#define TRIAL_CHOSEN_BY                                                                                                                                       \
	"the least median of 15 calls each, after 1 to warm up, each round beginning with the next way, a rest before each call, cold L2, on scratch tensors"

struct trial {
	int count;
	bool failed[TRIAL_WAYS_MAX]; /* the library did not start it */
	float milliseconds[TRIAL_WAYS_MAX][TRIAL_ROUNDS];
};

/* Enqueue that way's call on the stream; false if the library does not start it. */
typedef bool trial_call(void *context, int way, const CUdeviceptr *tensors);

/*
 * Call count ways in turn, a round to warm up and then TRIAL_ROUNDS timed ones by events, on tensors of the problem's sizes made for it and freed again. Every call finds the device idle and rested,
 * as it does among timed pairs, and each round begins with another way: under a power cap the first call after a pause is up to 7 % faster than those that follow back to back, and where the same way
 * always came first it was once chosen for that (seen on an H200: cuBLASLt's first algorithm at 0.753 ms beside its fastest at 0.810, which alone takes 0.734).
 */
enum status trial_run(const struct cuda *cuda, const struct problem *problem, CUstream stream, trial_call *call, void *context,
                      int count, struct trial *trial, struct error *err);
/*
 * The way with the least median, the first of equals; -1 if none ran. Fifteen calls in turn tell ways apart that differ by 1 %; five did not (seen on an H200: two replays
 * took two cuBLASLt algorithms 1.6 % apart).
 */
int trial_fastest(const struct trial *trial);
/* That way's times in nanoseconds; [] if it failed. The caller deletes it. */
cJSON *trial_nanoseconds(const struct trial *trial, int way);

#endif
