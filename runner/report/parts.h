/* The parts of report.html, in files of their own (report.h says what a part is). */
#ifndef PTXSEAL_REPORT_PARTS_H
#define PTXSEAL_REPORT_PARTS_H

#include "report.h"

enum status summary_part(struct report *report, void *state, struct bytes *out, struct error *err);

#endif
