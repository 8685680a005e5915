/* What is drawn of one record: every number where the record has it, nothing where it has none. */
#include "unit.h"

#include <string.h>

#include "drawn.h"
#include "report/record_figure.h"

#define COLUMNS "\"columns\":[\"seed\",\"candidate_ns\",\"baseline_ns\",\"candidate_wall_ns\",\"baseline_wall_ns\",\"candidate_hz\",\"baseline_hz\",\"candidate_first\",\"checked\",\"throttled\"]"

static void shows(enum kernel_picture picture, const char *json, const char *want)
{
	cJSON *record = cJSON_Parse(json);
	struct figure figure;
	struct error err = {0};

	assert_non_null(record);
	assert_true(record_figure(record, picture, &figure));
	drawn(&figure, want);
	assert_int_equal(figure_check(&figure, &err), OK);
	assert_null(figure.table);
	figure_free(&figure);
	cJSON_Delete(record);
}

static void shows_nothing(enum kernel_picture picture, const char *json)
{
	cJSON *record = cJSON_Parse(json);
	struct figure figure;

	assert_non_null(record);
	assert_false(record_figure(record, picture, &figure));
	cJSON_Delete(record);
}

/* One warm-up pair, one that counts, one throttled; a control; the ends of the axes are 6 % beyond what is drawn. */
static const char timing[] = "{\"timing\":{" COLUMNS ",\"warm_up_pairs\":1,\"samples\":[[\"1\",200,100,1e9,5e8,1.5e9,1.25e9,1,0,0],[\"2\",100,100,1e9,1e9,1.5e9,1.5e9,0,0,0],[\"3\",100,300,1e9,1e9,1e9,0,0,0,1]],"
			     "\"control_samples\":[[\"1\",100,100,1,1,1,1,1,0,0]],\"speedup\":{\"median\":\"1\",\"low\":\"0.75\",\"high\":\"1.25\"},\"roofline\":{\"sm_hz\":2e9}}}";

static void samples(void **state)
{
	(void)state;
	shows(KERNEL_SAMPLES, timing,
	      "panel candidate 1 [0.75, 1.25]\nx pair, in order 0..4\ny library’s time / candidate’s 0.35..3.15\n"
	      "counted: 2,1\nwarm-up, not counted (hollow): 1,0.5\nthrottled: 3,3\nrule y 0.75\nrule y 1.25\nrule y 1\n"
	      "panel control\nx pair, in order 0..2\ny  0.99..1.01\ncounted: 1,1\n");
	shows_nothing(KERNEL_SAMPLES, "{\"timing\":{" COLUMNS ",\"samples\":[]}}");
	shows_nothing(KERNEL_SAMPLES, "{\"timing\":null}");
}

/* A call whose clock is not known has no place; time is what the calls before took. */
static void clocks(void **state)
{
	(void)state;
	shows(KERNEL_CLOCK, timing,
	      "x s of wall time that the calls before took -0.035..3.535\ny SM clock, GHz 0.94..2.06\n"
	      "library: 0,1.25 1.5,1.5\ncandidate: 0,1.5 1.5,1.5 3.5,1\nthrottled: 3.5,1\nrule y 2 greatest 2\n");
	shows_nothing(KERNEL_CLOCK, "{\"timing\":{" COLUMNS ",\"warm_up_pairs\":0,\"samples\":[[\"1\",200,100,1,1,0,0,1,0,0]]}}");
}

/* Families in the order of their first line, lines of one added up; what the code does not tell has no bar but a word; a bar that would be no line has its number alone. */
static void work(void **state)
{
	(void)state;
	shows(KERNEL_WORK,
	      "{\"problem\":{\"flops\":1000},\"evidence\":{\"warps\":200,\"share\":\"1.5\",\"lines\":[{\"family\":\"HGMMA\",\"operations\":1000,\"executed\":10},{\"family\":\"UTMALDG\",\"operations\":0,\"executed\":4},"
	      "{\"family\":\"HGMMA\",\"operations\":500,\"executed\":10},{\"family\":\"UTC\",\"operations\":null,\"executed\":0}]}}",
	      "panel operations\nx % of the task’s operations 0..187.5\ny  3.6..0.4 names 1=HGMMA 2=UTMALDG 3=UTC\noperations: 150,1\ntext 152.25,1 150 %\ntext 2.25,2 0 %\ntext 1.5,3 not told by the code\n"
	      "panel executions\nx % of all instructions that warps executed 0..12.5\ny  3.6..0.4 names bare 1=HGMMA 2=UTMALDG 3=UTC\nexecutions: 10,1 2,2\ntext 10.15,1 10 %\ntext 2.15,2 2 %\ntext 0.15,3 0 %\n");
	shows_nothing(KERNEL_WORK, "{\"problem\":{\"flops\":1000},\"evidence\":{\"warps\":200,\"lines\":[]}}");
	shows_nothing(KERNEL_WORK, "{\"problem\":{\"flops\":0},\"evidence\":{\"warps\":200,\"lines\":[{\"family\":\"HGMMA\",\"operations\":1,\"executed\":1}]}}");
}

#define ERROR(rms, half) "{\"rms\":\"" rms "\",\"quantiles\":{\"0.5\":\"" half "\"}}"

/* Each error over the library's of the same trial: the median of all trials, from the least to the greatest; zero has no place. */
static void errors(void **state)
{
	(void)state;
	shows(KERNEL_ERRORS,
	      "{\"trials\":[{\"outputs\":[{\"tensor\":\"C\",\"error\":" ERROR("2", "1") ",\"library_error\":" ERROR("1", "4") "}]},{\"outputs\":[{\"tensor\":\"C\",\"error\":" ERROR("6", "0") ",\"library_error\":" ERROR("2", "1") "},"
	      "{\"tensor\":\"D\",\"error\":" ERROR("1", "1") ",\"library_error\":" ERROR("1", "0") "}]},{\"outputs\":[{\"tensor\":\"C\",\"error\":null,\"library_error\":null}]}]}",
	      "x error against the fp32 reference 0.5..7.3 names 1=relative RMS 2=quantile 0.5 3=0.9 4=0.99 5=0.999 6=greatest\ny candidate’s error / library’s log 0.217391..8\n"
	      "C: 0.8,2.5[2,3] 1.8,0.25[0.25,0.25]\nD: 0.92,1[1,1]\nstrict allows: 0.5,2 1.5,2 1.5,4 6.5,4\nrule y 1 the library\n");
	shows_nothing(KERNEL_ERRORS, "{\"trials\":[{\"outputs\":[{\"tensor\":\"C\",\"error\":" ERROR("0", "0") ",\"library_error\":" ERROR("1", "1") "}]}]}");
	shows_nothing(KERNEL_ERRORS, "{}");
}

/* Of a record that was made to mean harm: what is too much is left out of the picture, what is no number has no place, and a picture that cannot be drawn is refused as such. */
static void hostile(void **state)
{
	struct bytes text = {0};
	struct figure figure;
	cJSON *record;

	(void)state;
	bytes_text(&text, "{\"problem\":{\"flops\":1e300},\"evidence\":{\"warps\":1,\"lines\":[");
	for (int i = 0; i < 1000; i++)
		bytes_format(&text, "%s{\"family\":\"F%d\",\"operations\":1e308,\"executed\":1e308}", i > 0 ? "," : "", i);
	bytes_text(&text, "]}}");
	record = cJSON_Parse(text.data);
	assert_true(record_figure(record, KERNEL_WORK, &figure));
	assert_int_equal(figure.panels[0]->y.tick_count, 12);
	figure_free(&figure);
	cJSON_Delete(record);
	text.len = 0;
	bytes_text(&text, "{\"trials\":[");
	for (int i = 0; i < 3000; i++)
		bytes_format(&text, "%s{\"outputs\":[{\"tensor\":\"T%d\",\"error\":" ERROR("1e308", "-1") ",\"library_error\":" ERROR("1e-308", "1") "},{\"tensor\":\"T0\",\"error\":" ERROR("1", "1") ",\"library_error\":" ERROR("1", "1") "}]}",
		             i > 0 ? "," : "", i % 50);
	bytes_text(&text, "]}");
	record = cJSON_Parse(text.data);
	assert_true(record_figure(record, KERNEL_ERRORS, &figure)); /* six outputs at most, and 400 ratios of each */
	assert_int_equal(figure.panels[0]->series_count, 7);
	assert_int_equal(figure_check(&figure, NULL), OK);
	figure_free(&figure);
	cJSON_Delete(record);
	bytes_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(samples), cmocka_unit_test(clocks), cmocka_unit_test(work), cmocka_unit_test(errors), cmocka_unit_test(hostile)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
