/* All measured candidates in a few pictures, for the report's page and for papers. From the records alone. */
#ifndef PTXSEAL_REPORT_OVERVIEW_H
#define PTXSEAL_REPORT_OVERVIEW_H

#include "kernels.h"
#include "figure.h"

enum overview_kind {
	OVERVIEW_SPEED,  /* speedup in time and in SM cycles, with intervals */
	OVERVIEW_CLOCK,  /* SM clock of the calls that count, candidate's and library's: median, least, greatest */
	OVERVIEW_WORK,   /* share of the task's operations by target instructions and by warps' multiplies */
	OVERVIEW_ERRORS, /* greatest ratio of an error to the library's: relative RMS, quantiles */
	OVERVIEWS
};

struct overview {
	struct figure figure;
	/* The numbers drawn: task,candidate,run,what,value,low,high; low and high empty where there are none (RFC 4180, LF). */
	struct bytes csv;
};

/* At most OVERVIEW_ROWS candidates, the first in the order of their records; the caption says if there are more. */
enum { OVERVIEW_ROWS = 48 };

/* False, and nothing to free, where no record has numbers for it. */
bool overview_make(const struct kernels *kernels, enum overview_kind kind, struct overview *overview);
void overview_free(struct overview *overview);

#endif
