/* The entry that the log has of a submission: canonical JSON, one leaf a submission. */
#ifndef PTXSEAL_SUBMISSION_LEAF_H
#define PTXSEAL_SUBMISSION_LEAF_H

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"

/* {"admitted","checksums_sha256","id","key","source"} */
struct leaf {
	char *admitted; /* YYYY-MM-DD */
	char sums[SHA256_HEX + 1];
	char *id;
	char key[SHA256_HEX + 1]; /* fingerprint of the key that sealed it */
	char *source;
};
void leaf_free(struct leaf *leaf);

void leaf_write(const struct leaf *leaf, struct bytes *out);
/* R_ADM_LEAF: it is no such entry, or written in another form. */
enum status leaf_parse(const char *text, size_t len, const char *file, struct leaf *leaf, struct error *err);

#endif
