/*
 * DSSE envelopes 1.0.2 (github.com/secure-systems-lab/dsse, envelope.md and protocol.md): JSON with a payload, its type, and
 * signatures over the pre-authentication encoding of both.
 *
 * Here a signature is Ed25519 or P-256 and a keyid is the key's fingerprint (key.h). The keyid is a hint for finding the key and
 * never decides anything; but one that names another key than the one that verifies is refused.
 */
#ifndef PTXSEAL_BUNDLE_DSSE_H
#define PTXSEAL_BUNDLE_DSSE_H

#include <stdbool.h>
#include <stddef.h>

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "key.h"

enum { DSSE_FILE_MAX = 64 << 20, DSSE_SIGNATURES_MAX = 64 };

struct dsse_signature {
	char *keyid; /* "" if the envelope gives none */
	struct bytes bytes;
};

/* All owned; dsse_free. */
struct dsse {
	struct bytes payload;
	char *payload_type;
	struct dsse_signature *signatures;
	size_t count;
};
void dsse_free(struct dsse *envelope);

/* Append PAE(type, body) = "DSSEv1" SP LEN(type) SP type SP LEN(body) SP body; LEN counts bytes, in decimal. */
void dsse_pae(const char *type, const void *body, size_t len, struct bytes *out);

/* Read any DSSE envelope as the specification has it: fields it does not know are ignored, keyid may be absent, null or
 * empty, base64 may be standard or URL-safe. */
enum status dsse_parse(const char *text, size_t len, const char *file, struct dsse *envelope, struct error *err);

/* The same of an envelope that stands in a larger document. */
enum status dsse_read(const cJSON *tree, const char *file, struct dsse *envelope, struct error *err);

/* Append the one form a bundle holds: canonical JSON, no other fields, standard base64, one newline. */
void dsse_write(const struct dsse *envelope, struct bytes *out);

/* Add the key's signature, before those whose keyid sorts after its own. A key signs once (R_SIG_COUNT). */
enum status dsse_sign(struct dsse *envelope, const struct key *key, struct error *err);

/* Is it signed as a bundle has it: every signature names its key, they are sorted by that, and no key signs twice? So that
 * of a payload and its signers there is one envelope only. */
bool dsse_is_ordered(const struct dsse *envelope);

/* Which of the keys have signed the payload: signed_by[i] for each, and returned how many distinct ones that are, for a threshold to be held against. A
 * key counts once, however often it stands there and whatever keyids say. A signature with a keyid is tried with that key only, one without with all. */
size_t dsse_verify_all(const struct dsse *envelope, const struct key *const *keys, size_t count, bool *signed_by);

/* The first of the keys that has signed the payload, or NULL. */
const struct key *dsse_verify(const struct dsse *envelope, const struct key *const *keys, size_t count);

#endif
