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
#include "finding.h"

enum level { LEVEL_FIGURES, LEVEL_KERNELS, LEVEL_FULL };

/* "figures", "kernels", "full"; level_parse is false for any other text. */
const char *level_name(enum level level);
bool level_parse(const char *name, enum level *level);
/* Is the file of that path not in a bundle of that level? */
bool level_leaves_out(enum level level, const char *path);

struct left_out {
	enum level level; /* LEVEL_FULL: nothing is left out */
	size_t count;     /* files */
};

/* Append the text of left-out.txt for a bundle with these sums; nothing where the level leaves nothing of it out. */
void left_out_write(const struct checksums *sums, enum level level, struct left_out *left, struct bytes *out);

/* Is text exactly what left_out_write makes of the sums? Else R_PCK_LEFT_OUT, and nothing counts as left out. */
enum status left_out_read(const char *text, size_t len, const struct checksums *sums, struct left_out *left, struct error *err);

#endif
