#include "seal.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checksums.h"
#include "dsse.h"
#include "imports.h"
#include "inventory.h"
#include "layout.h"
#include "lock.h"
#include "objects.h"
#include "role.h"
#include "statement.h"
#include "vouch.h"

static const char program[] = "ptxseal " PTXSEAL_VERSION;

/* Write only what differs: a second seal of the same bundle changes nothing. */
static enum status write_if_changed(const struct root *root, const char *path, const struct bytes *text,
                                    struct error *err)
{
	struct bytes old = {0};
	enum status status = OK;
	bool same = root_has(root, path) && root_read(root, path, text->len, &old, NULL) == OK && old.len == text->len &&
	            memcmp(old.data, text->data, old.len) == 0;

	if (!same)
		status = root_write(root, path, text->data, text->len, err);
	bytes_free(&old);
	return status;
}

/* Anything to seal at all? A wrong directory shall not get a seal's files. */
static enum status check_content(const struct root *root, struct error *err)
{
	struct file_list list;
	enum status status = root_list(root, "artifact", &list, err);

	if (status == OK && list.count == 0)
		status = error_set(err, R_SUM_EMPTY, root->name, "it has no artifact/ with files to seal");
	file_list_free(&list);
	return status;
}

/* The first files that a seal writes: the public key, and its rights. */
struct publication {
	char *path; /* of the key, beneath the bundle */
	struct bytes pem, text;
	struct trust trust;
};

static void publication_free(struct publication *publication)
{
	free(publication->path);
	bytes_free(&publication->pem);
	bytes_free(&publication->text);
	trust_free(&publication->trust);
}

/* Make them, and count them among the files of the bundle; nothing is written yet. */
static enum status prepare_key(const struct root *root, const struct seal_options *options, struct inventory *inventory,
                               struct publication *publication, struct error *err)
{
	const struct role *role = role_find(options->role);
	char *file = mem_format("keys/%s" LAYOUT_KEY_END, options->name != NULL ? options->name : options->role);
	struct trust *trust = &publication->trust;
	struct bytes tried = {0};

	*publication = (struct publication){0};
	enum status status = trust_read(root, trust, err);
	const struct trusted_key *known = status == OK ? trust_find(trust, options->key->fingerprint) : NULL;

	if (known != NULL && options->name != NULL && strcmp(known->file, file) != 0)
		status = error_set(err, R_KEY_NAME, file, "the key stands in %s already", known->file);
	if (status == OK)
		status = trust_grant(trust, file, options->key->fingerprint, role->name, role->predicate, role->purpose,
		                     options->replace, err);
	known = status == OK ? trust_find(trust, options->key->fingerprint) : NULL;
	if (known != NULL && !trust_allows_date(known, options->date))
		status = error_set(err, R_SIG_EXPIRED, known->file, "the key ends on %s, and the statement's date is %s",
		                   known->until, options->date != NULL ? options->date : "none");
	/* A device may have the key and not use it, for want of a passphrase say: that is known only once it is asked to. */
	if (status == OK)
		status = key_signature(options->key, program, strlen(program), &tried, err);
	if (status == OK)
		status = key_write(KEY_PUBLIC, options->key, &publication->pem, err);
	if (status == OK) {
		publication->path = mem_format(LAYOUT_MANIFESTS "%s", known->file);
		inventory_put(inventory, publication->path, publication->pem.data, publication->pem.len);
		trust_write(trust, &publication->text);
		inventory_put(inventory, LAYOUT_TRUST, publication->text.data, publication->text.len);
	}
	bytes_free(&tried);
	free(file);
	return status;
}

static enum status check_name(const struct seal_options *options, struct error *err)
{
	return options->name == NULL || layout_name_valid(options->name) ? OK : error_set(err, R_BND_NAME, "", "'%s' cannot name a key", options->name);
}

enum status seal_key_check(const struct root *root, const struct seal_options *options, struct error *err)
{
	struct inventory nothing = {0};
	struct publication publication = {0};
	enum status status = check_name(options, err);

	if (status == OK)
		status = prepare_key(root, options, &nothing, &publication, err);
	publication_free(&publication);
	inventory_free(&nothing);
	return status;
}

/* The first writes. */
static enum status publish_key(const struct root *root, const struct publication *publication, struct error *err)
{
	enum status status = root_write(root, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);

	if (status == OK)
		status = write_if_changed(root, publication->path, &publication->pem, err);
	if (status == OK)
		status = write_if_changed(root, LAYOUT_TRUST, &publication->text, err);
	return status;
}

/* Does the manifest that stands there say the same, signed by this key? Then it stays, with whoever else has signed it: an ECDSA signature
 * made anew has other bytes. */
static bool is_signed_already(const struct root *root, const char *path, const struct dsse *envelope, const struct key *key)
{
	const struct key *const keys[] = {key};
	struct bytes text = {0}, again = {0};
	struct dsse old = {0};
	bool by = false;
	bool same = root_has(root, path) && root_read(root, path, DSSE_FILE_MAX, &text, NULL) == OK &&
	            dsse_parse(text.data, text.len, path, &old, NULL) == OK &&
	            strcmp(old.payload_type, envelope->payload_type) == 0 && old.payload.len == envelope->payload.len &&
	            memcmp(old.payload.data, envelope->payload.data, old.payload.len) == 0 &&
	            dsse_is_ordered(&old) && dsse_verify_all(&old, keys, 1, &by) == 1;

	for (size_t i = 0; same && i < old.count; i++)
		if (strcmp(old.signatures[i].keyid, key->fingerprint) == 0)
			same = key_signature_is_canonical(key, old.signatures[i].bytes.data, old.signatures[i].bytes.len);
	if (same) {
		dsse_write(&old, &again);
		same = again.len == text.len && memcmp(again.data, text.data, again.len) == 0;
	}
	dsse_free(&old);
	bytes_free(&again);
	bytes_free(&text);
	return same;
}

static enum status write_manifest(const struct root *root, const char *path, const struct statement *statement,
                                  const struct key *key, struct error *err)
{
	struct dsse envelope = {.payload_type = mem_text(STATEMENT_PAYLOAD_TYPE)};
	struct bytes text = {0};
	enum status status = statement_write(statement, &envelope.payload, err);
	bool done = status == OK && is_signed_already(root, path, &envelope, key);

	if (status == OK && !done)
		status = dsse_sign(&envelope, key, err);
	if (status == OK && !done) {
		dsse_write(&envelope, &text);
		status = root_write(root, path, text.data, text.len, err);
	}
	bytes_free(&text);
	dsse_free(&envelope);
	return status;
}

static enum status state_import(const struct root *root, const struct seal_options *options,
                                const struct inventory *inventory, const struct import *import,
                                struct statement *statement, struct verify_report *report, struct error *err)
{
	*statement = (struct statement){.predicate_type = mem_text(import->replay ? PREDICATE_REPLAY : PREDICATE_IMPORT)};
	for (size_t i = 0; i < import->count; i++) {
		const struct inventory_file *file = &inventory->at[import->files[i]];

		statement_add(statement, file->path, &file->hash);
		report->bytes += file->size;
	}
	report->files += import->count;
	enum status status = import_predicate(root, inventory, import, program, &statement->predicate, err);

	if (status == OK && options->date != NULL)
		cJSON_AddStringToObject(statement->predicate, "date", options->date);
	return status;
}

static enum status seal_imports(const struct root *root, const struct seal_options *options,
                                struct inventory *inventory, struct verify_report *report, struct error *err)
{
	struct publication publication = {0};
	struct imports imports;
	enum status status = OK;
	size_t stated = 0;

	imports_collect(root, inventory, &imports, &report->findings);
	struct statement *statements = mem_array(NULL, imports.count, sizeof *statements);

	if (report->findings.count > 0)
		status = FAILS;
	else if (imports.count == 0)
		status = error_set(err, R_BND_UNSIGNED, LAYOUT_SOURCES, "there is no source to vouch for");
	while (status == OK && stated < imports.count) {
		status = state_import(root, options, inventory, &imports.at[stated], &statements[stated], report, err);
		stated++;
	}
	if (status == OK)
		status = prepare_key(root, options, inventory, &publication, err);
	if (status == OK)
		status = publish_key(root, &publication, err);
	for (size_t i = 0; i < imports.count && status == OK; i++)
		status = write_manifest(root, imports.at[i].manifest, &statements[i], options->key, err);
	for (size_t i = 0; i < stated; i++)
		statement_free(&statements[i]);
	free(statements);
	publication_free(&publication);
	imports_free(&imports);
	return status;
}

/* The run that was measured: what of others is not in order is not looked at here. */
static enum status seal_replay(const struct root *root, const struct seal_options *options, struct inventory *inventory,
                               struct verify_report *report, struct error *err)
{
	struct imports imports;
	enum status status = OK;

	imports_collect(root, inventory, &imports, &report->findings);
	const struct import *replay = imports_find_replay(&imports, options->run);

	if (report->findings.count > 0)
		status = FAILS;
	else if (replay == NULL)
		status = error_set(err, R_RPL_NAME, LAYOUT_RUNS, "no run '%s' was measured", options->run);
	if (status == OK) {
		struct publication publication = {0};
		struct statement statement;

		status = state_import(root, options, inventory, replay, &statement, report, err);
		if (status == OK)
			status = prepare_key(root, options, inventory, &publication, err);
		if (status == OK)
			status = publish_key(root, &publication, err);
		if (status == OK)
			status = write_manifest(root, replay->manifest, &statement, options->key, err);
		publication_free(&publication);
		statement_free(&statement);
	}
	imports_free(&imports);
	return status;
}

/* SHA256SUMS and its signature; one by this key that stands there already stays (see is_signed_already). */
static enum status write_sums(const struct root *root, const struct key *key, const struct bytes *text, struct error *err)
{
	struct bytes signature = {0}, old = {0};
	bool done = root_has(root, LAYOUT_SUMS_SIGNATURE) &&
	            root_read(root, LAYOUT_SUMS_SIGNATURE, KEY_FILE_MAX, &old, NULL) == OK &&
	            key_verify(key, text->data, text->len, old.data, old.len) &&
	            key_signature_is_canonical(key, old.data, old.len);
	enum status status = done ? OK : key_signature(key, text->data, text->len, &signature, err);

	if (status == OK)
		status = write_if_changed(root, LAYOUT_SUMS, text, err);
	if (status == OK && !done)
		status = root_write(root, LAYOUT_SUMS_SIGNATURE, signature.data, signature.len, err);
	bytes_free(&signature);
	bytes_free(&old);
	return status;
}

/* What the root manifest vouches for: SHA256SUMS, and the countersignatures, which have to be of this one. */
static void state_root(const struct root *root, const struct seal_options *options, const struct inventory *inventory,
                       const struct trust *trust, const struct bytes *sums, struct statement *statement,
                       struct findings *findings)
{
	const struct authority authority = {.trust = trust, .awaiting = true, .findings = findings};
	struct sha256 hash = sha256_of(sums->data, sums->len);
	struct countersignatures reviewed;

	*statement = (struct statement){
		.predicate_type = mem_text(PREDICATE_BUNDLE),
		.predicate = vouch_root_predicate(inventory->count, inventory->bytes, program, options->date),
	};
	statement_add(statement, LAYOUT_SUMS, &hash);
	countersignatures_check(root, inventory, sums, &authority, options->date, &reviewed);
	for (size_t i = 0; i < reviewed.count; i++)
		statement_add(statement, reviewed.at[i].path, &reviewed.at[i].hash);
	countersignatures_free(&reviewed);
}

static enum status seal_root(const struct root *root, const struct seal_options *options,
                             struct inventory *inventory, struct findings *findings, struct error *err)
{
	struct publication publication = {0};
	struct statement statement = {0};
	struct bytes text = {0};
	enum status status = prepare_key(root, options, inventory, &publication, err);

	if (status == OK) {
		for (size_t i = 0; i < inventory->count; i++)
			checksums_write(inventory->at[i].path, &inventory->at[i].hash, &text);
		state_root(root, options, inventory, &publication.trust, &text, &statement, findings);
		if (findings->count > 0)
			status = FAILS;
	}
	if (status == OK)
		status = publish_key(root, &publication, err);
	if (status == OK)
		status = write_sums(root, options->key, &text, err);
	if (status == OK)
		status = write_manifest(root, LAYOUT_ROOT_MANIFEST, &statement, options->key, err);
	if (status == OK && unlinkat(root->fd, LAYOUT_UNFINISHED, 0) != 0)
		status = error_errno(err, R_IO_WRITE, LAYOUT_UNFINISHED, "cannot remove the file");
	publication_free(&publication);
	bytes_free(&text);
	statement_free(&statement);
	return status;
}

/* Of countersignatures that were removed, so that it can be sealed again: a directory that holds nothing cannot be (R-BND-006). What stays is told. */
static void remove_emptied(const struct root *root)
{
	static const char above[] = "manifests/countersignatures";
	struct file_list list;

	root_list_past(root, above, &list);
	for (size_t i = list.count; i-- > 0;) /* what is beneath comes first so */
		if (list.at[i].kind == FILE_DIRECTORY)
			unlinkat(root->fd, list.at[i].path, AT_REMOVEDIR);
	unlinkat(root->fd, above, AT_REMOVEDIR);
	file_list_free(&list);
}

static enum status seal_locked(const struct root *root, const struct seal_options *options, struct verify_report *report,
                               struct error *err)
{
	bool as_root = strcmp(options->role, ROLE_ROOT) == 0;
	struct inventory inventory = {0};
	struct file_list sums;
	enum status status = check_content(root, err);

	*report = (struct verify_report){0};
	if (status == OK)
		status = check_name(options, err);
	if (status != OK)
		return status;
	remove_emptied(root);
	inventory_take(root, 0, options->quiet, &inventory, &report->findings);
	inventory_check_places(&inventory, &report->findings);
	objects_check(&inventory, &report->findings);
	root_list_past(root, "checksums", &sums);
	inventory_check_sums(&sums, &report->findings);
	file_list_free(&sums);
	if (report->findings.count > 0)
		status = FAILS;
	else if (as_root)
		status = seal_root(root, options, &inventory, &report->findings, err);
	else if (strcmp(options->role, ROLE_REPLAY) == 0)
		status = seal_replay(root, options, &inventory, report, err);
	else
		status = seal_imports(root, options, &inventory, report, err);
	inventory_free(&inventory);
	if (status == OK && as_root)
		status = bundle_verify(root,
		                       &(struct verify_options){.pinned = options->key->fingerprint,
		                                                .awaiting = true,
		                                                .quiet = options->quiet},
		                       report);
	findings_sort(&report->findings);
	return status;
}

enum status bundle_seal(const struct root *root, const struct seal_options *options, struct verify_report *report,
                        struct error *err)
{
	int lock;
	enum status status = bundle_lock(root, &lock, err);

	*report = (struct verify_report){0};
	if (status != OK)
		return status;
	status = seal_locked(root, options, report, err);
	bundle_unlock(lock);
	return status;
}
