/* Ed25519 keys: RFC 8032's vector, PEM in and out, and what is refused. */
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

static void expect_refused(enum key_kind kind, const char *pem, size_t len)
{
	struct key key;
	struct error err;

	assert_int_equal(key_parse(kind, pem, len, "k", &key, &err), MALFORMED);
	assert_int_equal(err.rule, R_KEY_FORM);
	assert_null(key.pkey);
}

static void what_is_no_ed25519_key_is_refused(void **state)
{
	(void)state;
	EVP_PKEY *other = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
	BIO *out = BIO_new(BIO_s_mem());
	char *text = NULL;

	assert_int_equal(PEM_write_bio_PUBKEY(out, other), 1);
	long len = BIO_get_mem_data(out, &text);

	expect_refused(KEY_PUBLIC, text, (size_t)len);
	BIO_free(out);
	EVP_PKEY_free(other);
	expect_refused(KEY_PUBLIC, "", 0);
	expect_refused(KEY_PUBLIC, "hello", 5);
	expect_refused(KEY_PUBLIC, public_pem, strlen(public_pem) / 2);
	expect_refused(KEY_PRIVATE, public_pem, strlen(public_pem));
}

/* Nobody is asked for a passphrase: the program may run where nobody sits. */
static void an_encrypted_key_is_refused(void **state)
{
	(void)state;
	EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
	BIO *out = BIO_new(BIO_s_mem());
	char *text = NULL;

	assert_int_equal(PEM_write_bio_PKCS8PrivateKey(out, key, EVP_aes_256_cbc(), "pass", 4, NULL, NULL), 1);
	long len = BIO_get_mem_data(out, &text);

	expect_refused(KEY_PRIVATE, text, (size_t)len);
	BIO_free(out);
	EVP_PKEY_free(key);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_vector_of_rfc_8032_verifies),
		cmocka_unit_test(the_public_key_is_written_as_it_was_read),
		cmocka_unit_test(a_new_key_signs_after_a_round_trip),
		cmocka_unit_test(what_is_no_ed25519_key_is_refused),
		cmocka_unit_test(an_encrypted_key_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
