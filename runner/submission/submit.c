#include "submit.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../base/date.h"
#include "../base/jcs.h"
#include "../bundle/dsse.h"
#include "../bundle/layout.h"
#include "../bundle/ledger.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "../bundle/seal.h"
#include "../bundle/statement.h"
#include "../bundle/talk.h"
#include "../bundle/training_set.h"
#include "../model/query_run.h"
#include "facts.h"

static const char program[] = "ptxseal " PTXSEAL_VERSION;
static const char key_name[] = "submitter";

/* A submission in the making. */
struct making {
	const struct root *working, *into;
	const struct submit_options *options;
	struct submit_result *result;
	struct inventory inventory; /* of the working bundle */
	const char *source, *model;
	char date[DATE_TEXT + 1];   /* today, UTC: what is sealed says that it was made then */
	cJSON *runs;                /* names */
	bool asked;                 /* by its source.json: the runs asked a model */
	bool *taken;                /* file by file of the inventory: it goes along */
};

void submit_result_free(struct submit_result *result)
{
	findings_free(&result->findings);
	*result = (struct submit_result){0};
}

/* ---- which files go along ---- */

static void take(struct making *making, const char *path, const char *named_by)
{
	const struct inventory_file *file = inventory_find(&making->inventory, path);

	if (file == NULL)
		findings_add(&making->result->findings, R_BND_MISSING, path, "%s names it", named_by);
	else
		making->taken[file - making->inventory.at] = true;
}

static enum status take_named(void *context, const char *path, const struct sha256 *hash, struct error *err)
{
	struct making *making = context;
	const struct inventory_file *file = inventory_find(&making->inventory, path);

	(void)err;
	take(making, path, "a record");
	if (file != NULL && file->hashed && memcmp(&file->hash, hash, sizeof *hash) != 0)
		findings_add(&making->result->findings, R_STM_DIGEST, path, "a record was measured with other bytes");
	return OK;
}

static void take_record(struct making *making, const char *path)
{
	cJSON *record = NULL;
	struct error err;

	take(making, path, path);
	making->result->records++;
	if (replay_read(making->working, path, &record, &err) != OK || replay_files(record, path, take_named, making, &err) != OK)
		findings_error(&making->result->findings, path, &err);
	cJSON_Delete(record);
}

static enum status on_run(void *context, const struct run *run, struct error *err)
{
	(void)context, (void)run, (void)err;
	return OK;
}

static enum status on_turn(void *context, const struct run *run, const struct turn *turn, uint64_t line, struct error *err)
{
	struct making *making = context;
	struct sha256 ids[TURN_OBJECTS];
	const size_t count = objects_of_turn(turn, ids);

	(void)line, (void)err;
	for (size_t i = 0; i < count; i++) {
		char *path = object_path(&ids[i]);

		take(making, path, run->run);
		free(path);
	}
	return OK;
}

static void take_turns(struct making *making, const struct run *run)
{
	const struct ledger_visitor visitor = {.on_run = on_run, .on_turn = on_turn, .context = making};
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TURNS, run->run);
	struct bytes text = {0};
	struct error err;

	take(making, path, run->run);
	if (root_read(making->working, path, LEDGER_TURNS_FILE_MAX, &text, &err) != OK ||
	    turns_read(text.data != NULL ? text.data : "", text.len, path, run, &visitor, &err) != OK)
		findings_error(&making->result->findings, path, &err);
	bytes_free(&text);
	free(path);
}

static void on_object(void *context, const char *path, const char *by)
{
	take(context, path, by);
}

/* All that stands in its directory. */
static void on_candidate(void *context, const char *directory, const char *by)
{
	struct making *making = context;
	char *json = mem_format("%s/candidate.json", directory), *beneath = mem_format("%s/", directory);

	take(making, json, by);
	for (size_t i = 0; i < making->inventory.count; i++)
		if (strncmp(making->inventory.at[i].path, beneath, strlen(beneath)) == 0)
			making->taken[i] = true;
	free(beneath);
	free(json);
}

/* What was asked and answered, and everything that this names. */
static void take_talk(struct making *making, const struct run *run)
{
	const struct talk_visitor visitor = {.object = on_object, .candidate = on_candidate, .context = making};
	struct error err = {0};

	for (size_t i = 0; talk_files[i] != NULL; i++) {
		char *path = mem_format(LAYOUT_RUNS "%s/%s", run->run, talk_files[i]);

		if (root_has(making->working, path))
			take(making, path, run->run);
		free(path);
	}
	if (talk_names(making->working, run->run, &visitor, &err) != OK)
		findings_error(&making->result->findings, NULL, &err);
}

/* One that is named for the submission has to be the one that the run names, if it does. */
static void take_training_set(struct making *making, const struct run *run)
{
	char *path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_TRAINING_SET, run->run);
	const struct bytes *named = making->options->training_set;
	struct bytes there = {0};

	if (root_has(making->working, path)) {
		take(making, path, run->run);
		if (named != NULL && (root_read(making->working, path, TRAINING_SET_MAX, &there, NULL) != OK || there.len != named->len || memcmp(there.data, named->data, there.len) != 0))
			findings_add(&making->result->findings, R_TRN_OTHER, path, "it is another one");
	}
	bytes_free(&there);
	free(path);
}

static void take_run(struct making *making, const struct run *run, const char *path)
{
	char *records = mem_format(LAYOUT_REPLAYS "%s/", run->run);
	const size_t before = making->result->records;

	if (strcmp(run->model, making->model) != 0)
		findings_add_field(&making->result->findings, R_SUB_SOURCE, path, "model", "it is '%s', the facts say '%s'", run->model, making->model);
	if (facts_conflict(making->options->facts, run->task) == NULL)
		findings_add_field(&making->result->findings, R_SUB_CONFLICT, path, "task", "the facts say nothing of '%s'", run->task);
	take(making, path, path);
	take_turns(making, run);
	for (size_t i = 0; i < making->inventory.count; i++)
		if (strncmp(making->inventory.at[i].path, records, strlen(records)) == 0)
			take_record(making, making->inventory.at[i].path);
	take_talk(making, run);
	take_training_set(making, run);
	if (making->result->records == before && !talk_is(making->working, run->run))
		findings_add(&making->result->findings, R_SUB_EMPTY, path, "the run has no record");
	cJSON_AddItemToArray(making->runs, cJSON_CreateString(run->run));
	making->result->runs++;
	free(records);
}

static int by_name(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Paths come in their order, which is not quite that of names: "a-b/" sorts before "a/". */
static void sort_runs(struct making *making)
{
	const size_t count = making->result->runs;
	const char **names = mem_array(NULL, count + 1, sizeof *names);
	cJSON *sorted = cJSON_CreateArray();
	size_t n = 0;

	for (const cJSON *item = making->runs->child; item != NULL; item = item->next)
		names[n++] = item->valuestring;
	if (count > 1)
		qsort(names, count, sizeof *names, by_name);
	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(sorted, cJSON_CreateString(names[i]));
	free(names);
	cJSON_Delete(making->runs);
	making->runs = sorted;
}

static void take_runs(struct making *making)
{
	const char *rest;
	size_t len;

	for (size_t i = 0; i < making->inventory.count; i++) {
		const char *path = making->inventory.at[i].path;
		struct run run;
		struct error err;

		if (!layout_split(path, LAYOUT_RUNS, &len, &rest) || strcmp(rest, LAYOUT_RUN) != 0)
			continue;
		char *name = mem_textn(path + strlen(LAYOUT_RUNS), len);

		if (run_read(making->working, name, &run, &err) != OK)
			findings_error(&making->result->findings, path, &err);
		else if (strcmp(run.source, making->source) == 0)
			take_run(making, &run, path);
		run_free(&run);
		free(name);
	}
	if (making->result->runs == 0)
		findings_add(&making->result->findings, R_SUB_EMPTY, making->working->name, "no run in it is of the source '%s'", making->source);
	sort_runs(making);
}

/* ---- writing ---- */

static enum status write_json(const struct root *into, const char *path, const cJSON *tree, struct error *err)
{
	struct bytes text = {0};
	enum status status = jcs_write(tree, &text, err);

	bytes_char(&text, '\n');
	if (status == OK)
		status = root_write(into, path, text.data, text.len, err);
	bytes_free(&text);
	return status;
}

static enum status copy(struct making *making, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < making->inventory.count && status == OK; i++) {
		const struct inventory_file *file = &making->inventory.at[i];
		struct bytes text = {0};

		if (!making->taken[i])
			continue;
		status = inventory_read(making->working, file, SIZE_MAX, &text, err);
		if (status == OK)
			status = root_write(making->into, file->path, text.data, text.len, err);
		making->result->objects += strncmp(file->path, LAYOUT_OBJECTS, strlen(LAYOUT_OBJECTS)) == 0;
		bytes_free(&text);
	}
	return status;
}

static enum status write_facts(struct making *making, struct error *err)
{
	cJSON *tree = cJSON_Duplicate(making->options->facts, true);

	cJSON_AddStringToObject(tree, "schema", SUBMISSION_SCHEMA);
	cJSON_AddStringToObject(tree, "program", program);
	cJSON_AddStringToObject(tree, "date", making->date);
	cJSON_AddItemToObject(tree, "runs", cJSON_Duplicate(making->runs, true));
	const enum status status = write_json(making->into, LAYOUT_SUBMISSION, tree, err);

	cJSON_Delete(tree);
	return status;
}

/* ---- signatures ---- */

/* What they were tuned on, for the runs that do not say it. */
static enum status write_training_sets(struct making *making, struct error *err)
{
	enum status status = OK;

	for (const cJSON *name = making->runs->child; name != NULL && status == OK && making->options->training_set != NULL; name = name->next)
		status = training_set_keep(making->into, name->valuestring, making->options->training_set, err);
	return status;
}

/* The key that has signed the run's manifest in the working bundle goes along, with what it may sign; not if it is revoked or not told of. */
static enum status carry_key(struct making *making, struct trust *from, struct trust *to, const struct dsse *envelope, bool *carried, struct error *err)
{
	const char *fingerprint = envelope->count > 0 ? envelope->signatures[0].keyid : "";
	struct trusted_key *trusted = trust_find(from, fingerprint), *own;
	struct bytes pem = {0};

	*carried = trusted != NULL && trusted->revoked == NULL;
	if (!*carried)
		return OK;
	char *path = mem_format(LAYOUT_MANIFESTS "%s", trusted->file);
	enum status status = trust_grant(to, trusted->file, fingerprint, ROLE_REPLAY, PREDICATE_REPLAY, trusted->purpose, false, err);

	if (status == OK && trusted->until != NULL && (own = trust_find(to, fingerprint)) != NULL && own->until == NULL)
		own->until = mem_text(trusted->until);
	if (status == OK)
		status = root_read(making->working, path, KEY_FILE_MAX, &pem, err);
	if (status == OK)
		status = root_write(making->into, path, pem.data, pem.len, err);
	bytes_free(&pem);
	free(path);
	return status;
}

static enum status carry_manifest(struct making *making, const char *run, struct trust *from, struct trust *to, bool *carried, struct error *err)
{
	char *path = mem_format(LAYOUT_MANIFESTS "%s" LAYOUT_MANIFEST_END, run);
	struct dsse envelope = {0};
	struct bytes text = {0};
	enum status status = OK;

	*carried = false;
	/* Of one to which something was added, the manifest does not say all. */
	if (inventory_find(&making->inventory, path) != NULL && (making->options->training_set == NULL || talk_has(making->working, run, LAYOUT_TRAINING_SET))) {
		status = root_read(making->working, path, DSSE_FILE_MAX, &text, err);
		if (status == OK)
			status = dsse_parse(text.data, text.len, path, &envelope, err);
		if (status == OK)
			status = carry_key(making, from, to, &envelope, carried, err);
		if (status == OK && *carried)
			status = root_write(making->into, path, text.data, text.len, err);
		dsse_free(&envelope);
	}
	bytes_free(&text);
	free(path);
	return status;
}

static enum status carry_manifests(struct making *making, bool *carried, struct error *err)
{
	struct trust from = {0}, to = {0};
	struct bytes text = {0};
	enum status status = OK;
	size_t run = 0;

	if (inventory_find(&making->inventory, LAYOUT_TRUST) != NULL) {
		status = root_read(making->working, LAYOUT_TRUST, TRUST_FILE_MAX, &text, err);
		if (status == OK)
			status = trust_parse(text.data, text.len, &from, err);
	}
	for (const cJSON *name = making->runs->child; name != NULL && status == OK; name = name->next, run++)
		status = carry_manifest(making, name->valuestring, &from, &to, &carried[run], err);
	if (status == OK && to.count > 0) {
		text.len = 0;
		trust_write(&to, &text);
		status = root_write(making->into, LAYOUT_TRUST, text.data, text.len, err);
	}
	trust_free(&from);
	trust_free(&to);
	bytes_free(&text);
	return status;
}

static enum status seal_as(struct making *making, const char *role, const char *run, struct error *err)
{
	const struct seal_options how = {.role = role, .run = run, .key = making->options->key, .name = key_name, .date = making->date, .quiet = making->options->quiet};
	struct verify_report report = {0};
	const enum status status = bundle_seal(making->into, &how, &report, err);

	if (report.findings.count > 0) {
		findings_free(&making->result->findings);
		making->result->findings = report.findings;
		report.findings = (struct findings){0};
	}
	making->result->files = report.files;
	making->result->bytes = report.bytes;
	verify_report_free(&report);
	return status;
}

static bool has_records(const struct making *making, const char *run)
{
	char *prefix = mem_format(LAYOUT_REPLAYS "%s/", run);
	bool has = false;

	for (size_t i = 0; i < making->inventory.count && !has; i++)
		has = strncmp(making->inventory.at[i].path, prefix, strlen(prefix)) == 0;
	free(prefix);
	return has;
}

static enum status seal(struct making *making, struct error *err)
{
	bool *carried = mem_array(NULL, making->result->runs + 1, sizeof *carried);
	enum status status = carry_manifests(making, carried, err);
	size_t run = 0;

	if (status == OK && making->asked)
		status = seal_as(making, ROLE_IMPORT, NULL, err);
	for (const cJSON *name = making->runs->child; name != NULL && status == OK; name = name->next, run++)
		if (!carried[run] && (!making->asked || has_records(making, name->valuestring)))
			status = seal_as(making, ROLE_REPLAY, name->valuestring, err);
	if (status == OK)
		status = seal_as(making, ROLE_ROOT, NULL, err);
	free(carried);
	return status;
}

static enum status name_it(struct making *making, struct error *err)
{
	struct bytes text = {0};
	const enum status status = root_read(making->into, LAYOUT_SUMS, CHECKSUMS_FILE_MAX, &text, err);
	char hex[SHA256_HEX + 1];

	if (status == OK) {
		const struct sha256 hash = sha256_of(text.data, text.len);

		sha256_hex(&hash, hex);
		memcpy(making->result->id, hex, sizeof making->result->id - 1);
	}
	bytes_free(&text);
	return status;
}

static enum status write_all(struct making *making, struct error *err)
{
	enum status status = copy(making, err);

	if (status == OK)
		status = making->asked ? query_run_write_source(making->into, making->source, err) : replay_source_write(making->into, making->source, program, err);
	if (status == OK)
		status = write_training_sets(making, err);
	if (status == OK)
		status = write_facts(making, err);
	if (status == OK)
		status = seal(making, err);
	if (status == OK)
		status = name_it(making, err);
	return status;
}

enum status submit_make(const struct root *working, const struct root *into, const struct submit_options *options, struct submit_result *result,
                        struct error *err)
{
	struct making making = {.working = working, .into = into, .options = options, .result = result, .runs = cJSON_CreateArray()};
	const time_t now = time(NULL);
	enum status status = OK;
	struct tm utc;

	*result = (struct submit_result){0};
	strftime(making.date, sizeof making.date, "%Y-%m-%d", gmtime_r(&now, &utc));
	making.source = replay_text(options->facts, "source");
	making.model = replay_text(options->facts, "model");
	inventory_take(working, 0, options->quiet, &making.inventory, &result->findings);
	making.taken = mem_array(NULL, making.inventory.count + 1, sizeof *making.taken);
	memset(making.taken, 0, making.inventory.count + 1);
	making.asked = query_run_is_source(working, making.source);
	take_runs(&making);
	status = result->findings.count > 0 ? FAILS : write_all(&making, err);
	findings_sort(&result->findings);
	cJSON_Delete(making.runs);
	inventory_free(&making.inventory);
	free(making.taken);
	return status;
}
