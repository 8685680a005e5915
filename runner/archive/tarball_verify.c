#include "tarball.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "intake.h"

/* What verifying a bundle reads besides hashing it. */
static bool keep(const char *path)
{
	static const char *const places[] = {LAYOUT_MANIFESTS, "checksums/", LAYOUT_SOURCES, REPLAY_DIRECTORY "/"};
	const char *beneath = path + strlen(TARBALL_DATA "/"), *rest;
	size_t len;

	for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
		if (strncmp(beneath, places[i], strlen(places[i])) == 0)
			return true;
	/* Single files at the top of artifact/ describe the whole bundle. */
	return (layout_split(beneath, LAYOUT_RUNS, &len, &rest) && strchr(rest, '/') == NULL) ||
	       (strncmp(beneath, "artifact/", strlen("artifact/")) == 0 && strchr(beneath + strlen("artifact/"), '/') == NULL);
}

/* The bundle within the bag. Paths and texts stay the intake's; free the array. */
static struct kept bundle_of(const struct intake *intake, size_t *first)
{
	struct kept bundle = {.at = mem_array(NULL, intake->kept.count, sizeof *bundle.at)};

	*first = 0;
	for (size_t i = 0; i < intake->kept.count; i++) {
		struct kept_file file = intake->kept.at[i];

		if (intake_is_tag(file.path)) {
			*first += bundle.count == 0;
			continue;
		}
		file.path += strlen(TARBALL_DATA "/");
		bundle.at[bundle.count++] = file;
	}
	return bundle;
}

/* Is all at hand that was to be kept? If not, nothing can be said of what stands in it, and that is told. */
static bool has_all(const struct kept *bundle, struct findings *findings)
{
	size_t at = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->at[i].rule == R_PCK_KEPT)
			return false;
	while (at < bundle->count && (bundle->at[at].held || strncmp(bundle->at[at].path, LAYOUT_MANIFESTS, strlen(LAYOUT_MANIFESTS)) != 0))
		at++;
	if (at < bundle->count)
		findings_add(findings, R_PCK_KEPT, bundle->at[at].path, "%llu bytes that were not kept", (unsigned long long)bundle->at[at].size);
	return at == bundle->count;
}

static enum status verify_bundle(const struct intake *intake, const char *file, const struct verify_options *options, tarball_also *also,
                                 void *context, struct verify_report *report)
{
	size_t first;
	struct kept bundle = bundle_of(intake, &first);
	struct inventory inventory = {0};
	struct root root;

	kept_open(&bundle, file, &root);
	inventory_list(&root, &inventory, &report->findings);
	/* Both are in the order of the paths, and the inventory has some of the bundle's files. */
	for (size_t i = 0, at = 0; i < inventory.count; i++) {
		while (strcmp(bundle.at[at].path, inventory.at[i].path) != 0)
			at++;
		if (!inventory.at[i].faulty)
			inventory_hashed(&inventory, i, bundle.at[at].size, &intake->hashes[first + at], intake->private_keys[first + at], &report->findings);
	}
	bundle_verify_listed(&root, &inventory, NULL, options, report);
	if (also != NULL && has_all(&bundle, &report->findings))
		also(context, &root, &report->findings);
	findings_sort(&report->findings);
	inventory_free(&inventory);
	root_close(&root);
	free(bundle.at);
	return report->findings.count == 0 ? OK : FAILS;
}

enum status tarball_verify(const char *file, const struct verify_options *options, tarball_also *also, void *context, struct tarball_report *report,
                           struct error *err)
{
	struct intake_sink sink = {.keep = keep};
	struct intake intake = {0};

	*report = (struct tarball_report){0};
	enum status status = intake_read(file, options->quiet, &sink, &intake, err);

	/* What is wrong with the bag is told alone: its files would be told again as differing from the seal. */
	if (status == OK) {
		intake_check_bag(&intake, file, &report->verify.findings);
		findings_sort(&report->verify.findings);
		status = findings_status(&report->verify.findings);
	}
	if (status == OK)
		status = verify_bundle(&intake, file, options, also, context, &report->verify);
	report->files = intake.kept.count;
	report->bytes = intake.bytes;
	report->packed = intake.packed;
	intake_free(&intake);
	return status;
}
