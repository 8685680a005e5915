/*
 * Keys: Ed25519 (RFC 8032), our own kind, and ECDSA on P-256 with SHA-256 (FIPS 186-4), for tools that take only that. Private
 * ones as PKCS#8 PEM (RFC 5958, RFC 8410 section 7), encrypted (PBES2) or not, or in a store that an OpenSSL provider opens
 * (PKCS#11, RFC 7512); public ones as SubjectPublicKeyInfo PEM: the forms `openssl pkey` and `openssl pkeyutl` read.
 *
 * An Ed25519 signature is pure Ed25519 over the whole message, not Ed25519ph, 64 bytes. A P-256 signature is over the message's SHA-256, in DER
 * (RFC 3279 section 2.2.3), of which we write and bundles hold the one with s in the lower half: of an ECDSA signature (r, s) anybody can make the other, (r, n - s).
 *
 * A key's fingerprint is the lowercase hex SHA-256 of its SubjectPublicKeyInfo in DER:
 * `openssl pkey -pubin -in KEY.pem -outform DER | sha256sum`. A P-256 key is read only in its usual encoding (named curve, uncompressed point), so that
 * one key has one fingerprint.
 */
#ifndef PTXSEAL_BUNDLE_KEY_H
#define PTXSEAL_BUNDLE_KEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"

enum {
	KEY_FILE_MAX = 16 << 10,  /* bytes of a PEM file */
	KEY_SIGNATURE_BYTES = 64, /* of Ed25519: RFC 8032 section 5.1.6 */
	KEY_PASSPHRASE_MAX = 1024, /* bytes of a passphrase: OpenSSL's own limit (PEM_BUFSIZE) */
};

enum key_kind { KEY_PUBLIC, KEY_PRIVATE };

enum key_type {
	KEY_ED25519,
	KEY_P256,
	KEY_RSA, /* 2048 to 8192 bits; public only, and only of reviewers who sign with ssh-keygen (sshsig.h) */
};

struct key {
	EVP_PKEY *pkey; /* NULL when empty */
	enum key_type type;
	char fingerprint[SHA256_HEX + 1];
};
void key_free(struct key *key); /* fine on an empty one */

/* "Ed25519", "P-256", "RSA" */
const char *key_type_name(enum key_type type);

enum status key_generate(struct key *key, struct error *err); /* Ed25519 */
enum status key_generate_p256(struct key *key, struct error *err);

/* Take over a key that libcrypto made or found, also on failure. file is for messages. */
enum status key_adopt(EVP_PKEY *pkey, const char *file, struct key *key, struct error *err);

/* Read one key from PEM text; file is its name in messages. An encrypted private key is refused (R_KEY_PASSPHRASE). */
enum status key_parse(enum key_kind kind, const char *pem, size_t len, const char *file, struct key *key,
                      struct error *err);
/* Read a private key from a file that the user named. What was read is wiped. An encrypted one is refused: nobody is asked
 * for a passphrase. */
enum status key_read_private(const char *name, struct key *key, struct error *err);

/* Called when a passphrase is needed for name: put it into out (KEY_PASSPHRASE_MAX bytes at most), which the caller wipes. */
typedef enum status key_ask(void *context, const char *name, struct bytes *out, struct error *err);

/* True if name is a URI (RFC 3986 section 3.1: SCHEME ":", a scheme of at least two characters), and not the name of a file: a file of such a name is
 * written ./NAME. */
bool key_is_uri(const char *name);

/* Read a private key: from a PEM file, or, where name is a URI, from the store it leads to through OSSL_STORE, so that its
 * private half may never leave its device. Every provider that the OpenSSL configuration loads may serve it. ask gives passphrase or PIN. */
enum status key_open_private(const char *name, key_ask *ask, void *context, struct key *key, struct error *err);

/* Append the key as PEM. Wipe a private one (OPENSSL_cleanse) before freeing it. */
enum status key_write(enum key_kind kind, const struct key *key, struct bytes *out, struct error *err);
/* The private half, encrypted with the passphrase: PKCS#8 with PBES2, PBKDF2 with HMAC-SHA-256 (600,000 rounds), AES-256-CBC. */
enum status key_write_encrypted(const struct key *key, const struct bytes *passphrase, struct bytes *out, struct error *err);

/* Do the bytes of a file hold a private key: in PEM, anywhere in them, of whatever type and encrypted too, or the whole of
 * them in DER (RFC 5958, or the older forms of one type)? For hash_files. */
bool key_is_private(const void *data, size_t len);

/* An Ed25519 signature, for forms that have room for 64 bytes; another type of key is refused (R_KEY_TYPE). */
enum status key_sign(const struct key *key, const void *data, size_t len, uint8_t out[KEY_SIGNATURE_BYTES],
                     struct error *err);
/* Append a signature by a key of either type. */
enum status key_signature(const struct key *key, const void *data, size_t len, struct bytes *out, struct error *err);

/* A P-256 signature may also be r || s in 64 bytes (IEEE P1363), as DSSE's test vector has it: what is no signature in DER is tried as that. False for RSA
 * keys, always. */
bool key_verify(const struct key *key, const void *data, size_t len, const void *signature, size_t signature_len);
/* Is it the one form in which a bundle holds a good signature of that key: Ed25519, or P-256 in DER with the lower s? */
bool key_signature_is_canonical(const struct key *key, const void *signature, size_t len);

/* P-256: append r || s, 32 bytes each, as the one signature in DER, and back. False if there is no such. */
bool key_p256_to_der(const uint8_t raw[64], struct bytes *out);
bool key_p256_from_der(const void *der, size_t len, uint8_t raw[64]);
/* Append the one signature in DER that a bundle holds, for any in DER. False if it is none. */
bool key_p256_lower(const void *der, size_t len, struct bytes *out);

#endif
