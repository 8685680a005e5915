/*
 * SSH signatures (openssh-portable, PROTOCOL.sshsig, version 1), as `ssh-keygen -Y sign` writes them, and SSH public keys (RFC 4253 section
 * 6.6, RFC 5656 section 3.1, RFC 8709 section 4): for a reviewer who has no other key.
 *
 *   -----BEGIN SSH SIGNATURE-----
 *   base64, lines of 70 characters, of: "SSHSIG", u32 1, string public key, string namespace, string reserved (empty), string hash name, string signature
 *   -----END SSH SIGNATURE-----
 *
 * What is signed: "SSHSIG", string namespace, string reserved, string hash name, string H(message). The namespace is signed, so that a signature made for another purpose
 * is not one for ours.
 */
#ifndef PTXSEAL_BUNDLE_SSHSIG_H
#define PTXSEAL_BUNDLE_SSHSIG_H

#include "key.h"

#define SSHSIG_NAMESPACE "ptxseal-manifest"

enum { SSHSIG_FILE_MAX = 16 << 10, SSH_KEY_FILE_MAX = 16 << 10 };

/* All owned; sshsig_free. */
struct sshsig {
	struct key key; /* the public key that stands in it: who that is, is for trust.json to say */
	char *key_type;  /* "ssh-ed25519", "ecdsa-sha2-nistp256" or "ssh-rsa" */
	struct bytes key_blob;
	char *name_space;
	char *hash;      /* "sha256" or "sha512" */
	char *algorithm; /* of the signature: key_type, or for RSA "rsa-sha2-256" or "rsa-sha2-512" */
	struct bytes signature; /* as libcrypto takes it: 64 bytes of Ed25519, P-256 in DER with the lower s, RSA as it is */
};
void sshsig_free(struct sshsig *signature);

/* Read one, in any armour that ssh-keygen reads; file is its name in messages. R_CSG_FORM, R_CSG_ALGORITHM. */
enum status sshsig_parse(const char *text, size_t len, const char *file, struct sshsig *signature, struct error *err);

/* Append it in the one form a bundle holds, which ssh-keygen reads: its armour, and of the two ECDSA signatures (key.h) the one with the lower s. */
void sshsig_write(const struct sshsig *signature, struct bytes *out);

/* Is it by the key in it, in our namespace (R_CSG_NAMESPACE), of this message (R_CSG_BAD)? what says in messages what was signed. */
enum status sshsig_verify(const struct sshsig *signature, const void *message, size_t len, const char *what, const char *file,
                          struct error *err);

/* Read a public key as it stands in ~/.ssh/id_ed25519.pub: type, base64, comment. */
enum status ssh_key_parse(const char *text, size_t len, const char *file, struct key *key, struct error *err);

#endif
