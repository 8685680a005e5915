/*
 * An append-only log: a Merkle tree over its entries, kept as static files in one directory beneath a root (c2sp.org/tlog-tiles).
 *
 *   checkpoint      size and root hash, signed by the log's key (note.h)
 *   vkey            that key, for people and for convenience: what a stranger trusts, he has from elsewhere or from trust.json
 *   tile/           hashes and entries (tile.h)
 *   unfinished      stands there only while entries are being appended
 *
 * Whoever appends holds a lock on the directory. The tiles are written first and the checkpoint last, which is what makes the new entries count; so an append
 * that was killed has appended all of its entries or none. What it left is removed by the next append, and audit tells of it.
 * Partial tiles of earlier checkpoints stay until their tile is full, as the specification asks.
 */
#ifndef PTXSEAL_LOG_TLOG_H
#define PTXSEAL_LOG_TLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/file.h"
#include "../bundle/finding.h"
#include "merkle.h"
#include "note.h"
#include "tile.h"

#define TLOG_CHECKPOINT "checkpoint"
#define TLOG_VKEY "vkey"
#define TLOG_UNFINISHED "unfinished"
#define TLOG_PROOF_HEAD "c2sp.org/tlog-proof@v1"

enum {
	TLOG_PROOF_BYTES_MAX = NOTE_BYTES_MAX + 8192,
};

/* A log at one of its checkpoints, whose signature has been checked. Owned; tlog_close. */
struct tlog {
	const struct root *root;
	char *prefix; /* of its files, from the root: "" or ending in '/' */
	struct verifier verifier;
	struct checkpoint head;
	struct bytes note; /* the checkpoint as it stands in the file */
	struct { /* the last tile of hashes that was read of each level */
		struct tile tile; /* width 0: none */
		struct sha256 *hashes;
	} cache[TILE_LEVELS];
};

/* Begin an empty log in a directory, which is made where it is missing; where there is a checkpoint already it is refused (R_LOG_EXISTS).
 * prefix: "" or a path ending in '/'. origin: the log's name, and its key's (R_LOG_NAME). */
enum status tlog_create(const struct root *root, const char *prefix, const char *origin, const struct key *key, struct error *err);

/* Open a log and check its checkpoint with the verifier, which is copied; NULL: with the one in its file vkey. root has to outlive it.
 * Nothing but the checkpoint is checked: what is read from tiles later is checked against it then. */
enum status tlog_open(const struct root *root, const char *prefix, const struct verifier *verifier, struct tlog *log,
                      struct error *err);
void tlog_close(struct tlog *log); /* fine on a closed one */

/*
 * Append entries and sign the new checkpoint; key has to be the one whose signature the old one bears (R_LOG_KEY). *index: where the first of them
 * stands; log is then at the new checkpoint. Refused before the first write: an entry that is too long (R_LOG_ENTRY), another append at work (R_LOG_BUSY),
 * tiles that do not lead to the checkpoint (R_LOG_TILE, R_LOG_ENTRIES). After a failed write the log is as it was. One entry reads and writes one tile a level.
 */
enum status tlog_append(struct tlog *log, const struct entry *entries, size_t count, const struct key *key, uint64_t *index,
                        struct error *err);
/* The same for one entry, unless its very bytes stand in the log: *index is then where, and *appended false. For work that may have been killed and is done
 * again. Reads every tile of level 0. */
enum status tlog_append_once(struct tlog *log, const void *entry, size_t len, const struct key *key, uint64_t *index,
                             bool *appended, struct error *err);

/* Where an entry of these bytes stands first; *found false if nowhere. Proven against the checkpoint when found. */
enum status tlog_find(struct tlog *log, const void *entry, size_t len, bool *found, uint64_t *index, struct error *err);
/* Append the bytes of an entry to out; they are checked against the tile of level 0, not against the checkpoint. R_LOG_INDEX. */
enum status tlog_entry(struct tlog *log, uint64_t index, struct bytes *out, struct error *err);

/* Append the proof (c2sp.org/tlog-proof@v1) that an entry stands in the log: lines `c2sp.org/tlog-proof@v1`, `index N`, hashes, an empty line and the
 * checkpoint. It is checked before it is given out (R_LOG_TILE). */
enum status tlog_prove(struct tlog *log, uint64_t index, struct bytes *out, struct error *err);
/* Check one without the log (R_LOG_PROOF, R_LOG_INCLUSION, and those of checkpoint_open). *index, and *head if not NULL (checkpoint_free), are what it proves. */
enum status tlog_verify_proof(const char *proof, size_t len, const char *file, const void *entry, size_t entry_len,
                              const struct verifier *verifier, uint64_t *index, struct checkpoint *head, struct error *err);

/* Append the proof that the log only grew since an earlier checkpoint of it (whose signature is checked): `old SIZE`, hashes, an empty line and the checkpoint; the
 * body of add-checkpoint in c2sp.org/tlog-witness. R_LOG_GROWTH if it did not only grow. */
enum status tlog_prove_growth(struct tlog *log, const char *old, size_t old_len, const char *old_file, struct bytes *out,
                              struct error *err);
/* Check one without the log. */
enum status tlog_verify_growth(const char *proof, size_t len, const char *file, const char *old, size_t old_len, const char *old_file,
                               const struct verifier *verifier, struct checkpoint *head, struct error *err);

/*
 * Compute everything again from the entries: every tile is there and right, the root hash is the checkpoint's, nothing else stands in the directory, and nothing
 * is unfinished; and if old is given (a signed checkpoint of earlier), that the log begins with what it had then. Findings bear paths from the root; they are
 * not sorted. Does not stop at the first. Only what has to do with signatures is left to tlog_open.
 */
struct tlog_audit {
	uint64_t entries; /* that were hashed */
	uint64_t bytes;   /* of them */
	uint64_t files;   /* seen in the directory */
	struct findings findings; /* findings_free */
};
enum status tlog_audit(struct tlog *log, const struct checkpoint *old, const char *old_file, struct tlog_audit *audit,
                       struct error *err);

#endif
