/* The monotonic clock, for deadlines and for how long something took. No such time stands in what is derived. */
#ifndef PTXSEAL_BASE_CLOCK_H
#define PTXSEAL_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Milliseconds since some moment. */
static inline uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

#endif
