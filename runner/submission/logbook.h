/* The log of an archive held against its submissions: none without a leaf, no leaf without its submission, nothing dated back, no history rewritten. */
#ifndef PTXSEAL_SUBMISSION_LOGBOOK_H
#define PTXSEAL_SUBMISSION_LOGBOOK_H

#include "../bundle/verify.h"
#include "../log/tlog.h"

/* Open an archive's log, by the key that its trust.json lets sign it. tlog_close. */
enum status logbook_open(const struct root *archive, struct tlog *log, struct error *err);

/* Findings of R_ADM and R_LOG; nothing where the bundle has neither log nor submissions. */
void logbook_check(const struct root *archive, struct findings *findings);
/* The same as if the log had this entry more, of which there is no proof yet; NULL: none. */
void logbook_check_with(const struct root *archive, const struct bytes *entry, struct findings *findings);

/* What is asked of an archive beside its seal, whose findings are there already: logbook_check, and what only awaits the root seal is told as that (awaiting.h). */
void archive_check(const struct root *archive, struct findings *findings);
/* bundle_verify, and archive_check. Of a packed archive: tarball_verify with archive_check. */
enum status archive_verify(const struct root *root, const struct verify_options *options, struct verify_report *report);

#endif
