/* A further signer: another key signs what a manifest states already. */
#ifndef PTXSEAL_BUNDLE_SIGN_H
#define PTXSEAL_BUNDLE_SIGN_H

#include <stdbool.h>

#include "verify.h"

struct sign_options {
	const char *manifest;  /* manifests/MANIFEST.dsse.json; NULL: the root manifest */
	const struct key *key; /* private; trust.json has to let it sign that */
	bool quiet;            /* no progress line */
};

/*
 * Add the key's signature to the manifest, whose other signatures have to be good, and whose subjects have to be there with the bytes it states. For the
 * root manifest the whole bundle is verified before and after (report is the last of these), but that others may still have to sign. Another manifest is one of the sealed files:
 * checksums/unfinished then waits for the root seal.
 *
 * OK: signed. FAILS: report->findings says what is not in order; nothing was written. Else err says why not. verify_report_free in every case.
 */
enum status bundle_sign(const struct root *root, const struct sign_options *options, struct verify_report *report,
                        struct error *err);

#endif
