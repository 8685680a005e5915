/* The pictures of kernel pages, all drawn at once while other parts of a report are made. */
#ifndef PTXSEAL_REPORT_PICTURES_H
#define PTXSEAL_REPORT_PICTURES_H

#include "kernels.h"

struct pictures;

/* Collect what is to be drawn of all records, and begin to draw it. Where there is no gnuplot, kernels->why_no_pictures says so. */
struct pictures *pictures_begin(struct kernels *kernels);
/* Wait for it: kernels->at[].pictures are there. */
enum status pictures_wait(struct pictures *pictures, struct error *err);
/* Waits too, if nobody has. NULL is fine. */
void pictures_free(struct pictures *pictures);

#endif
