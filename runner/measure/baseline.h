/* The vendor library on the same inputs: cuBLASLt for GEMM, cuDNN's graph API for attention. Opened at run time in the worker that times. */
#ifndef PTXSEAL_MEASURE_BASELINE_H
#define PTXSEAL_MEASURE_BASELINE_H

#include <cjson/cJSON.h>

#include "cuda.h"
#include "problem.h"

struct baseline;

/*
 * Choose the algorithm and allocate its workspace, in the current context; stream is the one baseline_run will use, and it is drained. facts, which the caller
 * deletes, is part of the record: library, version, the files that were loaded with their SHA-256, algorithm or engine id and knobs, workspace, how it was chosen.
 *   cuBLASLt: the heuristic's candidates (at most 16, workspace up to 64 MiB, split-K only with fp32 partial sums), each timed a few times on scratch tensors of the
 *   problem's size, cold L2; the one of the least median is kept.
 *   cuDNN: a backend graph of attention; heuristic mode A, then fallback; the first plan that finalises, as PyTorch's.
 * UNAVAILABLE with R_GPU_LIBRARY where the library is not found or has nothing for this problem; *baseline and *facts are then NULL.
 */
enum status baseline_open(const struct cuda *cuda, const struct problem *problem, CUstream stream, struct baseline **baseline,
                          cJSON **facts, struct error *err);
/* Enqueue one call: tensors are device addresses, aligned to 256 bytes, in the order of problem->tensors. No allocation on the device, no synchronisation. */
enum status baseline_run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err);
void baseline_close(struct baseline *baseline); /* NULL is fine */

#endif
