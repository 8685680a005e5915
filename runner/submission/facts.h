/*
 * What a submitter says of a submission: artifact/submission.json (canonical JSON, schema ptxseal-submission/1), made from a file of facts, which has the same
 * fields but those that the program fills in (schema, program, date, runs, objects). docs/records.md has every field; docs/submitting.md tells of both.
 */
#ifndef PTXSEAL_SUBMISSION_FACTS_H
#define PTXSEAL_SUBMISSION_FACTS_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../bundle/finding.h"

#define SUBMISSION_SCHEMA "ptxseal-submission/1"

enum { FACTS_FILE_MAX = 4 << 20, FACTS_TEXT_MAX = 4096 };

/* The file of facts to begin with, as the text that `submit --template` prints. */
extern const char facts_template[];

/* Read a file of facts strictly. cJSON_Delete(*facts); NULL unless OK. The first fault is the error. */
enum status facts_parse(const char *text, size_t len, const char *file, cJSON **facts, struct error *err);

/* Every fault of a submission.json that parses as JSON, as findings of the file. True if there is none. */
bool facts_check(const cJSON *submission, const char *file, struct findings *findings);

/* What is said of the task: "yes", "no", "unknown", or NULL if nothing is. */
const char *facts_conflict(const cJSON *submission, const char *task);

/* A text that may be shown to people: no control characters, nothing that reorders it. */
bool facts_text_plain(const char *text);

/* The finding that a name (base/name.h) breaks a rule, of the field PATH.FIELD, or FIELD where path is empty; true if it does. */
bool facts_check_name(const char *text, const char *path, const char *field, const char *file, struct findings *findings);

#endif
