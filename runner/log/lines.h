/* Texts of lines, as checkpoints and proofs are: every line ends in a newline, numbers are decimal, hashes base64. */
#ifndef PTXSEAL_LOG_LINES_H
#define PTXSEAL_LOG_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/sha256.h"

/* What is left to be read. */
struct lines {
	const char *at;
	size_t left;
};

/* The next line, without its newline; false, and nothing is taken, where no newline follows. */
bool lines_next(struct lines *lines, const char **line, size_t *len);

/* A whole line of PREFIX and a number in decimal without leading zeros, at most INT64_MAX. */
bool line_number(const char *line, size_t len, const char *prefix, uint64_t *number);
/* A whole line of 32 bytes in base64. */
bool line_hash(const char *line, size_t len, struct sha256 *hash);
/* Append such a line and its newline. */
void line_add_hash(const struct sha256 *hash, struct bytes *out);

#endif
