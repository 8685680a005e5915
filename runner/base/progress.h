/* How far long work has come: on a terminal (standard error) one line that is redrawn at most ten times a second,
 * "hashing: 1.2 GiB of 4.0 GiB, 3 s left"; in a pipe, or before half a second has passed, nothing. */
#ifndef PTXSEAL_BASE_PROGRESS_H
#define PTXSEAL_BASE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct progress; /* safe to advance from several threads */

/* total in unit; unit "bytes" is shown in KiB, MiB, GiB. quiet shows nothing ever.
 * Returns NULL where nothing would be shown. */
struct progress *progress_start(const char *what, const char *unit, uint64_t total, bool quiet);
void progress_add(struct progress *progress, uint64_t more); /* NULL is fine */
void progress_end(struct progress *progress); /* wipes the line and frees; NULL is fine */

/* An amount for people: "1.2 GiB" for bytes, "12" for the rest. 32 characters are enough. */
void progress_amount(uint64_t n, bool is_bytes, char *out, size_t size);

#endif
