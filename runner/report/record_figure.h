/* What is drawn of one record: from the record alone, for the page of its candidate. */
#ifndef PTXSEAL_REPORT_RECORD_FIGURE_H
#define PTXSEAL_REPORT_RECORD_FIGURE_H

#include <cjson/cJSON.h>

#include "figure.h"
#include "kernel.h"

/*
 * One of the pictures; false, and nothing to free, where the record has nothing for it.
 *
 * samples: baseline time / candidate time of every pair in order, warm-up and throttled ones marked, median and interval; beside it the control pairs, the library in both places.
 * clock:   the mean SM clock of every call, candidate's and baseline's, over the calls' own wall time added up; throttled pairs marked.
 * work:    for each family of instructions its share of the task's operations, and of all executions by warps.
 * errors:  of every output the relative RMS error and the quantiles, each divided by the library's own on the same inputs: over all trials the median, the least and the greatest, and what strict allows.
 *
 * Of more than FIGURE_SAMPLES pairs each mark is the median of so many in a row that there are no more marks; the caption says so.
 */
enum { FIGURE_SAMPLES = 400 };
bool record_figure(const cJSON *record, enum kernel_picture picture, struct figure *figure);

#endif
