#include "philox.h"

#include "philox_core.h"

const char *value_set_name(enum value_set values)
{
	static const char *const names[] = {
		[VALUES_NORMAL] = "normal",   [VALUES_TIMES_3] = "x3",			[VALUES_TIMES_001] = "x0.01",
		[VALUES_NEGATED] = "negated", [VALUES_RARE_LARGE] = "rare-large", [VALUES_SCALES] = "scales",
	};

	return names[values];
}

void philox4x32_10(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
	core_philox(counter, key, out);
}

void philox_values(uint64_t seed, uint32_t tensor, uint64_t first, uint64_t count, enum value_set values, float *out)
{
	float four[4];
	uint64_t group = UINT64_MAX; /* no element's: indices end below 2^62 */

	for (uint64_t i = first; i < first + count; i++) {
		if (i / 4 != group) {
			group = i / 4;
			core_values(seed, tensor, group, values, four);
		}
		out[i - first] = four[i % 4];
	}
}

float philox_value(uint64_t seed, uint32_t tensor, uint64_t i, enum value_set values)
{
	float value;

	philox_values(seed, tensor, i, 1, values, &value);
	return value;
}

uint16_t bf16_from_float(float value)
{
	return core_bf16(value);
}

float bf16_to_float(uint16_t value)
{
	return CORE_FLOAT((uint32_t)value << 16);
}

uint8_t e4m3_from_float(float value)
{
	return core_e4m3(value);
}

float e4m3_to_float(uint8_t value)
{
	return core_from_e4m3(value);
}
