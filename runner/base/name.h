/*
 * What a name may hold: that of a model, a workload, who submits, a candidate's label, and whatever else of a record is shown to people as the name of something.
 * Every way into a bundle asks here, and so does whoever reads one. Markup is a name's own affair: what is written for people escapes it.
 */
#ifndef PTXSEAL_BASE_NAME_H
#define PTXSEAL_BASE_NAME_H

#include "bytes.h"
#include "error.h"

enum { NAME_MARKS_MAX = 4 }; /* combining characters in a row: more pile up over other lines */

/* The rule of R-NAM that the text breaks, and how, appended to what; false if it is a name. The text is UTF-8; an empty one breaks nothing. */
bool name_breaks(const char *text, enum rule *rule, struct bytes *what);

/* The same as an error: "field 'model': ...". */
enum status name_check(const char *text, const char *field, const char *file, struct error *err);

/*
 * The name as a reader takes it, appended to out: ASCII letters small, every dash a hyphen. Two names that fold alike look alike. Dashes are those of the property Dash of the Unicode Character
 * Database 14.0 (PropList.txt), the modifier letter minus and the hyphen bullet. Bytes that are not UTF-8 stay.
 */
void name_fold(const char *text, struct bytes *out);

#endif
