#include "baseline.h"

#include "baseline_vendor.h"

enum status baseline_open(const struct cuda *cuda, const struct problem *problem, CUstream stream, struct baseline **baseline,
                          cJSON **facts, struct error *err)
{
	enum status status = OK;

	*baseline = NULL;
	*facts = NULL;
	if (problem->tensors[0].dtype != DTYPE_BF16)
		return error_set(err, R_GPU_LIBRARY, problem->task, "there is no baseline for %s", dtype_name(problem->tensors[0].dtype));
	*facts = cJSON_CreateObject();
	if (problem->family == FAMILY_GEMM)
		status = baseline_open_cublaslt(cuda, problem, stream, baseline, *facts, err);
	else
		status = baseline_open_cudnn(cuda, problem, stream, baseline, *facts, err);
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

void baseline_close(struct baseline *baseline)
{
	if (baseline != NULL)
		baseline->close(baseline);
}
