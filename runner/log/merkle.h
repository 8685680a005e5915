/*
 * The Merkle tree of RFC 6962 section 2.1 over SHA-256: a leaf is SHA-256(0x00 || entry), an inner node SHA-256(0x01 || left || right), the
 * empty tree SHA-256(""). Sizes and indexes count entries.
 */
#ifndef PTXSEAL_LOG_MERKLE_H
#define PTXSEAL_LOG_MERKLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/sha256.h"

/* Hashes of the longest proof: a tree of fewer than 2^63 leaves has at most 63 levels below its root, and a proof of consistency one hash more than levels. */
enum { MERKLE_PROOF_MAX = 64 };

struct merkle_proof {
	struct sha256 at[MERKLE_PROOF_MAX];
	size_t count;
};

struct sha256 merkle_empty(void);
struct sha256 merkle_leaf(const void *entry, size_t len);
struct sha256 merkle_node(const struct sha256 *left, const struct sha256 *right);
/* The hash over a whole subtree, given count hashes of one height in it; count is a power of two. */
struct sha256 merkle_fold(const struct sha256 *hashes, size_t count);

/* Gives the hash of the whole subtree over leaves [index << height, (index + 1) << height). */
typedef enum status merkle_read(void *context, unsigned height, uint64_t index, struct sha256 *hash, struct error *err);

/* MTH(D[size]). */
enum status merkle_root(uint64_t size, merkle_read *read, void *context, struct sha256 *root, struct error *err);
/* PATH(index, D[size]), section 2.1.1, from the leaf's sibling upwards; index < size. */
enum status merkle_inclusion(uint64_t index, uint64_t size, merkle_read *read, void *context, struct merkle_proof *proof,
                             struct error *err);
/* PROOF(old, D[size]), section 2.1.2; old <= size. Empty where old is 0 or size. */
enum status merkle_consistency(uint64_t old, uint64_t size, merkle_read *read, void *context, struct merkle_proof *proof,
                               struct error *err);

/* Does the proof show that the leaf stands at index in the tree of that size and root? RFC 9162 section 2.1.3.2. */
bool merkle_included(const struct sha256 *leaf, uint64_t index, uint64_t size, const struct merkle_proof *proof,
                     const struct sha256 *root);
/* Does the proof show that the tree of that size and root begins with the older one's leaves? RFC 9162 section 2.1.4.2. Every tree
 * begins with the empty one, to which only the hash of the empty tree belongs. */
bool merkle_consistent(uint64_t old, const struct sha256 *old_root, uint64_t size, const struct sha256 *root,
                       const struct merkle_proof *proof);

#endif
