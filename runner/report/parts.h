/* The parts of report.html, in files of their own (report.h says what a part is). */
#ifndef PTXSEAL_REPORT_PARTS_H
#define PTXSEAL_REPORT_PARTS_H

#include "report.h"

enum status summary_part(struct report *report, void *state, struct bytes *out, struct error *err);
enum status claims_part(struct report *report, void *state, struct bytes *out, struct error *err);
enum status differences_part(struct report *report, void *state, struct bytes *out, struct error *err);
enum status tables_part(struct report *report, void *state, struct bytes *out, struct error *err);
enum status records_part(struct report *report, void *state, struct bytes *out, struct error *err);

/* Drawn while other parts are written; their files are in figures/. */
enum status figures_begin(struct report *report, void **state, struct error *err);
enum status figures_part(struct report *report, void *state, struct bytes *out, struct error *err);
void figures_end(void *state);

/* A page of each measured candidate, and the list of them. */
enum status kernels_begin(struct report *report, void **state, struct error *err);
enum status kernels_part(struct report *report, void *state, struct bytes *out, struct error *err);
void kernels_end(void *state);

#endif
