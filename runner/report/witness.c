#include "witness.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/admitted.h"
#include "../bundle/layout.h"

/* The keys of the bundle, or of the submission, whose root is given. */
static void witnesses_read(const struct root *home, struct witnesses *witnesses)
{
	witnesses->status = trust_read(home, &witnesses->trust, &witnesses->why_not);
	/* A key that cannot be had vouches for nothing. */
	for (size_t i = 0; witnesses->status == OK && i < witnesses->trust.count; i++)
		(void)trust_load_key(home, &witnesses->trust.at[i], NULL);
}

void sealed_read(const struct root *bundle, struct sealed *sealed)
{
	struct bytes sums = {0}, left = {0};
	struct error err;

	*sealed = (struct sealed){0};
	if (root_read(bundle, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &sums, &err) == OK)
		checksums_parse(sums.data != NULL ? sums.data : "", sums.len, LAYOUT_SUMS, &sealed->sums, NULL, NULL);
	sealed->left = (struct left_out){.level = LEVEL_FULL, .sums = &sealed->sums};
	if (root_has(bundle, LAYOUT_LEFT_OUT) && root_read(bundle, LAYOUT_LEFT_OUT, CHECKSUMS_FILE_MAX, &left, &err) == OK)
		left_out_read(left.data != NULL ? left.data : "", left.len, &sealed->sums, &sealed->left, &err);
	witnesses_read(bundle, &sealed->witnesses);
	bytes_free(&sums);
	bytes_free(&left);
}

void sealed_free(struct sealed *sealed)
{
	checksums_free(&sealed->sums);
	trust_free(&sealed->witnesses.trust);
	*sealed = (struct sealed){0};
}

bool sealed_leaves_out(const struct sealed *sealed, const char *path)
{
	return level_leaves_out(sealed->left.level, path) && checksums_find(&sealed->sums, path) != NULL;
}

/* Whose keys count for the manifest: of one that a submission brought, the submission's. */
static const struct witnesses *witnesses_of(const struct root *bundle, const struct sealed *sealed, struct manifest *manifest)
{
	struct root home = {.fd = -1};
	size_t id;
	const char *rest;

	if (!layout_split(manifest->path, LAYOUT_SUBMISSIONS, &id, &rest))
		return &sealed->witnesses;
	char *directory = mem_format(LAYOUT_SUBMISSIONS "%.*s", (int)id, manifest->path + strlen(LAYOUT_SUBMISSIONS));

	manifest->own.status = root_beneath(bundle, directory, &home, &manifest->own.why_not);
	if (manifest->own.status == OK)
		witnesses_read(&home, &manifest->own);
	root_close(&home);
	free(directory);
	return &manifest->own;
}

static void open_manifest(struct manifest *manifest, const struct trust *trust, const struct bytes *text, bool is_run)
{
	struct findings findings = {0};
	const struct authority authority = {.trust = trust, .findings = &findings};

	manifest->believed = authority_open(&authority, manifest->path, text, is_run ? ROLE_REPLAY : ROLE_IMPORT, is_run ? PREDICATE_REPLAY : PREDICATE_IMPORT,
	                                    &manifest->statement, &manifest->signers);
	if (!manifest->believed)
		manifest->why_not = findings.count > 0 ? mem_format("%s (%s)", findings.at[0].what, rule_info(findings.at[0].rule)->id) : mem_text("it cannot be believed");
	findings_free(&findings);
}

static bool is_of_run(const char *path, const char *run)
{
	char *end = mem_format("/%s" LAYOUT_MANIFEST_END, run);
	const size_t len = strlen(path), tail = strlen(end);
	const bool is = len > tail && strcmp(path + len - tail, end) == 0;

	free(end);
	return is;
}

static char *why(const struct error *err)
{
	return mem_format("%s (%s)", err->what, rule_info(err->rule)->id);
}

void manifest_read(const struct root *bundle, const struct sealed *sealed, const char *run, const char *source, struct manifest *manifest)
{
	const struct witnesses *witnesses;
	struct bytes text = {0};
	struct error err;

	*manifest = (struct manifest){.path = manifest_of_run(bundle, run, source)};
	if (manifest->path == NULL || !root_has(bundle, manifest->path)) {
		free(manifest->path);
		manifest->path = NULL;
		return;
	}
	if (root_read(bundle, manifest->path, DSSE_FILE_MAX, &text, &err) != OK) {
		manifest->why_not = why(&err);
		return;
	}
	manifest->hash = sha256_of(text.data, text.len);
	witnesses = witnesses_of(bundle, sealed, manifest);
	if (witnesses->status == OK)
		open_manifest(manifest, &witnesses->trust, &text, is_of_run(manifest->path, run));
	else
		manifest->why_not = why(&witnesses->why_not);
	bytes_free(&text);
}

void manifest_free(struct manifest *manifest)
{
	if (manifest->believed)
		statement_free(&manifest->statement);
	trust_free(&manifest->own.trust);
	free(manifest->why_not);
	free(manifest->path);
	*manifest = (struct manifest){0};
}
