#include "merkle.h"

#include <string.h>

enum { LEAF = 0, NODE = 1 }; /* what the two kinds of hashed texts begin with */

struct sha256 merkle_empty(void)
{
	return sha256_of("", 0);
}

struct sha256 merkle_leaf(const void *entry, size_t len)
{
	return sha256_tagged(LEAF, entry, len);
}

struct sha256 merkle_node(const struct sha256 *left, const struct sha256 *right)
{
	struct sha256 both[2] = {*left, *right};

	return sha256_tagged(NODE, both, sizeof both);
}

struct sha256 merkle_fold(const struct sha256 *hashes, size_t count)
{
	if (count == 1)
		return hashes[0];
	struct sha256 left = merkle_fold(hashes, count / 2);
	struct sha256 right = merkle_fold(hashes + count / 2, count / 2);

	return merkle_node(&left, &right);
}

/* The largest power of two below size, which is 2 at least: where a tree of that size is split. */
static uint64_t split(uint64_t size)
{
	return UINT64_C(1) << (63 - __builtin_clzll(size - 1));
}

static bool is_power_of_two(uint64_t size)
{
	return (size & (size - 1)) == 0;
}

struct tree {
	merkle_read *read;
	void *context;
};

/* MTH(D[low:high]) of a range that the splits from the root down arrive at: high > low, and low is a multiple of the power of two that
 * high - low is rounded up to. */
static enum status range(const struct tree *tree, uint64_t low, uint64_t high, struct sha256 *hash, struct error *err)
{
	if (is_power_of_two(high - low)) {
		unsigned height = (unsigned)__builtin_ctzll(high - low);

		return tree->read(tree->context, height, low >> height, hash, err);
	}
	uint64_t middle = low + split(high - low);
	struct sha256 left, right;
	enum status status = range(tree, low, middle, &left, err);

	if (status == OK)
		status = range(tree, middle, high, &right, err);
	if (status == OK)
		*hash = merkle_node(&left, &right);
	return status;
}

static enum status add_range(const struct tree *tree, uint64_t low, uint64_t high, struct merkle_proof *proof, struct error *err)
{
	return range(tree, low, high, &proof->at[proof->count++], err);
}

enum status merkle_root(uint64_t size, merkle_read *read, void *context, struct sha256 *root, struct error *err)
{
	struct tree tree = {read, context};

	if (size > 0)
		return range(&tree, 0, size, root, err);
	*root = merkle_empty();
	return OK;
}

static enum status path(const struct tree *tree, uint64_t index, uint64_t low, uint64_t high, struct merkle_proof *proof, struct error *err)
{
	if (high - low == 1)
		return OK;
	uint64_t middle = low + split(high - low);
	bool left = index < middle;
	enum status status = left ? path(tree, index, low, middle, proof, err) : path(tree, index, middle, high, proof, err);

	if (status != OK)
		return status;
	return left ? add_range(tree, middle, high, proof, err) : add_range(tree, low, middle, proof, err);
}

enum status merkle_inclusion(uint64_t index, uint64_t size, merkle_read *read, void *context, struct merkle_proof *proof,
                             struct error *err)
{
	struct tree tree = {read, context};

	proof->count = 0;
	return path(&tree, index, 0, size, proof, err);
}

/* SUBPROOF(old - low, D[low:high], whole): whole while D[0:old] is itself what the verifier has. */
static enum status subproof(const struct tree *tree, uint64_t old, uint64_t low, uint64_t high, bool whole, struct merkle_proof *proof,
                            struct error *err)
{
	if (old == high)
		return whole ? OK : add_range(tree, low, high, proof, err);
	uint64_t middle = low + split(high - low);
	enum status status = old <= middle ? subproof(tree, old, low, middle, whole, proof, err)
	                                   : subproof(tree, old, middle, high, false, proof, err);

	if (status != OK)
		return status;
	return old <= middle ? add_range(tree, middle, high, proof, err) : add_range(tree, low, middle, proof, err);
}

enum status merkle_consistency(uint64_t old, uint64_t size, merkle_read *read, void *context, struct merkle_proof *proof,
                               struct error *err)
{
	struct tree tree = {read, context};

	proof->count = 0;
	return old == 0 ? OK : subproof(&tree, old, 0, size, true, proof, err);
}

static bool same(const struct sha256 *a, const struct sha256 *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

/* One step up, past the levels on which a node is the last of its row and has no sibling. */
static void climb(uint64_t *node, uint64_t *last)
{
	while ((*node & 1) == 0 && *node != 0) {
		*node >>= 1;
		*last >>= 1;
	}
}

bool merkle_included(const struct sha256 *leaf, uint64_t index, uint64_t size, const struct merkle_proof *proof,
                     const struct sha256 *root)
{
	if (index >= size)
		return false;
	uint64_t node = index, last = size - 1;
	struct sha256 hash = *leaf;

	for (size_t i = 0; i < proof->count; i++) {
		if (last == 0)
			return false;
		if ((node & 1) == 1 || node == last) {
			hash = merkle_node(&proof->at[i], &hash);
			climb(&node, &last);
		} else {
			hash = merkle_node(&hash, &proof->at[i]);
		}
		node >>= 1;
		last >>= 1;
	}
	return last == 0 && same(&hash, root);
}

bool merkle_consistent(uint64_t old, const struct sha256 *old_root, uint64_t size, const struct sha256 *root,
                       const struct merkle_proof *proof)
{
	if (old == 0) {
		struct sha256 empty = merkle_empty();

		return proof->count == 0 && same(old_root, &empty) && (size != 0 || same(root, &empty));
	}
	if (old == size)
		return proof->count == 0 && same(old_root, root);
	if (old > size || proof->count == 0)
		return false;

	/* A whole subtree is its own proof: its hash is not repeated. */
	bool whole = is_power_of_two(old);
	struct sha256 old_hash = whole ? *old_root : proof->at[0], hash = old_hash;
	uint64_t node = old - 1, last = size - 1;

	while ((node & 1) == 1) {
		node >>= 1;
		last >>= 1;
	}
	for (size_t i = whole ? 0 : 1; i < proof->count; i++) {
		if (last == 0)
			return false;
		if ((node & 1) == 1 || node == last) {
			old_hash = merkle_node(&proof->at[i], &old_hash);
			hash = merkle_node(&proof->at[i], &hash);
			climb(&node, &last);
		} else {
			hash = merkle_node(&hash, &proof->at[i]);
		}
		node >>= 1;
		last >>= 1;
	}
	return last == 0 && same(&old_hash, old_root) && same(&hash, root);
}
