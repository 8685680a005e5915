#include "figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"
#include "../base/utf8.h"

/* What a reader sees of a text: nothing that is hidden or acts on its surroundings (base/utf8.h); a long one is cut, and says so. */
static char *shown(const char *text)
{
	char printable[FIGURE_TEXT_MAX + 1];
	char whole[FIGURE_TEXT_MAX + 16]; /* longer, if the text is, by one escape at least */

	if (text == NULL)
		return NULL;
	utf8_printable(text, strlen(text), printable, sizeof printable);
	utf8_printable(text, strlen(text), whole, sizeof whole);
	return strcmp(printable, whole) == 0 ? mem_text(printable) : mem_format("%s…", printable);
}

void figure_start(struct figure *figure, const char *name, double width, double height)
{
	*figure = (struct figure){.name = mem_text(name), .title = mem_text(""), .caption = mem_text(""), .alt = mem_text(""), .width = width, .height = height};
}

static void say(char **place, const char *text)
{
	free(*place);
	*place = text != NULL ? mem_text(text) : NULL;
}

void figure_words(struct figure *figure, const char *title, const char *caption, const char *alt, const char *table)
{
	say(&figure->title, title);
	say(&figure->caption, caption);
	say(&figure->alt, alt);
	say(&figure->table, table);
}

struct figure_panel *figure_panel(struct figure *figure, const char *title, double left, double top, double right, double bottom)
{
	struct figure_panel *panel = mem_alloc(sizeof *panel);

	*panel = (struct figure_panel){.title = shown(title), .left = left, .top = top, .right = right, .bottom = bottom};
	figure_axis(&panel->x, NULL, FIGURE_LINEAR, 0, 1);
	figure_axis(&panel->y, NULL, FIGURE_LINEAR, 0, 1);
	figure->panels = mem_array(figure->panels, figure->panel_count + 1, sizeof(struct figure_panel *));
	figure->panels[figure->panel_count++] = panel;
	return panel;
}

void figure_axis(struct figure_axis *axis, const char *label, enum figure_scale scale, double low, double high)
{
	free(axis->label);
	axis->label = shown(label);
	axis->scale = scale;
	axis->low = low;
	axis->high = high;
}

void figure_tick(struct figure_axis *axis, double at, const char *text)
{
	axis->ticks = mem_array(axis->ticks, axis->tick_count + 1, sizeof *axis->ticks);
	axis->ticks[axis->tick_count++] = (struct figure_tick){.at = at, .text = shown(text)};
}

struct figure_series *figure_series(struct figure_panel *panel, const char *name, unsigned style, unsigned drawn)
{
	struct figure_series *series = mem_alloc(sizeof *series);

	*series = (struct figure_series){.name = shown(name), .style = style, .drawn = drawn};
	panel->series = mem_array(panel->series, panel->series_count + 1, sizeof(struct figure_series *));
	panel->series[panel->series_count++] = series;
	return series;
}

void figure_point(struct figure_series *series, double x, double y)
{
	figure_interval(series, x, y, NAN, NAN);
}

void figure_interval(struct figure_series *series, double x, double y, double low, double high)
{
	series->points = mem_array(series->points, series->count + 1, sizeof *series->points);
	series->points[series->count++] = (struct figure_point){.x = x, .y = y, .low = low, .high = high};
}

void figure_rule(struct figure_panel *panel, bool vertical, double at, const char *text)
{
	panel->rules = mem_array(panel->rules, panel->rule_count + 1, sizeof *panel->rules);
	panel->rules[panel->rule_count++] = (struct figure_rule){.at = at, .vertical = vertical, .text = shown(text)};
}

void figure_text(struct figure_panel *panel, double x, double y, enum figure_align align, bool muted, const char *text)
{
	panel->texts = mem_array(panel->texts, panel->text_count + 1, sizeof *panel->texts);
	panel->texts[panel->text_count++] = (struct figure_text){.x = x, .y = y, .align = align, .muted = muted, .text = shown(text)};
}

static void axis_free(struct figure_axis *axis)
{
	for (size_t i = 0; i < axis->tick_count; i++)
		free(axis->ticks[i].text);
	free(axis->ticks);
	free(axis->label);
}

static void panel_free(struct figure_panel *panel)
{
	for (size_t i = 0; i < panel->series_count; i++) {
		free(panel->series[i]->name);
		free(panel->series[i]->points);
		free(panel->series[i]);
	}
	for (size_t i = 0; i < panel->rule_count; i++)
		free(panel->rules[i].text);
	for (size_t i = 0; i < panel->text_count; i++)
		free(panel->texts[i].text);
	axis_free(&panel->x);
	axis_free(&panel->y);
	free(panel->series);
	free(panel->rules);
	free(panel->texts);
	free(panel->title);
	free(panel);
}

void figure_free(struct figure *figure)
{
	for (size_t i = 0; i < figure->panel_count; i++)
		panel_free(figure->panels[i]);
	free(figure->panels);
	free(figure->name);
	free(figure->title);
	free(figure->caption);
	free(figure->alt);
	free(figure->table);
	*figure = (struct figure){0};
}

static bool on_axis(const struct figure_axis *axis, double value)
{
	return isfinite(value) && value >= fmin(axis->low, axis->high) && value <= fmax(axis->low, axis->high);
}

static enum status check_axis(const struct figure *figure, const struct figure_axis *axis, struct error *err)
{
	if (!isfinite(axis->low) || !isfinite(axis->high) || axis->low == axis->high || (axis->scale == FIGURE_LOG && fmin(axis->low, axis->high) <= 0))
		return error_set(err, R_FIG_DATA, figure->name, "an axis from %g to %g", axis->low, axis->high);
	for (size_t i = 0; i < axis->tick_count; i++)
		if (!on_axis(axis, axis->ticks[i].at))
			return error_set(err, R_FIG_DATA, figure->name, "a tick at %g on an axis from %g to %g", axis->ticks[i].at, axis->low, axis->high);
	return OK;
}

static enum status check_series(const struct figure *figure, const struct figure_panel *panel, const struct figure_series *series, struct error *err)
{
	const struct figure_axis *along = series->along_x ? &panel->x : &panel->y;

	if (series->style >= FIGURE_STYLES)
		return error_set(err, R_FIG_DATA, figure->name, "style %u of %d", series->style, FIGURE_STYLES);
	if ((series->drawn & FIGURE_BARS) != 0 && (!isfinite(series->bar_width) || series->bar_width <= 0))
		return error_set(err, R_FIG_DATA, figure->name, "bars %g wide", series->bar_width);
	for (size_t i = 0; i < series->count; i++) {
		const struct figure_point *point = &series->points[i];

		if (!on_axis(&panel->x, point->x) || !on_axis(&panel->y, point->y))
			return error_set(err, R_FIG_DATA, figure->name, "point %zu of '%s' is %g, %g, outside of the axes", i + 1, series->name, point->x, point->y);
		if (isnan(point->low) != isnan(point->high) || (!isnan(point->low) && (!on_axis(along, point->low) || !on_axis(along, point->high))))
			return error_set(err, R_FIG_DATA, figure->name, "interval %zu of '%s' is from %g to %g, outside of the axis", i + 1, series->name, point->low, point->high);
	}
	return OK;
}

static enum status check_panel(const struct figure *figure, const struct figure_panel *panel, size_t *points, struct error *err)
{
	enum status status = check_axis(figure, &panel->x, err);

	if (status == OK)
		status = check_axis(figure, &panel->y, err);
	if (status == OK && !(panel->left >= 0 && panel->left < panel->right && panel->right <= figure->width && panel->top >= 0 && panel->top < panel->bottom &&
	                      panel->bottom <= figure->height))
		status = error_set(err, R_FIG_DATA, figure->name, "a panel from %g, %g to %g, %g", panel->left, panel->top, panel->right, panel->bottom);
	for (size_t i = 0; status == OK && i < panel->series_count; i++) {
		status = check_series(figure, panel, panel->series[i], err);
		*points += panel->series[i]->count;
	}
	for (size_t i = 0; status == OK && i < panel->rule_count; i++)
		if (!on_axis(panel->rules[i].vertical ? &panel->x : &panel->y, panel->rules[i].at))
			status = error_set(err, R_FIG_DATA, figure->name, "a line at %g, outside of the axis", panel->rules[i].at);
	for (size_t i = 0; status == OK && i < panel->text_count; i++)
		if (!on_axis(&panel->x, panel->texts[i].x) || !on_axis(&panel->y, panel->texts[i].y))
			status = error_set(err, R_FIG_DATA, figure->name, "a text at %g, %g, outside of the axes", panel->texts[i].x, panel->texts[i].y);
	return status;
}

enum status figure_check(const struct figure *figure, struct error *err)
{
	enum status status = OK;
	size_t points = 0;

	if (!(figure->width >= 1 && figure->width <= FIGURE_SIDE_MAX && figure->width == floor(figure->width) && figure->height >= 1 && figure->height <= FIGURE_SIDE_MAX &&
	      figure->height == floor(figure->height)))
		return error_set(err, R_FIG_DATA, figure->name, "a figure of %g by %g", figure->width, figure->height);
	if (figure->panel_count == 0)
		return error_set(err, R_FIG_DATA, figure->name, "a figure without a panel");
	for (size_t i = 0; status == OK && i < figure->panel_count; i++)
		status = check_panel(figure, figure->panels[i], &points, err);
	if (status == OK && points > FIGURE_POINTS_MAX)
		status = error_set(err, R_FIG_DATA, figure->name, "%zu points; %d are drawn at most", points, FIGURE_POINTS_MAX);
	return status;
}
