/* Programs run with a deadline; ptxas where it is installed (run from the checkout's root), stand-ins where its faults matter. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/bytes.h"
#include "base/file.h"
#include "kernel/process.h"
#include "kernel/toolchain.h"

static void output_and_exit_code(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/sh", "-c", "pwd; echo \"$LC_ALL $HOME\" >&2; cat; exit 7", NULL};
	struct process process = {.argv = argv, .directory = "/usr", .deadline_s = 20};
	struct error err;

	assert_int_equal(process_run(&process, &err), OK);
	assert_string_equal(process.output.data, "/usr\nC \n");
	assert_int_equal(process.exit_code, 7);
	assert_int_equal(process.signal, 0);
	assert_false(process.late);
	bytes_free(&process.output);
}

/* The deadline ends what it started, too, and closing the output does not escape it. */
static void the_deadline_holds(void **state)
{
	(void)state;
	static const char *const commands[] = {"sleep 60", "sleep 60 & wait", "exec >/dev/null 2>&1; sleep 60"};

	for (size_t i = 0; i < 3; i++) {
		const char *const argv[] = {"/bin/sh", "-c", commands[i], NULL};
		struct process process = {.argv = argv, .directory = "/", .deadline_s = 1};
		struct error err;
		time_t start = time(NULL);

		assert_int_equal(process_run(&process, &err), OK);
		assert_true(process.late);
		assert_int_equal(process.signal, SIGKILL);
		assert_true(time(NULL) - start < 20);
		bytes_free(&process.output);
	}
}

/* What it left running in the background goes with it. */
static void nothing_is_left_behind(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $!", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = 20};
	struct error err;

	assert_int_equal(process_run(&process, &err), OK);
	assert_false(process.late);
	assert_int_equal(process.exit_code, 0);
	pid_t left = (pid_t)atoi(process.output.data);
	bool gone = false;

	assert_true(left > 1);
	/* A killed one stays a zombie until whoever inherits it reaps it. */
	for (int i = 0; i < 100 && !gone; i++) {
		char *path = mem_format("/proc/%d/stat", (int)left);
		FILE *file = fopen(path, "r");
		char kind = 'Z';

		if (file != NULL && fscanf(file, "%*d (%*[^)]) %c", &kind) != 1)
			kind = 'Z';
		if (file != NULL)
			fclose(file);
		free(path);
		gone = kind == 'Z';
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
	}
	assert_true(gone);
	bytes_free(&process.output);
}

static void a_flood_is_stopped(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/sh", "-c", "while :; do echo 0123456789012345678901234567890123456789; done", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = 60};
	struct error err;

	assert_int_equal(process_run(&process, &err), OK);
	assert_true(process.flooded);
	assert_true(process.output.len <= PROCESS_OUTPUT_MAX);
	bytes_free(&process.output);
}

static void what_cannot_start_is_told(void **state)
{
	(void)state;
	const char *const argv[] = {"/nonexistent/program", NULL};
	struct process process = {.argv = argv, .directory = "/", .deadline_s = 20};
	struct error err;

	assert_int_equal(process_run(&process, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_TLC_RUN);
	assert_string_equal(err.file, "/nonexistent/program");
}

/* A ptxas of our own, which does what body says; $CUDA_HOME points to it. */
static char *stand_in(const char *body)
{
	char *home = mem_text("/tmp/ptxseal-test-toolchain-XXXXXX");
	struct error err;

	assert_non_null(mkdtemp(home));
	char *bin = mem_format("%s/bin", home);
	char *program = mem_format("%s/ptxas", bin);
	char *text = mem_format("#!/bin/sh\n[ \"$1\" != --version ] || { echo 'Cuda compilation tools, release 1.2, V1.2.3'; exit; }\n%s\n",
	                        body);

	assert_int_equal(mkdir(bin, 0700), 0);
	assert_int_equal(file_write(program, 0700, text, strlen(text), &err), OK);
	setenv("CUDA_HOME", home, 1);
	free(text);
	free(program);
	free(bin);
	return home;
}

static void remove_stand_in(char *home)
{
	char *command = mem_format("rm -rf '%s'", home);

	assert_int_equal(system(command), 0);
	unsetenv("CUDA_HOME");
	free(command);
	free(home);
}

static void faults_of_ptxas(void **state)
{
	(void)state;
	static const struct {
		const char *body;
		enum rule rule;
		const char *what;
	} list[] = {
		{"echo 'ptxas kernel.ptx, line 9; error   : Bad'; exit 255", R_TLC_REFUSED,
	         "ptxas ends with 255: ptxas kernel.ptx, line 9; error   : Bad"},
		{"sleep 60", R_TLC_DEADLINE, "ptxas was not done after 1 s"},
		{"kill -SEGV $$", R_TLC_DIED, "ptxas was ended by signal 11"},
	};

	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		char *home = stand_in(list[i].body);
		struct toolchain toolchain;
		struct assembly assembly = {.deadline_s = 1};
		struct error err;

		assert_int_equal(toolchain_find(&toolchain, &err), OK);
		assert_string_equal(toolchain.version, "1.2.3");
		assert_int_equal(toolchain_assemble(&toolchain, "x", 1, "k.ptx", "sm_90a", &assembly, &err), FAILS);
		assert_int_equal(err.rule, list[i].rule);
		assert_string_equal(err.what, list[i].what);
		assert_string_equal(err.file, "k.ptx");
		assembly_free(&assembly);
		toolchain_free(&toolchain);
		remove_stand_in(home);
	}
}

/* What is given to ptxas, and what is kept of its report: not how long it took. */
static void arguments_and_report(void **state)
{
	(void)state;
	static const char *const flags[] = {"-O1", NULL};
	char *home = stand_in("echo \"$*\"; echo 'ptxas info    : Compile time = 1.2 ms'; echo 'Used 8 registers'\n"
	                      "cp kernel.ptx kernel.cubin");
	struct toolchain toolchain;
	struct assembly assembly = {.flags = flags};
	struct error err;

	assert_int_equal(toolchain_find(&toolchain, &err), OK);
	assert_int_equal(toolchain_assemble(&toolchain, "text", 4, "k.ptx", "sm_90a", &assembly, &err), OK);
	assert_string_equal(assembly.report.data, "-arch sm_90a -v kernel.ptx -o kernel.cubin -O1\nUsed 8 registers\n");
	assert_string_equal(assembly.cubin.data, "text");
	assembly_free(&assembly);
	toolchain_free(&toolchain);
	remove_stand_in(home);
}

/* The same PTX gives the committed bytes again, with the ptxas that made them. */
static void the_same_bytes_again(void **state)
{
	(void)state;
	struct toolchain toolchain;
	struct error err;
	struct bytes text = {0};
	struct bytes expected = {0};
	struct assembly assembly = {0};

	if (toolchain_find(&toolchain, &err) != OK || strcmp(toolchain.version, "13.0.88") != 0) {
		toolchain_free(&toolchain);
		puts("skipped: there is no ptxas 13.0.88 here");
		skip();
	}
	assert_int_equal(file_read("tests/kernel/wgmma_small.ptx", 1 << 20, &text, &err), OK);
	assert_int_equal(file_read("tests/kernel/wgmma_small.cubin", 1 << 20, &expected, &err), OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(toolchain_assemble(&toolchain, text.data, text.len, "k.ptx", "sm_90a", &assembly, &err), OK);
		assert_int_equal(assembly.cubin.len, expected.len);
		assert_memory_equal(assembly.cubin.data, expected.data, expected.len);
		assembly_free(&assembly);
	}
	bytes_free(&expected);
	bytes_free(&text);
	toolchain_free(&toolchain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_and_exit_code),
		cmocka_unit_test(the_deadline_holds),
		cmocka_unit_test(nothing_is_left_behind),
		cmocka_unit_test(a_flood_is_stopped),
		cmocka_unit_test(what_cannot_start_is_told),
		cmocka_unit_test(faults_of_ptxas),
		cmocka_unit_test(arguments_and_report),
		cmocka_unit_test(the_same_bytes_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
