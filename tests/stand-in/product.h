/* The arithmetic of the stand-in device: elements of tensors, and C[M,N] = A[M,K] B[N,K]^T. */
#ifndef PTXSEAL_STAND_IN_PRODUCT_H
#define PTXSEAL_STAND_IN_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/dtype.h"

void store(void *out, enum dtype dtype, uint64_t i, float value);
float take(const void *in, enum dtype dtype, uint64_t i);

struct product {
	const void *a, *b;
	void *c;
	enum dtype in, out;
	uint64_t m, n, k;
	float factor;
	const float *scale_a, *scale_b; /* of FP8: a row's or block's for 128 of K; NULL: none */
	bool blocks;
};

void multiply(const struct product *p);

#endif
