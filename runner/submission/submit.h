/*
 * A submission is itself a bundle (artifact/, manifests/, checksums/) of one source's runs of one model: what a lab sends, what a stranger or an archive checks.
 * It is made from a working bundle, which `ptxseal replay --into`, `query`, `record` or `mcp` leaves.
 */
#ifndef PTXSEAL_SUBMISSION_SUBMIT_H
#define PTXSEAL_SUBMISSION_SUBMIT_H

#include <cjson/cJSON.h>

#include "../base/file.h"
#include "../bundle/finding.h"
#include "../bundle/key.h"

struct submit_options {
	const cJSON *facts;    /* facts_parse */
	const struct key *key; /* private: seals the submission (root), and signs the runs that no manifest vouches for yet (replay) */
	const struct bytes *training_set; /* manifest of the set that the model was tuned on (training_set_load), for runs that do not say; NULL: nothing is said */
	bool quiet;
};

struct submit_result {
	struct findings findings; /* why it could not be made */
	uint64_t files, bytes;
	size_t runs, records, objects;
	char id[16 + 1];          /* the first 16 hex digits of the SHA-256 of its checksums/SHA256SUMS */
};

/* Write the submission into an empty directory. OK; FAILS with findings; or err says why not. submit_result_free in every case. */
enum status submit_make(const struct root *working, const struct root *into, const struct submit_options *options, struct submit_result *result,
                        struct error *err);
void submit_result_free(struct submit_result *result);

#endif
