/* Names like the one a reader typed, for messages. */
#ifndef PTXSEAL_DERIVE_NEAREST_H
#define PTXSEAL_DERIVE_NEAREST_H

#include <stddef.h>

#include "../base/bytes.h"

enum { NEAREST_MAX = 5 };

/* Up to NEAREST_MAX indexes of the count names that get gives, nearest first: those that hold wanted before all others, then by Levenshtein
 * distance, ties in the order given. Returns how many. */
size_t nearest(const char *wanted, size_t count, const char *(*get)(const void *context, size_t index), const void *context,
               size_t found[NEAREST_MAX]);

/* Append "there is no WHAT 'WANTED', the nearest is 'NAME'; there are: ..." with all the names, as far as they fit into a message. */
void nearest_tell(const char *what, const char *wanted, size_t count, const char *(*get)(const void *context, size_t index), const void *context,
                  struct bytes *out);

#endif
