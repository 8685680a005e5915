/*
 * Signed notes (c2sp.org/signed-note@v1.0.0) with Ed25519 signatures (type 0x01), and checkpoints (c2sp.org/tlog-checkpoint@v1.0.0), which are
 * such notes. The signature lines stand below the last empty line of a note, one a signer:
 *
 *   — NAME base64(4 bytes of key ID || signature)
 *
 * A key ID is the first four bytes of SHA-256(NAME || 0x0A || 0x01 || public key), big-endian.
 */
#ifndef PTXSEAL_LOG_NOTE_H
#define PTXSEAL_LOG_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"
#include "../bundle/key.h"

enum {
	NOTE_BYTES_MAX = 1 << 20,
	NOTE_SIGNATURES_MAX = 100, /* as Go's sumdb/note; at least 16 have to be taken */
	NOTE_NAME_MAX = 256,       /* bytes of a key's name; our own limit */
	NOTE_KNOWN_MAX = 32,       /* keys a note is opened with */
};

/* A key that may sign notes under a name. Owned; verifier_free. */
struct verifier {
	char *name;
	uint32_t id;
	struct key key; /* public */
};
void verifier_free(struct verifier *verifier); /* fine on an empty one */

/* Can it be the name of a key: UTF-8, not empty, no Unicode space, no control character, no '+', not too long? */
bool note_name_valid(const char *name, size_t len);

/* Read a vkey, "NAME+8 hex digits+base64(0x01 || public key)", without anything around it (R_LOG_VKEY). */
enum status verifier_parse(const char *text, size_t len, const char *file, struct verifier *verifier, struct error *err);
/* The verifier of a key, public or private, under that name. R_LOG_NAME, R_KEY_TYPE (not Ed25519). */
enum status verifier_of(const char *name, const struct key *key, struct verifier *verifier, struct error *err);
/* Append the vkey. */
void verifier_write(const struct verifier *verifier, struct bytes *out);

/* What a note says, once a known key is found to have signed it. */
struct note {
	const char *text; /* within the note, its last newline included */
	size_t len;
	uint32_t signers; /* bit i: known[i] signed it; never 0 */
};

/*
 * Check form (R_LOG_NOTE) and signatures of a note. Signatures under another name or key ID than those known are ignored. One of a known key
 * that does not verify makes the whole note refused (R_LOG_SIGNATURE), as does having none of a known key (R_LOG_UNSIGNED).
 */
enum status note_open(const char *note, size_t len, const char *file, const struct verifier *const *known, size_t count,
                      struct note *out, struct error *err);

/* Append a note of the text with a signature of each key under that name. The text has to end in a newline and hold no control characters
 * but newlines; a text that has not is refused (R_LOG_NOTE). */
struct note_signer {
	const char *name;
	const struct key *key; /* private */
};
enum status note_sign(const char *text, size_t len, const struct note_signer *signers, size_t count, struct bytes *out,
                      struct error *err);

/* The head of a log: its text is three lines (origin, size, base64 of the root hash), and lines of extensions, which we read past and never write. */
struct checkpoint {
	char *origin;
	uint64_t size; /* entries; at most INT64_MAX */
	struct sha256 root;
};
void checkpoint_free(struct checkpoint *checkpoint);

/* The text of a note as a checkpoint (R_LOG_CHECKPOINT). */
enum status checkpoint_parse(const char *text, size_t len, const char *file, struct checkpoint *checkpoint, struct error *err);
/* A whole signed checkpoint: the verifier's signature (note_open), the text, and that its origin is the verifier's name (R_LOG_ORIGIN). */
enum status checkpoint_open(const char *note, size_t len, const char *file, const struct verifier *verifier,
                            struct checkpoint *checkpoint, struct error *err);
/* Append the checkpoint, signed under its origin as name. */
enum status checkpoint_sign(const struct checkpoint *checkpoint, const struct key *key, struct bytes *out, struct error *err);

#endif
