#include "overview.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/csv.h"
#include "../base/interval.h"
#include "../bundle/replays.h"
#include "samples.h"

enum { SIDES = 2, CAPTION_MAX = 800 };

/* One mark: a value and the ends of its interval, NAN where there are none. */
struct mark {
	double value, low, high;
};

struct row {
	const struct measured *measured;
	struct mark at[SIDES];
};

static const struct kind {
	const char *name, *title, *axis, *sides[SIDES], *caption;
	bool bars, logarithmic;
	double rules[SIDES];
} kinds[OVERVIEWS] = {
	[OVERVIEW_SPEED] = {"measured_speed", "Measured candidates: speed beside the vendor library", "times the library’s speed", {"in time", "in SM cycles"},
	                    "Medians over alternating pairs with their 95 % intervals, most of which are narrower than the marks. The line is the library.", false, false, {1, NAN}},
	[OVERVIEW_CLOCK] = {"measured_clock", "Measured candidates: SM clock while they ran", "SM clock, GHz", {"candidate", "library, beside it"},
	                    "The median of the pairs that are timed, and a line from the least to the greatest. Under a power cap what draws less runs faster clocks.", false, false, {NAN, NAN}},
	[OVERVIEW_WORK] = {"measured_work", "Measured candidates: which instructions did the work", "% of the task’s operations", {"target instructions (wgmma, tcgen05)", "multiplies by one warp"},
	                   "As counted while the kernel ran; over 100 % is work beyond the task’s. A decoy’s share is too small for a bar.", true, false, {100, NAN}},
	[OVERVIEW_ERRORS] = {"measured_errors", "Measured candidates: errors beside the library’s own", "greatest ratio to the library’s error, in all trials", {"relative RMS", "quantiles 0.5 to 0.999"},
	                     "Lines are what strict allows: twice the relative RMS, four times a quantile.", false, true, {2, 4}},
};

static struct mark mark_of(const cJSON *record, const char *member)
{
	const cJSON *interval = replay_at(record, member);
	const struct mark none = {NAN, NAN, NAN};

	return interval == NULL ? none : (struct mark){replay_value(interval, "median"), replay_value(interval, "low"), replay_value(interval, "high")};
}

static struct mark clock_of(const cJSON *record, bool candidate)
{
	struct mark mark = {NAN, INFINITY, -INFINITY};
	struct samples samples;
	size_t count = 0;

	samples_read(record, "samples", 100000, &samples);
	double *values = mem_array(NULL, samples.count + 1, sizeof *values);

	for (size_t i = 0; i < samples.count; i++) {
		const double hz = candidate ? samples.at[i].candidate_hz : samples.at[i].baseline_hz;

		if (samples.at[i].warm_up || samples.at[i].throttled || !(hz > 0))
			continue;
		values[count++] = hz / 1e9;
		mark.low = fmin(mark.low, hz / 1e9);
		mark.high = fmax(mark.high, hz / 1e9);
	}
	if (count > 0)
		mark.value = median_of(values, count);
	free(values);
	samples_free(&samples);
	return mark;
}

static struct mark share_of(const cJSON *record, const char *member)
{
	return (struct mark){replay_value(record, member) * 100, NAN, NAN};
}

/* The greatest ratio of an error to the library's. */
static void take_errors(const cJSON *output, struct mark at[SIDES])
{
	static const char *const sizes[] = {"0.5", "0.9", "0.99", "0.999"};
	const cJSON *own = replay_at(output, "error.quantiles"), *of = replay_at(output, "library_error.quantiles");
	const double rms = replay_value(output, "error.rms") / replay_value(output, "library_error.rms");

	if (isfinite(rms) && rms > 0 && !(rms <= at[0].value))
		at[0].value = rms;
	for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && own != NULL && of != NULL; i++) {
		const cJSON *a = cJSON_GetObjectItemCaseSensitive(own, sizes[i]), *b = cJSON_GetObjectItemCaseSensitive(of, sizes[i]);
		const double ratio = a != NULL && b != NULL ? replay_value(a, "") / replay_value(b, "") : NAN;

		if (isfinite(ratio) && ratio > 0 && !(ratio <= at[1].value))
			at[1].value = ratio;
	}
}

static void read_row(const cJSON *record, enum overview_kind kind, struct mark at[SIDES])
{
	const cJSON *trials = replay_at(record, "trials");

	at[0] = at[1] = (struct mark){NAN, NAN, NAN};
	switch (kind) {
	case OVERVIEW_SPEED:
		at[0] = mark_of(record, "timing.speedup");
		at[1] = mark_of(record, "timing.cycles");
		break;
	case OVERVIEW_CLOCK:
		at[0] = clock_of(record, true);
		at[1] = clock_of(record, false);
		break;
	case OVERVIEW_WORK:
		at[0] = share_of(record, "evidence.share");
		at[1] = share_of(record, "evidence.operations_share.warp");
		break;
	case OVERVIEW_ERRORS:
		for (const cJSON *trial = trials != NULL ? trials->child : NULL; trial != NULL; trial = trial->next)
			for (const cJSON *output = replay_at(trial, "outputs") != NULL ? replay_at(trial, "outputs")->child : NULL; output != NULL; output = output->next)
				take_errors(output, at);
		break;
	case OVERVIEWS:
		break;
	}
}

static void put_number(double value, struct bytes *out)
{
	char text[REPLAY_NUMBER_MAX];

	bytes_char(out, ',');
	if (!isfinite(value))
		return;
	replay_number(value, text);
	bytes_text(out, text);
}

static void put_csv(const struct kind *kind, const struct row *rows, size_t count, struct bytes *out)
{
	bytes_text(out, "task,candidate,run,what,value,low,high\n");
	for (size_t i = 0; i < count; i++)
		for (int side = 0; side < SIDES; side++) {
			const cJSON *record = rows[i].measured->record;
			const struct mark *mark = &rows[i].at[side];
			const char *const texts[] = {replay_text(record, "problem.task"), replay_text(record, "candidate.name"), replay_text(record, "run"), kind->sides[side]};

			if (!isfinite(mark->value))
				continue;
			for (size_t text = 0; text < sizeof texts / sizeof texts[0]; text++) {
				if (text > 0)
					bytes_char(out, ',');
				csv_write_field(texts[text], strlen(texts[text]), out);
			}
			put_number(mark->value, out);
			put_number(mark->low, out);
			put_number(mark->high, out);
			bytes_char(out, '\n');
		}
}

static void add_series(struct figure_panel *panel, const struct kind *kind, const struct row *rows, size_t count, int side, double least_bar)
{
	struct figure_series *series = figure_series(panel, kind->sides[side], side == 0 ? 0 : 5, kind->bars ? FIGURE_BARS : FIGURE_MARKS | FIGURE_INTERVALS);

	series->in_legend = series->along_x = true;
	series->hollow = side == 1;
	series->bar_width = 0.36;
	for (size_t i = 0; i < count; i++) {
		const struct mark *mark = &rows[i].at[side];
		const bool has_interval = isfinite(mark->low) && isfinite(mark->high);

		if (isfinite(mark->value) && mark->value >= least_bar)
			figure_interval(series, mark->value, (double)i + (side == 0 ? 0.82 : 1.18), has_interval ? mark->low : NAN, has_interval ? mark->high : NAN);
	}
}

/* The ends of the axis: everything that is drawn, and the rules. */
static void span_of(const struct kind *kind, const struct row *rows, size_t count, double *low, double *high)
{
	*low = INFINITY;
	*high = -INFINITY;
	for (size_t i = 0; i < count; i++)
		for (int side = 0; side < SIDES; side++) {
			const struct mark *mark = &rows[i].at[side];
			const double at[] = {mark->value, isfinite(mark->value) ? mark->low : NAN, isfinite(mark->value) ? mark->high : NAN, kind->rules[side]};

			for (size_t j = 0; j < sizeof at / sizeof at[0]; j++)
				if (isfinite(at[j])) {
					*low = fmin(*low, at[j]);
					*high = fmax(*high, at[j]);
				}
		}
	if (kind->logarithmic) {
		*low /= 1.15;
		*high *= 1.15;
	} else {
		const double room = (*high - *low) * 0.05 + 1e-9;

		*low = kind->rules[0] == 1 || kind->bars ? 0 : *low - room;
		*high += room;
	}
}

static void draw(const struct kind *kind, const struct row *rows, size_t count, size_t left, struct figure *figure)
{
	const double bottom = FIGURE_LEGEND + 14 + 17 * (double)count;
	char caption[CAPTION_MAX], alt[CAPTION_MAX], name[FIGURE_TEXT_MAX];
	double low, high;

	figure_start(figure, kind->name, FIGURE_WIDTH, bottom + 44);
	struct figure_panel *panel = figure_panel(figure, NULL, 272, FIGURE_LEGEND + 10, FIGURE_WIDTH - 16, bottom);

	span_of(kind, rows, count, &low, &high);
	for (int side = 0; side < SIDES; side++) {
		add_series(panel, kind, rows, count, side, kind->bars ? high * 0.004 : -INFINITY);
		if (isfinite(kind->rules[side]))
			figure_rule(panel, true, kind->rules[side], NULL);
	}
	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "%.60s / %.40s", replay_text(rows[i].measured->record, "problem.task"), replay_text(rows[i].measured->record, "candidate.name"));
		figure_tick(&panel->y, (double)i + 1, name);
	}
	figure_axis(&panel->y, NULL, FIGURE_LINEAR, (double)count + 0.5, 0.5);
	panel->y.names = true;
	figure_axis(&panel->x, kind->axis, kind->logarithmic ? FIGURE_LOG : FIGURE_LINEAR, low, high);
	snprintf(caption, sizeof caption, "%s", kind->caption);
	if (left > 0)
		snprintf(caption + strlen(caption), sizeof caption - strlen(caption), " %zu more candidates have pages of their own.", left);
	snprintf(alt, sizeof alt, "%s: %zu candidates, from %.3g to %.3g. The numbers are in the file of numbers drawn.", kind->title, count, low, high);
	figure_words(figure, kind->title, caption, alt, NULL);
}

bool overview_make(const struct kernels *kernels, enum overview_kind kind, struct overview *overview)
{
	struct row *rows = mem_alloc(OVERVIEW_ROWS * sizeof *rows);
	size_t count = 0, left = 0;

	for (size_t i = 0; i < kernels->count; i++) {
		struct row row = {.measured = &kernels->at[i]};

		/* A picture has no room for large letters: what was not measured on a GPU is in none. */
		if (cJSON_IsTrue(replay_at(kernels->at[i].record, "stand_in")))
			continue;
		read_row(kernels->at[i].record, kind, row.at);
		if (!isfinite(row.at[0].value) && !isfinite(row.at[1].value))
			continue;
		if (count < OVERVIEW_ROWS)
			rows[count++] = row;
		else
			left++;
	}
	*overview = (struct overview){0};
	if (count > 0) {
		draw(&kinds[kind], rows, count, left, &overview->figure);
		put_csv(&kinds[kind], rows, count, &overview->csv);
	}
	free(rows);
	if (count > 0 && figure_check(&overview->figure, NULL) != OK) {
		overview_free(overview);
		return false;
	}
	return count > 0;
}

void overview_free(struct overview *overview)
{
	figure_free(&overview->figure);
	bytes_free(&overview->csv);
	*overview = (struct overview){0};
}
