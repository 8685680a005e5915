/* OMS bundles: the specification's own vectors behave as their folders say, and ours holds for the directory it was made of. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "bundle/oms.h"

static const char *shared;

static enum status parse(const char *name, struct oms *oms, struct error *err)
{
	char *path = mem_format("%s/vectors/oms/test-vectors/v1.0/%s.bundle.json", shared, name);
	struct bytes text = {0};

	assert_int_equal(file_read(path, OMS_FILE_MAX, &text, err), OK);
	enum status status = oms_parse(text.data != NULL ? text.data : "", text.len, name, oms, err);

	bytes_free(&text);
	free(path);
	return status;
}

static void expect_taken(const char *name, enum oms_material material)
{
	struct oms oms;
	struct error err;

	assert_int_equal(parse(name, &oms, &err), OK);
	assert_int_equal(oms.material, material);
	assert_true(oms.judged_here);
	assert_true(oms.count > 0);
	oms_free(&oms);
}

static void expect_refused(const char *name, enum rule rule)
{
	struct oms oms;
	struct error err;

	assert_int_equal(parse(name, &oms, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_null(oms.resources);
}

static void the_vectors_behave_as_labelled(void **state)
{
	(void)state;
	shared = getenv("PTXSEAL_SHARED");
	if (shared == NULL)
		shared = "../shared";
	struct root there;

	if (root_open(shared, &there, NULL) != OK) {
		print_message("skipped: %s with the vectors is not there (PTXSEAL_SHARED names it)\n", shared);
		skip();
	}
	root_close(&there);
	expect_taken("valid/key", OMS_KEY);
	expect_taken("valid/certificate", OMS_CERTIFICATES);
	expect_taken("valid/sigstore", OMS_KEYLESS);
	expect_refused("invalid/empty", R_JSON_SYNTAX);
	expect_refused("invalid/missing-envelope", R_OMS_FORM);
	expect_refused("invalid/missing-tlog-entries", R_OMS_FORM);
	expect_refused("invalid/missing-verification-material", R_OMS_FORM);
	expect_refused("invalid-payload/wrong-predicate", R_OMS_STATEMENT);
}

#define STATEMENT(predicate, subject)                                                                                  \
	"{\"_type\":\"https://in-toto.io/Statement/v1\",\"predicate\":" predicate                                      \
	",\"predicateType\":\"https://model_signing/signature/v1.0\",\"subject\":[" subject "]}"
#define SERIALIZATION "\"serialization\":{\"allow_symlinks\":false,\"hash_type\":\"sha256\",\"method\":\"files\"}"
#define X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"          /* SHA-256 of "x" */
#define OF_X "14e31f4c2a0f9be5a5cd8c1c0e7a8d4f0c2a8d3b4a5b6c7d8e9f0a1b2c3d4e5f" /* not that of its bytes */

static void expect_statement_refused(const char *statement, enum rule rule)
{
	struct bytes text = {0};
	struct oms oms;
	struct error err;

	bytes_text(&text, "{\"dsseEnvelope\":{\"payload\":\"");
	base64_encode((const uint8_t *)statement, strlen(statement), &text);
	bytes_text(&text, "\",\"payloadType\":\"application/vnd.in-toto+json\",\"signatures\":[{\"sig\":\"AAAA\"}]},\"mediaType\":"
	                  "\"application/vnd.dev.sigstore.bundle.v0.3+json\",\"verificationMaterial\":{\"publicKey\":{\"hint\":\"h\"}}}");
	assert_int_not_equal(oms_parse(text.data, text.len, "o", &oms, &err), OK);
	assert_int_equal(err.rule, rule);
	bytes_free(&text);
}

/* model-transparency pull request 647: a resource outside the directory is refused before anything is opened. */
static void hostile_statements_are_refused(void **state)
{
	(void)state;
#define SUBJECT "{\"digest\":{\"sha256\":\"" OF_X "\"},\"name\":\"n\"}"
#define RESOURCE(name) "{\"algorithm\":\"sha256\",\"digest\":\"" X "\",\"name\":\"" name "\"}"
	expect_statement_refused(STATEMENT("{\"resources\":[" RESOURCE("../../etc/hosts") "]," SERIALIZATION "}", SUBJECT), R_PATH_FORM);
	expect_statement_refused(STATEMENT("{\"resources\":[" RESOURCE("/etc/hosts") "]," SERIALIZATION "}", SUBJECT), R_PATH_FORM);
	expect_statement_refused(STATEMENT("{\"resources\":[" RESOURCE("a") "]," SERIALIZATION "}", SUBJECT), R_OMS_DIGEST);
	expect_statement_refused(STATEMENT("{\"resources\":[]," SERIALIZATION "}", SUBJECT), R_OMS_STATEMENT);
	expect_statement_refused(STATEMENT("{\"resources\":[" RESOURCE("a") "]}", SUBJECT), R_OMS_STATEMENT);
	expect_statement_refused(STATEMENT("{}", SUBJECT), R_OMS_STATEMENT);
	expect_statement_refused(STATEMENT("{\"resources\":[" RESOURCE("a") "]," SERIALIZATION "}", SUBJECT "," SUBJECT), R_OMS_STATEMENT);
	expect_statement_refused("{}", R_OMS_STATEMENT);
	expect_statement_refused("", R_JSON_SYNTAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vectors_behave_as_labelled),
		cmocka_unit_test(hostile_statements_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
