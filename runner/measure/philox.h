/*
 * Inputs from a seed: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC'11), counter-based, so that every
 * element is a function of (seed, tensor, index) and the CPU and the GPU make the same bytes.
 */
#ifndef PTXSEAL_MEASURE_PHILOX_H
#define PTXSEAL_MEASURE_PHILOX_H

#include <stdint.h>

/* VALUES_SCALES is no set that a trial has: scales of FP8 values are the same kind in every set. */
enum value_set { VALUES_NORMAL, VALUES_TIMES_3, VALUES_TIMES_001, VALUES_NEGATED, VALUES_RARE_LARGE, VALUES_COUNT, VALUES_SCALES = VALUES_COUNT };
const char *value_set_name(enum value_set values); /* "normal", "x3", "x0.01", "negated", "rare-large", "scales" */

/* One block of the generator, as in the paper (ten rounds). */
void philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

/*
 * Element i of tensor t (its position in problem->tensors, from 0) before rounding to its dtype. Counter = {low(i / 4), high(i / 4), t, 0}, key = {low(seed), high(seed)}, word i % 4. From the word w, an approximately normal value that needs no
 * transcendental function, so that CPU and GPU agree to the bit: the sum of its four bytes and of a second block's (counter[3] = 1) four bytes, minus 1020, times 2^-8 * a constant c
 * that gives variance 1 (Irwin-Hall of eight; c in philox.c), all exact or singly rounded fp32 operations in a fixed order. Range about +-4.8.
 * NEGATED and the scaled sets multiply the same value by -1, 3, 0.01f (one rounding); RARE_LARGE adds 10 * another such value (counter[3] = 2, 3) where the word of
 * counter[3] = 4 is below 2^32 / 1000.
 * SCALES: (0.5 + word / 2^32 cut to 24 bits) / 8 of the word of counter[3] = 0: even from 1/16 to 3/16. With a scale for either operand a product of K normal values then has a
 * standard deviation of about sqrt(K) / 64, near 1 for the K that tasks have, as activations and weights give.
 */
float philox_value(uint64_t seed, uint32_t tensor, uint64_t i, enum value_set values);
/* Elements first to first + count - 1, four at a block and so several times as fast. */
void philox_values(uint64_t seed, uint32_t tensor, uint64_t first, uint64_t count, enum value_set values, float *out);

/* Round to bfloat16 to nearest even, as the GPU's cvt.rn.bf16.f32 does; NaN becomes 0x7FFF. */
uint16_t bf16_from_float(float value);
float bf16_to_float(uint16_t value);

/* The same for FP8 E4M3 (OCP OFP8 1.0), saturating at +-448 as cvt.rn.satfinite.e4m3x2.f32 does; NaN becomes 0x7F. */
uint8_t e4m3_from_float(float value);
float e4m3_to_float(uint8_t value);

#endif
