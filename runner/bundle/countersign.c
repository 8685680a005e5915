#include "countersign.h"

#include <stdlib.h>
#include <string.h>

#include "checksums.h"
#include "layout.h"
#include "sshsig.h"

static void one_free(struct countersignature *one)
{
	free(one->path);
	free(one->reviewer);
	free(one->over);
	*one = (struct countersignature){0};
}

void countersignatures_free(struct countersignatures *list)
{
	for (size_t i = 0; i < list->count; i++)
		one_free(&list->at[i]);
	free(list->at);
	*list = (struct countersignatures){0};
}

/* Take a path apart: NAME.sshsig or MANIFEST/NAME.sshsig beneath the directory. False if it is neither. */
static bool split(const char *path, struct countersignature *one)
{
	const char *rest = path + strlen(LAYOUT_COUNTERSIGNATURES), *slash = strchr(rest, '/');
	size_t len = strlen(rest), end = strlen(LAYOUT_COUNTERSIGNATURE_END);

	if (len <= end || strcmp(rest + len - end, LAYOUT_COUNTERSIGNATURE_END) != 0)
		return false;
	const char *name = slash != NULL ? slash + 1 : rest;

	*one = (struct countersignature){
		.path = mem_text(path),
		.reviewer = mem_textn(name, (size_t)(rest + len - end - name)),
		.over = slash != NULL ? mem_format(LAYOUT_MANIFESTS "%.*s" LAYOUT_MANIFEST_END, (int)(slash - rest), rest)
		                      : mem_text(LAYOUT_SUMS),
	};
	return layout_name_valid(one->reviewer);
}

/* The entry whose name it bears. */
static enum status find_reviewer(const struct trust *trust, const char *reviewer, const char *file,
                                 const struct sshsig *signature, const struct trusted_key **found, struct error *err)
{
	char *key_file = mem_format("keys/%s" LAYOUT_KEY_END, reviewer);
	const struct trusted_key *trusted = trust_find_file(trust, key_file);
	enum status status = OK;

	if (trusted == NULL)
		status = error_set(err, R_CSG_KEY, file, "trust.json has no %s", key_file);
	else if (strcmp(trusted->fingerprint, signature->key.fingerprint) != 0)
		status = error_set(err, R_CSG_KEY, file, "it is by the key %s, and %s is %s", signature->key.fingerprint, key_file,
		                   trusted->fingerprint);
	free(key_file);
	*found = status == OK ? trusted : NULL;
	return status;
}

/* The bytes that were signed. False if they are not there, which is told of already, or may be none that are signed so (told). */
static bool read_signed(const struct root *root, const struct inventory *inventory, const struct bytes *sums_text,
                        const struct countersignature *one, struct bytes *text, struct findings *findings)
{
	const struct inventory_file *file;
	struct error err;

	if (strcmp(one->over, LAYOUT_SUMS) == 0) {
		if (sums_text != NULL)
			bytes_add(text, sums_text->data, sums_text->len);
		return sums_text != NULL;
	}
	file = inventory_find(inventory, one->over);
	if (file == NULL && !inventory_hides(inventory, one->over))
		findings_add(findings, R_CSG_SCOPE, one->path, "there is no %s that SHA256SUMS lists", one->over);
	if (file == NULL || !file->hashed)
		return false;
	if (inventory_read(root, file, DSSE_FILE_MAX, text, &err) == OK)
		return true;
	findings_error(findings, one->over, &err);
	return false;
}

/* True if the countersignature holds; *one then has its fingerprint and hash. */
static bool check_one(const struct root *root, const struct inventory *inventory, const struct bytes *sums_text,
                      const struct authority *authority, const char *date, struct countersignature *one)
{
	struct bytes text = {0}, again = {0}, over = {0};
	struct sshsig signature = {0};
	const struct trusted_key *reviewer = NULL;
	struct error err = {0};
	bool good = false;

	if (root_read(root, one->path, SSHSIG_FILE_MAX, &text, &err) != OK ||
	    sshsig_parse(text.data, text.len, one->path, &signature, &err) != OK ||
	    find_reviewer(authority->trust, one->reviewer, one->path, &signature, &reviewer, &err) != OK) {
		findings_error(authority->findings, one->path, &err);
	} else if (read_signed(root, inventory, sums_text, one, &over, authority->findings)) {
		good = authority_allows(authority, one->path, reviewer, ROLE_REVIEW, date);
		if (sshsig_verify(&signature, over.data, over.len, one->over, one->path, &err) != OK) {
			findings_error(authority->findings, one->path, &err);
			good = false;
		}
	}
	if (signature.key.pkey != NULL) {
		sshsig_write(&signature, &again);
		if (again.len != text.len || memcmp(again.data, text.data, again.len) != 0) {
			findings_add(authority->findings, R_CSG_FORM, one->path, "it is written in another form");
			good = false;
		}
	}
	memcpy(one->fingerprint, signature.key.fingerprint, sizeof one->fingerprint);
	one->hash = sha256_of(text.data, text.len);
	sshsig_free(&signature);
	bytes_free(&again);
	bytes_free(&text);
	bytes_free(&over);
	return good;
}

void countersignatures_check(const struct root *root, const struct inventory *inventory, const struct bytes *sums_text,
                             const struct authority *authority, const char *date, struct countersignatures *list)
{
	unsigned threshold = trust_threshold(authority->trust, ROLE_REVIEW);
	size_t over_sums = 0;

	*list = (struct countersignatures){0};
	for (size_t i = 0; i < inventory->list.count; i++) {
		const struct file_entry *entry = &inventory->list.at[i];
		struct countersignature one = {0};

		if (entry->kind != FILE_REGULAR || layout_is_leftover(entry->path) ||
		    strncmp(entry->path, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) != 0)
			continue; /* what cannot be sealed is told by whoever lists it */
		if (!split(entry->path, &one)) {
			findings_add(authority->findings, R_BND_PLACE, entry->path, "nothing says what it is");
			one_free(&one);
		} else if (!check_one(root, inventory, sums_text, authority, date, &one)) {
			one_free(&one);
		} else {
			over_sums += strcmp(one.over, LAYOUT_SUMS) == 0;
			list->at = mem_array(list->at, list->count + 1, sizeof *list->at);
			list->at[list->count++] = one;
		}
	}
	if (over_sums < threshold && !authority->awaiting)
		findings_add(authority->findings, R_SIG_THRESHOLD, LAYOUT_SUMS, "%zu of %u keys of the role '" ROLE_REVIEW
		             "' have signed it", over_sums, threshold);
}

/* What a reader of the bundle will hold it to. */
static enum status check_new(const struct root *root, const struct sshsig *signature, const char *file,
                             const char *reviewer, const char *over, struct error *err)
{
	const struct trusted_key *trusted = NULL;
	struct bytes text = {0};
	struct trust trust;
	enum status status = trust_read(root, &trust, err);

	if (status == OK)
		status = find_reviewer(&trust, reviewer, file, signature, &trusted, err);
	if (status == OK && trusted->revoked != NULL)
		status = error_set(err, R_SIG_REVOKED, file, "signed with %s, revoked: %s", trusted->file, trusted->revoked);
	if (status == OK && !words_have(&trusted->roles, ROLE_REVIEW))
		status = error_set(err, R_SIG_ROLE, file, "signed with %s, which has not the role '" ROLE_REVIEW "'",
		                   trusted->file);
	if (status == OK)
		status = root_read(root, over, CHECKSUMS_FILE_MAX, &text, err);
	if (status == OK)
		status = sshsig_verify(signature, text.data, text.len, over, file, err);
	bytes_free(&text);
	trust_free(&trust);
	return status;
}

enum status countersign(const struct root *root, const struct bytes *text, const char *file, const char *reviewer,
                        const char *manifest, struct error *err)
{
	struct bytes out = {0};
	struct sshsig signature = {0};

	if (!layout_name_valid(reviewer) || (manifest != NULL && !layout_name_valid(manifest)))
		return error_set(err, R_BND_NAME, "", "'%s' is no such name",
		                 layout_name_valid(reviewer) ? manifest : reviewer);
	char *over = manifest != NULL ? mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, manifest) : mem_text(LAYOUT_SUMS);
	char *path = mem_format(LAYOUT_COUNTERSIGNATURES "%s%s%s" LAYOUT_COUNTERSIGNATURE_END,
	                        manifest != NULL ? manifest : "", manifest != NULL ? "/" : "", reviewer);
	enum status status = strcmp(over, LAYOUT_ROOT_MANIFEST) == 0
	                             ? error_set(err, R_CSG_SCOPE, over, "the root manifest names the countersignatures")
	                             : sshsig_parse(text->data, text->len, file, &signature, err);

	if (status == OK)
		status = check_new(root, &signature, file, reviewer, over, err);
	if (status == OK)
		status = root_write(root, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);
	if (status == OK) {
		sshsig_write(&signature, &out);
		status = root_write(root, path, out.data, out.len, err);
	}
	sshsig_free(&signature);
	bytes_free(&out);
	free(over);
	free(path);
	return status;
}
