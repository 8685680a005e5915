#include "tarball.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/draft.h"
#include "../bundle/key.h"
#include "../bundle/layout.h"
#include "bagtext.h"
#include "crate.h"
#include "intake.h"
#include "tar.h"

enum { BLOCK_BYTES = HASH_LOOK_MAX }; /* in a level 2 cache it is read, hashed and copied once more, to where libzstd's threads compress it */

/* A file of the archive. */
struct piece {
	char *path;               /* beneath bundle/ */
	const struct bytes *text; /* its bytes; NULL: a file of the bundle */
	size_t at;                /* of the inventory, if it is in there */
	bool listed;              /* so it is */
	uint64_t size;
	struct sha256 hash;
};

struct packing {
	const struct root *root;
	const char *file;
	const struct tarball_pack_options *options;
	struct tarball_report *report;
	struct checksums sums;
	struct left_out left;
	struct bytes left_text, info, declaration;
	struct inventory inventory;
	struct crate crate;
	struct piece *pieces;
	size_t count, room;
	struct draft draft;
	struct frame_writer *frame;
	struct tar_writer *tar;
	struct sha256_stream *hash;
	struct progress *progress;
	uint64_t tar_bytes;
	unsigned char *block;
};

static void on_fault(void *context, const struct error *err)
{
	findings_error(context, LAYOUT_SUMS, err);
}

/* What is sealed, and what of it shall go along. Not OK: err, or a finding. */
static enum status choose(struct packing *packing, struct error *err)
{
	struct findings *findings = &packing->report->verify.findings;
	struct bytes text = {0}, before = {0};
	struct file_list list;
	struct left_out left = {0};
	enum status status = OK;

	root_list_past(packing->root, "checksums", &list);
	if (root_read(packing->root, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, err) != OK)
		findings_error(findings, LAYOUT_SUMS, err);
	else
		checksums_parse(text.data, text.len, LAYOUT_SUMS, &packing->sums, on_fault, findings);
	for (size_t i = 0; i < list.count && findings->count == 0; i++) {
		if (strcmp(list.at[i].path, LAYOUT_LEFT_OUT) != 0)
			continue;
		if (root_read(packing->root, LAYOUT_LEFT_OUT, CHECKSUMS_FILE_MAX, &before, err) != OK ||
		    left_out_read(before.data, before.len, &packing->sums, &left, err) != OK)
			findings_error(findings, LAYOUT_LEFT_OUT, err);
	}
	packing->left = left_out_of(&packing->sums, packing->options->level);
	if (findings->count == 0 && packing->left.level < left.level)
		status = error_set(err, R_PCK_LEVEL, packing->root->name, "it is a bundle of the level %s", level_name(left.level));
	left_out_write(&packing->left, &packing->left_text);
	file_list_free(&list);
	bytes_free(&before);
	bytes_free(&text);
	return status != OK ? status : findings->count > 0 ? FAILS : OK;
}

/* The inventory as it is in the archive: without what is left out. */
static void leave_out(struct packing *packing)
{
	struct inventory *inventory = &packing->inventory;
	struct file_list *list = &inventory->list;
	size_t files = 0, entries = 0;

	for (size_t i = 0; i < inventory->count; i++)
		if (left_out_find(&packing->left, inventory->at[i].path) == NULL)
			inventory->at[files++] = inventory->at[i];
	for (size_t i = 0; i < list->count; i++) {
		if (list->at[i].kind == FILE_REGULAR && left_out_find(&packing->left, list->at[i].path) != NULL)
			free(list->at[i].path);
		else
			list->at[entries++] = list->at[i];
	}
	inventory->count = files;
	list->count = entries;
	inventory->left = &packing->left;
}

static struct piece *add(struct packing *packing, char *path, uint64_t size)
{
	if (packing->count == packing->room) {
		packing->room = packing->room == 0 ? 256 : packing->room * 2;
		packing->pieces = mem_array(packing->pieces, packing->room, sizeof *packing->pieces);
	}
	packing->pieces[packing->count] = (struct piece){.path = path, .size = size};
	return &packing->pieces[packing->count++];
}

static void add_text(struct packing *packing, const char *path, const struct bytes *text)
{
	add(packing, mem_text(path), text->len)->text = text;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct piece *)a)->path, ((const struct piece *)b)->path);
}

/* Every file of data/, and the sizes of all of them. */
static void gather_payload(struct packing *packing)
{
	struct file_list list;

	root_list_past(packing->root, "checksums", &list);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].kind == FILE_REGULAR && strcmp(list.at[i].path, LAYOUT_LEFT_OUT) != 0)
			add(packing, mem_format(TARBALL_DATA "/%s", list.at[i].path), list.at[i].size);
	file_list_free(&list);
	for (size_t i = 0; i < packing->inventory.list.count; i++) {
		const struct file_entry *entry = &packing->inventory.list.at[i];
		const struct inventory_file *file = inventory_find(&packing->inventory, entry->path);

		if (entry->kind != FILE_REGULAR)
			continue;
		struct piece *piece = add(packing, mem_format(TARBALL_DATA "/%s", entry->path), entry->size);

		piece->listed = file != NULL;
		piece->at = file != NULL ? (size_t)(file - packing->inventory.at) : 0;
	}
	if (packing->left_text.len > 0)
		add_text(packing, TARBALL_DATA "/" LAYOUT_LEFT_OUT, &packing->left_text);
	add_text(packing, TARBALL_DATA "/" TARBALL_CRATE, &packing->crate.text);
}

/* What unpacking would refuse is not packed. */
static enum status check_limits(struct packing *packing, uint64_t *bytes, struct error *err)
{
	enum { TAGS = 4, TAG_NAMES = 80 };
	uint64_t names = TAG_NAMES;

	*bytes = 0;
	qsort(packing->pieces, packing->count, sizeof *packing->pieces, by_path);
	for (size_t i = 0; i < packing->count; i++) {
		const struct piece *piece = &packing->pieces[i];

		if (!path_valid(piece->path, strlen(piece->path)) || intake_parts(piece->path) > TARBALL_DEPTH_MAX)
			return error_set(err, R_PCK_NAME, piece->path, "its name in the archive is too long or has too many parts");
		if (piece->size > TARBALL_BYTES_MAX - *bytes)
			return error_set(err, R_PCK_LIMIT, packing->root->name, "more than %llu bytes", (unsigned long long)TARBALL_BYTES_MAX);
		names += intake_name_cost(i > 0 ? packing->pieces[i - 1].path : "", piece->path);
		if (names > INTAKE_NAMES_MAX)
			return error_set(err, R_PCK_LIMIT, packing->root->name, "more than %d bytes of names", INTAKE_NAMES_MAX);
		*bytes += piece->size;
	}
	if (packing->count > TARBALL_FILES_MAX - TAGS)
		return error_set(err, R_PCK_LIMIT, packing->root->name, "more than %d files", TARBALL_FILES_MAX - TAGS);
	return OK;
}

/* bagit.txt and bag-info.txt (RFC 8493 sections 2.1.1 and 2.2.2). No clock: the bag's date is that of its newest record. */
static void write_tags(struct packing *packing, uint64_t bytes)
{
	struct sha256 sums;
	struct bytes text = {0};
	char hex[SHA256_HEX + 1];
	struct error err;

	bytes_text(&packing->declaration, "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n");
	bytes_text(&packing->info, "Bag-Software-Agent: ptxseal\n");
	if (packing->crate.date[0] != '\0')
		bytes_format(&packing->info, "Bagging-Date: %s\n", packing->crate.date);
	bytes_format(&packing->info, "External-Description: A sealed bundle of ptxseal, level %s\n", level_name(packing->left.level));
	if (root_read(packing->root, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, &err) == OK) {
		sums = sha256_of(text.data, text.len);
		sha256_hex(&sums, hex);
		bytes_format(&packing->info, "External-Identifier: sha256:%s\n", hex);
	}
	bytes_format(&packing->info, "Payload-Oxum: %llu.%zu\n", (unsigned long long)bytes, packing->count);
	bytes_free(&text);
	add_text(packing, "bag-info.txt", &packing->info);
	add_text(packing, "bagit.txt", &packing->declaration);
	qsort(packing->pieces, packing->count, sizeof *packing->pieces, by_path);
}

/* Where the tar archive goes. */
static enum status on_tar(void *context, const void *data, size_t len, struct error *err)
{
	struct packing *packing = context;

	packing->tar_bytes += len;
	return frame_write(packing->frame, data, len, err);
}

static enum status put_text(struct packing *packing, struct piece *piece, struct error *err)
{
	char *name = mem_format(TARBALL_TOP "%s", piece->path);
	enum status status = tar_entry(packing->tar, name, piece->text->len, err);

	free(name);
	if (status == OK && piece->text->len > 0)
		status = tar_data(packing->tar, piece->text->data, piece->text->len, err);
	piece->hash = sha256_of(piece->text->data != NULL ? piece->text->data : "", piece->text->len);
	packing->report->files++;
	packing->report->bytes += piece->text->len;
	return status;
}

static enum status put_file(struct packing *packing, struct piece *piece, struct error *err)
{
	const char *path = piece->path + strlen(TARBALL_DATA "/");
	char *name = mem_format(TARBALL_TOP "%s", piece->path);
	uint64_t size, done = 0;
	bool private_key = false;
	int fd;
	enum status status = root_open_file(packing->root, path, &fd, &size, err);

	if (status == OK && size != piece->size)
		status = error_set(err, R_IO_CHANGED, path, "its size changed");
	if (status == OK)
		status = tar_entry(packing->tar, name, size, err);
	while (status == OK && done < size) {
		ssize_t n = read(fd, packing->block, size - done < BLOCK_BYTES ? (size_t)(size - done) : BLOCK_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = error_errno(err, R_IO_READ, path, "cannot read the file");
		else if (n == 0)
			status = error_set(err, R_IO_CHANGED, path, "it ends after %llu of %llu bytes", (unsigned long long)done, (unsigned long long)size);
		if (n <= 0)
			break;
		sha256_add(packing->hash, packing->block, (size_t)n);
		private_key = (uint64_t)n == size && size <= HASH_LOOK_MAX && key_is_private(packing->block, (size_t)n);
		status = tar_data(packing->tar, packing->block, (size_t)n, err);
		done += (uint64_t)n;
		progress_add(packing->progress, (uint64_t)n);
	}
	if (fd >= 0)
		close(fd);
	free(name);
	piece->hash = sha256_end(packing->hash);
	if (status == OK && piece->listed)
		inventory_hashed(&packing->inventory, piece->at, size, &piece->hash, private_key, &packing->report->verify.findings);
	packing->report->files++;
	packing->report->bytes += size;
	return status;
}

/* The manifests, whose names sort after data/. */
static enum status put_manifests(struct packing *packing, struct error *err)
{
	struct bytes manifest = {0}, tags = {0};
	struct piece last[] = {{.path = (char *)"manifest-sha256.txt", .text = &manifest}, {.path = (char *)TARBALL_TAGS, .text = &tags}};

	for (size_t i = 0; i < packing->count; i++) {
		bool payload = strncmp(packing->pieces[i].path, TARBALL_DATA "/", strlen(TARBALL_DATA "/")) == 0;

		bag_write_line(packing->pieces[i].path, &packing->pieces[i].hash, payload ? &manifest : &tags);
	}
	enum status status = put_text(packing, &last[0], err);

	bag_write_line(last[0].path, &last[0].hash, &tags);
	if (status == OK)
		status = put_text(packing, &last[1], err);
	packing->report->tags = last[1].hash;
	bytes_free(&manifest);
	bytes_free(&tags);
	return status;
}

static unsigned default_threads(void)
{
	unsigned all = cores();

	return all < TARBALL_THREADS ? all : TARBALL_THREADS;
}

static enum status put_all(struct packing *packing, uint64_t bytes, struct error *err)
{
	const struct tarball_pack_options *options = packing->options;
	enum status status = draft_file(packing->file, &packing->draft, err);

	if (status != OK)
		return status;
	status = frame_create(packing->draft.fd, packing->file, options->zstd_level != 0 ? options->zstd_level : TARBALL_LEVEL_DEFAULT,
	                      options->threads != 0 ? options->threads : default_threads(), &packing->frame, err);
	if (status != OK)
		return status;
	packing->hash = sha256_stream_new();
	packing->block = mem_alloc(BLOCK_BYTES);
	packing->progress = progress_start("packing", "bytes", bytes, options->quiet);
	tar_create(packing->file, on_tar, packing, &packing->tar);
	for (size_t i = 0; i < packing->count && status == OK; i++)
		status = packing->pieces[i].text != NULL ? put_text(packing, &packing->pieces[i], err) : put_file(packing, &packing->pieces[i], err);
	if (status == OK)
		status = put_manifests(packing, err);
	if (status == OK)
		status = tar_end(packing->tar, err);
	if (status == OK)
		status = frame_end(packing->frame, err);
	packing->report->packed = frame_written(packing->frame);
	if (status == OK && packing->tar_bytes > FRAME_RATIO_FREE && packing->tar_bytes / FRAME_RATIO_MAX > packing->report->packed)
		status = error_set(err, R_PCK_LIMIT, packing->file, "%llu bytes became %llu: nobody would unpack that", (unsigned long long)packing->tar_bytes,
		                   (unsigned long long)packing->report->packed);
	return status;
}

/* Everything has been read and hashed: does it hold? */
static enum status verify_packed(struct packing *packing)
{
	struct verify_options options = {0};

	bundle_verify_listed(packing->root, &packing->inventory, &packing->left_text, &options, &packing->report->verify);
	if (packing->options->also != NULL)
		packing->options->also(NULL, packing->root, &packing->report->verify.findings);
	return packing->report->verify.findings.count == 0 ? OK : FAILS;
}

static void release(struct packing *packing)
{
	progress_end(packing->progress);
	tar_close(packing->tar);
	frame_close(packing->frame);
	draft_drop(&packing->draft);
	sha256_stream_free(packing->hash);
	for (size_t i = 0; i < packing->count; i++)
		free(packing->pieces[i].path);
	free(packing->pieces);
	free(packing->block);
	crate_free(&packing->crate);
	inventory_free(&packing->inventory);
	checksums_free(&packing->sums);
	bytes_free(&packing->left_text);
	bytes_free(&packing->info);
	bytes_free(&packing->declaration);
}

enum status tarball_pack(const struct root *bundle, const char *file, const struct tarball_pack_options *options, struct tarball_report *report,
                         struct error *err)
{
	struct packing packing = {.root = bundle, .file = file, .options = options, .report = report, .draft = {.dir = -1, .fd = -1}};
	struct findings *findings = &report->verify.findings;
	uint64_t bytes;

	*report = (struct tarball_report){0};
	enum status status = choose(&packing, err);

	if (status == OK) {
		inventory_list(bundle, &packing.inventory, findings);
		leave_out(&packing);
		status = findings->count > 0 ? FAILS : crate_write(bundle, &packing.inventory, &packing.crate, err);
	}
	if (status == OK) {
		gather_payload(&packing);
		status = check_limits(&packing, &bytes, err);
	}
	if (status == OK) {
		write_tags(&packing, bytes);
		status = put_all(&packing, bytes, err);
	}
	if (status == OK)
		status = verify_packed(&packing);
	if (status == OK)
		status = draft_keep(&packing.draft, err);
	findings_sort(findings);
	release(&packing);
	return status;
}
