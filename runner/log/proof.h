/* Proofs that are kept beside what was logged, and checked without the log. */
#ifndef PTXSEAL_LOG_PROOF_H
#define PTXSEAL_LOG_PROOF_H

#include "tlog.h"

#define PROOF_HEAD "c2sp.org/tlog-proof@v1"

enum { PROOF_BYTES_MAX = NOTE_BYTES_MAX + 8192 };

/* Append the proof (c2sp.org/tlog-proof@v1) that an entry stands in the log: lines `c2sp.org/tlog-proof@v1`, `index N`, hashes, an empty line and the
 * checkpoint. It is checked before it is given out (R_LOG_TILE). */
enum status tlog_prove(struct tlog *log, uint64_t index, struct bytes *out, struct error *err);
/* Check one without the log (R_LOG_PROOF, R_LOG_INCLUSION, and those of checkpoint_open). *index, and *head if not NULL (checkpoint_free), are what it proves. */
enum status tlog_verify_proof(const char *proof, size_t len, const char *file, const void *entry, size_t entry_len,
                              const struct verifier *verifier, uint64_t *index, struct checkpoint *head, struct error *err);

/* Append the proof that the log only grew since an earlier checkpoint of it (whose signature is checked): `old SIZE`, hashes, an empty line and the checkpoint; the
 * body of add-checkpoint in c2sp.org/tlog-witness. R_LOG_GROWTH if it did not only grow. */
enum status tlog_prove_growth(struct tlog *log, const char *old, size_t old_len, const char *old_file, struct bytes *out,
                              struct error *err);
/* Check one without the log. */
enum status tlog_verify_growth(const char *proof, size_t len, const char *file, const char *old, size_t old_len, const char *old_file,
                               const struct verifier *verifier, struct checkpoint *head, struct error *err);

#endif
