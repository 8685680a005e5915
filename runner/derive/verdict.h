/* Claims decided: what each claim file's query says, and whether that is what the file expects. */
#ifndef PTXSEAL_DERIVE_VERDICT_H
#define PTXSEAL_DERIVE_VERDICT_H

#include "catalogue.h"
#include "database.h"

enum claim_verdict { CLAIM_HOLDS, CLAIM_FAILS, CLAIM_NOT_DERIVABLE };
const char *claim_verdict_name(enum claim_verdict verdict); /* "HOLDS" */

struct decision {
	const struct claim *claim; /* not owned */
	enum claim_verdict verdict;
	bool as_expected;
	char **numbers; /* one a column of the claim, as text; NULL where the query gives NULL */
};

/* decisions: an array of catalogue->claim_count, in its order. decisions_free also after a failure. */
enum status decisions_make(struct database *db, const struct catalogue *catalogue, struct decision **decisions, struct error *err);
void decisions_free(struct decision *decisions, size_t count);

/* The deciding number as people read it: what its column has for NULL, or "none", where the query gives none. */
const char *claim_number(const struct decision *decision, size_t column);
/* Append "name 12, other 3.4": all of them on one line, not escaped. */
void claim_numbers(const struct decision *decision, struct bytes *out);

/* Whether every claim is decided as expected. */
bool decisions_hold(const struct decision *decisions, size_t count);

#endif
