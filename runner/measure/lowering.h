/* Two recordings of one call, at different addresses, become the data form of a candidate (docs/measure.md, "kernel.cu"). No CUDA types. */
#ifndef PTXSEAL_MEASURE_LOWERING_H
#define PTXSEAL_MEASURE_LOWERING_H

#include "problem.h"
#include "recording.h"

/* Where a tensor was said to lie in each recording. */
struct lowering_place {
	uint64_t address[2];
};

/* Does the function see that byte of its parameter (ptx_reads.h)? */
typedef bool lowering_sees(const void *context, const char *function, size_t parameter, size_t byte);

/*
 * Adds "buffers", "maps" and "launches" to candidate. A word that is one address in the first recording and the corresponding one in the second is that address; what is the same in both is bytes; what the
 * function does not see of a structure is zero; anything else is R_LOW_LEAK. Fillings that a call's buffers cannot have are R_LOW_FILL; maps and sizes that data cannot say R_LOW_LAUNCH. places: of problem->tensors.
 */
enum status lowering_make(const struct recording take[2], const struct problem *problem, const struct lowering_place *places,
                          lowering_sees *sees, const void *context, cJSON *candidate, struct error *err);

#endif
