/*
 * OpenSSF Model Signing v1.0 (ossf/model-signing-spec, spec/v1.0.md): a Sigstore bundle v0.3 whose DSSE envelope holds an in-toto
 * statement about a directory: each file's SHA-256, and one digest of these. Other people's tool for it is model-signing.
 *
 * It takes P-256, not Ed25519. The key is named by a hint, the SHA-256 of its public half as PEM text.
 */
#ifndef PTXSEAL_BUNDLE_OMS_H
#define PTXSEAL_BUNDLE_OMS_H

#include "dsse.h"
#include "finding.h"

#define OMS_PREDICATE "https://model_signing/signature/v1.0"

enum { OMS_FILE_MAX = 64 << 20 };

enum oms_material { OMS_KEY, OMS_CERTIFICATES, OMS_KEYLESS };

struct oms_resource {
	char *name; /* keeps R_PATH_FORM */
	struct sha256 hash;
};

/* All owned; oms_free. */
struct oms {
	enum oms_material material;
	char *hint; /* of OMS_KEY, else "" */
	struct dsse envelope;
	char *subject;
	struct sha256 digest; /* of the subject: over the resources' digests, in their order */
	struct oms_resource *resources; /* sorted by name bytes, none twice */
	size_t count;
	char **ignored; /* paths at or beneath which files are not covered */
	size_t ignored_count;
	bool judged_here; /* method files, sha256, no symbolic links: else only the form is known */
};
void oms_free(struct oms *oms);

/* Read one and its statement: the form (R_OMS_FORM) and what is stated (R_OMS_STATEMENT). No signature is checked. */
enum status oms_parse(const char *text, size_t len, const char *file, struct oms *oms, struct error *err);

/* Append one of the bundle that stands in the directory: every file of artifact/, checksums/, manifests/ and tasks/; what else stands beside them is named among the
 * ignored paths, as git's own files are. name is the subject's. */
enum status oms_write(const struct root *root, const char *name, const struct key *key, struct bytes *out, struct error *err);

/* Is it signed by the key, and does the directory hold exactly what it lists? OK, or FAILS with findings; else err says why it cannot be judged here. */
enum status oms_verify(const struct oms *oms, const struct key *key, const struct root *root, const char *file,
                       struct findings *findings, struct error *err);

#endif
