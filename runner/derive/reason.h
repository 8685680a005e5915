/* Why cells differ from the published ones: the known differences counted by reason. */
#ifndef PTXSEAL_DERIVE_REASON_H
#define PTXSEAL_DERIVE_REASON_H

#include "check.h"

/* One stands for all known differences of its table with the same verdict and reason. */
struct reason {
	const char *table;
	const char *reason;
	size_t reason_len; /* up to " Here: ", after which a reason speaks of its own cell only */
	enum verdict verdict;
	size_t cells;
};
/* Of the known differences, in order of first cell; free the array. */
size_t reasons_of(const struct check *check, struct reason **reasons);
/* Is the known difference one of those? */
bool reason_covers(const struct reason *reason, const struct difference *difference);

#endif
