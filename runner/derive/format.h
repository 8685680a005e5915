/*
 * A value of a query as the text of a cell, the same on every machine: C's printf is exact for %f and %g (IEEE 754 doubles, C locale),
 * shortest digits come from base/jcs.h.
 */
#ifndef PTXSEAL_DERIVE_FORMAT_H
#define PTXSEAL_DERIVE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"

enum { FORMAT_DIGITS_MAX = 17 };

enum format_kind {
	FORMAT_TEXT,
	FORMAT_INTEGER,
	FORMAT_FIXED,   /* printf %.Nf, 0 <= N <= 17 */
	FORMAT_GENERAL, /* printf %.Ng, 1 <= N <= 17 */
	FORMAT_REPR     /* Python's repr(float): shortest digits that read back; exponent below 1e-4 and from 1e16 on */
};

struct format {
	enum format_kind kind;
	int digits; /* N */
};

enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT };

struct value {
	enum value_type type;
	int64_t integer;
	double real;
	const char *text; /* len bytes */
	size_t len;
};

/* Read a format at the start of text: "text", "integer", "fixed 6", "general 9", "repr". Where it ends, or NULL. */
const char *format_parse(const char *text, struct format *format);
/* Append its spelling, as format_parse reads it. */
void format_name(const struct format *format, struct bytes *out);

/* Append value, which is not NULL, as a cell. Negative zero, also one that rounding makes, is written as zero. NULL on success, else what
 * is wrong with the value for this format. */
const char *format_value(const struct format *format, const struct value *value, struct bytes *out);

#endif
