/*
 * Figures drawn by gnuplot (5.4 or newer, found on PATH), a process for many of them. It gets one program of our own making, whose only words are ours: every text of a figure
 * is a placeholder in the SVG, which is set when the SVG is read, and octal digits in the PDF. It runs in a directory of its own, without the user's environment and start-up files, caged
 * (kernel/cage.h) where the kernel can, and with a deadline.
 *
 * What it writes is not passed on: the SVG is read by an XML parser, held to the few elements and attributes that gnuplot draws with (R_FIG_SVG otherwise) and written anew, without
 * ids (so that any number of them can stand in one page), scripts, styles, links, date, version or path.
 *
 * The same figures give the same bytes with the same gnuplot; for PDF, with the same cairo and fonts too.
 *
 * SVG for a page: <svg class="figure" role="img" width height viewBox><title><desc>… One g class="series sN" data-panel data-series (both from 0), data-name, a series, drawn in absolute
 * coordinates; black is currentColor; other colours are fill/stroke attributes with a class (s0 to s7, muted, grid), which a page's CSS may override for dark mode (figure.css does).
 */
#ifndef PTXSEAL_REPORT_GNUPLOT_H
#define PTXSEAL_REPORT_GNUPLOT_H

#include "../base/bytes.h"
#include "figure.h"

struct gnuplot {
	char *path;
	unsigned deadline_s; /* of each run */
};

/* R_FIG_MISSING where there is none on PATH: a report is then written without pictures. */
enum status gnuplot_find(struct gnuplot *gnuplot, struct error *err);
void gnuplot_free(struct gnuplot *gnuplot);

enum figure_form { FIGURE_SVG, FIGURE_PDF };

/* Draw count figures: out[i] is the bytes of the i-th, appended; bytes_free each, also after a failure. SVG is a whole document without XML declaration, to be put into a page or a file as it is.
 * R_FIG_DATA, R_FIG_RUN, R_FIG_DEADLINE, R_FIG_REFUSED (with what gnuplot said), R_FIG_SVG, R_FIG_PDF. */
enum status gnuplot_draw(const struct gnuplot *gnuplot, const struct figure *const *figures, size_t count, enum figure_form form, struct bytes *out, struct error *err);

/* The same beside what the caller does meanwhile: gnuplot, figures and out have to stay as they are until gnuplot_end, which waits and says how it went. */
struct drawing;
struct drawing *gnuplot_begin(const struct gnuplot *gnuplot, const struct figure *const *figures, size_t count, enum figure_form form, struct bytes *out);
enum status gnuplot_end(struct drawing *drawing, struct error *err); /* also frees it; OK for NULL */

#endif
