/* Merkle trees: the hashes, roots and proofs of eight entries as golang.org/x/mod/sumdb/tlog 0.7.0 gives them (`check_log roots` of tests/judges), and every
 * proof of every tree of up to 70 entries, whole and changed. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "log/edge.h"
#include "log/merkle.h"

static const struct {
	const char *hex;
	const char *root; /* of the tree that ends in it */
} known[8] = {
	{"", "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"},
	{"00", "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"},
	{"10", "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"},
	{"2021", "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"},
	{"3031", "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"},
	{"40414243", "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"},
	{"5051525354555657", "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"},
	{"606162636465666768696a6b6c6d6e6f", "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"},
};

enum { LEAVES = 70 };

/* The straight definition of RFC 6962 section 2.1, against which the rest is held. */
static struct sha256 straight(const struct sha256 *leaves, uint64_t count)
{
	uint64_t split = 1;

	if (count == 0)
		return sha256_of("", 0);
	if (count == 1)
		return leaves[0];
	while (split * 2 < count)
		split *= 2;
	struct sha256 left = straight(leaves, split), right = straight(leaves + split, count - split);

	return merkle_node(&left, &right);
}

static enum status read_straight(void *context, unsigned height, uint64_t index, struct sha256 *hash, struct error *err)
{
	(void)err;
	*hash = straight((const struct sha256 *)context + (index << height), UINT64_C(1) << height);
	return OK;
}

static void known_leaves(struct sha256 leaves[8])
{
	for (size_t i = 0; i < 8; i++) {
		uint8_t entry[16];

		assert_true(hex_decode(known[i].hex, entry, strlen(known[i].hex) / 2));
		leaves[i] = merkle_leaf(entry, strlen(known[i].hex) / 2);
	}
}

static struct sha256 from_hex(const char *hex)
{
	struct sha256 hash;

	assert_true(sha256_parse(hex, &hash));
	return hash;
}

static void assert_hash(const struct sha256 *hash, const char *hex)
{
	char text[SHA256_HEX + 1];

	sha256_hex(hash, text);
	assert_string_equal(text, hex);
}

/* SHA-256 of nothing; `printf '' | sha256sum`. */
static void the_empty_tree_has_the_hash_of_nothing(void **state)
{
	struct sha256 hash = merkle_empty(), root;
	struct error err;

	(void)state;
	assert_hash(&hash, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_int_equal(merkle_root(0, read_straight, NULL, &root, &err), OK);
	assert_memory_equal(&root, &hash, sizeof root);
}

static void roots_are_those_of_the_go_library(void **state)
{
	struct edge *edge = calloc(1, sizeof *edge);
	struct sha256 leaves[8], root;
	struct error err;

	(void)state;
	known_leaves(leaves);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(merkle_root(i + 1, read_straight, leaves, &root, &err), OK);
		assert_hash(&root, known[i].root);
		assert_int_equal(edge_add(edge, &leaves[i], NULL, NULL, &err), OK);
		root = edge_root(edge);
		assert_hash(&root, known[i].root);
	}
	free(edge);
}

static void proofs_are_those_of_the_go_library(void **state)
{
	static const char *const inclusion[] = {/* of entry 4 in 7 */
		"4271a26be0d8a84f0bd54c8c302e7cb3a3b5d1fa6780a40bcce2873477dab658", "b08693ec2e721597130641e8211e7eedccb4c26413963eee6c1e2ed16ffb1a5f",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"};
	static const char *const consistency[] = {/* of 3 with 7 */
		"0298d122906dcfc10892cb53a73992fc5b9f493ea4c9badb27b791b4127a7fe7", "07506a85fd9dd2f120eb694f86011e5bb4662e5c415a62917033d4a9624487e7",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125", "837dbb152e9b079010717e84e865da4ebc0fa198a806d59d31bf15accef22d0e"};
	struct sha256 leaves[8];
	struct merkle_proof proof;
	struct error err;

	(void)state;
	known_leaves(leaves);
	assert_int_equal(merkle_inclusion(4, 7, read_straight, leaves, &proof, &err), OK);
	assert_int_equal(proof.count, 3);
	for (size_t i = 0; i < proof.count; i++)
		assert_hash(&proof.at[i], inclusion[i]);
	assert_int_equal(merkle_consistency(3, 7, read_straight, leaves, &proof, &err), OK);
	assert_int_equal(proof.count, 4);
	for (size_t i = 0; i < proof.count; i++)
		assert_hash(&proof.at[i], consistency[i]);
	/* And they hold for the roots of the list. */
	struct sha256 three = from_hex(known[2].root), seven = from_hex(known[6].root);

	assert_true(merkle_consistent(3, &three, 7, &seven, &proof));
	proof.at[3].byte[0] ^= 1;
	assert_false(merkle_consistent(3, &three, 7, &seven, &proof));
}

static void make_leaves(struct sha256 leaves[LEAVES])
{
	for (uint8_t i = 0; i < LEAVES; i++)
		leaves[i] = merkle_leaf(&i, 1);
}

/* R-LOG-009: for every entry of every tree; with any hash changed, one more, one fewer, or another index, size, leaf or root it does not hold. */
static void every_inclusion_holds_and_no_other(void **state)
{
	struct sha256 leaves[LEAVES];
	struct error err;

	(void)state;
	make_leaves(leaves);
	for (uint64_t size = 1; size <= LEAVES; size++) {
		struct sha256 root = straight(leaves, size);

		for (uint64_t index = 0; index < size; index++) {
			struct merkle_proof proof;

			assert_int_equal(merkle_inclusion(index, size, read_straight, leaves, &proof, &err), OK);
			assert_true(merkle_included(&leaves[index], index, size, &proof, &root));
			for (size_t i = 0; i < proof.count; i++) {
				proof.at[i].byte[i] ^= 0x10;
				assert_false(merkle_included(&leaves[index], index, size, &proof, &root));
				proof.at[i].byte[i] ^= 0x10;
			}
			for (uint64_t other = 0; other <= size; other++)
				assert_int_equal(merkle_included(&leaves[index], other, size, &proof, &root), other == index);
			assert_false(merkle_included(&leaves[(index + 1) % LEAVES], index, size, &proof, &root));
			proof.at[proof.count++] = root;
			assert_false(merkle_included(&leaves[index], index, size, &proof, &root));
			proof.count--;
			if (proof.count > 0) {
				proof.count--;
				assert_false(merkle_included(&leaves[index], index, size, &proof, &root));
			}
		}
	}
}

/* R-LOG-010: the same for every pair of sizes. */
static void every_growth_holds_and_no_other(void **state)
{
	struct sha256 leaves[LEAVES];
	struct error err;

	(void)state;
	make_leaves(leaves);
	for (uint64_t size = 0; size <= LEAVES; size++) {
		struct sha256 root = straight(leaves, size);

		for (uint64_t old = 0; old <= size; old++) {
			struct sha256 before = straight(leaves, old);
			struct merkle_proof proof;

			assert_int_equal(merkle_consistency(old, size, read_straight, leaves, &proof, &err), OK);
			assert_true(merkle_consistent(old, &before, size, &root, &proof));
			for (size_t i = 0; i < proof.count; i++) {
				proof.at[i].byte[i] ^= 0x10;
				assert_false(merkle_consistent(old, &before, size, &root, &proof));
				proof.at[i].byte[i] ^= 0x10;
			}
			before.byte[0] ^= 1;
			assert_false(merkle_consistent(old, &before, size, &root, &proof));
			before.byte[0] ^= 1;
			if (old > 0) {
				root.byte[0] ^= 1;
				assert_false(merkle_consistent(old, &before, size, &root, &proof));
				root.byte[0] ^= 1;
			}
			assert_false(merkle_consistent(size + 1, &before, size, &root, &proof));
			proof.at[proof.count++] = root;
			assert_false(merkle_consistent(old, &before, size, &root, &proof));
			proof.count--;
			if (proof.count > 0) {
				proof.count--;
				assert_false(merkle_consistent(old, &before, size, &root, &proof));
			}
		}
	}
}

/* A proof of the largest size we read ends, and is no longer than the limit. */
static enum status read_nothing(void *context, unsigned height, uint64_t index, struct sha256 *hash, struct error *err)
{
	(void)context, (void)height, (void)index, (void)err;
	memset(hash, 7, sizeof *hash);
	return OK;
}

static void the_largest_tree_has_proofs_within_the_limit(void **state)
{
	struct merkle_proof proof;
	struct error err;

	(void)state;
	assert_int_equal(merkle_inclusion(0, INT64_MAX, read_nothing, NULL, &proof, &err), OK);
	assert_int_equal(proof.count, 63);
	assert_int_equal(merkle_consistency(1, INT64_MAX, read_nothing, NULL, &proof, &err), OK);
	assert_int_equal(proof.count, 63);
	assert_int_equal(merkle_consistency(3, INT64_MAX, read_nothing, NULL, &proof, &err), OK);
	assert_int_equal(proof.count, MERKLE_PROOF_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_empty_tree_has_the_hash_of_nothing),
		cmocka_unit_test(roots_are_those_of_the_go_library),
		cmocka_unit_test(proofs_are_those_of_the_go_library),
		cmocka_unit_test(every_inclusion_holds_and_no_other),
		cmocka_unit_test(every_growth_holds_and_no_other),
		cmocka_unit_test(the_largest_tree_has_proofs_within_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
