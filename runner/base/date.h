/* Calendar dates as records write them. */
#ifndef PTXSEAL_BASE_DATE_H
#define PTXSEAL_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DATE_TEXT = 10 }; /* characters of YYYY-MM-DD */

/* Whether the text is YYYY-MM-DD (ISO 8601 extended form) and that day is in the Gregorian calendar. */
bool date_valid(const char *text, size_t len);

/* Days from 1970-01-01 to a valid date of year 1 or later. */
int64_t date_days(const char *text);

#endif
