/* What baseline.c asks of each vendor library's file. */
#ifndef PTXSEAL_MEASURE_BASELINE_VENDOR_H
#define PTXSEAL_MEASURE_BASELINE_VENDOR_H

#include "baseline.h"

/* The first member of each library's own struct. */
struct baseline {
	const struct cuda *cuda;
	CUstream stream;
	const char *const *files; /* how the names of its libraries begin, for library_files */
	enum status (*run)(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err);
	void (*close)(struct baseline *baseline); /* frees it, too */
};

/* As baseline_open, for problems of their family; facts is an object to add to. */
enum status baseline_open_cublaslt(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                   struct baseline **baseline, cJSON *facts, struct error *err);
enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                struct baseline **baseline, cJSON *facts, struct error *err);

#endif
