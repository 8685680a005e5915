/*
 * manifests/trust.json: which key may sign what, in canonical JSON and a newline:
 *
 *   {"keys":[{"file":"keys/NAME.pem","fingerprint":HEX,"predicates":[TYPE...],"purpose":TEXT,"roles":[ROLE...],
 *             "revoked":REASON (only if it is)}...]}
 *
 * sorted by file, roles and predicates sorted, none twice. The file is itself under the root key's signature; what a
 * reader gains by that is said in docs/formats.md, "What a seal proves".
 */
#ifndef PTXSEAL_BUNDLE_TRUST_H
#define PTXSEAL_BUNDLE_TRUST_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/file.h"
#include "key.h"

enum { TRUST_FILE_MAX = 1 << 20, TRUST_WORDS_MAX = 32 };

#define ROLE_ROOT "root"     /* seals the bundle as a whole */
#define ROLE_IMPORT "import" /* vouches for what was carried over from a source */
#define ROLE_REPLAY "replay" /* vouches for runs that this program measured */
#define ROLE_LOG "log"       /* signs the checkpoints of the submission log, which bear its name */

struct words {
	char *at[TRUST_WORDS_MAX]; /* sorted, none twice */
	size_t count;
};
bool words_have(const struct words *words, const char *word);

struct trusted_key {
	char *file;                       /* "keys/NAME.pem", from manifests/ */
	char fingerprint[SHA256_HEX + 1];
	struct words roles;
	struct words predicates;
	char *purpose;
	char *revoked;  /* the reason, NULL if the key is in use */
	struct key key; /* once trust_load_key has found it; empty before */
};

/* Sorted by file. All owned; trust_free. */
struct trust {
	struct trusted_key *at;
	size_t count;
};
void trust_free(struct trust *trust);

enum status trust_parse(const char *text, size_t len, struct trust *trust, struct error *err);
void trust_write(const struct trust *trust, struct bytes *out);

struct trusted_key *trust_find(const struct trust *trust, const char *fingerprint);
struct trusted_key *trust_find_file(const struct trust *trust, const char *file);

/* Let the key sign that type of predicate in that role, adding an entry for it where there is none. Refused: a revoked
 * key (R_SIG_REVOKED), a file that stands for another key (R_KEY_NAME), too many roles or types (R_TRU_FORM). With
 * replace the entry of another key in that file is dropped first, unless that key is revoked: its record stays. */
enum status trust_grant(struct trust *trust, const char *file, const char *fingerprint, const char *role,
                        const char *predicate, const char *purpose, bool replace, struct error *err);

/* Read the entry's public key from manifests/ and check its fingerprint. */
enum status trust_load_key(const struct root *root, struct trusted_key *trusted, struct error *err);

#endif
