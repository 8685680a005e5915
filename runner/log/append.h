/* Adding entries to a log, whole or not at all (tlog.h says how). */
#ifndef PTXSEAL_LOG_APPEND_H
#define PTXSEAL_LOG_APPEND_H

#include "tlog.h"

/*
 * Append entries and sign the new checkpoint; key has to be the one whose signature the old one bears (R_LOG_KEY). *index: where the first of them
 * stands; log is then at the new checkpoint. Refused before the first write: an entry that is too long (R_LOG_ENTRY), another append at work (R_LOG_BUSY),
 * tiles that do not lead to the checkpoint (R_LOG_TILE, R_LOG_ENTRIES). After a failed write the log is as it was. One entry reads and writes one tile a level.
 */
enum status tlog_append(struct tlog *log, const struct entry *entries, size_t count, const struct key *key, uint64_t *index,
                        struct error *err);
/* The same for one entry, unless its very bytes stand in the log: *index is then where, and *appended false. For work that may have been killed and is done
 * again. Reads every tile of level 0. */
enum status tlog_append_once(struct tlog *log, const void *entry, size_t len, const struct key *key, uint64_t *index,
                             bool *appended, struct error *err);
/* Clear away what an append that was killed has left, as the next append would; log is then at the checkpoint that stands there (R_LOG_BUSY). */
enum status tlog_settle(struct tlog *log, struct error *err);

#endif
