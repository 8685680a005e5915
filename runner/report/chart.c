#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/bytes.h"

static void span_over(struct span *span, const struct cells *cells, size_t row, size_t column)
{
	const double value = cells_number(cells, row, column);

	if (value > 0) {
		span->low = fmin(span->low, value);
		span->high = fmax(span->high, value);
	}
}

struct span chart_span(const struct cells *cells, size_t column)
{
	struct span span = {.low = 0.5, .high = 1};

	for (size_t row = 0; row < cells->of->rows; row++)
		span_over(&span, cells, row, column);
	return (struct span){.low = span.low / 1.4, .high = span.high * 1.25};
}

void chart_speed_axis(struct figure_axis *axis, struct span span, const char *label, bool wide)
{
	static const char *const ticks[] = {"0.0001", "0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3", "10", "30", "100", "1000", "10000"};

	figure_axis(axis, label, FIGURE_LOG, span.low, span.high);
	for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
		const double at = strtod(ticks[i], NULL);

		if (at >= span.low && at <= span.high && (wide || strchr(ticks[i], '3') == NULL))
			figure_tick(axis, at, ticks[i]);
	}
}

void chart_rows(struct figure_axis *axis, const struct distinct *names, bool bare)
{
	figure_axis(axis, NULL, FIGURE_LINEAR, (double)names->count - 0.4, -0.6);
	axis->names = true;
	axis->bare = bare;
	for (size_t i = 0; i < names->count; i++)
		figure_tick(axis, (double)i, names->at[i]);
}

void chart_speed(struct figure_panel *panel, struct figure_series *series, const struct cells *cells, size_t row, size_t column, double y, bool says)
{
	const double value = cells_number(cells, row, column);

	if (value > 0)
		figure_point(series, value, y);
	else if (says)
		figure_text(panel, panel->x.low, y, FIGURE_START, true, isnan(value) ? " " CHART_NONE : cells_text(cells, row, column));
}

void chart_heading(struct figure *figure, const char *text, double left, double top, double right)
{
	const size_t len = strlen(text);
	size_t cut = 0;
	const double room = right - left;

	if ((double)len * 7.6 > room)
		for (size_t i = 0; i + 1 < len; i++)
			if ((text[i] == '_' || text[i] == ' ') && (cut == 0 || labs((long)(2 * i) - (long)len) < labs((long)(2 * cut) - (long)len)))
				cut = i + 1;
	char *lines[] = {mem_textn(text, cut), mem_text(text + cut)};

	for (size_t i = 0; i < 2; i++) {
		struct figure_panel *panel = lines[i][0] != '\0' ? figure_panel(figure, lines[i], left, top + (double)i * 13, right, top + (double)i * 13 + 1) : NULL;

		if (panel != NULL)
			panel->x.names = panel->y.names = true;
		free(lines[i]);
	}
}

double chart_percent_end(const struct cells *cells, size_t column)
{
	double most = 0;

	for (size_t row = 0; row < cells->of->rows; row++)
		most = fmax(most, fmin(cells_number(cells, row, column), 100));
	return fmin(fmax(10 * ceil(most / 10), 10), 100);
}

void chart_rate(struct figure_series *series, const struct cells *cells, size_t row, size_t column, double across, double end)
{
	const double value = cells_number(cells, row, column), low = cells_number(cells, row, column + 1), high = cells_number(cells, row, column + 2);
	const bool has = low >= 0 && high <= end;

	if (!(value >= 0 && value <= end))
		return;
	figure_interval(series, series->along_x ? value : across, series->along_x ? across : value, has ? low : NAN, has ? high : NAN);
}
