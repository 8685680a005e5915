/* Calendar dates as records write them. */
#ifndef PTXSEAL_BASE_DATE_H
#define PTXSEAL_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>

enum { DATE_TEXT = 10 }; /* characters of YYYY-MM-DD */

/* Whether the text is YYYY-MM-DD (ISO 8601 extended form) and that day is in the Gregorian calendar. */
bool date_valid(const char *text, size_t len);

#endif
