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
#include "../bundle/trust.h"
#include "merkle.h"
#include "note.h"
#include "tile.h"

#define TLOG_CHECKPOINT "checkpoint"
#define TLOG_VKEY "vkey"
#define TLOG_UNFINISHED "unfinished"

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
	struct tile bundle_tile; /* the last bundle of entries that was read; width 0: none */
	struct bytes bundle;
};

/* The verifier in the file vkey of a log, if trust.json lets that key alone sign logs (R_SIG_UNKNOWN, R_SIG_ROLE, R_SIG_REVOKED, R_SIG_THRESHOLD). */
enum status tlog_trusted(const struct root *root, const char *prefix, const struct trust *trust, struct verifier *verifier,
                         struct error *err);

/* Begin an empty log in a directory, which is made where it is missing; where there is a checkpoint already it is refused (R_LOG_EXISTS).
 * prefix: "" or a path ending in '/'. origin: the log's name, and its key's (R_LOG_NAME). */
enum status tlog_create(const struct root *root, const char *prefix, const char *origin, const struct key *key, struct error *err);

/* Open a log and check its checkpoint with the verifier, which is copied; NULL: with the one in its file vkey. root has to outlive it.
 * Nothing but the checkpoint is checked: what is read from tiles later is checked against it then. */
enum status tlog_open(const struct root *root, const char *prefix, const struct verifier *verifier, struct tlog *log,
                      struct error *err);
void tlog_close(struct tlog *log); /* fine on a closed one */
/* Read the checkpoint again, which somebody may have moved on; it is checked as by tlog_open. After an error the log is as it was. */
enum status tlog_refresh(struct tlog *log, struct error *err);

/* Where an entry of these bytes stands first; *found false if nowhere. Proven against the checkpoint when found. */
enum status tlog_find(struct tlog *log, const void *entry, size_t len, bool *found, uint64_t *index, struct error *err);
/* Append the bytes of an entry to out; they are checked against the tile of level 0, not against the checkpoint. R_LOG_INDEX. */
enum status tlog_entry(struct tlog *log, uint64_t index, struct bytes *out, struct error *err);

/* For the other files of this room. The path of one of the log's files, from the root; free() it. */
char *tlog_path(const struct tlog *log, const char *file);
/* The file of a tile as an error or finding names it; free() it. */
char *tlog_tile_path(const struct tlog *log, const struct tile *tile);
/* Hashes of the tree for merkle.h; the context is the log. */
enum status tlog_node(void *context, unsigned height, uint64_t index, struct sha256 *hash, struct error *err);
/* Hashes of a tile as the log's size has it, which stand until the next call for that level; *width of them. R_LOG_TILE. */
enum status tlog_hashes(struct tlog *log, int level, uint64_t index, const struct sha256 **hashes, unsigned *width, struct error *err);
/* The entries of a bundle as the log's size has it, which stand until the next call; *width of them. R_LOG_ENTRIES. */
enum status tlog_entries(struct tlog *log, uint64_t index, struct entry out[TILE_WIDTH], unsigned *width, struct error *err);

#endif
