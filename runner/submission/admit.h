/*
 * Admitting a submission into an archive, a bundle like any other: check it (review.h), add its files, keep what its submitter sealed under
 * manifests/submissions/ID/, append one leaf to the log in manifests/log/, and write the proof of it beside. Then the maintainers seal as ever.
 *
 * One admission at a time: the bundle's directory is locked. A journal, checksums/admitting, stands there from the first write to the last: whoever
 * finds it after a killed run completes the admission if its leaf is in the log, and takes back what was added if not.
 */
#ifndef PTXSEAL_SUBMISSION_ADMIT_H
#define PTXSEAL_SUBMISSION_ADMIT_H

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/key.h"

struct admit_options {
	const struct key *log_key; /* private: signs the log's checkpoint; NULL with check_only */
	const char *date;          /* today, YYYY-MM-DD (UTC): what leaf and checks go by */
	bool check_only;
	bool quiet;
};

struct admit_result {
	struct findings findings;  /* all of them, sorted: INFO, WARNING and ERROR */
	char id[16 + 1];           /* "" if it has no SHA256SUMS */
	char *source, *model;      /* NULL if it does not say */
	size_t runs, records;
	uint64_t files, bytes;     /* of the submission */
	bool completed;            /* an earlier run had been killed after its leaf was in the log: this one did the rest */
	uint64_t leaf;             /* its place in the log, from 0, if admitted */
};

/* submission: its directory. OK: admitted, or with check_only could be. FAILS: an ERROR is among the findings, and the archive stands as it was. Else err
 * says why not, and the archive stands as it was or has a journal (R_ADM_UNFINISHED). admit_result_free in every case. */
enum status admit(const struct root *submission, const struct root *archive, const struct admit_options *options, struct admit_result *result,
                  struct error *err);
void admit_result_free(struct admit_result *result);

#endif
