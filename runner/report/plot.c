#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/character.h"
#include "../base/utf8.h"

enum { LEGEND_ROW = 18, LEGEND_LEFT = 8, SAMPLE = 24, BETWEEN = 18, TICKS = 5 };

#define CHARACTER 5.9     /* width in pixels that a column of the 11 px font is given, more than most have */
#define DIGIT 7.0         /* a digit has */
#define PIXELS_PER_INCH 96.0
#define PDF_FONT "DejaVu Sans" /* on every Debian and Ubuntu that has fontconfig; gnuplot.c lets it find no other */
#define PDF_FONT_POINTS 7.4    /* as wide as 11 px of a narrower sans serif */

/*
 * Palette of M. Okabe and K. Ito, "Color Universal Design" (2008), sky, orange and purple darker than there, for 3:1 on white (WCAG 2.2, 1.4.11); marks as gnuplot numbers them;
 * dashes in pixels.
 */
static const struct {
	uint32_t colour;
	int mark, hollow;
	const char *dash;
} styles[FIGURE_STYLES] = {
	{0x0072B2, 7, 6, "solid"},        {0xD55E00, 5, 4, "(12,6)"},        {0x009E73, 9, 8, "(4,4)"},   {0xB5568D, 13, 12, "(16,5,4,5)"},
	{0x2B8CBE, 11, 10, "(20,8)"}, {0xB37400, 15, 14, "(8,4,2,4)"}, {0x767676, 1, 1, "(2,4)"}, {0x111111, 2, 2, "solid"},
};

uint32_t plot_colour(unsigned style)
{
	return styles[style].colour;
}

struct writer {
	const struct figure *figure;
	enum figure_form form;
	struct bytes *program;
	struct plot *plot;
	double extra;  /* by which panels stand lower than they say */
	size_t blocks; /* of data */
	size_t labels; /* of the panel */
	bool first;    /* element of the plot command */
};

void plot_free(struct plot *plot)
{
	for (size_t i = 0; i < plot->text_count; i++)
		free(plot->texts[i]);
	free(plot->texts);
	free(plot->parts);
	*plot = (struct plot){0};
}

static size_t columns(const char *text)
{
	return text_width(text, strlen(text));
}

/* The bytes that the first so many columns take, whole characters alone. */
static size_t first(const char *text, size_t count)
{
	const size_t len = strlen(text);
	size_t at = 0;

	for (size_t step; at < len && text_width(text, at + (step = utf8_next(text + at, len - at, NULL))) <= count;)
		at += step;
	return at;
}

/* The text, or as much of its beginning and end as goes into that many pixels with an ellipsis between: names that begin alike stay apart. free(). */
static char *fitting(const char *text, double pixels)
{
	const size_t most = pixels > 5 * CHARACTER ? (size_t)(pixels / CHARACTER) : 5, count = columns(text);
	const size_t tail = (most - 1) * 2 / 5, head = most - 1 - tail;

	return count <= most ? mem_text(text) : mem_format("%.*s…%s", (int)first(text, head), text, text + first(text, count - tail));
}

/* A text in the program: its placeholder, or its bytes in octal, which gnuplot puts together to a text that it does not look into (noenhanced). */
static void literal(struct writer *writer, const char *text)
{
	struct plot *plot = writer->plot;

	if (writer->form == FIGURE_SVG) {
		plot->texts = mem_array(plot->texts, plot->text_count + 1, sizeof *plot->texts);
		plot->texts[plot->text_count] = mem_text(text);
		bytes_format(writer->program, "\"T%zu\"", plot->text_count++);
		return;
	}
	bytes_char(writer->program, '"');
	for (const char *at = text; *at != '\0'; at++)
		bytes_format(writer->program, "\\%03o", (unsigned char)*at);
	bytes_char(writer->program, '"');
}

/* gnuplot takes the text of a tick for a format. */
static void tick_literal(struct writer *writer, const char *text)
{
	struct bytes doubled = {0};

	for (const char *at = text; writer->form == FIGURE_PDF && *at != '\0'; at++) {
		bytes_char(&doubled, *at);
		if (*at == '%')
			bytes_char(&doubled, '%');
	}
	literal(writer, doubled.data != NULL ? doubled.data : text);
	bytes_free(&doubled);
}

/* at is gnuplot's, of numbers alone. */
static void label(struct writer *writer, const char *text, const char *at, enum figure_align align, const char *more)
{
	static const char *const aligns[] = {"left", "center", "right"};

	bytes_format(writer->program, "set label %zu ", ++writer->labels);
	literal(writer, text);
	bytes_format(writer->program, " at %s %s %s noenhanced back\n", at, aligns[align], more);
}

/* Pixels from the upper left corner of the figure, as gnuplot's fractions of the screen. */
static char *pixels(const struct writer *writer, double x, double y)
{
	return mem_format("screen %.17g, screen %.17g", x / writer->figure->width, 1 - y / writer->plot->height);
}

static void label_at(struct writer *writer, const char *text, double x, double y, enum figure_align align, const char *more)
{
	char *at = pixels(writer, x, y);

	label(writer, text, at, align, more);
	free(at);
}

/* A part of the plot command, to follow `plot`: its data are in block, which begin_data made. */
static void element(struct writer *writer, enum part_kind kind, int panel, size_t series, unsigned style, size_t marks, const char *with)
{
	struct plot *plot = writer->plot;

	plot->parts = mem_array(plot->parts, plot->part_count + 1, sizeof *plot->parts);
	plot->parts[plot->part_count++] = (struct part){.kind = kind, .panel = panel, .series = series, .style = style, .marks = marks};
	bytes_format(writer->program, "%s%s", writer->first ? "plot " : ", ", with);
	writer->first = false;
}

static size_t begin_data(struct writer *writer)
{
	bytes_format(writer->program, "$d%zu << E\n", writer->blocks);
	return writer->blocks++;
}

static void end_data(struct writer *writer)
{
	bytes_text(writer->program, "E\n");
}

static void datum(struct writer *writer, double x, double y)
{
	bytes_format(writer->program, "%.17g %.17g\n", x, y);
}

/* Where a point stands on its axis, from 0 at its low end to 1. */
static double along(const struct figure_axis *axis, double value)
{
	return axis->scale == FIGURE_LOG ? log(value / axis->low) / log(axis->high / axis->low) : (value - axis->low) / (axis->high - axis->low);
}

static void write_intervals(struct writer *writer, const struct figure_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		const struct figure_point *point = &series->points[i];

		if (isnan(point->low))
			continue;
		datum(writer, series->along_x ? point->low : point->x, series->along_x ? point->y : point->low);
		datum(writer, series->along_x ? point->high : point->x, series->along_x ? point->y : point->high);
		bytes_char(writer->program, '\n');
	}
}

static void write_line(struct writer *writer, const struct figure_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		if (i > 0 && (series->drawn & FIGURE_STEPS) != 0)
			datum(writer, series->points[i].x, series->points[i - 1].y);
		datum(writer, series->points[i].x, series->points[i].y);
	}
}

/* x, y, and the box's ends: x low, x high, y low, y high. */
static void write_bars(struct writer *writer, const struct figure_panel *panel, const struct figure_series *series)
{
	for (size_t i = 0; i < series->count; i++) {
		const struct figure_point *point = &series->points[i];
		const double half = series->bar_width / 2;
		const struct figure_axis *axis = series->along_x ? &panel->x : &panel->y;
		const double from = axis->scale == FIGURE_LOG ? fmin(axis->low, axis->high) : fmax(fmin(axis->low, axis->high), fmin(0, fmax(axis->low, axis->high)));

		if (series->along_x)
			bytes_format(writer->program, "%.17g %.17g %.17g %.17g %.17g %.17g\n", point->x, point->y, from, point->x, point->y - half, point->y + half);
		else
			bytes_format(writer->program, "%.17g %.17g %.17g %.17g %.17g %.17g\n", point->x, point->y, point->x - half, point->x + half, from, point->y);
	}
}

static size_t intervals(const struct figure_series *series)
{
	size_t count = 0;

	for (size_t i = 0; i < series->count; i++)
		count += isnan(series->points[i].low) ? 0 : 1;
	return count;
}

static void element_lines(struct writer *writer, enum part_kind kind, int panel, size_t series, unsigned style, size_t block)
{
	char *with = mem_format("$d%zu with lines lt 1 lw %s dt %s lc rgb '#%06x' notitle", block, kind == PART_INTERVALS ? "1.2" : "1.5",
	                        kind == PART_INTERVALS ? "solid" : styles[style].dash, styles[style].colour);

	element(writer, kind, panel, series, style, 0, with);
	free(with);
}

static void element_marks(struct writer *writer, int panel, size_t series, const struct figure_series *of, size_t marks, size_t block)
{
	char *with = mem_format("$d%zu with points pt %d ps %s lw 1.2 lc rgb '#%06x' notitle", block, of->hollow ? styles[of->style].hollow : styles[of->style].mark,
	                        writer->form == FIGURE_SVG ? "0.8" : "0.6", styles[of->style].colour);

	element(writer, PART_MARKS, panel, series, of->style, marks, with);
	free(with);
}

static void element_bars(struct writer *writer, int panel, size_t series, unsigned style, size_t marks, size_t block)
{
	const uint32_t colour = styles[style].colour;
	char *with = mem_format("$d%zu with boxxyerror lc rgb '#%06x' lw 1.2 fs solid 0.35 border lc rgb '#%06x' notitle", block, colour, colour);

	element(writer, PART_BARS, panel, series, style, marks, with);
	free(with);
}

/* Data come before the plot command: first all blocks, then all elements, in the same order. */
static void plot_series(struct writer *writer, const struct figure_panel *panel, int number)
{
	const size_t first = writer->blocks;
	size_t block = first;

	for (size_t i = 0; i < panel->series_count; i++) {
		const struct figure_series *series = panel->series[i];

		if (series->count == 0)
			continue;
		if ((series->drawn & FIGURE_BARS) != 0) {
			begin_data(writer);
			write_bars(writer, panel, series);
			end_data(writer);
		}
		if ((series->drawn & FIGURE_INTERVALS) != 0 && intervals(series) > 0) {
			begin_data(writer);
			write_intervals(writer, series);
			end_data(writer);
		}
		if ((series->drawn & (FIGURE_LINE | FIGURE_STEPS)) != 0) {
			begin_data(writer);
			write_line(writer, series);
			end_data(writer);
		}
		if ((series->drawn & FIGURE_MARKS) != 0) {
			begin_data(writer);
			for (size_t p = 0; p < series->count; p++)
				datum(writer, series->points[p].x, series->points[p].y);
			end_data(writer);
		}
	}
	for (size_t i = 0; i < panel->series_count; i++) {
		const struct figure_series *series = panel->series[i];

		if (series->count == 0)
			continue;
		if ((series->drawn & FIGURE_BARS) != 0)
			element_bars(writer, number, i, series->style, series->count, block++);
		if ((series->drawn & FIGURE_INTERVALS) != 0 && intervals(series) > 0)
			element_lines(writer, PART_INTERVALS, number, i, series->style, block++);
		if ((series->drawn & (FIGURE_LINE | FIGURE_STEPS)) != 0)
			element_lines(writer, PART_LINE, number, i, series->style, block++);
		if ((series->drawn & FIGURE_MARKS) != 0)
			element_marks(writer, number, i, series, series->count, block++);
	}
}

/* Ends the plot command; without an element gnuplot would draw no axes. */
static void end_plot(struct writer *writer, int panel)
{
	if (writer->first)
		element(writer, PART_NOTHING, panel, 0, 0, 0, "1/0 notitle");
	bytes_char(writer->program, '\n');
	writer->first = true;
}

/* Round numbers on an axis whose author named none: at most TICKS + 1 steps of 1, 2 or 5 times a power of ten; on a logarithmic axis powers of ten, and what is twice and five times
 * them where there are few. */
static void round_ticks(struct figure_axis *axis)
{
	const double low = fmin(axis->low, axis->high), high = fmax(axis->low, axis->high);
	char text[32];

	if (axis->scale == FIGURE_LINEAR) {
		const double power = pow(10, floor(log10((high - low) / TICKS))), rest = (high - low) / TICKS / power;
		const double step = power * (rest <= 1 ? 1 : rest <= 2 ? 2 : rest <= 5 ? 5 : 10);
		const int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

		for (double k = ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
			snprintf(text, sizeof text, "%.*f", digits, fabs(k) < 0.5 ? 0 : k * step);
			figure_tick(axis, fmin(fmax(k * step, low), high), text);
		}
		return;
	}
	const bool few = log10(high / low) < 2.5;

	for (double e = floor(log10(low)); e <= ceil(log10(high)); e++)
		for (size_t i = 0; i < 3; i++) {
			static const double times[] = {1, 2, 5};
			const double at = strtod((snprintf(text, sizeof text, "%.0fe%.0f", times[i], e), text), NULL);

			if ((i > 0 && !few) || at < low * (1 - 1e-12) || at > high * (1 + 1e-12))
				continue;
			snprintf(text, sizeof text, "%.15g", at);
			figure_tick(axis, at, text);
		}
}

static void copy_ticks(const struct figure_axis *axis, struct figure_axis *copy)
{
	*copy = *axis;
	copy->label = NULL;
	copy->ticks = NULL;
	copy->tick_count = 0;
	for (size_t i = 0; i < axis->tick_count; i++)
		figure_tick(copy, axis->ticks[i].at, axis->ticks[i].text);
	if (axis->tick_count == 0 && !axis->names)
		round_ticks(copy);
}

static void free_ticks(struct figure_axis *copy)
{
	for (size_t i = 0; i < copy->tick_count; i++)
		free(copy->ticks[i].text);
	free(copy->ticks);
}

/* Names are labels and not ticks, for they are cut to the room there is. */
static void write_names(struct writer *writer, const struct figure_panel *panel, bool x, const struct figure_axis *axis)
{
	const double size = x ? panel->right - panel->left : panel->bottom - panel->top;

	for (size_t i = 0; !axis->bare && i < axis->tick_count; i++) {
		const double at = along(axis, axis->ticks[i].at) * size;
		char *text = fitting(axis->ticks[i].text, x ? size / (double)axis->tick_count : panel->left - 10);

		if (x)
			label_at(writer, text, panel->left + at, writer->extra + panel->bottom + 11, FIGURE_MIDDLE, "");
		else
			label_at(writer, text, panel->left - 8, writer->extra + panel->bottom - at, FIGURE_END, "");
		free(text);
	}
}

static void write_axis(struct writer *writer, const struct figure_panel *panel, bool x, const struct figure_axis *axis)
{
	const char name = x ? 'x' : 'y';

	bytes_format(writer->program, "set %crange [%.17g:%.17g] noextend\n", name, axis->low, axis->high);
	if (axis->scale == FIGURE_LOG)
		bytes_format(writer->program, "set logscale %c 10\n", name);
	if (axis->names || axis->tick_count == 0) {
		bytes_format(writer->program, "unset %ctics\nset grid no%ctics\n", name, name);
		write_names(writer, panel, x, axis);
		return;
	}
	bytes_format(writer->program, "set %ctics scale 0.5,0 nomirror out offset %s (", name, !x ? "0,0" : writer->form == FIGURE_SVG ? "0,0.5" : "0,0.1");
	for (size_t i = 0; i < axis->tick_count; i++) {
		bytes_text(writer->program, i > 0 ? ", " : "");
		tick_literal(writer, axis->bare ? "" : axis->ticks[i].text);
		bytes_format(writer->program, " %.17g", axis->ticks[i].at);
	}
	bytes_format(writer->program, ") textcolor rgb '#000000'\nset grid %ctics back lt 1 lw 0.7 lc rgb '#%06x'\n", name, COLOUR_GRID);
}

static void write_axis_labels(struct writer *writer, const struct figure_panel *panel, const struct figure_axis *y)
{
	const double top = writer->extra + panel->top, bottom = writer->extra + panel->bottom;

	if (panel->title != NULL)
		label_at(writer, panel->title, panel->left, top - 9, FIGURE_START, writer->form == FIGURE_SVG ? "font 'sans-serif Bold'" : "font '" PDF_FONT ":Bold'");
	if (panel->x.label != NULL && !panel->x.bare)
		label_at(writer, panel->x.label, (panel->left + panel->right) / 2, bottom + (panel->x.names ? 26 : 29), FIGURE_MIDDLE, "");
	if (panel->y.label != NULL && !panel->y.bare) {
		size_t widest = 0;

		for (size_t i = 0; i < y->tick_count; i++)
			widest = columns(y->ticks[i].text) > widest ? columns(y->ticks[i].text) : widest;
		label_at(writer, panel->y.label, fmax(panel->left - (double)widest * DIGIT - 20, 8), (top + bottom) / 2, FIGURE_MIDDLE, "rotate by 90");
	}
}

static void write_rules(struct writer *writer, const struct figure_panel *panel)
{
	for (size_t i = 0; i < panel->rule_count; i++) {
		const struct figure_rule *rule = &panel->rules[i];
		const double top = writer->extra + panel->top;

		bytes_format(writer->program, rule->vertical ? "set arrow %zu from %.17g, graph 0 to %.17g, graph 1" : "set arrow %zu from graph 0, first %.17g to graph 1, first %.17g", i + 1,
		             rule->at, rule->at);
		bytes_format(writer->program, " nohead back lt 1 lw 1.2 dt (8,6) lc rgb '#%06x'\n", COLOUR_MUTED);
		if (rule->text == NULL)
			continue;
		char *colour = mem_format("textcolor rgb '#%06x'", COLOUR_MUTED);

		if (rule->vertical)
			label_at(writer, rule->text, panel->left + along(&panel->x, rule->at) * (panel->right - panel->left), top - 8, FIGURE_MIDDLE, colour);
		else {
			const double y = writer->extra + panel->bottom - along(&panel->y, rule->at) * (panel->bottom - panel->top);
			const bool beside = panel->right + 4 + (double)columns(rule->text) * CHARACTER <= writer->figure->width;

			label_at(writer, rule->text, panel->right + (beside ? 4 : -4), beside ? y : y - 8, beside ? FIGURE_START : FIGURE_END, colour);
		}
		free(colour);
	}
}

static void write_panel(struct writer *writer, const struct figure_panel *panel, int number)
{
	struct figure_axis x, y;
	const double width = writer->figure->width, height = writer->plot->height;

	copy_ticks(&panel->x, &x);
	copy_ticks(&panel->y, &y);
	writer->labels = 0;
	bytes_format(writer->program,
	             "unset label\nunset arrow\nunset logscale\nset lmargin at screen %.17g\nset rmargin at screen %.17g\nset tmargin at screen %.17g\nset bmargin at screen %.17g\n"
	             "set border %d back lt 1 lw 1 lc rgb '#%06x'\n",
	             panel->left / width, panel->right / width, 1 - (writer->extra + panel->top) / height, 1 - (writer->extra + panel->bottom) / height,
	             (panel->x.names ? 0 : 1) | (panel->y.names ? 0 : 2), COLOUR_FRAME);
	write_axis(writer, panel, true, &x);
	write_axis(writer, panel, false, &y);
	write_axis_labels(writer, panel, &y);
	write_rules(writer, panel);
	for (size_t i = 0; i < panel->text_count; i++) {
		const struct figure_text *text = &panel->texts[i];
		char *at = mem_format("first %.17g, first %.17g", text->x, text->y);
		char *colour = mem_format("textcolor rgb '#%06x'", COLOUR_MUTED);

		label(writer, text->text, at, text->align, text->muted ? colour : "");
		free(colour);
		free(at);
	}
	plot_series(writer, panel, number);
	end_plot(writer, number);
	free_ticks(&x);
	free_ticks(&y);
}

struct entry {
	const struct figure_series *series;
	double x, y; /* of its left end, in pixels of the figure */
	char *text;
};

struct legend {
	struct entry *at;
	size_t count;
	size_t rows;
};

/* One entry for each name, from left to right and then below. */
static void lay_out_legend(const struct figure *figure, struct legend *legend)
{
	double x = LEGEND_LEFT;

	*legend = (struct legend){.rows = 1};
	for (size_t p = 0; p < figure->panel_count; p++)
		for (size_t s = 0; s < figure->panels[p]->series_count; s++) {
			const struct figure_series *series = figure->panels[p]->series[s];
			bool known = !series->in_legend;

			for (size_t i = 0; i < legend->count; i++)
				known = known || strcmp(legend->at[i].series->name, series->name) == 0;
			if (known)
				continue;
			char *text = fitting(series->name, figure->width - LEGEND_LEFT - SAMPLE - BETWEEN);
			const double wide = SAMPLE + 6 + (double)columns(text) * CHARACTER;

			if (x > LEGEND_LEFT && x + wide > figure->width) {
				x = LEGEND_LEFT;
				legend->rows++;
			}
			legend->at = mem_array(legend->at, legend->count + 1, sizeof *legend->at);
			legend->at[legend->count++] = (struct entry){.series = series, .x = x, .y = 11 + (double)((legend->rows - 1) * LEGEND_ROW), .text = text};
			x += wide + BETWEEN;
		}
}

/* Over the whole figure, in its pixels: y grows downwards. */
static void write_legend(struct writer *writer, const struct legend *legend)
{
	size_t block = writer->blocks;

	writer->labels = 0;
	bytes_format(writer->program,
	             "unset label\nunset arrow\nunset xtics\nunset ytics\nunset border\nunset grid\nunset logscale\nset lmargin at screen 0\nset rmargin at screen 1\n"
	             "set tmargin at screen 1\nset bmargin at screen 0\nset xrange [0:%.17g] noextend\nset yrange [%.17g:0] noextend\n",
	             writer->figure->width, writer->plot->height);
	for (size_t i = 0; i < legend->count; i++) {
		const struct entry *entry = &legend->at[i];

		label_at(writer, entry->text, entry->x + SAMPLE + 6, entry->y, FIGURE_START, "");
		begin_data(writer);
		if ((entry->series->drawn & FIGURE_BARS) != 0)
			bytes_format(writer->program, "%.17g %.17g %.17g %.17g %.17g %.17g\n", entry->x + SAMPLE / 2.0, entry->y, entry->x + 4, entry->x + SAMPLE - 4, entry->y - 5, entry->y + 5);
		else {
			datum(writer, entry->x, entry->y);
			datum(writer, entry->x + SAMPLE, entry->y);
		}
		end_data(writer);
		begin_data(writer);
		datum(writer, entry->x + SAMPLE / 2.0, entry->y);
		end_data(writer);
	}
	for (size_t i = 0; i < legend->count; i++, block += 2) {
		const struct figure_series *series = legend->at[i].series;

		if ((series->drawn & FIGURE_BARS) != 0)
			element_bars(writer, PART_OF_LEGEND, i, series->style, 1, block);
		else if ((series->drawn & (FIGURE_LINE | FIGURE_STEPS)) != 0)
			element_lines(writer, PART_LINE, PART_OF_LEGEND, i, series->style, block);
		if ((series->drawn & FIGURE_MARKS) != 0)
			element_marks(writer, PART_OF_LEGEND, i, series, 1, block + 1);
	}
	end_plot(writer, PART_OF_LEGEND);
}

void plot_write(const struct figure *figure, enum figure_form form, const char *output, struct bytes *program, struct plot *plot)
{
	struct writer writer = {.figure = figure, .form = form, .program = program, .plot = plot, .first = true};
	struct legend legend;

	*plot = (struct plot){0};
	lay_out_legend(figure, &legend);
	writer.extra = (double)((legend.rows - 1) * LEGEND_ROW);
	plot->height = figure->height + writer.extra;
	if (form == FIGURE_SVG)
		bytes_format(program, "set terminal svg noenhanced size %.0f,%.0f fixed font 'sans-serif,11' butt dashlength 1 linewidth 1\n", figure->width, plot->height);
	else
		bytes_format(program, "set terminal pdfcairo noenhanced size %.17gin,%.17gin font '" PDF_FONT ",%g' butt dashlength 0.5 linewidth 0.75\n", figure->width / PIXELS_PER_INCH,
		             plot->height / PIXELS_PER_INCH, PDF_FONT_POINTS);
	bytes_format(program, "set output '%s'\nset multiplot\n", output);
	for (size_t i = 0; i < figure->panel_count; i++)
		write_panel(&writer, figure->panels[i], (int)i);
	if (legend.count > 0)
		write_legend(&writer, &legend);
	bytes_text(program, "unset multiplot\nset output\n");
	for (size_t i = 0; i < legend.count; i++)
		free(legend.at[i].text);
	free(legend.at);
}
