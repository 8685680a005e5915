/*
 * The escapes of JSON strings (RFC 8259 section 7) undone wherever they stand in a text, whether it is JSON, JSON Lines, events or torn: for looking for words that a serializer may have spelled otherwise.
 * No parser: what is looked for must be found in what a parser refuses, too.
 */
#ifndef PTXSEAL_BASE_UNESCAPE_H
#define PTXSEAL_BASE_UNESCAPE_H

#include <stdbool.h>
#include <stddef.h>

enum { UNESCAPE_LEVELS = 4 }; /* JSON stands in strings of JSON (arguments of tools): how deep is looked */

/* Is it so of the text as it stands, or with its escapes undone once, twice, ... UNESCAPE_LEVELS times? level: how often they were, 0 for as it stands. The copies are wiped. */
bool unescape_any(const char *text, size_t len, bool (*holds)(void *context, const char *text, size_t len), void *context, int *level);

/* The same in the text itself, which is something else afterwards. */
bool unescape_within(char *text, size_t len, bool (*holds)(void *context, const char *text, size_t len), void *context, int *level);

/* In place, once; the new length, never a greater one. An escape that is none stays as it is. Halves of a surrogate pair are written as three bytes each: no word that is looked for has them. */
size_t unescape(char *text, size_t len);

#endif
