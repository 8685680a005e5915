/* What a check found wrong: one finding a broken rule and file, all of them, in a fixed order. */
#ifndef PTXSEAL_BUNDLE_FINDING_H
#define PTXSEAL_BUNDLE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"

struct finding {
	enum rule rule;
	char *file;    /* raw bytes of the path; show it through utf8_printable */
	uint64_t line; /* from 1; 0 if it is the file as a whole */
	char *field;   /* the member of a record, "timing.speedup.median"; NULL if it is the file or line as a whole */
	char *what;    /* printable, one sentence without full stop */
};

struct findings {
	struct finding *at;
	size_t count;
	size_t room;
};

void findings_add(struct findings *findings, enum rule rule, const char *file, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same of a member of the file's record. */
void findings_add_field(struct findings *findings, enum rule rule, const char *file, const char *field, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));
/* The error as a finding; file, if not NULL, is named in place of the error's. */
void findings_error(struct findings *findings, const char *file, const struct error *err);

/* How many there are of each severity. */
void findings_severities(const struct findings *findings, size_t count[SEVERITY_COUNT]);

/* Append "FILE: line N: WHAT (R-XXX-000: RULE); REMEDY\n" for each: the form error_print has. Before a finding that is no error stands
 * "WARNING: " or "INFO: "; before WHAT the member, "MEMBER: ", if it is one's. */
void findings_text(const struct findings *findings, struct bytes *out);
/* [{"field","file","line","remedy","rule","severity","what"}...]; field, line only where there is one, severity only where it is no ERROR; cJSON_Delete it. A path that is not UTF-8
 * is given in its printable form. */
cJSON *findings_json(const struct findings *findings);
/* {RULE: how many findings}; cJSON_Delete it. */
cJSON *findings_counts(const struct findings *findings);

/* By file bytes, then rule id, line, member, what. */
void findings_sort(struct findings *findings);
/* OK if there are none; else UNAVAILABLE if the status of one's rule is that, else MALFORMED if one's is, else FAILS. */
enum status findings_status(const struct findings *findings);
/* Take out those that drop says yes to; the others stay in their order. */
void findings_drop(struct findings *findings, bool (*drop)(void *context, const struct finding *finding), void *context);
/* Move all of from to the end of findings. */
void findings_move(struct findings *findings, struct findings *from);
void findings_free(struct findings *findings);

#endif
