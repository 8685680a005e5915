/* SHA-256 of known texts (FIPS 180-4 examples) and of many files on several threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"

static const char of_nothing[] = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
static const char of_abc[] = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
static const char of_million_a[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

static char scratch[] = "/tmp/ptxseal-test-sha256-XXXXXX";
static struct root root;

static int set_up(void **state)
{
	(void)state;
	struct error err;

	return mkdtemp(scratch) != NULL && root_open(scratch, &root, &err) == OK ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	char *command = mem_format("rm -rf '%s'", scratch);
	int rc = system(command);

	free(command);
	root_close(&root);
	return rc;
}

static void known_texts_have_known_hashes(void **state)
{
	(void)state;
	char hex[SHA256_HEX + 1];
	struct sha256 hash = sha256_of("", 0);

	sha256_hex(&hash, hex);
	assert_string_equal(hex, of_nothing);
	hash = sha256_of("abc", 3);
	sha256_hex(&hash, hex);
	assert_string_equal(hex, of_abc);
}

static void hex_is_exact_and_lowercase(void **state)
{
	(void)state;
	struct sha256 hash;
	char text[SHA256_HEX + 2];

	assert_true(sha256_parse(of_abc, &hash));
	assert_int_equal(hash.byte[0], 0xba);
	snprintf(text, sizeof text, "%s", of_abc);
	text[0] = 'B';
	assert_false(sha256_parse(text, &hash));
	assert_false(sha256_parse("ba78", &hash));
	snprintf(text, sizeof text, "%s0", of_abc);
	assert_false(sha256_parse(text, &hash));
}

static void every_file_gets_its_own_result(void **state)
{
	(void)state;
	static const unsigned threads[] = {0, 1, 2, 7};
	static const char *const paths[] = {"empty", "missing", "abc", "million", "../abc"};
	struct error err;
	char *million = mem_alloc(1000000);

	memset(million, 'a', 1000000);
	assert_int_equal(root_write(&root, "empty", "", 0, &err), OK);
	assert_int_equal(root_write(&root, "abc", "abc", 3, &err), OK);
	assert_int_equal(root_write(&root, "million", million, 1000000, &err), OK);
	free(million);
	for (size_t t = 0; t < 4; t++) {
		struct hash_job *jobs = mem_alloc(5 * sizeof *jobs);
		char hex[SHA256_HEX + 1];

		for (size_t i = 0; i < 5; i++)
			jobs[i].path = paths[i];
		hash_files(&root, jobs, 5, threads[t], NULL, NULL);
		assert_int_equal(jobs[0].status, OK);
		sha256_hex(&jobs[0].hash, hex);
		assert_string_equal(hex, of_nothing);
		assert_int_equal(jobs[1].status, MALFORMED);
		assert_int_equal(jobs[1].err->rule, R_IO_OPEN);
		assert_int_equal(jobs[2].status, OK);
		sha256_hex(&jobs[2].hash, hex);
		assert_string_equal(hex, of_abc);
		sha256_hex(&jobs[3].hash, hex);
		assert_string_equal(hex, of_million_a);
		assert_int_equal(jobs[3].size, 1000000);
		assert_int_equal(jobs[4].err->rule, R_PATH_FORM);
		hash_jobs_free(jobs, 5);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_texts_have_known_hashes),
		cmocka_unit_test(hex_is_exact_and_lowercase),
		cmocka_unit_test(every_file_gets_its_own_result),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
