/* What timed pairs say: speedup with its interval, when to stop, which samples are throttled, what is too good to be true. No CUDA types. */
#ifndef PTXSEAL_MEASURE_STATISTICS_H
#define PTXSEAL_MEASURE_STATISTICS_H

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/interval.h"
#include "../bundle/replay_check.h"
#include "problem.h"
#include "timing.h"

/* Timing goes on until the ratio's interval is this narrow... */
#define STOP_WIDTH 0.005
/* ...but for so many pairs at least, or a lucky few would end it, and for that share of the budget, but no longer than so many ms: clocks follow power and temperature, which
 * take about a second to settle. */
enum { STOP_PAIRS_MIN = 40, STOP_MS_MIN = 1500 };
#define STOP_SHARE 0.3
/* Before that, pairs which find a cold device: they are kept and do not count. At least so many, and for that share of the budget, but no longer than so many ms. */
enum { WARM_UP_PAIRS_MIN = 5, WARM_UP_MS = 500 };
#define WARM_UP_SHARE 0.1
/* Clock, interval and device are looked at after so many pairs. */
enum { PAIRS_BLOCK = 8 };

/* A call is throttled if NVML named a slowdown around it, or its mean SM clock is below this share of the median of its kind (candidate's or baseline's). Under a
 * power cap the clock of a heavy kernel is steady and lower than the greatest: that is how this card runs it, and both sides of a pair meet it. */
#define THROTTLED_CLOCK REPLAY_THROTTLED_CLOCK
/* slowdown: NVML named one around these samples. The first warm_up of them do not count. */
void mark_throttled(struct sample *samples, const bool *slowdown, size_t warm_up, size_t count);

/* Of the samples that count: neither warm-up nor throttled. Where over half are throttled, those count too: the device never was otherwise. */
struct speed {
	struct interval speedup;              /* of baseline / candidate, pair by pair */
	struct interval cycles;               /* of baseline / candidate in SM cycles: the speedup at equal clocks; of none where a clock is not known */
	struct interval candidate_ms, baseline_ms;
	double candidate_hz, baseline_hz;     /* medians */
	double hidden_ms;                     /* time on the host's clock beyond the events', candidate's less baseline's; medians */
	size_t throttled;
};
void speed_of(const struct sample *samples, size_t warm_up, size_t count, struct speed *speed);

/* Upper bound of the failure rate after n trials without a failure, at 95 %: 3/n (J. A. Hanley, A. Lippman-Hand, "If nothing goes wrong, is everything all
 * right?", JAMA 249, 1983, p. 1743). 1 for fewer than 3. */
double bound_of_failures(uint64_t trials);

/*
 * The least time that physics allows. Peak: operations a clock and SM on dense tensor cores, times SMs, times the greatest SM clock: 4096 for bfloat16, 8192 for FP8 on compute
 * capability 9.0 (NVIDIA H100 whitepaper: 989.4 and 1978.9 TFLOP/s at 132 SMs and 1830 MHz). Bandwidth: two transfers a memory clock over the bus width.
 */
struct roofline {
	uint64_t operations_per_clock; /* of one SM; 0: not known for this device, and then floor_ns is the bandwidth's alone */
	uint64_t sms, sm_hz, memory_hz, bus_bits;
	double flops_per_s, bytes_per_s;
	double floor_ns;
};
/* Fills in the rates and the floor from the other fields. */
void roofline_set(struct roofline *roofline, int compute_capability, const struct problem *problem);

/* What makes a speed suspect until it is explained. */
enum suspicion {
	SUSPECT_ROOFLINE = 1, /* faster than physics allows */
	SUSPECT_LIBRARY = 2,  /* over 10 % faster than the vendor's library (KernelBench, EVAL.md, names that as the point from which to look twice) */
	SUSPECT_HIDDEN = 4,   /* the host waited longer than the events say: work outside of them */
	SUSPECT_CONTROL = 8,  /* the library beside itself, among the same pairs, is not 1: something else disturbs the measurement */
	SUSPECT_SLOWED = 16,  /* the library is slower beside the candidate than it was before there was one in its process */
	SUSPECT_TWICE = 32,   /* multiplies of single warps did all of the task beside those of the target instructions: these may have been idle */
	SUSPECT_WIDE = 64,    /* its calls are not alike: some may have been idle */
	SUSPECT_END = 128
};
#define SUSPECT_SPEEDUP 1.10
/* Hidden time counts from so many ms and that share of the candidate's time on. */
#define SUSPECT_HIDDEN_MS 0.2
#define SUSPECT_HIDDEN_SHARE 0.2
/* The library beside itself has to come within this of 1. */
#define SUSPECT_CONTROL_OFF 0.003
/* The library's time beside a candidate, over that when it was chosen, before the candidate was loaded. 1.000 to 1.030 over the 21 timed records in artifact/replays (0.90 to 1.034 in
 * older ones, where it was chosen by calls back to back, which a power cap slows down). */
#define SUSPECT_SLOWED_BY 1.10
/* Width of the speedup's interval over the speedup, from so many counted pairs on. A candidate that leaves the work out in a part of its calls has two speeds, and its interval reaches from one to the other where that part is about a half; with a larger part a
 * check among the timed calls finds it. 0.0008 to 0.014 over the 21 timed records in artifact/replays. */
#define SUSPECT_WIDTH 0.05
#define SUSPECT_WIDTH_COUNT 40
/* So much of the task's work, by single warps and by target instructions, is all of it, and some. */
#define SUSPECT_ALL_WORK 0.99
#define SUSPECT_SOME_WORK 0.01

/* What is known besides the times. */
struct beside {
	double chosen_ms;                /* as below; 0: not known */
	double target_share, warp_share; /* of the task's operations, by wgmma and tcgen05 and by mma; negative or NAN: not known */
};
/* control: of the library beside itself; one of no values is not looked at. */
unsigned suspicions_of(const struct speed *speed, const struct interval *control, const struct roofline *roofline, const struct beside *beside);
/* Median of the times with which the library's algorithm was chosen, in ms, from what a worker tells of its baseline (baseline.h); 0 if it does not say. */
double chosen_ms(const cJSON *baseline);
const char *suspicion_text(enum suspicion suspicion);

#endif
