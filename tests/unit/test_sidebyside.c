/* Which record is set beside which, and what is found where a side is named. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bundle/replays.h"
#include "measure/sidebyside.h"
#include "scratch.h"

/* A record as far as setting it beside another asks. */
static cJSON *record(const char *run, const char *directory, const char *speedup)
{
	char *text = mem_format("{\"run\":\"%s\",\"candidate\":{\"directory\":\"%s\"},\"timing\":{\"speedup\":{\"median\":\"%s\"}}}", run, directory, speedup);
	cJSON *made = cJSON_Parse(text);

	free(text);
	assert_non_null(made);
	return made;
}

/* "RUN/DIRECTORY=RUN/DIRECTORY ... A: ... B: ..." of sides. */
static void beside(const struct replays *a, const struct replays *b, bool agree, const char *want)
{
	struct sides sides;
	struct bytes out = {0};

	sides_make(a, b, &sides);
	bytes_text(&out, "");
	for (size_t i = 0; i < sides.count; i++)
		bytes_format(&out, "%s/%s=%s/%s ", replay_text(sides.at[i].a, "run"), replay_text(sides.at[i].a, "candidate.directory"), replay_text(sides.at[i].b, "run"), replay_text(sides.at[i].b, "candidate.directory"));
	for (size_t i = 0; i < sides.only_a_count; i++)
		bytes_format(&out, "A:%s/%s ", replay_text(sides.only_a[i], "run"), replay_text(sides.only_a[i], "candidate.directory"));
	for (size_t i = 0; i < sides.only_b_count; i++)
		bytes_format(&out, "B:%s/%s ", replay_text(sides.only_b[i], "run"), replay_text(sides.only_b[i], "candidate.directory"));
	assert_string_equal(out.data, want);
	assert_int_equal(sides.agree, agree);
	sides_free(&sides);
	bytes_free(&out);
}

static void free_all(cJSON **records, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cJSON_Delete(records[i]);
}

/* Of one candidate those of the same run first, each once; what has none beside it is told. */
static void pairs(void **state)
{
	cJSON *of_a[] = {record("r1", "x", "1"), record("r2", "x", "1"), record("r1", "y", "1"), record("r3", "x", "1")};
	cJSON *of_b[] = {record("r9", "x", "1"), record("r2", "x", "1.005"), record("r1", "z", "1")};

	(void)state;
	beside(&(struct replays){of_a, 4}, &(struct replays){of_b, 3}, true, "r1/x=r9/x r2/x=r2/x A:r1/y A:r3/x B:r1/z ");
	beside(&(struct replays){of_a + 1, 1}, &(struct replays){of_b, 3}, true, "r2/x=r2/x B:r9/x B:r1/z "); /* not r9's, which comes first */
	beside(&(struct replays){of_a, 0}, &(struct replays){of_b, 1}, true, "B:r9/x ");
	free_all(of_a, 4);
	free_all(of_b, 3);
}

/* Two single records stand beside each other whatever they are of; a speed 1 % apart is the same, one further apart is not. */
static void single_ones(void **state)
{
	cJSON *of_a[] = {record("r1", "x", "1")}, *near[] = {record("r2", "x", "1.01")}, *far[] = {record("r2", "x", "1.0102")}, *other[] = {record("r2", "y", "1")};

	(void)state;
	beside(&(struct replays){of_a, 1}, &(struct replays){near, 1}, true, "r1/x=r2/x ");
	beside(&(struct replays){of_a, 1}, &(struct replays){far, 1}, false, "r1/x=r2/x ");
	beside(&(struct replays){of_a, 1}, &(struct replays){other, 1}, true, "r1/x=r2/y ");
	free_all(of_a, 1);
	free_all(near, 1);
	free_all(far, 1);
	free_all(other, 1);
}

static void refused(const char *name, enum rule rule, const char *what)
{
	struct replays replays;
	struct error err = {0};

	assert_int_not_equal(replays_read(name, &replays, &err), OK);
	assert_string_equal(rule_info(err.rule)->id, rule_info(rule)->id);
	assert_string_equal(err.what, what);
	replays_free(&replays);
}

/* In a directory that is no bundle, and in one that has runs. */
static void named(void **state)
{
	const struct root *root = *state;
	struct error err;

	refused("nothing", R_RPL_NONE, "there is no record, no directory and, beneath the current directory, no run of this name");
	assert_int_equal(root_write_product(root, "empty/artifact/x", "", 0, &err), OK);
	refused("empty", R_RPL_RECORD, "the bundle has no record of a replay");
	for (int i = 0; i < 7; i++) {
		char path[64];

		snprintf(path, sizeof path, "artifact/replays/run%d/x.json", i);
		assert_int_equal(root_write_product(root, path, "{}", 2, &err), OK);
	}
	refused("nothing", R_RPL_NONE, "there is no record, no directory and, beneath the current directory, no run of this name; there are: run0, run1, run2, run3, run4 and 2 more");
	refused("artifact/replays/run0/x.json/y", R_RPL_NONE, "there is no record, no directory and, beneath the current directory, no run of this name; there are: run0, run1, run2, run3, run4 and 2 more");
}

static char *directory, *before;

static int setup(void **state)
{
	static struct root root = {.fd = -1};
	struct error err;

	directory = scratch_make();
	before = getcwd(NULL, 0);
	*state = &root;
	return root_open(directory, &root, &err) == OK && chdir(directory) == 0 ? 0 : -1;
}

static int teardown(void **state)
{
	root_close(*state);
	if (chdir(before) != 0)
		return -1;
	free(before);
	scratch_remove(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pairs), cmocka_unit_test(single_ones), cmocka_unit_test(named)};

	return cmocka_run_group_tests(tests, setup, teardown);
}
