/*
 * in-toto 1.x, link and layout (in-toto specification v1.0, sections 4.3 and 4.4): what in-toto-verify of Debian 12 reads, which knows no DSSE. Signatures are Ed25519, in hex, over
 * OLPC canonical JSON: keys sorted, in strings only '\' and '"' escaped, no floats.
 *
 * A keyid is securesystemslib's: the SHA-256 of the canonical JSON of {"keyid_hash_algorithms":["sha256","sha512"],"keytype":"ed25519","keyval":{"public":HEX},
 * "scheme":"ed25519"}. (Not our fingerprint, and not that of its later versions, which leave keyid_hash_algorithms out.)
 */
#ifndef PTXSEAL_BUNDLE_INTOTO_H
#define PTXSEAL_BUNDLE_INTOTO_H

#include "../base/file.h"
#include "key.h"

#define INTOTO_STEP "seal"

struct intoto {
	struct bytes layout;    /* root.layout: whoever verifies has in the directory what the link lists, and nothing else */
	struct bytes link;      /* seal.KEYID8.link: every file of the bundle and its SHA-256 */
	struct bytes key;       /* the public key in securesystemslib's form */
	char keyid[SHA256_HEX + 1];
};
void intoto_free(struct intoto *intoto);

/* expires: YYYY-MM-DD, the layout's last day: in-toto-verify asks today's date, which nothing of ours does. */
enum status intoto_make(const struct root *root, const struct key *key, const char *expires, struct intoto *intoto, struct error *err);

#endif
