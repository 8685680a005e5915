/* Who signed a statement, and may they: a bundle's envelopes and their signers, judged by its trust.json. */
#ifndef PTXSEAL_BUNDLE_AUTHORITY_H
#define PTXSEAL_BUNDLE_AUTHORITY_H

#include <stdbool.h>

#include "dsse.h"
#include "finding.h"
#include "statement.h"
#include "trust.h"

struct authority {
	const struct trust *trust; /* its keys loaded: an entry whose key could not be (told elsewhere) vouches for nothing */
	const char *pinned;        /* fingerprint of a key that has to be among the root signers; NULL: any of them will do */
	/* YYYY-MM-DD: the day on which a log that its reader trusts took the statement in, held against keys' end dates in place of what the statement
	 * says of itself; NULL: there is no such log. */
	const char *admitted;
	bool awaiting; /* fewer signatures than the role's threshold are no finding: others are still to sign */
	struct findings *findings;
};

/* The entries of trust.json whose keys signed, in the order of the envelope. */
struct signers {
	const struct trusted_key *at[DSSE_SIGNATURES_MAX];
	size_t count;
};

/* Open an envelope that has to be signed in that role, about that type of predicate: every signature in it has to be good, by a key that
 * may, and there have to be as many as the role's threshold. True if all holds: *statement is then to be freed. False (told, and nothing to free) if nothing in it can be
 * believed. The signature is checked before anything of the payload is read. */
bool authority_open(const struct authority *authority, const char *file, const struct bytes *text, const char *role,
                    const char *predicate_type, struct statement *statement, struct signers *signers);

/* Only the form: an envelope as a bundle writes it. False (told) if it is not even one. */
bool authority_check_form(const struct authority *authority, const char *file, const struct bytes *text);

/* May the key, whose signature in that file was found good, sign in that role what is of that date (NULL: undated)? Findings if not. */
bool authority_allows(const struct authority *authority, const char *file, const struct trusted_key *signer,
                      const char *role, const char *date);

#endif
