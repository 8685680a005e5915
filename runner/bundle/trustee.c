#include "trustee.h"

#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "role.h"
#include "sshsig.h"

static enum status write_trust(const struct root *root, const struct trust *trust, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_write(root, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);

	if (status == OK) {
		trust_write(trust, &text);
		status = root_write(root, LAYOUT_TRUST, text.data, text.len, err);
	}
	bytes_free(&text);
	return status;
}

static enum status read_key(const struct bytes *text, const char *file, struct key *key, struct error *err)
{
	static const char pem[] = "-----BEGIN ";

	return text->len > strlen(pem) && memcmp(text->data, pem, strlen(pem)) == 0
	               ? key_parse(KEY_PUBLIC, text->data, text->len, file, key, err)
	               : ssh_key_parse(text->data, text->len, file, key, err);
}

static enum status grant(struct trust *trust, const char *file, const struct key *key, const struct role *role,
                         const struct trustee *trustee, struct error *err)
{
	enum status status =
		trust_grant(trust, file, key->fingerprint, role->name, role->predicate,
	                    trustee->purpose != NULL ? trustee->purpose : role->purpose, false, err);
	struct trusted_key *entry = status == OK ? trust_find(trust, key->fingerprint) : NULL;

	if (entry != NULL && strcmp(entry->file, file) != 0)
		return error_set(err, R_KEY_NAME, file, "the key stands in %s already", entry->file);
	if (entry != NULL && trustee->until != NULL) {
		free(entry->until);
		entry->until = mem_text(trustee->until);
	}
	return status;
}

enum status trustee_add(const struct root *root, const struct bytes *text, const char *file,
                        const struct trustee *trustee, struct error *err)
{
	const struct role *role = role_find(trustee->role);
	char *key_file = mem_format("keys/%s" LAYOUT_KEY_END, trustee->name), *path = mem_format(LAYOUT_MANIFESTS "%s", key_file);
	struct bytes pem = {0};
	struct trust trust = {0};
	struct key key = {0};
	enum status status = layout_name_valid(trustee->name)
	                             ? read_key(text, file, &key, err)
	                             : error_set(err, R_BND_NAME, "", "'%s' cannot name a key", trustee->name);

	if (status == OK && key.type == KEY_RSA && strcmp(role->name, ROLE_REVIEW) != 0)
		status = error_set(err, R_KEY_TYPE, file, "an RSA key can have the role '" ROLE_REVIEW "' only");
	if (status == OK)
		status = trust_read(root, &trust, err);
	if (status == OK)
		status = grant(&trust, key_file, &key, role, trustee, err);
	if (status == OK)
		status = key_write(KEY_PUBLIC, &key, &pem, err);
	if (status == OK)
		status = root_write(root, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);
	if (status == OK)
		status = root_write(root, path, pem.data, pem.len, err);
	if (status == OK)
		status = write_trust(root, &trust, err);
	key_free(&key);
	trust_free(&trust);
	bytes_free(&pem);
	free(path);
	free(key_file);
	return status;
}

/* Every role has as many keys in use as have to sign. */
static enum status check_enough(const struct trust *trust, struct error *err)
{
	for (size_t i = 0; i < trust->threshold_count; i++) {
		const struct threshold *threshold = &trust->thresholds[i];
		size_t keys = trust_keys_of(trust, threshold->role);

		if (keys < threshold->keys)
			return error_set(err, R_TRU_EMPTY, LAYOUT_TRUST, "%u keys of the role '%s' would have to sign, and %zu could",
			                 threshold->keys, threshold->role, keys);
	}
	return OK;
}

enum status trustee_revoke(const struct root *root, const char *name, const char *reason, struct error *err)
{
	char *file = mem_format("keys/%s" LAYOUT_KEY_END, name);
	struct trust trust;
	enum status status = trust_read(root, &trust, err);
	struct trusted_key *entry = status == OK ? trust_find_file(&trust, file) : NULL;

	if (status == OK && entry == NULL)
		status = error_set(err, R_TRU_EMPTY, LAYOUT_TRUST, "there is no %s", file);
	else if (status == OK && entry->revoked != NULL)
		status = error_set(err, R_SIG_REVOKED, file, "the key is revoked already: %s", entry->revoked);
	if (status == OK) {
		entry->revoked = mem_text(reason);
		status = check_enough(&trust, err);
	}
	if (status == OK)
		status = write_trust(root, &trust, err);
	trust_free(&trust);
	free(file);
	return status;
}

enum status trustee_demand(const struct root *root, const char *role, unsigned keys, struct error *err)
{
	struct trust trust;
	enum status status = trust_read(root, &trust, err);

	if (status == OK) {
		trust_set_threshold(&trust, role, keys);
		status = check_enough(&trust, err);
	}
	if (status == OK)
		status = write_trust(root, &trust, err);
	trust_free(&trust);
	return status;
}
