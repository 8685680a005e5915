#include "foresee.h"

#include <stdlib.h>
#include <string.h>

#include "../base/kept.h"
#include "../bundle/admitted.h"
#include "../bundle/checksums.h"
#include "../bundle/inventory.h"
#include "../bundle/layout.h"
#include "../bundle/vouch.h"
#include "logbook.h"

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct kept_file *)a)->path, ((const struct kept_file *)b)->path);
}

/* What the submission would add, by the archive's paths. list: of the submission; its paths are lent. */
static struct kept added(const struct root *submission, const struct root *archive, const char *id, const struct file_list *list)
{
	/* And one more, for the entry. */
	struct kept kept = {.at = mem_array(NULL, list->count + 1, sizeof *kept.at)};

	for (size_t i = 0; i < list->count; i++) {
		char *path = admitted_path(id, list->at[i].path);

		if (list->at[i].kind == FILE_REGULAR && !root_has(archive, path))
			kept.at[kept.count++] = (struct kept_file){.path = path, .size = list->at[i].size, .home = submission, .there = list->at[i].path};
		else
			free(path);
	}
	if (kept.count > 1)
		qsort(kept.at, kept.count, sizeof *kept.at, by_path);
	return kept;
}

static void add_entry(struct kept *kept, const char *id, const struct bytes *entry, struct inventory *inventory)
{
	struct kept_file file = {.path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_ENTRY, id), .size = entry->len, .held = true};
	size_t at = kept->count++;

	bytes_add(&file.text, entry->data, entry->len);
	while (at > 0 && strcmp(kept->at[at - 1].path, file.path) > 0) {
		kept->at[at] = kept->at[at - 1];
		at--;
	}
	kept->at[at] = file;
	inventory_put(inventory, file.path, entry->data, entry->len);
}

/* Everything that verifying looks at but the root seal, which is to come. */
static void verify_unsealed(const struct root *root, struct inventory *inventory, const struct bytes *entry, struct findings *findings)
{
	struct checksums sums = {0};
	struct bytes text = {0};

	for (size_t i = 0; i < inventory->count; i++)
		if (inventory->at[i].hashed)
			checksums_write(inventory->at[i].path, &inventory->at[i].hash, &text);
	checksums_parse(text.data != NULL ? text.data : "", text.len, LAYOUT_SUMS, &sums, NULL, NULL);
	inventory->sums = &sums;
	struct vouch vouch = {.root = root, .inventory = inventory, .sums_text = &text, .sums = &sums, .unsealed = true, .findings = findings};

	vouch_check(&vouch);
	logbook_check_with(root, entry, findings);
	inventory->sums = NULL;
	trust_free(&vouch.trust);
	countersignatures_free(&vouch.reviewed);
	checksums_free(&sums);
	bytes_free(&text);
}

static void verify_with(const struct root *submission, const struct root *archive, const char *id, const struct bytes *entry, bool quiet,
                        struct findings *findings)
{
	struct file_list list;
	struct inventory inventory;

	root_list_past(submission, "", &list);
	struct kept kept = added(submission, archive, id, &list);
	const struct root root = kept_over(&kept, archive);

	inventory_take(&root, 0, quiet, &inventory, findings);
	add_entry(&kept, id, entry, &inventory);
	verify_unsealed(&root, &inventory, entry, findings);
	inventory_free(&inventory);
	for (size_t i = 0; i < kept.count; i++) {
		free((char *)kept.at[i].path);
		bytes_free(&kept.at[i].text);
	}
	free(kept.at);
	file_list_free(&list);
}

static void verify_without(const struct root *archive, bool quiet, struct findings *findings)
{
	struct inventory inventory;

	inventory_take(archive, 0, quiet, &inventory, findings);
	verify_unsealed(archive, &inventory, NULL, findings);
	inventory_free(&inventory);
}

static bool has(const struct findings *findings, const struct finding *one)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *other = &findings->at[i];

		if (other->rule == one->rule && other->line == one->line && strcmp(other->file, one->file) == 0 && strcmp(other->what, one->what) == 0)
			return true;
	}
	return false;
}

void foresee(const struct root *submission, const struct root *archive, const char *id, const struct bytes *entry, bool quiet, struct findings *findings)
{
	struct findings with = {0}, without = {0};
	struct tlog log = {0};
	struct error err;

	/* What is wrong with the log is the archive's own, and nothing can be added to it all the same. */
	const enum status opened = logbook_open(archive, &log, &err);

	tlog_close(&log);
	if (opened != OK) {
		findings_error(findings, NULL, &err);
		return;
	}
	verify_with(submission, archive, id, entry, quiet, &with);
	if (with.count > 0)
		verify_without(archive, quiet, &without);
	for (size_t i = 0; i < with.count; i++) {
		const struct finding *one = &with.at[i];

		if (!has(&without, one))
			findings_add_field(findings, one->rule, one->file, one->field, "once admitted: %s", one->what);
	}
	findings_free(&with);
	findings_free(&without);
}
