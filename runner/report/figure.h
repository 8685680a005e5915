/*
 * A figure as data: panels with axes and what is drawn in them. Nothing here knows gnuplot; gnuplot.h draws it, as SVG and as PDF.
 *
 * Lengths are pixels of the SVG from its upper left corner (in the PDF 1/96 inch). All texts may come from a bundle: they are copied, and drawn as text that stands for
 * itself. A figure is drawn from a derived table, whose name it carries.
 */
#ifndef PTXSEAL_REPORT_FIGURE_H
#define PTXSEAL_REPORT_FIGURE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/error.h"

enum { FIGURE_WIDTH = 700, FIGURE_STYLES = 8, FIGURE_SIDE_MAX = 4000, FIGURE_POINTS_MAX = 100000, FIGURE_TEXT_MAX = 240 /* bytes of a text */ };

enum figure_scale { FIGURE_LINEAR, FIGURE_LOG };

struct figure_tick {
	double at;
	char *text;
};

struct figure_axis {
	char *label; /* NULL: none */
	enum figure_scale scale;
	double low, high; /* low != high (low > high turns the axis around); both over 0 on a logarithmic one */
	bool names;       /* its ticks are names of rows or columns: no marks, no grid */
	bool bare;        /* a neighbour's labels serve: tick marks and grid, but neither texts nor label */
	struct figure_tick *ticks; /* none: round numbers are chosen */
	size_t tick_count;
};

/* Each is a colour (of the palette of Okabe and Ito), a mark and a dash together, so that none rests on colour alone:
 * 0 blue circle, 1 vermilion square, 2 green triangle, 3 purple diamond, 4 sky triangle on its head, 5 orange pentagon, 6 grey plus, 7 black cross. */
enum figure_drawn {
	FIGURE_MARKS = 1,   /* at each point */
	FIGURE_LINE = 2,    /* from point to point */
	FIGURE_STEPS = 4,   /* first along x, then along y */
	FIGURE_BARS = 8,    /* from 0 (of a logarithmic axis: from its low end) along the interval's axis, bar_width of the other axis wide */
	FIGURE_INTERVALS = 16 /* from low to high of each point that has them */
};

struct figure_point {
	double x, y;
	double low, high; /* ends of its interval; NAN: it has none */
};

struct figure_series {
	char *name;       /* what it is, in the SVG for whoever reads it by machine and under the pointer */
	bool in_legend;   /* one entry a name */
	unsigned style;   /* 0 to FIGURE_STYLES - 1 */
	bool hollow;      /* marks are outlines */
	unsigned drawn;   /* of enum figure_drawn */
	bool along_x;     /* intervals and bars lie along x, not y */
	double bar_width; /* of bars, in units of the axis across them */
	struct figure_point *points;
	size_t count;
};

/* A line across the panel, such as the vendor library at 1. */
struct figure_rule {
	double at;
	bool vertical; /* at is an x */
	char *text;    /* beside it; NULL: none */
};

enum figure_align { FIGURE_START, FIGURE_MIDDLE, FIGURE_END };

struct figure_text {
	double x, y; /* in the panel's axes; its middle is at the height of y */
	enum figure_align align;
	bool muted;
	char *text;
};

struct figure_panel {
	char *title;                     /* above it; NULL: none */
	double left, top, right, bottom; /* of its frame */
	struct figure_axis x, y;
	struct figure_series **series;
	size_t series_count;
	struct figure_rule *rules;
	size_t rule_count;
	struct figure_text *texts;
	size_t text_count;
};

struct figure {
	char *name;    /* [a-z][a-z0-9_]*, of its files */
	char *title;
	char *caption; /* what is drawn, how to read it, what it does not say */
	char *alt;     /* what a reader who sees no picture should know: its message in a sentence or two */
	char *table;   /* name of the derived table that it draws; NULL where it is of records */
	double width, height;
	struct figure_panel **panels;
	size_t panel_count;
};

/* Texts are copied; what is returned belongs to the figure and stays where it is. The legend takes the upper FIGURE_LEGEND pixels of a figure that has one: panels start below. */
enum { FIGURE_LEGEND = 26 };
void figure_start(struct figure *figure, const char *name, double width, double height);
void figure_words(struct figure *figure, const char *title, const char *caption, const char *alt, const char *table);
struct figure_panel *figure_panel(struct figure *figure, const char *title, double left, double top, double right, double bottom);
void figure_axis(struct figure_axis *axis, const char *label, enum figure_scale scale, double low, double high);
void figure_tick(struct figure_axis *axis, double at, const char *text);
struct figure_series *figure_series(struct figure_panel *panel, const char *name, unsigned style, unsigned drawn);
void figure_point(struct figure_series *series, double x, double y);
void figure_interval(struct figure_series *series, double x, double y, double low, double high);
void figure_rule(struct figure_panel *panel, bool vertical, double at, const char *text);
void figure_text(struct figure_panel *panel, double x, double y, enum figure_align align, bool muted, const char *text);
void figure_free(struct figure *figure);

/* Can it be drawn? R_FIG_DATA where a number is not finite, not on its logarithmic axis or outside the axis, or there are too many points: nothing is left out unseen. */
enum status figure_check(const struct figure *figure, struct error *err);

#endif
