#include "pictures.h"

#include <stdlib.h>

#include "../derive/parallel.h"
#include "gnuplot.h"
#include "record_figure.h"

/* Which figure is which. */
struct drawn {
	size_t kernel;
	enum kernel_picture picture;
	bool is_there;
	struct figure figure;
};

struct pictures {
	struct kernels *kernels;
	struct gnuplot gnuplot;
	struct drawn *at;
	size_t count;
	const struct figure **figures;
	struct bytes *svg; /* of each */
	struct drawing *drawing;
	struct overview_picture overviews[OVERVIEWS];
	const struct figure *overview_figures[OVERVIEWS];
	struct bytes pdf[OVERVIEWS]; /* of overview_figures */
	size_t overview_count;
	struct drawing *pdfs;
};

/* What cannot be drawn as it is, such as numbers of a forged record, is left out: its table is on the page. */
static enum status collect_of_kernel(struct database *db, size_t kernel, void *context, struct error *err)
{
	struct pictures *pictures = context;

	(void)db;
	(void)err;
	for (int picture = 0; picture < KERNEL_PICTURES; picture++) {
		struct drawn *drawn = &pictures->at[kernel * KERNEL_PICTURES + (size_t)picture];

		drawn->kernel = kernel;
		drawn->picture = (enum kernel_picture)picture;
		drawn->is_there = record_figure(pictures->kernels->at[kernel].record, drawn->picture, &drawn->figure);
		if (drawn->is_there && figure_check(&drawn->figure, NULL) != OK) {
			figure_free(&drawn->figure);
			drawn->is_there = false;
		}
	}
	return OK;
}

static void collect(struct pictures *pictures)
{
	const size_t count = pictures->kernels->count;

	pictures->at = mem_alloc((count * KERNEL_PICTURES + 1) * sizeof *pictures->at);
	(void)parallel_run(NULL, count, collect_of_kernel, pictures, NULL);
	for (size_t i = 0; i < count * KERNEL_PICTURES; i++)
		if (pictures->at[i].is_there)
			pictures->at[pictures->count++] = pictures->at[i];
}

static void add_overview(struct pictures *pictures, const struct figure *figure)
{
	pictures->figures[pictures->count + pictures->overview_count] = figure;
	pictures->overview_figures[pictures->overview_count++] = figure;
}

struct pictures *pictures_begin(struct kernels *kernels)
{
	struct pictures *pictures = mem_alloc(sizeof *pictures);

	*pictures = (struct pictures){.kernels = kernels};
	for (int kind = 0; kind < OVERVIEWS; kind++)
		pictures->overviews[kind].is_there = overview_make(kernels, (enum overview_kind)kind, &pictures->overviews[kind].overview);
	if (gnuplot_find(&pictures->gnuplot, NULL) != OK) {
		kernels->why_no_pictures = mem_text("there is no gnuplot here; with it the report has pictures");
		return pictures;
	}
	collect(pictures);
	const size_t room = pictures->count + OVERVIEWS + 1;

	pictures->svg = mem_alloc(room * sizeof *pictures->svg);
	pictures->figures = mem_array(NULL, room, sizeof *pictures->figures);
	for (size_t i = 0; i < pictures->count; i++)
		pictures->figures[i] = &pictures->at[i].figure;
	for (int kind = 0; kind < OVERVIEWS; kind++)
		if (pictures->overviews[kind].is_there)
			add_overview(pictures, &pictures->overviews[kind].overview.figure);
	if (pictures->count + pictures->overview_count > 0)
		pictures->drawing = gnuplot_begin(&pictures->gnuplot, pictures->figures, pictures->count + pictures->overview_count, FIGURE_SVG, pictures->svg);
	if (pictures->overview_count > 0)
		pictures->pdfs = gnuplot_begin(&pictures->gnuplot, pictures->overview_figures, pictures->overview_count, FIGURE_PDF, pictures->pdf);
	return pictures;
}

/* A page needs no PDF: where gnuplot has none there are none. */
static enum status wait_overviews(struct pictures *pictures, struct error *err)
{
	struct error no_pdf = {0};
	const enum status status = gnuplot_end(pictures->pdfs, &no_pdf);
	size_t at = 0;

	pictures->pdfs = NULL;
	if (status != OK && no_pdf.rule != R_FIG_PDF) {
		*err = no_pdf;
		return status;
	}
	for (int kind = 0; kind < OVERVIEWS; kind++) {
		struct overview_picture *picture = &pictures->overviews[kind];

		if (!picture->is_there || pictures->overview_count == 0)
			continue;
		picture->svg = pictures->svg[pictures->count + at];
		pictures->svg[pictures->count + at] = (struct bytes){0};
		picture->pdf = pictures->pdf[at];
		pictures->pdf[at++] = (struct bytes){0};
	}
	return OK;
}

enum status pictures_wait(struct pictures *pictures, struct error *err)
{
	enum status status = gnuplot_end(pictures->drawing, err);

	pictures->drawing = NULL;
	if (status == OK)
		status = wait_overviews(pictures, err);
	if (status != OK)
		return status;
	for (size_t i = 0; i < pictures->count; i++) {
		struct kernel_pictures *to = &pictures->kernels->at[pictures->at[i].kernel].pictures;

		to->svg[pictures->at[i].picture] = pictures->svg[i];
		to->title[pictures->at[i].picture] = pictures->at[i].figure.title;
		to->caption[pictures->at[i].picture] = pictures->at[i].figure.caption;
		pictures->svg[i] = (struct bytes){0};
	}
	return OK;
}

const struct overview_picture *pictures_overviews(const struct pictures *pictures)
{
	return pictures->overviews;
}

void pictures_free(struct pictures *pictures)
{
	if (pictures == NULL)
		return;
	(void)gnuplot_end(pictures->drawing, NULL);
	(void)gnuplot_end(pictures->pdfs, NULL);
	for (size_t i = 0; i < pictures->count; i++)
		figure_free(&pictures->at[i].figure);
	for (size_t i = 0; i < pictures->count + pictures->overview_count; i++)
		bytes_free(&pictures->svg[i]);
	for (int kind = 0; kind < OVERVIEWS; kind++) {
		if (pictures->overviews[kind].is_there)
			overview_free(&pictures->overviews[kind].overview);
		bytes_free(&pictures->overviews[kind].svg);
		bytes_free(&pictures->overviews[kind].pdf);
		bytes_free(&pictures->pdf[kind]);
	}
	gnuplot_free(&pictures->gnuplot);
	free(pictures->figures);
	free(pictures->svg);
	free(pictures->at);
	free(pictures);
}
