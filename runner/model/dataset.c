#include "dataset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"
#include "../bundle/imports.h"
#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "../bundle/replays.h"
#include "ptxbench.h"

enum { RUN_NUMBER_MAX = 16 }; /* bytes of "-0001" */

enum status dataset_name(const char *source, struct error *err)
{
	static const char *const taken[] = {"root", PTXBENCH_SOURCE, REPLAY_SOURCE};

	/* A run is called so, and a number behind it. */
	if (!ledger_name_valid(source, strlen(source)) || strlen(source) > LEDGER_NAME_MAX - RUN_NUMBER_MAX)
		return error_set(err, R_SRC_NAME, "", "'%s' cannot name a source", source);
	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (strcmp(source, taken[i]) == 0)
			return error_set(err, R_SRC_NAME, "", "'%s' stands for something else", source);
	return OK;
}

enum status dataset_read(struct dataset *dataset, const struct root *dir, const char *path, struct bytes *text, struct error *err)
{
	enum status status = OK;

	text->len = 0;
	if (dataset->file_count == DATASET_FILES_MAX)
		return error_set(err, R_SRC_SIZE, path, "there are more than %d files", DATASET_FILES_MAX);
	status = root_read(dir, path, DATASET_FILE_MAX, text, err);
	if (status == OK && text->len > DATASET_BYTES_MAX - dataset->bytes)
		status = error_set(err, R_SRC_SIZE, path, "the files up to this one have more than %llu bytes",
		                   (unsigned long long)DATASET_BYTES_MAX);
	if (status != OK)
		return status;
	bytes_reserve(text, 1); /* an empty file is text, too */
	text->data[text->len] = '\0';
	dataset->bytes += text->len;
	dataset->files = mem_array(dataset->files, dataset->file_count + 1, sizeof *dataset->files);
	dataset->files[dataset->file_count++] =
		(struct dataset_file){.file = mem_text(path), .hash = sha256_of(text->data, text->len), .bytes = text->len};
	return OK;
}

void dataset_skip(struct dataset *dataset, const char *file, uint64_t line, const char *what, const char *reason)
{
	dataset->skips = mem_array(dataset->skips, dataset->skip_count + 1, sizeof *dataset->skips);
	dataset->skips[dataset->skip_count++] =
		(struct dataset_skip){.file = mem_text(file), .line = line, .what = mem_text(what), .reason = mem_text(reason)};
}

void dataset_object(struct dataset *dataset, const void *data, size_t len, char hex[SHA256_HEX + 1])
{
	struct sha256 id = sha256_of(data, len);

	sha256_hex(&id, hex);
	if (dataset->object_count == dataset->object_room) {
		dataset->object_room = dataset->object_room * 2 + 64;
		dataset->objects = mem_array(dataset->objects, dataset->object_room, sizeof *dataset->objects);
	}
	dataset->objects[dataset->object_count++] = (struct dataset_object){.id = id, .data = mem_textn(data, len), .len = len};
}

void dataset_label(struct dataset *dataset, const char *label, enum outcome outcome)
{
	size_t i = 0;

	while (i < dataset->label_count && (dataset->labels[i].outcome != outcome || strcmp(dataset->labels[i].label, label) != 0))
		i++;
	if (i == dataset->label_count) {
		dataset->labels = mem_array(dataset->labels, i + 1, sizeof *dataset->labels);
		dataset->labels[dataset->label_count++] = (struct dataset_label){.label = mem_text(label), .outcome = outcome};
	}
	dataset->labels[i].turns++;
}

struct dataset_run *dataset_run(struct dataset *dataset, const char *file)
{
	size_t number = dataset->run_count + 1;

	dataset->runs = mem_array(dataset->runs, number, sizeof *dataset->runs);
	dataset->runs[dataset->run_count++] = (struct dataset_run){
		.run = {.run = mem_format("%s-%04zu", dataset->source, number),
	                .source = mem_text(dataset->source),
	                .position = number,
	                .checklist = mem_text("unsaid"),
	                .retrieval = mem_text("unsaid"),
	                .variant = mem_text("")},
		.file = mem_text(file),
	};
	return &dataset->runs[number - 1];
}

void dataset_turn(struct dataset_run *run, struct turn *turn, double speedup)
{
	char text[JCS_NUMBER_MAX] = "0";

	if (outcome_is_correct(turn->outcome) && speedup > 0 && jcs_number(speedup, text))
		turn->speedup = speedup;
	else
		strcpy(text, "0");
	if (turn->outcome == OUTCOME_CORRECT && turn->speedup <= 0)
		turn->outcome = OUTCOME_MEASURED_CORRECT;
	snprintf(turn->speedup_text, sizeof turn->speedup_text, "%s", text);
	turn->evidence = EVIDENCE_REPORTED;
	if (run->count == run->room) {
		run->room = run->room * 2 + 16;
		run->turns = mem_array(run->turns, run->room, sizeof *run->turns);
	}
	run->turns[run->count++] = *turn;
}

uint64_t dataset_turns(const struct dataset *dataset)
{
	uint64_t count = 0;

	for (size_t i = 0; i < dataset->run_count; i++)
		count += dataset->runs[i].count;
	return count;
}

uint64_t dataset_trajectories(const struct dataset *dataset)
{
	uint64_t count = 0;

	for (size_t i = 0; i < dataset->run_count; i++)
		for (size_t t = 0; t < dataset->runs[i].count; t++)
			count += dataset->runs[i].turns[t].turn == 0;
	return count;
}

const char *dataset_arch(const char *hardware)
{
	/* Names NVIDIA sells the chips under; a longer name of digits (H1000) is another chip. */
	static const struct {
		const char *chip, *arch;
	} chips[] = {{"H100", "hopper"},     {"H200", "hopper"},     {"H800", "hopper"},      {"H20", "hopper"},      {"GH200", "hopper"},
	             {"B100", "blackwell"}, {"B200", "blackwell"}, {"B300", "blackwell"}, {"GB200", "blackwell"}, {"GB300", "blackwell"}};

	for (const char *at = hardware; *at != '\0';) {
		size_t len = strcspn(at, " _-/()");

		for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
			if (strlen(chips[i].chip) == len && memcmp(at, chips[i].chip, len) == 0)
				return chips[i].arch;
		at += len;
		at += *at != '\0';
	}
	return NULL;
}

bool dataset_has_task(const struct root *bundle, const char *name)
{
	struct file_list list = {0};
	char *dir = mem_format(LAYOUT_TASKS "%s", name);
	bool there = strchr(name, '/') == NULL && path_valid(dir, strlen(dir)) && root_list(bundle, dir, &list, NULL) == OK && list.count > 0;

	file_list_free(&list);
	free(dir);
	return there;
}

enum status dataset_lines(const struct bytes *text, const char *file, dataset_line *take, void *context, struct error *err)
{
	enum status status = OK;
	uint64_t line = 0;

	for (size_t at = 0; at < text->len && status == OK;) {
		const char *start = text->data + at;
		const char *end = memchr(start, '\n', text->len - at);
		size_t len = end != NULL ? (size_t)(end - start) : text->len - at;
		cJSON *tree = NULL;

		line++;
		at += len + 1;
		if (strspn(start, " \t\r") >= len) /* the text ends in a newline or a NUL */
			continue;
		if (len > DATASET_LINE_MAX)
			return error_line(err, R_JSON_SIZE, file, line, "a line of %zu bytes; the limit is %d", len, DATASET_LINE_MAX);
		status = json_parse(start, len, file, &tree, err);
		if (status != OK && err != NULL)
			err->line = line;
		if (status == OK)
			status = take(context, file, line, tree, err);
		cJSON_Delete(tree);
	}
	return status;
}

/* Writing. */

static void add_count(cJSON *record, const char *key, uint64_t count)
{
	cJSON_AddNumberToObject(record, key, (double)count); /* counts of what is in memory: below 2^53 */
}

/* Append the tree as one line and free it. Texts came through a strict reader, so writing cannot fail. */
static void add_line(cJSON *tree, struct bytes *out)
{
	jcs_write(tree, out, NULL);
	bytes_char(out, '\n');
	cJSON_Delete(tree);
}

static int by_label(const void *a, const void *b)
{
	const struct dataset_label *x = a, *y = b;
	int order = strcmp(x->label, y->label);

	return order != 0 ? order : (x->outcome > y->outcome) - (x->outcome < y->outcome);
}

static cJSON *labels_of(const struct dataset *dataset)
{
	cJSON *list = cJSON_CreateArray();

	if (dataset->label_count > 1)
		qsort(dataset->labels, dataset->label_count, sizeof *dataset->labels, by_label);
	for (size_t i = 0; i < dataset->label_count; i++) {
		cJSON *label = cJSON_CreateObject();

		cJSON_AddStringToObject(label, "label", dataset->labels[i].label);
		cJSON_AddStringToObject(label, "outcome", outcome_name(dataset->labels[i].outcome));
		add_count(label, "turns", dataset->labels[i].turns);
		cJSON_AddItemToArray(list, label);
	}
	return list;
}

static void write_source(const struct dataset *dataset, struct bytes *out)
{
	cJSON *record = cJSON_CreateObject();

	cJSON_AddStringToObject(record, "source", dataset->source);
	cJSON_AddStringToObject(record, "kind", dataset->kind);
	cJSON *files = cJSON_AddArrayToObject(record, "files");

	for (size_t i = 0; i < dataset->file_count; i++) {
		char hex[SHA256_HEX + 1];
		cJSON *file = cJSON_CreateObject();

		sha256_hex(&dataset->files[i].hash, hex);
		cJSON_AddStringToObject(file, "file", dataset->files[i].file);
		cJSON_AddStringToObject(file, "sha256", hex);
		add_count(file, "bytes", dataset->files[i].bytes);
		cJSON_AddItemToArray(files, file);
	}
	cJSON *from = cJSON_AddArrayToObject(record, "from");

	for (size_t i = 0; i < dataset->run_count; i++) {
		const struct dataset_run *run = &dataset->runs[i];
		cJSON *one = cJSON_CreateObject();

		cJSON_AddStringToObject(one, "run", run->run.run);
		cJSON_AddStringToObject(one, "file", run->file);
		if (run->has_usage) {
			add_count(one, "completion_tokens", run->completion_tokens);
			add_count(one, "prompt_tokens", run->prompt_tokens);
			add_count(one, "turns_without_usage", run->turns_without_usage);
		}
		cJSON_AddItemToArray(from, one);
	}
	cJSON_AddItemToObject(record, "labels", labels_of(dataset));
	add_count(record, "runs", dataset->run_count);
	add_count(record, "skipped", dataset->skip_count);
	add_count(record, "trajectories", dataset_trajectories(dataset));
	add_count(record, "turns", dataset_turns(dataset));
	add_line(record, out);
}

static void write_skips(const struct dataset *dataset, struct bytes *out)
{
	for (size_t i = 0; i < dataset->skip_count; i++) {
		const struct dataset_skip *skip = &dataset->skips[i];
		cJSON *record = cJSON_CreateObject();

		cJSON_AddStringToObject(record, "file", skip->file);
		if (skip->line == 0)
			cJSON_AddNullToObject(record, "line");
		else
			add_count(record, "line", skip->line);
		cJSON_AddStringToObject(record, "reason", skip->reason);
		cJSON_AddStringToObject(record, "what", skip->what);
		add_line(record, out);
	}
}

static bool brings(const struct dataset *dataset, const char *name)
{
	for (size_t i = 0; i < dataset->run_count; i++)
		if (strcmp(dataset->runs[i].run.run, name) == 0)
			return true;
	return false;
}

static enum status check_run(const struct dataset *dataset, const struct root *bundle, const char *path, struct error *err)
{
	struct run run;
	enum status status = run_read(bundle, path + strlen(LEDGER_DIRECTORY "/"), &run, err);

	if (status != OK)
		return status;
	bool ours = strcmp(run.source, dataset->source) == 0;

	if (ours && !brings(dataset, run.run))
		status = error_set(err, R_IMP_STALE, path, "the source '%s' has no such run", run.source);
	else if (!ours && brings(dataset, run.run))
		status = error_set(err, R_IMP_STALE, path, "a run of this name is there from the source '%s'", run.source);
	run_free(&run);
	return status;
}

/* A source of that name that came in another way is another source. */
static enum status check_kind(const struct dataset *dataset, const struct root *bundle, const char *path, struct error *err)
{
	struct bytes text = {0};
	cJSON *tree = NULL;
	const char *kind = NULL;
	enum status status = root_read(bundle, path, PROVENANCE_MAX, &text, err);

	if (status == OK)
		status = json_parse(text.data == NULL ? "" : text.data, text.len, path, &tree, err);
	if (status == OK && (json_text(tree, "kind", path, &kind, NULL) != OK || strcmp(kind, dataset->kind) != 0))
		status = error_set(err, R_IMP_STALE, path, "the bundle's source '%s' is not of the kind %s", dataset->source, dataset->kind);
	cJSON_Delete(tree);
	bytes_free(&text);
	return status;
}

/* What of this source stands in the bundle and would not be written. */
static enum status check_bundle(const struct dataset *dataset, const struct root *bundle, struct error *err)
{
	char *sources = mem_format(LAYOUT_SOURCES "%s", dataset->source);
	char *expected = mem_format(LAYOUT_EXPECTED "%s", dataset->source);
	struct file_list list = {0};
	enum status status = root_list(bundle, LEDGER_DIRECTORY, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++)
		if (list.at[i].kind == FILE_DIRECTORY)
			status = check_run(dataset, bundle, list.at[i].path, err);
	file_list_free(&list);
	if (status == OK)
		status = root_list(bundle, sources, &list, err);
	for (size_t i = 0; status == OK && i < list.count; i++) {
		const char *name = strrchr(list.at[i].path, '/') + 1;
		bool comes = (strcmp(name, "skipped.jsonl") == 0 && dataset->skip_count > 0) ||
		             (strcmp(name, "solutions.jsonl") == 0 && dataset->solutions.len > 0);

		if (strcmp(name, LAYOUT_PROVENANCE) == 0)
			status = check_kind(dataset, bundle, list.at[i].path, err);
		else if (!comes)
			status = error_set(err, R_IMP_STALE, list.at[i].path, "the import has no such file");
	}
	file_list_free(&list);
	if (status == OK)
		status = root_list(bundle, expected, &list, err);
	if (status == OK && list.count > 0)
		status = error_set(err, R_IMP_STALE, expected, "others' runs bring no published cells");
	file_list_free(&list);
	free(expected);
	free(sources);
	return status;
}

static enum status write_run(const struct dataset_run *run, const struct root *bundle, struct error *err)
{
	char *file = mem_format(LEDGER_DIRECTORY "/%s/" LAYOUT_RUN, run->run.run);
	struct bytes text = {0};

	run_write(&run->run, &text);
	enum status status = root_write(bundle, file, text.data, text.len, err);

	text.len = 0;
	for (size_t i = 0; i < run->count; i++)
		turn_write(&run->turns[i], &text);
	free(file);
	file = mem_format(LEDGER_DIRECTORY "/%s/" LAYOUT_TURNS, run->run.run);
	if (status == OK)
		status = root_write(bundle, file, text.data, text.len, err);
	bytes_free(&text);
	free(file);
	return status;
}

static enum status write_about(const struct dataset *dataset, const struct root *bundle, const char *name, struct bytes *text,
                               struct error *err)
{
	char *file = mem_format(LAYOUT_SOURCES "%s/%s", dataset->source, name);
	enum status status = text->len > 0 ? root_write(bundle, file, text->data, text->len, err) : OK;

	free(file);
	return status;
}

enum status dataset_write(const struct dataset *dataset, const struct root *bundle, struct error *err)
{
	struct bytes source = {0}, skips = {0}, solutions = dataset->solutions;
	struct sha256 id;
	enum status status = OK;

	if (dataset_turns(dataset) == 0)
		status = error_set(err, R_SRC_NOTHING, dataset->skip_count > 0 ? dataset->skips[0].file : "", "%s",
		                   dataset->skip_count > 0 ? dataset->skips[0].reason : "the directory holds no turn");
	for (size_t i = 0; status == OK && i < dataset->run_count; i++)
		status = run_check_names(&dataset->runs[i].run, dataset->runs[i].file, err);
	if (status == OK)
		status = check_bundle(dataset, bundle, err);
	if (status == OK) {
		write_source(dataset, &source);
		write_skips(dataset, &skips);
		if (source.len > PROVENANCE_MAX)
			status = error_set(err, R_SRC_SIZE, dataset->files[0].file, "%zu files: their list is longer than %d bytes",
			                   dataset->file_count, PROVENANCE_MAX);
	}
	for (size_t i = 0; status == OK && i < dataset->object_count; i++)
		status = object_put(bundle, dataset->objects[i].data, dataset->objects[i].len, &id, err);
	for (size_t i = 0; status == OK && i < dataset->run_count; i++)
		status = write_run(&dataset->runs[i], bundle, err);
	if (status == OK)
		status = write_about(dataset, bundle, "skipped.jsonl", &skips, err);
	if (status == OK)
		status = write_about(dataset, bundle, "solutions.jsonl", &solutions, err);
	if (status == OK)
		status = write_about(dataset, bundle, LAYOUT_PROVENANCE, &source, err);
	bytes_free(&source);
	bytes_free(&skips);
	return status;
}

void dataset_free(struct dataset *dataset)
{
	for (size_t i = 0; i < dataset->file_count; i++)
		free(dataset->files[i].file);
	for (size_t i = 0; i < dataset->skip_count; i++) {
		free(dataset->skips[i].file);
		free(dataset->skips[i].what);
		free(dataset->skips[i].reason);
	}
	for (size_t i = 0; i < dataset->run_count; i++) {
		run_free(&dataset->runs[i].run);
		free(dataset->runs[i].file);
		free(dataset->runs[i].turns);
	}
	for (size_t i = 0; i < dataset->object_count; i++)
		free(dataset->objects[i].data);
	for (size_t i = 0; i < dataset->label_count; i++)
		free(dataset->labels[i].label);
	free(dataset->files);
	free(dataset->skips);
	free(dataset->runs);
	free(dataset->objects);
	free(dataset->labels);
	bytes_free(&dataset->solutions);
	*dataset = (struct dataset){0};
}
