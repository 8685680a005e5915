/*
 * An archive as it would be with a submission in it, verified before anything of it is written: whatever `verify` would tell for ever after is told now. Every file is read, those of the
 * archive too: what it holds already and what comes can be sound each and wrong together.
 */
#ifndef PTXSEAL_SUBMISSION_FORESEE_H
#define PTXSEAL_SUBMISSION_FORESEE_H

#include "../base/file.h"
#include "../bundle/finding.h"

/* entry: the leaf that would be appended to the log. Findings are by the archive's paths. Not told: what the archive has wrong without the submission; what the next root
 * seal makes anew (SHA256SUMS, its signature, the root manifest, countersignatures); the proof, which needs the log's next checkpoint. */
void foresee(const struct root *submission, const struct root *archive, const char *id, const struct bytes *entry, bool quiet, struct findings *findings);

#endif
