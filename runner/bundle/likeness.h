/* Two records of one candidate side by side: do they agree, and which recorded facts differ? */
#ifndef PTXSEAL_BUNDLE_LIKENESS_H
#define PTXSEAL_BUNDLE_LIKENESS_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"

enum alike { ALIKE_SAME, ALIKE_WITHIN, ALIKE_DIFFERS };
const char *alike_name(enum alike alike); /* "same", "within tolerance", "DIFFERS" */

/* Two replays of one candidate on one kind of device agree on the speedup within this. */
#define LIKENESS_SPEEDUP 0.01
/* Shares of work follow from exact counts; another path through a data-dependent kernel may shift them a little. */
#define LIKENESS_SHARE 0.001
/* A fact that is a measured number, such as a clock, differs from here on. */
#define LIKENESS_FACT 0.02

struct line {
	const char *member; /* of the record: "timing.speedup.median" */
	bool result;        /* what was found; else a fact of the machine, the tools or the request that may explain a difference */
	enum alike alike;
	char *a, *b;        /* as recorded, "(none)" if not there */
};

struct likeness {
	struct line *at; /* results first; of facts only those that are not the same */
	size_t count;
	bool agree;      /* no result differs */
};

/* likeness_free. */
void likeness_of(const cJSON *a, const cJSON *b, struct likeness *likeness);
void likeness_free(struct likeness *likeness);

#endif
