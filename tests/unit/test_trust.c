/* trust.json: who may sign what. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "bundle/trust.h"

#define F1 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define F2 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define ENTRY(file, fingerprint, rest)                                                                       \
	"{\"file\":\"" file "\",\"fingerprint\":\"" fingerprint "\",\"predicates\":[\"urn:a\",\"urn:b\"]," \
	"\"purpose\":\"p\"," rest "\"roles\":[\"import\"]}"

static const char good[] =
	"{\"keys\":[" ENTRY("keys/a.pem", F1, "") "," ENTRY("keys/b.pem", F2, "\"revoked\":\"lost\",") "]}\n";

static void trust_is_read_and_written_to_the_byte(void **state)
{
	(void)state;
	struct trust trust;
	struct bytes out = {0};
	struct error err;

	assert_int_equal(trust_parse(good, strlen(good), &trust, &err), OK);
	assert_int_equal(trust.count, 2);
	assert_null(trust_find(&trust, F1)->revoked);
	assert_string_equal(trust_find(&trust, F2)->revoked, "lost");
	assert_true(words_have(&trust.at[0].roles, "import"));
	assert_false(words_have(&trust.at[0].roles, "root"));
	trust_write(&trust, &out);
	assert_string_equal(out.data, good);
	bytes_free(&out);
	trust_free(&trust);
}

static void expect_refused(const char *text, enum rule rule)
{
	struct trust trust;
	struct error err;

	assert_int_equal(trust_parse(text, strlen(text), &trust, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_string_equal(err.file, "manifests/trust.json");
	assert_null(trust.at);
}

static void other_forms_are_refused(void **state)
{
	(void)state;
	expect_refused("{\"keys\":[]}", R_TRU_FORM); /* no newline */
	expect_refused("{ \"keys\":[]}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[1]}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[],\"more\":1}\n", R_JSON_FIELD);
	expect_refused("{\"keys\":[" ENTRY("keys/b.pem", F1, "") "," ENTRY("keys/a.pem", F2, "") "]}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[" ENTRY("keys/../b.pem", F1, "") "]}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[" ENTRY("keys/b.pem", "00", "") "]}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[" ENTRY("keys/b.pem", F1, "\"revoked\":false,") "]}\n", R_JSON_FIELD);
}

static void keys_and_files_stand_once(void **state)
{
	(void)state;
	expect_refused("{\"keys\":[" ENTRY("keys/a.pem", F1, "") "," ENTRY("keys/b.pem", F1, "") "]}\n", R_TRU_DUPLICATE);
	expect_refused("{\"keys\":[" ENTRY("keys/a.pem", F1, "") "," ENTRY("keys/a.pem", F2, "") "]}\n", R_TRU_DUPLICATE);
}

static void ends_and_thresholds_are_read_and_written(void **state)
{
	(void)state;
	static const char text[] = "{\"keys\":[{\"file\":\"keys/a.pem\",\"fingerprint\":\"" F1
				   "\",\"predicates\":[],\"purpose\":\"p\",\"roles\":[\"import\",\"review\"],\"until\":\"2026-06-30\"}],"
				   "\"thresholds\":{\"import\":2,\"review\":1}}\n";
	struct trust trust;
	struct bytes out = {0};
	struct error err;

	assert_int_equal(trust_parse(text, strlen(text), &trust, &err), OK);
	assert_string_equal(trust.at[0].until, "2026-06-30");
	assert_true(trust_allows_date(&trust.at[0], "2026-06-30"));
	assert_false(trust_allows_date(&trust.at[0], "2026-07-01"));
	assert_false(trust_allows_date(&trust.at[0], "2026-06-31"));
	assert_false(trust_allows_date(&trust.at[0], NULL));
	assert_int_equal(trust_threshold(&trust, "import"), 2);
	assert_int_equal(trust_threshold(&trust, "review"), 1);
	assert_int_equal(trust_threshold(&trust, "root"), 1);
	assert_int_equal(trust_keys_of(&trust, "import"), 1);
	assert_int_equal(trust_keys_of(&trust, "root"), 0);
	trust_write(&trust, &out);
	assert_string_equal(out.data, text);

	trust_set_threshold(&trust, "import", 1);
	trust_set_threshold(&trust, "review", 0);
	trust_set_threshold(&trust, "root", 3);
	out.len = 0;
	trust_write(&trust, &out);
	assert_non_null(strstr(out.data, "\"thresholds\":{\"root\":3}}\n"));
	bytes_free(&out);
	trust_free(&trust);
}

/* One form a meaning: a threshold that says what holds without it does not stand there. */
static void other_ends_and_thresholds_are_refused(void **state)
{
	(void)state;
	expect_refused("{\"keys\":[],\"thresholds\":{\"root\":1}}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[],\"thresholds\":{\"review\":0}}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[],\"thresholds\":{}}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[],\"thresholds\":{\"root\":65}}\n", R_JSON_FIELD);
	expect_refused("{\"keys\":[],\"thresholds\":{\"root\":\"2\"}}\n", R_JSON_FIELD);
	expect_refused("{\"keys\":[],\"thresholds\":{\"root\":2,\"import\":2}}\n", R_TRU_FORM);
	expect_refused("{\"keys\":[{\"file\":\"keys/a.pem\",\"fingerprint\":\"" F1
		       "\",\"predicates\":[],\"purpose\":\"p\",\"roles\":[],\"until\":\"2026-02-29\"}]}\n",
		       R_TRU_FORM);
}

static void rights_are_granted(void **state)
{
	(void)state;
	struct trust trust = {0};
	struct bytes out = {0};
	struct error err;

	assert_int_equal(trust_grant(&trust, "keys/b.pem", F2, "import", "urn:b", "p", false, &err), OK);
	assert_int_equal(trust_grant(&trust, "keys/a.pem", F1, "import", "urn:b", "p", false, &err), OK);
	/* More rights for a key go to its entry, whatever file is named. */
	assert_int_equal(trust_grant(&trust, "keys/c.pem", F1, "import", "urn:a", "q", false, &err), OK);
	trust_find(&trust, F2)->revoked = mem_text("lost");
	assert_int_equal(trust_grant(&trust, "keys/b.pem", F2, "import", "urn:a", "p", false, &err), FAILS);
	assert_int_equal(err.rule, R_SIG_REVOKED);
	assert_int_equal(trust_grant(&trust, "keys/a.pem", "0123", "import", "urn:a", "p", false, &err), MALFORMED);
	assert_int_equal(err.rule, R_KEY_NAME);
	/* A revoked key's record stays, whoever wants its name. */
	assert_int_equal(trust_grant(&trust, "keys/b.pem", F1, "import", "urn:a", "p", true, &err), OK);
	assert_int_equal(trust_grant(&trust, "keys/b.pem", "0123", "import", "urn:a", "p", true, &err), MALFORMED);
	assert_int_equal(err.rule, R_KEY_NAME);
	trust_write(&trust, &out);
	assert_string_equal(out.data, "{\"keys\":[" ENTRY("keys/a.pem", F1, "") ",{\"file\":\"keys/b.pem\",\"fingerprint\":\"" F2
	                              "\",\"predicates\":[\"urn:b\"],\"purpose\":\"p\",\"revoked\":\"lost\","
	                              "\"roles\":[\"import\"]}]}\n");
	bytes_free(&out);
	trust_free(&trust);
}

/* R-KEY-004: with replace a name passes to the new key, and nothing of the old one stays. */
static void a_name_passes_to_the_new_key(void **state)
{
	(void)state;
	struct trust trust = {0};
	struct error err = {0};

	assert_int_equal(trust_grant(&trust, "keys/a.pem", F1, "root", "urn:r", "p", false, &err), OK);
	assert_int_equal(trust_grant(&trust, "keys/b.pem", F2, "import", "urn:a", "p", false, &err), OK);
	assert_int_equal(trust_grant(&trust, "keys/a.pem", F2, "import", "urn:a", "p", true, &err), OK);
	assert_int_equal(trust.count, 2); /* F2 has its name already */
	char third[] = F1;

	third[0] = third[0] == '0' ? '1' : '0';
	assert_int_equal(trust_grant(&trust, "keys/a.pem", third, "import", "urn:b", "p", true, &err), OK);
	assert_int_equal(trust.count, 2);
	assert_null(trust_find(&trust, F1));
	assert_string_equal(trust_find_file(&trust, "keys/a.pem")->fingerprint, third);
	assert_int_equal(trust_find_file(&trust, "keys/a.pem")->roles.count, 1);
	assert_string_equal(trust_find_file(&trust, "keys/a.pem")->roles.at[0], "import");
	trust_free(&trust);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_passes_to_the_new_key),
		cmocka_unit_test(trust_is_read_and_written_to_the_byte),
		cmocka_unit_test(other_forms_are_refused),
		cmocka_unit_test(keys_and_files_stand_once),
		cmocka_unit_test(ends_and_thresholds_are_read_and_written),
		cmocka_unit_test(other_ends_and_thresholds_are_refused),
		cmocka_unit_test(rights_are_granted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
