/* Ed25519 and P-256 keys: RFC 8032's vector, PEM in and out, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include <openssl/evp.h>
#include <openssl/pem.h>

#include "bundle/key.h"

/* RFC 8032 section 7.1, TEST 2: the public key, as RFC 8410 wraps it; message 72. */
static const char public_pem[] = "-----BEGIN PUBLIC KEY-----\n"
				 "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n"
				 "-----END PUBLIC KEY-----\n";
static const char fingerprint[] = "deb2ded39dc26fce0e6085b6fc34bf6b5941913bbfe2ea614113cff9e004c170";
static const char signature_hex[] = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
				    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";

static void the_vector_of_rfc_8032_verifies(void **state)
{
	(void)state;
	struct key key;
	uint8_t signature[KEY_SIGNATURE_BYTES];
	struct error err;

	assert_int_equal(key_parse(KEY_PUBLIC, public_pem, strlen(public_pem), "k", &key, &err), OK);
	assert_string_equal(key.fingerprint, fingerprint);
	assert_true(hex_decode(signature_hex, signature, sizeof signature));
	assert_true(key_verify(&key, "\x72", 1, signature, sizeof signature));
	assert_false(key_verify(&key, "\x73", 1, signature, sizeof signature));
	assert_false(key_verify(&key, "\x72", 1, signature, sizeof signature - 1));
	assert_false(key_verify(&key, "\x72", 1, "", 0));
	signature[63] ^= 1;
	assert_false(key_verify(&key, "\x72", 1, signature, sizeof signature));
	key_free(&key);
}

static void the_public_key_is_written_as_it_was_read(void **state)
{
	(void)state;
	struct key key;
	struct bytes pem = {0};
	struct error err;

	assert_int_equal(key_parse(KEY_PUBLIC, public_pem, strlen(public_pem), "k", &key, &err), OK);
	assert_int_equal(key_write(KEY_PUBLIC, &key, &pem, &err), OK);
	assert_string_equal(pem.data, public_pem);
	bytes_free(&pem);
	key_free(&key);
}

static void a_new_key_signs_after_a_round_trip(void **state)
{
	(void)state;
	struct key made, read;
	struct bytes pem = {0};
	uint8_t signature[KEY_SIGNATURE_BYTES];
	struct error err;

	assert_int_equal(key_generate(&made, &err), OK);
	assert_int_equal(key_write(KEY_PRIVATE, &made, &pem, &err), OK);
	assert_memory_equal(pem.data, "-----BEGIN " "PRIVATE KEY-----\n", 28); /* PKCS#8, not encrypted */
	assert_int_equal(key_parse(KEY_PRIVATE, pem.data, pem.len, "k", &read, &err), OK);
	assert_string_equal(made.fingerprint, read.fingerprint);
	assert_int_equal(key_sign(&read, "message", 7, signature, &err), OK);
	assert_true(key_verify(&made, "message", 7, signature, sizeof signature));
	bytes_free(&pem);
	key_free(&made);
	key_free(&read);
}

/* The key and the signature of the DSSE specification's test vector (protocol.md, "Test Vectors"): P-256, r and s side by side. */
static const char p256_pem[] = "-----BEGIN PUBLIC KEY-----\n"
			       "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZ805D3eqNZywjCI19lInBJOp7YMr\n"
			       "CrzAH3CVTAOQ0jgMeCvVTiaRJaRPRDOv8UMs6U4SvKc6pnrIDOoSYI3fdA==\n"
			       "-----END PUBLIC KEY-----\n";
static const char p256_message[] = "DSSEv1 29 http://example.com/HelloWorld 11 hello world";
static const char p256_signature[] = "03726ab101ad56c2763b6c6aac8e487275e2a79193a09dc5f859d9f8ef3c4a3b"
				     "51eab0c06a369b64a7222537d4887a893dc200ae21060074d57825235b624864";

static void a_p256_signature_is_taken_in_either_form(void **state)
{
	(void)state;
	struct key key;
	struct bytes der = {0};
	uint8_t raw[64];
	struct error err;

	assert_int_equal(key_parse(KEY_PUBLIC, p256_pem, strlen(p256_pem), "k", &key, &err), OK);
	assert_int_equal(key.type, KEY_P256);
	assert_string_equal(key.fingerprint, "f793580060562d6ff075d814ea698c282fcc779b0cde64d79ffc6301df00d14b");
	assert_true(hex_decode(p256_signature, raw, sizeof raw));
	assert_true(key_verify(&key, p256_message, strlen(p256_message), raw, sizeof raw));
	assert_false(key_signature_is_canonical(&key, raw, sizeof raw));
	assert_true(key_p256_to_der(raw, &der));
	assert_int_equal(der.len, 70);
	assert_true(key_verify(&key, p256_message, strlen(p256_message), der.data, der.len));
	assert_true(key_signature_is_canonical(&key, der.data, der.len));
	assert_false(key_verify(&key, p256_message, strlen(p256_message) - 1, der.data, der.len));
	raw[63] ^= 1;
	assert_false(key_verify(&key, p256_message, strlen(p256_message), raw, sizeof raw));
	memset(raw, 0, 32);
	assert_false(key_p256_to_der(raw, &der));
	bytes_free(&der);
	key_free(&key);
}

/* Of (r, s) anybody can make (r, n - s), which verifies as well: a bundle holds the lower one only. */
static void the_other_p256_signature_is_told_apart(void **state)
{
	(void)state;
	static const char other_hex[] = "03726ab101ad56c2763b6c6aac8e487275e2a79193a09dc5f859d9f8ef3c4a3b"
					"ae154f3e95c9649c58dddac82b7785767f24f9ff86119e101e41a59fa100dced"; /* r, n - s */
	struct key key;
	struct bytes other = {0}, lower = {0};
	uint8_t raw[64];
	struct error err;

	assert_int_equal(key_parse(KEY_PUBLIC, p256_pem, strlen(p256_pem), "k", &key, &err), OK);
	assert_true(hex_decode(other_hex, raw, sizeof raw));
	assert_true(key_p256_to_der(raw, &other));
	assert_true(key_verify(&key, p256_message, strlen(p256_message), other.data, other.len));
	assert_false(key_signature_is_canonical(&key, other.data, other.len));
	assert_true(key_p256_lower(other.data, other.len, &lower));
	assert_true(key_signature_is_canonical(&key, lower.data, lower.len));
	assert_true(hex_decode(p256_signature, raw, sizeof raw));
	other.len = 0;
	assert_true(key_p256_to_der(raw, &other));
	assert_int_equal(lower.len, other.len);
	assert_memory_equal(lower.data, other.data, lower.len);
	assert_false(key_p256_lower(other.data, other.len - 1, &lower));
	assert_false(key_p256_lower("", 0, &lower));
	bytes_free(&other);
	bytes_free(&lower);
	key_free(&key);
}

static void a_new_p256_key_signs_in_the_lower_form(void **state)
{
	(void)state;
	struct key key;
	struct error err;
	uint8_t fixed[KEY_SIGNATURE_BYTES];

	assert_int_equal(key_generate_p256(&key, &err), OK);
	for (int i = 0; i < 32; i++) { /* half of all would be in the other */
		struct bytes signature = {0};

		assert_int_equal(key_signature(&key, "message", 7, &signature, &err), OK);
		assert_true(key_verify(&key, "message", 7, signature.data, signature.len));
		assert_true(key_signature_is_canonical(&key, signature.data, signature.len));
		bytes_free(&signature);
	}
	assert_int_equal(key_sign(&key, "message", 7, fixed, &err), MALFORMED);
	assert_int_equal(err.rule, R_KEY_TYPE);
	key_free(&key);
}

static void expect_refused(enum key_kind kind, const char *pem, size_t len, enum rule rule)
{
	struct key key;
	struct error err;

	assert_int_equal(key_parse(kind, pem, len, "k", &key, &err), MALFORMED);
	assert_int_equal(err.rule, rule);
	assert_null(key.pkey);
}

/* A public key of libcrypto's, freed, in PEM. */
static void expect_public_refused(EVP_PKEY *other)
{
	BIO *out = BIO_new(BIO_s_mem());
	char *text = NULL;

	assert_int_equal(PEM_write_bio_PUBKEY(out, other), 1);
	long len = BIO_get_mem_data(out, &text);

	expect_refused(KEY_PUBLIC, text, (size_t)len, R_KEY_FORM);
	BIO_free(out);
	EVP_PKEY_free(other);
}

static void what_is_none_of_our_keys_is_refused(void **state)
{
	(void)state;
	EVP_PKEY *compressed = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");

	/* One key in two encodings would be two keys by their fingerprints. */
	assert_int_equal(EVP_PKEY_set_utf8_string_param(compressed, "point-format", "compressed"), 1);
	expect_public_refused(compressed);
	expect_public_refused(EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-384"));
	expect_public_refused(EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)1024));
	expect_refused(KEY_PUBLIC, "", 0, R_KEY_FORM);
	expect_refused(KEY_PUBLIC, "hello", 5, R_KEY_FORM);
	expect_refused(KEY_PUBLIC, public_pem, strlen(public_pem) / 2, R_KEY_FORM);
	expect_refused(KEY_PRIVATE, public_pem, strlen(public_pem), R_KEY_FORM);
}

/* Without being told who asks, nobody is asked for a passphrase: the program may run where nobody sits. */
static void an_encrypted_key_is_refused(void **state)
{
	(void)state;
	struct key key;
	struct bytes pass = {.data = (char *)"pass", .len = 4}, out = {0};
	struct error err;

	assert_int_equal(key_generate(&key, &err), OK);
	assert_int_equal(key_write_encrypted(&key, &pass, &out, &err), OK);
	assert_memory_equal(out.data, "-----BEGIN ENCRYPTED " "PRIVATE KEY-----\n", 38);
	assert_true(key_is_private(out.data, out.len));
	expect_refused(KEY_PRIVATE, out.data, out.len, R_KEY_PASSPHRASE);
	bytes_free(&out);
	key_free(&key);
}

static void uris_are_told_from_file_names(void **state)
{
	(void)state;
	assert_true(key_is_uri("pkcs11:object=root;type=private"));
	assert_true(key_is_uri("file:/tmp/key"));
	assert_false(key_is_uri("./pkcs11:key"));
	assert_false(key_is_uri("keys/pkcs11:key"));
	assert_false(key_is_uri("c:key"));
	assert_false(key_is_uri("key.pem"));
	assert_false(key_is_uri(":key"));
	assert_false(key_is_uri("7up:key"));
	assert_false(key_is_uri(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vector_of_rfc_8032_verifies),
		cmocka_unit_test(the_public_key_is_written_as_it_was_read),
		cmocka_unit_test(a_new_key_signs_after_a_round_trip),
		cmocka_unit_test(a_p256_signature_is_taken_in_either_form),
		cmocka_unit_test(the_other_p256_signature_is_told_apart),
		cmocka_unit_test(a_new_p256_key_signs_in_the_lower_form),
		cmocka_unit_test(what_is_none_of_our_keys_is_refused),
		cmocka_unit_test(an_encrypted_key_is_refused),
		cmocka_unit_test(uris_are_told_from_file_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
