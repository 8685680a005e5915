/* The vendor library on the same inputs: cuBLASLt for GEMM, cuDNN's graph API for attention. Opened at run time in the worker that times. */
#ifndef PTXSEAL_MEASURE_BASELINE_H
#define PTXSEAL_MEASURE_BASELINE_H

#include <cjson/cJSON.h>

#include "cuda.h"
#include "problem.h"

struct baseline;

/* Choose the algorithm (cuBLASLt: the heuristic's candidates, each timed, the fastest kept; cuDNN: heuristic mode A, then fallback, first plan that
 * finalises) and allocate its workspace. facts gets library, version, path, algorithm or engine id and knobs, workspace bytes, how it was chosen: it is part of the record.
 * UNAVAILABLE with R_GPU_LIBRARY where the library is not found or has no plan. */
enum status baseline_open(const struct cuda *cuda, const struct problem *problem, CUstream stream, struct baseline **baseline,
                          cJSON **facts, struct error *err);
/* Enqueue one call: tensors are device addresses in the order of problem->tensors. No allocation, no synchronisation. */
enum status baseline_run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err);
void baseline_close(struct baseline *baseline); /* NULL is fine */

#endif
