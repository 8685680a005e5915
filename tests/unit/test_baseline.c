/*
 * R-GPU-008: what baseline.c makes of a library, with a cuBLASLt of known answers and times that the test makes, and memory of the host for the device's. The fake multiplies in
 * columns as cuBLASLt's documentation says, so that the product shows whether rows and columns were told apart.
 */
#include "unit.h"

#ifdef PTXSEAL_CUDA

#include <dlfcn.h>
#include <string.h>

#include "base/jcs.h"
#include "fake_library.h"
#include "measure/baseline.h"
#include "measure/library.h"
#include "measure/philox.h"

static char scratch[] = "/tmp/ptxseal-test-baseline-XXXXXX";

static const char source[] =
	"#include <stdint.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"double fake_clock;\n"
	"struct layout { uint64_t rows, columns; int64_t ld; int type; };\n"
	"struct desc { int transposed[2], compute, scale, mode[2]; float *scales[2]; char fast; };\n"
	"struct preference { uint64_t workspace; uint32_t reduction; };\n"
	"struct algorithm { uint64_t data[8]; };\n"
	"struct result { struct algorithm algorithm; size_t workspace; int state; float waves; int reserved[4]; };\n"
	"int cublasLtCreate(void **h) { *h = malloc(1); return CREATE; }\n"
	"int cublasLtDestroy(void *h) { free(h); return 0; }\n"
	"size_t cublasLtGetVersion(void) { return 130999; }\n"
	"#ifndef OLD\n"
	"const char *cublasLtGetStatusName(int s) { return s == 1 ? \"NOT_INITIALIZED\" : \"OTHER\"; }\n"
	"#endif\n"
	"int cublasLtMatmulDescCreate(struct desc **d, int compute, int scale) { *d = calloc(1, sizeof **d); (*d)->compute = compute; (*d)->scale = scale; return 0; }\n"
	"int cublasLtMatmulDescDestroy(struct desc *d) { free(d); return 0; }\n"
	"int cublasLtMatmulDescSetAttribute(struct desc *d, int a, const void *v, size_t n) {\n"
	"	if (n == 4 && a >= 3 && a <= 4) memcpy(&d->transposed[a - 3], v, 4);\n"
	"	else if (n == 8 && a >= 17 && a <= 18) memcpy(&d->scales[a - 17], v, 8);\n"
	"	else if (n == 4 && a >= 31 && a <= 32) memcpy(&d->mode[a - 31], v, 4);\n"
	"	else if (n == 1 && a == 25) memcpy(&d->fast, v, 1); else return 7;\n"
	"	return 0; }\n"
	"int cublasLtMatrixLayoutCreate(struct layout **l, int type, uint64_t r, uint64_t c, int64_t ld) { *l = malloc(sizeof **l); **l = (struct layout){r, c, ld, type}; return 0; }\n"
	"int cublasLtMatrixLayoutDestroy(struct layout *l) { free(l); return 0; }\n"
	"int cublasLtMatmulPreferenceCreate(struct preference **p) { *p = calloc(1, sizeof **p); return 0; }\n"
	"int cublasLtMatmulPreferenceDestroy(struct preference *p) { free(p); return 0; }\n"
	"int cublasLtMatmulPreferenceSetAttribute(struct preference *p, int a, const void *v, size_t n) {\n"
	"	if (a == 1 && n == 8) memcpy(&p->workspace, v, 8); else if (a == 3 && n == 4) memcpy(&p->reduction, v, 4); else return 7; return 0; }\n"
	"int cublasLtMatmulAlgoGetHeuristic(void *h, struct desc *d, struct layout *a, struct layout *b, struct layout *c, struct layout *e,\n"
	"	struct preference *p, int room, struct result *r, int *count) {\n"
	"	if (p->workspace != 64 << 20 || p->reduction != 2 || room < 4) return 7;\n"
	"	for (*count = 0; *count < FOUND; ++*count) r[*count] = (struct result){.algorithm = {{*count + 1}}, .workspace = 1000 * *count, .state = *count == 3, .waves = 1.5f};\n"
	"	return 0; }\n"
	"int cublasLtMatmulAlgoConfigGetAttribute(const struct algorithm *a, int what, void *v, size_t n, size_t *written) {\n"
	"	uint32_t value = 10 * (uint32_t)a->data[0] + (uint32_t)what;\n"
	"	if (n != (what > 6 ? 2 : 4)) return 7;\n"
	"	memcpy(v, &value, n); *written = n; return what == 5 ? 7 : 0; }\n"
	"static float up(uint16_t v) { uint32_t u = (uint32_t)v << 16; float f; memcpy(&f, &u, 4); return f; }\n"
	"static uint16_t down(float f) { uint32_t u; memcpy(&u, &f, 4); return (uint16_t)((u + 0x7fff + (u >> 16 & 1)) >> 16); }\n"
	"int cublasLtMatmul(void *h, struct desc *d, const float *alpha, const uint16_t *a, struct layout *la, const uint16_t *b, struct layout *lb,\n"
	"	const float *beta, const uint16_t *c, struct layout *lc, uint16_t *e, struct layout *le, const struct algorithm *algorithm, void *w, size_t n, void *stream) {\n"
	"	static const double cost[] = {0, 5, 2, 3, 1};\n"
	"	static const double noise[] = {0, 9, 0, 0, 0, 0};\n" /* the fastest has one slow call: its median stays */
	"	static int calls;\n"
	"	if (la->type == 28) {\n" /* E4M3: what each element's scales multiply to */
	"		if (lb->type != 28 || le->type != 14 || d->mode[1] != 4 || d->fast || !d->scales[0] || !d->scales[1]) return 7;\n"
	"		for (uint64_t i = 0; i < le->rows; i++) for (uint64_t j = 0; j < le->columns; j++)\n"
	"			e[i + j * le->ld] = down(d->scales[0][d->mode[0] == 5 ? i / 128 : i] * d->scales[1][j]);\n"
	"		return 0; }\n"
	"	if (*alpha != 1 || *beta != 0 || d->compute != 68 || d->scale != 0 || la->type != 14 || lb->type != 14 || le->type != 14 || n != 64 << 20) return 7;\n"
	"	if (algorithm->data[0] == FAILING) return 7;\n"
	"	fake_clock += cost[algorithm->data[0]] + (algorithm->data[0] == 2 ? noise[calls++ % 6] : 0);\n"
	"	for (uint64_t i = 0; i < le->rows; i++) for (uint64_t j = 0; j < le->columns; j++) {\n"
	"		float sum = 0;\n"
	"		for (uint64_t k = 0; k < (d->transposed[0] ? la->rows : la->columns); k++)\n"
	"			sum += up(d->transposed[0] ? a[k + i * la->ld] : a[i + k * la->ld]) * up(d->transposed[1] ? b[j + k * lb->ld] : b[k + j * lb->ld]);\n"
	"		e[i + j * le->ld] = down(sum);\n"
	"	}\n"
	"	return 0; }\n";

/* ---- a device whose memory is the host's and whose time is the fake's ---- */

static int allocations;
static double *fake_clock;

static CUresult allocate(CUdeviceptr *out, size_t bytes)
{
	*out = (CUdeviceptr)(uintptr_t)malloc(bytes);
	allocations++;
	return CUDA_SUCCESS;
}

static CUresult release(CUdeviceptr address)
{
	free((void *)(uintptr_t)address);
	allocations--;
	return CUDA_SUCCESS;
}

static CUresult to_device(CUdeviceptr to, const void *from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, from, bytes);
	return CUDA_SUCCESS;
}

static CUresult on_device(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
	memcpy((void *)(uintptr_t)to, (const void *)(uintptr_t)from, bytes);
	return CUDA_SUCCESS;
}

static uint64_t poisoned; /* bytes set to 0xFF */

static CUresult set_bytes(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
	(void)to;
	(void)stream;
	poisoned += value == 0xFF ? bytes : 0;
	return CUDA_SUCCESS;
}

/* What a library wrote on the way to its results is gone, all of it, and it goes on. */
static void forgets(struct baseline *baseline, uint64_t bytes)
{
	struct error err = {0};

	poisoned = 0;
	assert_int_equal(baseline_forget(baseline, &err), OK);
	assert_int_equal(poisoned, bytes);
}

static CUresult make_event(CUevent *event, unsigned flags)
{
	(void)flags;
	*event = (CUevent)calloc(1, sizeof(double));
	allocations++;
	return CUDA_SUCCESS;
}

static CUresult destroy_event(CUevent event)
{
	free(event);
	allocations--;
	return CUDA_SUCCESS;
}

static CUresult record_event(CUevent event, CUstream stream)
{
	(void)stream;
	*(double *)(void *)event = *fake_clock;
	return CUDA_SUCCESS;
}

static CUresult elapsed(float *milliseconds, CUevent before, CUevent after)
{
	*milliseconds = (float)(*(double *)(void *)after - *(double *)(void *)before);
	return CUDA_SUCCESS;
}

static CUresult wait_stream(CUstream stream)
{
	(void)stream;
	return CUDA_SUCCESS;
}

static CUresult wait_context(void)
{
	return CUDA_SUCCESS;
}

static const struct cuda device = {
	.cuMemAlloc = allocate,
	.cuMemFree = release,
	.cuMemcpyHtoD = to_device,
	.cuMemcpyDtoD = on_device,
	.cuMemsetD8Async = set_bytes,
	.cuEventCreate = make_event,
	.cuEventDestroy = destroy_event,
	.cuEventRecord = record_event,
	.cuEventElapsedTime = elapsed,
	.cuStreamSynchronize = wait_stream,
	.cuCtxSynchronize = wait_context,
};

/* ---- tests ---- */

enum { M = 3, N = 5, K = 7 };

static const struct problem gemm = {
	.task = "gemm",
	.family = FAMILY_GEMM,
	.tensors = {{.name = "A", .dtype = DTYPE_BF16, .rank = 2, .dims = {M, K}, .count = M * K, .bytes = 2 * M * K},
                    {.name = "B", .dtype = DTYPE_BF16, .rank = 2, .dims = {N, K}, .count = N * K, .bytes = 2 * N * K},
                    {.name = "C", .dtype = DTYPE_BF16, .output = true, .rank = 2, .dims = {M, N}, .count = M * N, .bytes = 2 * M * N}},
	.tensor_count = 3,
};

/* Each variant in a directory of its own: a file of the same inode would be taken for the library that is already loaded. */
static void make_fake(const char *variant, const char *options)
{
	char *directory = mem_format("%s/%s", scratch, variant);
	char *path = mem_format("%s/" LIBRARY_CUBLASLT, directory);

	assert_true(fake_library(directory, LIBRARY_CUBLASLT, source, options));
	setenv("PTXSEAL_CUDA_LIBS", directory, 1);
	void *handle = dlopen(path, RTLD_NOW);

	assert_non_null(handle);
	fake_clock = dlsym(handle, "fake_clock");
	free(path);
	free(directory);
}

static void refused(const struct problem *problem, const char *what)
{
	struct baseline *baseline;
	struct error err = {0};
	cJSON *facts;

	assert_int_equal(baseline_open(&device, problem, NULL, BASELINE_BEST, &baseline, &facts, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_LIBRARY);
	assert_non_null(strstr(err.what, what));
	assert_null(baseline);
	assert_null(facts);
	assert_int_equal(allocations, 0);
}

static void fastest_algorithm_is_kept_and_told(void **state)
{
	(void)state;
	struct baseline *baseline;
	struct error err = {0};
	struct bytes text = {0};
	cJSON *facts;

	make_fake("good", "-w -DCREATE=0 -DFOUND=4 -DFAILING=0");
	assert_int_equal(baseline_open(&device, &gemm, NULL, BASELINE_BEST, &baseline, &facts, &err), OK);
	assert_int_equal(jcs_write(facts, &text, &err), OK);
	assert_string_equal(
		text.data,
		"{\"algorithm\":{\"cluster_shape_id\":28,\"cta_swizzling\":24,\"custom_option\":\"unknown\",\"id\":20,\"inner_shape_id\":27,"
		"\"reduction_scheme\":23,\"split_k\":22,\"stages_id\":26,\"tile_id\":21,\"waves\":1.5,\"workspace_bytes\":1000},\"chosen\":1,"
		"\"chosen_by\":\"the least median of 15 calls each, after 1 to warm up, each round beginning with the next way, a rest before each call, cold L2, on scratch tensors\","
		"\"compute\":\"bfloat16 in and out, accumulated in fp32 (CUBLAS_COMPUTE_32F), split-K sums in fp32\","
		"\"found\":\"PTXSEAL_CUDA_LIBS\",\"library\":\"cublasLt\","
		"\"tried\":[{\"cluster_shape_id\":18,\"cta_swizzling\":14,\"custom_option\":\"unknown\",\"id\":10,\"inner_shape_id\":17,"
		"\"nanoseconds\":[5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000,5000000],\"reduction_scheme\":13,\"split_k\":12,\"stages_id\":16,\"tile_id\":11,"
		"\"waves\":1.5,\"workspace_bytes\":0},"
		"{\"cluster_shape_id\":28,\"cta_swizzling\":24,\"custom_option\":\"unknown\",\"id\":20,\"inner_shape_id\":27,"
		"\"nanoseconds\":[11000000,2000000,2000000,2000000,2000000,2000000,11000000,2000000,2000000,2000000,2000000,2000000,11000000,2000000,2000000],\"reduction_scheme\":23,\"split_k\":22,\"stages_id\":26,\"tile_id\":21,"
		"\"waves\":1.5,\"workspace_bytes\":1000},"
		"{\"cluster_shape_id\":38,\"cta_swizzling\":34,\"custom_option\":\"unknown\",\"id\":30,\"inner_shape_id\":37,"
		"\"nanoseconds\":[3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000,3000000],\"reduction_scheme\":33,\"split_k\":32,\"stages_id\":36,\"tile_id\":31,"
		"\"waves\":1.5,\"workspace_bytes\":2000},"
		"{\"cluster_shape_id\":48,\"cta_swizzling\":44,\"custom_option\":\"unknown\",\"id\":40,\"inner_shape_id\":47,\"nanoseconds\":[],"
		"\"reduction_scheme\":43,\"split_k\":42,\"stages_id\":46,\"tile_id\":41,\"waves\":1.5,\"workspace_bytes\":3000}],"
		"\"version\":130999,\"workspace_limit_bytes\":67108864}");
	bytes_free(&text);
	cJSON_Delete(facts);
	assert_int_equal(allocations, 1); /* the workspace */

	uint16_t a[M * K] = {0}, b[N * K] = {0}, c[M * N];
	const CUdeviceptr tensors[] = {(CUdeviceptr)(uintptr_t)a, (CUdeviceptr)(uintptr_t)b, (CUdeviceptr)(uintptr_t)c};
	double before = *fake_clock;

	assert_int_equal(baseline_run(baseline, tensors, &err), OK);
	assert_true(*fake_clock - before == 2); /* what the second algorithm takes */
	forgets(baseline, 64 << 20);
	baseline_close(baseline);
	assert_int_equal(allocations, 0);
}

static void product_is_that_of_rows(void **state)
{
	(void)state;
	uint16_t a[M * K], b[N * K], c[M * N];
	const CUdeviceptr tensors[] = {(CUdeviceptr)(uintptr_t)a, (CUdeviceptr)(uintptr_t)b, (CUdeviceptr)(uintptr_t)c};
	struct baseline *baseline;
	struct error err = {0};
	cJSON *facts;

	/* Small integers: every sum is exact in fp32 and in bf16. */
	for (int i = 0; i < M * K; i++)
		a[i] = bf16_from_float((float)(i % 5 - 2));
	for (int i = 0; i < N * K; i++)
		b[i] = bf16_from_float((float)(i % 7 - 3));
	memset(c, 0xFF, sizeof c);
	make_fake("product", "-w -DCREATE=0 -DFOUND=1 -DFAILING=0");
	assert_int_equal(baseline_open(&device, &gemm, NULL, BASELINE_BEST, &baseline, &facts, &err), OK);
	assert_int_equal(baseline_run(baseline, tensors, &err), OK);
	for (int m = 0; m < M; m++)
		for (int n = 0; n < N; n++) {
			int sum = 0;

			for (int k = 0; k < K; k++)
				sum += ((m * K + k) % 5 - 2) * ((n * K + k) % 7 - 3);
			assert_int_equal((int)bf16_to_float(c[m * N + n]), sum);
		}
	cJSON_Delete(facts);
	baseline_close(baseline);
}

static void algorithm_that_fails_is_passed_over(void **state)
{
	(void)state;
	struct baseline *baseline;
	struct error err = {0};
	cJSON *facts;

	make_fake("failing", "-w -DCREATE=0 -DFOUND=3 -DFAILING=2");
	assert_int_equal(baseline_open(&device, &gemm, NULL, BASELINE_BEST, &baseline, &facts, &err), OK);
	assert_int_equal(cJSON_GetObjectItem(facts, "chosen")->valueint, 2);
	cJSON_Delete(facts);
	baseline_close(baseline);
	make_fake("all", "-w -DCREATE=0 -DFOUND=1 -DFAILING=1");
	refused(&gemm, "none of its 1 algorithms for this product runs");
}

static void library_without_an_answer_is_refused(void **state)
{
	(void)state;
	make_fake("nothing", "-w -DCREATE=0 -DFOUND=0 -DFAILING=0");
	refused(&gemm, "it has no algorithm for this product");
	make_fake("broken", "-w -DCREATE=1 -DFOUND=1 -DFAILING=0");
	refused(&gemm, "starting cuBLASLt: NOT_INITIALIZED");
	make_fake("old", "-w -DOLD -DCREATE=0 -DFOUND=1 -DFAILING=0");
	refused(&gemm, "it has no cublasLtGetStatusName");
}

#if __has_include(<cudnn.h>)

#include <cudnn.h>

/*
 * A cuDNN that takes any graph. Its heuristic names in mode A engines 1 (whose plan is refused), 2, 3, in mode B 3 again and 4 (which asks for too much), in
 * fallback 5. Times as engine_cost says; one that takes 0 does not start.
 */
static const char dnn_source[] =
	"#include <stdint.h>\n"
	"#include <stdlib.h>\n"
	"#include <string.h>\n"
	"double fake_clock;\n"
	"int live;\n"
	"struct thing { int type, engine, mode; struct thing *of; };\n"
	"static const double engine_cost[] = COSTS;\n"
	"int cudnnCreate(void **h) { *h = malloc(1); return 0; }\n"
	"int cudnnDestroy(void *h) { free(h); return 0; }\n"
	"int cudnnSetStream(void *h, void *s) { return 0; }\n"
	"size_t cudnnGetVersion(void) { return 91900; }\n"
	"size_t cudnnGetCudartVersion(void) { return 13010; }\n"
	"const char *cudnnGetErrorString(int s) { return \"REFUSED\"; }\n"
	"void cudnnGetLastErrorString(char *text, size_t room) { strcpy(text, \"no\"); }\n"
	"int cudnnBackendCreateDescriptor(int t, void **d) {\n"
	"	struct thing *made = calloc(1, sizeof *made); made->type = t; *d = made; live++; return 0; }\n"
	"int cudnnBackendDestroyDescriptor(void *d) { free(d); live--; return 0; }\n"
	"int cudnnBackendSetAttribute(void *d, int a, int t, int64_t n, const void *v) {\n"
	"	struct thing *x = d;\n"
	"	if (a == CUDNN_ATTR_ENGINEHEUR_MODE) memcpy(&x->mode, v, 4);\n"
	"	if (a == CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG) x->engine = (*(struct thing **)v)->engine;\n"
	"	return 0; }\n"
	"int cudnnBackendGetAttribute(void *d, int a, int t, int64_t n, int64_t *count, void *v) {\n"
	"	struct thing *x = d, **list = v;\n"
	"	*count = 0;\n"
	"	if (a == CUDNN_ATTR_ENGINEHEUR_RESULTS) {\n"
	"		int first = x->mode == CUDNN_HEUR_MODE_A ? 1 : x->mode == CUDNN_HEUR_MODE_B ? 3 : 5;\n"
	"		int last = x->mode == CUDNN_HEUR_MODE_A ? 3 : x->mode == CUDNN_HEUR_MODE_B ? 4 : 5;\n"
	"		for (int e = first; e <= last; e++) list[(*count)++]->engine = e;\n"
	"	} else if (a == CUDNN_ATTR_ENGINECFG_ENGINE) { list[0]->engine = x->engine; *count = 1; }\n"
	"	else if (a == CUDNN_ATTR_ENGINE_GLOBAL_INDEX) { *(int64_t *)v = x->engine; *count = 1; }\n"
	"	else if (a == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) { *(int64_t *)v = x->engine == 4 ? (int64_t)2 << 30 : 100 * x->engine; *count = 1; }\n"
	"	return 0; }\n"
	"int cudnnBackendFinalize(void *d) {\n"
	"	struct thing *x = d; return x->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR && x->engine == 1 ? CUDNN_STATUS_NOT_SUPPORTED : 0; }\n"
	"int cudnnBackendExecute(void *h, void *p, void *pack) {\n"
	"	double cost = engine_cost[((struct thing *)p)->engine]; fake_clock += cost; return cost == 0 ? CUDNN_STATUS_EXECUTION_FAILED : 0; }\n";

static struct problem attention(void)
{
	struct problem problem = {.task = "attention", .family = FAMILY_ATTENTION_BACKWARD, .tensor_count = 9};

	for (size_t i = 0; i < 9; i++)
		problem.tensors[i] = (struct tensor){.dtype = i == 5 ? DTYPE_F32 : DTYPE_BF16, .output = i > 5, .rank = i == 5 ? 3 : 4,
		                                     .dims = {1, 2, 16, 8}, .count = i == 5 ? 32 : 256, .bytes = i == 5 ? 128 : 512};
	return problem;
}

#define DNN_CONSTANTS(F)                                                                                                      \
	F(CUDNN_ATTR_ENGINEHEUR_MODE) F(CUDNN_ATTR_ENGINEHEUR_RESULTS) F(CUDNN_HEUR_MODE_A) F(CUDNN_HEUR_MODE_B)                  \
	F(CUDNN_ATTR_ENGINECFG_ENGINE) F(CUDNN_ATTR_ENGINE_GLOBAL_INDEX) F(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)               \
	F(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE) F(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR) F(CUDNN_STATUS_NOT_SUPPORTED)      \
	F(CUDNN_STATUS_EXECUTION_FAILED)

static int *live;

/* The header's values go in as options: the fake is compiled without the toolkit's folders. */
static void make_fake_dnn(const char *variant, const char *costs)
{
	struct bytes options = {0};

	bytes_format(&options, "-w '-DCOSTS={%s}'", costs);
#define DEFINE(name) bytes_format(&options, " -D" #name "=%d", (int)name);
	DNN_CONSTANTS(DEFINE)
#undef DEFINE
	char *directory = mem_format("%s/%s", scratch, variant);
	char *path = mem_format("%s/" LIBRARY_CUDNN, directory);

	assert_true(fake_library(directory, LIBRARY_CUDNN, dnn_source, options.data));
	setenv("PTXSEAL_CUDA_LIBS", directory, 1);
	void *handle = dlopen(path, RTLD_NOW);

	assert_non_null(handle);
	fake_clock = dlsym(handle, "fake_clock");
	live = dlsym(handle, "live");
	free(path);
	free(directory);
	bytes_free(&options);
}

static cJSON *opened(enum baseline_effort effort, double expected)
{
	const struct problem problem = attention();
	struct baseline *baseline;
	struct error err = {0};
	CUdeviceptr tensors[9] = {0};
	cJSON *facts;

	assert_int_equal(baseline_open(&device, &problem, NULL, effort, &baseline, &facts, &err), OK);
	const double before = *fake_clock;

	assert_int_equal(baseline_run(baseline, tensors, &err), OK);
	assert_true(*fake_clock - before == expected);
	/* The greatest workspace of the plans that were tried, a row's sum for each of 32 rows, dQ in fp32. */
	forgets(baseline, (effort == BASELINE_FIRST ? 200 : 500) + 32 * 4 + 256 * 4);
	baseline_close(baseline);
	assert_int_equal(allocations, 0);
	assert_int_equal(*live, 0);
	return facts;
}

static void expect_tried(const cJSON *facts, int place, int engine, const char *mode, const char *key)
{
	const cJSON *one = cJSON_GetArrayItem(cJSON_GetObjectItem(facts, "tried"), place);

	assert_int_equal(cJSON_GetObjectItem(one, "engine")->valueint, engine);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(one, "heuristic_mode")), mode);
	assert_non_null(cJSON_GetObjectItem(one, key));
}

static void fastest_plan_is_kept_and_all_are_told(void **state)
{
	(void)state;
	make_fake_dnn("dnn", "0, 1, 7, 5, 1, 6");
	cJSON *facts = opened(BASELINE_BEST, 5);

	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(facts, "tried")), 5);
	assert_int_equal(cJSON_GetObjectItem(facts, "chosen")->valueint, 2);
	expect_tried(facts, 0, 1, "A", "refused");
	expect_tried(facts, 1, 2, "A", "nanoseconds");
	expect_tried(facts, 2, 3, "A", "workspace_bytes");
	expect_tried(facts, 3, 4, "B", "refused");
	expect_tried(facts, 4, 5, "fallback", "nanoseconds");
	cJSON_Delete(facts);

	facts = opened(BASELINE_FIRST, 7);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(facts, "tried")), 2);
	assert_int_equal(cJSON_GetObjectItem(facts, "chosen")->valueint, 1);
	cJSON_Delete(facts);
}

static void plans_of_the_same_speed_give_way_to_the_first(void **state)
{
	(void)state;
	make_fake_dnn("dnn-near", "0, 1, 1005, 1000, 1, 0");
	cJSON_Delete(opened(BASELINE_ALL, 1000));
	make_fake_dnn("dnn-same", "0, 1, 1000, 1000, 1, 0");
	cJSON *facts = opened(BASELINE_ALL, 1000);

	assert_int_equal(cJSON_GetObjectItem(facts, "chosen")->valueint, 1);
	cJSON_Delete(facts);
}

static void plans_that_do_not_start_are_passed_over(void **state)
{
	(void)state;
	const struct problem problem = attention();

	make_fake_dnn("dnn-failing", "0, 1, 0, 9, 1, 0");
	cJSON_Delete(opened(BASELINE_BEST, 9));
	make_fake_dnn("dnn-none", "0, 1, 0, 0, 1, 0");
	refused(&problem, "none of its 3 plans for this problem runs");
	assert_int_equal(*live, 0);
}

#endif

/* FP8: types, where each scale goes and of which mode it is. The scales' addresses are each call's own. */
static void scales_go_with_their_operands(void **state)
{
	(void)state;
	enum { GROUPS = 1 };
	struct problem problem = {
		.task = "fp8",
		.tensors = {{.name = "A", .dtype = DTYPE_E4M3, .rank = 2, .dims = {M, 128}, .count = M * 128, .bytes = M * 128},
	                    {.name = "B", .dtype = DTYPE_E4M3, .rank = 2, .dims = {128, 128}, .count = 128 * 128, .bytes = 128 * 128},
	                    {.name = "A_scale", .dtype = DTYPE_F32, .scale = true, .rank = 2, .dims = {GROUPS, M}, .count = M, .bytes = 4 * M},
	                    {.name = "B_scale", .dtype = DTYPE_F32, .scale = true, .rank = 2, .dims = {GROUPS, 128}, .count = 128, .bytes = 4 * 128},
	                    {.name = "C", .dtype = DTYPE_BF16, .output = true, .rank = 2, .dims = {M, 128}, .count = M * 128, .bytes = 2 * M * 128}},
		.tensor_count = 5,
	};
	static unsigned char a[M * 128], b[128 * 128];
	static float of_a[M] = {1, 2, 4}, of_b[128];
	static uint16_t c[M * 128];
	const CUdeviceptr tensors[] = {(CUdeviceptr)(uintptr_t)a, (CUdeviceptr)(uintptr_t)b, (CUdeviceptr)(uintptr_t)of_a, (CUdeviceptr)(uintptr_t)of_b,
	                               (CUdeviceptr)(uintptr_t)c};
	struct baseline *baseline;
	struct error err = {0};
	cJSON *facts;

	make_fake("fp8", "-w -DCREATE=0 -DFOUND=2 -DFAILING=0");
	for (int i = 0; i < 128; i++)
		of_b[i] = (float)(i + 1);
	for (int blocks = 0; blocks < 2; blocks++) {
		problem.family = blocks ? FAMILY_GEMM_1D2D : FAMILY_GEMM_1D1D;
		assert_int_equal(baseline_open(&device, &problem, NULL, BASELINE_BEST, &baseline, &facts, &err), OK);
		assert_true(cJSON_IsFalse(cJSON_GetObjectItem(facts, "fast_accumulation")));
		assert_string_equal(cJSON_GetObjectItem(facts, "compute")->valuestring,
		                    blocks ? "E4M3 in, bfloat16 out, CUBLAS_COMPUTE_32F, scales VEC128_32F of A and BLK128x128_32F of B, split-K sums in fp32"
		                           : "E4M3 in, bfloat16 out, CUBLAS_COMPUTE_32F, scales VEC128_32F of A and of B, split-K sums in fp32");
		assert_int_equal(baseline_run(baseline, tensors, &err), OK);
		/* The fake writes the product of the two scales of each element. */
		for (int m = 0; m < M; m++)
			for (int n = 0; n < 128; n++)
				assert_int_equal((int)bf16_to_float(c[m * 128 + n]), (1 << m) * (blocks ? 1 : n + 1));
		cJSON_Delete(facts);
		baseline_close(baseline);
	}
	assert_int_equal(allocations, 0);
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	remove_tree(scratch);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fastest_algorithm_is_kept_and_told),   cmocka_unit_test(product_is_that_of_rows),
		cmocka_unit_test(algorithm_that_fails_is_passed_over),  cmocka_unit_test(library_without_an_answer_is_refused),
		cmocka_unit_test(scales_go_with_their_operands),
#if __has_include(<cudnn.h>)
		cmocka_unit_test(fastest_plan_is_kept_and_all_are_told), cmocka_unit_test(plans_of_the_same_speed_give_way_to_the_first),
		cmocka_unit_test(plans_that_do_not_start_are_passed_over),
#endif
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}

#else

#include <stdio.h>

static void baselines_need_cuda(void **state)
{
	(void)state;
	puts("skipped: built without CUDA");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(baselines_need_cuda)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
