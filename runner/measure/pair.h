/* One timed pair in a worker: timing.h says what is measured. Child's side. */
#ifndef PTXSEAL_MEASURE_PAIR_H
#define PTXSEAL_MEASURE_PAIR_H

#include "baseline.h"
#include "stage.h"
#include "timing.h"

struct pair;

/* Memory for the baseline's outputs and for flushing L2 (twice its size); events. stage and baseline must outlive it. */
enum status pair_open(struct stage *stage, struct baseline *baseline, struct pair **pair, struct error *err);
void pair_close(struct pair *pair); /* NULL is fine */

/* The stage is set for it. A failure of the candidate is its fate; sample is then not to be used. control: the baseline in the candidate's place, too. */
enum status pair_time(struct pair *pair, bool candidate_first, bool control, struct sample *sample, struct fate *fate, struct error *err);

#endif
