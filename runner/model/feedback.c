#include "feedback.h"

#include <string.h>

static const cJSON *member(const cJSON *object, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* "" where it is not a text. */
static const char *text_of(const cJSON *object, const char *name)
{
	const cJSON *item = member(object, name);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static double number_of(const cJSON *object, const char *name)
{
	const cJSON *item = member(object, name);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

void feedback_fenced(const char *info, const char *text, size_t len, struct bytes *out)
{
	size_t longest = 2, run = 0;

	for (size_t i = 0; i < len; i++) {
		run = text[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (size_t i = 0; i <= longest; i++)
		bytes_char(out, '`');
	bytes_text(out, info);
	bytes_char(out, '\n');
	bytes_add(out, text, len);
	if (len > 0 && text[len - 1] != '\n')
		bytes_char(out, '\n');
	for (size_t i = 0; i <= longest; i++)
		bytes_char(out, '`');
}

/* ---- the sentence that says what happened ---- */

static void write_outcome(const struct evaluation *evaluation, struct bytes *out)
{
	static const struct {
		enum outcome outcome;
		const char *sentence;
	} sentences[] = {
		{OUTCOME_MEASURED_CORRECT, "The kernel is correct."},
		{OUTCOME_MEASURED_WRONG, "The kernel runs, and its result is wrong."},
		{OUTCOME_MEASURED_COMPILATION, "The kernel does not compile."},
		{OUTCOME_MEASURED_RUNTIME, "The kernel fails while it runs."},
		{OUTCOME_MEASURED_MEMORY, "The kernel touches memory that is not its own."},
		{OUTCOME_MEASURED_TIMEOUT, "The kernel does not come to its end in time."},
		{OUTCOME_MEASURED_REJECTED, "The kernel breaks a rule, and is not taken."},
		{OUTCOME_MEASURED_INFRASTRUCTURE, "The kernel could not be tried on this machine; that is not its fault."},
		{OUTCOME_MEASURED_UNKNOWN, "The kernel compiles. It was not run, so whether it is correct is not known."},
		{OUTCOME_MEASURED_EXTRACTION, "There is no kernel in your reply"},
	};

	for (size_t i = 0; i < sizeof sentences / sizeof sentences[0]; i++)
		if (sentences[i].outcome == evaluation->outcome)
			bytes_text(out, sentences[i].sentence);
	if (evaluation->why_none != NULL)
		bytes_format(out, ": %s.", evaluation->why_none);
	if (evaluation->text[0] == '\0')
		return;
	/* Short words in line, a tool's words apart. */
	if (strchr(evaluation->text, '\n') == NULL && strlen(evaluation->text) < 200) {
		bytes_format(out, " What was found: %s.", evaluation->text);
	} else {
		bytes_text(out, " What was found:\n");
		feedback_fenced("", evaluation->text, strlen(evaluation->text), out);
	}
}

/* ---- numbers ---- */

static void write_errors(const cJSON *errors, struct bytes *out)
{
	const cJSON *error, *quantile;

	cJSON_ArrayForEach(error, errors)
	{
		bytes_format(out, "\n\nError of %s against the fp32 reference: relative RMS %s", text_of(error, "tensor"), text_of(error, "rms"));
		if (text_of(error, "library_rms")[0] != '\0')
			bytes_format(out, " (the library's: %s)", text_of(error, "library_rms"));
		bytes_text(out, "; absolute error by quantile:");
		cJSON_ArrayForEach(quantile, member(error, "quantiles"))
			bytes_format(out, " %s: %s;", quantile->string, cJSON_IsString(quantile) ? quantile->valuestring : "");
		bytes_format(out, " elements that are not finite: %.0f.", number_of(error, "not_finite"));
	}
}

static void write_speed(const cJSON *speed, struct bytes *out)
{
	if (speed == NULL)
		return;
	bytes_format(out, "\n\nSpeed: %s times that of %s (95 %% interval %s to %s): %s ms beside %s ms.", text_of(speed, "speedup"), text_of(speed, "baseline"), text_of(speed, "low"), text_of(speed, "high"),
	             text_of(speed, "candidate_ms"), text_of(speed, "baseline_ms"));
}

static void write_work(const cJSON *work, struct bytes *out)
{
	const cJSON *line;

	if (work == NULL)
		return;
	if (text_of(work, "target_share")[0] != '\0')
		bytes_format(out, "\n\nShare of the task's operations that the architecture's own multiplies did: %s.", text_of(work, "target_share"));
	else
		bytes_text(out, "\n\nWhat share of the work the architecture's own instructions did could not be measured.");
	cJSON_ArrayForEach(line, member(work, "executed"))
		bytes_format(out, "\n- %s executed %.0f times by warps", text_of(line, "text"), number_of(line, "executed"));
}

/* ptxas' report is worth telling where registers were spilled. */
static bool has_spills(const char *report)
{
	for (const char *at = strstr(report, " bytes spill"); at != NULL; at = strstr(at + 1, " bytes spill"))
		if (at - report >= 2 && !(at[-1] == '0' && at[-2] == ' '))
			return true;
	return false;
}

/* What stands in the code; a loop runs what stands once. */
static void write_code(const cJSON *code, bool ran, struct bytes *out)
{
	const cJSON *line, *function;
	bool target = false;

	if (code == NULL)
		return;
	cJSON_ArrayForEach(line, member(code, "instructions"))
		target = target || cJSON_IsTrue(member(line, "target"));
	if (!target)
		bytes_text(out, "\n\nNone of the architecture's own instructions (wgmma, tensor copies) stands in its code.");
	if (!ran && target) {
		bytes_text(out, "\n\nOf the architecture's own instructions its code has:");
		cJSON_ArrayForEach(line, member(code, "instructions"))
			if (cJSON_IsTrue(member(line, "target")))
				bytes_format(out, "\n- %.0f of %s", number_of(line, "count"), text_of(line, "text"));
	}
	cJSON_ArrayForEach(function, member(code, "functions"))
		bytes_format(out, "\n%sThe function %s has %.0f registers a thread and %.0f bytes of static shared memory.", function == member(code, "functions")->child ? "\n" : "", text_of(function, "function"),
		             number_of(function, "registers"), number_of(function, "shared_bytes"));
	if (has_spills(text_of(code, "report"))) {
		bytes_text(out, "\n\nptxas says:\n");
		feedback_fenced("", text_of(code, "report"), strlen(text_of(code, "report")), out);
	}
}

void feedback_write(const struct evaluation *evaluation, struct bytes *out)
{
	const cJSON *facts = evaluation->facts, *trials = member(facts, "trials");

	write_outcome(evaluation, out);
	if (trials != NULL)
		bytes_format(out, "\n\nTrials: %.0f planned, %.0f right, %.0f wrong, %.0f not run.", number_of(trials, "planned"), number_of(trials, "passed"), number_of(trials, "failed"), number_of(trials, "not_run"));
	write_errors(member(facts, "errors"), out);
	if (text_of(facts, "sanitizer")[0] != '\0') {
		bytes_text(out, "\n\ncompute-sanitizer says:\n");
		feedback_fenced("", text_of(facts, "sanitizer"), strlen(text_of(facts, "sanitizer")), out);
	}
	write_speed(member(facts, "speed"), out);
	write_work(member(facts, "work"), out);
	write_code(member(facts, "code"), trials != NULL, out);
}
