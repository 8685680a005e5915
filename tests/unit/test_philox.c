/* Inputs from a seed: the generator's published known answers, first values of each value set (computed by a separate Python program from the
 * definition in philox.h), rounding to bfloat16 and E4M3. */
#include "unit.h"

#include <math.h>
#include <string.h>

#include "measure/philox.h"

/* Random123, tests/kat_vectors, philox4x32 10. */
static void philox_gives_the_known_answers(void **state)
{
	(void)state;
	static const struct {
		uint32_t counter[4], key[2], out[4];
	} vectors[] = {
		{{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}, {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}, {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	};

	for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
		uint32_t out[4];

		philox4x32_10(vectors[i].counter, vectors[i].key, out);
		assert_memory_equal(out, vectors[i].out, sizeof out);
	}
}

/* Of Python's own Philox, seed 11, tensor 2. */
static void scales_are_even_and_positive(void **state)
{
	(void)state;
	static const float want[] = {0.15550091862678528f, 0.1429646909236908f, 0.07482355087995529f, 0.06766203045845032f};
	double sum = 0;

	for (uint64_t i = 0; i < 4; i++)
		assert_true(philox_value(11, 2, i, VALUES_SCALES) == want[i]);
	for (uint64_t i = 0; i < 10000; i++) {
		const float value = philox_value(11, 2, i, VALUES_SCALES);

		assert_true(value >= 0.0625f && value <= 0.1875f);
		sum += (double)value;
	}
	assert_true(sum / 10000 > 0.124 && sum / 10000 < 0.126);
	assert_string_equal(value_set_name(VALUES_SCALES), "scales");
}

static void first_values_of_each_set(void **state)
{
	(void)state;
	static const float first[VALUES_COUNT][5] = {
		[VALUES_NORMAL] = {-0x1.d16818p+0f, -0x1.aa36e8p-1f, 0x1.4be88cp+0f, -0x1.323046p-1f, -0x1.969e5p-2f},
		[VALUES_TIMES_3] = {-0x1.5d0e12p+2f, -0x1.3fa92ep+1f, 0x1.f1dcd2p+1f, -0x1.cb4868p+0f, -0x1.30f6bcp+0f},
		[VALUES_TIMES_001] = {-0x1.29dc38p-6f, -0x1.10c6fap-7f, 0x1.a8d7bcp-7f, -0x1.87ebdep-8f, -0x1.043c5cp-8f},
		[VALUES_NEGATED] = {0x1.d16818p+0f, 0x1.aa36e8p-1f, -0x1.4be88cp+0f, 0x1.323046p-1f, 0x1.969e5p-2f},
		[VALUES_RARE_LARGE] = {-0x1.d16818p+0f, -0x1.aa36e8p-1f, 0x1.4be88cp+0f, -0x1.323046p-1f, -0x1.969e5p-2f},
	};

	for (int set = 0; set < VALUES_COUNT; set++)
		for (uint64_t i = 0; i < 5; i++)
			assert_true(philox_value(42, 1, i, (enum value_set)set) == first[set][i]);
	assert_true(philox_value(42, 1, 814, VALUES_RARE_LARGE) == -0x1.1914c4p+3f);
	assert_true(philox_value(42, 1, 814, VALUES_NORMAL) == 0x1.39897ep-6f);
}

static void seed_and_index_count_beyond_32_bits(void **state)
{
	(void)state;
	assert_true(philox_value(0x123456789abcdef0, 3, 0x500000001, VALUES_NORMAL) == -0x1.a550c2p-2f);
}

static void a_run_is_its_single_values(void **state)
{
	(void)state;
	float run[11];

	philox_values(7, 2, 3, 11, VALUES_RARE_LARGE, run);
	for (uint64_t i = 0; i < 11; i++)
		assert_true(run[i] == philox_value(7, 2, 3 + i, VALUES_RARE_LARGE));
}

/* philox.h: variance 1, range about +-4.8, one value in a thousand large. */
static void values_are_spread_as_said(void **state)
{
	(void)state;
	enum { COUNT = 1000000 };
	double sum = 0, squares = 0;
	int large = 0;

	for (uint64_t i = 0; i < COUNT; i += 100) {
		float normal[100], rare[100];

		philox_values(2026, 0, i, 100, VALUES_NORMAL, normal);
		philox_values(2026, 0, i, 100, VALUES_RARE_LARGE, rare);
		for (int j = 0; j < 100; j++) {
			sum += (double)normal[j];
			squares += (double)normal[j] * (double)normal[j];
			large += rare[j] != normal[j];
			assert_true(fabsf(normal[j]) < 4.9f);
		}
	}
	assert_true(fabs(sum / COUNT) < 0.005);
	assert_true(fabs(squares / COUNT - 1) < 0.01);
	assert_in_range(large, 850, 1150);
}

static void value_sets_have_names(void **state)
{
	(void)state;
	static const char *const names[VALUES_COUNT] = {"normal", "x3", "x0.01", "negated", "rare-large"};

	for (int set = 0; set < VALUES_COUNT; set++)
		assert_string_equal(value_set_name((enum value_set)set), names[set]);
}

static void bf16_rounds_to_nearest_even(void **state)
{
	(void)state;
	static const struct {
		float value;
		uint16_t bits;
	} cases[] = {
		{0.0f, 0x0000},           {-0.0f, 0x8000},          {1.0f, 0x3F80},
		{0x1.01p0f, 0x3F80},      /* half-way, down to even */
		{0x1.03p0f, 0x3F82},      /* half-way, up to even */
		{0x1.010002p0f, 0x3F81},  /* just above half-way */
		{0x1.00fffep0f, 0x3F80},  /* just below */
		{0x1.ffp0f, 0x4000},      /* carries into the exponent */
		{-0x1.03p0f, 0xBF82},
		{0x1.fffffep127f, 0x7F80}, /* FLT_MAX rounds to infinity */
		{0x1.fep127f, 0x7F7F},     /* the largest bfloat16 */
		{0x1p-149f, 0x0000},       /* the smallest fp32 is far below the smallest bfloat16 */
		{0x1p-133f, 0x0001},       /* which is this */
		{INFINITY, 0x7F80},
		{-INFINITY, 0xFF80},
		{NAN, 0x7FFF},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(bf16_from_float(cases[i].value), cases[i].bits);
	assert_int_equal(bf16_from_float(-NAN), 0x7FFF);
}

/* Every bfloat16 that is not a NaN comes back. */
static void bf16_survives_the_way_there_and_back(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits < 0x10000; bits++)
		if ((bits & 0x7FFF) <= 0x7F80)
			assert_int_equal(bf16_from_float(bf16_to_float((uint16_t)bits)), bits);
	assert_true(isnan(bf16_to_float(0x7FFF)) && isnan(bf16_to_float(0xFFFF)));
}

/* OCP OFP8 1.0, table 1: S.1111.110 = 448, S.0001.000 = 2^-6, S.0000.001 = 2^-9. */
static void e4m3_rounds_to_nearest_even_and_saturates(void **state)
{
	(void)state;
	static const struct {
		float value;
		uint8_t bits;
	} cases[] = {
		{0.0f, 0x00},      {-0.0f, 0x80},      {1.0f, 0x38},       {-1.0f, 0xB8},     {448.0f, 0x7E},    {449.0f, 0x7E},
		{1e30f, 0x7E},     {-INFINITY, 0xFE},  {NAN, 0x7F},        {0x1p-6f, 0x08},   {0x1p-9f, 0x01},
		{1.0625f, 0x38},   /* half-way, down to even */
		{1.1875f, 0x3A},   /* half-way, up to even */
		{1.0626f, 0x39},   {1.96875f, 0x40},   /* carries into the exponent */
		{0x1p-10f, 0x00},  /* half of the smallest, down to even */
		{0x1.8p-9f, 0x02}, /* half-way between subnormals, up to even */
		{0x1.fp-7f, 0x08}, /* the largest subnormals round up into the normal range */
		{0x1.cp-7f, 0x07},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(e4m3_from_float(cases[i].value), cases[i].bits);
	for (uint32_t bits = 0; bits < 0x100; bits++)
		if ((bits & 0x7F) != 0x7F)
			assert_int_equal(e4m3_from_float(e4m3_to_float((uint8_t)bits)), bits);
	assert_true(isnan(e4m3_to_float(0x7F)) && isnan(e4m3_to_float(0xFF)));
	assert_true(e4m3_to_float(0x7E) == 448.0f && e4m3_to_float(0x81) == -0x1p-9f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(philox_gives_the_known_answers),
		cmocka_unit_test(first_values_of_each_set), cmocka_unit_test(scales_are_even_and_positive),
		cmocka_unit_test(seed_and_index_count_beyond_32_bits),
		cmocka_unit_test(a_run_is_its_single_values),
		cmocka_unit_test(values_are_spread_as_said),
		cmocka_unit_test(value_sets_have_names),
		cmocka_unit_test(bf16_rounds_to_nearest_even),
		cmocka_unit_test(bf16_survives_the_way_there_and_back),
		cmocka_unit_test(e4m3_rounds_to_nearest_even_and_saturates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
