/* R-MEM-001: what is read in a report of compute-sanitizer (the texts are ours, in its form), and which of several is found. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_library.h"
#include "measure/sanitizer.h"

static struct sanitizer_report read_text(const char *text)
{
	struct sanitizer_report report;

	sanitizer_read(text, strlen(text), &report);
	return report;
}

static void a_clean_report(void **state)
{
	(void)state;
	const struct sanitizer_report report = read_text("========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n");

	assert_true(report.whole);
	assert_int_equal(report.errors, 0);
	assert_string_equal(report.first, "");
	assert_string_equal(report.function, "");
}

static void the_first_error_is_told(void **state)
{
	(void)state;
	const struct sanitizer_report report = read_text("noise of the program\n"
	                                                 "========= COMPUTE-SANITIZER\r\n"
	                                                 "========= Invalid __shared__ write of size 16 bytes\r\n"
	                                                 "=========     by thread (0,0,0)\r\n"
	                                                 "=========     at step_2(float *, int)+0x70 in x.cu:3\r\n"
	                                                 "=========         Device Frame: other+0x10\r\n"
	                                                 "=========\r\n"
	                                                 "========= Invalid __global__ read of size 1 bytes\r\n"
	                                                 "=========     at third+0x1\r\n"
	                                                 "========= ERROR SUMMARY: 1 error\r\n");

	assert_true(report.whole);
	assert_int_equal(report.errors, 1);
	assert_string_equal(report.first, "Invalid __shared__ write of size 16 bytes");
	assert_string_equal(report.function, "step_2");
}

static void older_versions_name_the_function_last(void **state)
{
	(void)state;
	assert_string_equal(read_text("========= Invalid read\n=========     at 0x1f0 in gemm\n").function, "gemm");
	assert_string_equal(read_text("========= Invalid read\n=========     at 0x1f0\n").function, "");
}

/* No text is too strange; a summary that does not count is none. */
static void strange_reports(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"", "=", "=========", "========= ", "=========\n", "========= ERROR SUMMARY: errors\n", "========= ERROR SUMMARY: -1 errors\n",
		"========= ERROR SUMMARY: 99999999999999999999 errors\n", "========= ERROR SUMMARY: 3\n", "ERROR SUMMARY: 3 errors\n",
		"=========   ERROR SUMMARY: 3 errors\n", "========= ERROR SUMMARY: 3 mistakes\n",
	};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_false(read_text(texts[i]).whole);
	struct sanitizer_report report = read_text("========= \x1b[31mred\xff\n=========     at \x01\n========= ERROR SUMMARY: 12 errors");

	assert_true(report.whole);
	assert_int_equal(report.errors, 12);
	assert_string_equal(report.first, "?[31mred?");
	assert_string_equal(report.function, "");
	char *lengthy = mem_array(NULL, 5000, 1);

	memset(lengthy, 'x', 4999);
	memcpy(lengthy, "========= ", 10);
	lengthy[4999] = '\0';
	report = read_text(lengthy);
	assert_int_equal(strlen(report.first), SANITIZER_TEXT_MAX - 1);
	free(lengthy);
	sanitizer_read("========= a\0b\n========= ERROR SUMMARY: 2 errors\n", 46, &report);
	assert_int_equal(report.errors, 2);
	assert_string_equal(report.first, "a");
}

static char scratch[] = "/tmp/ptxseal-test-sanitizer-XXXXXX";

static void put(const char *directory, const char *version)
{
	char *command = mem_format("mkdir -p '%s/%s' && printf '#!/bin/sh\\necho Version %s\\n' >'%s/%s/compute-sanitizer' && chmod +x '%s/%s/compute-sanitizer'", scratch,
	                           directory, version, scratch, directory, scratch, directory);

	assert_int_equal(system(command), 0);
	free(command);
}

static void assert_found(const char *version, const char *place)
{
	struct sanitizer sanitizer;
	struct error err = {0};

	if (sanitizer_find(&sanitizer, &err) != OK)
		fail_msg("%s", err.what);
	assert_string_equal(sanitizer.version, version);
	assert_string_equal(sanitizer.place, place);
	sanitizer_free(&sanitizer);
	assert_null(sanitizer.path);
}

static void set_path(const char *name, const char *below)
{
	char *path = mem_format("%s/%s", scratch, below);

	setenv(name, path, 1);
	free(path);
}

static void the_nearest_is_found(void **state)
{
	(void)state;
	unsetenv("CUDA_HOME");
	unsetenv("CUDA_PATH");
	put("venv/lib/python3.11/site-packages/nvidia/cu13/bin", "3");
	put("path", "2");
	put("home/bin", "1");
	set_path("VIRTUAL_ENV", "venv");
	set_path("PATH", "path");
	assert_found("2", "PATH");
	set_path("CUDA_HOME", "home");
	assert_found("1", "CUDA_HOME");
	unsetenv("CUDA_HOME");
	set_path("PATH", "nothing");
	if (access("/usr/local/cuda/bin/compute-sanitizer", X_OK) != 0)
		assert_found("3", "site-packages");
	unsetenv("VIRTUAL_ENV");
}

static int set_up(void **state)
{
	(void)state;
	return mkdtemp(scratch) != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	setenv("PATH", "/usr/bin:/bin", 1);
	remove_tree(scratch);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_clean_report),  cmocka_unit_test(the_first_error_is_told), cmocka_unit_test(older_versions_name_the_function_last),
		cmocka_unit_test(strange_reports), cmocka_unit_test(the_nearest_is_found),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
