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
#include "objects.h"
#include "statement.h"
#include "vouch.h"

static const char program[] = "ptxseal " PTXSEAL_VERSION;

static const char unfinished[] = "Sealing was begun. It ends with: ptxseal seal --role root\n";

static bool exists(const struct root *root, const char *path)
{
	return faccessat(root->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Write only what differs: a second seal of the same bundle changes nothing. */
static enum status write_if_changed(const struct root *root, const char *path, const struct bytes *text,
                                    struct error *err)
{
	struct bytes old = {0};
	enum status status = OK;
	bool same = exists(root, path) && root_read(root, path, text->len, &old, NULL) == OK && old.len == text->len &&
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

struct role {
	const char *name, *predicate, *purpose;
};

static const struct role *find_role(const char *name)
{
	static const struct role roles[] = {
		{ROLE_ROOT, PREDICATE_BUNDLE, "seals the bundle as a whole"},
		{ROLE_IMPORT, PREDICATE_IMPORT, "vouches for figures that were carried over from a source"},
		{ROLE_REPLAY, PREDICATE_REPLAY, "vouches for runs that were measured here"},
	};
	size_t i = 0;

	while (strcmp(roles[i].name, name) != 0)
		i++;
	return &roles[i];
}

/* The first writes: put the public key into manifests/keys/ and its rights into trust.json. */
static enum status publish_key(const struct root *root, const struct seal_options *options, struct inventory *inventory,
                               struct error *err)
{
	const struct role *role = find_role(options->role);
	char *file = mem_format("keys/%s" LAYOUT_KEY_END, options->name != NULL ? options->name : options->role);
	struct bytes text = {0}, pem = {0};
	struct trust trust = {0};
	enum status status = OK;

	if (exists(root, LAYOUT_TRUST)) {
		status = root_read(root, LAYOUT_TRUST, TRUST_FILE_MAX, &text, err);
		if (status == OK)
			status = trust_parse(text.data, text.len, &trust, err);
	}
	const struct trusted_key *known = status == OK ? trust_find(&trust, options->key->fingerprint) : NULL;

	if (known != NULL && options->name != NULL && strcmp(known->file, file) != 0)
		status = error_set(err, R_KEY_NAME, file, "the key stands in %s already", known->file);
	if (status == OK)
		status = trust_grant(&trust, file, options->key->fingerprint, role->name, role->predicate, role->purpose,
		                     options->replace, err);
	if (status == OK)
		status = key_write(KEY_PUBLIC, options->key, &pem, err);
	if (status == OK) {
		char *path = mem_format(LAYOUT_MANIFESTS "%s", trust_find(&trust, options->key->fingerprint)->file);

		status = root_write(root, LAYOUT_UNFINISHED, unfinished, strlen(unfinished), err);
		if (status == OK)
			status = write_if_changed(root, path, &pem, err);
		inventory_put(inventory, path, pem.data, pem.len);
		free(path);
	}
	if (status == OK) {
		text.len = 0;
		trust_write(&trust, &text);
		inventory_put(inventory, LAYOUT_TRUST, text.data, text.len);
		status = write_if_changed(root, LAYOUT_TRUST, &text, err);
	}
	trust_free(&trust);
	bytes_free(&pem);
	bytes_free(&text);
	free(file);
	return status;
}

static enum status write_manifest(const struct root *root, const char *path, const struct statement *statement,
                                  const struct key *key, struct error *err)
{
	struct dsse envelope = {.payload_type = mem_text(STATEMENT_PAYLOAD_TYPE)};
	struct bytes text = {0};
	enum status status = statement_write(statement, &envelope.payload, err);

	if (status == OK)
		status = dsse_sign(&envelope, key, err);
	if (status == OK) {
		dsse_write(&envelope, &text);
		status = write_if_changed(root, path, &text, err);
	}
	bytes_free(&text);
	dsse_free(&envelope);
	return status;
}

static enum status state_import(const struct root *root, const struct inventory *inventory, const struct import *import,
                                struct statement *statement, struct verify_report *report, struct error *err)
{
	*statement = (struct statement){.predicate_type = mem_text(import->replay ? PREDICATE_REPLAY : PREDICATE_IMPORT)};
	for (size_t i = 0; i < import->count; i++) {
		const struct inventory_file *file = &inventory->at[import->files[i]];

		statement_add(statement, file->path, &file->hash);
		report->bytes += file->size;
	}
	report->files += import->count;
	return import_predicate(root, inventory, import, program, &statement->predicate, err);
}

static enum status seal_imports(const struct root *root, const struct seal_options *options,
                                struct inventory *inventory, struct verify_report *report, struct error *err)
{
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
		status = state_import(root, inventory, &imports.at[stated], &statements[stated], report, err);
		stated++;
	}
	if (status == OK)
		status = publish_key(root, options, inventory, err);
	for (size_t i = 0; i < imports.count && status == OK; i++)
		status = write_manifest(root, imports.at[i].manifest, &statements[i], options->key, err);
	for (size_t i = 0; i < stated; i++)
		statement_free(&statements[i]);
	free(statements);
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
		struct statement statement;

		status = state_import(root, inventory, replay, &statement, report, err);
		if (status == OK)
			status = publish_key(root, options, inventory, err);
		if (status == OK)
			status = write_manifest(root, replay->manifest, &statement, options->key, err);
		statement_free(&statement);
	}
	imports_free(&imports);
	return status;
}

static enum status write_sums(const struct root *root, const struct key *key, const struct bytes *text, struct error *err)
{
	uint8_t signature[KEY_SIGNATURE_BYTES];
	enum status status = key_sign(key, text->data, text->len, signature, err);

	if (status == OK)
		status = root_write(root, LAYOUT_SUMS, text->data, text->len, err);
	if (status == OK)
		status = root_write(root, LAYOUT_SUMS_SIGNATURE, signature, sizeof signature, err);
	return status;
}

static enum status seal_root(const struct root *root, const struct seal_options *options,
                             struct inventory *inventory, struct error *err)
{
	enum status status = publish_key(root, options, inventory, err);

	if (status != OK)
		return status;
	struct statement statement = {
		.predicate_type = mem_text(PREDICATE_BUNDLE),
		.predicate = vouch_root_predicate(inventory->count, inventory->bytes, program),
	};
	struct bytes text = {0};

	for (size_t i = 0; i < inventory->count; i++)
		checksums_write(inventory->at[i].path, &inventory->at[i].hash, &text);
	struct sha256 hash = sha256_of(text.data, text.len);

	status = write_sums(root, options->key, &text, err);

	statement_add(&statement, LAYOUT_SUMS, &hash);
	if (status == OK)
		status = write_manifest(root, LAYOUT_ROOT_MANIFEST, &statement, options->key, err);
	if (status == OK && unlinkat(root->fd, LAYOUT_UNFINISHED, 0) != 0)
		status = error_errno(err, R_IO_WRITE, LAYOUT_UNFINISHED, "cannot remove the file");
	bytes_free(&text);
	statement_free(&statement);
	return status;
}

enum status bundle_seal(const struct root *root, const struct seal_options *options, struct verify_report *report,
                        struct error *err)
{
	bool as_root = strcmp(options->role, ROLE_ROOT) == 0;
	struct inventory inventory = {0};
	struct file_list sums;
	enum status status = check_content(root, err);

	*report = (struct verify_report){0};
	if (status == OK && options->name != NULL && !layout_name_valid(options->name))
		status = error_set(err, R_BND_NAME, "", "'%s' cannot name a key", options->name);
	if (status != OK)
		return status;
	inventory_take(root, 0, options->quiet, &inventory, &report->findings);
	inventory_check_places(&inventory, &report->findings);
	objects_check(&inventory, &report->findings);
	root_list_past(root, "checksums", &sums);
	inventory_check_sums(&sums, &report->findings);
	file_list_free(&sums);
	if (report->findings.count > 0)
		status = FAILS;
	else if (as_root)
		status = seal_root(root, options, &inventory, err);
	else if (strcmp(options->role, ROLE_REPLAY) == 0)
		status = seal_replay(root, options, &inventory, report, err);
	else
		status = seal_imports(root, options, &inventory, report, err);
	inventory_free(&inventory);
	if (status == OK && as_root)
		status = bundle_verify(root,
		                       &(struct verify_options){.pinned = options->key->fingerprint,
		                                                .quiet = options->quiet},
		                       report);
	findings_sort(&report->findings);
	return status;
}
