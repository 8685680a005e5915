/* A stand-in for cuBLASLt beside the one for the driver: one algorithm, of known time. Enough of the API for runner/measure/baseline_cublaslt.c. */
#include <cublasLt.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle)
{
	*handle = malloc(1);
	return *handle != NULL ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORT cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
	free(handle);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT size_t cublasLtGetVersion(void)
{
	return 0;
}

EXPORT const char *cublasLtGetStatusName(cublasStatus_t status)
{
	return status == CUBLAS_STATUS_SUCCESS ? "CUBLAS_STATUS_SUCCESS" : "an error of the stand-in";
}

EXPORT cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *description, cublasComputeType_t compute, cudaDataType_t scale)
{
	(void)compute;
	(void)scale;
	*description = calloc(1, sizeof **description);
	return *description != NULL ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORT cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description)
{
	free(description);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, const void *value,
                                                     size_t size)
{
	(void)description;
	(void)attribute;
	(void)value;
	(void)size;
	return CUBLAS_STATUS_SUCCESS;
}

/* Rows and columns, in the first words of the opaque structure. */
EXPORT cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows, uint64_t columns, int64_t lead)
{
	(void)type;
	(void)lead;
	*layout = calloc(1, sizeof **layout);
	if (*layout == NULL)
		return CUBLAS_STATUS_ALLOC_FAILED;
	(*layout)->data[0] = rows;
	(*layout)->data[1] = columns;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
	free(layout);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
	*preference = calloc(1, sizeof **preference);
	return *preference != NULL ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
	free(preference);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
                                                           const void *value, size_t size)
{
	(void)preference;
	(void)attribute;
	(void)value;
	(void)size;
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                                                     cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                                     cublasLtMatmulPreference_t preference, int wanted, cublasLtMatmulHeuristicResult_t results[],
                                                     int *count)
{
	(void)handle;
	(void)description;
	(void)a;
	(void)b;
	(void)c;
	(void)d;
	(void)preference;
	*count = wanted > 0;
	if (wanted > 0)
		memset(&results[0], 0, sizeof results[0]);
	return CUBLAS_STATUS_SUCCESS;
}

EXPORT cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algorithm, cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                           void *value, size_t size, size_t *written)
{
	(void)algorithm;
	(void)attribute;
	memset(value, 0, size);
	*written = size;
	return CUBLAS_STATUS_SUCCESS;
}

/* The caller's A is the problem's B, and the other way round; both in rows of K. */
EXPORT cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t description, const void *alpha, const void *a,
                                     cublasLtMatrixLayout_t a_layout, const void *b, cublasLtMatrixLayout_t b_layout, const void *beta, const void *c,
                                     cublasLtMatrixLayout_t c_layout, void *d, cublasLtMatrixLayout_t d_layout,
                                     const cublasLtMatmulAlgo_t *algorithm, void *workspace, size_t workspace_bytes, cudaStream_t stream)
{
	(void)handle;
	(void)description;
	(void)alpha;
	(void)beta;
	(void)c;
	(void)c_layout;
	(void)d_layout;
	(void)algorithm;
	(void)workspace;
	(void)workspace_bytes;
	(void)stream;
	void *driver = dlopen(getenv("PTXSEAL_LIBCUDA"), RTLD_NOW | RTLD_NOLOAD);
	void *found = driver == NULL ? NULL : dlsym(driver, "stand_in_gemm");
	void (*run)(const void *, const void *, void *, uint64_t, uint64_t, uint64_t);

	if (found == NULL)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	memcpy(&run, &found, sizeof run);
	run(b, a, d, b_layout->data[1], a_layout->data[1], a_layout->data[0]);
	dlclose(driver);
	return CUBLAS_STATUS_SUCCESS;
}
