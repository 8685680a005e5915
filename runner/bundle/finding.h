/* What a check found wrong: one finding a broken rule and file, all of them, in a fixed order. */
#ifndef PTXSEAL_BUNDLE_FINDING_H
#define PTXSEAL_BUNDLE_FINDING_H

#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"

struct finding {
	enum rule rule;
	char *file;    /* raw bytes of the path; show it through utf8_printable */
	uint64_t line; /* from 1; 0 if it is the file as a whole */
	char *what;    /* printable, one sentence without full stop */
};

struct findings {
	struct finding *at;
	size_t count;
	size_t room;
};

void findings_add(struct findings *findings, enum rule rule, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The error as a finding; file, if not NULL, is named in place of the error's. */
void findings_error(struct findings *findings, const char *file, const struct error *err);

/* Append "FILE: line N: WHAT (R-XXX-000: RULE); REMEDY\n" for each: the form error_print has. */
void findings_text(const struct findings *findings, struct bytes *out);
/* [{"file","line","remedy","rule","what"}...]; line only where there is one; cJSON_Delete it. A path that is not UTF-8
 * is given in its printable form. */
cJSON *findings_json(const struct findings *findings);
/* {RULE: how many findings}; cJSON_Delete it. */
cJSON *findings_counts(const struct findings *findings);

/* By file bytes, then rule id, line, what. */
void findings_sort(struct findings *findings);
void findings_free(struct findings *findings);

#endif
