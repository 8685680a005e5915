/* The figures of all measured candidates: the numbers drawn are those of the CSV and of the records; a stand-in's are in none. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "drawn.h"
#include "report/overview.h"

#define COLUMNS "\"columns\":[\"seed\",\"candidate_ns\",\"baseline_ns\",\"candidate_wall_ns\",\"baseline_wall_ns\",\"candidate_hz\",\"baseline_hz\",\"candidate_first\",\"checked\",\"throttled\"]"
#define NAMED(name) "\"run\":\"r\",\"problem\":{\"task\":\"t\"},\"candidate\":{\"name\":\"" name "\"}"

static const char full[] = "{" NAMED("a, b") ",\"timing\":{" COLUMNS ",\"warm_up_pairs\":1,\"samples\":[[\"1\",1,1,1,1,9e9,9e9,1,0,0],[\"2\",1,1,1,1,1.5e9,1e9,0,0,0],[\"3\",1,1,1,1,1.25e9,1e9,0,0,0],"
			   "[\"4\",1,1,1,1,2e9,0,0,0,0],[\"5\",1,1,1,1,7e9,7e9,0,0,1]],\"speedup\":{\"median\":\"0.5\",\"low\":\"0.25\",\"high\":\"0.75\"},\"cycles\":{\"median\":\"0.625\"}},"
			   "\"evidence\":{\"share\":\"1.5\",\"operations_share\":{\"warp\":\"0.001\"}},"
			   "\"trials\":[{\"outputs\":[{\"error\":{\"rms\":\"3\",\"quantiles\":{\"0.9\":\"1\",\"max\":\"900\"}},\"library_error\":{\"rms\":\"2\",\"quantiles\":{\"0.9\":\"4\",\"max\":\"1\"}}}]},"
			   "{\"outputs\":[{\"error\":{\"rms\":\"1\"},\"library_error\":{\"rms\":\"2\"}}]}]}";
static const char bare[] = "{" NAMED("none") ",\"timing\":null,\"evidence\":{\"share\":null}}";
static const char other[] = "{" NAMED("other") ",\"timing\":{\"speedup\":{\"median\":\"1.25\",\"low\":\"1\",\"high\":\"1.5\"}},\"evidence\":{\"share\":\"0.5\"}}";
static const char stand_in[] = "{" NAMED("s") ",\"stand_in\":true,\"timing\":{\"speedup\":{\"median\":\"99\"}},\"evidence\":{\"share\":\"99\"}}";

static void shows(enum overview_kind kind, const char *csv, const char *want)
{
	const char *const texts[] = {full, bare, stand_in, other};
	struct measured measured[4] = {0};
	const struct kernels kernels = {.at = measured, .count = 4};
	struct overview overview;

	for (size_t i = 0; i < 4; i++) {
		measured[i].record = cJSON_Parse(texts[i]);
		assert_non_null(measured[i].record);
	}
	assert_true(overview_make(&kernels, kind, &overview));
	assert_string_equal(overview.csv.data, csv);
	drawn(&overview.figure, want);
	overview_free(&overview);
	for (size_t i = 0; i < 4; i++)
		cJSON_Delete(measured[i].record);
}

#define HEAD "task,candidate,run,what,value,low,high\n"

static void speeds(void **state)
{
	(void)state;
	shows(OVERVIEW_SPEED, HEAD "t,\"a, b\",r,in time,0.5,0.25,0.75\nt,\"a, b\",r,in SM cycles,0.625,,\nt,other,r,in time,1.25,1,1.5\n",
	      "x times the library’s speed 0..1.5625\ny  2.5..0.5 names 1=t / a, b 2=t / other\nin time: 0.5,0.82[0.25,0.75] 1.25,1.82[1,1.5]\nin SM cycles (hollow): 0.625,1.18\nrule x 1\n");
}

/* Warm-up, throttled pairs and clocks that are not known do not count. */
static void clocks(void **state)
{
	(void)state;
	shows(OVERVIEW_CLOCK, HEAD "t,\"a, b\",r,candidate,1.5,1.25,2\nt,\"a, b\",r,\"library, beside it\",1,1,1\n",
	      "x SM clock, GHz 0.95..2.05\ny  1.5..0.5 names 1=t / a, b\ncandidate: 1.5,0.82[1.25,2]\nlibrary, beside it (hollow): 1,1.18[1,1]\n");
}

/* 0.1 % is in the CSV, but too small for a bar. */
static void work(void **state)
{
	(void)state;
	shows(OVERVIEW_WORK, HEAD "t,\"a, b\",r,\"target instructions (wgmma, tcgen05)\",150,,\nt,\"a, b\",r,multiplies by one warp,0.1,,\nt,other,r,\"target instructions (wgmma, tcgen05)\",50,,\n",
	      "x % of the task’s operations 0..157.495\ny  2.5..0.5 names 1=t / a, b 2=t / other\ntarget instructions (wgmma, tcgen05): 150,0.82 50,1.82\nmultiplies by one warp (hollow):\nrule x 100\n");
}

/* The greatest ratio of any trial; of quantiles the greatest error is none. */
static void errors(void **state)
{
	(void)state;
	shows(OVERVIEW_ERRORS, HEAD "t,\"a, b\",r,relative RMS,1.5,,\nt,\"a, b\",r,quantiles 0.5 to 0.999,0.25,,\n",
	      "x greatest ratio to the library’s error, in all trials log 0.217391..4.6\ny  1.5..0.5 names 1=t / a, b\nrelative RMS: 1.5,0.82\nquantiles 0.5 to 0.999 (hollow): 0.25,1.18\nrule x 2\nrule x 4\n");
}

/* More than fit are counted in the caption, and nothing of them is in the CSV; what cannot be drawn is none. */
static void limits(void **state)
{
	struct measured *measured = mem_alloc(60 * sizeof *measured);
	struct kernels kernels = {.at = measured, .count = 60};
	struct overview overview;
	size_t lines = 0;

	(void)state;
	for (size_t i = 0; i < 60; i++)
		measured[i].record = cJSON_Parse(other);
	assert_true(overview_make(&kernels, OVERVIEW_SPEED, &overview));
	assert_int_equal(overview.figure.panels[0]->y.tick_count, 48);
	assert_non_null(strstr(overview.figure.caption, " 12 more candidates have pages of their own."));
	for (size_t i = 0; i < overview.csv.len; i++)
		lines += overview.csv.data[i] == '\n';
	assert_int_equal(lines, 49);
	overview_free(&overview);
	for (size_t i = 0; i < 60; i++)
		cJSON_Delete(measured[i].record);
	measured[0].record = cJSON_Parse("{\"timing\":{\"speedup\":{\"median\":\"1.7e308\",\"low\":\"1.6e308\",\"high\":\"1.79e308\"}}}");
	kernels.count = 1;
	assert_false(overview_make(&kernels, OVERVIEW_SPEED, &overview)); /* its axis has no finite length */
	assert_false(overview_make(&kernels, OVERVIEW_WORK, &overview));
	cJSON_Delete(measured[0].record);
	kernels.count = 0;
	assert_false(overview_make(&kernels, OVERVIEW_CLOCK, &overview));
	free(measured);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(speeds), cmocka_unit_test(clocks), cmocka_unit_test(work), cmocka_unit_test(errors), cmocka_unit_test(limits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
