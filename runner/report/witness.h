/* Who vouches for a bundle's files, for pages that show it: what is sealed, what travels apart, and the manifest of a run with those who signed it. */
#ifndef PTXSEAL_REPORT_WITNESS_H
#define PTXSEAL_REPORT_WITNESS_H

#include "../bundle/authority.h"
#include "../bundle/checksums.h"
#include "../bundle/leftout.h"

/* Whose keys count, the keys themselves loaded; or why they are not known. */
struct witnesses {
	struct trust trust;
	enum status status;
	struct error why_not;
};

/* The manifest of one run. */
struct manifest {
	char *path;                 /* of the file; NULL: there is none */
	struct sha256 hash;         /* of it */
	bool believed;              /* every signature is good, by a key that may */
	char *why_not;              /* what is wrong, else NULL */
	struct witnesses own;       /* of one that a submission brought: the submission's keys */
	struct statement statement; /* if believed */
	struct signers signers;     /* if believed; they point into own or into those of the bundle */
};

/* The seal of a whole bundle. */
struct sealed {
	struct checksums sums;
	struct left_out left;
	struct witnesses witnesses; /* the bundle's own */
};

/* What cannot be read is as if it were not there: that it should be is for verify to say. */
void sealed_read(const struct root *bundle, struct sealed *sealed);
void sealed_free(struct sealed *sealed);
/* Is it sealed, and does it not travel with this bundle? */
bool sealed_leaves_out(const struct sealed *sealed, const char *path);

/* sealed, the bundle's, has to stay as long as manifest. */
void manifest_read(const struct root *bundle, const struct sealed *sealed, const char *run, const char *source, struct manifest *manifest);
void manifest_free(struct manifest *manifest);

#endif
