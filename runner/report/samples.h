/* The samples of a record's timing as numbers. */
#ifndef PTXSEAL_REPORT_SAMPLES_H
#define PTXSEAL_REPORT_SAMPLES_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

struct pair_sample {
	double ratio;                      /* baseline_ns / candidate_ns */
	double candidate_hz, baseline_hz;  /* 0: not known */
	double at;                         /* seconds of wall time that the calls before it took */
	size_t pair;                       /* number of the pair, from 1; where it stands for some in a row, of the first */
	bool warm_up, throttled;
};

struct samples {
	struct pair_sample *at;
	size_t count;
	size_t each; /* pairs that one of these stands for: the median of them, and throttled if one of them was */
};

/* which: "samples" or "control_samples". No more than most of them. Empty where the record has none, or a row that is none. samples_free. */
void samples_read(const cJSON *record, const char *which, size_t most, struct samples *samples);
void samples_free(struct samples *samples);

#endif
