/* What each of the driver's errors means (R-GPU-002 to R-GPU-013), a driver that is not there, and shapes that have no reference. No GPU is needed;
 * without the CUDA toolkit there is nothing to test. */
#include "unit.h"

#ifndef PTXSEAL_CUDA

static void needs_the_toolkit(void **state)
{
	(void)state;
	print_message("skipped: built without the CUDA toolkit\n");
	skip();
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(needs_the_toolkit)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

#include <stdlib.h>
#include <string.h>

#include "measure/cuda.h"
#include "measure/support.h"

static CUresult error_name(CUresult result, const char **text)
{
	*text = result == CUDA_ERROR_UNKNOWN ? NULL : "CUDA_ERROR_NAME";
	return result == CUDA_ERROR_UNKNOWN ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult error_text(CUresult result, const char **text)
{
	(void)result;
	*text = "what it means";
	return CUDA_SUCCESS;
}

static const struct cuda cuda = {.cuGetErrorName = error_name, .cuGetErrorString = error_text};

static void errors_by_what_they_mean(void **state)
{
	(void)state;
	static const struct {
		CUresult result;
		enum rule rule;
		enum status status;
	} cases[] = {
		{CUDA_ERROR_STUB_LIBRARY, R_GPU_DRIVER, UNAVAILABLE},
		{CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, R_GPU_DRIVER, UNAVAILABLE},
		{CUDA_ERROR_NO_DEVICE, R_GPU_DEVICE, UNAVAILABLE},
		{CUDA_ERROR_DEVICE_UNAVAILABLE, R_GPU_DEVICE, UNAVAILABLE},
		{CUDA_ERROR_NO_BINARY_FOR_GPU, R_GPU_ARCH, UNAVAILABLE},
		{CUDA_ERROR_UNSUPPORTED_PTX_VERSION, R_GPU_PTX, UNAVAILABLE},
		{CUDA_ERROR_OUT_OF_MEMORY, R_GPU_MEMORY, UNAVAILABLE},
		{CUDA_ERROR_NOT_PERMITTED, R_GPU_PERMISSION, UNAVAILABLE},
		{CUDA_ERROR_INVALID_VALUE, R_GPU_CALL, UNAVAILABLE},
		{CUDA_ERROR_INVALID_PTX, R_GPU_MODULE, FAILS},
		{CUDA_ERROR_NOT_FOUND, R_GPU_MODULE, FAILS},
		{CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, R_GPU_LAUNCH, FAILS},
		{CUDA_ERROR_INVALID_CLUSTER_SIZE, R_GPU_LAUNCH, FAILS},
		{CUDA_ERROR_ILLEGAL_ADDRESS, R_GPU_KERNEL, FAILS},
		{CUDA_ERROR_LAUNCH_FAILED, R_GPU_KERNEL, FAILS},
		{CUDA_ERROR_MISALIGNED_ADDRESS, R_GPU_KERNEL, FAILS},
		{CUDA_ERROR_ECC_UNCORRECTABLE, R_GPU_SICK, UNHEALTHY},
		{CUDA_ERROR_UNKNOWN, R_GPU_SICK, UNHEALTHY},
	};
	struct error err = {0};

	assert_int_equal(cuda_check(&cuda, CUDA_SUCCESS, "trying", &err), OK);
	assert_int_equal(err.status, OK);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(cuda_check(&cuda, cases[i].result, "trying", &err), cases[i].status);
		assert_int_equal(err.rule, cases[i].rule);
	}
}

static void messages_say_what_was_tried(void **state)
{
	(void)state;
	struct error err = {0};

	cuda_check(&cuda, CUDA_ERROR_ILLEGAL_ADDRESS, "running k", &err);
	assert_string_equal(err.what, "running k: CUDA_ERROR_NAME (700, what it means)");
	cuda_check(&cuda, CUDA_ERROR_UNKNOWN, "running k", &err);
	assert_string_equal(err.what, "running k: an error the driver has no name for (999, what it means)");
}

/* PTXSEAL_LIBCUDA names another driver: none, and a library that is no driver. */
static void no_driver(void **state)
{
	(void)state;
	struct cuda opened;
	struct error err = {0};

	assert_int_equal(setenv("PTXSEAL_LIBCUDA", "/nonexistent/libcuda.so", 1), 0);
	assert_int_equal(cuda_open(&opened, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_DRIVER);
	assert_string_equal(err.file, "/nonexistent/libcuda.so");
	assert_int_equal(setenv("PTXSEAL_LIBCUDA", "libm.so.6", 1), 0);
	assert_int_equal(cuda_open(&opened, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_GPU_DRIVER);
	assert_string_equal(err.what, "the driver is too old: it has no cuInit");
	assert_int_equal(unsetenv("PTXSEAL_LIBCUDA"), 0);
}

/* Refused before anything is launched: there is no module behind the pointer. */
static void assert_no_reference(const struct problem *problem)
{
	static const CUdeviceptr none[PROBLEM_TENSORS_MAX];
	struct error err = {0};

	assert_int_equal(support_reference(NULL, NULL, problem, none, none, 0, &err), MALFORMED);
	assert_int_equal(err.rule, R_PRB_SHAPE);
}

static void shapes_without_a_reference(void **state)
{
	(void)state;
	const struct problem odd_depth = {.family = FAMILY_GEMM, .axes = {{"M", 8}, {"N", 8}, {"K", 12}}, .axis_count = 3};
	const struct problem odd_width = {.family = FAMILY_ATTENTION_FORWARD, .axes = {{"B", 1}, {"H", 1}, {"S", 8}, {"D", 80}}, .axis_count = 4};
	const struct problem wide = {.family = FAMILY_ATTENTION_BACKWARD, .axes = {{"B", 1}, {"H", 1}, {"S", 8}, {"D", 256}}, .axis_count = 4};
	const struct problem heads = {
		.family = FAMILY_ATTENTION_FORWARD, .axes = {{"B", 256}, {"H", 256}, {"S", 8}, {"D", 64}}, .axis_count = 4};

	assert_no_reference(&odd_depth);
	assert_no_reference(&odd_width);
	assert_no_reference(&wide);
	assert_no_reference(&heads);
}

static void scratch_is_a_float_a_row(void **state)
{
	(void)state;
	struct problem p = {.family = FAMILY_ATTENTION_BACKWARD, .axes = {{"B", 4}, {"H", 48}, {"S", 4096}, {"D", 128}}, .axis_count = 4};

	assert_int_equal(support_reference_scratch(&p), 4 * 48 * 4096 * 4);
	p.family = FAMILY_ATTENTION_FORWARD;
	assert_int_equal(support_reference_scratch(&p), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_by_what_they_mean),   cmocka_unit_test(messages_say_what_was_tried), cmocka_unit_test(no_driver),
		cmocka_unit_test(shapes_without_a_reference), cmocka_unit_test(scratch_is_a_float_a_row),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
