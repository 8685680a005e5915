/* Names of kernel pages: TASK--NAME, and longer where that would be another's. */
#include "unit.h"

#include <string.h>

#include "base/file.h"
#include "report/kernels.h"
#include "scratch.h"

/* A record as far as reading one asks. */
static void put_record(const struct root *root, const char *run, const char *task, const char *name)
{
	char *path = mem_format("artifact/replays/%s/%s.json", run, name);
	char *text = mem_format("{\"schema\":\"ptxseal-replay/1\",\"program\":\"p\",\"run\":\"%s\",\"date\":\"2026-01-01\",\"candidate\":{\"name\":\"%s\",\"id\":\"\",\"directory\":\"artifact/candidates/%s/%s\",\"arch\":\"sm_90a\","
	                        "\"label\":\"l\",\"files\":[]},\"problem\":{\"task\":\"%s\",\"workload\":\"w\"},\"outcome\":{\"label\":\"correct\",\"published\":\"pass\",\"strict\":\"pass\"},\"evidence\":{\"evidence\":\"static\","
	                        "\"arch_tag\":\"H\"},\"device\":{\"name\":\"d\"},\"stand_in\":false,\"trials\":[],\"trajectory\":0}",
	                        run, name, task, name, task);
	struct error err;

	assert_int_equal(root_write_product(root, path, text, strlen(text), &err), OK);
	free(text);
	free(path);
}

static const char *file_of(const struct kernels *kernels, const char *run, const char *name)
{
	const struct measured *found = kernels_find(kernels, run, name);

	assert_non_null(found);
	return found->file;
}

static void names(void **state)
{
	const struct root *root = *state;
	struct kernels kernels;
	struct error err;

	put_record(root, "r1", "t", "single");
	put_record(root, "r1", "t", "twice");
	put_record(root, "r2", "t", "twice");
	put_record(root, "r1", "t", "Case");
	put_record(root, "r2", "t", "case");
	put_record(root, "r1", "a--b", "c"); /* a--b--c */
	put_record(root, "r2", "a", "b--c"); /* the same */
	put_record(root, "r2", "t", "twice--r1"); /* what the other's longer name would be */
	put_record(root, "r3", "../x", "n");
	assert_int_equal(kernels_read(root, &kernels, &err), OK);
	assert_int_equal(kernels.count, 9);
	assert_string_equal(file_of(&kernels, "r1", "single"), "kernels/t--single.html");
	assert_string_equal(file_of(&kernels, "r2", "twice"), "kernels/t--twice--r2.html");
	assert_string_equal(file_of(&kernels, "r1", "Case"), "kernels/t--Case--r1.html");
	assert_string_equal(file_of(&kernels, "r2", "case"), "kernels/t--case--r2.html");
	assert_string_equal(file_of(&kernels, "r1", "c"), "kernels/a--b--c--r1.html");
	assert_string_equal(file_of(&kernels, "r2", "b--c"), "kernels/a--b--c--r2.html");
	assert_string_equal(file_of(&kernels, "r3", "n"), "kernels/..x--n.html");
	/* Both want t--twice--r1: neither gets it. The hash is of the record's path: sha256 of artifact/replays/r1/twice.json. */
	assert_string_equal(file_of(&kernels, "r1", "twice"), "kernels/t--twice--4cd732a91a781e1d.html");
	assert_string_equal(file_of(&kernels, "r2", "twice--r1"), "kernels/t--twice--r1--r2.html");
	kernels_free(&kernels);
}

/* What is no record is counted, and stops nothing. */
static void unread(void **state)
{
	const struct root *root = *state;
	struct kernels kernels;
	struct error err;

	assert_int_equal(root_write_product(root, "artifact/replays/r9/x.json", "{}", 2, &err), OK);
	assert_int_equal(kernels_read(root, &kernels, &err), OK);
	assert_int_equal(kernels.unread, 1);
	assert_int_equal(kernels.why.rule, R_RPL_RECORD);
	kernels_free(&kernels);
}

static char *directory;

static int setup(void **state)
{
	static struct root root;

	directory = scratch_make();
	assert_int_equal(root_open(directory, &root, NULL), OK);
	*state = &root;
	return 0;
}

static int teardown(void **state)
{
	root_close(*state);
	scratch_remove(directory);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(unread)};

	return cmocka_run_group_tests(tests, setup, teardown);
}
