#include "pictures.h"

#include <stdlib.h>

#include "gnuplot.h"
#include "record_figure.h"

/* Which figure is which. */
struct drawn {
	size_t kernel;
	enum kernel_picture picture;
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
};

/* What cannot be drawn as it is, such as numbers of a forged record, is left out: its table is on the page. */
static void collect(struct pictures *pictures)
{
	const struct kernels *kernels = pictures->kernels;

	pictures->at = mem_alloc((kernels->count * KERNEL_PICTURES + 1) * sizeof *pictures->at);
	for (size_t i = 0; i < kernels->count; i++)
		for (int picture = 0; picture < KERNEL_PICTURES; picture++) {
			struct drawn *drawn = &pictures->at[pictures->count];

			if (!record_figure(kernels->at[i].record, (enum kernel_picture)picture, &drawn->figure))
				continue;
			drawn->kernel = i;
			drawn->picture = (enum kernel_picture)picture;
			if (figure_check(&drawn->figure, NULL) == OK)
				pictures->count++;
			else
				figure_free(&drawn->figure);
		}
}

struct pictures *pictures_begin(struct kernels *kernels)
{
	struct pictures *pictures = mem_alloc(sizeof *pictures);

	*pictures = (struct pictures){.kernels = kernels};
	if (gnuplot_find(&pictures->gnuplot, NULL) != OK) {
		kernels->why_no_pictures = mem_text("there is no gnuplot here; with it the report has pictures");
		return pictures;
	}
	collect(pictures);
	pictures->svg = mem_alloc((pictures->count + 1) * sizeof *pictures->svg);
	pictures->figures = mem_array(NULL, pictures->count + 1, sizeof *pictures->figures);
	for (size_t i = 0; i < pictures->count; i++)
		pictures->figures[i] = &pictures->at[i].figure;
	if (pictures->count > 0)
		pictures->drawing = gnuplot_begin(&pictures->gnuplot, pictures->figures, pictures->count, FIGURE_SVG, pictures->svg);
	return pictures;
}

enum status pictures_wait(struct pictures *pictures, struct error *err)
{
	const enum status status = gnuplot_end(pictures->drawing, err);

	pictures->drawing = NULL;
	if (status != OK)
		return status;
	for (size_t i = 0; i < pictures->count; i++) {
		struct kernel_pictures *to = &pictures->kernels->at[pictures->at[i].kernel].pictures;

		to->svg[pictures->at[i].picture] = pictures->svg[i];
		to->caption[pictures->at[i].picture] = pictures->at[i].figure.caption;
		pictures->svg[i] = (struct bytes){0};
	}
	return OK;
}

void pictures_free(struct pictures *pictures)
{
	if (pictures == NULL)
		return;
	(void)gnuplot_end(pictures->drawing, NULL);
	for (size_t i = 0; i < pictures->count; i++) {
		bytes_free(&pictures->svg[i]);
		figure_free(&pictures->at[i].figure);
	}
	gnuplot_free(&pictures->gnuplot);
	free(pictures->figures);
	free(pictures->svg);
	free(pictures->at);
	free(pictures);
}
