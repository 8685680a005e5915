#include "vouch.h"

#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "admitted.h"
#include "authority.h"
#include "imports.h"
#include "layout.h"
#include "objects.h"

cJSON *vouch_root_predicate(uint64_t files, uint64_t bytes, const char *program, const char *date)
{
	cJSON *predicate = cJSON_CreateObject();
	cJSON *roots = cJSON_AddArrayToObject(predicate, "roots");

	cJSON_AddNumberToObject(predicate, "bytes", (double)bytes);
	cJSON_AddNumberToObject(predicate, "files", (double)files);
	cJSON_AddStringToObject(predicate, "program", program);
	if (date != NULL)
		cJSON_AddStringToObject(predicate, "date", date);
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

static struct authority authority_of(struct vouch *vouch)
{
	return (struct authority){
		.trust = &vouch->trust,
		.pinned = vouch->pinned,
		.admitted = vouch->admitted,
		.awaiting = vouch->awaiting,
		.findings = vouch->findings,
	};
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

/* Its subjects are SHA256SUMS and the countersignatures, all of them. */
static void check_root_subjects(struct vouch *vouch, const struct statement *statement)
{
	const struct countersignatures *reviewed = &vouch->reviewed;
	for (size_t i = 0; i < reviewed->count; i++) {
		const struct countersignature *one = &reviewed->at[i];
		const struct subject *subject = statement_find(statement, one->path);

		if (subject == NULL)
			findings_add(vouch->findings, R_CSG_UNSEALED, one->path, LAYOUT_ROOT_MANIFEST " does not name it");
		else if (memcmp(&subject->hash, &one->hash, sizeof one->hash) != 0)
			findings_add(vouch->findings, R_STM_DIGEST, one->path, LAYOUT_ROOT_MANIFEST " vouches for other bytes");
	}
	for (size_t i = 0; i < statement->count; i++) {
		const char *name = statement->subjects[i].name;

		if (strcmp(name, LAYOUT_SUMS) == 0)
			continue;
		if (strncmp(name, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) != 0)
			findings_add(vouch->findings, R_STM_SCOPE, LAYOUT_ROOT_MANIFEST, "it vouches for '%s'", name);
		else if (!inventory_has(vouch->inventory, name) && !inventory_hides(vouch->inventory, name))
			findings_add(vouch->findings, R_BND_MISSING, name, "the file is missing");
	}
}

static void check_root_statement(struct vouch *vouch, const struct statement *statement, bool intact)
{
	const struct subject *subject = statement_find(statement, LAYOUT_SUMS);

	check_root_subjects(vouch, statement);
	if (subject == NULL) {
		findings_add(vouch->findings, R_STM_SCOPE, LAYOUT_ROOT_MANIFEST, "it does not vouch for " LAYOUT_SUMS);
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
		/* How many bytes those files have that travel apart is the manifest's word alone. */
		const struct left_out *left = vouch->inventory->left;
		const cJSON *bytes = cJSON_GetObjectItemCaseSensitive(statement->predicate, "bytes");
		bool all = left == NULL || left->count == 0 || !cJSON_IsNumber(bytes) || bytes->valuedouble < 0 ||
		           bytes->valuedouble > (double)JSON_INTEGER_MAX;
		cJSON *expected = vouch_root_predicate(vouch->inventory->count + (left != NULL ? left->count : 0),
		                                       all ? vouch->inventory->bytes : (uint64_t)bytes->valuedouble, program_of(statement), statement_date(statement));

		check_predicate(vouch, LAYOUT_ROOT_MANIFEST, statement, expected);
		cJSON_Delete(expected);
	}
}

/* Without keys to check it by (trusted is false) its form is looked at all the same: no list of checksums names this file. True if it can be
 * believed: *statement is then to be freed. */
static bool open_root_manifest(struct vouch *vouch, bool trusted, struct statement *statement)
{
	const struct authority authority = authority_of(vouch);
	struct bytes text = {0};
	struct error err;
	bool believed = false;

	if (root_read(vouch->root, LAYOUT_ROOT_MANIFEST, DSSE_FILE_MAX, &text, &err) != OK)
		findings_error(vouch->findings, LAYOUT_ROOT_MANIFEST, &err);
	else if (!trusted)
		authority_check_form(&authority, LAYOUT_ROOT_MANIFEST, &text);
	else
		believed = authority_open(&authority, LAYOUT_ROOT_MANIFEST, &text, ROLE_ROOT, PREDICATE_BUNDLE, statement,
		                          &vouch->root_signers);
	bytes_free(&text);
	if (!believed)
		vouch->root_signers.count = 0;
	else if (statement_date(statement) != NULL)
		memcpy(vouch->date, statement_date(statement), sizeof vouch->date);
	return believed;
}

/* Each of them has to hold for itself; a bundle whose root manifest cannot be believed has its reviewers looked at too. */
static void check_countersignatures(struct vouch *vouch)
{
	const struct authority authority = authority_of(vouch);

	countersignatures_check(vouch->root, vouch->inventory, vouch->sums_text, &authority,
	                        vouch->date[0] != '\0' ? vouch->date : NULL, &vouch->reviewed);
}

static bool is_root_signer(const struct vouch *vouch, const char *fingerprint)
{
	for (size_t i = 0; i < vouch->root_signers.count; i++)
		if (strcmp(vouch->root_signers.at[i]->fingerprint, fingerprint) == 0)
			return true;
	return false;
}

/* The raw signature is by one of the root keys: by the one that the reader named, or by one that has signed the root manifest together
 * with it. */
static void check_sums_signer(struct vouch *vouch, const struct trusted_key *signer)
{
	const struct authority authority = authority_of(vouch);
	const char *pinned = vouch->pinned, *name = LAYOUT_SUMS_SIGNATURE;

	authority_allows(&authority, name, signer, ROLE_ROOT, vouch->date[0] != '\0' ? vouch->date : NULL);
	if (!key_signature_is_canonical(&signer->key, vouch->sums_signature->data, vouch->sums_signature->len))
		findings_add(vouch->findings, R_SIG_CANONICAL, name, "it is in another form");
	if (pinned != NULL && strcmp(pinned, signer->fingerprint) != 0 &&
	    !(is_root_signer(vouch, pinned) && is_root_signer(vouch, signer->fingerprint)))
		findings_add(vouch->findings, R_SIG_PINNED, name, "signed with the key %s", signer->fingerprint);
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
		check_sums_signer(vouch, signer);
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
		const struct checksum *apart = file == NULL ? left_out_find(inventory->left, name) : NULL;

		if (apart != NULL && memcmp(&statement->subjects[i].hash, &apart->hash, sizeof apart->hash) != 0)
			findings_add(vouch->findings, R_STM_DIGEST, name, "%s vouches for other bytes than were sealed", import->manifest);
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
	else {
		if (statement_date(statement) != NULL)
			cJSON_AddStringToObject(expected, "date", statement_date(statement));
		check_predicate(vouch, import->manifest, statement, expected);
	}
	cJSON_Delete(expected);
	free(path);
}

static void check_import(struct vouch *vouch, const struct import *import)
{
	const struct inventory_file *file = inventory_find(vouch->inventory, import->manifest);
	struct authority authority = authority_of(vouch);
	struct bytes text = {0};
	struct statement statement;
	struct signers signers;
	struct error err;
	bool believed = false;

	authority.awaiting = false; /* only the root manifest may still be waiting: it is signed last */
	if (file != NULL && file->hashed) {
		if (inventory_read(vouch->root, file, DSSE_FILE_MAX, &text, &err) != OK)
			findings_error(vouch->findings, import->manifest, &err);
		else
			believed = authority_open(&authority, import->manifest, &text, import->replay ? ROLE_REPLAY : ROLE_IMPORT,
			                          import->replay ? PREDICATE_REPLAY : PREDICATE_IMPORT, &statement, &signers);
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
	bool sealed = !vouch->unsealed && inventory_has(vouch->inventory, LAYOUT_ROOT_MANIFEST);

	if (!sealed && !vouch->unsealed && !inventory_hides(vouch->inventory, LAYOUT_ROOT_MANIFEST))
		findings_add(vouch->findings, R_BND_MISSING, LAYOUT_ROOT_MANIFEST, "the root manifest is missing");
	struct statement statement;
	bool believed = sealed && open_root_manifest(vouch, trusted, &statement);

	if (trusted && !vouch->unsealed)
		check_countersignatures(vouch);
	if (believed) {
		check_root_statement(vouch, &statement, intact);
		statement_free(&statement);
	}
	if (trusted && !vouch->unsealed)
		check_sums_signature(vouch);
	if (trusted) {
		for (size_t i = 0; i < imports.count; i++)
			check_import(vouch, &imports.at[i]);
		for (size_t i = 0; i < imports.replays; i++)
			check_import(vouch, &imports.replay[i]);
	}
	admitted_check(vouch->root, vouch->inventory, &imports, vouch->findings);
	imports_free(&imports);
}
