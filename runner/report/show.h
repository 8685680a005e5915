/*
 * Members of a record as a page shows them: short for people, and beside that, in the value of a <data> element, as the record has them. What is not there, null or of another
 * kind is "not known".
 */
#ifndef PTXSEAL_REPORT_SHOW_H
#define PTXSEAL_REPORT_SHOW_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"

/* A number, or a decimal in a string: with so many significant digits. */
void show_decimal(struct bytes *out, const cJSON *item, int digits);
void show_decimal_3(struct bytes *out, const cJSON *item);
void show_decimal_4(struct bytes *out, const cJSON *item);
/* A whole number, in groups of three. */
void show_count(struct bytes *out, const cJSON *item);
/* A share of 1 in percent, with so many significant digits, 100 % never by rounding. */
void show_share(struct bytes *out, const cJSON *item, int digits);
/* Nanoseconds, hertz, bytes in the unit that suits. */
void show_time(struct bytes *out, const cJSON *ns);
void show_frequency(struct bytes *out, const cJSON *hz);
void show_bytes(struct bytes *out, const cJSON *bytes);
/* A text as it is. */
void show_text(struct bytes *out, const cJSON *item);
/* true, false as yes and no. */
void show_truth(struct bytes *out, const cJSON *item);
/* "pass", "fail" and others, with a mark. */
void show_verdict(struct bytes *out, const char *verdict);
/* A SHA-256 in full, marked so that it can break anywhere. */
void show_hash(struct bytes *out, const char *hex);
void show_hashed(struct bytes *out, const cJSON *hex);
/* Any value as one would write it down: a text as it is, else as canonical JSON. */
void show_any(struct bytes *out, const cJSON *item);

/* The same of numbers of our own: "12,345". */
void show_number(struct bytes *out, uint64_t value);

/* What a <dl> says of a member: its name, and then whatever the caller shows; closed by show_end. */
void show_begin(struct bytes *out, const char *name);
void show_end(struct bytes *out);

#endif
