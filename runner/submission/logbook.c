#include "logbook.h"

#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "../bundle/admitted.h"
#include "../bundle/dsse.h"
#include "../bundle/layout.h"
#include "../bundle/replays.h"
#include "../log/audit.h"
#include "../log/proof.h"
#include "awaiting.h"
#include "leaf.h"

struct checking {
	const struct root *archive;
	struct findings *findings;
	struct tlog *log;
	const struct bytes *next; /* an entry that the log shall have; NULL: none */
	char **ids; /* directories of manifests/submissions/, in order */
	bool *leaf; /* one a directory: the log has it */
	size_t count;
};

/* trust: which has the log's key; trust_free, whatever is returned. */
static enum status open_with(const struct root *archive, struct tlog *log, struct trust *trust, struct error *err)
{
	struct bytes text = {0};
	struct verifier verifier = {0};
	enum status status = root_read(archive, LAYOUT_TRUST, TRUST_FILE_MAX, &text, err);

	*log = (struct tlog){0};
	*trust = (struct trust){0};
	if (status == OK)
		status = trust_parse(text.data != NULL ? text.data : "", text.len, trust, err);
	if (status == OK)
		status = tlog_trusted(archive, LAYOUT_LOG, trust, &verifier, err);
	if (status == OK)
		status = tlog_open(archive, LAYOUT_LOG, &verifier, log, err);
	verifier_free(&verifier);
	bytes_free(&text);
	return status;
}

enum status logbook_open(const struct root *archive, struct tlog *log, struct error *err)
{
	struct trust trust;
	const enum status status = open_with(archive, log, &trust, err);

	trust_free(&trust);
	return status;
}

/* A checkpoint has no date: it is signed on the day of its last leaf, or later. */
static void check_until(const struct tlog *log, const struct trust *trust, const char *day, struct findings *findings)
{
	const struct trusted_key *trusted = trust_find(trust, log->verifier.key.fingerprint);

	if (!trust_allows_date(trusted, day))
		findings_add(findings, R_SIG_EXPIRED, LAYOUT_LOG TLOG_CHECKPOINT, "the key %s ended on %s, an entry is of %s", trusted->file, trusted->until, day);
}

/* ---- a submission beside its leaf ---- */

static bool read_beside(const struct checking *checking, const char *id, const char *name, size_t max, struct bytes *text, char **path)
{
	*path = mem_format(LAYOUT_SUBMISSIONS "%s/%s", id, name);
	return root_read(checking->archive, *path, max, text, NULL) == OK;
}

static bool same_bytes(const struct bytes *a, const struct bytes *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static void check_entry(const struct checking *checking, const char *id, const struct bytes *entry)
{
	struct bytes text = {0};
	char *path;

	if (!read_beside(checking, id, LAYOUT_ENTRY, ENTRY_BYTES_MAX, &text, &path))
		findings_add(checking->findings, R_ADM_LEAF, path, "it is not there");
	else if (!same_bytes(&text, entry))
		findings_add(checking->findings, R_ADM_LEAF, path, "the log has another entry of it");
	bytes_free(&text);
	free(path);
}

static void check_sums(const struct checking *checking, const struct leaf *leaf)
{
	struct bytes text = {0};
	char hex[SHA256_HEX + 1], *path;

	if (!read_beside(checking, leaf->id, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, &path)) {
		findings_add(checking->findings, R_ADM_DROPPED, path, "the log has a leaf of it, of the source '%s'", leaf->source);
	} else {
		const struct sha256 hash = sha256_of(text.data != NULL ? text.data : "", text.len);

		sha256_hex(&hash, hex);
		if (strcmp(hex, leaf->sums) != 0)
			findings_add(checking->findings, R_ADM_DROPPED, path, "its SHA-256 is %s, the log has %s: another was admitted", hex, leaf->sums);
	}
	bytes_free(&text);
	free(path);
}

static void check_facts(const struct checking *checking, const struct leaf *leaf)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	char *path;

	if (read_beside(checking, leaf->id, LAYOUT_SUBMISSION, SUBMISSION_FILE_MAX, &text, &path) &&
	    json_parse(text.data != NULL ? text.data : "", text.len, path, &tree, NULL) == OK) {
		if (strcmp(replay_text(tree, "source"), leaf->source) != 0)
			findings_add_field(checking->findings, R_ADM_LEAF, path, "source", "it is '%s', the log has '%s'", replay_text(tree, "source"), leaf->source);
		if (strcmp(replay_text(tree, "date"), leaf->admitted) > 0)
			findings_add_field(checking->findings, R_ADM_DATE, path, "date", "it was made on %s, the log has it as admitted on %s",
			                   replay_text(tree, "date"), leaf->admitted);
	}
	cJSON_Delete(tree);
	bytes_free(&text);
	free(path);
}

/* The key that the leaf names is one that sealed it: that its signature is good is for admitted_check. */
static void check_key(const struct checking *checking, const struct leaf *leaf)
{
	struct bytes text = {0};
	struct dsse envelope;
	char *path;
	bool named = false;

	if (read_beside(checking, leaf->id, LAYOUT_ROOT_MANIFEST, DSSE_FILE_MAX, &text, &path) &&
	    dsse_parse(text.data != NULL ? text.data : "", text.len, path, &envelope, NULL) == OK) {
		for (size_t i = 0; i < envelope.count; i++)
			named = named || strcmp(envelope.signatures[i].keyid, leaf->key) == 0;
		if (!named)
			findings_add(checking->findings, R_ADM_LEAF, path, "it is not signed by the key that the log has, %s", leaf->key);
		dsse_free(&envelope);
	}
	bytes_free(&text);
	free(path);
}

/* That it proves the leaf, and that the log begins with what it had when the proof was made. */
static void check_proof(const struct checking *checking, const struct leaf *leaf, const struct bytes *entry, uint64_t index)
{
	struct bytes text = {0}, growth = {0};
	uint64_t proven = 0;
	struct error err;
	char *path;

	if (!read_beside(checking, leaf->id, LAYOUT_PROOF, PROOF_BYTES_MAX, &text, &path)) {
		findings_add(checking->findings, R_ADM_PROOF, path, "it is not there");
	} else if (tlog_verify_proof(text.data != NULL ? text.data : "", text.len, path, entry->data, entry->len, &checking->log->verifier, &proven, NULL,
	                             &err) != OK) {
		findings_add(checking->findings, R_ADM_PROOF, path, "%s (%s)", err.what, rule_info(err.rule)->id);
	} else if (proven != index) {
		findings_add(checking->findings, R_ADM_PROOF, path, "it proves entry %llu, the leaf is entry %llu", (unsigned long long)proven,
		             (unsigned long long)index);
	} else {
		const char *note = strstr(text.data, "\n\n") + 2;

		if (tlog_prove_growth(checking->log, note, text.len - (size_t)(note - text.data), path, &growth, &err) != OK)
			findings_add(checking->findings, err.rule, path, "%s", err.what);
	}
	bytes_free(&growth);
	bytes_free(&text);
	free(path);
}

static size_t find(const struct checking *checking, const char *id)
{
	size_t at = 0;

	while (at < checking->count && strcmp(checking->ids[at], id) != 0)
		at++;
	return at;
}

static void check_leaf(struct checking *checking, uint64_t index, const struct bytes *entry, char last[DATE_TEXT + 1])
{
	char *name = mem_format(LAYOUT_LOG "entry %llu", (unsigned long long)index);
	struct leaf leaf;
	struct error err;

	if (leaf_parse(entry->data, entry->len, name, &leaf, &err) != OK) {
		findings_add(checking->findings, R_ADM_LEAF, name, "%s", err.what);
		free(name);
		return;
	}
	const size_t at = find(checking, leaf.id);

	if (strcmp(leaf.admitted, last) < 0)
		findings_add(checking->findings, R_ADM_DATE, name, "it is of %s, the one before it of %s", leaf.admitted, last);
	memcpy(last, leaf.admitted, DATE_TEXT + 1);
	if (strncmp(leaf.sums, leaf.id, ADMITTED_ID) != 0 || strlen(leaf.id) != ADMITTED_ID)
		findings_add(checking->findings, R_ADM_LEAF, name, "the id %s is not the beginning of %s", leaf.id, leaf.sums);
	else if (at == checking->count)
		findings_add(checking->findings, R_ADM_DROPPED, name, "there is no " LAYOUT_SUBMISSIONS "%s, of the source '%s'", leaf.id, leaf.source);
	else if (checking->leaf[at])
		findings_add(checking->findings, R_ADM_LEAF, name, "submission %s has a leaf before it", leaf.id);
	if (at < checking->count && !checking->leaf[at]) {
		checking->leaf[at] = true;
		check_sums(checking, &leaf);
		check_entry(checking, leaf.id, entry);
		check_facts(checking, &leaf);
		check_key(checking, &leaf);
		if (index < checking->log->head.size)
			check_proof(checking, &leaf, entry, index);
	}
	leaf_free(&leaf);
	free(name);
}

/* ---- all of it ---- */

static void list_submissions(struct checking *checking, const struct file_list *list)
{
	const char *rest;
	size_t len;

	checking->ids = mem_array(NULL, list->count + 1, sizeof *checking->ids);
	for (size_t i = 0; i < list->count; i++) {
		const char *id = list->at[i].path + strlen(LAYOUT_SUBMISSIONS);

		if (!layout_split(list->at[i].path, LAYOUT_SUBMISSIONS, &len, &rest) ||
		    (checking->count > 0 && strncmp(checking->ids[checking->count - 1], id, len) == 0 && checking->ids[checking->count - 1][len] == '\0'))
			continue;
		checking->ids[checking->count++] = mem_textn(id, len);
	}
	checking->leaf = mem_alloc(checking->count + 1);
}

static void check_log(struct checking *checking, const struct trust *trust)
{
	struct tlog_audit audit;
	char last[DATE_TEXT + 1] = "";
	struct error err;

	tlog_audit(checking->log, NULL, NULL, &audit);
	for (size_t i = 0; i < audit.findings.count; i++)
		findings_add(checking->findings, audit.findings.at[i].rule, audit.findings.at[i].file, "%s", audit.findings.at[i].what);
	findings_free(&audit.findings);
	for (uint64_t i = 0; i < checking->log->head.size; i++) {
		struct bytes entry = {0};

		if (tlog_entry(checking->log, i, &entry, &err) != OK) {
			findings_error(checking->findings, NULL, &err);
			break;
		}
		check_leaf(checking, i, &entry, last);
		bytes_free(&entry);
	}
	if (checking->next != NULL)
		check_leaf(checking, checking->log->head.size, checking->next, last);
	if (last[0] != '\0')
		check_until(checking->log, trust, last, checking->findings);
}

/* A directory that cannot be listed is told of by verifying. */
static bool has_files(const struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->at[i].kind == FILE_REGULAR)
			return true;
	return false;
}

void logbook_check(const struct root *archive, struct findings *findings)
{
	logbook_check_with(archive, NULL, findings);
}

void logbook_check_with(const struct root *archive, const struct bytes *entry, struct findings *findings)
{
	struct tlog log = {0};
	struct trust trust = {0};
	struct checking checking = {.archive = archive, .findings = findings, .log = &log, .next = entry};
	struct file_list list, logged;
	struct error err;

	root_list_past(archive, "manifests/submissions", &list);
	root_list_past(archive, "manifests/log", &logged);
	list_submissions(&checking, &list);
	if (checking.count > 0 || has_files(&logged)) {
		if (open_with(archive, &log, &trust, &err) != OK)
			findings_error(findings, NULL, &err);
		else
			check_log(&checking, &trust);
		for (size_t i = 0; i < checking.count; i++) {
			char *path = mem_format(LAYOUT_SUBMISSIONS "%s", checking.ids[i]);

			if (!checking.leaf[i])
				findings_add(findings, R_ADM_LEAF, path, "the log has no leaf of it");
			free(path);
		}
	}
	tlog_close(&log);
	trust_free(&trust);
	for (size_t i = 0; i < checking.count; i++)
		free(checking.ids[i]);
	free(checking.ids);
	free(checking.leaf);
	file_list_free(&list);
	file_list_free(&logged);
}

void archive_check(const struct root *archive, struct findings *findings)
{
	const size_t before = findings->count;

	logbook_check(archive, findings);
	/* What the log does not vouch for is told file by file. */
	if (findings->count == before)
		awaiting_fold(archive, findings);
}

enum status archive_verify(const struct root *root, const struct verify_options *options, struct verify_report *report)
{
	bundle_verify(root, options, report);
	archive_check(root, &report->findings);
	findings_sort(&report->findings);
	return report->findings.count == 0 ? OK : FAILS;
}
