/* The files of a run that asks a model, besides its exchanges and evaluations: query.json, run.json and turns.jsonl, and its source. */
#ifndef PTXSEAL_MODEL_QUERY_RUN_H
#define PTXSEAL_MODEL_QUERY_RUN_H

#include "freeze.h"
#include "query_plan.h"

#define QUERY_KIND "query" /* in source.json: the runs of the source asked a model */

enum { QUERY_RUN_MAX = 80 /* bytes of a run's name: its candidates' names begin with it */ };

/*
 * Take the run up, or begin it: query.json, run.json, an empty turns.jsonl, source.json. R_QRY_PLAN: it was begun otherwise; R_QRY_NAME: it is no such run, or of another source. workload_name: as the
 * user named it. date: of today, for a new run.
 */
enum status query_run_begin(const struct root *bundle, const char *run, const char *source, const struct query_plan *plan, const char *workload_name, const char *date, struct error *err);

/* run.json, which tables go by, is of that plan: R_QRY_RECORD. */
enum status query_run_check_record(const struct root *bundle, const char *run, const struct query_plan *plan, struct error *err);

/* What is sealed as a source: its runs were asked here. One that is there is of this kind, or it is refused (R_QRY_NAME). */
enum status query_run_write_source(const struct root *bundle, const char *source, struct error *err);

/* Its source.json is of that kind. */
bool query_run_is_source(const struct root *bundle, const char *source);

enum status query_run_write_turns(const struct root *bundle, const char *run, const struct bytes *turns, struct error *err);
/* turns.jsonl has these very bytes; else R_QRY_TURNS with the first line that differs. */
enum status query_run_check_turns(const struct root *bundle, const char *run, const struct bytes *turns, struct error *err);

/* What earlier sessions spent. */
enum status query_run_recall(const struct root *bundle, const struct freezer *freezer, const struct query_plan *plan, struct spend *spend, struct error *err);

#endif
