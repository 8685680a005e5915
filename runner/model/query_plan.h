/* How a run asks a model: artifact/runs/RUN/query.json, written before anything is asked. A run is taken up again, and played from its record, by it. */
#ifndef PTXSEAL_MODEL_QUERY_PLAN_H
#define PTXSEAL_MODEL_QUERY_PLAN_H

#include "../base/file.h"
#include "extraction.h"
#include "prompt.h"
#include "request.h"
#include "spend.h"

enum { QUERY_FILE_MAX = 512 << 10, QUERY_TRAJECTORIES_MAX = 10000, QUERY_TURNS_MAX = 100 };

/* What of a conversation is sent with the next turn. */
enum policy {
	POLICY_FULL,   /* "full": all of it */
	POLICY_PAIR,   /* "latest-pair": the task, the last answer, what became of it */
	POLICY_SINGLE, /* "single-user": the same in one message */
	POLICY_COUNT
};
const char *policy_name(enum policy policy);
bool policy_parse(const char *text, enum policy *policy);

struct query_plan { /* all text is owned; query_plan_free */
	enum api api;
	bool stream;
	char *model;
	char *parameters;   /* canonical JSON object, without the seed */
	int64_t seed;       /* of trajectory 0, turn 0; each further turn has the next one. -1: none is sent */
	enum form form;
	enum policy policy;
	char *template;     /* its id */
	struct sha256 template_hash;
	uint32_t trajectories, turns;
	char *target;       /* decimal: a correct turn of that speedup ends its trajectory; "" = none */
	bool measured;      /* on a GPU; else assembled and looked at only */
	char *task, *workload, *arch;
};
void query_plan_free(struct query_plan *plan); /* its fields; also resets it */

/* A number of its own for every turn. */
uint32_t query_plan_sample(const struct query_plan *plan, uint32_t trajectory, uint32_t turn);
/* The parameters of that turn's request: with its seed. The caller deletes it. */
cJSON *query_plan_parameters(const struct query_plan *plan, uint32_t trajectory, uint32_t turn);

/* What would be asked can be asked: R_REQ_*, and R_SPD_* under the caps. */
enum status query_plan_check(const struct query_plan *plan, const struct spend *spend, struct error *err);

enum status query_plan_read(const struct root *bundle, const char *run, struct query_plan *plan, struct error *err); /* R_IO_OPEN: it is not there */
/* As query.json has it. */
enum status query_plan_text(const struct query_plan *plan, struct bytes *text, struct error *err);
enum status query_plan_write(const struct root *bundle, const char *run, const struct query_plan *plan, struct error *err);
/* The first member that differs; NULL if none does. */
const char *query_plan_difference(const struct query_plan *a, const struct query_plan *b);

#endif
