/* Endings of words behind a count, for messages: "%zu run%s, %zu entr%s", runs, plural(runs), entries, plural_y(entries). */
#ifndef PTXSEAL_BASE_PLURAL_H
#define PTXSEAL_BASE_PLURAL_H

#include <stdint.h>

static inline const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static inline const char *plural_y(uint64_t count)
{
	return count == 1 ? "y" : "ies";
}

#endif
