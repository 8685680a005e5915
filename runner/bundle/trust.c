#include "trust.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../base/json.h"
#include "layout.h"

static void words_free(struct words *words)
{
	for (size_t i = 0; i < words->count; i++)
		free(words->at[i]);
}

static void trusted_key_free(struct trusted_key *trusted)
{
	free(trusted->file);
	words_free(&trusted->roles);
	words_free(&trusted->predicates);
	free(trusted->purpose);
	free(trusted->revoked);
	free(trusted->until);
	key_free(&trusted->key);
}

void trust_free(struct trust *trust)
{
	for (size_t i = 0; i < trust->count; i++)
		trusted_key_free(&trust->at[i]);
	for (size_t i = 0; i < trust->threshold_count; i++)
		free(trust->thresholds[i].role);
	free(trust->thresholds);
	free(trust->at);
	*trust = (struct trust){0};
}

bool words_have(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->count; i++)
		if (strcmp(words->at[i], word) == 0)
			return true;
	return false;
}

/* False if there are too many. */
static bool words_add(struct words *words, const char *word)
{
	size_t at = words->count;

	if (words_have(words, word))
		return true;
	if (words->count == TRUST_WORDS_MAX)
		return false;
	while (at > 0 && strcmp(words->at[at - 1], word) > 0) {
		words->at[at] = words->at[at - 1];
		at--;
	}
	words->at[at] = mem_text(word);
	words->count++;
	return true;
}

struct trusted_key *trust_find(const struct trust *trust, const char *fingerprint)
{
	for (size_t i = 0; i < trust->count; i++)
		if (strcmp(trust->at[i].fingerprint, fingerprint) == 0)
			return &trust->at[i];
	return NULL;
}

struct trusted_key *trust_find_file(const struct trust *trust, const char *file)
{
	for (size_t i = 0; i < trust->count; i++)
		if (strcmp(trust->at[i].file, file) == 0)
			return &trust->at[i];
	return NULL;
}

static unsigned default_threshold(const char *role)
{
	return strcmp(role, ROLE_REVIEW) == 0 ? 0 : 1;
}

/* The entry of that role, or where it would stand. */
static size_t threshold_at(const struct trust *trust, const char *role)
{
	size_t at = 0;

	while (at < trust->threshold_count && strcmp(trust->thresholds[at].role, role) < 0)
		at++;
	return at;
}

static bool has_threshold(const struct trust *trust, const char *role, size_t at)
{
	return at < trust->threshold_count && strcmp(trust->thresholds[at].role, role) == 0;
}

unsigned trust_threshold(const struct trust *trust, const char *role)
{
	size_t at = threshold_at(trust, role);

	return has_threshold(trust, role, at) ? trust->thresholds[at].keys : default_threshold(role);
}

void trust_set_threshold(struct trust *trust, const char *role, unsigned keys)
{
	size_t at = threshold_at(trust, role);
	bool there = has_threshold(trust, role, at);
	struct threshold *entry = trust->thresholds + at;

	if (keys == default_threshold(role)) {
		if (there) {
			free(entry->role);
			memmove(entry, entry + 1, (--trust->threshold_count - at) * sizeof *entry);
		}
		return;
	}
	if (!there) {
		trust->thresholds = mem_array(trust->thresholds, trust->threshold_count + 1, sizeof *trust->thresholds);
		entry = trust->thresholds + at;
		memmove(entry + 1, entry, (trust->threshold_count++ - at) * sizeof *entry);
		entry->role = mem_text(role);
	}
	entry->keys = keys;
}

size_t trust_keys_of(const struct trust *trust, const char *role)
{
	size_t keys = 0;

	for (size_t i = 0; i < trust->count; i++)
		keys += trust->at[i].revoked == NULL && words_have(&trust->at[i].roles, role);
	return keys;
}

bool trust_allows_date(const struct trusted_key *trusted, const char *date)
{
	return trusted->until == NULL ||
	       (date != NULL && date_valid(date, strlen(date)) && strcmp(date, trusted->until) <= 0);
}

static void write_text(const char *text, struct bytes *out)
{
	jcs_string(text, strlen(text), out);
}

static void write_words(const struct words *words, struct bytes *out)
{
	bytes_char(out, '[');
	for (size_t i = 0; i < words->count; i++) {
		if (i > 0)
			bytes_char(out, ',');
		write_text(words->at[i], out);
	}
	bytes_char(out, ']');
}

void trust_write(const struct trust *trust, struct bytes *out)
{
	bytes_text(out, "{\"keys\":[");
	for (size_t i = 0; i < trust->count; i++) {
		const struct trusted_key *trusted = &trust->at[i];

		bytes_text(out, i == 0 ? "{\"file\":" : ",{\"file\":");
		write_text(trusted->file, out);
		bytes_format(out, ",\"fingerprint\":\"%s\",\"predicates\":", trusted->fingerprint);
		write_words(&trusted->predicates, out);
		bytes_text(out, ",\"purpose\":");
		write_text(trusted->purpose, out);
		if (trusted->revoked != NULL) {
			bytes_text(out, ",\"revoked\":");
			write_text(trusted->revoked, out);
		}
		bytes_text(out, ",\"roles\":");
		write_words(&trusted->roles, out);
		if (trusted->until != NULL) {
			bytes_text(out, ",\"until\":");
			write_text(trusted->until, out);
		}
		bytes_char(out, '}');
	}
	bytes_char(out, ']');
	for (size_t i = 0; i < trust->threshold_count; i++) {
		bytes_text(out, i == 0 ? ",\"thresholds\":{" : ",");
		write_text(trust->thresholds[i].role, out);
		bytes_format(out, ":%u", trust->thresholds[i].keys);
	}
	bytes_text(out, trust->threshold_count > 0 ? "}}\n" : "}\n");
}

/* "keys/NAME.pem" with a valid NAME. */
static bool key_file_valid(const char *file)
{
	const char *stem;
	size_t len;

	if (!layout_stem(file, "keys/", LAYOUT_KEY_END, &stem, &len))
		return false;
	char *name = mem_textn(stem, len);
	bool valid = layout_name_valid(name);

	free(name);
	return valid;
}

static enum status read_words(const cJSON *object, const char *key, struct words *words, struct error *err)
{
	const cJSON *list = NULL, *item = NULL;
	enum status status = json_child(object, key, JSON_ARRAY, LAYOUT_TRUST, &list, err);

	if (status != OK)
		return status;
	cJSON_ArrayForEach(item, list)
	{
		if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
			return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "an element of %s is not a text", key);
		if (!words_add(words, item->valuestring))
			return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "more than %d %s", TRUST_WORDS_MAX, key);
	}
	return OK;
}

static enum status read_key(const cJSON *item, const struct trust *trust, struct trusted_key *trusted,
                            struct error *err)
{
	static const char *const fields[] = {"file",    "fingerprint", "predicates", "purpose",
	                                     "revoked", "roles",       "until",      NULL};
	const char *file = NULL, *fingerprint = NULL, *purpose = NULL, *revoked = NULL, *until = NULL;
	struct sha256 hash;
	enum status status;

	if (!cJSON_IsObject(item))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "an element of keys is not an object");
	if ((status = json_only(item, fields, LAYOUT_TRUST, err)) != OK ||
	    (status = json_text(item, "file", LAYOUT_TRUST, &file, err)) != OK ||
	    (status = json_text(item, "fingerprint", LAYOUT_TRUST, &fingerprint, err)) != OK ||
	    (status = json_text(item, "purpose", LAYOUT_TRUST, &purpose, err)) != OK ||
	    (status = read_words(item, "predicates", &trusted->predicates, err)) != OK ||
	    (status = read_words(item, "roles", &trusted->roles, err)) != OK)
		return status;
	if (cJSON_HasObjectItem(item, "revoked") &&
	    (status = json_text(item, "revoked", LAYOUT_TRUST, &revoked, err)) != OK)
		return status;
	if (cJSON_HasObjectItem(item, "until") && (status = json_text(item, "until", LAYOUT_TRUST, &until, err)) != OK)
		return status;
	if (until != NULL && !date_valid(until, strlen(until)))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "'%s' is no date YYYY-MM-DD", until);
	if (!key_file_valid(file))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "'%s' is not keys/NAME.pem", file);
	if (!sha256_parse(fingerprint, &hash))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "the fingerprint of '%s' is not 64 lowercase hex digits",
		                 file);
	if (trust_find(trust, fingerprint) != NULL || trust_find_file(trust, file) != NULL)
		return error_set(err, R_TRU_DUPLICATE, LAYOUT_TRUST, "the key of '%s' is named twice", file);
	trusted->file = mem_text(file);
	memcpy(trusted->fingerprint, fingerprint, sizeof trusted->fingerprint);
	trusted->purpose = mem_text(purpose);
	trusted->revoked = revoked != NULL ? mem_text(revoked) : NULL;
	trusted->until = until != NULL ? mem_text(until) : NULL;
	return OK;
}

static enum status read_thresholds(const cJSON *tree, struct trust *trust, struct error *err)
{
	const cJSON *thresholds = NULL, *item = NULL;
	enum status status = json_child(tree, "thresholds", JSON_OBJECT, LAYOUT_TRUST, &thresholds, err);

	if (status != OK)
		return status;
	cJSON_ArrayForEach(item, thresholds)
	{
		int64_t keys = 0;

		status = json_integer(thresholds, item->string, 0, THRESHOLD_MAX, LAYOUT_TRUST, &keys, err);
		if (status != OK)
			return status;
		if (item->string[0] == '\0' || keys <= (int64_t)default_threshold(item->string))
			return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "the threshold of '%s' is what it would be anyway, or less",
			                 item->string);
		trust_set_threshold(trust, item->string, (unsigned)keys);
	}
	return OK;
}

static enum status read_trust(const cJSON *tree, struct trust *trust, struct error *err)
{
	static const char *const fields[] = {"keys", "thresholds", NULL};
	const cJSON *keys = NULL, *item = NULL;
	enum status status;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "not a JSON object");
	if ((status = json_only(tree, fields, LAYOUT_TRUST, err)) != OK ||
	    (status = json_child(tree, "keys", JSON_ARRAY, LAYOUT_TRUST, &keys, err)) != OK)
		return status;
	trust->at = mem_array(NULL, (size_t)cJSON_GetArraySize(keys), sizeof *trust->at);
	cJSON_ArrayForEach(item, keys)
	{
		struct trusted_key trusted = {0};

		if ((status = read_key(item, trust, &trusted, err)) != OK) {
			trusted_key_free(&trusted);
			return status;
		}
		trust->at[trust->count++] = trusted;
	}
	return cJSON_HasObjectItem(tree, "thresholds") ? read_thresholds(tree, trust, err) : OK;
}

enum status trust_parse(const char *text, size_t len, struct trust *trust, struct error *err)
{
	cJSON *tree;
	enum status status = json_parse(text, len, LAYOUT_TRUST, &tree, err);

	*trust = (struct trust){0};
	if (status == OK)
		status = read_trust(tree, trust, err);
	cJSON_Delete(tree);

	/* Canonical is what we would write: order, spacing and line end are all in that. */
	struct bytes again = {0};
	bool sorted = true;

	if (status == OK) {
		trust_write(trust, &again);
		for (size_t i = 1; i < trust->count; i++)
			sorted = sorted && strcmp(trust->at[i - 1].file, trust->at[i].file) < 0;
		if (!sorted)
			status = error_set(err, R_TRU_FORM, LAYOUT_TRUST, "its keys are not sorted by file");
		else if (again.len != len || memcmp(again.data, text, len) != 0)
			status = error_set(err, R_TRU_FORM, LAYOUT_TRUST, "it is not in canonical form");
	}
	bytes_free(&again);
	if (status != OK)
		trust_free(trust);
	return status;
}

static struct trusted_key *insert(struct trust *trust, const char *file)
{
	size_t at = trust->count;

	trust->at = mem_array(trust->at, trust->count + 1, sizeof *trust->at);
	while (at > 0 && strcmp(trust->at[at - 1].file, file) > 0) {
		trust->at[at] = trust->at[at - 1];
		at--;
	}
	trust->count++;
	trust->at[at] = (struct trusted_key){.file = mem_text(file)};
	return &trust->at[at];
}

static void drop(struct trust *trust, struct trusted_key *trusted)
{
	size_t at = (size_t)(trusted - trust->at);

	trusted_key_free(trusted);
	memmove(trusted, trusted + 1, (trust->count - at - 1) * sizeof *trusted);
	trust->count--;
}

enum status trust_grant(struct trust *trust, const char *file, const char *fingerprint, const char *role,
                        const char *predicate, const char *purpose, bool replace, struct error *err)
{
	struct trusted_key *trusted = trust_find(trust, fingerprint);
	struct trusted_key *holder = trust_find_file(trust, file);

	if (trusted != NULL && trusted->revoked != NULL)
		return error_set(err, R_SIG_REVOKED, trusted->file, "the key is revoked: %s", trusted->revoked);
	if (trusted == NULL && holder != NULL && replace && holder->revoked == NULL) {
		drop(trust, holder);
		holder = NULL;
	}
	if (trusted == NULL && holder != NULL)
		return error_set(err, R_KEY_NAME, file, "it stands for the key %s", holder->fingerprint);
	if (trusted == NULL) {
		trusted = insert(trust, file);
		memcpy(trusted->fingerprint, fingerprint, sizeof trusted->fingerprint);
		trusted->purpose = mem_text(purpose);
	}
	if (!words_add(&trusted->roles, role) || (predicate != NULL && !words_add(&trusted->predicates, predicate)))
		return error_set(err, R_TRU_FORM, LAYOUT_TRUST, "'%s' has more than %d roles or predicates", file,
		                 TRUST_WORDS_MAX);
	return OK;
}

enum status trust_read(const struct root *root, struct trust *trust, struct error *err)
{
	struct bytes text = {0};
	enum status status = OK;

	*trust = (struct trust){0};
	if (root_has(root, LAYOUT_TRUST)) {
		status = root_read(root, LAYOUT_TRUST, TRUST_FILE_MAX, &text, err);
		if (status == OK)
			status = trust_parse(text.data, text.len, trust, err);
	}
	bytes_free(&text);
	return status;
}

enum status trust_load_key(const struct root *root, struct trusted_key *trusted, struct error *err)
{
	char *path = mem_format(LAYOUT_MANIFESTS "%s", trusted->file);
	struct bytes pem = {0};
	enum status status = root_read(root, path, KEY_FILE_MAX, &pem, err);

	if (status == OK)
		status = key_parse(KEY_PUBLIC, pem.data, pem.len, path, &trusted->key, err);
	if (status == OK && strcmp(trusted->key.fingerprint, trusted->fingerprint) != 0) {
		status = error_set(err, R_TRU_KEY, path, "its fingerprint is %s, its entry in trust.json says %s",
		                   trusted->key.fingerprint, trusted->fingerprint);
		key_free(&trusted->key);
	}
	bytes_free(&pem);
	free(path);
	return status;
}
