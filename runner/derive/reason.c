#include "reason.h"

#include <string.h>

static size_t common_len(const char *reason)
{
	const char *own = strstr(reason, " Here: ");

	return own == NULL ? strlen(reason) : (size_t)(own - reason);
}

bool reason_covers(const struct reason *reason, const struct difference *difference)
{
	return difference->state == DIFFERENCE_KNOWN && strcmp(reason->table, difference->table) == 0 && reason->verdict == difference->verdict &&
	       reason->reason_len == common_len(difference->reason) && memcmp(reason->reason, difference->reason, reason->reason_len) == 0;
}

size_t reasons_of(const struct check *check, struct reason **reasons)
{
	size_t count = 0;

	*reasons = mem_array(NULL, check->difference_count, sizeof **reasons);
	for (size_t i = 0; i < check->difference_count; i++) {
		const struct difference *difference = &check->differences[i];
		size_t at = 0;

		if (difference->state != DIFFERENCE_KNOWN)
			continue;
		while (at < count && !reason_covers(&(*reasons)[at], difference))
			at++;
		if (at == count)
			(*reasons)[count++] = (struct reason){.table = difference->table,
			                                      .reason = difference->reason,
			                                      .reason_len = common_len(difference->reason),
			                                      .verdict = difference->verdict};
		(*reasons)[at].cells++;
	}
	return count;
}
