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

void baseline_close(struct baseline *baseline)
{
	if (baseline != NULL)
		baseline->close(baseline);
}
