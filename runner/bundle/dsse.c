#include "dsse.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"

void dsse_free(struct dsse *envelope)
{
	bytes_free(&envelope->payload);
	free(envelope->payload_type);
	for (size_t i = 0; i < envelope->count; i++) {
		free(envelope->signatures[i].keyid);
		bytes_free(&envelope->signatures[i].bytes);
	}
	free(envelope->signatures);
	*envelope = (struct dsse){0};
}

void dsse_pae(const char *type, const void *body, size_t len, struct bytes *out)
{
	bytes_format(out, "DSSEv1 %zu %s %zu ", strlen(type), type, len);
	bytes_add(out, body, len);
}

/* Either alphabet of RFC 4648, but not both in one text. */
static bool decode(const char *text, struct bytes *out)
{
	size_t len = strlen(text);

	if (strpbrk(text, "-_") == NULL)
		return base64_decode(text, len, out);
	if (strpbrk(text, "+/") != NULL)
		return false;
	char *standard = mem_text(text);

	for (char *c = standard; *c != '\0'; c++)
		*c = (char)(*c == '-' ? '+' : *c == '_' ? '/' : *c);
	bool good = base64_decode(standard, len, out);

	free(standard);
	return good;
}

static enum status read_signature(const cJSON *item, const char *file, struct dsse_signature *signature,
                                  struct error *err)
{
	const char *sig = NULL;
	const cJSON *keyid = cJSON_GetObjectItemCaseSensitive(item, "keyid");

	if (!cJSON_IsObject(item))
		return error_set(err, R_SIG_ENVELOPE, file, "an element of signatures is not an object");
	if (keyid != NULL && !cJSON_IsString(keyid) && !cJSON_IsNull(keyid))
		return error_set(err, R_SIG_ENVELOPE, file, "a keyid is not a string");
	signature->keyid = mem_text(cJSON_IsString(keyid) ? keyid->valuestring : "");
	enum status status = json_text(item, "sig", file, &sig, err);

	if (status == OK && !decode(sig, &signature->bytes))
		status = error_set(err, R_SIG_ENVELOPE, file, "a sig is not canonical base64");
	return status;
}

static enum status read_envelope(const cJSON *tree, const char *file, struct dsse *envelope, struct error *err)
{
	const char *payload = NULL, *type = NULL;
	const cJSON *signatures = NULL, *item = NULL;
	enum status status = OK;

	if (!cJSON_IsObject(tree))
		return error_set(err, R_SIG_ENVELOPE, file, "the envelope is not a JSON object");
	if ((status = json_text(tree, "payload", file, &payload, err)) != OK ||
	    (status = json_text(tree, "payloadType", file, &type, err)) != OK ||
	    (status = json_child(tree, "signatures", JSON_ARRAY, file, &signatures, err)) != OK)
		return status;
	if (!decode(payload, &envelope->payload))
		return error_set(err, R_SIG_ENVELOPE, file, "the payload is not canonical base64");
	envelope->payload_type = mem_text(type);
	int count = cJSON_GetArraySize(signatures);

	if (count == 0 || count > DSSE_SIGNATURES_MAX)
		return error_set(err, R_SIG_ENVELOPE, file, "%d signatures; 1 to %d are read", count, DSSE_SIGNATURES_MAX);
	envelope->signatures = mem_alloc((size_t)count * sizeof *envelope->signatures);
	cJSON_ArrayForEach(item, signatures)
	{
		status = read_signature(item, file, &envelope->signatures[envelope->count++], err);
		if (status != OK)
			return status;
	}
	return OK;
}

enum status dsse_read(const cJSON *tree, const char *file, struct dsse *envelope, struct error *err)
{
	*envelope = (struct dsse){0};
	enum status status = read_envelope(tree, file, envelope, err);

	if (status != OK)
		dsse_free(envelope);
	return status;
}

enum status dsse_parse(const char *text, size_t len, const char *file, struct dsse *envelope, struct error *err)
{
	cJSON *tree;
	enum status status = json_parse(text, len, file, &tree, err);

	*envelope = (struct dsse){0};
	if (status == OK)
		status = dsse_read(tree, file, envelope, err);
	cJSON_Delete(tree);
	return status;
}

/* Written out by hand, in key order: a tree would hold the payload three times over. */
void dsse_write(const struct dsse *envelope, struct bytes *out)
{
	bytes_text(out, "{\"payload\":\"");
	base64_encode((const uint8_t *)envelope->payload.data, envelope->payload.len, out);
	bytes_text(out, "\",\"payloadType\":");
	jcs_string(envelope->payload_type, strlen(envelope->payload_type), out);
	bytes_text(out, ",\"signatures\":[");
	for (size_t i = 0; i < envelope->count; i++) {
		const struct dsse_signature *signature = &envelope->signatures[i];

		bytes_text(out, i == 0 ? "{\"keyid\":" : ",{\"keyid\":");
		jcs_string(signature->keyid, strlen(signature->keyid), out);
		bytes_text(out, ",\"sig\":\"");
		base64_encode((const uint8_t *)signature->bytes.data, signature->bytes.len, out);
		bytes_text(out, "\"}");
	}
	bytes_text(out, "]}\n");
}

enum status dsse_sign(struct dsse *envelope, const struct key *key, struct error *err)
{
	struct dsse_signature signature = {.keyid = mem_text(key->fingerprint)};
	struct bytes pae = {0};
	size_t at = 0;
	enum status status = OK;

	for (size_t i = 0; i < envelope->count && status == OK; i++)
		if (strcmp(envelope->signatures[i].keyid, key->fingerprint) == 0)
			status = error_set(err, R_SIG_COUNT, "", "the key %s has signed already", key->fingerprint);
	if (status == OK && envelope->count == DSSE_SIGNATURES_MAX)
		status = error_set(err, R_SIG_ENVELOPE, "", "it has %d signatures already", DSSE_SIGNATURES_MAX);
	dsse_pae(envelope->payload_type, envelope->payload.data, envelope->payload.len, &pae);
	if (status == OK)
		status = key_signature(key, pae.data, pae.len, &signature.bytes, err);
	bytes_free(&pae);
	if (status != OK) {
		free(signature.keyid);
		return status;
	}
	while (at < envelope->count && strcmp(envelope->signatures[at].keyid, signature.keyid) < 0)
		at++;
	envelope->signatures =
		mem_array(envelope->signatures, envelope->count + 1, sizeof *envelope->signatures);
	memmove(envelope->signatures + at + 1, envelope->signatures + at,
	        (envelope->count++ - at) * sizeof *envelope->signatures);
	envelope->signatures[at] = signature;
	return OK;
}

bool dsse_is_ordered(const struct dsse *envelope)
{
	const char *before = "";

	for (size_t i = 0; i < envelope->count; i++) {
		if (strcmp(before, envelope->signatures[i].keyid) >= 0)
			return false;
		before = envelope->signatures[i].keyid;
	}
	return true;
}

static bool signs(const struct key *key, const struct dsse *envelope, const struct bytes *pae)
{
	for (size_t i = 0; i < envelope->count; i++) {
		const struct dsse_signature *signature = &envelope->signatures[i];

		if ((signature->keyid[0] == '\0' || strcmp(signature->keyid, key->fingerprint) == 0) &&
		    key_verify(key, pae->data, pae->len, signature->bytes.data, signature->bytes.len))
			return true;
	}
	return false;
}

/* The same key under another name: the fingerprint is of the key itself. */
static bool counted(const struct key *const *keys, const bool *signed_by, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (signed_by[i] && strcmp(keys[i]->fingerprint, keys[at]->fingerprint) == 0)
			return true;
	return false;
}

size_t dsse_verify_all(const struct dsse *envelope, const struct key *const *keys, size_t count, bool *signed_by)
{
	struct bytes pae = {0};
	size_t distinct = 0;

	dsse_pae(envelope->payload_type, envelope->payload.data, envelope->payload.len, &pae);
	for (size_t i = 0; i < count; i++) {
		signed_by[i] = signs(keys[i], envelope, &pae);
		distinct += signed_by[i] && !counted(keys, signed_by, i);
	}
	bytes_free(&pae);
	return distinct;
}

const struct key *dsse_verify(const struct dsse *envelope, const struct key *const *keys, size_t count)
{
	const struct key *found = NULL;
	bool signed_by;

	for (size_t i = 0; i < count && found == NULL; i++)
		if (dsse_verify_all(envelope, keys + i, 1, &signed_by) == 1)
			found = keys[i];
	return found;
}
