/*
 * Ed25519 keys (RFC 8032), private as PKCS#8 PEM (RFC 8410 section 7), public as SubjectPublicKeyInfo PEM (section 4): the
 * forms `openssl pkey` and `openssl pkeyutl` read. Signatures are pure Ed25519 over the whole message, not Ed25519ph.
 *
 * A key's fingerprint is the lowercase hex SHA-256 of its SubjectPublicKeyInfo in DER:
 * `openssl pkey -pubin -in KEY.pem -outform DER | sha256sum`.
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
	KEY_SIGNATURE_BYTES = 64, /* RFC 8032 section 5.1.6 */
};

enum key_kind { KEY_PUBLIC, KEY_PRIVATE };

struct key {
	EVP_PKEY *pkey; /* NULL when empty */
	char fingerprint[SHA256_HEX + 1];
};
void key_free(struct key *key); /* fine on an empty one */

enum status key_generate(struct key *key, struct error *err);

/* Read one key from PEM text; file is its name in messages. An encrypted private key is refused: nobody is asked for a
 * passphrase. */
enum status key_parse(enum key_kind kind, const char *pem, size_t len, const char *file, struct key *key,
                      struct error *err);
/* Read a private key from a file that the user named. What was read is wiped. */
enum status key_read_private(const char *name, struct key *key, struct error *err);
/* Append the key as PEM. Wipe a private one (OPENSSL_cleanse) before freeing it. */
enum status key_write(enum key_kind kind, const struct key *key, struct bytes *out, struct error *err);

/* Do the bytes of a file hold a private key: in PEM, anywhere in them, of whatever type and encrypted too, or the whole of
 * them in DER (RFC 5958, or the older forms of one type)? For hash_files. */
bool key_is_private(const void *data, size_t len);

enum status key_sign(const struct key *key, const void *data, size_t len, uint8_t out[KEY_SIGNATURE_BYTES],
                     struct error *err);
bool key_verify(const struct key *key, const void *data, size_t len, const void *signature, size_t signature_len);

#endif
