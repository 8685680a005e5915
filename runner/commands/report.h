/* What commands print about comparisons and claims, as text and as JSON. They give the stream; nothing here decides. */
#ifndef PTXSEAL_COMMANDS_REPORT_H
#define PTXSEAL_COMMANDS_REPORT_H

#include <stdio.h>

#include <cjson/cJSON.h>

#include "../derive/check.h"
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

/* Append "name 12, other 3.4": the deciding numbers on one line, not escaped. */
void claim_numbers(const struct decision *decision, struct bytes *out);

/* A known difference stands for all of its table with the same verdict and reason. */
struct reason {
	const char *table;
	const char *reason;
	size_t reason_len; /* up to " Here: ", after which a reason speaks of its own cell only */
	enum verdict verdict;
	size_t cells;
};
/* The reasons of the known differences, in order of first cell; free the array. */
size_t reasons_of(const struct check *check, struct reason **reasons);

#endif
