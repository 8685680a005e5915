#include "gallery.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"

enum { PANEL_COLUMNS_MAX = 16 };

#define LABEL_LEFT 112.0 /* room for names of models */

struct maker {
	struct picture *picture;
	const struct derived *tables;
	size_t table_count;
};

static void csv_row(struct picture *picture, const struct cells *cells, size_t row)
{
	if (picture->csv.len == 0) {
		cells_write_names(cells, &picture->csv);
		bytes_char(&picture->csv, '\n');
	}
	cells_write_cells(cells, row, &picture->csv);
	bytes_char(&picture->csv, '\n');
}

/* A picture with no row, or one too large to be looked at, is not drawn. */
static bool has_room(struct picture *picture, const char *table, size_t rows, size_t columns, double height)
{
	if (rows == 0 || columns == 0)
		picture->lacking = mem_format("the bundle's table %s has no row to draw", table);
	else if (height > FIGURE_SIDE_MAX || columns > PANEL_COLUMNS_MAX)
		picture->lacking = mem_format("the bundle's table %s has more rows than a figure has room for", table);
	return picture->lacking == NULL;
}

static const char *machine(const char *arch)
{
	return strcmp(arch, "hopper") == 0 ? "hopper (H100)" : strcmp(arch, "blackwell") == 0 ? "blackwell (B200)" : arch;
}

/* Newest architecture last, as they came: hopper before what is not. */
static void order_places(struct distinct *places)
{
	const size_t at = distinct_find(places, "hopper");

	if (at < places->count) {
		memmove(places->at + 1, places->at, at * sizeof *places->at);
		places->at[0] = "hopper";
	}
}

static void words(struct picture *picture, const struct cells *cells, const char *caption, const char *alt)
{
	figure_words(&picture->figure, picture->title, caption, alt, cells->of->table->name);
}

static void draw_figure1(struct maker *maker)
{
	enum { ARCH, TASK, MODEL, ANY, TARGET };
	struct picture *picture = maker->picture;
	struct distinct places = {0}, tasks = {0}, models = {0};
	struct cells cells;

	if (!cells_open(maker->tables, maker->table_count, "figure1", (const char *const[]){"arch", "task", "model", "any", "target", NULL}, &cells, &picture->lacking))
		return;
	cells_distinct(&cells, ARCH, &places);
	cells_distinct(&cells, TASK, &tasks);
	cells_distinct(&cells, MODEL, &models);
	order_places(&places);
	const double tall = (double)(models.count * CHART_ROW), top = FIGURE_LEGEND + 48;
	const double wide = (FIGURE_WIDTH - CHART_GAP - LABEL_LEFT - 24 * ((double)places.count - 1)) / (double)places.count;
	const double height = top + (double)tasks.count * (tall + CHART_HEAD + CHART_GAP) - CHART_GAP - CHART_HEAD + CHART_FOOT;
	struct span any = chart_span(&cells, ANY), target = chart_span(&cells, TARGET);
	const struct span span = {.low = fmin(any.low, target.low), .high = fmax(any.high, target.high)};

	if (has_room(picture, "figure1", models.count * tasks.count, places.count, height)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, height);
		words(picture, &cells,
		      "Greatest speedup of a correct turn (square) and of a correct turn with the target instruction (dot); where the two are the same turn's the dot stands in the square. The dashed line is "
		      "the vendor library on the same workload; the axis is logarithmic. “" CHART_NONE "”: no correct turn. The figure of the paper speaks of instructions executed; what is published "
		      "for a turn is a tag of its PTX text.",
		      "A dot plot of speedups, for each task, model and architecture one row: to the right of the dashed line a kernel would be faster than the vendor library.");
		for (size_t p = 0; p < places.count; p++) {
			const double left = LABEL_LEFT + (double)p * (wide + 24);

			chart_heading(&picture->figure, machine(places.at[p]), left, top - CHART_HEAD - 16, left + wide);
			for (size_t t = 0; t < tasks.count; t++) {
				const double above = top + (double)t * (tall + CHART_HEAD + CHART_GAP);
				struct figure_panel *panel = figure_panel(&picture->figure, p == 0 ? tasks.at[t] : NULL, left, above, left + wide, above + tall);
				struct figure_series *squares = figure_series(panel, "any correct turn", 1, FIGURE_MARKS);
				struct figure_series *dots = figure_series(panel, "correct turn with the target instruction", 0, FIGURE_MARKS);

				squares->in_legend = dots->in_legend = squares->hollow = true;
				chart_speed_axis(&panel->x, span, "speedup over the vendor library", true);
				panel->x.bare = t + 1 < tasks.count;
				chart_rows(&panel->y, &models, p > 0);
				figure_rule(panel, true, 1, t == 0 ? "library" : NULL);
				for (size_t row = 0; row < cells.of->rows; row++) {
					const double y = (double)distinct_find(&models, cells_text(&cells, row, MODEL));

					if (!cells_is(&cells, row, ARCH, places.at[p]) || !cells_is(&cells, row, TASK, tasks.at[t]))
						continue;
					chart_speed(panel, squares, &cells, row, ANY, y, true);
					chart_speed(panel, dots, &cells, row, TARGET, y, false);
				}
			}
		}
		for (size_t row = 0; row < cells.of->rows; row++)
			csv_row(picture, &cells, row);
	}
	distinct_free(&places);
	distinct_free(&tasks);
	distinct_free(&models);
}

static struct figure_series *trained_series(struct figure_panel *panel, bool trained)
{
	struct figure_series *series = figure_series(panel, trained ? "the task was a source of the training set" : "the task was not", trained ? 0 : 1, FIGURE_MARKS | FIGURE_INTERVALS);

	series->hollow = !trained;
	series->in_legend = series->along_x = true;
	return series;
}

static void draw_figure2(struct maker *maker)
{
	enum { TASK, TRAINED, TURNS, CORRECT, PERCENT, LOW, HIGH, BEST };
	struct picture *picture = maker->picture;
	struct distinct tasks = {0};
	struct cells cells;

	if (!cells_open(maker->tables, maker->table_count, "figure2", (const char *const[]){"task", "trained", "turns", "correct_turns", "percent_correct", "wilson_low", "wilson_high", "best_speedup", NULL}, &cells, &picture->lacking))
		return;
	cells_distinct(&cells, TASK, &tasks);
	const double left = 166, wide = (FIGURE_WIDTH - CHART_GAP - left - 24) / 2, top = FIGURE_LEGEND + 24, tall = (double)(tasks.count * CHART_ROW), end = chart_percent_end(&cells, HIGH);

	if (has_room(picture, "figure2", tasks.count, 2, top + tall + CHART_FOOT)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, top + tall + CHART_FOOT);
		words(picture, &cells,
		      "Left: percent of the fine-tune's turns that are correct, with the 95 % Wilson interval, which the paper has not. Right: its best speedup over the vendor library (dashed); “" CHART_NONE
		      "”: no correct turn. Squares are tasks that the model was not trained on.",
		      "A dot plot of the fine-tune's tasks, one row each: percent of turns correct with intervals, and best speedup.");
		struct figure_panel *share = figure_panel(&picture->figure, "percent of turns correct", left, top, left + wide, top + tall);
		struct figure_panel *speed = figure_panel(&picture->figure, "best speedup", left + wide + 24, top, left + 2 * wide + 24, top + tall);
		struct figure_series *shares[] = {trained_series(share, true), trained_series(share, false)};
		struct figure_series *speeds[] = {trained_series(speed, true), trained_series(speed, false)};

		figure_axis(&share->x, "percent of turns", FIGURE_LINEAR, 0, end);
		chart_rows(&share->y, &tasks, false);
		chart_speed_axis(&speed->x, chart_span(&cells, BEST), "speedup over the vendor library", true);
		chart_rows(&speed->y, &tasks, true);
		figure_rule(speed, true, 1, "library");
		for (size_t row = 0; row < cells.of->rows; row++) {
			const double y = (double)distinct_find(&tasks, cells_text(&cells, row, TASK));
			const size_t kind = cells_is(&cells, row, TRAINED, "1") ? 0 : 1;

			chart_rate(shares[kind], &cells, row, PERCENT, y, end);
			chart_speed(speed, speeds[kind], &cells, row, BEST, y, true);
			csv_row(picture, &cells, row);
		}
	}
	distinct_free(&tasks);
}

/* Of several runs of one model, task and architecture those of the fewest trajectories are drawn, as Figure 1 does it. */
static bool fewest(const struct cells *cells, size_t row, size_t task, size_t model, size_t arch, size_t trajectories)
{
	for (size_t other = 0; other < cells->of->rows; other++)
		if (cells_is(cells, other, task, cells_text(cells, row, task)) && cells_is(cells, other, model, cells_text(cells, row, model)) && cells_is(cells, other, arch, cells_text(cells, row, arch)) &&
		    cells_number(cells, other, trajectories) < cells_number(cells, row, trajectories))
			return false;
	return true;
}

/* Marks of several models side by side: steps from the middle. */
static double beside(size_t index, size_t count, double step)
{
	return ((double)index - ((double)count - 1) / 2) * step;
}

static struct figure_series *series_of(struct figure_panel *panel, const char *name, const char *key, unsigned style, struct distinct *keys)
{
	const size_t at = distinct_find(keys, key);

	if (at < keys->count)
		return panel->series[at];
	distinct_add(keys, key);
	struct figure_series *series = figure_series(panel, name, style % FIGURE_STYLES, FIGURE_MARKS | FIGURE_LINE | FIGURE_INTERVALS);

	series->in_legend = true;
	return series;
}

static void draw_turn_limits(struct maker *maker)
{
	enum { TASK, MODEL, ARCH, RUN, LIMIT, TRAJECTORIES, COUNT, RATE, LOW, HIGH };
	static const char *const kinds[] = {"a correct turn", "a correct turn with the target instruction"};
	struct picture *picture = maker->picture;
	struct distinct places = {0}, tasks = {0}, models = {0}, limits = {0};
	struct cells both[2];

	if (!cells_open(maker->tables, maker->table_count, "correctness",
	                (const char *const[]){"definition", "model", "arch", "run", "turn_limit", "n_trajectories", "correct", "correctness_rate", "wilson_low", "wilson_high", NULL}, &both[0], &picture->lacking) ||
	    !cells_open(maker->tables, maker->table_count, "target_instruction",
	                (const char *const[]){"definition", "model", "arch", "run", "turn_limit", "n_trajectories", "correct_with_arch", "correct_with_arch_rate", "wilson_low", "wilson_high", NULL},
	                &both[1], &picture->lacking))
		return;
	cells_distinct(&both[0], ARCH, &places);
	order_places(&places);
	cells_everywhere(&both[0], TASK, ARCH, &tasks);
	cells_everywhere(&both[0], MODEL, ARCH, &models);
	cells_distinct(&both[0], LIMIT, &limits);
	const double left = 46, tall = 74, top = FIGURE_LEGEND + 56, wide = (FIGURE_WIDTH - CHART_GAP - left - CHART_GAP * ((double)tasks.count - 1)) / (double)tasks.count;
	const double height = top + 2 * (double)places.count * (tall + CHART_HEAD + CHART_GAP) - CHART_GAP - CHART_HEAD + CHART_FOOT;

	if (has_room(picture, "correctness", models.count, tasks.count, height)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, height);
		words(picture, &both[0],
		      "Share of a run's trajectories that have a correct turn, and a correct turn whose PTX text has the target instruction, among their first 1, 4 and 8 turns, with 95 % Wilson intervals, "
		      "for the models that ran on every architecture and the tasks of every architecture. Of several runs of one model and task those of the fewest trajectories are drawn. Marks "
		      "of one limit stand side by side only to be told apart.",
		      "Small charts, one column a task: the share of trajectories that succeed grows with the number of turns; the share that succeeds with the target instruction is lower.");
		for (size_t t = 0; t < tasks.count; t++)
			chart_heading(&picture->figure, tasks.at[t], left + (double)t * (wide + CHART_GAP), top - CHART_HEAD - 14, left + (double)t * (wide + CHART_GAP) + wide);
		for (size_t r = 0; r < 2 * places.count; r++) {
			char *title = mem_format("%s: trajectories with %s", machine(places.at[r / 2]), kinds[r % 2]);
			const double above = top + (double)r * (tall + CHART_HEAD + CHART_GAP);
			const struct cells *cells = &both[r % 2];

			for (size_t t = 0; t < tasks.count; t++) {
				struct figure_panel *panel = figure_panel(&picture->figure, t == 0 ? title : NULL, left + (double)t * (wide + CHART_GAP), above, left + (double)t * (wide + CHART_GAP) + wide, above + tall);
				struct distinct keys = {0};

				figure_axis(&panel->y, NULL, FIGURE_LINEAR, -0.03, 1.03);
				for (size_t i = 0; i < 3; i++)
					figure_tick(&panel->y, (double)i / 2, ((const char *const[]){"0", "0.5", "1"})[i]);
				panel->y.bare = t > 0;
				figure_axis(&panel->x, "turn limit", FIGURE_LINEAR, -0.5, (double)limits.count - 0.5);
				panel->x.names = true;
				panel->x.bare = r + 1 < 2 * places.count;
				for (size_t i = 0; i < limits.count; i++)
					figure_tick(&panel->x, (double)i, limits.at[i]);
				for (size_t row = 0; row < cells->of->rows; row++) {
					const size_t model = distinct_find(&models, cells_text(cells, row, MODEL)), limit = distinct_find(&limits, cells_text(cells, row, LIMIT));

					if (model == models.count || limit == limits.count || !cells_is(cells, row, ARCH, places.at[r / 2]) || !cells_is(cells, row, TASK, tasks.at[t]) ||
					    !fewest(cells, row, TASK, MODEL, ARCH, TRAJECTORIES))
						continue;
					chart_rate(series_of(panel, models.at[model], cells_text(cells, row, RUN), (unsigned)model, &keys), cells, row, RATE,
					             (double)limit + beside(model, models.count, 0.16), 1);
				}
				distinct_free(&keys);
			}
			free(title);
		}
		for (size_t k = 0; k < 2; k++)
			for (size_t row = 0; row < both[k].of->rows; row++)
				if (distinct_have(&models, cells_text(&both[k], row, MODEL)) && distinct_have(&tasks, cells_text(&both[k], row, TASK)) && fewest(&both[k], row, TASK, MODEL, ARCH, TRAJECTORIES)) {
					if (picture->csv.len == 0)
						bytes_text(&picture->csv, "table,task,model,arch,run,turn_limit,n_trajectories,count,rate,wilson_low,wilson_high\n");
					bytes_format(&picture->csv, "%s,", both[k].of->table->name);
					cells_write_cells(&both[k], row, &picture->csv);
					bytes_char(&picture->csv, '\n');
				}
	}
	distinct_free(&places);
	distinct_free(&tasks);
	distinct_free(&models);
	distinct_free(&limits);
}

/* None at the end of the axis, where the next panel's begin. */
static void percent_ticks(struct figure_axis *axis, double end)
{
	for (double at = 0; at < end; at += end > 40 ? 20 : 10) {
		char *text = mem_format("%.0f", at);

		figure_tick(axis, at, text);
		free(text);
	}
}

static void draw_sft_series(struct maker *maker)
{
	enum { MODEL, TASK, RUN, TRAINED, TURNS, CORRECT, PERCENT, LOW, HIGH, BEST };
	struct picture *picture = maker->picture;
	struct distinct tasks = {0}, models = {0};
	struct cells cells;

	if (!cells_open(maker->tables, maker->table_count, "sft_series",
	                (const char *const[]){"model", "task", "run", "trained", "turns", "correct_turns", "percent", "wilson_low", "wilson_high", "best_speedup", NULL}, &cells, &picture->lacking))
		return;
	cells_distinct(&cells, MODEL, &models);
	cells_everywhere(&cells, TASK, MODEL, &tasks);
	const double left = LABEL_LEFT, tall = (double)(models.count * CHART_ROW), top = FIGURE_LEGEND + 56, end = chart_percent_end(&cells, HIGH);
	const double wide = (FIGURE_WIDTH - CHART_GAP - left - CHART_GAP * ((double)tasks.count - 1)) / (double)tasks.count, second = top + tall + CHART_FOOT + CHART_HEAD + 4;

	if (has_room(picture, "sft_series", models.count, tasks.count, second + tall + CHART_FOOT)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, second + tall + CHART_FOOT);
		words(picture, &cells,
		      "The base model and its fine-tunes, one row each, on the tasks that all of them ran. Above: percent of turns that are correct, with 95 % Wilson intervals (turns of one trajectory depend on "
		      "each other, so they are too narrow). Below: best speedup over the vendor library (dashed); “" CHART_NONE "”: no correct turn. Squares: the task was no source of the model's training set.",
		      "A dot plot of fine-tunes beside their base, one column a task: percent of turns correct with intervals, and best speedup.");
		for (size_t t = 0; t < tasks.count; t++) {
			const double from = left + (double)t * (wide + CHART_GAP);

			chart_heading(&picture->figure, tasks.at[t], from, top - 16, from + wide);
			struct figure_panel *share = figure_panel(&picture->figure, NULL, from, top, from + wide, top + tall);
			struct figure_panel *speed = figure_panel(&picture->figure, NULL, from, second, from + wide, second + tall);
			struct figure_series *shares[] = {trained_series(share, true), trained_series(share, false)};
			struct figure_series *speeds[] = {trained_series(speed, true), trained_series(speed, false)};

			figure_axis(&share->x, "% of turns correct", FIGURE_LINEAR, 0, end);
			percent_ticks(&share->x, end);
			chart_rows(&share->y, &models, t > 0);
			chart_speed_axis(&speed->x, chart_span(&cells, BEST), "best speedup", false);
			chart_rows(&speed->y, &models, t > 0);
			figure_rule(speed, true, 1, t == 0 ? "library" : NULL);
			for (size_t row = 0; row < cells.of->rows; row++) {
				const double y = (double)distinct_find(&models, cells_text(&cells, row, MODEL));
				const size_t kind = cells_is(&cells, row, TRAINED, "1") ? 0 : 1;

				if (!cells_is(&cells, row, TASK, tasks.at[t]))
					continue;
				chart_rate(shares[kind], &cells, row, PERCENT, y, end);
				chart_speed(speed, speeds[kind], &cells, row, BEST, y, true);
			}
		}
		for (size_t row = 0; row < cells.of->rows; row++)
			if (distinct_have(&tasks, cells_text(&cells, row, TASK)))
				csv_row(picture, &cells, row);
	}
	distinct_free(&tasks);
	distinct_free(&models);
}

static void draw_fast_p(struct maker *maker)
{
	enum { MODEL, ARCH, TASK, P, TURNS, PERCENT, LOW, HIGH, TARGET };
	static const char *const kinds[] = {"correct and faster than p", "also with the target instruction"};
	struct picture *picture = maker->picture;
	struct distinct places = {0}, models = {0};
	struct cells cells;

	if (!cells_open(maker->tables, maker->table_count, "fast_p",
	                (const char *const[]){"model", "arch", "task", "p", "turns", "percent", "wilson_low", "wilson_high", "percent_target", "wilson_low_target", "wilson_high_target", NULL}, &cells, &picture->lacking))
		return;
	for (size_t row = 0; row < cells.of->rows; row++)
		if (!cells_is(&cells, row, ARCH, "all"))
			distinct_add(&places, cells_text(&cells, row, ARCH));
	order_places(&places);
	cells_everywhere(&cells, MODEL, ARCH, &models);
	const double left = 52, tall = 150, top = FIGURE_LEGEND + 24, between = 26, wide = (FIGURE_WIDTH - CHART_GAP - left - between * ((double)places.count - 1)) / (double)places.count;
	const double height = top + 2 * (tall + CHART_HEAD + CHART_GAP) - CHART_GAP - CHART_HEAD + CHART_FOOT;

	if (has_room(picture, "fast_p", models.count, places.count, height)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, height);
		words(picture, &cells,
		      "Percent of turns that are correct and have a speedup greater than p (at p = 0: that are correct), all tasks together, with 95 % Wilson intervals; below, only turns whose PTX text has the "
		      "target instruction. The models are those that ran on every architecture. At p = 1 a kernel is faster than the vendor library.",
		      "Falling curves of the percent of turns that are faster than p times the vendor library, one a model; at p = 1 next to none is left.");
		for (size_t k = 0; k < 2; k++)
			for (size_t p = 0; p < places.count; p++) {
				const double from = left + (double)p * (wide + between), above = top + (double)k * (tall + CHART_HEAD + CHART_GAP);
				char *title = mem_format("%s: %s", machine(places.at[p]), kinds[k]);
				struct figure_panel *panel = figure_panel(&picture->figure, title, from, above, from + wide, above + tall);
				struct distinct keys = {0};

				free(title);
				figure_axis(&panel->y, "percent of turns", FIGURE_LINEAR, -2, 102);
				for (size_t i = 0; i <= 4; i++)
					figure_tick(&panel->y, 25 * (double)i, ((const char *const[]){"0", "25", "50", "75", "100"})[i]);
				panel->y.bare = p > 0;
				figure_axis(&panel->x, "p, speedup over the vendor library", FIGURE_LINEAR, -0.03, 1.03);
				for (size_t i = 0; i <= 5; i++)
					figure_tick(&panel->x, (double)i / 5, ((const char *const[]){"0", "0.2", "0.4", "0.6", "0.8", "1"})[i]);
				panel->x.bare = k == 0;
				for (size_t row = 0; row < cells.of->rows; row++) {
					const size_t model = distinct_find(&models, cells_text(&cells, row, MODEL));
					const double at = cells_number(&cells, row, P);

					if (model < models.count && cells_is(&cells, row, ARCH, places.at[p]) && cells_is(&cells, row, TASK, "all") && at >= 0 && at <= 1)
						chart_rate(series_of(panel, models.at[model], models.at[model], (unsigned)model, &keys), &cells, row, k == 0 ? PERCENT : TARGET, at, 100);
				}
				distinct_free(&keys);
			}
		for (size_t row = 0; row < cells.of->rows; row++)
			if (distinct_have(&models, cells_text(&cells, row, MODEL)) && !cells_is(&cells, row, ARCH, "all") && cells_is(&cells, row, TASK, "all"))
				csv_row(picture, &cells, row);
	}
	distinct_free(&places);
	distinct_free(&models);
}

/* "0 to 4095" before "65536 and more" before "unknown". */
static int by_first_number(const void *a, const void *b)
{
	const char *one = *(const char *const *)a, *other = *(const char *const *)b;
	const long x = one[0] >= '0' && one[0] <= '9' ? strtol(one, NULL, 10) : LONG_MAX, y = other[0] >= '0' && other[0] <= '9' ? strtol(other, NULL, 10) : LONG_MAX;

	return x != y ? (x > y) - (x < y) : strcmp(one, other);
}

static void draw_reasoning(struct maker *maker)
{
	enum { MODEL, ARCH, BUCKET, TURNS, CORRECT, PERCENT, LOW, HIGH, BEST };
	struct picture *picture = maker->picture;
	struct distinct places = {0}, models = {0}, buckets = {0};
	struct cells cells;

	if (!cells_open(maker->tables, maker->table_count, "reasoning_buckets",
	                (const char *const[]){"model", "arch", "bucket", "turns", "correct_turns", "percent", "wilson_low", "wilson_high", "best_speedup", NULL}, &cells, &picture->lacking))
		return;
	cells_distinct(&cells, ARCH, &places);
	order_places(&places);
	cells_everywhere(&cells, MODEL, ARCH, &models);
	for (size_t row = 0; row < cells.of->rows; row++)
		if (distinct_have(&models, cells_text(&cells, row, MODEL)))
			distinct_add(&buckets, cells_text(&cells, row, BUCKET));
	if (buckets.count > 0)
		qsort(buckets.at, buckets.count, sizeof *buckets.at, by_first_number);
	const double left = LABEL_LEFT, tall = (double)(buckets.count * (models.count * 9 + 14)), top = FIGURE_LEGEND + 40;
	const double wide = (FIGURE_WIDTH - CHART_GAP - left - CHART_GAP * (2 * (double)places.count - 1)) / (2 * (double)places.count);

	if (has_room(picture, "reasoning_buckets", buckets.count, 2 * places.count, top + tall + CHART_FOOT)) {
		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, top + tall + CHART_FOOT);
		words(picture, &cells,
		      "Turns by the reasoning tokens that they took (rows): percent of them that are correct, with 95 % Wilson intervals, and their best speedup over the vendor library (dashed), for the models "
		      "that ran on every architecture, all tasks together. Harder tasks may draw both more tokens and fewer correct turns: read no cause into it. Where no turn is correct there is no speedup.",
		      "Rows of reasoning tokens from few to many, one mark a model: percent of turns correct with intervals, and best speedup.");
		for (size_t p = 0; p < 2 * places.count; p++) {
			const double from = left + (double)p * (wide + CHART_GAP);
			const char *place = places.at[p / 2];
			struct figure_panel *panel;
			struct distinct keys = {0};

			chart_heading(&picture->figure, machine(place), from, top - 14, from + wide);
			panel = figure_panel(&picture->figure, NULL, from, top, from + wide, top + tall);
			chart_rows(&panel->y, &buckets, p > 0);
			panel->y.label = p == 0 ? mem_text("reasoning tokens") : NULL;
			if (p % 2 == 0) {
				figure_axis(&panel->x, "% of turns correct", FIGURE_LINEAR, -1, 101);
				for (size_t i = 0; i <= 2; i++)
					figure_tick(&panel->x, 50 * (double)i, ((const char *const[]){"0", "50", "100"})[i]);
			} else {
				chart_speed_axis(&panel->x, chart_span(&cells, BEST), "best speedup", false);
				figure_rule(panel, true, 1, NULL);
			}
			for (size_t b = 0; b < buckets.count; b++)
				for (size_t row = 0; row < cells.of->rows; row++) {
					const size_t model = distinct_find(&models, cells_text(&cells, row, MODEL));
					const double y = (double)b + beside(model, models.count, 0.7 / (double)models.count);
					struct figure_series *series;

					if (model == models.count || !cells_is(&cells, row, ARCH, place) || !cells_is(&cells, row, BUCKET, buckets.at[b]))
						continue;
					series = series_of(panel, models.at[model], models.at[model], (unsigned)model, &keys);
					series->along_x = true;
					series->drawn &= ~(unsigned)FIGURE_LINE;
					if (p % 2 == 0)
						chart_rate(series, &cells, row, PERCENT, y, 100);
					else
						chart_speed(panel, series, &cells, row, BEST, y, false);
				}
			distinct_free(&keys);
		}
		for (size_t row = 0; row < cells.of->rows; row++)
			if (distinct_have(&models, cells_text(&cells, row, MODEL)))
				csv_row(picture, &cells, row);
	}
	distinct_free(&places);
	distinct_free(&models);
	distinct_free(&buckets);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum release_column { RELEASE_ARCH, RELEASE_TASK, RELEASE_DATE, RELEASE_MODEL, RELEASE_BEST, RELEASE_SO_FAR, RELEASE_LEADS };

/* "2026-01-31 Claude": a row of the figure. free() */
static char *released(const struct cells *cells, size_t row)
{
	return mem_format("%s %s", cells_text(cells, row, RELEASE_DATE), cells_text(cells, row, RELEASE_MODEL));
}

/* Models of an architecture in the order of their dates; distinct_free after freeing each text. */
static void collect_released(const struct cells *cells, const char *place, const struct distinct *tasks, struct distinct *rows, char ***owned)
{
	*owned = NULL;
	for (size_t row = 0; row < cells->of->rows; row++) {
		char *name;

		if (!cells_is(cells, row, RELEASE_ARCH, place) || !distinct_have(tasks, cells_text(cells, row, RELEASE_TASK)))
			continue;
		name = released(cells, row);
		if (distinct_have(rows, name)) {
			free(name);
			continue;
		}
		*owned = mem_array(*owned, rows->count + 1, sizeof **owned);
		(*owned)[rows->count] = name;
		distinct_add(rows, name);
	}
	if (rows->count > 0)
		qsort(rows->at, rows->count, sizeof *rows->at, by_text);
}

static void draw_released(const struct cells *cells, const char *place, const char *task, const struct distinct *rows, struct figure_panel *panel)
{
	struct figure_series *so_far = figure_series(panel, "best so far", 7, FIGURE_STEPS);
	struct figure_series *others = figure_series(panel, "best of a model", 1, FIGURE_MARKS);
	struct figure_series *leaders = figure_series(panel, "best of a model that is the best so far", 0, FIGURE_MARKS);

	so_far->in_legend = others->in_legend = leaders->in_legend = others->hollow = true;
	for (size_t i = rows->count; i-- > 0;) /* from below: a line that steps along x first then keeps its x up to the row before */
		for (size_t row = 0; row < cells->of->rows; row++) {
			char *name;
			bool here;

			if (!cells_is(cells, row, RELEASE_ARCH, place) || !cells_is(cells, row, RELEASE_TASK, task))
				continue;
			name = released(cells, row);
			here = strcmp(name, rows->at[i]) == 0;
			free(name);
			if (!here)
				continue;
			chart_speed(panel, so_far, cells, row, RELEASE_SO_FAR, (double)i, false);
			chart_speed(panel, cells_is(cells, row, RELEASE_LEADS, "1") ? leaders : others, cells, row, RELEASE_BEST, (double)i, true);
		}
}

static void draw_release(struct maker *maker)
{
	struct picture *picture = maker->picture;
	struct distinct places = {0}, tasks = {0}, *rows;
	struct cells cells;
	char ***owned;

	if (!cells_open(maker->tables, maker->table_count, "release", (const char *const[]){"arch", "task", "date", "model", "best_speedup", "best_so_far", "leads", NULL}, &cells, &picture->lacking))
		return;
	cells_distinct(&cells, RELEASE_ARCH, &places);
	order_places(&places);
	cells_everywhere(&cells, RELEASE_TASK, RELEASE_ARCH, &tasks);
	rows = mem_alloc((places.count + 1) * sizeof *rows);
	owned = mem_alloc((places.count + 1) * sizeof *owned);
	const double left = 216, first = FIGURE_LEGEND + 58, wide = (FIGURE_WIDTH - CHART_GAP - left - CHART_GAP * ((double)tasks.count - 1)) / (double)tasks.count;
	double height = first - 34;

	for (size_t p = 0; p < places.count; p++) {
		collect_released(&cells, places.at[p], &tasks, &rows[p], &owned[p]);
		height += (double)(rows[p].count * CHART_ROW) + 34;
	}
	height += CHART_FOOT;
	if (has_room(picture, "release", places.count > 0 ? rows[0].count : 0, tasks.count, height)) {
		double top = first;

		figure_start(&picture->figure, picture->name, FIGURE_WIDTH, height);
		words(picture, &cells,
		      "Models in the order of their release dates, for each architecture, on the tasks of every architecture: the model's best speedup over the vendor library (dashed line), and the best "
		      "of all up to its date (step line). A dot: the model's own is the best so far. “" CHART_NONE "”: no correct turn. The dates are the source's and not all to be trusted; those of fine-tunes are training dates.",
		      "A dot plot with one row a model, in the order of release, one column a task: best speedup, and the best so far as a step line.");
		for (size_t t = 0; t < tasks.count; t++)
			chart_heading(&picture->figure, tasks.at[t], left + (double)t * (wide + CHART_GAP), first - CHART_HEAD - 4, left + (double)t * (wide + CHART_GAP) + wide);
		for (size_t p = 0; p < places.count; p++) {
			const double tall = (double)(rows[p].count * CHART_ROW);

			for (size_t t = 0; t < tasks.count; t++) {
				struct figure_panel *panel = figure_panel(&picture->figure, NULL, left + (double)t * (wide + CHART_GAP), top, left + (double)t * (wide + CHART_GAP) + wide, top + tall);

				chart_speed_axis(&panel->x, chart_span(&cells, RELEASE_BEST), "best speedup", false);
				panel->x.bare = p + 1 < places.count;
				chart_rows(&panel->y, &rows[p], t > 0);
				figure_rule(panel, true, 1, NULL);
				draw_released(&cells, places.at[p], tasks.at[t], &rows[p], panel);
			}
			chart_heading(&picture->figure, machine(places.at[p]), 8, top - 22, left);
			top += tall + 34;
		}
		for (size_t row = 0; row < cells.of->rows; row++)
			if (distinct_have(&tasks, cells_text(&cells, row, RELEASE_TASK)))
				csv_row(picture, &cells, row);
	}
	for (size_t p = 0; p < places.count; p++) {
		for (size_t i = 0; i < rows[p].count; i++)
			free(owned[p][i]);
		free(owned[p]);
		distinct_free(&rows[p]);
	}
	free(rows);
	free(owned);
	distinct_free(&places);
	distinct_free(&tasks);
}

static const struct {
	const char *name, *title;
	const char *tables[3];
	void (*draw)(struct maker *maker);
} pictures[] = {
	{"figure1", "Figure 1: best speedup by task, model and architecture", {"figure1"}, draw_figure1},
	{"figure2", "Figure 2: the fine-tune s1, by task", {"figure2"}, draw_figure2},
	{"turn_limits", "Trajectories that succeed within 1, 4 and 8 turns", {"correctness", "target_instruction"}, draw_turn_limits},
	{"sft_series", "The fine-tunes s0 to s6 beside their base", {"sft_series"}, draw_sft_series},
	{"fast_p", "Fast_p: percent of turns that are correct and faster than p", {"fast_p"}, draw_fast_p},
	{"reasoning", "Reasoning tokens, correctness and speedup", {"reasoning_buckets"}, draw_reasoning},
	{"release", "Best speedup by release date", {"release"}, draw_release},
};

enum { PICTURES = sizeof pictures / sizeof pictures[0] };

enum status gallery_make(const struct derived *tables, size_t count, struct gallery *gallery, struct error *err)
{
	enum status status = OK;

	gallery->at = mem_alloc(PICTURES * sizeof *gallery->at);
	gallery->count = PICTURES;
	for (size_t i = 0; i < PICTURES; i++) {
		struct picture *picture = &gallery->at[i];
		struct maker maker = {.picture = picture, .tables = tables, .table_count = count};

		*picture = (struct picture){.name = pictures[i].name, .title = pictures[i].title, .tables = pictures[i].tables};
		pictures[i].draw(&maker);
		if (status == OK && picture->lacking == NULL)
			status = figure_check(&picture->figure, err);
	}
	return status;
}

void gallery_free(struct gallery *gallery)
{
	for (size_t i = 0; i < gallery->count; i++) {
		free(gallery->at[i].lacking);
		figure_free(&gallery->at[i].figure);
		bytes_free(&gallery->at[i].csv);
	}
	free(gallery->at);
	*gallery = (struct gallery){0};
}
