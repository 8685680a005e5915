/* Medians, intervals, throttled samples, rooflines and suspicion, on literal values. */
#include "unit.h"

#include <math.h>

#include "measure/statistics.h"

static void near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.17g, not %.17g", value, expected);
}

static void fill(double *values, size_t count)
{
	/* 1 to count, from the outside in. */
	for (size_t i = 0; i < count; i++)
		values[i] = (double)(i % 2 == 0 ? i / 2 + 1 : count - i / 2);
}

/* Ranks as printed tables of the sign test's interval have them: n = 6: 1, 10: 2, 20: 6, 50: 18, 100: 40. */
static void ranks_of_the_interval(void **state)
{
	(void)state;
	static const struct {
		size_t count, rank;
	} cases[] = {{1, 0}, {5, 0}, {6, 1}, {8, 1}, {9, 2}, {10, 2}, {20, 6}, {50, 18}, {100, 40}, {1000, 469}};
	double values[1000];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const size_t n = cases[i].count, k = cases[i].rank;
		struct interval interval;

		fill(values, n);
		interval_of(values, n, &interval);
		assert_int_equal(interval.rank, k);
		assert_int_equal(interval.count, n);
		near(interval.median, (double)(n + 1) / 2);
		near(interval.low, k > 0 ? (double)k : 1);
		near(interval.high, k > 0 ? (double)(n + 1 - k) : (double)n);
	}
}

static void widths(void **state)
{
	(void)state;
	const struct interval narrow = {.median = 2, .low = 1.99, .high = 2.004, .rank = 3, .count = 20};
	const struct interval few = {.median = 2, .low = 2, .high = 2, .rank = 0, .count = 3};
	struct interval none;

	near(interval_width(&narrow), 0.005);
	assert_true(isinf(interval_width(&few)));
	interval_of(NULL, 0, &none);
	assert_true(none.median == 0 && none.count == 0);
	assert_true(isinf(interval_width(&none)));
}

static void medians(void **state)
{
	(void)state;
	near(median_of((const double[]){3, 1, 2}, 3), 2);
	near(median_of((const double[]){4, 1, 2, 3}, 4), 2.5);
	assert_true(median_of(NULL, 0) == 0);
}

/* Five pairs find a cold device: they are kept and do not count. */
static void the_first_pairs_do_not_count(void **state)
{
	(void)state;
	struct sample samples[25];
	bool slow[25] = {false};
	struct speed speed;

	for (int i = 0; i < 25; i++)
		samples[i] = (struct sample){.candidate_ms = i < 5 ? 100 : 2,
		                             .baseline_ms = 1,
		                             .candidate_wall_ms = i < 5 ? 900 : 2.5,
		                             .baseline_wall_ms = 1.25,
		                             .candidate_hz = 1.9e9,
		                             .baseline_hz = 1.8e9};
	mark_throttled(samples, slow, 5, 25);
	speed_of(samples, 5, 25, &speed);
	assert_int_equal(speed.speedup.count, 20);
	near(speed.speedup.median, 0.5);
	near(speed.speedup.low, 0.5);
	near(speed.candidate_ms.median, 2);
	near(speed.candidate_hz, 1.9e9);
	near(speed.hidden_ms, 0.25);
	assert_int_equal(speed.throttled, 0);
	speed_of(samples, 5, 5, &speed);
	assert_int_equal(speed.speedup.count, 0);
}

static void throttled_samples_are_left_out(void **state)
{
	(void)state;
	struct sample samples[25];
	bool slow[25] = {false};
	struct speed speed;

	for (int i = 0; i < 25; i++)
		samples[i] = (struct sample){.candidate_ms = 2, .baseline_ms = 1, .candidate_hz = 2e9, .baseline_hz = 2e9};
	samples[7].candidate_hz = 1.81e9; /* above 0.9 of the median */
	samples[8].candidate_hz = 1.79e9;
	samples[8].candidate_ms = 4;
	samples[9].baseline_hz = 1e9;
	slow[10] = true;
	mark_throttled(samples, slow, 5, 25);
	assert_false(samples[7].throttled);
	assert_true(samples[8].throttled && samples[9].throttled && samples[10].throttled);
	speed_of(samples, 5, 25, &speed);
	assert_int_equal(speed.throttled, 3);
	assert_int_equal(speed.speedup.count, 17);

	/* Where most are, that is how the device was. */
	for (int i = 0; i < 25; i++)
		slow[i] = true;
	mark_throttled(samples, slow, 5, 25);
	speed_of(samples, 5, 25, &speed);
	assert_int_equal(speed.throttled, 20);
	assert_int_equal(speed.speedup.count, 20);
}

/* A candidate that takes twice the time at 1.2 times the library's clock takes 2.4 times its cycles. A clock that is not known gives none. */
static void cycles_are_time_at_equal_clocks(void **state)
{
	(void)state;
	struct sample samples[20];
	struct speed speed;

	for (int i = 0; i < 20; i++)
		samples[i] = (struct sample){.candidate_ms = 2, .baseline_ms = 1, .candidate_hz = 1.8e9, .baseline_hz = 1.5e9};
	speed_of(samples, 5, 20, &speed);
	near(speed.speedup.median, 0.5);
	near(speed.cycles.median, 1 / 2.4);
	assert_int_equal(speed.cycles.count, 15);
	samples[12].candidate_hz = 0;
	speed_of(samples, 5, 20, &speed);
	assert_int_equal(speed.cycles.count, 0);
	assert_int_equal(speed.speedup.count, 15);
}

static void rule_of_three(void **state)
{
	(void)state;
	near(bound_of_failures(30), 0.1);
	near(bound_of_failures(3), 1);
	near(bound_of_failures(2), 1);
	near(bound_of_failures(0), 1);
}

static const struct problem gemm = {.family = FAMILY_GEMM, .flops = 601295421440, .bytes = 274726912, .tensors = {{.name = "A", .dtype = DTYPE_BF16}}};

/* 4096 x 132 x 1.98 GHz = 1070.5 TFLOP/s: 0.5617 ms for 601.3 GFLOP. An H100 at its 1830 MHz has the published 989.4. */
static void rooflines(void **state)
{
	(void)state;
	struct roofline h200 = {.sms = 132, .sm_hz = 1980000000, .memory_hz = 3201000000, .bus_bits = 6144};
	struct roofline h100 = {.sms = 132, .sm_hz = 1830000000};
	struct roofline unknown = {.sms = 148, .sm_hz = 1965000000, .memory_hz = 4000000000, .bus_bits = 8192};

	roofline_set(&h200, 90, &gemm);
	near(h200.flops_per_s, 1070530560000000.0);
	near(h200.bytes_per_s, 4916736000000.0);
	near(h200.floor_ns, 601295421440 / 1.07053056e6);
	roofline_set(&h100, 90, &gemm);
	near(h100.flops_per_s, 989429760000000.0);
	roofline_set(&unknown, 100, &gemm);
	assert_int_equal(unknown.operations_per_clock, 0);
	near(unknown.floor_ns, 274726912 / 8.192e3);
}

static void suspicions(void **state)
{
	(void)state;
	const struct roofline roofline = {.floor_ns = 1e6};
	struct speed speed = {.speedup = {.median = 1.10}, .candidate_ms = {.median = 1}, .hidden_ms = 0.2};
	struct interval control = {.median = 1.003, .count = 10};
	struct beside beside = {.target_share = -1, .warp_share = -1};

	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), 0);
	speed.speedup.median = 1.11;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_LIBRARY);
	speed.candidate_ms.median = 0.99;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_LIBRARY | SUSPECT_ROOFLINE);
	speed.hidden_ms = 0.21;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_LIBRARY | SUSPECT_ROOFLINE | SUSPECT_HIDDEN);
	control.median = 0.9969;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_LIBRARY | SUSPECT_ROOFLINE | SUSPECT_HIDDEN | SUSPECT_CONTROL);
	control.count = 0;
	speed.candidate_ms.median = 10;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_LIBRARY);
	speed.speedup.median = 1;
	speed.baseline_ms.median = 1.09;
	beside.chosen_ms = 1;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), 0);
	speed.baseline_ms.median = 1.11;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_SLOWED);
	beside.chosen_ms = 0;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), 0);
	/* As a decoy, whose share is known; as wgmma-tma; both at once; backward, whose products of both kinds are more than the task's. */
	static const struct {
		double target, warp;
		unsigned found;
	} shares[] = {{1e-8, 1, 0}, {1, 0, 0}, {1, 1, SUSPECT_TWICE}, {0.01, 0.99, SUSPECT_TWICE}, {0.0099, 1, 0}, {0.8, 0.6, 0}, {-1, 1, 0}, {1, -1, 0}, {1, NAN, 0}};

	for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
		beside.target_share = shares[i].target;
		beside.warp_share = shares[i].warp;
		assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), shares[i].found);
	}
	/* Two speeds: the interval reaches from one to the other. Of few pairs it is wide for that alone. */
	beside = (struct beside){.target_share = -1, .warp_share = -1};
	speed.baseline_ms.median = 1;
	speed.speedup = (struct interval){.median = 1, .low = 0.97, .high = 1.0199, .count = 40};
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), 0);
	speed.speedup.high = 1.021;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), SUSPECT_WIDE);
	speed.speedup.count = 39;
	assert_int_equal(suspicions_of(&speed, &control, &roofline, &beside), 0);
	for (unsigned bit = SUSPECT_ROOFLINE; bit < SUSPECT_END; bit <<= 1)
		assert_true(suspicion_text((enum suspicion)bit)[0] != '\0');
}

/* The library's time before there was a candidate: the median of those that its algorithm was chosen by. */
static void time_when_chosen(void **state)
{
	(void)state;
	static const struct {
		const char *json;
		double ms;
	} list[] = {
		{"{\"chosen\":1,\"tried\":[{\"nanoseconds\":[9]},{\"nanoseconds\":[3000000,1000000,9000000]}]}", 3},
		{"{\"chosen\":0,\"tried\":[{\"nanoseconds\":[]}]}", 0},
		{"{\"chosen\":2,\"tried\":[{\"nanoseconds\":[1]}]}", 0},
		{"{\"chosen\":-1,\"tried\":[{\"nanoseconds\":[1]}]}", 0},
		{"{\"chosen\":\"0\",\"tried\":7}", 0},
		{"{}", 0},
		{"null", 0},
	};

	for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
		cJSON *facts = cJSON_Parse(list[i].json);

		assert_non_null(facts);
		near(chosen_ms(facts), list[i].ms);
		cJSON_Delete(facts);
	}
	near(chosen_ms(NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranks_of_the_interval),
		cmocka_unit_test(widths),
		cmocka_unit_test(medians),
		cmocka_unit_test(the_first_pairs_do_not_count),
		cmocka_unit_test(throttled_samples_are_left_out),
		cmocka_unit_test(cycles_are_time_at_equal_clocks), cmocka_unit_test(rule_of_three),
		cmocka_unit_test(rooflines),
		cmocka_unit_test(suspicions), cmocka_unit_test(time_when_chosen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
