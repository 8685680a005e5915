/* Every trial, its verdicts, and errors beside the library's own. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/replays.h"
#include "html.h"
#include "page.h"
#include "sections.h"
#include "show.h"

enum { TRIALS_MAX = 300, OUTPUTS_MAX = 12, KINDS_MAX = 40, SIZES = 6 };

/* What of an error is compared, and how many times the library's strict allows (docs/measure.md, "Trials and verdicts"). */
static const struct {
	const char *name, *member;
} sizes[SIZES] = {{"relative RMS", "rms"},           {"quantile 0.5", "quantiles.0.5"}, {"0.9", "quantiles.0.9"},
                  {"0.99", "quantiles.0.99"}, {"0.999", "quantiles.0.999"}, {"greatest", "quantiles.max"}};

/* replay_at parts names at dots, which quantiles' names have. */
static const cJSON *size_of(const cJSON *error, size_t size)
{
	if (size == 0)
		return replay_at(error, "rms");
	const cJSON *quantiles = replay_at(error, "quantiles");

	return quantiles != NULL ? cJSON_GetObjectItemCaseSensitive(quantiles, sizes[size].member + strlen("quantiles.")) : NULL;
}

static double decimal_of(const cJSON *item)
{
	return item != NULL ? replay_value(item, "") : NAN;
}

/* ---- how many of each kind ---- */

struct kind {
	const char *stage, *values;
	size_t count, strict, published, not_done;
};

static void count_trial(struct kind *kinds, size_t *count, const cJSON *trial)
{
	const char *stage = replay_text(trial, "stage"), *values = replay_text(trial, "values");
	size_t i = 0;

	while (i < *count && (strcmp(kinds[i].stage, stage) != 0 || strcmp(kinds[i].values, values) != 0))
		i++;
	if (i == KINDS_MAX)
		return;
	if (i == *count)
		kinds[(*count)++] = (struct kind){.stage = stage, .values = values};
	kinds[i].count++;
	kinds[i].strict += strcmp(replay_text(trial, "strict"), "pass") == 0;
	kinds[i].published += strcmp(replay_text(trial, "published"), "pass") == 0;
	kinds[i].not_done += strcmp(replay_text(trial, "fate"), "done") != 0;
}

static void put_kinds(const cJSON *trials, struct bytes *out)
{
	struct kind kinds[KINDS_MAX];
	size_t count = 0;

	for (const cJSON *trial = trials->child; trial != NULL; trial = trial->next)
		count_trial(kinds, &count, trial);
	page_table("", "Trials that were run, by when and of which values. The published rule is made for normal values and counts there alone", out);
	bytes_text(out, "<thead><tr><th scope=col>when</th><th scope=col>values</th><th scope=col class=n>trials</th>"
	                "<th scope=col class=n>strict passes</th><th scope=col class=n>published passes</th><th scope=col class=n>did not end</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < count; i++) {
		html_put(out, "<tr><td>%s</td><td>%s</td>", kinds[i].stage, kinds[i].values);
		html_put(out, "<td class=n>%zu</td><td class=n>%zu</td><td class=n>%zu</td><td class=n>%zu</td></tr>\n", kinds[i].count, kinds[i].strict, kinds[i].published,
		         kinds[i].not_done);
	}
	bytes_text(out, "</tbody></table></div>\n");
}

/* ---- errors ---- */

/* One output over all trials: its greatest ratios to the library's errors. */
struct output {
	const char *tensor;
	const cJSON *first, *library; /* error and library_error of the first trial that has it */
	double ratio[SIZES];          /* NAN: none */
};

static struct output *output_of(struct output *outputs, size_t *count, const char *tensor)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(outputs[i].tensor, tensor) == 0)
			return &outputs[i];
	if (*count == OUTPUTS_MAX)
		return NULL;
	outputs[*count] = (struct output){.tensor = tensor, .ratio = {NAN, NAN, NAN, NAN, NAN, NAN}};
	return &outputs[(*count)++];
}

static void take_output(struct output *outputs, size_t *count, const cJSON *item)
{
	const cJSON *error = replay_at(item, "error"), *library = replay_at(item, "library_error");
	struct output *output = output_of(outputs, count, replay_text(item, "tensor"));

	if (output == NULL || !cJSON_IsObject(error))
		return;
	if (output->first == NULL) {
		output->first = error;
		output->library = cJSON_IsObject(library) ? library : NULL;
	}
	for (size_t i = 0; i < SIZES && cJSON_IsObject(library); i++) {
		const double own = decimal_of(size_of(error, i)), of = decimal_of(size_of(library, i));

		if (isfinite(own) && of > 0 && !(own / of <= output->ratio[i]))
			output->ratio[i] = own / of;
	}
}

static void put_sizes(const char *name, const cJSON *error, struct bytes *out)
{
	html_put(out, "<td>%s</td>", name);
	for (size_t i = 0; i < SIZES; i++) {
		bytes_text(out, "<td class=n>");
		show_decimal(out, error != NULL ? size_of(error, i) : NULL, 3);
		bytes_text(out, "</td>");
	}
	bytes_text(out, "</tr>\n");
}

static void put_output(const struct output *output, struct bytes *out)
{
	char shown[32];

	html_put(out, "<tr><th scope=rowgroup rowspan=3><code>%s</code></th>", output->tensor);
	put_sizes("candidate, first trial", output->first, out);
	bytes_text(out, "<tr>");
	put_sizes("library, same inputs", output->library, out);
	bytes_text(out, "<tr><td>greatest ratio in all trials</td>");
	for (size_t i = 0; i < SIZES; i++) {
		snprintf(shown, sizeof shown, "× %.3g", output->ratio[i]);
		html_put(out, "<td class=n>%s</td>", isnan(output->ratio[i]) ? "–" : shown);
	}
	bytes_text(out, "</tr>\n");
}

static void put_errors(const cJSON *trials, struct bytes *out)
{
	struct output outputs[OUTPUTS_MAX];
	size_t count = 0;

	for (const cJSON *trial = trials->child; trial != NULL; trial = trial->next) {
		const cJSON *list = replay_at(trial, "outputs");

		for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL; item = item->next)
			take_output(outputs, &count, item);
	}
	if (count == 0)
		return;
	page_table("errors", "Errors against the fp32 reference, beside the library’s own. Strict allows twice its RMS and four times each quantile", out);
	bytes_text(out, "<thead><tr><th scope=col>output</th><th scope=col>of</th>");
	for (size_t i = 0; i < SIZES; i++)
		html_put(out, "<th scope=col class=n>%s</th>", sizes[i].name);
	bytes_text(out, "</tr></thead>\n");
	for (size_t i = 0; i < count; i++)
		if (outputs[i].first != NULL) {
			bytes_text(out, "<tbody>");
			put_output(&outputs[i], out);
			bytes_text(out, "</tbody>\n");
		}
	bytes_text(out, "</table></div>\n");
}

/* ---- each one ---- */

static void put_outputs(const cJSON *trial, struct bytes *out)
{
	const cJSON *list = replay_at(trial, "outputs");
	size_t shown = 0;

	for (const cJSON *item = list != NULL ? list->child : NULL; item != NULL && shown < OUTPUTS_MAX; item = item->next, shown++) {
		html_put(out, "%s<code>%s</code> ", shown > 0 ? "<br>" : "", replay_text(item, "tensor"));
		show_decimal(out, replay_at(item, "error.rms"), 3);
		bytes_text(out, " / ");
		show_decimal(out, replay_at(item, "library_error.rms"), 3);
		if (replay_text(item, "why")[0] != '\0')
			html_put(out, " <span class=note>%s</span>", replay_text(item, "why"));
	}
}

static void put_trial(const cJSON *trial, struct bytes *out)
{
	html_put(out, "<tr><td>%s</td><td class=n>", replay_text(trial, "stage"));
	show_count(out, replay_at(trial, "number"));
	html_put(out, "</td><td>%s</td><td class=n>%s</td><td>", replay_text(trial, "values"), replay_text(trial, "seed"));
	show_verdict(out, replay_text(trial, "fate"));
	if (replay_text(trial, "fate_text")[0] != '\0')
		html_put(out, " <span class=note>%s</span>", replay_text(trial, "fate_text"));
	bytes_text(out, "</td><td>");
	show_verdict(out, replay_text(trial, "strict"));
	bytes_text(out, "</td><td>");
	show_verdict(out, replay_text(trial, "published"));
	bytes_text(out, "</td><td>");
	put_outputs(trial, out);
	bytes_text(out, "</td></tr>\n");
}

static void put_all(const cJSON *trials, struct bytes *out)
{
	const int count = cJSON_GetArraySize(trials);
	size_t rows = 0;

	html_put(out, "<details><summary>All %d trials</summary>\n", count);
	page_table("", "In the order in which they ran; errors are relative RMS, the candidate’s / the library’s", out);
	bytes_text(out, "<thead><tr><th scope=col>when</th><th scope=col class=n>number</th><th scope=col>values</th><th scope=col class=n>seed</th><th scope=col>fate</th><th scope=col>strict</th><th scope=col>published</th>"
	                "<th scope=col>errors</th></tr></thead><tbody>\n");
	for (const cJSON *trial = trials->child; trial != NULL && rows < TRIALS_MAX; trial = trial->next, rows++)
		put_trial(trial, out);
	bytes_text(out, "</tbody></table></div>\n");
	if (count > TRIALS_MAX)
		html_put(out, "<p class=note>The record has %d trials more.</p>\n", count - TRIALS_MAX);
	bytes_text(out, "</details>\n");
}

void section_trials(const struct kernel *kernel, struct bytes *out)
{
	const cJSON *record = kernel->record, *trials = replay_at(record, "trials");
	static const struct shown shown[] = {
		{"planned", "accounting.planned", show_count},
		{"passed", "accounting.passed", show_count},
		{"failed", "accounting.failed", show_count},
		{"not run", "accounting.not_run", show_count},
		{"rate of failures is at most, at 95 %", "accounting.failure_rate_bound", show_decimal_3},
	};

	section_list(record, shown, sizeof shown / sizeof shown[0], out);
	if (!cJSON_IsArray(trials) || trials->child == NULL) {
		bytes_text(out, "<p>No trial was run.</p>\n");
		return;
	}
	put_kinds(trials, out);
	section_picture(kernel, KERNEL_ERRORS, out);
	put_errors(trials, out);
	put_all(trials, out);
}
