/*
 * Could a device have measured this? What a record says is held against its own facts of the device, against physics and against the calendar. That they agree with each other
 * is for replay_check and tally.h.
 */
#ifndef PTXSEAL_MEASURE_PLAUSIBLE_H
#define PTXSEAL_MEASURE_PLAUSIBLE_H

#include <cjson/cJSON.h>

#include "../bundle/finding.h"
#include "problem.h"

/* A mean clock is taken from two stamps on the device's own timers, a few of whose ticks may lie outside: so much over the greatest is measurement. */
#define PLAUSIBLE_CLOCK_SLACK 1.02
/* A power limit is kept on average: what NVML shows of a moment may lie so much over it. */
#define PLAUSIBLE_POWER_SLACK 1.5

enum {
	PLAUSIBLE_COUNT = 20,     /* so many samples tell whether they differ */
	PLAUSIBLE_DISTINCT = 3,   /* fewer different values among so many are no timer's */
	PLAUSIBLE_SPREAD = 10,    /* fewer than one different value in so many samples: a coarse timer, or too few samples */
	PLAUSIBLE_DEGREES = 130,  /* Celsius: silicon stops before */
	PLAUSIBLE_ROUND_MS = 10,  /* what rounding each part of a duration to ms may add up to */
};

/* problem: as the archive defines it, NULL if it is not known there. */
void plausible_check(const cJSON *record, const char *path, const struct problem *problem, struct findings *findings);
/* run_date: of its run. made: when the submission was made, today: the day of checking; YYYY-MM-DD. */
void plausible_dates(const cJSON *record, const char *path, const char *run_date, const char *made, const char *today, struct findings *findings);

#endif
