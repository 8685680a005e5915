/*
 * Executions of each instruction of one function, through CUPTI's SASS metrics (docs: CUPTI guide, "SASS Metrics API"). CUPTI records only the first function
 * launched after enabling, once in a process: so a counter is one function's, and its process ends after it. Child's side; evidence.h reads the result.
 */
#ifndef PTXSEAL_MEASURE_COUNT_H
#define PTXSEAL_MEASURE_COUNT_H

#include <cjson/cJSON.h>

#include "cuda.h"

struct counter;

/* Never fails: what goes wrong, here or later, is what counter_read says. */
void counter_open(CUcontext context, int device, const char *function, struct counter **counter);
const char *counter_function(const struct counter *counter);
void counter_enable(struct counter *counter); /* no kernel may be in flight */
/* After waiting for the device: {"function","records":[[offset,"executed","threads true"],...],"state","text"}; the caller's to delete. */
cJSON *counter_read(struct counter *counter);
void counter_close(struct counter *counter); /* NULL is fine */

#endif
