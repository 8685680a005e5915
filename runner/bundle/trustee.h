/* Changes of manifests/trust.json: who may sign what, for how long, and how many have to. Each leaves checksums/unfinished there, for the root seal covers
 * trust.json. */
#ifndef PTXSEAL_BUNDLE_TRUSTEE_H
#define PTXSEAL_BUNDLE_TRUSTEE_H

#include "trust.h"

struct trustee {
	const char *name;    /* manifests/keys/NAME.pem */
	const char *role;    /* role_find */
	const char *until;   /* YYYY-MM-DD (date_valid); NULL: leave it as it is */
	const char *purpose; /* for people; NULL: the role's */
};

/* Let a public key, given in PEM or as a line of SSH (ssh_key_parse), sign in that role. A key that is there already gets the role too, and the end
 * date. file is the name of text in messages. */
enum status trustee_add(const struct root *root, const struct bytes *text, const char *file,
                        const struct trustee *trustee, struct error *err);

/* What that key signs no longer counts, and never will again. Refused (R_TRU_EMPTY) where a role would be left fewer keys than its threshold. */
enum status trustee_revoke(const struct root *root, const char *name, const char *reason, struct error *err);

/* How many distinct keys of the role have to sign: at least 1 (of ROLE_REVIEW 0), at most THRESHOLD_MAX and as many as there are (R_TRU_EMPTY). */
enum status trustee_demand(const struct root *root, const char *role, unsigned keys, struct error *err);

#endif
