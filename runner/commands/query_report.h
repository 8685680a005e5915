/* What `ptxseal query` shows while a run goes on, and at its end. */
#ifndef PTXSEAL_COMMANDS_QUERY_REPORT_H
#define PTXSEAL_COMMANDS_QUERY_REPORT_H

#include "../model/conversation.h"

struct query_report {
	const struct query_plan *plan;
	const struct spend *spend;  /* NULL: nothing is asked */
	const char *currency;       /* NULL: money is not counted */
	bool json, quiet;
	bool terminal;              /* the line is drawn */
	int64_t begun_ms, drawn_ms;
	uint64_t done, recorded, correct, ended; /* turns; ended: not wanted any more */
	double best;
	char best_text[32];
};

void query_report_begin(struct query_report *report);
void query_report_event(void *context, const struct conversation_event *event); /* context: struct query_report */
void query_report_end(struct query_report *report); /* wipe the line */

/* The summary: every turn that was planned and every try that was made stands in it once. */
void query_report_summary(const struct query_report *report, const char *run, const struct conversation_result *result, const struct freezer *freezer);

#endif
