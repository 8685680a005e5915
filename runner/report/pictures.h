/* The pictures of kernel pages, and those of all candidates together, drawn at once while other parts of a report are made. */
#ifndef PTXSEAL_REPORT_PICTURES_H
#define PTXSEAL_REPORT_PICTURES_H

#include "overview.h"

struct pictures;

/* Collect what is to be drawn of all records, and begin to draw it. Where there is no gnuplot, kernels->why_no_pictures says so. */
struct pictures *pictures_begin(struct kernels *kernels);
/* Wait for it: kernels->at[].pictures are there. */
enum status pictures_wait(struct pictures *pictures, struct error *err);

/* One of all candidates together. */
struct overview_picture {
	struct overview overview;
	bool is_there;   /* the records have numbers for it */
	struct bytes svg; /* empty without gnuplot */
	struct bytes pdf; /* empty too where gnuplot has no PDF */
};
const struct overview_picture *pictures_overviews(const struct pictures *pictures); /* OVERVIEWS of them, once they were waited for */

/* Waits too, if nobody has. NULL is fine. */
void pictures_free(struct pictures *pictures);

#endif
