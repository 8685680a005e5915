#include "baseline.h"

#include "baseline_vendor.h"
#include "library.h"

enum status baseline_open(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                          struct baseline **baseline, cJSON **facts, struct error *err)
{
	enum status status = OK;

	*baseline = NULL;
	*facts = NULL;
	*facts = cJSON_CreateObject();
	if (problem_is_gemm(problem))
		status = baseline_open_cublaslt(cuda, problem, stream, effort, baseline, *facts, err);
	else
		status = baseline_open_cudnn(cuda, problem, stream, effort, baseline, *facts, err);
	if (status != OK) {
		cJSON_Delete(*facts);
		*facts = NULL;
	}
	return status;
}

enum status baseline_run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err)
{
	return baseline->run(baseline, tensors, err);
}

cJSON *baseline_files(const struct baseline *baseline)
{
	return library_files(baseline->files);
}

enum status baseline_scratch_allocate(struct baseline *baseline, int which, uint64_t bytes, struct error *err)
{
	struct baseline_scratch *scratch = &baseline->scratch[which];

	scratch->bytes = bytes;
	return bytes == 0 ? OK : cuda_check(baseline->cuda, baseline->cuda->cuMemAlloc(&scratch->address, bytes), "allocating a library's workspace", err);
}

enum status baseline_forget(struct baseline *baseline, struct error *err)
{
	enum status status = OK;

	for (int i = 0; i < BASELINE_SCRATCH_MAX && status == OK; i++)
		if (baseline->scratch[i].bytes > 0)
			status = cuda_check(baseline->cuda, baseline->cuda->cuMemsetD8Async(baseline->scratch[i].address, 0xFF, baseline->scratch[i].bytes, baseline->stream),
			                    "clearing a library's workspace", err);
	return status;
}

void baseline_close(struct baseline *baseline)
{
	if (baseline == NULL)
		return;
	for (int i = 0; i < BASELINE_SCRATCH_MAX; i++)
		if (baseline->scratch[i].address != 0)
			baseline->cuda->cuMemFree(baseline->scratch[i].address);
	baseline->close(baseline);
}
