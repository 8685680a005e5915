/* GEMM through cuBLASLt (https://docs.nvidia.com/cuda/cublas/#using-the-cublaslt-api). */
#include "baseline_vendor.h"

#include <math.h>
#include <stdlib.h>

#include <cublasLt.h>

#include "../base/bytes.h"
#include "library.h"
#include "trial.h"

#define CUBLASLT_FUNCTIONS(F)                                                                                                 \
	F(cublasLtCreate) F(cublasLtDestroy) F(cublasLtGetVersion) F(cublasLtGetStatusName)                                       \
	F(cublasLtMatmulDescCreate) F(cublasLtMatmulDescDestroy) F(cublasLtMatmulDescSetAttribute)                                \
	F(cublasLtMatrixLayoutCreate) F(cublasLtMatrixLayoutDestroy)                                                              \
	F(cublasLtMatmulPreferenceCreate) F(cublasLtMatmulPreferenceDestroy) F(cublasLtMatmulPreferenceSetAttribute)              \
	F(cublasLtMatmulAlgoGetHeuristic) F(cublasLtMatmulAlgoConfigGetAttribute) F(cublasLtMatmul)

enum { CANDIDATES_MAX = 16 };

#define WORKSPACE_BYTES ((size_t)64 << 20)

struct cublaslt {
	struct baseline base;
	struct library library;
#define CUBLASLT_POINTER(symbol) __typeof__(&symbol) symbol;
	CUBLASLT_FUNCTIONS(CUBLASLT_POINTER)
#undef CUBLASLT_POINTER
	cublasLtHandle_t handle;
	cublasLtMatmulDesc_t operation;
	cublasLtMatrixLayout_t a, b, c; /* of the problem's tensors, as cuBLASLt sees them */
	const struct problem *problem;
	bool scaled; /* FP8 with scales: tensors A, B, A_scale, B_scale, C */
	cublasLtMatmulAlgo_t algorithm;
};

/* What choosing needs and the chosen does not. */
struct choice {
	const struct cublaslt *lt;
	cublasLtMatmulHeuristicResult_t candidates[CANDIDATES_MAX];
	int count;
	struct trial trial;
};

static enum status check(const struct cublaslt *lt, cublasStatus_t result, const char *tried, struct error *err)
{
	if (result == CUBLAS_STATUS_SUCCESS)
		return OK;
	return error_set(err, R_GPU_LIBRARY, lt->library.path, "%s: %s", tried, lt->cublasLtGetStatusName(result));
}

static enum status load(struct cublaslt *lt, struct error *err)
{
	enum status status = library_open(LIBRARY_CUBLASLT, &lt->library, err);

#define CUBLASLT_FIND(symbol)                                                                                                 \
	if (status == OK)                                                                                                     \
		status = library_function(&lt->library, #symbol, &lt->symbol, err);
	CUBLASLT_FUNCTIONS(CUBLASLT_FIND)
#undef CUBLASLT_FIND
	return status;
}

/* cuBLASLt's A is the problem's B. The scales' addresses are the call's own. */
static enum status set_scales(const struct cublaslt *lt, CUdeviceptr of_a, CUdeviceptr of_b, struct error *err)
{
	const void *theirs_a = (const void *)(uintptr_t)of_b, *theirs_b = (const void *)(uintptr_t)of_a;
	enum status status = check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, &theirs_a,
	                                                                  sizeof theirs_a), "setting B's scales", err);

	return status == OK ? check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, &theirs_b,
	                                                                   sizeof theirs_b), "setting A's scales", err)
	                    : status;
}

/*
 * How FP8 is scaled and summed (cuBLAS documentation, "Narrow precision data types usage", 1D and 2D block scaling for FP8). A vector's scale stands for 128 elements along K, stored
 * with the rows side by side: [K/128][rows]; a block's for 128 x 128, [rows/128][K/128], a row of it padded to a multiple of four, which all our K give. Fast accumulation is off, as
 * it is by default: sums of FP8 products are carried over to full fp32 on the way.
 */
static enum status describe_scales(struct cublaslt *lt, struct error *err)
{
	const int32_t of_a = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
	const int32_t of_b = lt->problem->family == FAMILY_GEMM_1D2D ? CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F : CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F;
	const int8_t fast = 0;
	enum status status = check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, &of_b, sizeof of_b),
	                           "describing B's scales", err);

	if (status == OK)
		status = check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, &of_a, sizeof of_a),
		               "describing A's scales", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast, sizeof fast),
		               "describing the sums", err);
	/* The heuristic wants to see some address, aligned as the tensors' are. */
	return status == OK ? set_scales(lt, lt->base.scratch[0].address, lt->base.scratch[0].address, err) : status;
}

/*
 * Row-major C[M,N] = A[M,K] B[N,K]^T. cuBLASLt counts in columns, so it sees the transposes: A as K x M, B as K x N, C as N x M, each with its rows' length as the
 * leading dimension, and computes C' = B'^T A'.
 */
static enum status describe(struct cublaslt *lt, struct error *err)
{
	const struct tensor *a = &lt->problem->tensors[0], *b = &lt->problem->tensors[1];
	const uint64_t m = a->dims[0], k = a->dims[1], n = b->dims[0];
	const cudaDataType_t type = lt->scaled ? CUDA_R_8F_E4M3 : CUDA_R_16BF;
	const cublasOperation_t transposed = CUBLAS_OP_T;
	enum status status = check(lt, lt->cublasLtMatmulDescCreate(&lt->operation, CUBLAS_COMPUTE_32F, CUDA_R_32F),
	                           "describing the product", err);

	if (status == OK)
		status = check(lt, lt->cublasLtMatmulDescSetAttribute(lt->operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
		                                                       sizeof transposed),
		               "describing the product", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatrixLayoutCreate(&lt->a, type, k, m, (int64_t)k), "describing A", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatrixLayoutCreate(&lt->b, type, k, n, (int64_t)k), "describing B", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatrixLayoutCreate(&lt->c, CUDA_R_16BF, n, m, (int64_t)n), "describing C", err);
	return status == OK && lt->scaled ? describe_scales(lt, err) : status;
}

static cublasStatus_t multiply(const struct cublaslt *lt, const cublasLtMatmulAlgo_t *algorithm, const CUdeviceptr *tensors)
{
	const float one = 1;
	const float zero = 0;
	void *c = (void *)(uintptr_t)tensors[lt->scaled ? 4 : 2];
	struct error err;

	if (lt->scaled && set_scales(lt, tensors[2], tensors[3], &err) != OK)
		return CUBLAS_STATUS_INTERNAL_ERROR;
	return lt->cublasLtMatmul(lt->handle, lt->operation, &one, (const void *)(uintptr_t)tensors[1], lt->b,
	                          (const void *)(uintptr_t)tensors[0], lt->a, &zero, c, lt->c, c, lt->c, algorithm,
	                          (void *)(uintptr_t)lt->base.scratch[0].address, WORKSPACE_BYTES, lt->base.stream);
}

static enum status run(struct baseline *baseline, const CUdeviceptr *tensors, struct error *err)
{
	const struct cublaslt *lt = (const struct cublaslt *)baseline;

	return check(lt, multiply(lt, &lt->algorithm, tensors), "multiplying", err);
}

static void close_cublaslt(struct baseline *baseline)
{
	struct cublaslt *lt = (struct cublaslt *)baseline;

	if (lt->a != NULL)
		lt->cublasLtMatrixLayoutDestroy(lt->a);
	if (lt->b != NULL)
		lt->cublasLtMatrixLayoutDestroy(lt->b);
	if (lt->c != NULL)
		lt->cublasLtMatrixLayoutDestroy(lt->c);
	if (lt->operation != NULL)
		lt->cublasLtMatmulDescDestroy(lt->operation);
	if (lt->handle != NULL)
		lt->cublasLtDestroy(lt->handle);
	free(lt); /* the library itself stays open (library.h) */
}

static enum status ask_heuristic(const struct cublaslt *lt, int room, struct choice *choice, struct error *err)
{
	const uint64_t workspace = WORKSPACE_BYTES;
	const uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
	cublasLtMatmulPreference_t preference = NULL;
	enum status status = check(lt, lt->cublasLtMatmulPreferenceCreate(&preference), "asking for algorithms", err);

	if (status != OK)
		return status;
	status = check(lt, lt->cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
	                                                            sizeof workspace),
	               "setting the workspace", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, &reduction,
		                                                            sizeof reduction),
		               "setting the reduction", err);
	if (status == OK)
		status = check(lt, lt->cublasLtMatmulAlgoGetHeuristic(lt->handle, lt->operation, lt->b, lt->a, lt->c, lt->c, preference,
		                                                      room, choice->candidates, &choice->count),
		               "asking for algorithms", err);
	if (status == OK && choice->count == 0)
		status = error_set(err, R_GPU_LIBRARY, lt->library.path, "it has no algorithm for this product");
	lt->cublasLtMatmulPreferenceDestroy(preference);
	return status;
}

static bool try_candidate(void *context, int way, const CUdeviceptr *tensors)
{
	const struct choice *choice = context;
	const cublasLtMatmulHeuristicResult_t *candidate = &choice->candidates[way];

	return candidate->state == CUBLAS_STATUS_SUCCESS && multiply(choice->lt, &candidate->algo, tensors) == CUBLAS_STATUS_SUCCESS;
}

static void add_config(const struct cublaslt *lt, cJSON *object, const char *key, const cublasLtMatmulAlgo_t *algorithm,
                       cublasLtMatmulAlgoConfigAttributes_t attribute, size_t size)
{
	uint32_t value = 0; /* a 16-bit attribute fills its low half: the host is little-endian, as every host of CUDA is */
	size_t written = 0;

	if (lt->cublasLtMatmulAlgoConfigGetAttribute(algorithm, attribute, &value, size, &written) == CUBLAS_STATUS_SUCCESS)
		cJSON_AddNumberToObject(object, key, value);
	else
		cJSON_AddStringToObject(object, key, "unknown");
}

/* Ids as in cublasLt.h: cublasLtMatmulTile_t, cublasLtMatmulStages_t, cublasLtClusterShape_t, cublasLtMatmulInnerShape_t, cublasLtReductionScheme_t. */
static cJSON *algorithm_facts(const struct cublaslt *lt, const cublasLtMatmulHeuristicResult_t *candidate)
{
	cJSON *facts = cJSON_CreateObject();
	const cublasLtMatmulAlgo_t *algorithm = &candidate->algo;

	add_config(lt, facts, "id", algorithm, CUBLASLT_ALGO_CONFIG_ID, 4);
	add_config(lt, facts, "tile_id", algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID, 4);
	add_config(lt, facts, "stages_id", algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID, 4);
	add_config(lt, facts, "split_k", algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, 4);
	add_config(lt, facts, "reduction_scheme", algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, 4);
	add_config(lt, facts, "cta_swizzling", algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, 4);
	add_config(lt, facts, "custom_option", algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, 4);
	add_config(lt, facts, "inner_shape_id", algorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, 2);
	add_config(lt, facts, "cluster_shape_id", algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, 2);
	cJSON_AddNumberToObject(facts, "workspace_bytes", (double)candidate->workspaceSize);
	cJSON_AddNumberToObject(facts, "waves", round((double)candidate->wavesCount * 1000) / 1000);
	return facts;
}

static const char *compute_text(const struct cublaslt *lt)
{
	if (!lt->scaled)
		return "bfloat16 in and out, accumulated in fp32 (CUBLAS_COMPUTE_32F), split-K sums in fp32";
	return lt->problem->family == FAMILY_GEMM_1D1D
	               ? "E4M3 in, bfloat16 out, CUBLAS_COMPUTE_32F, scales VEC128_32F of A and of B, split-K sums in fp32"
	               : "E4M3 in, bfloat16 out, CUBLAS_COMPUTE_32F, scales VEC128_32F of A and BLK128x128_32F of B, split-K sums in fp32";
}

static void add_facts(const struct cublaslt *lt, const struct choice *choice, int best, cJSON *facts)
{
	cJSON *tried = cJSON_AddArrayToObject(facts, "tried");

	cJSON_AddStringToObject(facts, "library", "cublasLt");
	cJSON_AddNumberToObject(facts, "version", (double)lt->cublasLtGetVersion());
	cJSON_AddStringToObject(facts, "found", lt->library.place);
	cJSON_AddStringToObject(facts, "compute", compute_text(lt));
	if (lt->scaled)
		cJSON_AddBoolToObject(facts, "fast_accumulation", false);
	cJSON_AddStringToObject(facts, "chosen_by", TRIAL_CHOSEN_BY);
	cJSON_AddNumberToObject(facts, "chosen", best);
	cJSON_AddNumberToObject(facts, "workspace_limit_bytes", (double)WORKSPACE_BYTES);
	cJSON_AddItemToObject(facts, "algorithm", algorithm_facts(lt, &choice->candidates[best]));
	for (int i = 0; i < choice->count; i++) {
		cJSON *one = algorithm_facts(lt, &choice->candidates[i]);

		cJSON_AddItemToObject(one, "nanoseconds", trial_nanoseconds(&choice->trial, i));
		cJSON_AddItemToArray(tried, one);
	}
}

static enum status choose(struct cublaslt *lt, int room, struct choice *choice, cJSON *facts,
                          struct error *err)
{
	enum status status = ask_heuristic(lt, room, choice, err);

	if (status == OK)
		status = trial_run(lt->base.cuda, lt->problem, lt->base.stream, try_candidate, choice, choice->count, &choice->trial, err);
	if (status != OK)
		return status;
	int best = trial_fastest(&choice->trial);

	if (best < 0)
		return error_set(err, R_GPU_LIBRARY, lt->library.path, "none of its %d algorithms for this product runs", choice->count);
	lt->algorithm = choice->candidates[best].algo;
	add_facts(lt, choice, best, facts);
	return OK;
}

enum status baseline_open_cublaslt(const struct cuda *cuda, const struct problem *problem, CUstream stream, enum baseline_effort effort,
                                   struct baseline **baseline, cJSON *facts, struct error *err)
{
	static const char *const files[] = {"libcublasLt.", NULL};
	struct cublaslt *lt = mem_alloc(sizeof *lt);
	struct choice *choice = mem_alloc(sizeof *choice);

	lt->base = (struct baseline){.cuda = cuda, .stream = stream, .files = files, .run = run, .close = close_cublaslt};
	lt->problem = problem;
	lt->scaled = problem->family != FAMILY_GEMM;
	choice->lt = lt;
	enum status status = load(lt, err);

	if (status == OK)
		status = check(lt, lt->cublasLtCreate(&lt->handle), "starting cuBLASLt", err);
	if (status == OK)
		status = baseline_scratch_allocate(&lt->base, 0, WORKSPACE_BYTES, err);
	if (status == OK)
		status = describe(lt, err);
	if (status == OK)
		status = choose(lt, effort == BASELINE_FIRST ? 1 : CANDIDATES_MAX, choice, facts, err);
	free(choice);
	if (status == OK)
		*baseline = &lt->base;
	else
		baseline_close(&lt->base);
	return status;
}
