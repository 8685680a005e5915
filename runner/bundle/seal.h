/*
 * Sealing: writing down every byte's hash and signing it.
 *
 * As `import`, a manifest for each source (imports.h); as `replay`, one for a run that was measured; as `root`, checksums/SHA256SUMS, its raw signature and the root manifest. The root seal
 * covers everything else, so it comes last. It is verified as far as it goes: where trust.json's thresholds demand more signers, they sign afterwards (sign.h).
 * A manifest that says the same already, signed by the same key, stays as it is, with all its signers. From the first write of any seal to the last of a root seal
 * checksums/unfinished stands in the bundle: whenever the program is killed, verify says that sealing was not ended.
 */
#ifndef PTXSEAL_BUNDLE_SEAL_H
#define PTXSEAL_BUNDLE_SEAL_H

#include <stdbool.h>

#include "verify.h"

struct seal_options {
	const char *role;       /* ROLE_ROOT, ROLE_IMPORT or ROLE_REPLAY */
	const char *run;        /* ROLE_REPLAY: the run it vouches for */
	const struct key *key;  /* private */
	const char *name;       /* of the public key in manifests/keys/; NULL: the role, or the name it has there already */
	const char *date;       /* that the statement is to give, date_valid; NULL: none */
	bool replace;           /* the key takes the name over from another one, which is trusted no longer */
	bool quiet;             /* no progress line */
};

/* Whether bundle_seal with these options would take the key and its name, as the bundle stands: for whoever has work to do before that seal. Writes nothing. */
enum status seal_key_check(const struct root *root, const struct seal_options *options, struct error *err);

/*
 * What cannot be sealed is told before the first write: the bundle then stands as it was.
 *
 * OK: sealed, and a root seal has been verified (report is that verification; for an import seal only files and bytes are
 * filled: what the manifests vouch for). FAILS: report->findings says why it cannot be sealed, or what verifying found. Else
 * err says why not. verify_report_free in every case.
 */
enum status bundle_seal(const struct root *root, const struct seal_options *options, struct verify_report *report,
                        struct error *err);

#endif
