/*
 * artifact/facts/inputs.jsonl is what the CPU draws: the small workloads, and with PTXSEAL_ALL_INPUTS=1 the published ones, which take minutes.
 * usage: test_inputs [print CHECKOUT]: write the file anew, to standard output.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/inputs.h"

static const char *const workloads[] = {NULL, "small"};

/* Every task that can be measured, in the order of their names. */
static void each_problem(const struct root *root, void (*visit)(const struct root *, const struct problem *))
{
	struct file_list list = {0};
	struct error err = {0};

	assert_int_equal(root_list(root, "tasks", &list, &err), OK);
	for (size_t i = 0; i < list.count; i++) {
		struct problem problem;

		for (size_t w = 0; w < 2 && list.at[i].kind == FILE_DIRECTORY; w++)
			if (problem_read(root, list.at[i].path + strlen("tasks/"), workloads[w], &problem, &err) == OK)
				visit(root, &problem);
	}
	file_list_free(&list);
}

static bool is_drawn(const struct tensor *tensor)
{
	return !tensor->output && !tensor->computed;
}

static void print(const struct root *root, const struct problem *problem)
{
	(void)root;
	for (size_t i = 0; i < problem->tensor_count; i++) {
		char hex[SHA256_HEX + 1];

		if (!is_drawn(&problem->tensors[i]))
			continue;
		const struct sha256 hash = input_hash_of(problem, i, STANDARD_SEED, VALUES_NORMAL);

		sha256_hex(&hash, hex);
		printf("{\"bytes\":%llu,\"seed\":\"1\",\"sha256\":\"%s\",\"task\":\"%s\",\"tensor\":\"%s\",\"values\":\"normal\",\"workload\":\"%s\"}\n",
		       (unsigned long long)problem->tensors[i].bytes, hex, problem->task, problem->tensors[i].name, problem->workload);
		fflush(stdout);
	}
}

static int checked;

static void check(const struct root *root, const struct problem *problem)
{
	enum { SMALL_BYTES = 32 << 20 };
	struct known_inputs known;
	struct error err = {0};

	assert_int_equal(known_inputs_read(root, problem, &known, &err), OK);
	for (size_t i = 0; i < problem->tensor_count; i++) {
		if (!is_drawn(&problem->tensors[i])) {
			assert_false(known.listed[i]);
			continue;
		}
		if (!known.listed[i])
			fail_msg("%s, workload %s: %s is not listed", problem->task, problem->workload, problem->tensors[i].name);
		if (problem->tensors[i].bytes > SMALL_BYTES && getenv("PTXSEAL_ALL_INPUTS") == NULL)
			continue;
		const struct sha256 hash = input_hash_of(problem, i, STANDARD_SEED, VALUES_NORMAL);

		if (memcmp(&hash, &known.hash[i], sizeof hash) != 0)
			fail_msg("%s, workload %s: %s has other bytes", problem->task, problem->workload, problem->tensors[i].name);
		checked++;
	}
}

static void listed_inputs_are_what_the_cpu_draws(void **state)
{
	struct root root = {.fd = -1};
	struct error err = {0};

	(void)state;
	assert_int_equal(root_open(".", &root, &err), OK);
	each_problem(&root, check);
	assert_true(checked >= 30);
	root_close(&root);
}

/* What is not the standard seed, or another task's, is not taken. */
static void only_the_problems_own_lines_count(void **state)
{
	static const char text[] =
		"{\"bytes\":8,\"seed\":\"1\",\"sha256\":\"%s\",\"task\":\"t\",\"tensor\":\"A\",\"values\":\"normal\",\"workload\":\"w\"}\n"
		"{\"bytes\":8,\"seed\":\"2\",\"sha256\":\"%s\",\"task\":\"t\",\"tensor\":\"B\",\"values\":\"normal\",\"workload\":\"w\"}\n"
		"{\"bytes\":8,\"seed\":\"1\",\"sha256\":\"%s\",\"task\":\"u\",\"tensor\":\"B\",\"values\":\"normal\",\"workload\":\"w\"}\n"
		"{\"bytes\":8,\"seed\":\"1\",\"sha256\":\"%s\",\"task\":\"t\",\"tensor\":\"B\",\"values\":\"x3\",\"workload\":\"w\"}\n";
	static const char hex[] = "00000000000000000000000000000000000000000000000000000000000000ff";
	const struct problem problem = {.task = "t", .workload = "w", .tensors = {{.name = "A"}, {.name = "B"}}, .tensor_count = 2};
	char directory[] = "/tmp/ptxseal-test-inputs-XXXXXX";
	char *lines = mem_format(text, hex, hex, hex, hex);
	struct root root = {.fd = -1};
	struct known_inputs known;
	struct error err = {0};

	(void)state;
	assert_non_null(mkdtemp(directory));
	assert_int_equal(root_open(directory, &root, &err), OK);
	assert_int_equal(known_inputs_read(&root, &problem, &known, &err), OK);
	assert_false(known.listed[0]);
	assert_int_equal(root_write_product(&root, INPUTS_FILE, lines, strlen(lines), &err), OK);
	assert_int_equal(known_inputs_read(&root, &problem, &known, &err), OK);
	assert_true(known.listed[0]);
	assert_int_equal(known.hash[0].byte[31], 0xff);
	assert_false(known.listed[1]);
	memcpy(strstr(lines, "00ff"), "00fg", 4);
	assert_int_equal(root_write_product(&root, INPUTS_FILE, lines, strlen(lines), &err), OK);
	assert_int_equal(known_inputs_read(&root, &problem, &known, &err), MALFORMED);
	assert_int_equal(err.line, 1);
	root_close(&root);
	free(lines);
	char *remove = mem_format("rm -r %s", directory);

	assert_int_equal(system(remove), 0);
	free(remove);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listed_inputs_are_what_the_cpu_draws),
		cmocka_unit_test(only_the_problems_own_lines_count),
	};
	struct root root = {.fd = -1};
	struct error err = {0};

	if (argc == 3 && strcmp(argv[1], "print") == 0 && root_open(argv[2], &root, &err) == OK) {
		each_problem(&root, print);
		root_close(&root);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
