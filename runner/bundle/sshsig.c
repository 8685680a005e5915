#include "sshsig.h"

#include <stdlib.h>
#include <string.h>

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

static const char magic[] = "SSHSIG"; /* six bytes, no length before them */
static const char head[] = "-----BEGIN SSH SIGNATURE-----\n";
static const char foot[] = "-----END SSH SIGNATURE-----\n";

enum { VERSION = 1, ARMOUR_LINE = 70 /* characters: what ssh-keygen writes */, NUMBER_MAX = 8192 / 8 + 1 };

void sshsig_free(struct sshsig *signature)
{
	key_free(&signature->key);
	free(signature->key_type);
	bytes_free(&signature->key_blob);
	free(signature->name_space);
	free(signature->hash);
	free(signature->algorithm);
	bytes_free(&signature->signature);
	*signature = (struct sshsig){0};
}

/* Wire form, RFC 4251 section 5: a u32 is big endian, a string a u32 and that many bytes. */
struct wire {
	const uint8_t *at;
	size_t left;
};

static bool take_u32(struct wire *wire, uint32_t *value)
{
	if (wire->left < 4)
		return false;
	*value = (uint32_t)wire->at[0] << 24 | (uint32_t)wire->at[1] << 16 | (uint32_t)wire->at[2] << 8 | wire->at[3];
	wire->at += 4;
	wire->left -= 4;
	return true;
}

static bool take_string(struct wire *wire, struct wire *string)
{
	uint32_t len;

	if (!take_u32(wire, &len) || len > wire->left)
		return false;
	*string = (struct wire){.at = wire->at, .left = len};
	wire->at += len;
	wire->left -= len;
	return true;
}

/* A string that is a name: printable ASCII, so that it can be shown and compared. *name is the caller's to free. */
static bool take_name(struct wire *wire, char **name)
{
	struct wire string;

	if (!take_string(wire, &string) || string.left == 0 || string.left > 256)
		return false;
	for (size_t i = 0; i < string.left; i++)
		if (string.at[i] <= ' ' || string.at[i] > '~')
			return false;
	free(*name);
	*name = mem_textn((const char *)string.at, string.left);
	return true;
}

/* An mpint that is not negative and has no needless zero before it: one form a number. The bytes of its value. */
static bool take_number(struct wire *wire, struct wire *number)
{
	if (!take_string(wire, number) || number->left == 0 || number->left > NUMBER_MAX || number->at[0] >= 0x80)
		return false;
	if (number->at[0] == 0) {
		number->at++;
		number->left--;
		return number->left > 0 && number->at[0] >= 0x80;
	}
	return true;
}

static void put_string(const void *data, size_t len, struct bytes *out)
{
	const uint8_t size[4] = {(uint8_t)(len >> 24), (uint8_t)(len >> 16), (uint8_t)(len >> 8), (uint8_t)len};

	bytes_add(out, size, sizeof size);
	bytes_add(out, data, len);
}

static void put_number(const uint8_t *value, size_t len, struct bytes *out)
{
	struct bytes number = {0};

	while (len > 0 && *value == 0) {
		value++;
		len--;
	}
	if (len > 0 && *value >= 0x80)
		bytes_char(&number, '\0');
	bytes_add(&number, value, len);
	put_string(number.data, number.len, out);
	bytes_free(&number);
}

/* Public keys. */

static EVP_PKEY *from_params(const char *type, OSSL_PARAM_BLD *build)
{
	OSSL_PARAM *params = OSSL_PARAM_BLD_to_param(build);
	EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
	EVP_PKEY *pkey = NULL;

	if (params == NULL || context == NULL || EVP_PKEY_fromdata_init(context) != 1 ||
	    EVP_PKEY_fromdata(context, &pkey, EVP_PKEY_PUBLIC_KEY, params) != 1)
		pkey = NULL;
	EVP_PKEY_CTX_free(context);
	OSSL_PARAM_free(params);
	return pkey;
}

static EVP_PKEY *p256_key(const struct wire *point)
{
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	EVP_PKEY *pkey = NULL;

	if (build != NULL && OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0) == 1 &&
	    OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point->at, point->left) == 1)
		pkey = from_params("EC", build);
	OSSL_PARAM_BLD_free(build);
	return pkey;
}

static EVP_PKEY *rsa_key(const struct wire *exponent, const struct wire *modulus)
{
	OSSL_PARAM_BLD *build = OSSL_PARAM_BLD_new();
	BIGNUM *e = BN_bin2bn(exponent->at, (int)exponent->left, NULL), *n = BN_bin2bn(modulus->at, (int)modulus->left, NULL);
	EVP_PKEY *pkey = NULL;

	if (build != NULL && e != NULL && n != NULL && OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
	    OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_RSA_E, e) == 1)
		pkey = from_params("RSA", build);
	BN_free(e);
	BN_free(n);
	OSSL_PARAM_BLD_free(build);
	return pkey;
}

/* What follows the type in a key's blob; false if it is not of the type's form. */
static bool read_key(const char *type, struct wire *wire, EVP_PKEY **pkey)
{
	struct wire first, second;
	char *curve = NULL;
	bool good = false;

	*pkey = NULL;
	if (strcmp(type, "ssh-ed25519") == 0) {
		good = take_string(wire, &first) && first.left == 32;
		if (good)
			*pkey = EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, first.at, first.left);
	} else if (strcmp(type, "ecdsa-sha2-nistp256") == 0) {
		good = take_name(wire, &curve) && strcmp(curve, "nistp256") == 0 && take_string(wire, &first) &&
		       first.left == 65 && first.at[0] == 4;
		if (good)
			*pkey = p256_key(&first);
	} else if (strcmp(type, "ssh-rsa") == 0) {
		good = take_number(wire, &first) && take_number(wire, &second);
		if (good)
			*pkey = rsa_key(&first, &second);
	}
	free(curve);
	ERR_clear_error();
	return good && wire->left == 0 && *pkey != NULL;
}

static bool known_type(const char *type)
{
	return strcmp(type, "ssh-ed25519") == 0 || strcmp(type, "ecdsa-sha2-nistp256") == 0 || strcmp(type, "ssh-rsa") == 0;
}

/* A public key's blob. *type is the caller's to free, also on failure. */
static enum status parse_blob(struct wire blob, const char *file, char **type, struct key *key, struct error *err)
{
	EVP_PKEY *pkey = NULL;

	*key = (struct key){0};
	if (!take_name(&blob, type))
		return error_set(err, R_CSG_FORM, file, "its public key does not say of what type it is");
	if (!known_type(*type))
		return error_set(err, R_CSG_ALGORITHM, file, "its key is of type %s", *type);
	if (!read_key(*type, &blob, &pkey)) {
		EVP_PKEY_free(pkey);
		return error_set(err, R_CSG_FORM, file, "its public key is malformed");
	}
	if (key_adopt(pkey, file, key, err) == OK)
		return OK;
	return error_set(err, R_CSG_ALGORITHM, file, "its %s key is not of a size that is taken", *type);
}

/* Characters up to the next blank or line end. */
static size_t word_len(const char *text, size_t len)
{
	size_t at = 0;

	while (at < len && text[at] != ' ' && text[at] != '\r' && text[at] != '\n')
		at++;
	return at;
}

enum status ssh_key_parse(const char *text, size_t len, const char *file, struct key *key, struct error *err)
{
	size_t type_len = word_len(text, len);
	struct bytes blob = {0};
	char *type = NULL;
	enum status status;

	*key = (struct key){0};
	if (len > SSH_KEY_FILE_MAX || type_len == 0 || type_len + 1 >= len)
		return error_set(err, R_KEY_FORM, file, "it holds no SSH public key");
	const char *base64 = text + type_len + 1;

	if (!base64_decode(base64, word_len(base64, len - type_len - 1), &blob))
		status = error_set(err, R_KEY_FORM, file, "it holds no SSH public key");
	else
		status = parse_blob((struct wire){(const uint8_t *)blob.data, blob.len}, file, &type, key, err);
	if (status == OK && (strlen(type) != type_len || strncmp(type, text, type_len) != 0)) {
		status = error_set(err, R_KEY_FORM, file, "the key is not of the type that stands before it");
		key_free(key);
	}
	free(type);
	bytes_free(&blob);
	return status;
}

/* Signatures. */

/* r and s, as libcrypto takes them, with the lower s. */
static bool read_p256(struct wire wire, struct bytes *out)
{
	uint8_t raw[64] = {0};
	struct wire r, s;
	struct bytes der = {0};

	if (!take_number(&wire, &r) || !take_number(&wire, &s) || wire.left > 0 || r.left > 32 || s.left > 32)
		return false;
	memcpy(raw + 32 - r.left, r.at, r.left);
	memcpy(raw + 64 - s.left, s.at, s.left);
	bool good = key_p256_to_der(raw, &der) && key_p256_lower(der.data, der.len, out);

	bytes_free(&der);
	return good;
}

static bool read_signature(struct sshsig *signature, struct wire wire)
{
	struct wire body;

	if (!take_name(&wire, &signature->algorithm) || !take_string(&wire, &body) || wire.left > 0)
		return false;
	if (signature->key.type == KEY_P256)
		return strcmp(signature->algorithm, signature->key_type) == 0 && read_p256(body, &signature->signature);
	bytes_add(&signature->signature, body.at, body.left);
	if (signature->key.type == KEY_ED25519)
		return strcmp(signature->algorithm, signature->key_type) == 0 && body.left == KEY_SIGNATURE_BYTES;
	return (strcmp(signature->algorithm, "rsa-sha2-256") == 0 || strcmp(signature->algorithm, "rsa-sha2-512") == 0) &&
	       body.left == (size_t)EVP_PKEY_get_size(signature->key.pkey);
}

static enum status read_blob(struct wire wire, const char *file, struct sshsig *signature, struct error *err)
{
	struct wire key, reserved, body;
	uint32_t version;

	if (wire.left < strlen(magic) || memcmp(wire.at, magic, strlen(magic)) != 0)
		return error_set(err, R_CSG_FORM, file, "it does not start with SSHSIG");
	wire.at += strlen(magic);
	wire.left -= strlen(magic);
	if (!take_u32(&wire, &version) || version != VERSION)
		return error_set(err, R_CSG_FORM, file, "it is not of version %d", VERSION);
	if (!take_string(&wire, &key) || !take_name(&wire, &signature->name_space) || !take_string(&wire, &reserved) ||
	    reserved.left > 0 || !take_name(&wire, &signature->hash) || !take_string(&wire, &body) || wire.left > 0)
		return error_set(err, R_CSG_FORM, file, "its fields are not those of an SSH signature");
	if (strcmp(signature->hash, "sha512") != 0 && strcmp(signature->hash, "sha256") != 0)
		return error_set(err, R_CSG_ALGORITHM, file, "the message was hashed with %s", signature->hash);
	enum status status = parse_blob(key, file, &signature->key_type, &signature->key, err);

	if (status != OK)
		return status;
	bytes_add(&signature->key_blob, key.at, key.left);
	if (!read_signature(signature, body))
		return error_set(err, R_CSG_ALGORITHM, file, "what stands as its signature is none of its key's");
	return OK;
}

/* The armour's base64, without its line ends. */
static bool take_armour(const char *text, size_t len, struct bytes *base64)
{
	const char *end;

	if (len < strlen(head) || memcmp(text, head, strlen(head)) != 0)
		return false;
	text += strlen(head);
	len -= strlen(head);
	end = memmem(text, len, foot, strlen(foot) - 1);
	if (end == NULL || (size_t)(text + len - end) > strlen(foot) ||
	    memcmp(end, foot, (size_t)(text + len - end)) != 0)
		return false;
	for (; text < end; text++)
		if (*text != '\n')
			bytes_char(base64, *text);
	return true;
}

enum status sshsig_parse(const char *text, size_t len, const char *file, struct sshsig *signature, struct error *err)
{
	struct bytes base64 = {0}, blob = {0};
	enum status status;

	*signature = (struct sshsig){0};
	if (len > SSHSIG_FILE_MAX)
		status = error_set(err, R_CSG_FORM, file, "the file is too large for a signature");
	else if (!take_armour(text, len, &base64) || base64.len == 0 || !base64_decode(base64.data, base64.len, &blob))
		status = error_set(err, R_CSG_FORM, file, "it is not BEGIN SSH SIGNATURE, base64, END SSH SIGNATURE");
	else
		status = read_blob((struct wire){(const uint8_t *)blob.data, blob.len}, file, signature, err);
	bytes_free(&base64);
	bytes_free(&blob);
	if (status != OK)
		sshsig_free(signature);
	return status;
}

static void put_signature(const struct sshsig *signature, struct bytes *out)
{
	const struct bytes *made = &signature->signature;
	struct bytes body = {0}, both = {0};
	uint8_t raw[64];

	put_string(signature->algorithm, strlen(signature->algorithm), &both);
	if (signature->key.type == KEY_P256 && key_p256_from_der(made->data, made->len, raw)) {
		put_number(raw, 32, &body);
		put_number(raw + 32, 32, &body);
	} else {
		bytes_add(&body, made->data, made->len);
	}
	put_string(body.data, body.len, &both);
	put_string(both.data, both.len, out);
	bytes_free(&body);
	bytes_free(&both);
}

void sshsig_write(const struct sshsig *signature, struct bytes *out)
{
	static const uint8_t version[4] = {0, 0, 0, VERSION};
	struct bytes blob = {0}, base64 = {0};

	bytes_text(&blob, magic);
	bytes_add(&blob, version, sizeof version);
	put_string(signature->key_blob.data, signature->key_blob.len, &blob);
	put_string(signature->name_space, strlen(signature->name_space), &blob);
	put_string("", 0, &blob);
	put_string(signature->hash, strlen(signature->hash), &blob);
	put_signature(signature, &blob);
	base64_encode((const uint8_t *)blob.data, blob.len, &base64);
	bytes_text(out, head);
	for (size_t at = 0; at < base64.len; at += ARMOUR_LINE) {
		size_t left = base64.len - at;

		bytes_add(out, base64.data + at, left < ARMOUR_LINE ? left : ARMOUR_LINE);
		bytes_char(out, '\n');
	}
	bytes_text(out, foot);
	bytes_free(&blob);
	bytes_free(&base64);
}

/* PKCS #1 v1.5 (RFC 8332 section 3). */
static bool verify_rsa(const struct sshsig *signature, const struct bytes *message)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	const EVP_MD *digest = strcmp(signature->algorithm, "rsa-sha2-512") == 0 ? EVP_sha512() : EVP_sha256();
	bool good = context != NULL && EVP_DigestVerifyInit(context, NULL, digest, NULL, signature->key.pkey) == 1 &&
	            EVP_DigestVerify(context, (const uint8_t *)signature->signature.data, signature->signature.len,
	                             (const uint8_t *)message->data, message->len) == 1;

	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good;
}

enum status sshsig_verify(const struct sshsig *signature, const void *message, size_t len, const char *what, const char *file,
                          struct error *err)
{
	struct bytes told = {0};
	unsigned char hash[EVP_MAX_MD_SIZE];
	size_t hash_len = 0;

	if (strcmp(signature->name_space, SSHSIG_NAMESPACE) != 0)
		return error_set(err, R_CSG_NAMESPACE, file, "it is made for the namespace '%s'", signature->name_space);
	if (EVP_Q_digest(NULL, signature->hash, NULL, message, len, hash, &hash_len) != 1)
		return error_set(err, R_KEY_CRYPTO, file, "hashing with %s failed", signature->hash);
	bytes_text(&told, magic);
	put_string(signature->name_space, strlen(signature->name_space), &told);
	put_string("", 0, &told);
	put_string(signature->hash, strlen(signature->hash), &told);
	put_string(hash, hash_len, &told);
	bool good = signature->key.type == KEY_RSA
	                    ? verify_rsa(signature, &told)
	                    : key_verify(&signature->key, told.data, told.len, signature->signature.data, signature->signature.len);

	bytes_free(&told);
	return good ? OK : error_set(err, R_CSG_BAD, file, "it does not sign the bytes that %s has now", what);
}
