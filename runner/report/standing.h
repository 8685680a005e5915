/* All that a reviewer without a GPU can check of a bundle, done: verify, derive, compare, decide. `evaluate` prints it, a report is written of it. */
#ifndef PTXSEAL_REPORT_STANDING_H
#define PTXSEAL_REPORT_STANDING_H

#include "../bundle/verify.h"
#include "../derive/check.h"
#include "../derive/derivation.h"
#include "../derive/verdict.h"

struct standing {
	const char *pinned;            /* fingerprint of the key that has to have sealed the bundle; NULL: the reader named none */
	enum status integrity;         /* OK, or why it does not verify */
	struct verify_report verified;
	struct bytes admitted;         /* the submissions, if the bundle verifies */
	enum status derived;           /* OK, or why derivation stopped; then the rest may lack */
	struct error why;              /* of that */
	struct derivation derivation;
	struct check check;
	struct decision *decisions;    /* one a claim of the catalogue */
};

/* Only a directory that is no bundle at all is an error. quiet: no progress line. standing_free also after a failure. */
enum status standing_make(const char *bundle, const char *pinned, bool quiet, struct standing *standing, struct error *err);
void standing_free(struct standing *standing);

/* Whether rung 2 holds: all could be derived, and every difference is listed. */
bool standing_derives(const struct standing *standing);
bool standing_decides(const struct standing *standing); /* every claim as expected */
bool standing_holds(const struct standing *standing);   /* all of it */
/* The exit code: a bundle that is not the one signed is the reason for whatever else is wrong with it. */
enum status standing_status(const struct standing *standing);

#endif
