#include "vouch.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "admitted.h"
#include "dsse.h"
#include "imports.h"
#include "layout.h"
#include "objects.h"

cJSON *vouch_root_predicate(uint64_t files, uint64_t bytes, const char *program)
{
	cJSON *predicate = cJSON_CreateObject();
	cJSON *roots = cJSON_AddArrayToObject(predicate, "roots");

	cJSON_AddNumberToObject(predicate, "bytes", (double)bytes);
	cJSON_AddNumberToObject(predicate, "files", (double)files);
	cJSON_AddStringToObject(predicate, "program", program);
	for (size_t i = 0; layout_sealed[i] != NULL; i++)
		cJSON_AddItemToArray(roots, cJSON_CreateString(layout_sealed[i]));
	return predicate;
}

/* Keys and their places. */

static void load_key(struct vouch *vouch, struct trusted_key *trusted)
{
	char *path = mem_format(LAYOUT_MANIFESTS "%s", trusted->file);
	struct error err;

	if (inventory_hides(vouch->inventory, path))
		; /* told of the directory */
	else if (!inventory_has(vouch->inventory, path))
		findings_add(vouch->findings, R_TRU_KEY, path, "it is named in trust.json, but not there");
	else if (trust_load_key(vouch->root, trusted, &err) != OK)
		findings_error(vouch->findings, path, &err);
	free(path);
}

/* False (told) if there is no trust.json to go by. */
static bool load_trust(struct vouch *vouch)
{
	const struct inventory_file *file = inventory_find(vouch->inventory, LAYOUT_TRUST);
	struct bytes text = {0};
	struct error err;
	bool loaded = false;

	if (inventory_hides(vouch->inventory, LAYOUT_TRUST))
		; /* told of the directory */
	else if (file == NULL)
		findings_add(vouch->findings, R_TRU_FORM, LAYOUT_TRUST, "it is not there, so no signature can be checked");
	else if (!file->hashed)
		; /* told by whoever could not read it */
	else if (inventory_read(vouch->root, file, TRUST_FILE_MAX, &text, &err) != OK ||
	         trust_parse(text.data, text.len, &vouch->trust, &err) != OK)
		findings_error(vouch->findings, LAYOUT_TRUST, &err);
	else
		loaded = true;
	bytes_free(&text);
	for (size_t i = 0; i < vouch->trust.count; i++)
		load_key(vouch, &vouch->trust.at[i]);
	return loaded;
}

/* Is the key, whose signature has been found good, allowed to make it? */
static bool check_authority(struct vouch *vouch, const char *file, const struct trusted_key *signer, const char *role)
{
	size_t before = vouch->findings->count;

	if (signer->revoked != NULL)
		findings_add(vouch->findings, R_SIG_REVOKED, file, "signed with %s, revoked: %s", signer->file,
		             signer->revoked);
	if (!words_have(&signer->roles, role))
		findings_add(vouch->findings, R_SIG_ROLE, file, "signed with %s, which has not the role '%s'", signer->file,
		             role);
	if (vouch->pinned != NULL && strcmp(role, ROLE_ROOT) == 0 && strcmp(vouch->pinned, signer->fingerprint) != 0)
		findings_add(vouch->findings, R_SIG_PINNED, file, "signed with the key %s", signer->fingerprint);
	return vouch->findings->count == before;
}

/* The signer of a bundle's envelope, or NULL (told). */
static const struct trusted_key *find_signer(struct vouch *vouch, const char *file, const struct dsse *envelope)
{
	if (envelope->count != 1 || envelope->signatures[0].keyid[0] == '\0') {
		if (envelope->count != 1)
			findings_add(vouch->findings, R_SIG_COUNT, file, "it has %zu signatures", envelope->count);
		else
			findings_add(vouch->findings, R_SIG_COUNT, file, "its signature has no keyid");
		return NULL;
	}
	const char *keyid = envelope->signatures[0].keyid;
	const struct trusted_key *trusted = trust_find(&vouch->trust, keyid);

	if (trusted == NULL) {
		findings_add(vouch->findings, R_SIG_UNKNOWN, file, "signed with the key %s", keyid);
		return NULL;
	}
	if (trusted->key.pkey == NULL)
		return NULL; /* its file is a finding of its own */
	const struct key *const keys[] = {&trusted->key};

	if (dsse_verify(envelope, keys, 1) != NULL)
		return trusted;
	findings_add(vouch->findings, R_SIG_BAD, file, "its signature does not match, by %s", trusted->file);
	return NULL;
}

/* Take an envelope apart, telling what is wrong with its form. False if there is none to free. */
static bool open_envelope(struct vouch *vouch, const char *file, const struct bytes *text, struct dsse *envelope)
{
	struct bytes again = {0};
	struct error err;

	if (dsse_parse(text->data, text->len, file, envelope, &err) != OK) {
		findings_error(vouch->findings, file, &err);
		return false;
	}
	dsse_write(envelope, &again);
	if (again.len != text->len || memcmp(again.data, text->data, again.len) != 0)
		findings_add(vouch->findings, R_SIG_CANONICAL, file, "it is written in another form");
	bytes_free(&again);
	return true;
}

/* Open a manifest: who signed it, may they, and what it states. NULL (told) if nothing in it can be believed; *statement is
 * to be freed otherwise. */
static const struct trusted_key *open_manifest(struct vouch *vouch, const char *file, const struct bytes *text,
                                               const char *role, const char *predicate_type,
                                               struct statement *statement)
{
	struct findings *findings = vouch->findings;
	struct dsse envelope;
	struct error err;

	*statement = (struct statement){0};
	if (!open_envelope(vouch, file, text, &envelope))
		return NULL;
	const struct trusted_key *signer = find_signer(vouch, file, &envelope);
	bool believed = signer != NULL && check_authority(vouch, file, signer, role);

	if (believed && strcmp(envelope.payload_type, STATEMENT_PAYLOAD_TYPE) != 0) {
		findings_add(findings, R_SIG_PAYLOAD, file, "its payloadType is '%s'", envelope.payload_type);
		believed = false;
	}
	if (believed && statement_parse(envelope.payload.data, envelope.payload.len, file, statement, &err) != OK) {
		findings_error(findings, file, &err);
		believed = false;
	}
	if (believed && strcmp(statement->predicate_type, predicate_type) != 0) {
		findings_add(findings, R_STM_TYPE, file, "its predicateType is '%s', not '%s'", statement->predicate_type,
		             predicate_type);
		believed = false;
	}
	if (believed && !words_have(&signer->predicates, predicate_type)) {
		findings_add(findings, R_SIG_PREDICATE, file, "%s may not sign '%s'", signer->file, predicate_type);
		believed = false;
	}
	dsse_free(&envelope);
	if (!believed)
		statement_free(statement);
	return believed ? signer : NULL;
}

/* Both predicates are compared as canonical JSON; program is free text and taken from the manifest. */
static const char *program_of(const struct statement *statement)
{
	const cJSON *program = cJSON_GetObjectItemCaseSensitive(statement->predicate, "program");

	return cJSON_IsString(program) ? program->valuestring : "";
}

static void check_predicate(struct vouch *vouch, const char *file, const struct statement *statement,
                            const cJSON *expected)
{
	struct bytes said = {0}, meant = {0};
	struct error err;

	if (jcs_write(statement->predicate, &said, &err) != OK || jcs_write(expected, &meant, &err) != OK)
		findings_error(vouch->findings, file, &err);
	else if (said.len != meant.len || memcmp(said.data, meant.data, said.len) != 0)
		findings_add(vouch->findings, R_STM_PREDICATE, file, "its predicate is not the one the bundle gives");
	bytes_free(&said);
	bytes_free(&meant);
}

/* The root signatures. */

static void check_root_statement(struct vouch *vouch, const struct statement *statement, bool intact)
{
	const struct subject *subject = statement_find(statement, LAYOUT_SUMS);

	if (subject == NULL || statement->count != 1) {
		findings_add(vouch->findings, R_STM_SCOPE, LAYOUT_ROOT_MANIFEST, "its one subject has to be " LAYOUT_SUMS);
		return;
	}
	if (vouch->sums_text == NULL)
		return; /* missing, and told */
	struct sha256 hash = sha256_of(vouch->sums_text->data, vouch->sums_text->len);

	if (memcmp(&hash, &subject->hash, sizeof hash) != 0) {
		findings_add(vouch->findings, R_STM_DIGEST, LAYOUT_SUMS,
		             "it is not the file that " LAYOUT_ROOT_MANIFEST " was signed for");
		return;
	}
	/* Over a damaged tree the totals differ for a reason that is already told. */
	if (intact) {
		cJSON *expected = vouch_root_predicate(vouch->inventory->count, vouch->inventory->bytes,
		                                       program_of(statement));

		check_predicate(vouch, LAYOUT_ROOT_MANIFEST, statement, expected);
		cJSON_Delete(expected);
	}
}

/* Without keys to check it by (trusted is false) its form is looked at all the same: no list of checksums names this file. */
static void check_root_manifest(struct vouch *vouch, bool trusted, bool intact)
{
	struct bytes text = {0};
	struct statement statement;
	struct dsse envelope;
	struct error err;

	if (root_read(vouch->root, LAYOUT_ROOT_MANIFEST, DSSE_FILE_MAX, &text, &err) != OK) {
		findings_error(vouch->findings, LAYOUT_ROOT_MANIFEST, &err);
	} else if (!trusted) {
		if (open_envelope(vouch, LAYOUT_ROOT_MANIFEST, &text, &envelope))
			dsse_free(&envelope);
	} else {
		const struct trusted_key *signer =
			open_manifest(vouch, LAYOUT_ROOT_MANIFEST, &text, ROLE_ROOT, PREDICATE_BUNDLE, &statement);

		if (signer != NULL) {
			memcpy(vouch->root_key, signer->fingerprint, sizeof vouch->root_key);
			check_root_statement(vouch, &statement, intact);
			statement_free(&statement);
		}
	}
	bytes_free(&text);
}

/* The raw signature, for those who have openssl and not this program. It names no key, so all are tried. */
static void check_sums_signature(struct vouch *vouch)
{
	const struct bytes *text = vouch->sums_text, *signature = vouch->sums_signature;
	const struct trusted_key *signer = NULL;
	bool all_keys = true;

	if (text == NULL || signature == NULL)
		return; /* told by whoever could not read them */
	for (size_t i = 0; i < vouch->trust.count && signer == NULL; i++) {
		const struct trusted_key *trusted = &vouch->trust.at[i];

		all_keys = all_keys && trusted->key.pkey != NULL;
		if (trusted->key.pkey != NULL &&
		    key_verify(&trusted->key, text->data, text->len, signature->data, signature->len))
			signer = trusted;
	}
	if (signer != NULL)
		check_authority(vouch, LAYOUT_SUMS_SIGNATURE, signer, ROLE_ROOT);
	else
		findings_add(vouch->findings, R_SIG_BAD, LAYOUT_SUMS_SIGNATURE, "no %skey of trust.json made it for %s",
		             all_keys ? "" : "readable ", LAYOUT_SUMS);
}

/* The import manifests. */

static int by_index(const void *a, const void *b)
{
	const size_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void check_subjects(struct vouch *vouch, const struct import *import, const struct statement *statement)
{
	struct inventory *inventory = vouch->inventory;

	for (size_t i = 0; i < import->count; i++) {
		struct inventory_file *file = &inventory->at[import->files[i]];
		const struct subject *subject = statement_find(statement, file->path);

		if (subject == NULL) {
			findings_add(vouch->findings, R_BND_UNSIGNED, file->path, "%s does not name it", import->manifest);
		} else if (!file->faulty && memcmp(&subject->hash, &file->hash, sizeof file->hash) != 0) {
			findings_add(vouch->findings, R_STM_DIGEST, file->path, "%s vouches for other bytes",
			             import->manifest);
			file->faulty = true;
		}
	}
	for (size_t i = 0; i < statement->count; i++) {
		const char *name = statement->subjects[i].name;
		const struct inventory_file *file = inventory_find(inventory, name);
		size_t at = file != NULL ? (size_t)(file - inventory->at) : 0;

		const char *hex;

		if (import->objects_hidden && layout_object(name, &hex))
			continue;
		if (file != NULL && bsearch(&at, import->files, import->count, sizeof at, by_index) == NULL)
			findings_add(vouch->findings, R_STM_SCOPE, import->manifest,
			             "it vouches for '%s', which is not of the %s '%s'", name, import->replay ? "run" : "source",
			             import->source);
		if (file == NULL && checksums_find(vouch->sums, name) == NULL && /* else it is told as missing */
		    !inventory_hides(vouch->inventory, name))
			findings_add(vouch->findings, R_STM_SCOPE, import->manifest, "it vouches for '%s', which is not there",
			             name);
	}
}

static void check_provenance(struct vouch *vouch, const struct import *import, const struct statement *statement)
{
	char *path = import->replay ? mem_format(LAYOUT_RUNS "%s/" LAYOUT_RUN, import->source)
	                            : mem_format(LAYOUT_SOURCES "%s/" LAYOUT_PROVENANCE, import->source);
	const struct inventory_file *file = inventory_find(vouch->inventory, path);
	cJSON *expected = NULL;
	struct error err;

	if (file != NULL ? file->faulty : inventory_hides(vouch->inventory, path))
		; /* told: the predicate must differ */
	else if (import_predicate(vouch->root, vouch->inventory, import, program_of(statement), &expected, &err) != OK)
		findings_error(vouch->findings, path, &err);
	else
		check_predicate(vouch, import->manifest, statement, expected);
	cJSON_Delete(expected);
	free(path);
}

static void check_import(struct vouch *vouch, const struct import *import)
{
	const struct inventory_file *file = inventory_find(vouch->inventory, import->manifest);
	struct bytes text = {0};
	struct statement statement;
	struct error err;
	bool believed = false;

	if (file != NULL && file->hashed) {
		if (inventory_read(vouch->root, file, DSSE_FILE_MAX, &text, &err) != OK)
			findings_error(vouch->findings, import->manifest, &err);
		else
			believed = open_manifest(vouch, import->manifest, &text, import->replay ? ROLE_REPLAY : ROLE_IMPORT,
			                         import->replay ? PREDICATE_REPLAY : PREDICATE_IMPORT, &statement) != NULL;
	}
	if (believed) {
		check_subjects(vouch, import, &statement);
		check_provenance(vouch, import, &statement);
		statement_free(&statement);
	} else {
		char *source = mem_format("%s%s", import->replay ? LAYOUT_RUNS : LAYOUT_SOURCES, import->source);

		if (import->replay)
			findings_add(vouch->findings, R_BND_UNSIGNED, source, "no valid %s vouches for it and its records", import->manifest);
		else
			findings_add(vouch->findings, R_BND_UNSIGNED, source, "no valid %s vouches for it and its runs (%zu)", import->manifest,
			             import->runs);
		free(source);
	}
	bytes_free(&text);
}

/* Nothing stands in the bundle that nobody looks at. */
static void check_places(struct vouch *vouch, const struct imports *imports, bool trusted)
{
	inventory_check_places(vouch->inventory, vouch->findings);
	objects_check(vouch->inventory, vouch->findings);
	for (size_t i = 0; i < vouch->inventory->count; i++) {
		const char *path = vouch->inventory->at[i].path;
		const char *stem;
		size_t len;

		if (layout_stem(path, LAYOUT_KEYS, LAYOUT_KEY_END, &stem, &len)) {
			if (trusted && trust_find_file(&vouch->trust, path + strlen(LAYOUT_MANIFESTS)) == NULL)
				findings_add(vouch->findings, R_TRU_UNLISTED, path, "trust.json does not name it");
		} else if (layout_stem(path, LAYOUT_MANIFESTS, LAYOUT_MANIFEST_END, &stem, &len)) {
			char *source = mem_textn(stem, len);

			char *dir = mem_format(LAYOUT_SOURCES "%s/", source);

			if (imports_find(imports, source) == NULL && imports_find_replay(imports, source) == NULL &&
			    !inventory_hides(vouch->inventory, dir))
				findings_add(vouch->findings, R_STM_SCOPE, path,
				             "there is no " LAYOUT_SOURCES "%s, and no run of that name that was measured", source);
			free(dir);
			free(source);
		}
	}
}

void vouch_check(struct vouch *vouch)
{
	bool intact = vouch->findings->count == 0;
	struct imports imports;
	bool trusted = load_trust(vouch);

	imports_collect(vouch->root, vouch->inventory, &imports, vouch->findings);
	check_places(vouch, &imports, trusted);
	bool sealed = inventory_has(vouch->inventory, LAYOUT_ROOT_MANIFEST);

	if (!sealed && !inventory_hides(vouch->inventory, LAYOUT_ROOT_MANIFEST))
		findings_add(vouch->findings, R_BND_MISSING, LAYOUT_ROOT_MANIFEST, "the root manifest is missing");
	if (sealed)
		check_root_manifest(vouch, trusted, intact);
	if (trusted) {
		check_sums_signature(vouch);
		for (size_t i = 0; i < imports.count; i++)
			check_import(vouch, &imports.at[i]);
		for (size_t i = 0; i < imports.replays; i++)
			check_import(vouch, &imports.replay[i]);
	}
	admitted_check(vouch->root, vouch->inventory, &imports, vouch->findings);
	imports_free(&imports);
}
