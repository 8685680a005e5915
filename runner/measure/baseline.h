/* The vendor library on the same inputs: cuBLASLt for GEMM, cuDNN's graph API for attention. Opened at run time in the worker that times. */
#ifndef PTXSEAL_MEASURE_BASELINE_H
#define PTXSEAL_MEASURE_BASELINE_H

#include <cjson/cJSON.h>

#include "cuda.h"
#include "problem.h"

struct baseline;

enum baseline_effort {
	BASELINE_FIRST, /* what the heuristic names first and runs: PyTorch's way, and enough where nothing is timed */
	BASELINE_BEST,  /* the fastest of several, in a limited time */
	BASELINE_ALL,   /* the fastest of all that the library offers, however long its planning takes */
};

/*
 * Choose the algorithm and allocate its workspace, in the current context; problem outlives the baseline; stream is the one baseline_run will use, and it is drained. facts, which the caller
 * deletes, is part of the record: library, version, algorithm or engine id and knobs, workspace, how it was chosen, and all that were tried with their times.
 *   cuBLASLt: the heuristic's candidates (at most 16, workspace up to 64 MiB, split-K only with fp32 partial sums; FP8 without fast accumulation).
 *   cuDNN: backend graphs of attention; heuristic modes A, B, fallback; at most 8 plans a form of graph, and none is begun after 1.5 s of planning. Several: each
 *   is timed (trial.h) on scratch tensors of the problem's size; the fastest is kept.
 * UNAVAILABLE with R_GPU_LIBRARY where the library is not found or has nothing for this problem; *baseline and *facts are then NULL.
 */
enum status baseline_open(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                          struct baseline **baseline, cJSON **facts, struct error *err);
/* The library's files with their SHA-256 (library_files), for the record's "files": ask when it is made, since hashing takes a while. The caller deletes it. */
cJSON *baseline_files(const struct baseline *baseline);
/* Enqueue one call: tensors are device addresses, aligned to 256 bytes, in the order of problem->tensors. No allocation on the device, no synchronisation. */
enum status baseline_run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err);
/* Enqueue 0xFF over all that it has written on the device besides its outputs, in its stream. The next call works as before. */
enum status baseline_forget(struct baseline *baseline, struct error *err);
void baseline_close(struct baseline *baseline); /* NULL is fine */

#endif
