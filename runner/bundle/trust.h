/*
 * manifests/trust.json: which key may sign what, in canonical JSON and a newline:
 *
 *   {"keys":[{"file":"keys/NAME.pem","fingerprint":HEX,"predicates":[TYPE...],"purpose":TEXT,"revoked":REASON (only if it is),
 *             "roles":[ROLE...],"until":"YYYY-MM-DD" (only if it ends)}...],
 *    "thresholds":{ROLE:N...} (only if a role has one)}
 *
 * sorted by file, roles and predicates sorted, none twice. A threshold is how many distinct keys of the role have to sign what the role signs. It
 * stands there only where it is not what it is without: 1, and for ROLE_REVIEW 0. The file is itself under the root key's signature; what a
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
#define ROLE_REVIEW "review" /* countersigns what others sealed (countersign.h) */

enum { THRESHOLD_MAX = 64 };

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
	char *until;    /* YYYY-MM-DD: what it signed is dated, no later than this; NULL: no end */
	struct key key; /* once trust_load_key has found it; empty before */
};

struct threshold {
	char *role;
	unsigned keys;
};

/* Sorted by file; thresholds by role. All owned; trust_free. */
struct trust {
	struct trusted_key *at;
	size_t count;
	struct threshold *thresholds;
	size_t threshold_count;
};
void trust_free(struct trust *trust);

enum status trust_parse(const char *text, size_t len, struct trust *trust, struct error *err);
void trust_write(const struct trust *trust, struct bytes *out);

struct trusted_key *trust_find(const struct trust *trust, const char *fingerprint);
struct trusted_key *trust_find_file(const struct trust *trust, const char *file);

/* How many distinct keys of that role have to sign. */
unsigned trust_threshold(const struct trust *trust, const char *role);
void trust_set_threshold(struct trust *trust, const char *role, unsigned keys);
/* Keys of that role that are not revoked. */
size_t trust_keys_of(const struct trust *trust, const char *role);

/* Let the key sign that type of predicate (NULL: none) in that role, adding an entry for it where there is none. Refused: a revoked
 * key (R_SIG_REVOKED), a file that stands for another key (R_KEY_NAME), too many roles or types (R_TRU_FORM). With
 * replace the entry of another key in that file is dropped first, unless that key is revoked: its record stays. */
enum status trust_grant(struct trust *trust, const char *file, const char *fingerprint, const char *role,
                        const char *predicate, const char *purpose, bool replace, struct error *err);

/* Does the key's end date allow a statement of that date (NULL or no date: of none)? Dates are compared as text. Nothing here or elsewhere in verifying
 * asks for today's date: the answer is the same whenever it is asked. */
bool trust_allows_date(const struct trusted_key *trusted, const char *date);

/* Read trust.json of a bundle; where there is none, trust is empty. */
enum status trust_read(const struct root *root, struct trust *trust, struct error *err);

/* Read the entry's public key from manifests/ and check its fingerprint. */
enum status trust_load_key(const struct root *root, struct trusted_key *trusted, struct error *err);

#endif
