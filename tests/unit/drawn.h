/* A figure's data as text, for tests that say what is drawn. */
#ifndef PTXSEAL_TESTS_DRAWN_H
#define PTXSEAL_TESTS_DRAWN_H

#include <math.h>

#include "base/bytes.h"
#include "report/figure.h"

static inline void drawn_axis(const char *name, const struct figure_axis *axis, struct bytes *out)
{
	bytes_format(out, "%s %s%s%.6g..%.6g%s%s", name, axis->label != NULL ? axis->label : "", axis->scale == FIGURE_LOG ? " log " : " ", axis->low, axis->high, axis->names ? " names" : "", axis->bare ? " bare" : "");
	for (size_t i = 0; i < axis->tick_count; i++)
		bytes_format(out, " %.6g=%s", axis->ticks[i].at, axis->ticks[i].text);
	bytes_char(out, '\n');
}

/* A line an axis, a series ("name: x,y[low,high] ..."), a rule, a text. */
static inline void drawn_panel(const struct figure_panel *panel, struct bytes *out)
{
	if (panel->title != NULL)
		bytes_format(out, "panel %s\n", panel->title);
	drawn_axis("x", &panel->x, out);
	drawn_axis("y", &panel->y, out);
	for (size_t s = 0; s < panel->series_count; s++) {
		const struct figure_series *series = panel->series[s];

		bytes_format(out, "%s%s:", series->name, series->hollow ? " (hollow)" : "");
		for (size_t i = 0; i < series->count; i++) {
			const struct figure_point *at = &series->points[i];

			bytes_format(out, " %.6g,%.6g", at->x, at->y);
			if (isfinite(at->low))
				bytes_format(out, "[%.6g,%.6g]", at->low, at->high);
		}
		bytes_char(out, '\n');
	}
	for (size_t i = 0; i < panel->rule_count; i++)
		bytes_format(out, "rule %s%.6g%s%s\n", panel->rules[i].vertical ? "x " : "y ", panel->rules[i].at, panel->rules[i].text != NULL ? " " : "", panel->rules[i].text != NULL ? panel->rules[i].text : "");
	for (size_t i = 0; i < panel->text_count; i++)
		bytes_format(out, "text %.6g,%.6g %s\n", panel->texts[i].x, panel->texts[i].y, panel->texts[i].text);
}

static inline void drawn(const struct figure *figure, const char *want)
{
	struct bytes out = {0};

	bytes_text(&out, "");
	for (size_t i = 0; i < figure->panel_count; i++)
		drawn_panel(figure->panels[i], &out);
	assert_string_equal(out.data, want);
	bytes_free(&out);
}

#endif
