/*
 * The judge's own work on the device: inputs from a seed, the reference, the vendor library's results on the same inputs, and comparison of what a
 * worker gave back. No candidate's code runs in its context. One judge a session; one problem at a time.
 */
#ifndef PTXSEAL_MEASURE_JUDGE_H
#define PTXSEAL_MEASURE_JUDGE_H

#include <cjson/cJSON.h>

#include "../base/sha256.h"
#include "comparison.h"
#include "nvml.h"
#include "statistics.h"
#include "worker.h"

struct judge;

/* Driver, context, our kernels, NVML. device: ordinal. */
enum status judge_open(int device, struct judge **judge, struct error *err);
void judge_close(struct judge *judge); /* NULL is fine */
/* It works on the thread that opened it, and on one that has called this; never on two at a time. */
enum status judge_here(struct judge *judge, struct error *err);

/* {"architecture","driver_library","memory_mib","name","sms",..., and NVML's facts as "nvml"}: what stays as it is. The caller deletes it. */
cJSON *judge_device_facts(const struct judge *judge);
const char *judge_device_name(const struct judge *judge);
bool judge_is_stand_in(const struct judge *judge);
/* What changes: take it before, during and after. */
void judge_state(const struct judge *judge, struct nvml_state *state);
/* Rates of the device, and the floor for the problem that is set. */
void judge_roofline(const struct judge *judge, struct roofline *roofline);

/* Memory for the problem, and the vendor library for it; what belonged to the last one is freed. problem must outlive it. Where the library is not there or cannot do the
 * problem the judge goes on without: judge_library_facts is then {"missing": why}. */
enum status judge_set(struct judge *judge, const struct problem *problem, struct error *err);
bool judge_has_library(const struct judge *judge);
const cJSON *judge_library_facts(const struct judge *judge);

/* Reference and library's comparison for a trial. keep: it is made once and stays as long as the problem, where memory allows (half of what was free). Else
 * it holds until the next call that does not keep. */
struct expected;
enum status judge_expect(struct judge *judge, const struct trial *trial, bool keep, const struct expected **expected, struct error *err);
/* By output, in order; NULL without a library. */
const struct comparison *expected_library(const struct expected *expected);

/* SHA-256 of every input, as it lies in memory; outputs are left alone. */
enum status judge_hash_inputs(struct judge *judge, const struct expected *expected, struct sha256 hashes[PROBLEM_TENSORS_MAX], struct error *err);

/* Let the driver copy faster to and from a worker's memory; without it copies are slower, not wrong. Release before the worker is closed. */
void judge_pin(struct judge *judge, const struct worker *worker);
void judge_release(struct judge *judge, const struct worker *worker);

/* The computed inputs of a base (backward's O and L) into the worker's memory; nothing in other families. */
enum status judge_give_computed(struct judge *judge, const struct trial *trial, const struct worker *worker, struct error *err);

/* What a worker gave back, beside what was expected. */
struct observed {
	struct comparison output[PROBLEM_TENSORS_MAX]; /* by output, in order */
	uint64_t input_changed[PROBLEM_TENSORS_MAX];   /* bytes, by tensor */
};
enum status judge_compare(struct judge *judge, const struct expected *expected, const struct worker *worker, struct observed *observed,
                          struct error *err);

#endif
