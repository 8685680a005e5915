#include "key.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "../base/file.h"

void key_free(struct key *key)
{
	EVP_PKEY_free(key->pkey);
	*key = (struct key){0};
}

/* libcrypto's own words, and an empty error queue for the next one. */
static enum status crypto_error(struct error *err, const char *tried)
{
	char why[256];

	ERR_error_string_n(ERR_peek_last_error(), why, sizeof why);
	ERR_clear_error();
	return error_set(err, R_KEY_CRYPTO, "", "%s: %s", tried, why);
}

static enum status fingerprint(struct key *key, struct error *err)
{
	unsigned char *der = NULL;
	int len = i2d_PUBKEY(key->pkey, &der);

	if (len <= 0)
		return crypto_error(err, "encoding the public key");
	struct sha256 hash = sha256_of(der, (size_t)len);

	OPENSSL_free(der);
	sha256_hex(&hash, key->fingerprint);
	return OK;
}

enum status key_generate(struct key *key, struct error *err)
{
	*key = (struct key){.pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")};
	if (key->pkey == NULL)
		return crypto_error(err, "generating an Ed25519 key");
	enum status status = fingerprint(key, err);

	if (status != OK)
		key_free(key);
	return status;
}

/* Without this, libcrypto would ask at the terminal. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
	(void)buffer, (void)size, (void)writing, (void)context;
	return -1;
}

enum status key_parse(enum key_kind kind, const char *pem, size_t len, const char *file, struct key *key,
                      struct error *err)
{
	*key = (struct key){0};
	if (len > KEY_FILE_MAX)
		return error_set(err, R_KEY_FORM, file, "the file is too large for a key");
	BIO *in = BIO_new_mem_buf(pem, (int)len);

	if (in == NULL)
		return crypto_error(err, "reading a key");
	key->pkey = kind == KEY_PRIVATE ? PEM_read_bio_PrivateKey(in, NULL, no_passphrase, NULL)
	                                : PEM_read_bio_PUBKEY(in, NULL, no_passphrase, NULL);
	BIO_free(in);
	ERR_clear_error();
	if (key->pkey == NULL)
		return error_set(err, R_KEY_FORM, file, "%s",
		                 kind == KEY_PRIVATE ? "it holds no private key in PEM, or one with a passphrase"
		                                     : "it holds no public key in PEM");
	if (!EVP_PKEY_is_a(key->pkey, "ED25519")) {
		error_set(err, R_KEY_FORM, file, "the key is of type %s", EVP_PKEY_get0_type_name(key->pkey));
		key_free(key);
		return MALFORMED;
	}
	enum status status = fingerprint(key, err);

	if (status != OK)
		key_free(key);
	return status;
}

enum status key_write(enum key_kind kind, const struct key *key, struct bytes *out, struct error *err)
{
	BIO *pem = BIO_new(BIO_s_secmem());
	char *text = NULL;
	long len = 0;
	enum status status = OK;

	if (pem != NULL && (kind == KEY_PRIVATE
	                            ? PEM_write_bio_PKCS8PrivateKey(pem, key->pkey, NULL, NULL, 0, NULL, NULL)
	                            : PEM_write_bio_PUBKEY(pem, key->pkey)) == 1)
		len = BIO_get_mem_data(pem, &text);
	if (len > 0)
		bytes_add(out, text, (size_t)len);
	else
		status = crypto_error(err, "writing the key as PEM");
	BIO_free(pem);
	return status;
}

/* Is it one SEQUENCE of DER from first byte to last (X.690 section 8.1.3)? Texts that happen to start with its tag, '0', are told apart
 * without a decoder, which takes a millisecond. */
static bool is_sequence(const unsigned char *der, size_t len)
{
	size_t head = 2, body;

	if (len < 2 || der[0] != 0x30)
		return false;
	body = der[1];
	if (body > 0x80 && body <= 0x84 && len >= 2 + (body & 0x7F)) {
		head += body & 0x7F;
		body = 0;
		for (size_t i = 2; i < head; i++)
			body = body << 8 | der[i];
	}
	return head + body == len;
}

bool key_is_private(const void *data, size_t len)
{
	static const char marker[] = "PRIVATE KEY-----"; /* RFC 7468 sections 10 and 11; OpenSSL and OpenSSH alike */
	const unsigned char *der = data;
	EVP_PKEY *pkey = NULL;

	if (memmem(data, len, marker, strlen(marker)) != NULL)
		return true;
	if (len <= KEY_FILE_MAX && is_sequence(der, len))
		pkey = d2i_AutoPrivateKey(NULL, &der, (long)len);
	ERR_clear_error();
	EVP_PKEY_free(pkey);
	return pkey != NULL;
}

enum status key_sign(const struct key *key, const void *data, size_t len, uint8_t out[KEY_SIGNATURE_BYTES],
                     struct error *err)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	size_t out_len = KEY_SIGNATURE_BYTES;
	bool made = context != NULL && EVP_DigestSignInit(context, NULL, NULL, NULL, key->pkey) == 1 &&
	            EVP_DigestSign(context, out, &out_len, data, len) == 1 && out_len == KEY_SIGNATURE_BYTES;

	EVP_MD_CTX_free(context);
	return made ? OK : crypto_error(err, "signing");
}

bool key_verify(const struct key *key, const void *data, size_t len, const void *signature, size_t signature_len)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool good = context != NULL && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key->pkey) == 1 &&
	            EVP_DigestVerify(context, signature, signature_len, data, len) == 1;

	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good;
}

enum status key_read_private(const char *name, struct key *key, struct error *err)
{
	struct bytes pem = {0};
	enum status status;

	/* Reserved at once, so that no copy of it is left behind by growing. */
	bytes_reserve(&pem, 2 * KEY_FILE_MAX);
	status = file_read(name, KEY_FILE_MAX, &pem, err);
	if (status == OK)
		status = key_parse(KEY_PRIVATE, pem.data, pem.len, name, key, err);
	OPENSSL_cleanse(pem.data, pem.room);
	bytes_free(&pem);
	return status;
}
