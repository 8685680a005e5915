/* What a model is told, written out for each kind of outcome. */
#include "unit.h"

#include "model/feedback.h"

static void says(struct evaluation evaluation, const char *facts, const char *text)
{
	static char none[] = "";
	struct bytes out = {0};

	evaluation.facts = cJSON_Parse(facts);
	assert_non_null(evaluation.facts);
	if (evaluation.text == NULL)
		evaluation.text = none;
	feedback_write(&evaluation, &out);
	assert_string_equal(out.data, text);
	bytes_free(&out);
	cJSON_Delete(evaluation.facts);
}

static void sentences(void **state)
{
	(void)state;
	says((struct evaluation){.outcome = OUTCOME_MEASURED_EXTRACTION, .why_none = (char[]){"there is no fenced block"}}, "{}", "There is no kernel in your reply: there is no fenced block.");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_COMPILATION, .text = (char[]){"line 6: syntax error"}}, "{}", "The kernel does not compile. What was found: line 6: syntax error.");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_COMPILATION, .text = (char[]){"one\n```\ntwo"}}, "{}", "The kernel does not compile. What was found:\n````\none\n```\ntwo\n````");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_INFRASTRUCTURE}, "{}", "The kernel could not be tried on this machine; that is not its fault.");
}

static void compiled_only(void **state)
{
	(void)state;
	says((struct evaluation){.outcome = OUTCOME_MEASURED_UNKNOWN},
	     "{\"code\":{\"functions\":[{\"function\":\"f\",\"registers\":40,\"shared_bytes\":1024}],\"instructions\":[{\"count\":2,\"target\":true,\"text\":\"HGMMA.64x64x16\"},{\"count\":1,\"target\":false,\"text\":\"HMMA\"}],"
	     "\"report\":\"0 bytes spill stores, 0 bytes spill loads\"}}",
	     "The kernel compiles. It was not run, so whether it is correct is not known.\n\nOf the architecture's own instructions its code has:\n- 2 of HGMMA.64x64x16\n\nThe function f has 40 registers a thread and 1024 "
	     "bytes of static shared memory.");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_UNKNOWN}, "{\"code\":{\"functions\":[],\"instructions\":[],\"report\":\"20 bytes spill stores, 0 bytes spill loads\"}}",
	     "The kernel compiles. It was not run, so whether it is correct is not known.\n\nNone of the architecture's own instructions (wgmma, tensor copies) stands in its code.\n\nptxas says:\n```\n20 bytes spill "
	     "stores, 0 bytes spill loads\n```");
}

static void measured(void **state)
{
	(void)state;
	says((struct evaluation){.outcome = OUTCOME_MEASURED_WRONG, .text = (char[]){"C: rms"}},
	     "{\"trials\":{\"planned\":30,\"passed\":1,\"failed\":7,\"not_run\":22},\"errors\":[{\"tensor\":\"C\",\"rms\":\"0.5\",\"library_rms\":\"0.001\",\"quantiles\":{\"0.5\":\"0.1\",\"max\":\"9\"},\"not_finite\":3}],"
	     "\"sanitizer\":\"Invalid write\"}",
	     "The kernel runs, and its result is wrong. What was found: C: rms.\n\nTrials: 30 planned, 1 right, 7 wrong, 22 not run.\n\nError of C against the fp32 reference: relative RMS 0.5 (the library's: 0.001); absolute "
	     "error by quantile: 0.5: 0.1; max: 9; elements that are not finite: 3.\n\ncompute-sanitizer says:\n```\nInvalid write\n```");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_CORRECT},
	     "{\"trials\":{\"planned\":63,\"passed\":63,\"failed\":0,\"not_run\":0},\"speed\":{\"speedup\":\"0.97\",\"low\":\"0.96\",\"high\":\"0.98\",\"candidate_ms\":\"0.77\",\"baseline_ms\":\"0.75\",\"baseline\":\"cuBLASLt\"},"
	     "\"work\":{\"target_share\":\"1\",\"executed\":[{\"text\":\"HGMMA.64x256x16\",\"executed\":5120}]},"
	     "\"code\":{\"functions\":[],\"instructions\":[{\"count\":2,\"target\":true,\"text\":\"HGMMA.64x256x16\"}],\"report\":\"\"}}",
	     "The kernel is correct.\n\nTrials: 63 planned, 63 right, 0 wrong, 0 not run.\n\nSpeed: 0.97 times that of cuBLASLt (95 % interval 0.96 to 0.98): 0.77 ms beside 0.75 ms.\n\nShare of the task's operations that the "
	     "architecture's own multiplies did: 1.\n- HGMMA.64x256x16 executed 5120 times by warps");
	says((struct evaluation){.outcome = OUTCOME_MEASURED_CORRECT}, "{\"work\":{}}", "The kernel is correct.\n\nWhat share of the work the architecture's own instructions did could not be measured.");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sentences), cmocka_unit_test(compiled_only), cmocka_unit_test(measured)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
