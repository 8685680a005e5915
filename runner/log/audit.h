/* A whole log, computed again from its entries. */
#ifndef PTXSEAL_LOG_AUDIT_H
#define PTXSEAL_LOG_AUDIT_H

#include "../bundle/finding.h"
#include "tlog.h"

/*
 * Compute everything again from the entries: every tile is there and right, the root hash is the checkpoint's, nothing else stands in the directory, and nothing
 * is unfinished; and if old is given (a signed checkpoint of earlier), that the log begins with what it had then. Findings bear paths from the root and
 * are sorted; it does not stop at the first. The signature of the checkpoint was checked by tlog_open, that of the old one by checkpoint_open.
 */
struct tlog_audit {
	uint64_t entries; /* that were hashed */
	uint64_t bytes;   /* of them */
	uint64_t files;   /* seen in the directory */
	struct findings findings; /* findings_free */
};
void tlog_audit(struct tlog *log, const struct checkpoint *old, const char *old_file, struct tlog_audit *audit);

#endif
