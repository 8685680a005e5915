/*
 * A submission held against the list of rules (R-SUB, R-ADM), and against the archive that it is for: its seal, every record, the accounting of its runs, what can be computed again,
 * what a device can have measured, and what the archive has already. Where none of that is wrong, the whole archive is verified as it would be with it (foresee.h).
 */
#ifndef PTXSEAL_SUBMISSION_REVIEW_H
#define PTXSEAL_SUBMISSION_REVIEW_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/finding.h"

struct review {
	const struct root *submission, *archive;
	const char *today;          /* YYYY-MM-DD */
	bool quiet;
	struct findings *findings;  /* all of them, not sorted */
	/* out; review_free */
	cJSON *facts;               /* submission.json; NULL if it could not be read */
	char id[16 + 1];            /* "" if it has no SHA256SUMS */
	char *key;                  /* fingerprint of the key that sealed it; NULL if none did */
	struct sha256 sums;         /* of its SHA256SUMS */
	struct bytes entry;         /* the leaf that it is to have (leaf.h); empty where a finding is an ERROR */
	size_t runs, records;
	uint64_t files, bytes;
};

void review_check(struct review *review);
void review_free(struct review *review);

#endif
