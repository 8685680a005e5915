/* Which cubin runs: ptxas' or the frozen one (R-CAN-010). Skips what needs ptxas where there is none. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_library.h"
#include "kernel/image.h"

static char scratch[] = "/tmp/ptxseal-test-image-XXXXXX";
static struct root root;

static const char json[] =
	"{\"schema\":\"ptxseal-candidate/1\",\"task\":\"t\",\"name\":\"n\",\"label\":\"test\",\"arch\":\"sm_90a\",\"ptx\":\"kernel.ptx\",\"origin\":\"test\","
	"\"buffers\":[],\"maps\":[],\"launches\":[{\"function\":\"f\",\"grid\":[\"1\",\"1\",\"1\"],\"block\":[\"1\",\"1\",\"1\"],\"cluster\":[\"1\",\"1\",\"1\"],"
	"\"shared\":\"0\",\"parameters\":[]}]}";

static void write_file(const char *name, const char *text)
{
	struct error err = {0};
	char *path = mem_format("t/n/%s", name);

	if (root_write(&root, path, text, strlen(text), &err) != OK)
		fail_msg("%s", err.what);
	free(path);
}

static struct candidate *begin(const char *ptx)
{
	struct candidate *candidate = NULL;
	struct error err = {0};

	write_file("candidate.json", json);
	write_file("kernel.ptx", ptx);
	if (candidate_read(&root, "t/n", &candidate, &err) != OK)
		fail_msg("%s", err.what);
	return candidate;
}

static const char sound[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry f()\n{\n\tret;\n}\n";

static void frozen_only(void **state)
{
	(void)state;
	struct candidate *candidate = begin(sound);
	struct image image;
	struct error err = {0};

	assert_int_equal(image_make(&root, candidate, true, &image, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_CAN_CUBIN);
	image_free(&image);
	write_file("kernel.sm_90a.cubin", "frozen");
	assert_int_equal(image_make(&root, candidate, true, &image, &err), OK);
	assert_false(image.assembled);
	assert_string_equal(image.cubin.data, "frozen");
	assert_memory_equal(&image.hash, &image.frozen_hash, sizeof image.hash);
	cJSON *facts = image_facts(&image);

	assert_true(cJSON_IsNull(cJSON_GetObjectItem(facts, "ptxas")));
	cJSON_Delete(facts);
	image_free(&image);
	candidate_free(candidate);
}

static void need_ptxas(void)
{
	struct toolchain toolchain;

	if (toolchain_find(&toolchain, NULL) != OK) {
		print_message("skipped: there is no ptxas\n");
		skip();
	}
	toolchain_free(&toolchain);
}

static void with_ptxas(void **state)
{
	(void)state;
	need_ptxas();
	struct candidate *candidate = begin(sound);
	struct image image;
	struct error err = {0};

	write_file("kernel.sm_90a.cubin", "frozen");
	if (image_make(&root, candidate, false, &image, &err) != OK)
		fail_msg("%s", err.what);
	assert_true(image.assembled);
	assert_true(image.frozen);
	assert_memory_equal(image.cubin.data, "\177ELF", 4);
	assert_memory_not_equal(&image.hash, &image.frozen_hash, sizeof image.hash);
	cJSON *facts = image_facts(&image);

	assert_true(cJSON_IsString(cJSON_GetObjectItem(cJSON_GetObjectItem(facts, "ptxas"), "version")));
	assert_true(cJSON_IsString(cJSON_GetObjectItem(facts, "frozen_sha256")));
	cJSON_Delete(facts);
	image_free(&image);
	candidate_free(candidate);
}

static void refused(void **state)
{
	(void)state;
	need_ptxas();
	struct candidate *candidate = begin(".version 8.0\n.target sm_90a\nthis is no PTX\n");
	struct image image;
	struct error err = {0};

	assert_int_equal(image_make(&root, candidate, false, &image, &err), FAILS);
	assert_int_equal(err.rule, R_TLC_REFUSED);
	image_free(&image);
	candidate_free(candidate);
}

static int set_up(void **state)
{
	(void)state;
	struct error err;

	return mkdtemp(scratch) != NULL && root_open(scratch, &root, &err) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	root_close(&root);
	remove_tree(scratch);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(frozen_only),
		cmocka_unit_test(with_ptxas),
		cmocka_unit_test(refused),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
