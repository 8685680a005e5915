/* A candidate's code in a context, and its launches. What the driver answers comes back as it is: the caller knows whether our call or the candidate's
 * code is to blame. */
#ifndef PTXSEAL_MEASURE_LAUNCH_H
#define PTXSEAL_MEASURE_LAUNCH_H

#include <cjson/cJSON.h>

#include "cuda.h"
#include "plan.h"

struct program;

/*
 * Load the cubin, find every function, compare its parameters with the plan's (R_CAN_PARAMETER), and the launch's resources with the device's limits
 * (R_GPU_LAUNCH), and the device with what a lowered candidate was told of it (R_LOW_ASKED). cuda, plan and problem must outlive the program.
 */
enum status program_open(const struct cuda *cuda, const struct plan *plan, const void *cubin, struct program **program, struct error *err);
void program_close(struct program *program); /* NULL is fine */

/* An array of {"function","local_bytes","max_threads","parameters","registers","shared_bytes"}, one a launch; the caller deletes it. */
cJSON *program_facts(const struct program *program);

/* The addresses that the next launches take: of problem->tensors, and of the plan's buffers. Encodes the tensor maps. */
enum status program_bind(struct program *program, const CUdeviceptr *tensors, const CUdeviceptr *buffers, struct error *err);

size_t program_launches(const struct program *program);
const char *program_function(const struct program *program, size_t launch);

/* Set the buffers that are to be filled; then launch 0 to program_launches - 1. Asynchronous in stream. */
CUresult program_fill(struct program *program, CUstream stream);
CUresult program_launch(struct program *program, size_t launch, CUstream stream);
/* All of that in order; stops at the first call that fails, whose launch is then *failed (-1: filling). */
CUresult program_run(struct program *program, CUstream stream, int *failed);

#endif
