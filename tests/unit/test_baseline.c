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
	"struct desc { int transposed[2], compute, scale; };\n"
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
	"int cublasLtMatmulDescSetAttribute(struct desc *d, int a, const void *v, size_t n) { if (n != 4 || a < 3 || a > 4) return 7; memcpy(&d->transposed[a - 3], v, 4); return 0; }\n"
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

static CUresult set_bytes(CUdeviceptr to, unsigned char value, size_t bytes, CUstream stream)
{
	(void)to;
	(void)value;
	(void)bytes;
	(void)stream;
	return CUDA_SUCCESS;
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

	assert_int_equal(baseline_open(&device, problem, NULL, &baseline, &facts, &err), UNAVAILABLE);
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
	assert_int_equal(baseline_open(&device, &gemm, NULL, &baseline, &facts, &err), OK);
	cJSON_DeleteItemFromObjectCaseSensitive(facts, "files");
	assert_int_equal(jcs_write(facts, &text, &err), OK);
	assert_string_equal(
		text.data,
		"{\"algorithm\":{\"cluster_shape_id\":28,\"cta_swizzling\":24,\"custom_option\":\"unknown\",\"id\":20,\"inner_shape_id\":27,"
		"\"reduction_scheme\":23,\"split_k\":22,\"stages_id\":26,\"tile_id\":21,\"waves\":1.5,\"workspace_bytes\":1000},\"chosen\":1,"
		"\"chosen_by\":\"least median of 5 calls each, after 1 to warm up, cold L2, on scratch tensors\","
		"\"compute\":\"bfloat16 in and out, accumulated in fp32 (CUBLAS_COMPUTE_32F), split-K sums in fp32\","
		"\"found\":\"PTXSEAL_CUDA_LIBS\",\"library\":\"cublasLt\","
		"\"tried\":[{\"cluster_shape_id\":18,\"cta_swizzling\":14,\"custom_option\":\"unknown\",\"id\":10,\"inner_shape_id\":17,"
		"\"nanoseconds\":[5000000,5000000,5000000,5000000,5000000],\"reduction_scheme\":13,\"split_k\":12,\"stages_id\":16,\"tile_id\":11,"
		"\"waves\":1.5,\"workspace_bytes\":0},"
		"{\"cluster_shape_id\":28,\"cta_swizzling\":24,\"custom_option\":\"unknown\",\"id\":20,\"inner_shape_id\":27,"
		"\"nanoseconds\":[11000000,2000000,2000000,2000000,2000000],\"reduction_scheme\":23,\"split_k\":22,\"stages_id\":26,\"tile_id\":21,"
		"\"waves\":1.5,\"workspace_bytes\":1000},"
		"{\"cluster_shape_id\":38,\"cta_swizzling\":34,\"custom_option\":\"unknown\",\"id\":30,\"inner_shape_id\":37,"
		"\"nanoseconds\":[3000000,3000000,3000000,3000000,3000000],\"reduction_scheme\":33,\"split_k\":32,\"stages_id\":36,\"tile_id\":31,"
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
	assert_int_equal(baseline_open(&device, &gemm, NULL, &baseline, &facts, &err), OK);
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
	assert_int_equal(baseline_open(&device, &gemm, NULL, &baseline, &facts, &err), OK);
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

static void other_formats_have_no_baseline(void **state)
{
	(void)state;
	struct problem problem = gemm;

	problem.tensors[0].dtype = DTYPE_E4M3;
	refused(&problem, "there is no baseline for float8_e4m3fn");
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
		cmocka_unit_test(other_formats_have_no_baseline),
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
