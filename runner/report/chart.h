/* What the figures of tables have in common: axes of speedups, rows with names, titles above columns of panels. */
#ifndef PTXSEAL_REPORT_CHART_H
#define PTXSEAL_REPORT_CHART_H

#include "figure.h"
#include "cells.h"

enum { CHART_ROW = 15, CHART_GAP = 10, CHART_HEAD = 18, CHART_FOOT = 40 }; /* pixels: of a row, between panels, for a title, for an axis and its label */

#define CHART_NONE "none" /* stands where a cell is empty */

/* Both ends of a logarithmic axis. */
struct span {
	double low, high;
};

/* Of all numbers over 0 of a column, and of the library at 1, with some room. */
struct span chart_span(const struct cells *cells, size_t column);
/* wide: three times a power of ten has a tick too. */
void chart_speed_axis(struct figure_axis *axis, struct span span, const char *label, bool wide);
/* A speedup at the height of y; a cell without a number over 0 stands as text at the axis' low end, if says. */
void chart_speed(struct figure_panel *panel, struct figure_series *series, const struct cells *cells, size_t row, size_t column, double y, bool says);

/* Where an axis of percents has to end for a column of them: at a ten, 100 at most. */
double chart_percent_end(const struct cells *cells, size_t column);
/* A rate with its interval in the next two columns, as far as these are numbers from 0 to end. */
void chart_rate(struct figure_series *series, const struct cells *cells, size_t row, size_t column, double across, double end);

/* Row i of an axis of names stands at i, from the top. */
void chart_rows(struct figure_axis *axis, const struct distinct *names, bool bare);

/* A title above a column of panels, in two lines where it is long. */
void chart_heading(struct figure *figure, const char *text, double left, double top, double right);

#endif
