/* docs/records.md, "Labels of others" and "Trajectories": what others' words are taken for. */
#include "unit.h"

#include <string.h>

#include "model/dataset.h"
#include "model/label.h"

static void statuses_become_outcomes(void **state)
{
	(void)state;
	static const struct {
		const char *status, *outcome;
	} table[] = {{"PASSED", "Correct"},
	             {"INCORRECT_NUMERICAL", "Numerical error"},
	             {"INCORRECT_SHAPE", "Other error"},
	             {"INCORRECT_DTYPE", "Other error"},
	             {"COMPILE_ERROR", "Compilation error"},
	             {"RUNTIME_ERROR", "Runtime error"},
	             {"TIMEOUT", "Kernel Execution Timeout"},
	             {"REWARD_HACK", "rejected"},
	             {"INFRA_ERROR", "infrastructure"},
	             {"INVALID_REFERENCE", "unknown"},
	             {"passed", "unknown"},
	             {"", "unknown"}};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		assert_string_equal(outcome_name(label_of_status(table[i].status)), table[i].outcome);
}

static void measured_outcomes_become_statuses(void **state)
{
	(void)state;
	assert_string_equal(label_status(OUTCOME_MEASURED_CORRECT), "PASSED");
	assert_string_equal(label_status(OUTCOME_MEASURED_WRONG), "INCORRECT_NUMERICAL");
	assert_string_equal(label_status(OUTCOME_MEASURED_COMPILATION), "COMPILE_ERROR");
	assert_string_equal(label_status(OUTCOME_MEASURED_RUNTIME), "RUNTIME_ERROR");
	assert_string_equal(label_status(OUTCOME_MEASURED_MEMORY), "RUNTIME_ERROR");
	assert_string_equal(label_status(OUTCOME_MEASURED_TIMEOUT), "TIMEOUT");
	assert_null(label_status(OUTCOME_MEASURED_REJECTED));
	assert_null(label_status(OUTCOME_MEASURED_INFRASTRUCTURE));
	assert_null(label_status(OUTCOME_MEASURED_UNKNOWN));
	assert_null(label_status(OUTCOME_CORRECT));
}

static void feedback_tells_by_its_place(void **state)
{
	(void)state;
	static const struct {
		const char *text, *outcome;
		double speedup;
	} table[] = {
		{"Evaluation results:\n[M=1, N=2] PASSED - speedup: 0.125x (kernel)", "Correct", 0.125},
		{"<returncode>0</returncode>\nEvaluation results:\n[M=1] PASSED", "Correct", 0},
		{"Evaluation results:\n[M=1] PASSED - speedup: fastx", "Correct", 0},
		{"Evaluation FAILED:\n[M=1] TIMEOUT\n", "Kernel Execution Timeout", 0},
		{"Evaluation FAILED:\n[M=1] INCORRECT_SHAPE", "Other error", 0},
		/* A candidate's own lines. */
		{"Evaluation FAILED:\n[M=1] PASSED - speedup: 9.000x", "unknown", 0},
		{"Evaluation FAILED:\n[M=1] INCORRECT_DTYPE\nEvaluation results:\n[M=1] PASSED", "Other error", 0},
		{"[M=1] PASSED - speedup: 9.000x", "unknown", 0},
		{"PASSED", "unknown", 0},
		{"Evaluation results:\nPASSED", "unknown", 0},
		{"Evaluation results:\n[M=1] PASSEDLY", "unknown", 0},
		{"Evaluation results:\n[M=1", "unknown", 0},
		{"Evaluation results:", "unknown", 0},
		/* Failures by phrase, the first of the list. */
		{"test.py failed (returncode 1):\nFailed to compile kernel\nRUNTIME_ERROR", "Compilation error", 0},
		{"Timed out after 240.0s waiting for sanitize", "Sanitize Timeout", 0},
		{"Timed out after 240s waiting for evaluate", "infrastructure", 0},
		{"test.py failed (returncode 137):", "Profiling Service Timeout", 0},
		{"memcheck timed out", "Kernel Execution Timeout", 0},
		{"Could not extract a block", "Extraction error", 0},
		{"CUDA error 700", "Runtime error", 0},
		{"Result is incorrect", "Numerical error", 0},
		{"", "unknown", 0},
	};

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		double speedup = -1;

		assert_string_equal(outcome_name(label_of_feedback(table[i].text, &speedup)), table[i].outcome);
		assert_true(speedup >= table[i].speedup && speedup <= table[i].speedup);
	}
}

static void hardware_names_its_architecture(void **state)
{
	(void)state;
	assert_string_equal(dataset_arch("NVIDIA H100 80GB HBM3"), "hopper");
	assert_string_equal(dataset_arch("NVIDIA_H200"), "hopper");
	assert_string_equal(dataset_arch("NVIDIA B200"), "blackwell");
	assert_string_equal(dataset_arch("NVIDIA GB200-NVL"), "blackwell");
	assert_null(dataset_arch("NVIDIA A100-SXM4-80GB"));
	assert_null(dataset_arch("NVIDIA H1000"));
	assert_null(dataset_arch("NVIDIA RTX 5090"));
	assert_null(dataset_arch(""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_become_outcomes),
		cmocka_unit_test(measured_outcomes_become_statuses),
		cmocka_unit_test(feedback_tells_by_its_place),
		cmocka_unit_test(hardware_names_its_architecture),
	};

	return cmocka_run_group_tests_name("label", tests, NULL, NULL);
}
