#include "product.h"

#include <stddef.h>

#include "measure/philox.h"

void store(void *out, enum dtype dtype, uint64_t i, float value)
{
	if (dtype == DTYPE_BF16)
		((uint16_t *)out)[i] = bf16_from_float(value);
	else if (dtype == DTYPE_E4M3)
		((uint8_t *)out)[i] = e4m3_from_float(value);
	else
		((float *)out)[i] = value;
}

float take(const void *in, enum dtype dtype, uint64_t i)
{
	return dtype == DTYPE_BF16 ? bf16_to_float(((const uint16_t *)in)[i])
	       : dtype == DTYPE_E4M3 ? e4m3_to_float(((const uint8_t *)in)[i]) : ((const float *)in)[i];
}

static float scale_of(const struct product *p, uint64_t row, uint64_t column, uint64_t i)
{
	const uint64_t group = i / 128, groups = (p->k + 127) / 128;

	if (p->scale_a == NULL)
		return 1;
	return p->scale_a[group * p->m + row] * (p->blocks ? p->scale_b[column / 128 * groups + group] : p->scale_b[group * p->n + column]);
}

void multiply(const struct product *p)
{
	for (uint64_t row = 0; row < p->m; row++) {
		for (uint64_t column = 0; column < p->n; column++) {
			float sum = 0;

			for (uint64_t i = 0; i < p->k; i++)
				sum += take(p->a, p->in, row * p->k + i) * take(p->b, p->in, column * p->k + i) * scale_of(p, row, column, i);
			store(p->c, p->out, row * p->n + column, sum * p->factor);
		}
	}
}
