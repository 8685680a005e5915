/* Samples of a record as numbers, and of many the medians of some in a row. */
#include "unit.h"

#include <cjson/cJSON.h>

#include "report/samples.h"

#define COLUMNS "\"columns\":[\"seed\",\"candidate_ns\",\"baseline_ns\",\"candidate_wall_ns\",\"baseline_wall_ns\",\"candidate_hz\",\"baseline_hz\",\"candidate_first\",\"checked\",\"throttled\"]"

static struct samples read(const char *timing, const char *which, size_t most)
{
	cJSON *record = cJSON_Parse(timing);
	struct samples samples;

	assert_non_null(record);
	samples_read(record, which, most, &samples);
	cJSON_Delete(record);
	return samples;
}

static const char four[] = "{\"timing\":{" COLUMNS ",\"warm_up_pairs\":1,\"samples\":[[\"1\",200,100,1e9,5e8,3,5,1,0,0],[\"2\",100,100,1e9,1e9,4,6,0,0,1],[\"3\",100,300,1e9,1e9,5,7,0,0,0],[\"4\",100,200,1e9,1e9,6,8,0,0,0]],"
                           "\"control_samples\":[[\"1\",100,100,1,1,1,1,1,0,0]]}}";

static void rows(void **state)
{
	struct samples samples = read(four, "samples", 100);

	(void)state;
	assert_int_equal(samples.count, 4);
	assert_int_equal(samples.each, 1);
	assert_true(samples.at[0].ratio == 0.5 && samples.at[0].warm_up && !samples.at[0].throttled && samples.at[0].at == 0);
	assert_true(samples.at[1].ratio == 1 && !samples.at[1].warm_up && samples.at[1].throttled && samples.at[1].at == 1.5);
	assert_true(samples.at[2].candidate_hz == 5 && samples.at[2].baseline_hz == 7 && samples.at[2].at == 3.5);
	samples_free(&samples);
	samples = read(four, "control_samples", 100);
	assert_int_equal(samples.count, 1);
	assert_false(samples.at[0].warm_up);
	samples_free(&samples);
}

/* Warm-up and what follows are not mixed; one throttled makes all of its row so. */
static void thinned(void **state)
{
	struct samples samples = read(four, "samples", 2);

	(void)state;
	assert_int_equal(samples.each, 2);
	assert_int_equal(samples.count, 3);
	assert_true(samples.at[0].ratio == 0.5 && samples.at[0].warm_up);
	assert_true(samples.at[1].ratio == 2 && samples.at[1].throttled && samples.at[1].candidate_hz == 4.5 && samples.at[1].at == 1.5);
	assert_true(samples.at[2].ratio == 2 && !samples.at[2].throttled);
	assert_int_equal(samples.at[0].pair, 1);
	assert_int_equal(samples.at[1].pair, 2); /* the first behind the warm-up, whose row was short */
	assert_int_equal(samples.at[2].pair, 4);
	samples_free(&samples);
}

static void none(void **state)
{
	static const char *const texts[] = {
		"{}", "{\"timing\":null}", "{\"timing\":{\"samples\":[[1]]}}", "{\"timing\":{" COLUMNS ",\"samples\":[]}}", "{\"timing\":{" COLUMNS ",\"samples\":[[\"1\",0,1,1,1,1,1,1,1,1]]}}",
		"{\"timing\":{" COLUMNS ",\"samples\":[[\"1\",1,1,1,1,1,\"1\",1,1,1]]}}", "{\"timing\":{" COLUMNS ",\"samples\":[1]}}"};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct samples samples = read(texts[i], "samples", 10);

		assert_int_equal(samples.count, 0);
		samples_free(&samples);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows), cmocka_unit_test(thinned), cmocka_unit_test(none)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
