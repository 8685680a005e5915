/* Every committed candidate, frozen or of the tests, becomes a plan at its task's two workloads. Run by tests/unit/run, which sets REPO. */
#include "unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/candidate.h"
#include "measure/plan.h"

static void make_plans(const struct root *root, const char *directory)
{
	static const char *const workloads[] = {NULL, "small"};
	struct candidate *candidate = NULL;
	struct error err = {0};

	if (candidate_read(root, directory, &candidate, &err) != OK)
		fail_msg("%s: %s", directory, err.what);
	assert_string_equal(candidate->label, "ptxseal");
	assert_true(candidate->ptx.len > 0);
	for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
		struct problem problem;
		struct plan plan = {0};

		/* One that was lowered is for the workload that it names, the published one. */
		if (candidate->is_lowered && workloads[i] != NULL)
			continue;
		if (problem_read(root, candidate->task, workloads[i], &problem, &err) != OK || plan_make(candidate, &problem, &plan, &err) != OK)
			fail_msg("%s: %s", directory, err.what);
		plan_free(&plan);
	}
	candidate_free(candidate);
}

/* The directories in one that hold what passes: visit gets each one's path. */
static int each(const struct root *root, const char *base, const char *directory, void (*visit)(const struct root *, const char *))
{
	char *path = mem_format("%s/%s", base, directory);
	DIR *stream = opendir(path);
	int count = 0;

	assert_non_null(stream);
	for (const struct dirent *entry; (entry = readdir(stream)) != NULL;) {
		char *inner = mem_format("%s/%s", directory, entry->d_name), *full = mem_format("%s/%s/candidate.json", base, inner);
		FILE *file = fopen(full, "re");

		if (file != NULL) {
			fclose(file);
			visit(root, inner);
			count++;
		}
		free(full);
		free(inner);
	}
	closedir(stream);
	free(path);
	return count;
}

static void test_committed(void **state)
{
	static const struct {
		const char *directory;
		int count;
	} tasks[] = {{"artifact/candidates/gemm_n7168_k5120", 7},         {"artifact/candidates/mha_with_lse_d128", 5},
	             {"artifact/candidates/mha_with_lse_d128_causal", 4}, {"artifact/candidates/mha_bwd_d128", 4},
	             {"artifact/candidates/mha_bwd_d128_causal", 4},      {"tests/candidates/gemm_n7168_k5120", 8}};
	const char *repo = getenv("REPO");
	struct root root;
	struct error err = {0};

	(void)state;
	assert_non_null(repo);
	assert_int_equal(root_open(repo, &root, &err), OK);
	for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
		assert_int_equal(each(&root, repo, tasks[i].directory, make_plans), tasks[i].count);
	root_close(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_committed)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
