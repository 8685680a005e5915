/* A figure as a program for gnuplot, and what has to be known to read the SVG that comes of it (svg.h). */
#ifndef PTXSEAL_REPORT_PLOT_H
#define PTXSEAL_REPORT_PLOT_H

#include <stdint.h>

#include "../base/bytes.h"
#include "gnuplot.h"

/* The only colours of a program beside black, which is that of texts. SVG and PDF have the same. */
enum { COLOUR_MUTED = 0x6E6E6E, COLOUR_GRID = 0xDADADA, COLOUR_FRAME = 0x8C8C8C };
uint32_t plot_colour(unsigned style); /* 0xRRGGBB */

enum part_kind { PART_NOTHING, PART_INTERVALS, PART_BARS, PART_LINE, PART_MARKS };

enum { PART_OF_LEGEND = -1 };

/* What one element of a plot command draws; in the order of the program. */
struct part {
	enum part_kind kind;
	int panel;     /* PART_OF_LEGEND: of none */
	size_t series; /* of the panel; of the legend its entry */
	unsigned style;
	size_t marks;  /* that have to be there: of PART_MARKS points, of PART_BARS bars */
};

struct plot {
	double height; /* of the figure, with the further rows of its legend */
	char **texts;  /* placeholder "Tn" stands for texts[n] in the SVG */
	size_t text_count;
	struct part *parts;
	size_t part_count;
};

/* Append the program that draws figure, which figure_check has passed, into the file OUTPUT. plot_free(plot). */
void plot_write(const struct figure *figure, enum figure_form form, const char *output, struct bytes *program, struct plot *plot);
void plot_free(struct plot *plot);

#endif
