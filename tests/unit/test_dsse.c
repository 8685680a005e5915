/* DSSE: the specification's pre-authentication encoding, its liberties when reading, and our one form when writing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "bundle/dsse.h"

#define TYPE "http://example.com/HelloWorld"

static void expect_pae(const char *type, const char *body, const char *expected)
{
	struct bytes pae = {0};

	dsse_pae(type, body, strlen(body), &pae);
	assert_int_equal(pae.len, strlen(expected));
	assert_string_equal(pae.data, expected);
	bytes_free(&pae);
}

static void pae_is_the_specifications(void **state)
{
	(void)state;
	expect_pae(TYPE, "hello world", "DSSEv1 29 http://example.com/HelloWorld 11 hello world");
	expect_pae("", "", "DSSEv1 0  0 ");
}

/* Three characters, six bytes. */
static void pae_counts_bytes_not_characters(void **state)
{
	(void)state;
	expect_pae("\xC3\xA4", "\xE2\x82\xACx", "DSSEv1 2 \xC3\xA4 4 \xE2\x82\xACx");
}

static enum status parse(const char *text, struct dsse *envelope, struct error *err)
{
	return dsse_parse(text, strlen(text), "e", envelope, err);
}

/* "hello world" is aGVsbG8gd29ybGQ=; a fixed signature of three bytes FB EF BE is ++++ in standard, ---- in URL-safe. */
static void any_envelope_of_the_specification_is_read(void **state)
{
	static const char *const texts[] = {
		"{\"payload\":\"aGVsbG8gd29ybGQ=\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"++++\"}]}",
		"{\"payload\":\"aGVsbG8gd29ybGQ=\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"----\",\"keyid\":null}]}",
		" {\"more\":1, \"signatures\":[{\"keyid\":\"\",\"sig\":\"++++\",\"x\":[]}],\n\"payloadType\":\"t\","
		"\"payload\":\"aGVsbG8gd29ybGQ=\"}",
	};
	(void)state;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct dsse envelope;
		struct bytes out = {0};
		struct error err;

		assert_int_equal(parse(texts[i], &envelope, &err), OK);
		assert_int_equal(envelope.payload.len, 11);
		assert_string_equal(envelope.payload.data, "hello world");
		assert_int_equal(envelope.count, 1);
		assert_string_equal(envelope.signatures[0].keyid, "");
		assert_memory_equal(envelope.signatures[0].bytes.data, "\xFB\xEF\xBE", 3);
		dsse_write(&envelope, &out);
		assert_string_equal(out.data, "{\"payload\":\"aGVsbG8gd29ybGQ=\",\"payloadType\":\"t\","
		                              "\"signatures\":[{\"keyid\":\"\",\"sig\":\"++++\"}]}\n");
		bytes_free(&out);
		dsse_free(&envelope);
	}
}

static void expect_refused(const char *text, enum rule rule)
{
	struct dsse envelope;
	struct error err;

	assert_int_equal(parse(text, &envelope, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_null(envelope.payload_type);
}

static void broken_envelopes_are_refused(void **state)
{
	(void)state;
	expect_refused("", R_JSON_SYNTAX);
	expect_refused("[]", R_SIG_ENVELOPE);
	expect_refused("{\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\"}]}", R_JSON_FIELD);
	expect_refused("{\"payload\":\"\",\"signatures\":[{\"sig\":\"\"}]}", R_JSON_FIELD);
	expect_refused("{\"payload\":\"\",\"payloadType\":\"t\"}", R_JSON_FIELD);
	expect_refused("{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[]}", R_SIG_ENVELOPE);
	expect_refused("{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[1]}", R_SIG_ENVELOPE);
	expect_refused("{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[{}]}", R_JSON_FIELD);
	expect_refused("{\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\",\"keyid\":1}]}", R_SIG_ENVELOPE);
	/* Base64 that is not canonical, cut short, or in both alphabets at once. */
	expect_refused("{\"payload\":\"YR==\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\"}]}", R_SIG_ENVELOPE);
	expect_refused("{\"payload\":\"YQ\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\"}]}", R_SIG_ENVELOPE);
	expect_refused("{\"payload\":\"+++-\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\"}]}", R_SIG_ENVELOPE);
	expect_refused("{\"payload\":\"\",\"payload\":\"\",\"payloadType\":\"t\",\"signatures\":[{\"sig\":\"\"}]}",
	               R_JSON_DUPLICATE);
}

static struct key one, two;

static int make_keys(void **state)
{
	(void)state;
	struct error err;

	return key_generate(&one, &err) == OK && key_generate(&two, &err) == OK ? 0 : -1;
}

static int free_keys(void **state)
{
	(void)state;
	key_free(&one);
	key_free(&two);
	return 0;
}

static struct dsse signed_by_one(void)
{
	struct dsse envelope = {.payload_type = mem_text("t")};
	struct error err;

	bytes_text(&envelope.payload, "hello world");
	assert_int_equal(dsse_sign(&envelope, &one, &err), OK);
	return envelope;
}

static const struct key *const both[] = {&two, &one};
static const struct key *const other[] = {&two};

static void the_signing_key_is_found(void **state)
{
	(void)state;
	struct dsse envelope = signed_by_one();

	assert_string_equal(envelope.signatures[0].keyid, one.fingerprint);
	assert_ptr_equal(dsse_verify(&envelope, both, 2), &one);
	assert_null(dsse_verify(&envelope, other, 1));
	dsse_free(&envelope);
}

/* securesystemslib issue 416: an envelope without a keyid is tried with every trusted key. */
static void without_keyid_every_key_is_tried(void **state)
{
	(void)state;
	struct dsse envelope = signed_by_one();

	envelope.signatures[0].keyid[0] = '\0';
	assert_ptr_equal(dsse_verify(&envelope, both, 2), &one);
	assert_null(dsse_verify(&envelope, other, 1));
	dsse_free(&envelope);
}

static void a_keyid_of_another_key_is_refused(void **state)
{
	(void)state;
	struct dsse envelope = signed_by_one();

	memcpy(envelope.signatures[0].keyid, two.fingerprint, SHA256_HEX);
	assert_null(dsse_verify(&envelope, both, 2));
	dsse_free(&envelope);
}

/* CVE-2022-35929: the type is inside the signature, not beside it. */
static void the_payload_type_is_signed(void **state)
{
	(void)state;
	struct dsse envelope = signed_by_one();

	envelope.payload_type[0] = 'u';
	assert_null(dsse_verify(&envelope, both, 2));
	dsse_free(&envelope);
}

/* The specification's own vector: an ECDSA signature as r || s, and no keyid. */
static void the_vector_of_the_specification_verifies(void **state)
{
	(void)state;
	static const char pem[] = "-----BEGIN PUBLIC KEY-----\n"
				  "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZ805D3eqNZywjCI19lInBJOp7YMr\n"
				  "CrzAH3CVTAOQ0jgMeCvVTiaRJaRPRDOv8UMs6U4SvKc6pnrIDOoSYI3fdA==\n"
				  "-----END PUBLIC KEY-----\n";
	static const char text[] =
		"{\"payload\":\"aGVsbG8gd29ybGQ=\",\"payloadType\":\"http://example.com/HelloWorld\",\"signatures\":[{\"sig\":"
		"\"A3JqsQGtVsJ2O2xqrI5IcnXip5GToJ3F+FnZ+O88SjtR6rDAajabZKciJTfUiHqJPcIAriEGAHTVeCUjW2JIZA==\"}]}";
	struct dsse envelope;
	struct key key;
	struct error err;

	assert_int_equal(key_parse(KEY_PUBLIC, pem, strlen(pem), "k", &key, &err), OK);
	assert_int_equal(dsse_parse(text, strlen(text), "e", &envelope, &err), OK);
	const struct key *const keys[] = {&one, &key};

	assert_ptr_equal(dsse_verify(&envelope, keys, 2), &key);
	envelope.payload.data[0] ^= 1;
	assert_null(dsse_verify(&envelope, keys, 2));
	dsse_free(&envelope);
	key_free(&key);
}

static void several_signers_are_counted_by_key(void **state)
{
	(void)state;
	struct dsse envelope = signed_by_one();
	bool by[3];
	struct error err;
	const struct key *const three[] = {&one, &two, &one};

	assert_int_equal(dsse_verify_all(&envelope, three, 3, by), 1);
	assert_true(by[0] && !by[1] && by[2]);
	assert_int_equal(dsse_sign(&envelope, &one, &err), MALFORMED);
	assert_int_equal(err.rule, R_SIG_COUNT);
	assert_int_equal(dsse_sign(&envelope, &two, &err), OK);
	assert_int_equal(envelope.count, 2);
	assert_true(strcmp(envelope.signatures[0].keyid, envelope.signatures[1].keyid) < 0);
	assert_true(dsse_is_ordered(&envelope));
	assert_int_equal(dsse_verify_all(&envelope, three, 3, by), 2);

	/* A keyid is a hint: the same key's signature twice, once without a keyid, is one key's. */
	envelope.signatures[0].keyid[0] = '\0';
	assert_false(dsse_is_ordered(&envelope));
	assert_int_equal(dsse_verify_all(&envelope, three, 3, by), 2);
	envelope.signatures[1].keyid[0] = '\0';
	bytes_free(&envelope.signatures[0].bytes);
	bytes_add(&envelope.signatures[0].bytes, envelope.signatures[1].bytes.data, envelope.signatures[1].bytes.len);
	assert_int_equal(dsse_verify_all(&envelope, three, 3, by), 1);
	dsse_free(&envelope);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pae_is_the_specifications),
		cmocka_unit_test(pae_counts_bytes_not_characters),
		cmocka_unit_test(any_envelope_of_the_specification_is_read),
		cmocka_unit_test(broken_envelopes_are_refused),
		cmocka_unit_test(the_signing_key_is_found),
		cmocka_unit_test(without_keyid_every_key_is_tried),
		cmocka_unit_test(a_keyid_of_another_key_is_refused),
		cmocka_unit_test(the_payload_type_is_signed),
		cmocka_unit_test(the_vector_of_the_specification_verifies),
		cmocka_unit_test(several_signers_are_counted_by_key),
	};

	return cmocka_run_group_tests(tests, make_keys, free_keys);
}
