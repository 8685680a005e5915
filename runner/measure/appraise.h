/* A model's kernel measured: what assess says of it, and where it compiles a replay on the device, with a record as any replay has. */
#ifndef PTXSEAL_MEASURE_APPRAISE_H
#define PTXSEAL_MEASURE_APPRAISE_H

#include "assess.h"
#include "standard.h"

struct appraiser {
	struct assessor *assessor;   /* keeps what compiles */
	struct judge *judge;
	struct trial_plan plan;
	struct hashed_inputs inputs;
	struct replay_options options;
	struct sanitizer sanitizer;
	size_t trials;
	cJSON *device, *machine;
	char date[16];
};

/* Before anything is asked: the device and its library. trials and options as of a replay; date of today. appraiser_close in every case. */
enum status appraiser_open(struct assessor *assessor, size_t trials, const struct replay_options *options, const char *date, struct appraiser *appraiser, struct error *err);
void appraiser_close(struct appraiser *appraiser);

/* An evaluator (model/evaluator.h) for one thread; context is a struct appraiser. A sick device, or a stop, is an error: the turn is measured again when the run goes on. */
enum status appraise(void *context, uint32_t trajectory, uint32_t turn, const struct extracted *extracted, struct evaluation *evaluation, struct error *err);

#endif
