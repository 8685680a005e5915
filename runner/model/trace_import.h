/*
 * A data set in the layout that flashinfer-bench loads (definitions/, solutions/, workloads/, traces/), read as others' runs: a run is
 * an author's solutions of one task on one architecture, a trajectory one evaluation, of one turn. docs/records.md, "Others' runs".
 */
#ifndef PTXSEAL_MODEL_TRACE_IMPORT_H
#define PTXSEAL_MODEL_TRACE_IMPORT_H

#include "dataset.h"

#define TRACE_KIND "flashinfer-trace"

/* Read dir; tasks are looked up in bundle. dataset->source is the caller's, the rest is filled. dataset_free in every case. */
enum status trace_import(const struct root *dir, const struct root *bundle, struct dataset *dataset, struct error *err);

#endif
