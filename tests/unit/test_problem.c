/* Every task's workloads as tensors; what is refused (R-PRB-001 to R-PRB-004). Run by tests/unit/run, which sets REPO. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "measure/problem.h"

static struct root bundle;
static char scratch[] = "/tmp/ptxseal-test-problem-XXXXXX";

static int set_up(void **state)
{
	(void)state;
	struct error err;
	const char *repo = getenv("REPO");

	return repo != NULL && mkdtemp(scratch) != NULL && root_open(repo, &bundle, &err) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = mem_format("rm -rf '%s'", scratch);
	int rc = system(command);

	free(command);
	root_close(&bundle);
	return rc;
}

static struct problem read_one(const char *task, const char *workload)
{
	struct problem problem;
	struct error err = {0};

	if (problem_read(&bundle, task, workload, &problem, &err) != OK)
		fail_msg("%s: %s", task, err.what);
	return problem;
}

static void published_gemm(void **state)
{
	(void)state;
	const struct problem p = read_one("gemm_n7168_k5120", NULL);

	assert_string_equal(p.task, "gemm_n7168_k5120");
	assert_string_equal(p.workload, "94920358-01a8-4c5b-9209-3103fd490e94");
	assert_int_equal(p.family, FAMILY_GEMM);
	assert_false(p.causal);
	assert_int_equal(problem_axis(&p, "M"), 8192);
	assert_int_equal(problem_axis(&p, "N"), 7168);
	assert_int_equal(problem_axis(&p, "K"), 5120);
	assert_int_equal(problem_axis(&p, "S"), 0);
	assert_int_equal(p.tensor_count, 3);
	assert_string_equal(p.tensors[1].name, "B");
	assert_int_equal(p.tensors[1].dims[0], 7168);
	assert_int_equal(p.tensors[1].dims[1], 5120);
	assert_int_equal(p.tensors[1].bytes, 73400320);
	assert_true(p.tensors[2].output && !p.tensors[1].output);
	assert_true(p.flops == 601295421440.0); /* facts.json's flops and min_bytes */
	assert_true(p.bytes == 274726912.0);
}

static void published_backward(void **state)
{
	(void)state;
	const struct problem p = read_one("mha_bwd_d96_causal", NULL);
	static const char *const names[] = {"Q", "K", "V", "O", "dO", "L", "dQ", "dK", "dV"};

	assert_int_equal(p.family, FAMILY_ATTENTION_BACKWARD);
	assert_true(p.causal);
	assert_int_equal(problem_axis(&p, "D"), 96);
	assert_int_equal(p.tensor_count, 9);
	for (size_t i = 0; i < 9; i++) {
		assert_string_equal(p.tensors[i].name, names[i]);
		assert_int_equal(p.tensors[i].output, i >= 6);
		assert_int_equal(p.tensors[i].computed, i == 3 || i == 5);
		assert_int_equal(p.tensors[i].dtype, i == 5 ? DTYPE_F32 : DTYPE_BF16);
	}
	assert_int_equal(problem_tensor(&p, "L")->count, 4 * 48 * 4096);
	assert_null(problem_tensor(&p, "LSE"));
	assert_true(p.flops == 1546188226560.0);
	assert_true(p.bytes == 1211105280.0);
}

static void workloads_by_name(void **state)
{
	(void)state;
	const struct problem small = read_one("mha_with_lse_d128_causal", "small");
	const struct problem same = read_one("mha_with_lse_d128_causal", small.workload);
	const struct problem gemm = read_one("gemm_n7168_k5120", "small");

	assert_int_equal(problem_axis(&small, "S"), 512);
	assert_string_equal(small.workload, "b05b78bf-42a4-5692-aabb-3609a56c4a10");
	assert_string_equal(same.workload, small.workload);
	assert_int_equal(problem_axis(&same, "S"), 512);
	assert_int_equal(problem_axis(&gemm, "M"), 256);
}

/* Each GEMM and MHA task has both workloads; what its name says is what it is. */
static void every_task(void **state)
{
	(void)state;
	struct file_list list = {0};
	struct error err = {0};
	int read = 0, refused = 0;

	assert_int_equal(root_list(&bundle, "tasks", &list, &err), OK);
	for (size_t i = 0; i < list.count; i++) {
		const char *task = list.at[i].path + strlen("tasks/");
		struct problem p;
		unsigned width;

		if (list.at[i].kind != FILE_DIRECTORY || strcmp(task, "prompts") == 0 || strncmp(task, "prompts/", 8) == 0)
			continue; /* tasks/prompts/ holds what models are asked */
		if (strncmp(task, "gqa", 3) == 0) {
			assert_int_equal(problem_read(&bundle, task, NULL, &p, &err), UNAVAILABLE);
			assert_int_equal(err.rule, R_PRB_FAMILY);
			refused++;
			continue;
		}
		for (int small = 0; small < 2; small++) {
			p = read_one(task, small ? "small" : NULL);
			assert_int_equal(p.causal, strstr(task, "_causal") != NULL);
			if (sscanf(task, "mha_bwd_d%u", &width) == 1 || sscanf(task, "mha_with_lse_d%u", &width) == 1)
				assert_int_equal(problem_axis(&p, "D"), width);
			else
				assert_int_equal(p.family, strncmp(task, "gemm_fp8_1d1d", 13) == 0   ? FAMILY_GEMM_1D1D
				                           : strncmp(task, "gemm_fp8_1d2d", 13) == 0 ? FAMILY_GEMM_1D2D
				                                                                     : FAMILY_GEMM);
			read++;
		}
	}
	assert_int_equal(refused, 3);
	assert_true(read >= 26);
	file_list_free(&list);
}

static void assert_refused(const struct root *root, const char *task, const char *workload, enum rule rule)
{
	struct problem p;
	struct error err = {0};
	const enum status status = problem_read(root, task, workload, &p, &err);

	assert_int_equal(err.rule, rule);
	assert_int_equal(status, rule_info(rule)->status);
}

static void unknown_names(void **state)
{
	(void)state;
	assert_refused(&bundle, "gemm_n1_k1", NULL, R_PRB_TASK);
	assert_refused(&bundle, "../tasks/gemm_n7168_k5120", NULL, R_PRB_TASK);
	assert_refused(&bundle, "", NULL, R_PRB_TASK);
	assert_refused(&bundle, "gemm_n7168_k5120", "large", R_PRB_WORKLOAD);
	assert_refused(&bundle, "gemm_n7168_k5120", "bc38b351-d595-451b-9153-8e225702e53b", R_PRB_WORKLOAD); /* another task's */
}

static const char *copied_task = "gemm_n7168_k5120";

/* A copy of that task with one text replaced in each of its files. */
static void assert_copy_refused(const char *from, const char *to, enum rule rule)
{
	char *command = mem_format("cd '%s' && mkdir -p tasks && rm -rf tasks/t && cp -r '%s/tasks/%s' tasks/t && "
	                           "cat tasks/t/* >before && sed -i 's/%s/%s/' tasks/t/* && ! cat tasks/t/* | cmp -s before -",
	                           scratch, bundle.name, copied_task, from, to);
	struct root root;
	struct error err;

	assert_int_equal(system(command), 0);
	assert_int_equal(root_open(scratch, &root, &err), OK);
	assert_refused(&root, "t", NULL, rule);
	root_close(&root);
	free(command);
}

static void faulty_definitions(void **state)
{
	(void)state;
	assert_copy_refused("\"N\": {", "\"J\": {", R_PRB_SHAPE);
	assert_copy_refused("\"value\": 7168", "\"value\": 0", R_JSON_FIELD);
	assert_copy_refused("\"M\":8192", "\"M\":8192,\"N\":7167", R_PRB_SHAPE);
	assert_copy_refused("\"M\":8192", "\"m\":8192", R_JSON_FIELD);
	assert_copy_refused("\"M\":8192", "\"M\":16777217", R_JSON_FIELD);
	assert_copy_refused("\"B\": {", "\"X\": {", R_PRB_SHAPE);
	assert_copy_refused("\"C\": {", "\"D\": {", R_PRB_SHAPE);
	assert_copy_refused("\"dtype\": \"bfloat16\"", "\"dtype\": \"float16\"", R_PRB_SHAPE);
	assert_copy_refused("\"op_family\": \"gemm\"", "\"op_family\": \"gqa_decode\"", R_PRB_FAMILY);
	assert_copy_refused("\"causal\": false", "\"causal\": 0", R_JSON_FIELD);
	assert_copy_refused("\"name\":", "\"name\" ", R_JSON_SYNTAX);
}

/* The same of an FP8 task: scales have their type and shape, a group is 128. */
static void scales_of_fp8(void **state)
{
	(void)state;
	const struct problem p = read_one("gemm_fp8_1d2d_n4096_k7168", NULL);

	assert_int_equal(p.tensor_count, 5);
	assert_string_equal(p.tensors[3].name, "B_scale");
	assert_true(p.tensors[2].scale && p.tensors[3].scale && !p.tensors[0].scale && !p.tensors[4].scale);
	assert_int_equal(p.tensors[0].bytes, 4096 * 7168);
	assert_int_equal(p.tensors[2].bytes, 4 * 56 * 4096);
	assert_int_equal(p.tensors[3].bytes, 4 * 32 * 56);
	assert_true(p.flops == 2.0 * 4096 * 4096 * 7168);
	copied_task = "gemm_fp8_1d2d_n4096_k7168";
	assert_copy_refused("\"value\": 56", "\"value\": 57", R_PRB_SHAPE);
	assert_copy_refused("\"value\": 32", "\"value\": 31", R_PRB_SHAPE);
	assert_copy_refused("\"dtype\": \"float32\"", "\"dtype\": \"bfloat16\"", R_PRB_SHAPE);
	assert_copy_refused("\"dtype\": \"float8_e4m3fn\"", "\"dtype\": \"bfloat16\"", R_PRB_SHAPE);
	copied_task = "gemm_n7168_k5120";
}

static void types_have_sizes_and_names(void **state)
{
	(void)state;
	assert_int_equal(dtype_bytes(DTYPE_BF16), 2);
	assert_int_equal(dtype_bytes(DTYPE_F32), 4);
	assert_int_equal(dtype_bytes(DTYPE_E4M3), 1);
	assert_string_equal(dtype_name(DTYPE_BF16), "bfloat16");
	assert_string_equal(dtype_name(DTYPE_E4M3), "float8_e4m3fn");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_gemm),     cmocka_unit_test(published_backward),
		cmocka_unit_test(workloads_by_name),  cmocka_unit_test(every_task),
		cmocka_unit_test(unknown_names),      cmocka_unit_test(faulty_definitions),
		cmocka_unit_test(scales_of_fp8), cmocka_unit_test(types_have_sizes_and_names),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
