/*
 * The arithmetic of philox.h, once for the CPU (philox.c) and once for the GPU (support.cu): the same source, so the same bytes. Both are
 * compiled without contraction of multiply and add (-ffp-contract=off, --fmad=false). Not for any other file.
 */
#ifndef PTXSEAL_MEASURE_PHILOX_CORE_H
#define PTXSEAL_MEASURE_PHILOX_CORE_H

#include <stdint.h>

#include "philox.h"

#ifdef __CUDACC__
#define CORE static __device__ __forceinline__
#define CORE_BITS(value) __float_as_uint(value)
#define CORE_FLOAT(bits) __uint_as_float(bits)
#else
#include <string.h>

#define CORE static inline
CORE uint32_t CORE_BITS(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof bits);
	return bits;
}

CORE float CORE_FLOAT(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof value);
	return value;
}
#endif

/* Multipliers and Weyl constants of Philox4x32: Random123, philox.h. */
CORE void core_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
	uint32_t k0 = key[0], k1 = key[1];

	for (int round = 0; round < 10; round++) {
		const uint64_t a = (uint64_t)0xD2511F53u * c0;
		const uint64_t b = (uint64_t)0xCD9E8D57u * c2;

		c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
		c1 = (uint32_t)b;
		c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
		c3 = (uint32_t)a;
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	out[0] = c0;
	out[1] = c1;
	out[2] = c2;
	out[3] = c3;
}

CORE uint32_t core_sum_of_bytes(uint32_t word)
{
	return (word & 0xFF) + (word >> 8 & 0xFF) + (word >> 16 & 0xFF) + (word >> 24);
}

/* The four words of group's block number `block`. */
CORE void core_block(uint64_t seed, uint32_t tensor, uint64_t group, uint32_t block, uint32_t out[4])
{
	const uint32_t counter[4] = {(uint32_t)group, (uint32_t)(group >> 32), tensor, block};
	const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};

	core_philox(counter, key, out);
}

/* Irwin-Hall of eight from two blocks: (sum of eight bytes - 1020) / sqrt(43690), 43690 = 8 (256^2 - 1) / 12 being the sum's variance. The
 * integer is exact in fp32, so there is one rounding. */
CORE void core_irwin_hall(uint64_t seed, uint32_t tensor, uint64_t group, uint32_t block, float out[4])
{
	uint32_t first[4], second[4];

	core_block(seed, tensor, group, block, first);
	core_block(seed, tensor, group, block + 1, second);
	for (int i = 0; i < 4; i++) {
		const int sum = (int)(core_sum_of_bytes(first[i]) + core_sum_of_bytes(second[i])) - 1020;

		out[i] = (float)sum * 0x1.39897ep-8f;
	}
}

/* Elements 4 * group to 4 * group + 3. */
CORE void core_values(uint64_t seed, uint32_t tensor, uint64_t group, enum value_set values, float out[4])
{
	if (values == VALUES_SCALES) {
		uint32_t word[4];

		core_block(seed, tensor, group, 0, word);
		for (int i = 0; i < 4; i++)
			out[i] = (0.5f + (float)(word[i] >> 8) * 0x1p-24f) * 0.125f;
		return;
	}
	core_irwin_hall(seed, tensor, group, 0, out);
	if (values == VALUES_RARE_LARGE) {
		float large[4];
		uint32_t choice[4];

		core_irwin_hall(seed, tensor, group, 2, large);
		core_block(seed, tensor, group, 4, choice);
		for (int i = 0; i < 4; i++)
			if (choice[i] < 4294967u) /* 2^32 / 1000 */
				out[i] = out[i] + 10.0f * large[i];
		return;
	}
	const float factor = values == VALUES_TIMES_3 ? 3.0f : values == VALUES_TIMES_001 ? 0.01f : values == VALUES_NEGATED ? -1.0f : 1.0f;

	for (int i = 0; i < 4; i++)
		out[i] = factor * out[i];
}

CORE uint16_t core_bf16(float value)
{
	const uint32_t bits = CORE_BITS(value);

	if ((bits & 0x7FFFFFFFu) > 0x7F800000u)
		return 0x7FFF;
	return (uint16_t)((bits + 0x7FFFu + (bits >> 16 & 1u)) >> 16);
}

/* E4M3 as in OCP's OFP8 specification 1.0: bias 7, no infinity, 0x7F is NaN, largest 448; larger ones saturate. */
CORE uint8_t core_e4m3(float value)
{
	const uint32_t bits = CORE_BITS(value);
	const uint32_t sign = bits >> 24 & 0x80u;
	const uint32_t size = bits & 0x7FFFFFFFu;

	if (size > 0x7F800000u)
		return 0x7F;
	if (size < 0x3C800000u) /* 2^-6: below are multiples of 2^-9. Adding 2^23 rounds to an integer, to nearest even */
		return (uint8_t)(sign | (CORE_BITS(CORE_FLOAT(size) * 512.0f + 8388608.0f) & 0xFFu));
	if (size >= 0x43E00000u) /* 448 */
		return (uint8_t)(sign | 0x7Eu);
	return (uint8_t)(sign | (((size + 0x7FFFFu + (size >> 20 & 1u)) >> 20) - (120u << 3)));
}

CORE float core_from_e4m3(uint8_t value)
{
	const uint32_t size = value & 0x7Fu;
	const uint32_t sign = (uint32_t)(value & 0x80u) << 24;
	const float multiple = (float)size * 0x1p-9f; /* exponent field 0 */

	if (size == 0x7F)
		return CORE_FLOAT(sign | 0x7FC00000u);
	return CORE_FLOAT(sign | (size < 8 ? CORE_BITS(multiple) : (size << 20) + (120u << 23)));
}

#undef CORE
#endif
