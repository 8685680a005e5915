/*
 * A bundle may travel without its largest parts. What it leaves out stands in checksums/left-out.txt: a first line "# level: LEVEL", then the lines that
 * SHA256SUMS, which is signed, has of these files, unchanged and in its order. verify says of them that they are left out, and checks all else.
 *
 * Each level leaves out a set of places, decided by the path alone, so that nobody can choose files to leave out:
 *
 *   figures   all but artifact/candidates/ and artifact/objects/: what every table, figure and claim is derived from
 *   kernels   all but artifact/objects/
 *   full      everything
 */
#ifndef PTXSEAL_BUNDLE_LEFTOUT_H
#define PTXSEAL_BUNDLE_LEFTOUT_H

#include <stdbool.h>

#include "checksums.h"

/* Each holds less than the one before. */
enum level { LEVEL_FULL, LEVEL_KERNELS, LEVEL_FIGURES };

/* "figures", "kernels", "full"; level_parse is false for any other text. */
const char *level_name(enum level level);
bool level_parse(const char *name, enum level *level);
/* Is the file of that path not in a bundle of that level? */
bool level_leaves_out(enum level level, const char *path);

struct left_out {
	enum level level;             /* LEVEL_FULL: nothing is left out */
	size_t count;                 /* files */
	const struct checksums *sums; /* the caller's: what is sealed */
};

/* What the level leaves out of a bundle with these sums. Where that is nothing, the level is LEVEL_FULL. */
struct left_out left_out_of(const struct checksums *sums, enum level level);

/* Append the text of left-out.txt; nothing where nothing is left out. */
void left_out_write(const struct left_out *left, struct bytes *out);

/* Is text exactly what left_out_write makes of these sums and some level? Else R_PCK_LEFT_OUT, and nothing counts as left out. */
enum status left_out_read(const char *text, size_t len, const struct checksums *sums, struct left_out *left, struct error *err);

/* What a file that is left out was sealed with; NULL if it is not left out, or left is. */
const struct checksum *left_out_find(const struct left_out *left, const char *path);

#endif
