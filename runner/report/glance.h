/* The first thing on a report's page: in a few lines which rung was reached, what was verified, who signed it, which claims hold, what differs and why, what was measured. */
#ifndef PTXSEAL_REPORT_GLANCE_H
#define PTXSEAL_REPORT_GLANCE_H

#include "standing.h"

/* What the bundle has of measurements. */
struct measured_count {
	unsigned long long records, correct;
};

void glance_put(const struct standing *standing, const struct measured_count *measured, struct bytes *out);

/* The length of a text's first sentence, without its point; in any case no more than GLANCE_TEXT_MAX bytes, and whole characters. */
enum { GLANCE_TEXT_MAX = 240 };
size_t glance_first(const char *text, size_t len);

#endif
