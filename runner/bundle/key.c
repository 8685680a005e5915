#include "key.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/store.h>
#include <openssl/ui.h>
#include <openssl/x509.h>

#include "../base/file.h"

enum {
	/* SubjectPublicKeyInfo of an Ed25519 key, RFC 8410 section 4, and of a P-256 key with a named curve and an
	 * uncompressed point, RFC 5480 section 2. */
	ED25519_INFO = 44,
	P256_INFO = 91,
	P256_POINT = 26, /* where the point begins in it */
	UNCOMPRESSED = 4, /* its first byte, SEC 1 section 2.3.3 */
	P256_HALF = 32, /* bytes of r and of s */
	RSA_BITS_MIN = 2048,
	RSA_BITS_MAX = 8192,
	ENCRYPTION_ROUNDS = 600000, /* of PBKDF2 with HMAC-SHA-256: OWASP's Password Storage Cheat Sheet */
};

void key_free(struct key *key)
{
	EVP_PKEY_free(key->pkey);
	*key = (struct key){0};
}

const char *key_type_name(enum key_type type)
{
	return type == KEY_ED25519 ? "Ed25519" : type == KEY_P256 ? "P-256" : "RSA";
}

/* libcrypto's own words, and an empty error queue for the next one. */
static enum status crypto_error(struct error *err, const char *tried)
{
	char why[256];

	ERR_error_string_n(ERR_peek_last_error(), why, sizeof why);
	ERR_clear_error();
	return error_set(err, R_KEY_CRYPTO, "", "%s: %s", tried, why);
}

static bool is_p256(const EVP_PKEY *pkey)
{
	char group[32];
	size_t len;

	return EVP_PKEY_is_a(pkey, "EC") && EVP_PKEY_get_group_name(pkey, group, sizeof group, &len) == 1 &&
	       strcmp(group, "prime256v1") == 0;
}

/* Type and fingerprint; false (told) if it is of none of our types. */
static enum status identify(struct key *key, const char *file, struct error *err)
{
	unsigned char *der = NULL;
	int len = i2d_PUBKEY(key->pkey, &der);
	enum status status = OK;

	if (len <= 0)
		return crypto_error(err, "encoding the public key");
	if (EVP_PKEY_is_a(key->pkey, "ED25519") && len == ED25519_INFO)
		key->type = KEY_ED25519;
	else if (is_p256(key->pkey) && len == P256_INFO && der[P256_POINT] == UNCOMPRESSED)
		key->type = KEY_P256;
	else if (EVP_PKEY_is_a(key->pkey, "RSA") && EVP_PKEY_get_bits(key->pkey) >= RSA_BITS_MIN &&
	         EVP_PKEY_get_bits(key->pkey) <= RSA_BITS_MAX)
		key->type = KEY_RSA;
	else if (is_p256(key->pkey))
		status = error_set(err, R_KEY_FORM, file, "the P-256 key is not in its usual encoding");
	else
		status = error_set(err, R_KEY_FORM, file, "the key is of type %s, %d bits", EVP_PKEY_get0_type_name(key->pkey),
		                   EVP_PKEY_get_bits(key->pkey));
	if (status == OK) {
		struct sha256 hash = sha256_of(der, (size_t)len);

		sha256_hex(&hash, key->fingerprint);
	}
	OPENSSL_free(der);
	ERR_clear_error();
	return status;
}

enum status key_adopt(EVP_PKEY *pkey, const char *file, struct key *key, struct error *err)
{
	*key = (struct key){.pkey = pkey};
	enum status status = identify(key, file, err);

	if (status != OK)
		key_free(key);
	return status;
}

enum status key_generate(struct key *key, struct error *err)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");

	*key = (struct key){0};
	return pkey != NULL ? key_adopt(pkey, "", key, err) : crypto_error(err, "generating an Ed25519 key");
}

enum status key_generate_p256(struct key *key, struct error *err)
{
	EVP_PKEY *pkey = EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");

	*key = (struct key){0};
	return pkey != NULL ? key_adopt(pkey, "", key, err) : crypto_error(err, "generating a P-256 key");
}

/* Who gives the passphrase, and what came of asking. */
struct asking {
	key_ask *ask; /* NULL: nobody */
	void *context;
	const char *name;
	bool asked;
	enum status status; /* of ask, if asked */
	struct error *err;
};

/* libcrypto's callback: without one it would itself ask at the terminal. */
static int give_passphrase(char *buffer, int size, int writing, void *context)
{
	struct asking *asking = context;
	struct bytes passphrase = {0};
	int len = -1;

	(void)writing;
	if (asking->asked && asking->status != OK)
		return -1; /* once is enough */
	asking->asked = true;
	if (asking->ask == NULL)
		return -1;
	bytes_reserve(&passphrase, KEY_PASSPHRASE_MAX + 1);
	asking->status = asking->ask(asking->context, asking->name, &passphrase, asking->err);
	if (asking->status == OK && passphrase.len <= (size_t)size) {
		memcpy(buffer, passphrase.data, passphrase.len);
		len = (int)passphrase.len;
	}
	OPENSSL_cleanse(passphrase.data, passphrase.room);
	bytes_free(&passphrase);
	return len;
}

/* Why a key could not be read, where a passphrase was needed. */
static enum status passphrase_error(const struct asking *asking)
{
	if (asking->ask == NULL)
		return error_set(asking->err, R_KEY_PASSPHRASE, asking->name, "the key is encrypted, and no passphrase is at hand");
	if (asking->status != OK)
		return asking->status;
	return error_set(asking->err, R_KEY_PASSPHRASE, asking->name, "this is not its passphrase");
}

static enum status parse(enum key_kind kind, const char *pem, size_t len, struct asking *asking, struct key *key)
{
	*key = (struct key){0};
	if (len > KEY_FILE_MAX)
		return error_set(asking->err, R_KEY_FORM, asking->name, "the file is too large for a key");
	BIO *in = BIO_new_mem_buf(pem, (int)len);

	if (in == NULL)
		return crypto_error(asking->err, "reading a key");
	EVP_PKEY *pkey = kind == KEY_PRIVATE ? PEM_read_bio_PrivateKey(in, NULL, give_passphrase, asking)
	                                     : PEM_read_bio_PUBKEY(in, NULL, give_passphrase, asking);

	BIO_free(in);
	ERR_clear_error();
	if (pkey == NULL && asking->asked)
		return passphrase_error(asking);
	if (pkey == NULL)
		return error_set(asking->err, R_KEY_FORM, asking->name, "it holds no %s key in PEM",
		                 kind == KEY_PRIVATE ? "private" : "public");
	enum status status = key_adopt(pkey, asking->name, key, asking->err);

	if (status == OK && kind == KEY_PRIVATE && key->type == KEY_RSA) {
		status = error_set(asking->err, R_KEY_FORM, asking->name, "the key is of type RSA");
		key_free(key);
	}
	return status;
}

enum status key_parse(enum key_kind kind, const char *pem, size_t len, const char *file, struct key *key,
                      struct error *err)
{
	return parse(kind, pem, len, &(struct asking){.name = file, .err = err}, key);
}

static enum status read_file(struct asking *asking, struct key *key)
{
	struct bytes pem = {0};
	enum status status;

	*key = (struct key){0};
	/* Reserved at once, so that no copy of it is left behind by growing. */
	bytes_reserve(&pem, 2 * KEY_FILE_MAX);
	status = file_read(asking->name, KEY_FILE_MAX, &pem, asking->err);
	if (status == OK)
		status = parse(KEY_PRIVATE, pem.data, pem.len, asking, key);
	OPENSSL_cleanse(pem.data, pem.room);
	bytes_free(&pem);
	return status;
}

enum status key_read_private(const char *name, struct key *key, struct error *err)
{
	return read_file(&(struct asking){.name = name, .err = err}, key);
}

bool key_is_uri(const char *name)
{
	size_t len = strcspn(name, ":");

	/* The program never sets a locale: isalpha knows ASCII only. */
	if (name[len] == '\0' || len < 2 || !isalpha((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)name[i]) && strchr("+-.", name[i]) == NULL)
			return false;
	return true;
}

/* The one private key that the store holds under that URI. */
static enum status load_one(OSSL_STORE_CTX *store, struct asking *asking, EVP_PKEY **pkey)
{
	size_t found = 0;

	while (!OSSL_STORE_eof(store) && found < 2) {
		OSSL_STORE_INFO *info = OSSL_STORE_load(store);

		if (info == NULL && OSSL_STORE_error(store))
			break;
		if (info != NULL && OSSL_STORE_INFO_get_type(info) == OSSL_STORE_INFO_PKEY && found++ == 0)
			*pkey = OSSL_STORE_INFO_get1_PKEY(info);
		OSSL_STORE_INFO_free(info);
	}
	if (found == 1)
		return OK;
	EVP_PKEY_free(*pkey);
	*pkey = NULL;
	if (found == 0 && asking->asked)
		return passphrase_error(asking);
	return error_set(asking->err, R_KEY_STORE, asking->name, found == 0 ? "there is no private key" : "there are several private keys");
}

static enum status read_store(struct asking *asking, struct key *key)
{
	UI_METHOD *prompt = UI_UTIL_wrap_read_pem_callback(give_passphrase, 0);
	OSSL_STORE_CTX *store = prompt != NULL ? OSSL_STORE_open(asking->name, prompt, asking, NULL, NULL) : NULL;
	EVP_PKEY *pkey = NULL;
	enum status status;

	*key = (struct key){0};
	if (store == NULL) {
		char why[256];

		ERR_error_string_n(ERR_peek_last_error(), why, sizeof why);
		status = error_set(asking->err, R_KEY_STORE, asking->name, "it cannot be opened: %s", why);
	} else {
		OSSL_STORE_expect(store, OSSL_STORE_INFO_PKEY);
		status = load_one(store, asking, &pkey);
		OSSL_STORE_close(store);
	}
	UI_destroy_method(prompt);
	ERR_clear_error();
	if (status == OK)
		status = key_adopt(pkey, asking->name, key, asking->err);
	if (status == OK && key->type == KEY_RSA) {
		status = error_set(asking->err, R_KEY_FORM, asking->name, "the key is of type RSA");
		key_free(key);
	}
	return status;
}

enum status key_open_private(const char *name, key_ask *ask, void *context, struct key *key, struct error *err)
{
	struct asking asking = {.ask = ask, .context = context, .name = name, .err = err};

	return key_is_uri(name) ? read_store(&asking, key) : read_file(&asking, key);
}

/* Append what stands in a memory BIO, which is freed; made says whether it was written. */
static enum status take_text(BIO *pem, bool made, struct bytes *out, struct error *err)
{
	char *text = NULL;
	long len = made ? BIO_get_mem_data(pem, &text) : 0;
	enum status status = OK;

	if (len > 0)
		bytes_add(out, text, (size_t)len);
	else
		status = crypto_error(err, "writing the key as PEM");
	BIO_free(pem);
	return status;
}

enum status key_write(enum key_kind kind, const struct key *key, struct bytes *out, struct error *err)
{
	BIO *pem = BIO_new(BIO_s_secmem());
	bool made = pem != NULL && (kind == KEY_PRIVATE
	                                    ? PEM_write_bio_PKCS8PrivateKey(pem, key->pkey, NULL, NULL, 0, NULL, NULL)
	                                    : PEM_write_bio_PUBKEY(pem, key->pkey)) == 1;

	return take_text(pem, made, out, err);
}

enum status key_write_encrypted(const struct key *key, const struct bytes *passphrase, struct bytes *out, struct error *err)
{
	PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(key->pkey);
	X509_SIG *encrypted = NULL;
	BIO *pem = BIO_new(BIO_s_mem());

	/* -1: PBES2, with HMAC-SHA-256 for its PBKDF2 and a salt of its own making. */
	if (info != NULL)
		encrypted = PKCS8_encrypt(-1, EVP_aes_256_cbc(), passphrase->data, (int)passphrase->len, NULL, 0,
		                          ENCRYPTION_ROUNDS, info);
	bool made = encrypted != NULL && pem != NULL && PEM_write_bio_PKCS8(pem, encrypted) == 1;

	X509_SIG_free(encrypted);
	PKCS8_PRIV_KEY_INFO_free(info);
	return take_text(pem, made, out, err);
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

/* FIPS 186-4 section D.1.2.3: half the order of P-256, rounded down, and the order. */
static const uint8_t half_order[P256_HALF] = {0x7f, 0xff, 0xff, 0xff, 0x80, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff,
                                              0xff, 0xff, 0xff, 0xff, 0xff, 0xde, 0x73, 0x7d, 0x56, 0xd3, 0x8b,
                                              0xcf, 0x42, 0x79, 0xdc, 0xe5, 0x61, 0x7e, 0x31, 0x92, 0xa8};
static const uint8_t order[P256_HALF] = {0xff, 0xff, 0xff, 0xff, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xff,
                                         0xff, 0xff, 0xff, 0xff, 0xff, 0xbc, 0xe6, 0xfa, 0xad, 0xa7, 0x17,
                                         0x9e, 0x84, 0xf3, 0xb9, 0xca, 0xc2, 0xfc, 0x63, 0x25, 0x51};

bool key_p256_from_der(const void *der, size_t len, uint8_t raw[64])
{
	const unsigned char *at = der;
	ECDSA_SIG *pair = len <= LONG_MAX ? d2i_ECDSA_SIG(NULL, &at, (long)len) : NULL;
	bool good = pair != NULL && at == (const unsigned char *)der + len &&
	            BN_bn2binpad(ECDSA_SIG_get0_r(pair), raw, P256_HALF) == P256_HALF &&
	            BN_bn2binpad(ECDSA_SIG_get0_s(pair), raw + P256_HALF, P256_HALF) == P256_HALF;

	ECDSA_SIG_free(pair);
	ERR_clear_error();
	return good;
}

static void to_der(const uint8_t r[P256_HALF], const uint8_t s[P256_HALF], struct bytes *out)
{
	ECDSA_SIG *pair = ECDSA_SIG_new();
	BIGNUM *first = BN_bin2bn(r, P256_HALF, NULL), *second = BN_bin2bn(s, P256_HALF, NULL);
	unsigned char *der = NULL;

	if (pair == NULL || first == NULL || second == NULL || ECDSA_SIG_set0(pair, first, second) != 1)
		mem_lacking();
	int len = i2d_ECDSA_SIG(pair, &der);

	if (len <= 0)
		mem_lacking();
	bytes_add(out, der, (size_t)len);
	OPENSSL_free(der);
	ECDSA_SIG_free(pair);
}

bool key_p256_to_der(const uint8_t raw[64], struct bytes *out)
{
	static const uint8_t zero[P256_HALF];

	if (memcmp(raw, zero, P256_HALF) == 0 || memcmp(raw + P256_HALF, zero, P256_HALF) == 0)
		return false; /* neither r nor s is ever zero: FIPS 186-4 section 6.4 */
	to_der(raw, raw + P256_HALF, out);
	return true;
}

bool key_p256_lower(const void *der, size_t len, struct bytes *out)
{
	uint8_t raw[2 * P256_HALF];
	uint8_t *r = raw, *s = raw + P256_HALF;

	if (!key_p256_from_der(der, len, raw) || memcmp(s, order, P256_HALF) >= 0)
		return false;
	if (memcmp(s, half_order, P256_HALF) > 0) {
		int borrow = 0;

		for (size_t i = P256_HALF; i-- > 0;) {
			int difference = order[i] - s[i] - borrow;

			borrow = difference < 0;
			s[i] = (uint8_t)(difference + (borrow << 8));
		}
	}
	to_der(r, s, out);
	return true;
}

bool key_signature_is_canonical(const struct key *key, const void *signature, size_t len)
{
	struct bytes lower = {0};
	bool same = key->type == KEY_ED25519 ||
	            (key->type == KEY_P256 && key_p256_lower(signature, len, &lower) && lower.len == len &&
	             memcmp(lower.data, signature, len) == 0);

	bytes_free(&lower);
	return same;
}

static const EVP_MD *digest_of(const struct key *key)
{
	return key->type == KEY_ED25519 ? NULL : EVP_sha256();
}

/*
 * By the provider that holds the key, if it can. Else libcrypto takes the first provider that does such signatures and can be given the key, and a device that gives the public half away
 * (a TPM does) would have it sign without the private one.
 */
static bool begin_signing(const struct key *key, EVP_MD_CTX *context)
{
	const OSSL_PROVIDER *holder = EVP_PKEY_get0_provider(key->pkey);
	char *properties = holder != NULL ? mem_format("?provider=%s", OSSL_PROVIDER_get0_name(holder)) : NULL;
	const bool begun = EVP_DigestSignInit_ex(context, NULL, key->type == KEY_ED25519 ? NULL : "SHA256", NULL, properties, key->pkey, NULL) == 1;

	free(properties);
	return begun;
}

enum status key_signature(const struct key *key, const void *data, size_t len, struct bytes *out, struct error *err)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	uint8_t made[128]; /* a P-256 signature has 72 bytes at most */
	size_t made_len = sizeof made;
	bool good = key->type != KEY_RSA && context != NULL &&
	            begin_signing(key, context) && EVP_DigestSign(context, made, &made_len, data, len) == 1;

	EVP_MD_CTX_free(context);
	if (good && key->type == KEY_ED25519)
		bytes_add(out, made, made_len);
	else if (good)
		good = key_p256_lower(made, made_len, out);
	return good ? OK : crypto_error(err, "signing");
}

enum status key_sign(const struct key *key, const void *data, size_t len, uint8_t out[KEY_SIGNATURE_BYTES],
                     struct error *err)
{
	struct bytes made = {0};

	if (key->type != KEY_ED25519)
		return error_set(err, R_KEY_TYPE, "", "the key is of type %s; Ed25519 is needed", key_type_name(key->type));
	enum status status = key_signature(key, data, len, &made, err);

	if (status == OK && made.len != KEY_SIGNATURE_BYTES)
		status = crypto_error(err, "signing");
	if (status == OK)
		memcpy(out, made.data, KEY_SIGNATURE_BYTES);
	bytes_free(&made);
	return status;
}

static bool verify(const struct key *key, const void *data, size_t len, const void *signature, size_t signature_len)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool good = context != NULL && EVP_DigestVerifyInit(context, NULL, digest_of(key), NULL, key->pkey) == 1 &&
	            EVP_DigestVerify(context, signature, signature_len, data, len) == 1;

	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good;
}

bool key_verify(const struct key *key, const void *data, size_t len, const void *signature, size_t signature_len)
{
	struct bytes der = {0};
	bool good = key->type != KEY_RSA && verify(key, data, len, signature, signature_len);

	if (!good && key->type == KEY_P256 && signature_len == 2 * P256_HALF && key_p256_to_der(signature, &der))
		good = verify(key, data, len, der.data, der.len);
	bytes_free(&der);
	return good;
}
