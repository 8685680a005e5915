#include "pictures.h"

#include <pthread.h>
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
	struct bytes *svg; /* of each */
	pthread_t thread;
	bool running;
	enum status status;
	struct error err;
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

static void *draw(void *argument)
{
	struct pictures *pictures = argument;
	const struct figure **figures = mem_array(NULL, pictures->count + 1, sizeof *figures);

	for (size_t i = 0; i < pictures->count; i++)
		figures[i] = &pictures->at[i].figure;
	pictures->status = gnuplot_draw(&pictures->gnuplot, figures, pictures->count, FIGURE_SVG, pictures->svg, &pictures->err);
	free(figures);
	return NULL;
}

struct pictures *pictures_begin(struct kernels *kernels)
{
	struct pictures *pictures = mem_alloc(sizeof *pictures);

	*pictures = (struct pictures){.kernels = kernels};
	if (gnuplot_find(&pictures->gnuplot, &pictures->err) != OK) {
		kernels->why_no_pictures = mem_text("there is no gnuplot here; with it the report has pictures");
		return pictures;
	}
	collect(pictures);
	pictures->svg = mem_alloc((pictures->count + 1) * sizeof *pictures->svg);
	if (pictures->count == 0)
		return pictures;
	pictures->running = pthread_create(&pictures->thread, NULL, draw, pictures) == 0;
	if (!pictures->running)
		draw(pictures);
	return pictures;
}

static void join(struct pictures *pictures)
{
	if (pictures->running)
		pthread_join(pictures->thread, NULL);
	pictures->running = false;
}

enum status pictures_wait(struct pictures *pictures, struct error *err)
{
	join(pictures);
	if (pictures->status != OK) {
		*err = pictures->err;
		return pictures->status;
	}
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
	join(pictures);
	for (size_t i = 0; i < pictures->count; i++) {
		bytes_free(&pictures->svg[i]);
		figure_free(&pictures->at[i].figure);
	}
	gnuplot_free(&pictures->gnuplot);
	free(pictures->svg);
	free(pictures->at);
	free(pictures);
}
