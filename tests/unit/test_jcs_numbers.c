/*
 * RFC 8785 appendix B points to a list of numbers that the reference implementation generates
 * (github.com/cyberphone/json-canonicalization, testdata/README.md): 168 fixed values, 2000 consecutive ones
 * from the smallest normal double up, then a chain of SHA-256 over 32 zero bytes, each hash read as four
 * little-endian doubles of which zeros and those that are not finite are left out. A line is the bits in hex,
 * a comma, the number as ECMAScript writes it, LF. The published SHA-256 of the first 10^3 to 10^6 lines have
 * to come out.
 */
#include "unit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>

#include "base/bytes.h"
#include "base/jcs.h"

static const uint64_t zeros_and_least[] = {0x0000000000000000, 0x8000000000000000, 0x0000000000000001,
					   0x8000000000000001};

/* About 10^k / 3 for k from 22 down to -27; the list has them negative first, then positive. */
static const uint64_t thirds[] = {
    0x446696695dbd1cc3, 0x443211ede4974a35, 0x43fce97ca0f21056, 0x43c7213080c1a6ac, 0x439280f39a348556,
    0x435d9b1f5d20d557, 0x4327af4c4a80aaac, 0x42f2f2a36ecd5556, 0x42be51057e155558, 0x428840d131aaaaac,
    0x4253670dc1555557, 0x421f0b4935555557, 0x41e8d5d42aaaaaac, 0x41b3de4355555556, 0x417fca0555555556,
    0x41496e6aaaaaaaab, 0x4114585555555555, 0x40e046aaaaaaaaab, 0x40aa0aaaaaaaaaaa, 0x4074d55555555555,
    0x4040aaaaaaaaaaab, 0x400aaaaaaaaaaaab, 0x3fd5555555555555, 0x3fa1111111111111, 0x3f6b4e81b4e81b4f,
    0x3f35d867c3ece2a5, 0x3f0179ec9cbd821e, 0x3ecbf647612f3696, 0x3e965e9f80f29212, 0x3e61e54c672874db,
    0x3e2ca213d840baf8, 0x3df6e80fe033c8c6, 0x3dc2533fe68fd3d2, 0x3d8d51ffd74c861c, 0x3d5774ccac3d3817,
    0x3d22c3d6f030f9ac, 0x3cee0624b3818f79, 0x3cb804ea293472c7, 0x3c833721ba905bd3, 0x3c4ebe9c5db3c61e,
    0x3c18987d17c304e5, 0x3be3ad30dfcf371d, 0x3baf7b816618582f, 0x3b792f9ab81379bf, 0x3b442615600f9499,
    0x3b101e77800c76e1, 0x3ad9ca58cce0be35, 0x3aa4a1e0a3e6fe90, 0x3a708180831f320d, 0x3a3a68cd9e985016,
};

static const uint64_t others[] = {
    0x4024000000000000, 0x4014000000000000, 0x3fe0000000000000, 0x3fa999999999999a, 0x3f747ae147ae147b,
    0x3f40624dd2f1a9fc, 0x3f0a36e2eb1c432d, 0x3ed4f8b588e368f1, 0x3ea0c6f7a0b5ed8d, 0x3e6ad7f29abcaf48,
    0x3e35798ee2308c3a, 0x3ed539223589fa95, 0x3ed4ff26cd5a7781, 0x3ed4f95a762283ff, 0x3ed4f8c60703520c,
    0x3ed4f8b72f19cd0d, 0x3ed4f8b5b31c0c8d, 0x3ed4f8b58d1c461a, 0x3ed4f8b5894f7f0e, 0x3ed4f8b588ee37f3,
    0x3ed4f8b588e47da4, 0x3ed4f8b588e3849c, 0x3ed4f8b588e36bb5, 0x3ed4f8b588e36937, 0x3ed4f8b588e368f8,
    0x3ed4f8b588e368f1, 0x3ff0000000000000, 0xbff0000000000000, 0xbfeffffffffffffa, 0xbfeffffffffffffb,
    0x3feffffffffffffa, 0x3feffffffffffffb, 0x3feffffffffffffc, 0x3feffffffffffffe, 0xbfefffffffffffff,
    0xbfefffffffffffff, 0x3fefffffffffffff, 0x3fefffffffffffff, 0x3fd3333333333332, 0x3fd3333333333333,
    0x3fd3333333333334, 0x0010000000000000, 0x000ffffffffffffd, 0x000fffffffffffff, 0x7fefffffffffffff,
    0xffefffffffffffff, 0x4340000000000000, 0xc340000000000000, 0x4430000000000000, 0x44b52d02c7e14af5,
    0x44b52d02c7e14af6, 0x44b52d02c7e14af7, 0x444b1ae4d6e2ef4e, 0x444b1ae4d6e2ef4f, 0x444b1ae4d6e2ef50,
    0x3eb0c6f7a0b5ed8c, 0x3eb0c6f7a0b5ed8d, 0x41b3de4355555553, 0x41b3de4355555554, 0x41b3de4355555555,
    0x41b3de4355555556, 0x41b3de4355555557, 0xbecbf647612f3696, 0x43143ff3c1cb0959,
};

enum {
	LEAST = sizeof zeros_and_least / sizeof *zeros_and_least,
	THIRDS = sizeof thirds / sizeof *thirds,
	OTHERS = sizeof others / sizeof *others,
	FIXED = LEAST + 2 * THIRDS + OTHERS,
	SERIAL = 2000,
};
_Static_assert(FIXED == 168, "as many fixed values as the published list has");

static double from_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof value);
	return value;
}

struct chain {
	uint8_t hash[32];
	size_t used; /* bytes of hash handed out */
};

static uint64_t chain_next(struct chain *chain)
{
	uint64_t bits;

	do {
		if (chain->used == sizeof chain->hash) {
			assert_int_equal(EVP_Digest(chain->hash, sizeof chain->hash, chain->hash, NULL,
						    EVP_sha256(), NULL),
					 1);
			chain->used = 0;
		}
		bits = 0;
		for (size_t i = 8; i-- > 0;)
			bits = bits << 8 | chain->hash[chain->used + i];
		chain->used += 8;
	} while (from_bits(bits) == 0 || !isfinite(from_bits(bits)));
	return bits;
}

static uint64_t line_bits(size_t i, struct chain *chain)
{
	if (i < LEAST)
		return zeros_and_least[i];
	if (i < LEAST + THIRDS)
		return thirds[i - LEAST] | 0x8000000000000000;
	if (i < LEAST + 2 * THIRDS)
		return thirds[i - LEAST - THIRDS];
	if (i < FIXED)
		return others[i - LEAST - 2 * THIRDS];
	if (i < FIXED + SERIAL)
		return 0x0010000000000000 + (i - FIXED);
	return chain_next(chain);
}

static void reproduces_the_published_list(void **state)
{
	static const struct {
		size_t lines;
		const char *hash;
	} published[] = {
	    {1000, "be18b62b6f69cdab33a7e0dae0d9cfa869fda80ddc712221570f9f40a5878687"},
	    {10000, "b9f7a8e75ef22a835685a52ccba7f7d6bdc99e34b010992cbc5864cd12be6892"},
	    {100000, "22776e6d4b49fa294a0d0f349268e5c28808fe7e0cb2bcbe28f63894e494d4c7"},
	    {1000000, "49415fee2c56c77864931bd3624faad425c3c577d6d74e89a83bc725506dad16"},
	};
	struct chain chain = {.used = sizeof chain.hash};
	EVP_MD_CTX *running = EVP_MD_CTX_new();
	EVP_MD_CTX *so_far = EVP_MD_CTX_new();
	size_t i = 0;

	(void)state;
	assert_int_equal(EVP_DigestInit_ex(running, EVP_sha256(), NULL), 1);
	for (size_t p = 0; p < sizeof published / sizeof *published; p++) {
		uint8_t hash[32];
		char hex[65];

		for (; i < published[p].lines; i++) {
			uint64_t bits = line_bits(i, &chain);
			char number[JCS_NUMBER_MAX];
			char line[64];

			assert_true(jcs_number(from_bits(bits), number));
			int len = snprintf(line, sizeof line, "%" PRIx64 ",%s\n", bits, number);

			assert_int_equal(EVP_DigestUpdate(running, line, (size_t)len), 1);
		}
		assert_int_equal(EVP_MD_CTX_copy_ex(so_far, running), 1);
		assert_int_equal(EVP_DigestFinal_ex(so_far, hash, NULL), 1);
		hex_encode(hash, sizeof hash, hex);
		assert_string_equal(hex, published[p].hash);
	}
	EVP_MD_CTX_free(running);
	EVP_MD_CTX_free(so_far);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(reproduces_the_published_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
