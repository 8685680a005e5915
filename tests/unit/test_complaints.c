/* What of a compiler's messages a model is told: every error, to a number, without this machine's directories and whatever bytes the kernel put there. */
#include "unit.h"

#include "kernel/complaints.h"

static void assert_complaints(const char *output, const char *expected)
{
	struct bytes out = {0};

	complaints_add(output, &out);
	assert_string_equal(out.data != NULL ? out.data : "", expected);
	bytes_free(&out);
}

static void errors_are_kept_and_sums_are_not(void **state)
{
	(void)state;
	assert_complaints("", "");
	assert_complaints("ptxas info    : 0 bytes gmem\n", "");
	assert_complaints("ptxas kernel.ptx, line 7; error   : Unknown symbol 'x'\nptxas info : more\nptxas kernel.ptx, line 9; fatal   : Parsing error near 'no': syntax error\n"
	                  "ptxas fatal   : Ptx assembly aborted due to errors\n",
	                  "ptxas kernel.ptx, line 7; error   : Unknown symbol 'x'\nptxas kernel.ptx, line 9; fatal   : Parsing error near 'no': syntax error");
	assert_complaints("kernel.cu(3): error: identifier \"a\" is undefined\n    a = 1;\n    ^\n\n1 error detected in the compilation of \"kernel.cu\".\n", "kernel.cu(3): error: identifier \"a\" is undefined");
	assert_complaints("/usr/bin/ld: /tmp/ptxseal-AbC/kernel.o: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n", "ld: kernel.o: undefined reference to `f'");
}

static void directories_are_taken_out(void **state)
{
	(void)state;
	assert_complaints("In file /home/me/.x/cuda-13/include/a.h(7): error: b/c and 1/2 /", "In file a.h(7): error: b/c and 1/2 /");
}

static void much_is_cut(void **state)
{
	struct bytes output = {0}, expected = {0};

	(void)state;
	for (int i = 0; i < 20; i++)
		bytes_format(&output, "%d error: x\n", i);
	for (int i = 0; i < 12; i++)
		bytes_format(&expected, "%s%d error: x", i > 0 ? "\n" : "", i);
	bytes_text(&expected, "\nand 8 more");
	assert_complaints(output.data, expected.data);
	output.len = expected.len = 0;
	bytes_text(&output, "error: ");
	bytes_text(&expected, "error: ");
	for (int i = 0; i < 400; i++)
		bytes_char(&output, 'y');
	for (int i = 0; i < 293; i++)
		bytes_char(&expected, 'y');
	bytes_text(&expected, "...");
	assert_complaints(output.data, expected.data);
	bytes_free(&output);
	bytes_free(&expected);
}

static void other_bytes_are_shown(void **state)
{
	(void)state;
	assert_complaints("error: '\xff\x1b[2J\xc3\xa9'", "error: '\\xff\\x1b[2J\\xc3\\xa9'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_are_kept_and_sums_are_not),
		cmocka_unit_test(directories_are_taken_out),
		cmocka_unit_test(much_is_cut),
		cmocka_unit_test(other_bytes_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
