#include "label.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *status;
	enum outcome outcome;
} statuses[] = {
	{"PASSED", OUTCOME_CORRECT},
	{"INCORRECT_NUMERICAL", OUTCOME_NUMERICAL},
	/* PTXBench counts both as other errors (SPEC of its turn labels): its nine labels have none of their own. */
	{"INCORRECT_SHAPE", OUTCOME_OTHER},
	{"INCORRECT_DTYPE", OUTCOME_OTHER},
	{"COMPILE_ERROR", OUTCOME_COMPILATION},
	{"RUNTIME_ERROR", OUTCOME_RUNTIME},
	{"TIMEOUT", OUTCOME_EXECUTION_TIMEOUT},
	{"REWARD_HACK", OUTCOME_MEASURED_REJECTED},
	{"INFRA_ERROR", OUTCOME_MEASURED_INFRASTRUCTURE},
};

enum outcome label_of_status(const char *status)
{
	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
		if (strcmp(statuses[i].status, status) == 0)
			return statuses[i].outcome;
	return OUTCOME_MEASURED_UNKNOWN;
}

const char *label_status(enum outcome outcome)
{
	switch (outcome) {
	case OUTCOME_MEASURED_CORRECT:
		return "PASSED";
	case OUTCOME_MEASURED_WRONG:
		return "INCORRECT_NUMERICAL";
	case OUTCOME_MEASURED_COMPILATION:
		return "COMPILE_ERROR";
	case OUTCOME_MEASURED_RUNTIME:
	case OUTCOME_MEASURED_MEMORY:
		return "RUNTIME_ERROR";
	case OUTCOME_MEASURED_TIMEOUT:
		return "TIMEOUT";
	default:
		return NULL;
	}
}

/* Failures by phrase, in PTXBench's order of looking. */
static const struct {
	const char *phrase;
	enum outcome outcome;
} phrases[] = {
	{"INCORRECT_NUMERICAL", OUTCOME_NUMERICAL},
	{"Result is incorrect", OUTCOME_NUMERICAL},
	{"Failed to compile kernel", OUTCOME_COMPILATION},
	{"s waiting for sanitize", OUTCOME_SANITIZE_TIMEOUT},
	{"INFRA_TIMEOUT", OUTCOME_MEASURED_INFRASTRUCTURE},
	{"s waiting for evaluate", OUTCOME_MEASURED_INFRASTRUCTURE},
	{"returncode 137", OUTCOME_PROFILING_TIMEOUT},
	{"Kernel execution timed out", OUTCOME_EXECUTION_TIMEOUT},
	{"Evaluation timeout after", OUTCOME_EXECUTION_TIMEOUT},
	{"memcheck timed out", OUTCOME_EXECUTION_TIMEOUT},
	{"Could not extract", OUTCOME_EXTRACTION},
	{"RUNTIME_ERROR", OUTCOME_RUNTIME},
	{"CUDA error", OUTCOME_RUNTIME},
	{"CU error", OUTCOME_RUNTIME},
};

static bool has(const char *line, size_t len, const char *word)
{
	return memmem(line, len, word, strlen(word)) != NULL;
}

/* "[M=8192] PASSED — speedup: 0.912x (...)": the status of the line, or unknown. */
static enum outcome of_status_line(const char *line, size_t len, double *speedup)
{
	static const char after[] = "speedup: ";
	const char *close = len > 0 && line[0] == '[' ? memchr(line, ']', len) : NULL;
	enum outcome outcome = OUTCOME_MEASURED_UNKNOWN;

	if (close == NULL || close + 2 >= line + len || close[1] != ' ')
		return outcome;
	const char *word = close + 2;
	size_t left = (size_t)(line + len - word);

	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
		size_t status_len = strlen(statuses[i].status);

		if (left >= status_len && memcmp(word, statuses[i].status, status_len) == 0 && (left == status_len || word[status_len] == ' '))
			outcome = statuses[i].outcome;
	}
	const char *number = memmem(word, left, after, strlen(after));

	if (outcome == OUTCOME_CORRECT && number != NULL) {
		number += strlen(after);
		const char *end = memchr(number, 'x', (size_t)(line + len - number));

		if (end != NULL && !decimal_parse(number, (size_t)(end - number), speedup))
			*speedup = 0;
	}
	return outcome;
}

static size_t line_length(const char *text)
{
	return strcspn(text, "\n");
}

/* The heading may stand behind the agent's own first lines; the status is on the line below it. */
static const char *below_heading(const char *text, bool *any_passed)
{
	static const char passed[] = "Evaluation results:", failed[] = "Evaluation FAILED:";

	for (const char *line = text; *line != '\0';) {
		size_t len = line_length(line);
		const char *next = line + len + (line[len] == '\n');

		*any_passed = len == strlen(passed) && memcmp(line, passed, len) == 0;
		if (*any_passed || (len == strlen(failed) && memcmp(line, failed, len) == 0))
			return next;
		line = next;
	}
	return NULL;
}

enum outcome label_of_feedback(const char *text, double *speedup)
{
	bool any_passed = false;
	const char *line = below_heading(text, &any_passed);

	*speedup = 0;
	if (line != NULL) {
		enum outcome outcome = of_status_line(line, line_length(line), speedup);

		/* Under the heading of a failure nothing has passed, whatever a line says. */
		if (outcome != OUTCOME_MEASURED_UNKNOWN && (outcome != OUTCOME_CORRECT || any_passed))
			return outcome;
		*speedup = 0;
	}
	for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
		if (has(text, strlen(text), phrases[i].phrase))
			return phrases[i].outcome;
	return OUTCOME_MEASURED_UNKNOWN;
}
