#include "record_figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/interval.h"
#include "../bundle/replays.h"
#include "samples.h"

enum { CAPTION_MAX = 1200, FAMILIES_MAX = 12, TRIALS_MAX = 400, OUTPUTS_MAX = 6 };

struct span {
	double low, high; /* of nothing yet: low > high */
};

static void take(struct span *span, double value)
{
	if (isfinite(value)) {
		span->low = fmin(span->low, value);
		span->high = fmax(span->high, value);
	}
}

/* Room above and below what is drawn. */
static void set_axis(struct figure_axis *axis, const char *label, struct span span)
{
	const double room = span.high > span.low ? (span.high - span.low) * 0.06 : fabs(span.high) * 0.01 + 1e-9;

	figure_axis(axis, label, FIGURE_LINEAR, span.low - room, span.high + room);
}

/* ---- samples ---- */

enum { COUNTED, WARM_UP, THROTTLED_ONE, MARKS };

static void add_marks(struct figure_panel *panel, const struct samples *samples, struct span *y)
{
	static const struct {
		const char *name;
		unsigned style;
		bool hollow;
	} marks[MARKS] = {{"counted", 0, false}, {"warm-up, not counted", 4, true}, {"throttled", 1, false}};

	for (int kind = 0; kind < MARKS; kind++) {
		struct figure_series *series = NULL;

		for (size_t i = 0; i < samples->count; i++) {
			const struct pair_sample *at = &samples->at[i];
			const int is = at->throttled ? THROTTLED_ONE : at->warm_up ? WARM_UP : COUNTED;

			if (is != kind)
				continue;
			if (series == NULL) {
				series = figure_series(panel, marks[kind].name, marks[kind].style, FIGURE_MARKS);
				series->hollow = marks[kind].hollow;
				series->in_legend = true;
			}
			figure_point(series, (double)at->pair, at->ratio);
			take(y, at->ratio);
		}
	}
}

/* Lines at a median and the ends of its interval, and what they are in the panel's title. */
static struct figure_panel *interval_panel(struct figure *figure, const cJSON *record, const char *what, const char *member, double left, double right, struct span *y)
{
	const cJSON *interval = replay_at(record, member);
	const double median = interval != NULL ? replay_value(interval, "median") : NAN, low = interval != NULL ? replay_value(interval, "low") : NAN,
	             high = interval != NULL ? replay_value(interval, "high") : NAN;
	const bool known = isfinite(median) && isfinite(low) && isfinite(high);
	char title[120];

	if (known)
		snprintf(title, sizeof title, "%s %.4g [%.4g, %.4g]", what, median, low, high);
	struct figure_panel *panel = figure_panel(figure, known ? title : what, left, FIGURE_LEGEND + 24, right, 225);

	for (int i = 0; i < 3 && known; i++) {
		const double at = i == 0 ? low : i == 1 ? high : median;

		figure_rule(panel, false, at, NULL);
		take(y, at);
	}
	return panel;
}

static bool samples_figure(const cJSON *record, struct figure *figure)
{
	struct samples samples, controls;
	struct span y = {INFINITY, -INFINITY}, of_controls = {INFINITY, -INFINITY};
	char caption[CAPTION_MAX], alt[CAPTION_MAX];

	samples_read(record, "samples", FIGURE_SAMPLES, &samples);
	samples_read(record, "control_samples", FIGURE_SAMPLES, &controls);
	const bool is = samples.count > 0;

	if (is) {
		const double split = controls.count > 0 ? 410 : FIGURE_WIDTH - 16;

		figure_start(figure, "samples", FIGURE_WIDTH, 270);
		struct figure_panel *panel = interval_panel(figure, record, "candidate", "timing.speedup", 70, split, &y);

		add_marks(panel, &samples, &y);
		set_axis(&panel->y, "library’s time / candidate’s", y);
		figure_axis(&panel->x, "pair, in order", FIGURE_LINEAR, 0, (double)(samples.at[samples.count - 1].pair + samples.each));
		if (controls.count > 0) {
			struct figure_panel *control = interval_panel(figure, record, "control", "timing.control", split + 60, FIGURE_WIDTH - 16, &of_controls);

			add_marks(control, &controls, &of_controls);
			set_axis(&control->y, NULL, of_controls);
			figure_axis(&control->x, "pair, in order", FIGURE_LINEAR, 0, (double)(controls.at[controls.count - 1].pair + controls.each));
		}
		snprintf(caption, sizeof caption, "Every timed pair in order%s; the control has the library in both places. Lines are the median and the ends of its 95 %% interval. What is throttled is left out of them unless over half is.",
		         samples.each > 1 ? ", each mark the median of some in a row" : "");
		snprintf(alt, sizeof alt, "%zu marks of the speedup of timed pairs lie from %.4g to %.4g; their median is %.4g.", samples.count, y.low, y.high, replay_value(record, "timing.speedup.median"));
		figure_words(figure, "Speedup, sample by sample", caption, alt, NULL);
	}
	samples_free(&samples);
	samples_free(&controls);
	return is;
}

/* ---- clock ---- */

static void add_clock(struct figure_panel *panel, const struct samples *samples, bool candidate, struct span *y, size_t *throttled)
{
	struct figure_series *series = figure_series(panel, candidate ? "candidate" : "library", candidate ? 0 : 2, FIGURE_LINE), *marked = NULL;

	series->in_legend = true;
	for (size_t i = 0; i < samples->count; i++) {
		const struct pair_sample *at = &samples->at[i];
		const double ghz = (candidate ? at->candidate_hz : at->baseline_hz) / 1e9;

		if (!(ghz > 0))
			continue;
		take(y, ghz);
		if (at->throttled && marked == NULL) {
			marked = figure_series(panel, "throttled", 1, FIGURE_MARKS);
			marked->in_legend = true;
		}
		*throttled += at->throttled;
		figure_point(series, at->at, ghz);
		if (at->throttled)
			figure_point(marked, at->at, ghz);
	}
}

static bool clock_figure(const cJSON *record, struct figure *figure)
{
	struct samples samples;
	struct span y = {INFINITY, -INFINITY};
	size_t throttled = 0;
	char alt[CAPTION_MAX], rule[48];

	samples_read(record, "samples", FIGURE_SAMPLES, &samples);
	bool is = false;

	for (size_t i = 0; i < samples.count; i++)
		is = is || samples.at[i].candidate_hz > 0 || samples.at[i].baseline_hz > 0;
	if (is) {
		figure_start(figure, "clock", FIGURE_WIDTH, 250);
		struct figure_panel *panel = figure_panel(figure, NULL, 70, FIGURE_LEGEND + 8, FIGURE_WIDTH - 16, 205);
		const double last = samples.at[samples.count - 1].at;

		add_clock(panel, &samples, false, &y, &throttled);
		add_clock(panel, &samples, true, &y, &throttled);
		const double greatest = replay_value(record, "timing.roofline.sm_hz") / 1e9;

		snprintf(alt, sizeof alt, "The mean SM clock of calls lies from %.4g to %.4g GHz; %zu marks are throttled.", y.low, y.high, throttled);
		if (isfinite(greatest)) {
			snprintf(rule, sizeof rule, "greatest %.4g", greatest);
			take(&y, greatest);
			figure_rule(panel, false, greatest, rule);
		}
		set_axis(&panel->y, "SM clock, GHz", y);
		figure_axis(&panel->x, "s of wall time that the calls before took", FIGURE_LINEAR, last > 0 ? -last * 0.01 : -1, last > 0 ? last * 1.01 : 1);
		figure_words(figure, "SM clock of each call", "The mean SM clock during each call. Under a power cap a kernel that draws less runs faster clocks: the speedup in SM cycles takes that out.", alt, NULL);
	}
	samples_free(&samples);
	return is;
}

/* ---- work ---- */

struct family_work {
	const char *family;
	double operations, executed;
	bool known;
};

static size_t families_of(const cJSON *record, struct family_work families[FAMILIES_MAX])
{
	const cJSON *lines = replay_at(record, "evidence.lines");
	size_t count = 0;

	for (const cJSON *line = lines != NULL ? lines->child : NULL; line != NULL; line = line->next) {
		const char *name = replay_text(line, "family");
		const cJSON *operations = replay_at(line, "operations");
		size_t i = 0;

		while (i < count && strcmp(families[i].family, name) != 0)
			i++;
		if (i == FAMILIES_MAX)
			break;
		if (i == count)
			families[count++] = (struct family_work){.family = name, .known = true};
		families[i].known = families[i].known && cJSON_IsNumber(operations);
		families[i].operations += cJSON_IsNumber(operations) ? operations->valuedouble : 0;
		families[i].executed += fmax(replay_value(line, "executed"), 0);
	}
	return count;
}

/* A bar shorter than this share of the axis is less than a line: its number alone stands there. */
#define LEAST_BAR 0.004

static void add_bars(struct figure_panel *panel, const struct family_work *families, size_t count, double whole, bool executed, unsigned style)
{
	struct figure_series *series = figure_series(panel, executed ? "executions" : "operations", style, FIGURE_BARS);
	double most = executed ? 0 : 100;
	char text[48];

	series->along_x = true;
	series->bar_width = 0.6;
	for (size_t i = 0; i < count; i++)
		most = fmax(most, (executed ? families[i].executed : families[i].operations) / whole * 100);
	for (size_t i = 0; i < count; i++) {
		const double share = (executed ? families[i].executed : families[i].operations) / whole * 100, y = (double)i + 1;

		figure_tick(&panel->y, y, families[i].family);
		if (!executed && !families[i].known) {
			figure_text(panel, most * 0.01, y, FIGURE_START, true, "not told by the code");
			continue;
		}
		if (share > most * LEAST_BAR)
			figure_point(series, share, y);
		snprintf(text, sizeof text, "%.3g %%", share);
		figure_text(panel, share + most * 0.015, y, FIGURE_START, false, text);
	}
	figure_axis(&panel->x, executed ? "% of all instructions that warps executed" : "% of the task’s operations", FIGURE_LINEAR, 0, most > 0 ? most * 1.25 : 1);
	figure_axis(&panel->y, NULL, FIGURE_LINEAR, (double)count + 0.6, 0.4);
	panel->y.names = true;
	panel->y.bare = executed;
}

static bool work_figure(const cJSON *record, struct figure *figure)
{
	struct family_work families[FAMILIES_MAX];
	const size_t count = families_of(record, families);
	const double flops = replay_value(record, "problem.flops"), warps = replay_value(record, "evidence.warps");
	const double height = 40 + 30 * (double)count;
	char alt[CAPTION_MAX];

	if (count == 0 || !(flops > 0) || !(warps > 0))
		return false;
	figure_start(figure, "work", FIGURE_WIDTH, height + 40);
	add_bars(figure_panel(figure, "operations", 90, 26, 385, height), families, count, flops, false, 0);
	add_bars(figure_panel(figure, "executions", 405, 26, FIGURE_WIDTH - 16, height), families, count, warps, true, 4);
	snprintf(alt, sizeof alt, "Target instructions did %.4g %% of the task’s FLOPs.", replay_value(record, "evidence.share") * 100);
	figure_words(figure, "Share of the work, by family of instructions",
	             "Left, what each family did of the task’s operations, as counted: over 100 % is work beyond the task’s. Right, how much of all that warps executed it is. Copies and moves have no operations.", alt, NULL);
	return true;
}

/* ---- errors ---- */

enum { SIZES = 6 };
static const char *const sizes[SIZES] = {"rms", "0.5", "0.9", "0.99", "0.999", "max"};

static double size_of(const cJSON *error, size_t size)
{
	const cJSON *from = size == 0 ? error : replay_at(error, "quantiles");
	const cJSON *item = from != NULL ? cJSON_GetObjectItemCaseSensitive(from, sizes[size]) : NULL;

	return item != NULL ? replay_value(item, "") : NAN;
}

/* The candidate's error over the library's, of one output and size, in each trial. */
struct ratios {
	const char *tensor;
	size_t count[SIZES];
	double value[SIZES][TRIALS_MAX];
};

static struct ratios *ratios_of(struct ratios *outputs, size_t *count, const char *tensor)
{
	for (size_t i = 0; i < *count; i++)
		if (strcmp(outputs[i].tensor, tensor) == 0)
			return &outputs[i];
	if (*count == OUTPUTS_MAX)
		return NULL;
	outputs[*count].tensor = tensor;
	return &outputs[(*count)++];
}

static void take_output(const cJSON *output, struct ratios *outputs, size_t *count)
{
	const cJSON *error = replay_at(output, "error"), *library = replay_at(output, "library_error");
	struct ratios *ratios = cJSON_IsObject(error) && cJSON_IsObject(library) ? ratios_of(outputs, count, replay_text(output, "tensor")) : NULL;

	for (size_t size = 0; size < SIZES && ratios != NULL; size++) {
		const double value = size_of(error, size) / size_of(library, size);

		if (isfinite(value) && value > 0 && ratios->count[size] < TRIALS_MAX)
			ratios->value[size][ratios->count[size]++] = value;
	}
}

/* One series an output, side by side in the column of each size: the median of the trials, and a line from the least to the greatest. */
static void add_ratios(struct figure_panel *panel, const struct ratios *ratios, size_t place, struct span *y)
{
	static const unsigned styles[OUTPUTS_MAX] = {0, 2, 3, 4, 5, 6};
	struct figure_series *series = figure_series(panel, ratios->tensor, styles[place], FIGURE_MARKS | FIGURE_INTERVALS);

	series->in_legend = true;
	for (size_t size = 0; size < SIZES; size++) {
		struct span span = {INFINITY, -INFINITY};

		for (size_t i = 0; i < ratios->count[size]; i++)
			take(&span, ratios->value[size][i]);
		if (ratios->count[size] == 0)
			continue;
		figure_interval(series, (double)size + 0.8 + 0.12 * (double)place, median_of(ratios->value[size], ratios->count[size]), span.low, span.high);
		take(y, span.low);
		take(y, span.high);
	}
}

static void add_limits(struct figure_panel *panel)
{
	struct figure_series *strict = figure_series(panel, "strict allows", 7, FIGURE_LINE);

	strict->in_legend = true;
	figure_point(strict, 0.5, 2);
	figure_point(strict, 1.5, 2);
	figure_point(strict, 1.5, 4);
	figure_point(strict, SIZES + 0.5, 4);
	figure_rule(panel, false, 1, "the library");
}

static void draw_errors(const struct ratios *outputs, size_t count, struct figure *figure)
{
	static const char *const columns[SIZES] = {"relative RMS", "quantile 0.5", "0.9", "0.99", "0.999", "greatest"};
	struct span y = {INFINITY, -INFINITY};
	char alt[CAPTION_MAX];

	figure_start(figure, "errors", FIGURE_WIDTH, 270);
	struct figure_panel *panel = figure_panel(figure, NULL, 80, FIGURE_LEGEND + 8, FIGURE_WIDTH - 16, 225); /* a wrong result can be a million times off */

	for (size_t i = 0; i < count; i++)
		add_ratios(panel, &outputs[i], i, &y);
	add_limits(panel);
	for (size_t i = 0; i < SIZES; i++)
		figure_tick(&panel->x, (double)i + 1, columns[i]);
	figure_axis(&panel->x, "error against the fp32 reference", FIGURE_LINEAR, 0.5, SIZES + 1.3); /* with room for the word at its end */
	panel->x.names = true;
	figure_axis(&panel->y, "candidate’s error / library’s", FIGURE_LOG, fmin(y.low / 1.15, 0.5), fmax(y.high * 1.15, 8));
	snprintf(alt, sizeof alt, "The candidate’s errors are %.3g to %.3g times the library’s on the same inputs.", y.low, y.high);
	figure_words(figure, "Errors beside the library’s own",
	             "Of each output and size of error the median of all trials, and a line from the least to the greatest; 1 is as exact as the library on the same inputs. The greatest error may besides be one unit in the last place of bfloat16. "
	             "Errors of zero have no place here.",
	             alt, NULL);
}

static bool errors_figure(const cJSON *record, struct figure *figure)
{
	const cJSON *trials = replay_at(record, "trials");
	struct ratios *outputs = mem_alloc(OUTPUTS_MAX * sizeof *outputs);
	size_t count = 0;
	bool any = false;

	for (const cJSON *trial = trials != NULL ? trials->child : NULL; trial != NULL; trial = trial->next) {
		const cJSON *list = replay_at(trial, "outputs");

		for (const cJSON *output = list != NULL ? list->child : NULL; output != NULL; output = output->next)
			take_output(output, outputs, &count);
	}
	for (size_t i = 0; i < count; i++)
		for (size_t size = 0; size < SIZES; size++)
			any = any || outputs[i].count[size] > 0;
	if (any)
		draw_errors(outputs, count, figure);
	free(outputs);
	return any;
}

bool record_figure(const cJSON *record, enum kernel_picture picture, struct figure *figure)
{
	switch (picture) {
	case KERNEL_SAMPLES:
		return samples_figure(record, figure);
	case KERNEL_CLOCK:
		return clock_figure(record, figure);
	case KERNEL_WORK:
		return work_figure(record, figure);
	case KERNEL_ERRORS:
		return errors_figure(record, figure);
	case KERNEL_PICTURES:
		break;
	}
	return false;
}
