#include "admit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/admitted.h"
#include "../bundle/layout.h"
#include "../bundle/lock.h"
#include "../bundle/replays.h"
#include "../bundle/seal.h"
#include "../log/append.h"
#include "../log/proof.h"
#include "logbook.h"
#include "review.h"

enum { JOURNAL_MAX = 64 << 20 };

/* An admission under way. */
struct admission {
	const struct root *submission, *archive;
	const struct admit_options *options;
	struct admit_result *result;
};

void admit_result_free(struct admit_result *result)
{
	findings_free(&result->findings);
	free(result->source);
	free(result->model);
	*result = (struct admit_result){0};
}

/* ---- the log ---- */

static enum status write_proof(const struct root *archive, struct tlog *log, uint64_t index, const char *id, struct error *err)
{
	char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_PROOF, id);
	struct bytes proof = {0};
	enum status status = tlog_prove(log, index, &proof, err);

	if (status == OK)
		status = root_write(archive, path, proof.data, proof.len, err);
	bytes_free(&proof);
	free(path);
	return status;
}

/* Behind the commit, which is the leaf: the proof, the mark that a root seal has to follow, and the journal's end. */
static enum status finish(const struct root *archive, struct tlog *log, uint64_t index, const char *id, struct error *err)
{
	enum status status = write_proof(archive, log, index, id, err);

	if (status == OK)
		status = root_write(archive, LAYOUT_UNFINISHED, LAYOUT_UNFINISHED_TEXT, strlen(LAYOUT_UNFINISHED_TEXT), err);
	if (status == OK)
		status = root_remove(archive, LAYOUT_ADMITTING, err);
	return status;
}

/* ---- the journal ---- */

/* {"entry","files":[what is new in the archive],"id"} */
static enum status write_journal(const struct root *archive, const char *id, const struct bytes *entry, const cJSON *files, struct error *err)
{
	cJSON *tree = cJSON_CreateObject();
	struct bytes text = {0};

	cJSON_AddStringToObject(tree, "entry", entry->data);
	cJSON_AddItemToObject(tree, "files", cJSON_Duplicate(files, true));
	cJSON_AddStringToObject(tree, "id", id);
	enum status status = jcs_write(tree, &text, err);

	bytes_char(&text, '\n');
	if (status == OK)
		status = root_write(archive, LAYOUT_ADMITTING, text.data, text.len, err);
	bytes_free(&text);
	cJSON_Delete(tree);
	return status;
}

/* The directories above a file that was taken back, where nothing else is in them. */
static void prune(const struct root *archive, const char *path)
{
	char *above = mem_text(path);

	for (char *slash = strrchr(above, '/'); slash != NULL; slash = strrchr(above, '/')) {
		*slash = '\0';
		/* One that holds something stays, and so do all above it. One that is not there had not been made yet. */
		if (unlinkat(archive->fd, above, AT_REMOVEDIR) != 0 && errno != ENOENT)
			break;
	}
	free(above);
}

/* A killed write leaves a temporary file beside the one it was to become. */
static void remove_leftovers(const struct root *archive, const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory = mem_textn(path, slash != NULL ? (size_t)(slash - path) : 0);
	struct file_list list;

	root_list_past(archive, directory, &list);
	for (size_t i = 0; i < list.count; i++)
		if (list.at[i].kind == FILE_REGULAR && layout_is_leftover(list.at[i].path))
			unlinkat(archive->fd, list.at[i].path, 0);
	file_list_free(&list);
	free(directory);
}

/* Of a run that was killed behind its commit: while it wrote the proof, or in checksums/. */
static void remove_all_leftovers(const struct root *archive, const cJSON *files)
{
	const cJSON *file;

	cJSON_ArrayForEach(file, files)
	{
		if (cJSON_IsString(file) && path_valid(file->valuestring, strlen(file->valuestring)) && layout_is_listed(file->valuestring))
			remove_leftovers(archive, file->valuestring);
	}
	remove_leftovers(archive, LAYOUT_ADMITTING);
}

static enum status take_back(const struct root *archive, const cJSON *files, struct error *err)
{
	enum status status = OK;
	const cJSON *file;

	cJSON_ArrayForEach(file, files)
	{
		if (!cJSON_IsString(file) || !path_valid(file->valuestring, strlen(file->valuestring)) || !layout_is_listed(file->valuestring))
			return error_set(err, R_ADM_UNFINISHED, LAYOUT_ADMITTING, "it names what no admission adds");
		remove_leftovers(archive, file->valuestring);
		if (root_has(archive, file->valuestring))
			status = root_remove(archive, file->valuestring, err);
		if (status != OK)
			return status;
		prune(archive, file->valuestring);
	}
	remove_leftovers(archive, LAYOUT_ADMITTING);
	return root_remove(archive, LAYOUT_ADMITTING, err);
}

/* What a killed run left: completed if the leaf is in the log, taken back if not. */
static enum status recover(struct admission *admission, struct error *err)
{
	const struct root *archive = admission->archive;
	struct bytes text = {0};
	struct tlog log = {0};
	cJSON *journal = NULL;
	const char *entry = NULL, *id = NULL;
	const cJSON *files = NULL;
	uint64_t index = 0;
	bool found = false;
	/* An append of its own may have been killed, this run's or another's. */
	enum status status = root_has(archive, LAYOUT_LOG TLOG_UNFINISHED) ? logbook_open(archive, &log, err) : OK;

	if (status == OK && log.root != NULL)
		status = tlog_settle(&log, err);
	tlog_close(&log);
	if (status != OK)
		return status;
	if (!root_has(archive, LAYOUT_ADMITTING)) {
		/* Of a journal that was not there yet. */
		remove_leftovers(archive, LAYOUT_ADMITTING);
		return OK;
	}
	status = root_read(archive, LAYOUT_ADMITTING, JOURNAL_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data != NULL ? text.data : "", text.len, LAYOUT_ADMITTING, &journal, err);
	if (status == OK)
		status = json_text(journal, "entry", LAYOUT_ADMITTING, &entry, err);
	if (status == OK)
		status = json_text(journal, "id", LAYOUT_ADMITTING, &id, err);
	if (status == OK)
		status = json_child(journal, "files", JSON_ARRAY, LAYOUT_ADMITTING, &files, err);
	if (status == OK)
		status = logbook_open(archive, &log, err);
	if (status == OK)
		status = tlog_find(&log, entry, strlen(entry), &found, &index, err);
	if (status == OK && found) {
		remove_all_leftovers(archive, files);
		status = finish(archive, &log, index, id, err);
	} else if (status == OK) {
		status = take_back(archive, files, err);
	}
	if (status == OK && found) {
		admission->result->completed = true;
		admission->result->leaf = index;
		memcpy(admission->result->id, id, strlen(id) < sizeof admission->result->id ? strlen(id) + 1 : 0);
	}
	tlog_close(&log);
	cJSON_Delete(journal);
	bytes_free(&text);
	return status;
}

/* ---- adding ---- */

/* The files that the submission has and the archive has not, in the archive's paths, and what is written beside. */
static enum status list_new(const struct admission *admission, const char *id, cJSON *files, struct error *err)
{
	static const char *const beside[] = {LAYOUT_ENTRY, LAYOUT_PROOF};
	struct file_list list;
	const enum status status = root_list(admission->submission, "", &list, err);

	for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
		char *path = mem_format(LAYOUT_SUBMISSIONS "%s/%s", id, beside[i]);

		cJSON_AddItemToArray(files, cJSON_CreateString(path));
		free(path);
	}

	for (size_t i = 0; i < list.count; i++) {
		char *path = admitted_path(id, list.at[i].path);

		if (list.at[i].kind == FILE_REGULAR && !root_has(admission->archive, path))
			cJSON_AddItemToArray(files, cJSON_CreateString(path));
		free(path);
	}
	file_list_free(&list);
	return status;
}

static enum status copy_new(const struct admission *admission, const char *id, struct error *err)
{
	struct file_list list;
	enum status status = root_list(admission->submission, "", &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		char *path = admitted_path(id, list.at[i].path);
		struct bytes text = {0};

		if (list.at[i].kind == FILE_REGULAR && !root_has(admission->archive, path)) {
			status = root_read(admission->submission, list.at[i].path, SIZE_MAX, &text, err);
			if (status == OK)
				status = root_write(admission->archive, path, text.data, text.len, err);
		}
		bytes_free(&text);
		free(path);
	}
	file_list_free(&list);
	return status;
}

static enum status write_entry(const struct root *archive, const char *id, const struct bytes *entry, struct error *err)
{
	char *path = mem_format(LAYOUT_SUBMISSIONS "%s/" LAYOUT_ENTRY, id);
	const enum status status = root_write(archive, path, entry->data, entry->len, err);

	free(path);
	return status;
}

static enum status add(struct admission *admission, const struct review *review, struct error *err)
{
	const struct root *archive = admission->archive;
	cJSON *files = cJSON_CreateArray();
	const struct bytes *entry = &review->entry;
	struct tlog log = {0};
	bool appended;

	/* Whatever can be refused is refused before the first write. */
	enum status status = logbook_open(archive, &log, err);

	if (status == OK && strcmp(log.verifier.key.fingerprint, admission->options->log_key->fingerprint) != 0)
		status = error_set(err, R_LOG_KEY, LAYOUT_LOG TLOG_CHECKPOINT, "it is signed by the key %s", log.verifier.key.fingerprint);
	if (status == OK)
		status = list_new(admission, review->id, files, err);
	if (status == OK)
		status = write_journal(archive, review->id, entry, files, err);
	if (status == OK) {
		status = copy_new(admission, review->id, err);
		if (status == OK)
			status = write_entry(archive, review->id, entry, err);
		if (status == OK)
			status = tlog_append_once(&log, entry->data, entry->len, admission->options->log_key, &admission->result->leaf, &appended, err);
		if (status == OK)
			status = finish(archive, &log, admission->result->leaf, review->id, err);
		/* Whether the leaf is in the log decides, not which call failed. If this fails too, the journal stays for the next run. */
		if (status != OK && recover(admission, NULL) == OK && admission->result->completed)
			status = OK;
	}
	tlog_close(&log);
	cJSON_Delete(files);
	return status;
}

static size_t errors(const struct findings *findings)
{
	size_t count[SEVERITY_COUNT];

	findings_severities(findings, count);
	return count[SEVERITY_ERROR];
}

static enum status admit_locked(struct admission *admission, struct error *err)
{
	struct admit_result *result = admission->result;
	struct review review = {.submission = admission->submission,
	                        .archive = admission->archive,
	                        .today = admission->options->date,
	                        .quiet = admission->options->quiet,
	                        .findings = &result->findings};
	enum status status = admission->options->check_only ? OK : recover(admission, err);

	if (status != OK)
		return status;
	review_check(&review);
	findings_sort(&result->findings);
	result->runs = review.runs;
	result->records = review.records;
	result->files = review.files;
	result->bytes = review.bytes;
	result->source = mem_text(replay_text(review.facts, "source"));
	result->model = mem_text(replay_text(review.facts, "model"));
	/* Just completed: that it is known is what was asked for. */
	if (result->completed && strcmp(result->id, review.id) == 0) {
		findings_free(&result->findings);
	} else {
		result->completed = false;
		memcpy(result->id, review.id, sizeof result->id);
		if (errors(&result->findings) > 0)
			status = FAILS;
		else if (!admission->options->check_only)
			status = add(admission, &review, err);
	}
	review_free(&review);
	return status;
}

enum status admit(const struct root *submission, const struct root *archive, const struct admit_options *options, struct admit_result *result,
                  struct error *err)
{
	struct admission admission = {.submission = submission, .archive = archive, .options = options, .result = result};
	int lock = -1;

	*result = (struct admit_result){0};
	enum status status = options->check_only ? OK : bundle_lock(archive, &lock, err);

	if (status == OK)
		status = admit_locked(&admission, err);
	bundle_unlock(lock);
	return status;
}
