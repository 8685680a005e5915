#include "sign.h"

#include <stdlib.h>
#include <string.h>

#include "imports.h"
#include "layout.h"

/* May the key sign that statement? Findings if not. */
static bool may_sign(const struct authority *authority, const char *file, const struct key *key, const char *role,
                     const char *predicate_type, const char *date)
{
	const struct trusted_key *trusted = trust_find(authority->trust, key->fingerprint);

	if (trusted == NULL) {
		findings_add(authority->findings, R_SIG_UNKNOWN, file, "to be signed with the key %s", key->fingerprint);
		return false;
	}
	bool may = authority_allows(authority, file, trusted, role, date);

	if (!words_have(&trusted->predicates, predicate_type)) {
		findings_add(authority->findings, R_SIG_PREDICATE, file, "%s may not sign '%s'", trusted->file, predicate_type);
		may = false;
	}
	return may;
}

static enum status add_signature(const struct root *root, const char *path, const struct bytes *text,
                                 const struct key *key, struct error *err)
{
	struct dsse envelope;
	struct bytes out = {0};
	enum status status = dsse_parse(text->data, text->len, path, &envelope, err);

	if (status != OK)
		return status;
	status = dsse_sign(&envelope, key, err);
	if (status == OK && strcmp(path, LAYOUT_ROOT_MANIFEST) != 0)
		status = root_write(root, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);
	if (status == OK) {
		dsse_write(&envelope, &out);
		status = root_write(root, path, out.data, out.len, err);
	}
	bytes_free(&out);
	dsse_free(&envelope);
	return status;
}

static enum status sign_root(const struct root *root, const struct sign_options *options, struct verify_report *report,
                             struct error *err)
{
	const struct verify_options how = {.awaiting = true, .quiet = options->quiet};
	struct bytes text = {0};
	enum status status = bundle_verify(root, &how, report);

	if (status == OK) {
		const struct authority authority = {.trust = &report->trust, .findings = &report->findings};

		if (!may_sign(&authority, LAYOUT_ROOT_MANIFEST, options->key, ROLE_ROOT, PREDICATE_BUNDLE,
		              report->date[0] != '\0' ? report->date : NULL))
			status = FAILS;
	}
	if (status == OK)
		status = root_read(root, LAYOUT_ROOT_MANIFEST, DSSE_FILE_MAX, &text, err);
	if (status == OK)
		status = add_signature(root, LAYOUT_ROOT_MANIFEST, &text, options->key, err);
	bytes_free(&text);
	if (status == OK) {
		verify_report_free(report);
		status = bundle_verify(root, &how, report);
	}
	return status;
}

static void load_keys(const struct root *root, struct trust *trust, struct findings *findings)
{
	struct error err;

	for (size_t i = 0; i < trust->count; i++)
		if (trust_load_key(root, &trust->at[i], &err) != OK)
			findings_error(findings, trust->at[i].file, &err);
}

static void check_subjects(const struct inventory *inventory, const char *path, const struct statement *statement,
                           struct findings *findings)
{
	for (size_t i = 0; i < statement->count; i++) {
		const struct subject *subject = &statement->subjects[i];
		const struct inventory_file *file = inventory_find(inventory, subject->name);

		if (file == NULL || !file->hashed)
			findings_add(findings, R_STM_SCOPE, path, "it vouches for '%s', which is not there", subject->name);
		else if (memcmp(&file->hash, &subject->hash, sizeof file->hash) != 0)
			findings_add(findings, R_STM_DIGEST, subject->name, "%s vouches for other bytes", path);
	}
}

/* The statement holds, and the key may sign it: else there are findings. */
static void check_import(const struct root *root, const struct import *import, const struct inventory *inventory,
                         const struct bytes *text, const struct key *key, struct verify_report *report)
{
	const struct authority authority = {.trust = &report->trust, .awaiting = true, .findings = &report->findings};
	const char *role = import->replay ? ROLE_REPLAY : ROLE_IMPORT;
	const char *predicate_type = import->replay ? PREDICATE_REPLAY : PREDICATE_IMPORT;
	struct statement statement;
	struct signers signers;

	load_keys(root, &report->trust, &report->findings);
	if (!authority_open(&authority, import->manifest, text, role, predicate_type, &statement, &signers))
		return;
	check_subjects(inventory, import->manifest, &statement, &report->findings);
	may_sign(&authority, import->manifest, key, role, predicate_type, statement_date(&statement));
	statement_free(&statement);
}

static enum status sign_import(const struct root *root, const struct sign_options *options, struct verify_report *report,
                               struct error *err)
{
	struct inventory inventory;
	struct imports imports;
	struct bytes text = {0};

	inventory_take(root, 0, options->quiet, &inventory, &report->findings);
	imports_collect(root, &inventory, &imports, &report->findings);
	const struct import *import = imports_find(&imports, options->manifest);
	enum status status = report->findings.count > 0 ? FAILS : trust_read(root, &report->trust, err);

	if (import == NULL)
		import = imports_find_replay(&imports, options->manifest);
	if (status == OK && import == NULL)
		status = error_set(err, R_STM_SCOPE, LAYOUT_MANIFESTS, "'%s' is no source and no measured run of this bundle",
		                   options->manifest);
	if (status == OK)
		status = root_read(root, import->manifest, DSSE_FILE_MAX, &text, err);
	if (status == OK) {
		check_import(root, import, &inventory, &text, options->key, report);
		status = report->findings.count > 0 ? FAILS : OK;
	}
	if (status == OK)
		status = add_signature(root, import->manifest, &text, options->key, err);
	bytes_free(&text);
	imports_free(&imports);
	inventory_free(&inventory);
	findings_sort(&report->findings);
	return status;
}

enum status bundle_sign(const struct root *root, const struct sign_options *options, struct verify_report *report,
                        struct error *err)
{
	*report = (struct verify_report){0};
	if (options->manifest == NULL || strcmp(options->manifest, "root") == 0)
		return sign_root(root, options, report, err);
	if (!layout_name_valid(options->manifest))
		return error_set(err, R_BND_NAME, "", "'%s' is no name of a manifest", options->manifest);
	return sign_import(root, options, report, err);
}
