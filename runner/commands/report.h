/* What commands print about comparisons and claims, as text and as JSON. They give the stream; nothing here decides. */
#ifndef PTXSEAL_COMMANDS_REPORT_H
#define PTXSEAL_COMMANDS_REPORT_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "../derive/check.h"
#include "../derive/reason.h"
#include "../derive/verdict.h"
#include "text.h"

/* Totals by table, the known differences summed by table and reason (each cell if verbose), every unknown or vanished one, what is missing. */
void report_check(const struct check *check, bool verbose, FILE *out);
cJSON *report_check_json(const struct check *check);

/* The first ones, at most so many, a line each. */
void report_findings(const struct findings *findings, size_t most, FILE *out);

/* One paragraph a claim: verdict, statement, the numbers that decide. */
void report_claims(const struct decision *decisions, size_t count, FILE *out);
cJSON *report_claims_json(const struct decision *decisions, size_t count);

#endif
