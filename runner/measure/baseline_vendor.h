/* What baseline.c asks of each vendor library's file. */
#ifndef PTXSEAL_MEASURE_BASELINE_VENDOR_H
#define PTXSEAL_MEASURE_BASELINE_VENDOR_H

#include "baseline.h"

/* What a library writes on the device besides the outputs: its workspace, sums on the way to a result. 0 bytes: none. */
struct baseline_scratch {
	CUdeviceptr address;
	uint64_t bytes;
};

enum { BASELINE_SCRATCH_MAX = 3 };

/* The first member of each library's own struct. */
struct baseline {
	const struct cuda *cuda;
	CUstream stream;
	const char *const *files; /* how the names of its libraries begin, for library_files */
	enum status (*run)(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err);
	void (*close)(struct baseline *baseline); /* frees it, too; baseline_close has freed the scratch */
	struct baseline_scratch scratch[BASELINE_SCRATCH_MAX];
};

/* scratch[which], which is freed with the baseline. */
enum status baseline_scratch_allocate(struct baseline *baseline, int which, uint64_t bytes, struct error *err);

/* As baseline_open, for problems of their family; facts is an object to add to. */
enum status baseline_open_cublaslt(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                   struct baseline **baseline, cJSON *facts, struct error *err);
enum status baseline_open_cudnn(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                struct baseline **baseline, cJSON *facts, struct error *err);

#endif
