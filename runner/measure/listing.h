/* What stands in a cubin, for a record: its "code"."census". */
#ifndef PTXSEAL_MEASURE_LISTING_H
#define PTXSEAL_MEASURE_LISTING_H

#include <cjson/cJSON.h>

#include "../kernel/cubin.h"

/* [{"function","instructions","lines":[{"count","family","group","never","null","text"}...],"registers","shared_bytes"}...], as the cubin has them. The caller deletes it. */
cJSON *listing_of(const struct cubin *cubin);

#endif
