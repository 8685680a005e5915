/* What gnuplot wrote as SVG, read by an XML parser, held to what it draws with, and written anew (gnuplot.h says how). */
#ifndef PTXSEAL_REPORT_SVG_H
#define PTXSEAL_REPORT_SVG_H

#include "plot.h"

/* Append the figure as an SVG document to out. file is for messages. R_FIG_SVG where text is no such SVG: not well-formed, a document type, an element, path, transform or colour that
 * our programs do not lead to, a placeholder that stands for nothing, or a mark or bar less or more than the figure has. */
enum status svg_write(const char *text, size_t len, const char *file, const struct figure *figure, const struct plot *plot, struct bytes *out, struct error *err);

/* Text as the content of an element or of an attribute in double quotes. */
void svg_text(const char *text, struct bytes *out);

#endif
