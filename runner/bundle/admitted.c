#include "admitted.h"

#include <stdlib.h>
#include <string.h>

#include "../base/date.h"
#include "../base/json.h"
#include "../base/kept.h"
#include "checksums.h"
#include "layout.h"
#include "verify.h"
#include "vouch.h"

enum { ENTRY_MAX = 64 << 10 };

/* Files that stand among the archive's own, by what they are. */
static const char *const shared[] = {LAYOUT_CANDIDATES, LAYOUT_OBJECTS, LAYOUT_REPLAYS, LAYOUT_RUNS, LAYOUT_SOURCES, NULL};

static bool is_shared(const char *path)
{
	for (size_t i = 0; shared[i] != NULL; i++)
		if (strncmp(path, shared[i], strlen(shared[i])) == 0)
			return true;
	return false;
}

char *admitted_path(const char *id, const char *path)
{
	return is_shared(path) ? mem_text(path) : mem_format(LAYOUT_SUBMISSIONS "%s/%s", id, path);
}

bool admitted_may_hold(const char *path)
{
	const char *name;
	size_t len;

	if (strncmp(path, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) == 0)
		return true;
	return is_shared(path) || strcmp(path, LAYOUT_SUBMISSION) == 0 || strcmp(path, LAYOUT_TRUST) == 0 ||
	       layout_stem(path, LAYOUT_KEYS, LAYOUT_KEY_END, &name, &len) || layout_stem(path, LAYOUT_MANIFESTS, LAYOUT_MANIFEST_END, &name, &len);
}

/* A submission under examination: sums and inventory are those of the bundle that it was. */
struct view {
	const struct root *archive;
	const struct inventory *whole; /* of the archive */
	struct findings *told;         /* of the archive */
	const struct import *own;      /* all files of its source in the archive; NULL: it does not tell its source */
	char *id;
	struct kept kept; /* what stands in manifests/submissions/ID, by its paths in the submission */
	struct root root; /* over that */
	char admitted[DATE_TEXT + 1]; /* the day, as its entry in the log says; "" if it does not */
	struct bytes text, signature;
	struct checksums sums;
	struct left_out left;
	struct inventory inventory;
	struct findings findings; /* by paths in the submission */
};

/* ---- the files ---- */

static void add_file(struct view *view, const struct inventory_file *file, const char *path, const struct root *home)
{
	struct inventory *inventory = &view->inventory;

	inventory->at = mem_array(inventory->at, inventory->count + 1, sizeof *inventory->at);
	inventory->at[inventory->count++] = (struct inventory_file){
		.path = path, .size = file->size, .hash = file->hash, .hashed = file->hashed, .faulty = !file->hashed, .home = home};
	if (file->hashed)
		inventory->bytes += file->size;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct inventory_file *)a)->path, ((const struct inventory_file *)b)->path);
}

/* What is listed among the shared files, and what is of its source without being listed: that was added. */
static void add_shared(struct view *view)
{
	for (size_t i = 0; i < view->sums.count; i++) {
		const char *path = view->sums.at[i].path;
		const struct inventory_file *file = is_shared(path) ? inventory_find(view->whole, path) : NULL;

		if (file != NULL)
			add_file(view, file, file->path, view->archive);
	}
	for (size_t i = 0; view->own != NULL && i < view->own->count; i++) {
		const struct inventory_file *file = &view->whole->at[view->own->files[i]];

		if (checksums_find(&view->sums, file->path) == NULL)
			add_file(view, file, file->path, view->archive);
	}
}

static bool is_beside(const char *path)
{
	return strcmp(path, LAYOUT_SUMS) == 0 || strcmp(path, LAYOUT_SUMS_SIGNATURE) == 0 || strcmp(path, LAYOUT_ROOT_MANIFEST) == 0 ||
	       strncmp(path, LAYOUT_COUNTERSIGNATURES, strlen(LAYOUT_COUNTERSIGNATURES)) == 0;
}

/* Read into memory: verifying reads it by the paths of the submission. */
static void keep(struct view *view, const struct inventory_file *file, const char *path)
{
	struct bytes text = {0};

	if (file->hashed && inventory_read(view->archive, file, CHECKSUMS_FILE_MAX, &text, NULL) == OK) {
		view->kept.at = mem_array(view->kept.at, view->kept.count + 1, sizeof *view->kept.at);
		view->kept.at[view->kept.count++] = (struct kept_file){.path = mem_text(path), .size = text.len, .held = true, .text = text};
	}
}

/* Everything beneath its directory in the order of the paths; what is no file of a submission is told. */
static void add_own(struct view *view, const char *prefix)
{
	for (size_t i = 0; i < view->whole->count; i++) {
		const struct inventory_file *file = &view->whole->at[i];

		if (strncmp(file->path, prefix, strlen(prefix)) != 0)
			continue;
		const char *path = file->path + strlen(prefix);

		if (is_beside(path) || layout_is_listed(path))
			keep(view, file, path);
		if (layout_is_listed(path))
			add_file(view, file, path, NULL);
		else if (!is_beside(path) && strcmp(path, LAYOUT_PROOF) != 0 && strcmp(path, LAYOUT_ENTRY) != 0)
			findings_add(view->told, R_ADM_STRAY, file->path, "a submission has no such file");
	}
}

static void list_files(struct view *view)
{
	struct inventory *inventory = &view->inventory;

	if (inventory->count > 1)
		qsort(inventory->at, inventory->count, sizeof *inventory->at, by_path);
	inventory->list.at = mem_array(NULL, inventory->count + 1, sizeof *inventory->list.at);
	for (size_t i = 0; i < inventory->count; i++) {
		char *path = mem_text(inventory->at[i].path);

		inventory->list.at[inventory->list.count++] = (struct file_entry){.path = path, .kind = FILE_REGULAR, .size = inventory->at[i].size};
		inventory->at[i].path = path;
	}
	/* The root manifest and countersignatures stand beside what is listed, and are asked for by name. */
	for (size_t i = 0; i < view->kept.count; i++) {
		const char *path = view->kept.at[i].path;
		size_t at = inventory->list.count;

		if (layout_is_listed(path) || strncmp(path, LAYOUT_MANIFESTS, strlen(LAYOUT_MANIFESTS)) != 0)
			continue;
		inventory->list.at = mem_array(inventory->list.at, at + 1, sizeof *inventory->list.at);
		while (at > 0 && strcmp(inventory->list.at[at - 1].path, path) > 0) {
			inventory->list.at[at] = inventory->list.at[at - 1];
			at--;
		}
		inventory->list.at[at] = (struct file_entry){.path = mem_text(path), .kind = FILE_REGULAR, .size = view->kept.at[i].size};
		inventory->list.count++;
	}
}

/* ---- what it may vouch for ---- */

static bool is_own(const struct view *view, const struct inventory_file *file)
{
	const size_t at = (size_t)(file - view->whole->at);

	for (size_t i = 0; i < view->own->count; i++)
		if (view->own->files[i] == at)
			return true;
	return false;
}

/* Runs, records and the source that are there and are not of its source. Candidates and objects are named by what they are: they may be in the archive already. */
static void check_scope(struct view *view)
{
	const char *rest;
	size_t len;

	if (view->own == NULL && inventory_has(&view->inventory, LAYOUT_SUBMISSION))
		findings_add_field(&view->findings, R_SUB_FACTS, LAYOUT_SUBMISSION, "source", "it does not tell its source");
	for (size_t i = 0; i < view->sums.count; i++) {
		const char *path = view->sums.at[i].path;
		const struct inventory_file *file = is_shared(path) ? inventory_find(view->whole, path) : NULL;
		const bool named = layout_split(path, LAYOUT_RUNS, &len, &rest) || layout_split(path, LAYOUT_REPLAYS, &len, &rest) ||
		                   layout_split(path, LAYOUT_SOURCES, &len, &rest);

		if (!admitted_may_hold(path))
			findings_add(view->told, R_ADM_SCOPE, path, "submission %s lists it", view->id);
		else if (file != NULL && named && view->own != NULL && !is_own(view, file))
			findings_add(view->told, R_ADM_SCOPE, path, "submission %s lists it, and it is not of its source '%s'", view->id, view->own->source);
	}
}

/* ---- all of it ---- */

/* That the archive's seal does not list a file, as until the next root seal, says nothing of the submitter's. */
static bool is_told(const struct findings *findings, size_t count, enum rule rule, const char *file)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(findings->at[i].file, file) == 0 && (findings->at[i].rule != R_BND_EXTRA || rule == R_BND_EXTRA))
			return true;
	return false;
}

/* By the paths of the archive, but for files that are told of there already. */
static void pass_on(struct view *view, size_t told)
{
	for (size_t i = 0; i < view->findings.count; i++) {
		const struct finding *finding = &view->findings.at[i];
		char *path = admitted_path(view->id, finding->file);

		if (!is_told(view->told, told, finding->rule, path))
			findings_add_field(view->told, finding->rule, path, finding->field, "of submission %s: %s", view->id, finding->what);
		free(path);
	}
}

static bool read_beside(struct view *view, const char *path, size_t max, struct bytes *text)
{
	char *full = mem_format(LAYOUT_SUBMISSIONS "%s/%s", view->id, path);
	const struct inventory_file *file = inventory_find(view->whole, full);
	struct error err;
	bool read = false;

	if (file == NULL)
		findings_add(view->told, R_BND_MISSING, full, "the submission's file is missing");
	else if (!file->hashed)
		; /* told by whoever could not read it */
	else if (inventory_read(view->archive, file, max, text, &err) != OK)
		findings_error(view->told, full, &err);
	else
		read = true;
	free(full);
	return read;
}

static void on_fault(void *context, const struct error *err)
{
	findings_error(context, LAYOUT_SUMS, err);
}

static void check_id(struct view *view)
{
	const struct sha256 hash = sha256_of(view->text.data, view->text.len);
	char hex[SHA256_HEX + 1];

	sha256_hex(&hash, hex);
	if (strlen(view->id) != ADMITTED_ID || strncmp(hex, view->id, ADMITTED_ID) != 0)
		findings_add(view->told, R_ADM_ID, view->root.name, "its SHA256SUMS has the SHA-256 %s", hex);
}

/* The day on which the log took it in, by its entry, which is held against the log where that is at hand (submission/logbook.h). */
static const char *day_of(struct view *view)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *day = NULL;

	if (read_beside(view, LAYOUT_ENTRY, ENTRY_MAX, &text) && json_parse(text.data != NULL ? text.data : "", text.len, LAYOUT_ENTRY, &tree, NULL) == OK &&
	    json_text(tree, "admitted", LAYOUT_ENTRY, &day, NULL) == OK && date_valid(day, strlen(day)))
		memcpy(view->admitted, day, sizeof view->admitted);
	cJSON_Delete(tree);
	bytes_free(&text);
	return view->admitted[0] != '\0' ? view->admitted : NULL;
}

/* What its level leaves out of the archive is still listed there: else it is gone. */
static void check_apart(struct view *view)
{
	for (size_t i = 0; view->inventory.left != NULL && view->whole->sums != NULL && i < view->sums.count; i++) {
		const struct checksum *sum = &view->sums.at[i], *listed;

		if (left_out_find(view->inventory.left, sum->path) == NULL)
			continue;
		listed = checksums_find(view->whole->sums, sum->path);
		if (listed == NULL)
			findings_add(&view->findings, R_BND_MISSING, sum->path, "the archive does not list it among what it leaves out");
		else if (memcmp(&listed->hash, &sum->hash, sizeof sum->hash) != 0)
			findings_add(&view->findings, R_BND_CHANGED, sum->path, "the archive leaves out other bytes of that name");
	}
}

static void check_sealed(struct view *view, const char *prefix)
{
	checksums_parse(view->text.data != NULL ? view->text.data : "", view->text.len, LAYOUT_SUMS, &view->sums, on_fault, &view->findings);
	add_shared(view);
	add_own(view, prefix);
	list_files(view);
	view->inventory.sums = &view->sums;
	/* What the archive travels without, the submission does: the level decides by the path, which is the same in both. */
	if (view->whole->left != NULL)
		view->left = left_out_of(&view->sums, view->whole->left->level);
	view->inventory.left = view->whole->left != NULL ? &view->left : NULL;
	check_scope(view);
	verify_sums(&view->inventory, &view->sums, &view->findings);
	check_apart(view);
	struct vouch vouch = {
		.root = &view->root,
		.inventory = &view->inventory,
		.sums_text = &view->text,
		.sums_signature = read_beside(view, LAYOUT_SUMS_SIGNATURE, KEY_FILE_MAX, &view->signature) ? &view->signature : NULL,
		.sums = &view->sums,
		.admitted = day_of(view),
		.findings = &view->findings,
	};

	vouch_check(&vouch);
	trust_free(&vouch.trust);
	countersignatures_free(&vouch.reviewed);
}

static void view_free(struct view *view)
{
	root_close(&view->root);
	for (size_t i = 0; i < view->kept.count; i++) {
		bytes_free(&view->kept.at[i].text);
		free((char *)view->kept.at[i].path);
	}
	free(view->kept.at);
	bytes_free(&view->text);
	bytes_free(&view->signature);
	checksums_free(&view->sums);
	inventory_free(&view->inventory);
	findings_free(&view->findings);
	free(view->id);
}

static void check_one(const struct root *root, const struct inventory *inventory, const struct import *own, const char *id, size_t id_len,
                      struct findings *findings)
{
	struct view view = {.archive = root, .whole = inventory, .told = findings, .own = own, .id = mem_textn(id, id_len), .root = {.fd = -1}};
	char *prefix = mem_format(LAYOUT_SUBMISSIONS "%s/", view.id), *directory = mem_textn(prefix, strlen(prefix) - 1);
	const size_t told = findings->count;

	kept_open(&view.kept, directory, &view.root);
	if (read_beside(&view, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &view.text)) {
		check_id(&view);
		check_sealed(&view, prefix);
		pass_on(&view, told);
	}
	free(directory);
	free(prefix);
	view_free(&view);
}

static const struct import *find_own(const struct imports *imports, const char *id, size_t len)
{
	for (size_t i = 0; i < imports->admissions; i++)
		if (strncmp(imports->admitted[i].id, id, len) == 0 && imports->admitted[i].id[len] == '\0')
			return &imports->admitted[i];
	return NULL;
}

/* Two submissions of one source: neither could say which files are its own. */
static void check_sources(const struct imports *imports, struct findings *findings)
{
	for (size_t i = 1; i < imports->admissions; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(imports->admitted[i].source, imports->admitted[j].source) == 0) {
				char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_SUBMISSION, imports->admitted[i].id);

				findings_add(findings, R_ADM_SCOPE, path, "submission %s is of the source '%s' already", imports->admitted[j].id,
				             imports->admitted[i].source);
				free(path);
			}
}

void admitted_check(const struct root *root, const struct inventory *inventory, const struct imports *imports, struct findings *findings)
{
	const char *last = NULL, *rest;
	size_t last_len = 0, len;

	check_sources(imports, findings);
	for (size_t i = 0; i < inventory->count; i++) {
		const char *path = inventory->at[i].path, *id = path + strlen(LAYOUT_SUBMISSIONS);

		if (!layout_split(path, LAYOUT_SUBMISSIONS, &len, &rest) || (last != NULL && len == last_len && strncmp(id, last, len) == 0))
			continue;
		last = id;
		last_len = len;
		check_one(root, inventory, find_own(imports, id, len), id, len, findings);
	}
}

char *manifest_of_run(const struct root *root, const char *run, const char *source)
{
	char *own = mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, run);
	char *found = NULL;
	struct file_list list;

	root_list_past(root, "manifests", &list);
	for (size_t i = 0; i < list.count && found == NULL; i++) {
		const char *path = list.at[i].path, *rest;
		size_t len;

		if (strcmp(path, own) == 0 || (layout_split(path, LAYOUT_SUBMISSIONS, &len, &rest) && strcmp(rest, own) == 0))
			found = mem_text(path);
	}
	file_list_free(&list);
	free(own);
	return found != NULL ? found : mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, source);
}
