/* Who vouches for a bundle: its signatures, the keys they were made with, and what the signed statements say, each set beside
 * the files themselves. The other half of verifying, which knows nothing of keys, is in verify.h. */
#ifndef PTXSEAL_BUNDLE_VOUCH_H
#define PTXSEAL_BUNDLE_VOUCH_H

#include "../base/date.h"
#include "authority.h"
#include "checksums.h"
#include "countersign.h"
#include "inventory.h"
#include "statement.h"
#include "trust.h"

struct vouch {
	const struct root *root;
	struct inventory *inventory;
	const struct bytes *sums_text; /* checksums/SHA256SUMS as it was read; NULL if it could not be */
	const struct bytes *sums_signature; /* the same of its signature */
	const struct checksums *sums;
	const char *pinned;            /* fingerprint the root signatures have to be by, NULL if any trusted one will do */
	const char *admitted;          /* see authority.h */
	bool unsealed;                 /* the root seal is still to be made: what it consists of is not asked for */
	bool awaiting;                 /* the root manifest may lack signatures and reviewers: others are still to sign */
	struct findings *findings;
	struct trust trust;                /* out: trust_free */
	struct signers root_signers;       /* out: who sealed the bundle, of trust's entries; none if no valid root manifest says so */
	char date[DATE_TEXT + 1];          /* out: of the root manifest, "" if it gives none */
	struct countersignatures reviewed; /* out: the good ones; countersignatures_free */
};

/* Signature before parsing, everywhere: nothing that a payload says is looked at before it is known who said it. */
void vouch_check(struct vouch *vouch);

/* {"bytes","date" (if not NULL),"files","program","roots"}, the predicate of the root manifest; cJSON_Delete it. */
cJSON *vouch_root_predicate(uint64_t files, uint64_t bytes, const char *program, const char *date);

#endif
