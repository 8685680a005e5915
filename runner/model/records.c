#include "records.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/name.h"
#include "../base/json.h"

/* Takes path and text. */
static void add_file(struct records *records, char *path, struct bytes text)
{
	records->at = mem_array(records->at, records->count + 1, sizeof *records->at);
	records->at[records->count++] = (struct record_file){.path = path, .text = text};
}

/* Append the tree as one line and free it. It holds texts and counts only, so writing cannot fail. */
static void add_line(cJSON *tree, struct bytes *out)
{
	jcs_write(tree, out, NULL);
	bytes_char(out, '\n');
	cJSON_Delete(tree);
}

static void add_count(cJSON *record, const char *key, uint64_t count)
{
	cJSON_AddNumberToObject(record, key,
	                        (double)count); /* counts of bytes and lines in memory: below 2^53 */
}

/* What the file of published cells holds, so that a row or column that is lost later shows. */
static void add_table(cJSON *tables, const char *name, const struct bytes *cells)
{
	const char *end = cells->len == 0 ? NULL : memchr(cells->data, '\n', cells->len);
	cJSON *first = NULL;
	uint64_t rows = 0;

	/* Written by the same import: canonical, one row a line, all rows with the columns of the first. */
	if (end == NULL || json_parse(cells->data, (size_t)(end - cells->data), name, &first, NULL) != OK)
		return;
	for (size_t i = 0; i < cells->len; i++)
		rows += cells->data[i] == '\n';
	cJSON *table = cJSON_CreateObject();
	cJSON *columns = cJSON_AddArrayToObject(table, "columns");

	for (const cJSON *cell = cJSON_GetObjectItemCaseSensitive(first, "cells")->child; cell != NULL; cell = cell->next)
		cJSON_AddItemToArray(columns, cJSON_CreateString(cell->string));
	add_count(table, "rows", rows);
	jcs_add_text(table, "table", name);
	cJSON_AddItemToArray(tables, table);
	cJSON_Delete(first);
}

static void add_contents(cJSON *record, const struct ptxbench *data, const struct provenance *provenance)
{
	add_count(record, "runs", data->run_count);
	add_count(record, "trajectories", data->trajectory_count);
	add_count(record, "turns", data->turn_count);
	cJSON *turn_lines = cJSON_AddObjectToObject(record, "turn_lines");

	/* Below the header, a row a line: no cell of it can hold a line end. */
	add_count(turn_lines, "first", 2);
	add_count(turn_lines, "last", 1 + data->turn_count);
	cJSON *tables = cJSON_AddArrayToObject(record, "tables");

	for (int i = 0; i < PTXBENCH_AGGREGATES; i++)
		add_table(tables, ptxbench_table(i), &data->expected[i]);
	if (provenance->figures_name != NULL) {
		add_table(tables, "figure1", &provenance->figures.figure1);
		add_table(tables, "figure2", &provenance->figures.figure2);
	}
}

static void make_source(const struct ptxbench *data, const struct provenance *provenance,
                        struct records *records)
{
	cJSON *record = cJSON_CreateObject();
	struct bytes text = {0};

	jcs_add_text(record, "source", PTXBENCH_SOURCE);
	jcs_add_text(record, "repository", "https://github.com/zhang677/PTXBench");
	jcs_add_text(record, "directory", "benchmark/plot_viewer_v1/data");
	jcs_add_text(record, "commit", provenance->commit);
	jcs_add_text(record, "date", provenance->date);
	jcs_add_text(record, "paper", "arXiv 2608.17379");
	add_contents(record, data, provenance);
	cJSON *files = cJSON_AddArrayToObject(record, "files");

	for (int i = 0; i < PTXBENCH_FILES; i++) {
		const struct ptxbench_input *input = &data->inputs[i];
		cJSON *file = cJSON_CreateObject();

		jcs_add_text(file, "file", ptxbench_file_name((enum ptxbench_file)i));
		jcs_add_hash(file, "sha256", &input->hash);
		add_count(file, "bytes", input->text.len);
		add_count(file, "lines", input->lines);
		add_count(file, "rows", input->rows);
		cJSON_AddItemToArray(files, file);
	}
	if (provenance->figures_name == NULL) {
		cJSON_AddNullToObject(record, "figures");
	} else {
		struct sha256 hash = sha256_of(provenance->figures_text.data, provenance->figures_text.len);
		cJSON *figures = cJSON_AddObjectToObject(record, "figures");

		jcs_add_text(figures, "file", provenance->figures_name);
		jcs_add_text(figures, "source", provenance->figures.source);
		jcs_add_hash(figures, "sha256", &hash);
		add_count(figures, "bytes", provenance->figures_text.len);
	}
	add_line(record, &text);
	add_file(records, mem_text("artifact/sources/" PTXBENCH_SOURCE "/source.json"), text);
}

static void make_irregularities(const struct irregularities *found, struct records *records)
{
	struct bytes text = {0};

	for (size_t i = 0; i < found->count; i++)
		irregularity_write(&found->at[i], &text);
	add_file(records, mem_text("artifact/sources/" PTXBENCH_SOURCE "/irregularities.jsonl"), text);
}

static const char *release_kind(enum ptxbench_file file)
{
	if (file == PTXBENCH_MODEL_DATES)
		return "model";
	return file == PTXBENCH_ARCH_DATES ? "architecture" : "flash-attention";
}

static void make_release_dates(const struct ptxbench *data, struct records *records)
{
	struct bytes text = {0};

	for (size_t i = 0; i < data->release_count; i++) {
		const struct release *release = &data->releases[i];
		cJSON *record = cJSON_CreateObject();

		jcs_add_text(record, "kind", release_kind(release->file));
		jcs_add_text(record, "name", release->name);
		jcs_add_text(record, "arch", release->arch);
		jcs_add_text(record, "date", release->date[0] == '\0' ? NULL : release->date);
		jcs_add_text(record, "published", release->published);
		jcs_add_text(record, "source", PTXBENCH_SOURCE);
		jcs_add_text(record, "source_file", ptxbench_file_name(release->file));
		add_count(record, "source_line", release->line);
		add_line(record, &text);
	}
	add_file(records, mem_text("artifact/facts/release_dates.jsonl"), text);
}

static void make_run(const struct ptxbench_run *run, struct records *records)
{
	struct bytes description = {0};
	struct bytes turns = {0};

	run_write(&run->run, &description);
	for (size_t i = 0; i < run->turn_count; i++)
		turn_write(&run->turns[i], &turns);
	add_file(records, mem_format(LEDGER_DIRECTORY "/%s/run.json", run->run.run), description);
	add_file(records, mem_format(LEDGER_DIRECTORY "/%s/turns.jsonl", run->run.run), turns);
}

static struct bytes copy(const struct bytes *text)
{
	struct bytes out = {0};

	bytes_add(&out, text->data, text->len);
	return out;
}

void records_make(const struct ptxbench *data, const struct irregularities *found,
                  const struct provenance *provenance, struct records *records)
{
	static const char expected[] = "artifact/expected/" PTXBENCH_SOURCE "/";

	*records = (struct records){0};
	make_source(data, provenance, records);
	make_irregularities(found, records);
	make_release_dates(data, records);
	for (int i = 0; i < PTXBENCH_AGGREGATES; i++)
		add_file(records, mem_format("%s%s.jsonl", expected, ptxbench_table(i)),
		         copy(&data->expected[i]));
	if (provenance->figures_name != NULL) {
		add_file(records, mem_format("%sfigure1.jsonl", expected),
		         copy(&provenance->figures.figure1));
		add_file(records, mem_format("%sfigure2.jsonl", expected),
		         copy(&provenance->figures.figure2));
	}
	for (size_t i = 0; i < data->run_count; i++)
		make_run(&data->runs[i], records);
}

static bool brings(const struct ptxbench *data, const char *name)
{
	for (size_t i = 0; i < data->run_count; i++)
		if (strcmp(data->runs[i].run.run, name) == 0)
			return true;
	return false;
}

static enum status check_present(const struct root *bundle, const char *path, const struct ptxbench *data,
                                 struct error *err)
{
	struct run run;
	enum status status = run_read(bundle, path + strlen(LEDGER_DIRECTORY "/"), &run, err);

	if (status != OK)
		return status;
	bool ours = strcmp(run.source, PTXBENCH_SOURCE) == 0;

	if (ours && !brings(data, run.run))
		status = error_set(err, R_IMP_STALE, path, "the source '%s' has no such run", run.source);
	else if (!ours && brings(data, run.run))
		status = error_set(err, R_IMP_STALE, path, "a run of this name is there from the source '%s'",
		                   run.source);
	run_free(&run);
	return status;
}

static enum status check_runs(const struct ptxbench *data, const struct root *bundle, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, LEDGER_DIRECTORY, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++)
		if (list.at[i].kind == FILE_DIRECTORY)
			status = check_present(bundle, list.at[i].path, data, err);
	file_list_free(&list);
	return status;
}

/* What of the data becomes names. */
static enum status check_names(const struct ptxbench *data, struct error *err)
{
	enum status status = OK;

	for (size_t i = 0; i < data->run_count && status == OK; i++)
		status = run_check_names(&data->runs[i].run, ptxbench_file_name(PTXBENCH_EXPERIMENTS), err);
	for (size_t i = 0; i < data->release_count && status == OK; i++)
		status = name_check(data->releases[i].name, "name", ptxbench_file_name(data->releases[i].file), err);
	return status;
}

static bool has_file(const struct records *records, const char *path)
{
	for (size_t i = 0; i < records->count; i++)
		if (strcmp(records->at[i].path, path) == 0)
			return true;
	return false;
}

/* Directories that are this source's alone. */
static enum status check_directory(const struct records *records, const struct root *bundle,
                                   const char *directory, struct error *err)
{
	struct file_list list = {0};
	enum status status = root_list(bundle, directory, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++)
		if (!has_file(records, list.at[i].path))
			status = error_set(err, R_IMP_STALE, list.at[i].path, "the import has no such file");
	file_list_free(&list);
	return status;
}

enum status records_write(const struct records *records, const struct ptxbench *data,
                          const struct root *bundle, struct error *err)
{
	enum status status = check_names(data, err);

	if (status == OK)
		status = check_runs(data, bundle, err);
	if (status == OK)
		status = check_directory(records, bundle, "artifact/expected/" PTXBENCH_SOURCE, err);
	if (status == OK)
		status = check_directory(records, bundle, "artifact/sources/" PTXBENCH_SOURCE, err);
	for (size_t i = 0; status == OK && i < records->count; i++)
		status = root_write(bundle, records->at[i].path, records->at[i].text.data,
		                    records->at[i].text.len, err);
	return status;
}

void records_free(struct records *records)
{
	for (size_t i = 0; i < records->count; i++) {
		free(records->at[i].path);
		bytes_free(&records->at[i].text);
	}
	free(records->at);
	*records = (struct records){0};
}
