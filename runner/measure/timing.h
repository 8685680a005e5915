/* One timed pair: candidate and baseline once each, on the same fresh inputs. Statistics are the judge's. */
#ifndef PTXSEAL_MEASURE_TIMING_H
#define PTXSEAL_MEASURE_TIMING_H

#include <stdbool.h>
#include <stdint.h>

/* How the times come about, for the record. */
#define TIMER_KIND "cuda-event"

struct sample {
	uint64_t seed;
	double candidate_ms, baseline_ms;           /* between the events around the call, in its stream */
	double candidate_wall_ms, baseline_wall_ms; /* on the host, from before the L2 flush and the first clock stamp until the whole device is idle: work hidden from the events shows here */
	double candidate_hz, baseline_hz;           /* mean SM clock during the call, support_clock; 0 if not known */
	bool candidate_first;
	bool checked;                               /* its outputs and inputs came back */
	uint64_t guard_changed;                     /* bytes of guard zones that no longer held the pattern; looked at where checked */
	bool throttled;                             /* the judge's word, from NVML and the clocks; a worker leaves it false */
};

#endif
