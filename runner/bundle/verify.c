#include "verify.h"

#include <stdlib.h>
#include <string.h>

#include "checksums.h"
#include "inventory.h"
#include "layout.h"
#include "vouch.h"

void verify_report_free(struct verify_report *report)
{
	findings_free(&report->findings);
	trust_free(&report->trust);
	countersignatures_free(&report->reviewed);
	*report = (struct verify_report){0};
}

static void on_fault(void *context, const struct error *err)
{
	findings_error(context, LAYOUT_SUMS, err);
}

/* A file of checksums/, whole; false (told) if it is missing or cannot be read. */
static bool read_one(const struct root *root, const struct file_list *list, const char *path, size_t max,
                     struct bytes *text, struct findings *findings)
{
	struct error err;
	bool there = false;

	for (size_t i = 0; i < list->count && !there; i++)
		there = strcmp(list->at[i].path, path) == 0;
	if (!there)
		findings_add(findings, R_BND_MISSING, path, "the file is missing");
	else if (root_read(root, path, max, text, &err) != OK)
		findings_error(findings, path, &err);
	else
		return true;
	return false;
}

/* checksums/ as it was read. */
struct sums_files {
	struct bytes text, signature, left;
	bool has_text, has_signature, has_left;
};

static void read_sums(const struct root *root, struct sums_files *files, struct findings *findings)
{
	struct file_list list;
	bool listed;

	root_list_past(root, "checksums", &list);
	listed = inventory_check_sums(&list, findings);
	for (size_t i = 0; i < list.count; i++) {
		if (strcmp(list.at[i].path, LAYOUT_LEFT_OUT) == 0)
			files->has_left = read_one(root, &list, LAYOUT_LEFT_OUT, CHECKSUMS_FILE_MAX, &files->left, findings);
		if (strcmp(list.at[i].path, LAYOUT_UNFINISHED) == 0)
			findings_add(findings, R_BND_UNFINISHED, LAYOUT_UNFINISHED, "sealing was begun and not ended");
	}
	files->has_text = listed && read_one(root, &list, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &files->text, findings);
	files->has_signature =
		listed && read_one(root, &list, LAYOUT_SUMS_SIGNATURE, KEY_FILE_MAX, &files->signature, findings);
	file_list_free(&list);
}

/* What was sealed, by content. */
struct by_hash {
	const struct checksum **at;
	size_t count;
};

static int by_hash_then_path(const void *a, const void *b)
{
	const struct checksum *const *x = a, *const *y = b;
	int order = memcmp(&(*x)->hash, &(*y)->hash, sizeof(*x)->hash);

	return order != 0 ? order : strcmp((*x)->path, (*y)->path);
}

static struct by_hash index_by_hash(const struct checksums *sums)
{
	struct by_hash index = {.at = mem_array(NULL, sums->count, sizeof *index.at), .count = sums->count};

	for (size_t i = 0; i < sums->count; i++)
		index.at[i] = &sums->at[i];
	if (index.count > 1)
		qsort(index.at, index.count, sizeof *index.at, by_hash_then_path);
	return index;
}

static int hash_of_entry(const void *hash, const void *entry)
{
	const struct checksum *const *sum = entry;

	return memcmp(hash, &(*sum)->hash, sizeof(*sum)->hash);
}

/* A file whose bytes are not those it was sealed with: are they another file's? */
static void tell_changed(struct inventory_file *file, const struct checksum *sum, const struct by_hash *index,
                         struct findings *findings)
{
	const struct checksum **other = bsearch(&file->hash, index->at, index->count, sizeof *index->at, hash_of_entry);
	char is[SHA256_HEX + 1], was[SHA256_HEX + 1];

	sha256_hex(&file->hash, is);
	sha256_hex(&sum->hash, was);
	if (other != NULL)
		findings_add(findings, R_BND_SWAPPED, file->path, "it holds the bytes sealed as '%s'", (*other)->path);
	else
		findings_add(findings, R_BND_CHANGED, file->path, "its SHA-256 is %s, sealed as %s", is, was);
	file->faulty = true;
}

static int file_by_hash(const void *a, const void *b)
{
	const struct inventory_file *const *x = a, *const *y = b;
	int order = memcmp(&(*x)->hash, &(*y)->hash, sizeof(*x)->hash);

	return order != 0 ? order : strcmp((*x)->path, (*y)->path);
}

/* The extra file with those bytes that no other missing name has claimed, or NULL. extras are sorted by hash. */
static struct inventory_file *claim(struct inventory_file **extras, size_t count, const struct sha256 *hash)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (memcmp(&extras[middle]->hash, hash, sizeof *hash) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	/* Claimed ones are marked faulty; files of equal bytes stand together. */
	while (low < count && memcmp(&extras[low]->hash, hash, sizeof *hash) == 0) {
		if (!extras[low]->faulty) {
			extras[low]->faulty = true;
			return extras[low];
		}
		low++;
	}
	return NULL;
}

static void tell_missing(const struct inventory *inventory, const struct checksum *sum, struct inventory_file **extras,
                         size_t extra_count, struct findings *findings)
{
	const struct inventory_file *found;

	if (!layout_is_listed(sum->path))
		findings_add(findings, R_SUM_SCOPE, LAYOUT_SUMS, "it lists '%s'", sum->path);
	else if ((found = claim(extras, extra_count, &sum->hash)) != NULL)
		findings_add(findings, R_BND_MISNAMED, sum->path, "its bytes stand under the name '%s'", found->path);
	else if (left_out_find(inventory->left, sum->path) != NULL && !inventory_has(inventory, sum->path))
		; /* it travels apart */
	else if (inventory_has(inventory, sum->path))
		findings_add(findings, R_BND_MISSING, sum->path, "something that is not a regular file stands in its place");
	else if (!inventory_hides(inventory, sum->path))
		findings_add(findings, R_BND_MISSING, sum->path, "the file is missing");
}

void verify_sums(struct inventory *inventory, const struct checksums *sums, struct findings *findings)
{
	struct by_hash index = index_by_hash(sums);
	const struct checksum **missing = mem_array(NULL, sums->count, sizeof *missing);
	struct inventory_file **extras = mem_array(NULL, inventory->count, sizeof *extras);
	size_t missing_count = 0, extra_count = 0;

	for (size_t f = 0, s = 0; f < inventory->count || s < sums->count;) {
		struct inventory_file *file = f < inventory->count ? &inventory->at[f] : NULL;
		const struct checksum *sum = s < sums->count ? &sums->at[s] : NULL;
		int order = file == NULL ? 1 : sum == NULL ? -1 : strcmp(file->path, sum->path);

		if (order == 0 && file->hashed && memcmp(&file->hash, &sum->hash, sizeof sum->hash) != 0)
			tell_changed(file, sum, &index, findings);
		if (order < 0 && file->hashed)
			extras[extra_count++] = file;
		if (order > 0)
			missing[missing_count++] = sum;
		f += order <= 0;
		s += order >= 0;
	}
	if (extra_count > 1)
		qsort(extras, extra_count, sizeof *extras, file_by_hash);
	for (size_t i = 0; i < missing_count; i++)
		tell_missing(inventory, missing[i], extras, extra_count, findings);
	for (size_t i = 0; i < extra_count; i++) {
		if (!extras[i]->faulty)
			findings_add(findings, R_BND_EXTRA, extras[i]->path, "it is not listed in " LAYOUT_SUMS);
		extras[i]->faulty = true;
	}
	free(extras);
	free(missing);
	free(index.at);
}

/* What the bundle leaves out, as it says itself or as the caller does. */
static void read_left_out(const struct sums_files *files, const struct bytes *text, const struct checksums *sums, struct left_out *left,
                          struct findings *findings)
{
	struct error err;

	*left = (struct left_out){0};
	if (text == NULL && files->has_left)
		text = &files->left;
	if (text != NULL && text->len > 0 && files->has_text && left_out_read(text->data, text->len, sums, left, &err) != OK)
		findings_error(findings, LAYOUT_LEFT_OUT, &err);
}

/* What is said to be left out is not there: else the list and the bundle tell two stories. */
static void check_left_out(const struct inventory *inventory, struct findings *findings)
{
	for (size_t i = 0; i < inventory->count; i++)
		if (left_out_find(inventory->left, inventory->at[i].path) != NULL)
			findings_add(findings, R_PCK_LEFT_OUT, inventory->at[i].path, "it is there, and " LAYOUT_LEFT_OUT " says that it is left out");
}

enum status bundle_verify_listed(const struct root *root, struct inventory *inventory, const struct bytes *left_text,
                                 const struct verify_options *options, struct verify_report *report)
{
	struct sums_files files = {0};
	struct checksums sums = {0};
	struct left_out left;
	struct findings *findings = &report->findings;

	read_sums(root, &files, findings);
	if (files.has_text)
		checksums_parse(files.text.data, files.text.len, LAYOUT_SUMS, &sums, on_fault, findings);
	read_left_out(&files, left_text, &sums, &left, findings);
	inventory->left = &left;
	inventory->sums = &sums;
	check_left_out(inventory, findings);
	/* Without a list every file would be extra: that it is missing says as much in one line. */
	if (files.has_text)
		verify_sums(inventory, &sums, findings);
	struct vouch vouch = {
		.root = root,
		.inventory = inventory,
		.sums_text = files.has_text ? &files.text : NULL,
		.sums_signature = files.has_signature ? &files.signature : NULL,
		.sums = &sums,
		.pinned = options->pinned,
		.admitted = options->admitted,
		.awaiting = options->awaiting,
		.findings = findings,
	};

	vouch_check(&vouch);
	findings_sort(findings);
	report->level = left.level;
	report->left_out = left.count;
	report->files = inventory->count;
	report->bytes = inventory->bytes;
	report->trust = vouch.trust;
	report->root_signers = vouch.root_signers;
	report->reviewed = vouch.reviewed;
	memcpy(report->date, vouch.date, sizeof report->date);
	if (vouch.root_signers.count > 0)
		memcpy(report->root_key, options->pinned != NULL ? options->pinned : vouch.root_signers.at[0]->fingerprint,
		       sizeof report->root_key);
	inventory->left = NULL;
	inventory->sums = NULL;
	checksums_free(&sums);
	bytes_free(&files.text);
	bytes_free(&files.signature);
	bytes_free(&files.left);
	return findings->count == 0 ? OK : FAILS;
}

enum status bundle_verify(const struct root *root, const struct verify_options *options, struct verify_report *report)
{
	struct inventory inventory;

	*report = (struct verify_report){0};
	inventory_take(root, options->threads, options->quiet, &inventory, &report->findings);
	enum status status = bundle_verify_listed(root, &inventory, NULL, options, report);

	inventory_free(&inventory);
	return status;
}
