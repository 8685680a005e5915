/* Of report.html: the figures of the published tables, and their files for papers. */
#include <stdlib.h>
#include <string.h>

#include "gallery.h"
#include "gnuplot.h"
#include "html.h"
#include "page.h"
#include "parts.h"

struct figures {
	struct gallery gallery;
	struct gnuplot gnuplot;
	struct error missing; /* status not OK: there is no gnuplot */
	const struct figure **at; /* those that can be drawn, in the gallery's order */
	size_t count;
	struct bytes *svg, *pdf;
	struct error no_pdf; /* status not OK: why there are none, though there are pictures */
	struct drawing *svgs, *pdfs;
};

enum status figures_begin(struct report *report, void **state, struct error *err)
{
	const struct derivation *derivation = &report->standing->derivation;
	struct figures *figures = mem_alloc(sizeof *figures);

	*state = figures;
	if (report->standing->derived != OK)
		return OK;
	enum status status = gallery_make(derivation->tables, derivation->catalogue.table_count, &figures->gallery, err);

	if (status != OK || gnuplot_find(&figures->gnuplot, &figures->missing) != OK)
		return status;
	figures->at = mem_alloc((figures->gallery.count + 1) * sizeof *figures->at);
	figures->svg = mem_alloc((figures->gallery.count + 1) * sizeof *figures->svg);
	figures->pdf = mem_alloc((figures->gallery.count + 1) * sizeof *figures->pdf);
	for (size_t i = 0; i < figures->gallery.count; i++)
		if (figures->gallery.at[i].lacking == NULL)
			figures->at[figures->count++] = &figures->gallery.at[i].figure;
	figures->svgs = gnuplot_begin(&figures->gnuplot, figures->at, figures->count, FIGURE_SVG, figures->svg);
	figures->pdfs = gnuplot_begin(&figures->gnuplot, figures->at, figures->count, FIGURE_PDF, figures->pdf);
	return OK;
}

static enum status wait(struct figures *figures, struct error *err)
{
	enum status status = gnuplot_end(figures->svgs, err);

	figures->svgs = NULL;
	if (status != OK)
		return status;
	status = gnuplot_end(figures->pdfs, &figures->no_pdf);
	figures->pdfs = NULL;
	if (status == OK || figures->no_pdf.rule == R_FIG_PDF) /* the page needs none */
		return OK;
	*err = figures->no_pdf;
	return status;
}

static void add_file(struct report *report, const char *name, const char *end, const struct bytes *text)
{
	char *path = mem_format("figures/%s.%s", name, end);
	struct bytes copy = {0};

	bytes_add(&copy, text->data, text->len);
	report_add(report, path, &copy);
	free(path);
}

/* Where its numbers are: each table with its SQL is on the page, the files are beside it. */
static void put_links(const struct figures *figures, const struct picture *picture, struct bytes *out)
{
	bytes_text(out, "<p class=beside>Table and SQL: ");
	for (size_t i = 0; picture->tables[i] != NULL; i++)
		html_put(out, "%s<a href=\"#t-%s\">%s</a>", i > 0 ? ", " : "", picture->tables[i], picture->tables[i]);
	html_put(out, ". Numbers drawn: <a href=\"figures/%s.csv\">CSV</a>.", picture->name);
	if (figures->at != NULL && figures->no_pdf.status == OK)
		html_put(out, " Picture: <a href=\"figures/%s.svg\">SVG</a>, <a href=\"figures/%s.pdf\">PDF</a>.", picture->name, picture->name);
	else if (figures->at != NULL)
		html_put(out, " Picture: <a href=\"figures/%s.svg\">SVG</a>; no PDF: %s.", picture->name, figures->no_pdf.what);
	bytes_text(out, "</p>\n");
}

static void put_picture(struct report *report, const struct figures *figures, const struct picture *picture, size_t index, struct bytes *out)
{
	const bool drawn = figures->at != NULL;

	html_put(out, "<h3 id=\"fig-%s\">%s</h3>\n", picture->name, picture->title);
	if (picture->lacking != NULL) {
		html_put(out, "<p class=note>No picture here: %s.</p>\n", picture->lacking);
		return;
	}
	if (drawn) {
		page_figure(picture->title, &figures->svg[index], picture->figure.caption, out);
		add_file(report, picture->name, "svg", &figures->svg[index]);
		if (figures->no_pdf.status == OK)
			add_file(report, picture->name, "pdf", &figures->pdf[index]);
	} else {
		html_put(out, "<p class=note>No picture here: %s.</p>\n<p>%s</p>\n", figures->missing.what, picture->figure.caption);
	}
	add_file(report, picture->name, "csv", &picture->csv);
	put_links(figures, picture, out);
	if (drawn)
		bytes_text(out, "</figcaption></figure>\n");
}

enum status figures_part(struct report *report, void *state, struct bytes *out, struct error *err)
{
	struct figures *figures = state;
	const enum status status = wait(figures, err);
	size_t index = 0;

	for (size_t i = 0; status == OK && i < figures->gallery.count; i++) {
		put_picture(report, figures, &figures->gallery.at[i], index, out);
		index += figures->gallery.at[i].lacking == NULL ? 1 : 0;
	}
	return status;
}

void figures_end(void *state)
{
	struct figures *figures = state;

	if (figures == NULL)
		return;
	gnuplot_end(figures->svgs, NULL);
	gnuplot_end(figures->pdfs, NULL);
	for (size_t i = 0; i < figures->count; i++) {
		bytes_free(&figures->svg[i]);
		bytes_free(&figures->pdf[i]);
	}
	free(figures->svg);
	free(figures->pdf);
	free(figures->at);
	gnuplot_free(&figures->gnuplot);
	gallery_free(&figures->gallery);
	free(figures);
}
