/*
 * Countersignatures of reviewers who have only an SSH key: manifests/countersignatures/NAME.sshsig of checksums/SHA256SUMS, and
 * manifests/countersignatures/MANIFEST/NAME.sshsig of manifests/MANIFEST.dsse.json. NAME is that of the key in manifests/keys/, whose entry in trust.json has the
 * role `review`.
 *
 * They are made after SHA256SUMS, so it does not list them. The root manifest names each, beside SHA256SUMS: it is written again, over the same
 * SHA256SUMS, when one was added. So none can be removed, changed or added unseen.
 */
#ifndef PTXSEAL_BUNDLE_COUNTERSIGN_H
#define PTXSEAL_BUNDLE_COUNTERSIGN_H

#include "authority.h"
#include "inventory.h"

struct countersignature {
	char *path;     /* beneath the bundle */
	char *reviewer; /* NAME */
	char *over;     /* the file that was signed */
	char fingerprint[SHA256_HEX + 1];
	struct sha256 hash; /* of the countersignature's file */
};

/* Sorted by path. All owned; countersignatures_free. */
struct countersignatures {
	struct countersignature *at;
	size_t count;
};
void countersignatures_free(struct countersignatures *list);

/* Read every countersignature that stands in the bundle and hold it against its reviewer's key and the file it stands for; sums_text is SHA256SUMS as it is, or will be
 * written. The good ones come out; findings for the others, for what else stands there, and where fewer reviewers have signed SHA256SUMS than the role's threshold
 * (if not awaiting). date is the root manifest's: an SSH signature has none of its own, but it was there when the root manifest named it. */
void countersignatures_check(const struct root *root, const struct inventory *inventory, const struct bytes *sums_text,
                             const struct authority *authority, const char *date, struct countersignatures *list);

/* Put one there: text as ssh-keygen wrote it, by the key NAME, of SHA256SUMS (manifest NULL) or of manifests/MANIFEST.dsse.json. It is refused unless all is good
 * but that the root manifest does not name it yet, for which the bundle waits as unfinished. file is the name of text in messages. */
enum status countersign(const struct root *root, const struct bytes *text, const char *file, const char *reviewer,
                        const char *manifest, struct error *err);

#endif
