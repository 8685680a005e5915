/* Who vouches for a bundle's files, for pages that show it: what is sealed, what travels apart, and the manifest of a run with those who signed it. */
#ifndef PTXSEAL_REPORT_WITNESS_H
#define PTXSEAL_REPORT_WITNESS_H

#include "../bundle/authority.h"
#include "../bundle/checksums.h"
#include "../bundle/leftout.h"

/* The manifest of one run. */
struct manifest {
	char *path;                 /* of the file; NULL: there is none */
	struct sha256 hash;         /* of it */
	bool believed;              /* every signature is good, by a key that may */
	char *why_not;              /* what is wrong, else NULL */
	struct trust trust;         /* that its keys are of */
	struct statement statement; /* if believed */
	struct signers signers;     /* if believed; in trust */
};

/* The seal of a whole bundle. */
struct sealed {
	struct checksums sums;
	struct left_out left;
};

/* What cannot be read is as if it were not there: that it should be is for verify to say. */
void sealed_read(const struct root *bundle, struct sealed *sealed);
void sealed_free(struct sealed *sealed);
/* Is it sealed, and does it not travel with this bundle? */
bool sealed_leaves_out(const struct sealed *sealed, const char *path);

void manifest_read(const struct root *bundle, const char *run, const char *source, struct manifest *manifest);
void manifest_free(struct manifest *manifest);

#endif
