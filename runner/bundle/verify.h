/* Is this bundle, byte for byte, the one that was sealed? */
#ifndef PTXSEAL_BUNDLE_VERIFY_H
#define PTXSEAL_BUNDLE_VERIFY_H

#include "../base/date.h"
#include "../base/file.h"
#include "checksums.h"
#include "countersign.h"
#include "finding.h"
#include "inventory.h"
#include "trust.h"

struct verify_options {
	const char *pinned; /* fingerprint of the key that has to have sealed it; NULL: any that its trust.json names */
	const char *admitted; /* YYYY-MM-DD on which a log took the bundle in (authority.h); NULL: it is in none */
	bool awaiting;      /* others are still to sign the root manifest: fewer signatures than its threshold are no finding */
	unsigned threads;   /* 0: one a core */
	bool quiet;         /* no progress line */
};

struct verify_report {
	enum level level;         /* of the bundle; LEVEL_FULL if it leaves nothing out */
	uint64_t left_out;        /* sealed files that travel apart: they are neither missing nor checked */
	struct findings findings; /* sorted, every one */
	uint64_t files;           /* regular files in the sealed directories, the root manifest not counted */
	uint64_t bytes;           /* in those */
	struct trust trust;       /* the bundle's own; empty if it could not be read */
	char root_key[SHA256_HEX + 1]; /* the one that the reader named, else the first of the signers; "" if no valid root manifest names one */
	struct signers root_signers;   /* of the root manifest; they point into trust */
	char date[DATE_TEXT + 1];      /* of the root manifest, "" if it gives none */
	struct countersignatures reviewed; /* the good ones */
};

/* OK or FAILS; verify_report_free after either. */
enum status bundle_verify(const struct root *root, const struct verify_options *options, struct verify_report *report);
/* Set the files beside what was sealed: what is missing, changed, misnamed, swapped or extra. */
void verify_sums(struct inventory *inventory, const struct checksums *sums, struct findings *findings);
/*
 * The same with an inventory that the caller has listed and hashed (inventory_list, inventory_hashed) and frees; what that found is in report->findings. left_text, if
 * not NULL, stands in place of checksums/left-out.txt ("" if there shall be none).
 */
enum status bundle_verify_listed(const struct root *root, struct inventory *inventory, const struct bytes *left_text,
                                 const struct verify_options *options, struct verify_report *report);
void verify_report_free(struct verify_report *report);

#endif
