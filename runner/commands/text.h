/* How commands print records and text of the bundle. In report.c. */
#ifndef PTXSEAL_COMMANDS_TEXT_H
#define PTXSEAL_COMMANDS_TEXT_H

#include <stdio.h>

#include <cjson/cJSON.h>

/* tree as one line of canonical JSON (base/jcs.h). */
void report_json(const cJSON *tree, FILE *out);

/* Text of the bundle with what could act on a terminal shown as escapes. */
void report_text(const char *text, FILE *out);
/* The same as lines of at most width columns, each indented; the first one starts at column at and is not. A newline ends it. */
void report_wrapped(const char *text, int at, int indent, int width, FILE *out);

#endif
