#include "ptxbench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "sheet.h"

const unsigned ptxbench_limits[PTXBENCH_LIMITS] = {1, 4, 8};

static const char *const file_names[PTXBENCH_FILES] = {
    [PTXBENCH_EXPERIMENTS] = "experiments.csv",
    [PTXBENCH_TURN_FILE] = "reasoning_tokens_vs_performance.csv",
    [PTXBENCH_CORRECTNESS] = "correctness_rate_by_release_date.csv",
    [PTXBENCH_SPEEDUP] = "best_speedup_by_release_date.csv",
    [PTXBENCH_TARGET] = "arch_instruction_correctness_by_release_date.csv",
    [PTXBENCH_MODEL_DATES] = "model_release_dates.csv",
    [PTXBENCH_ARCH_DATES] = "ptx_release_dates.csv",
    [PTXBENCH_FLASH_DATES] = "fa_release_dates.csv",
};

static const char *const table_names[PTXBENCH_AGGREGATES] = {"correctness", "best_speedup",
                                                             "target_instruction"};

const char *ptxbench_file_name(enum ptxbench_file file)
{
	return file_names[file];
}

const char *ptxbench_table(int aggregate)
{
	return table_names[aggregate];
}

enum ptxbench_file ptxbench_aggregate_file(int aggregate)
{
	static const enum ptxbench_file files[PTXBENCH_AGGREGATES] = {PTXBENCH_CORRECTNESS, PTXBENCH_SPEEDUP,
	                                                              PTXBENCH_TARGET};

	return files[aggregate];
}

enum date_form ptxbench_date(const char *text, char out[DATE_TEXT + 1])
{
	size_t len = strlen(text);
	size_t digits = strspn(text, "0123456789");
	char date[DATE_TEXT + 1];

	out[0] = '\0';
	if (digits != 4 || text[4] != '-')
		return DATE_FORMLESS;
	size_t second = strspn(text + 5, "0123456789");

	if (len == 9 && second == 4)
		snprintf(date, sizeof date, "%.4s-%.2s-%.2s", text, text + 5, text + 7);
	else if (len == DATE_TEXT && second == 2 && text[7] == '-' && strspn(text + 8, "0123456789") == 2)
		memcpy(date, text, sizeof date);
	else
		return DATE_FORMLESS;
	if (date_valid(date, DATE_TEXT))
		memcpy(out, date, sizeof date);
	return len == 9 ? DATE_PACKED : DATE_DASHED;
}

static enum status open_sheet(const struct ptxbench *data, enum ptxbench_file file,
                              const char *const *columns, struct sheet *sheet, struct error *err)
{
	const struct bytes *text = &data->inputs[file].text;

	return sheet_open(sheet, text->data == NULL ? "" : text->data, text->len, file_names[file], columns,
	                  err);
}

/* Release dates. */

enum { RELEASE_NAME, RELEASE_DATE, RELEASE_ARCH };

static enum status add_release(struct ptxbench *data, enum ptxbench_file file, const struct sheet *sheet,
                               bool has_arch, struct error *err)
{
	struct release release = {.file = file, .line = sheet->line};

	if (sheet_length(sheet, RELEASE_NAME) == 0)
		return sheet_refuse(sheet, RELEASE_NAME, R_IMP_LABEL, err, "is empty");
	for (size_t i = 0; i < data->release_count; i++)
		if (data->releases[i].file == file &&
		    strcmp(data->releases[i].name, sheet_text(sheet, RELEASE_NAME)) == 0)
			return sheet_refuse(sheet, RELEASE_NAME, R_IMP_ORDER, err,
			                    "stands here a second time");
	if (ptxbench_date(sheet_text(sheet, RELEASE_DATE), release.date) == DATE_FORMLESS)
		return sheet_refuse(sheet, RELEASE_DATE, R_IMP_DATE, err,
		                    "is neither YYYY-MMDD nor YYYY-MM-DD");
	release.name = mem_text(sheet_text(sheet, RELEASE_NAME));
	release.published = mem_text(sheet_text(sheet, RELEASE_DATE));
	if (has_arch)
		release.arch = mem_text(sheet_text(sheet, RELEASE_ARCH));
	else if (file == PTXBENCH_ARCH_DATES)
		release.arch = mem_text(release.name);
	data->releases = mem_array(data->releases, data->release_count + 1, sizeof release);
	data->releases[data->release_count++] = release;
	return OK;
}

static enum status read_releases(struct ptxbench *data, enum ptxbench_file file, const char *const *columns,
                                 struct error *err)
{
	struct sheet sheet;
	bool more = true;
	enum status status = open_sheet(data, file, columns, &sheet, err);

	while (status == OK && more) {
		status = sheet_next(&sheet, &more, err);
		if (status == OK && more)
			status = add_release(data, file, &sheet, columns[RELEASE_ARCH] != NULL, err);
	}
	data->inputs[file].rows = sheet.rows;
	sheet_close(&sheet);
	return status;
}

static enum status read_dates(struct ptxbench *data, struct error *err)
{
	static const char *const models[] = {"model", "date", NULL};
	static const char *const archs[] = {"arch", "date", NULL};
	static const char *const flash[] = {"version", "dates", "arch", NULL};
	enum status status = read_releases(data, PTXBENCH_MODEL_DATES, models, err);

	if (status == OK)
		status = read_releases(data, PTXBENCH_ARCH_DATES, archs, err);
	if (status == OK)
		status = read_releases(data, PTXBENCH_FLASH_DATES, flash, err);
	return status;
}

/* experiments.csv: the runs, in their order. */

enum { RUN_MODEL, RUN_ARCH, RUN_TASK, RUN_WORKLOAD, RUN_DIRECTORY };

static bool uuid_valid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	for (size_t i = 0; i < sizeof form; i++)
		if (form[i] == 'x' ? text[i] == '\0' || strchr("0123456789abcdef", text[i]) == NULL
		                   : text[i] != form[i])
			return false;
	return true;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

static const struct release *find_model(const struct ptxbench *data, const char *model)
{
	for (size_t i = 0; i < data->release_count; i++)
		if (data->releases[i].file == PTXBENCH_MODEL_DATES &&
		    strcmp(data->releases[i].name, model) == 0)
			return &data->releases[i];
	return NULL;
}

static enum status check_run_cells(const struct ptxbench *data, const struct sheet *sheet, const char *name,
                                   struct error *err)
{
	const char *arch = sheet_text(sheet, RUN_ARCH);

	if (sheet_length(sheet, RUN_MODEL) > LEDGER_TEXT_MAX)
		return sheet_refuse(sheet, RUN_MODEL, R_IMP_LABEL, err, "is too long");
	if (find_model(data, sheet_text(sheet, RUN_MODEL)) == NULL)
		return sheet_refuse(sheet, RUN_MODEL, R_IMP_LABEL, err, "has no line in %s",
		                    file_names[PTXBENCH_MODEL_DATES]);
	if (strcmp(arch, "hopper") != 0 && strcmp(arch, "blackwell") != 0)
		return sheet_refuse(sheet, RUN_ARCH, R_IMP_LABEL, err, "is neither hopper nor blackwell");
	if (!ledger_name_valid(sheet_text(sheet, RUN_TASK), sheet_length(sheet, RUN_TASK)))
		return sheet_refuse(sheet, RUN_TASK, R_IMP_LABEL, err, "is no name of a definition");
	if (!uuid_valid(sheet_text(sheet, RUN_WORKLOAD)))
		return sheet_refuse(sheet, RUN_WORKLOAD, R_IMP_LABEL, err, "is not a UUID in lowercase");
	/* The directory's path is the authors' own: a message repeats no more than its last part. */
	if (!ledger_name_valid(name, strlen(name)))
		return error_line(err, R_IMP_NAME, sheet->file, sheet->line,
		                  "column 'exp_dir' ends in '%.200s', which cannot name a run", name);
	for (size_t i = 0; i < data->run_count; i++)
		if (strcmp(data->runs[i].run.run, name) == 0)
			return error_line(err, R_IMP_NAME, sheet->file, sheet->line,
			                  "column 'exp_dir' ends in '%.200s', like the one in line %" PRIu64,
			                  name, data->runs[i].line);
	return OK;
}

static enum status add_run(struct ptxbench *data, const struct sheet *sheet, struct error *err)
{
	const char *directory = sheet_text(sheet, RUN_DIRECTORY);
	const char *name = last_part(directory);
	enum status status = check_run_cells(data, sheet, name, err);

	if (status != OK)
		return status;
	data->runs = mem_array(data->runs, data->run_count + 1, sizeof *data->runs);
	struct ptxbench_run *run = &data->runs[data->run_count++];

	*run = (struct ptxbench_run){.line = sheet->line, .has_directory = name != directory};
	runname_read(name, sheet_text(sheet, RUN_TASK), &run->name);
	run->run = (struct run){
	    .run = mem_text(name),
	    .source = mem_text(PTXBENCH_SOURCE),
	    .position = data->run_count,
	    .model = mem_text(sheet_text(sheet, RUN_MODEL)),
	    .arch = mem_text(sheet_text(sheet, RUN_ARCH)),
	    .task = mem_text(sheet_text(sheet, RUN_TASK)),
	    .workload = mem_text(sheet_text(sheet, RUN_WORKLOAD)),
	    .required_tag = mem_text(strcmp(sheet_text(sheet, RUN_ARCH), "hopper") == 0 ? "H" : "B"),
	    .checklist = mem_text(run->name.checklist),
	    .retrieval = mem_text(run->name.retrieval),
	    .variant = mem_text(run->name.variant.data == NULL ? "" : run->name.variant.data),
	    .planned_turns = PTXBENCH_TURNS,
	};
	return OK;
}

static enum status read_runs(struct ptxbench *data, struct error *err)
{
	static const char *const columns[] = {"model", "arch", "definition", "workload", "exp_dir", NULL};
	struct sheet sheet;
	bool more = true;
	enum status status = open_sheet(data, PTXBENCH_EXPERIMENTS, columns, &sheet, err);

	while (status == OK && more) {
		status = sheet_next(&sheet, &more, err);
		if (status == OK && more)
			status = add_run(data, &sheet, err);
	}
	data->inputs[PTXBENCH_EXPERIMENTS].rows = sheet.rows;
	sheet_close(&sheet);
	return status;
}

/* Columns that the turn file and the aggregates share stand first, under the same numbers. */
#define SHARED_COLUMNS "model", "arch", "definition", "workload", "workload_name", "exp_dir"

enum {
	SHARED_MODEL,
	SHARED_ARCH,
	SHARED_TASK,
	SHARED_WORKLOAD,
	SHARED_WORKLOAD_NAME,
	SHARED_DIRECTORY,
	SHARED_COUNT
};

static enum status check_shared(const struct sheet *sheet, const struct ptxbench_run *run, struct error *err)
{
	enum status status;

	if ((status = sheet_same(sheet, SHARED_MODEL, run->run.model, R_IMP_RUN, err)) != OK ||
	    (status = sheet_same(sheet, SHARED_ARCH, run->run.arch, R_IMP_RUN, err)) != OK ||
	    (status = sheet_same(sheet, SHARED_TASK, run->run.task, R_IMP_RUN, err)) != OK ||
	    (status = sheet_same(sheet, SHARED_WORKLOAD, run->run.workload, R_IMP_RUN, err)) != OK)
		return status;
	return sheet_same(sheet, SHARED_WORKLOAD_NAME, run->run.workload_name, R_IMP_RUN, err);
}

/* reasoning_tokens_vs_performance.csv: the turns. */

enum {
	TURN_REQUIRED = SHARED_COUNT,
	TURN_TRAJECTORY,
	TURN_TURN,
	TURN_TOKENS,
	TURN_TOKEN_SOURCE,
	TURN_OUTCOME,
	TURN_SPEEDUP,
	TURN_TAG,
	TURN_WITH_TARGET,
	TURN_SCORE
};

/* exp_NNN, three digits or more. */
static bool trajectory_number(const char *text, uint32_t *out)
{
	size_t digits = strspn(text + (strncmp(text, "exp_", 4) == 0 ? 4 : strlen(text)), "0123456789");
	char again[24];

	if (digits < 3 || digits > 6 || text[4 + digits] != '\0')
		return false;
	*out = (uint32_t)strtoul(text + 4, NULL, 10);
	snprintf(again, sizeof again, "exp_%03" PRIu32, *out);
	return strcmp(again, text) == 0;
}

static bool copy_cell(const struct sheet *sheet, int column, char *out, size_t size)
{
	size_t len = sheet_length(sheet, column);

	if (len >= size)
		return false;
	memcpy(out, sheet_text(sheet, column), len + 1);
	return true;
}

static enum status take_turn(const struct sheet *sheet, struct turn *turn, struct error *err)
{
	enum status status;
	uint64_t number = 0;

	*turn = (struct turn){.evidence = EVIDENCE_REPORTED, .source_line = sheet->line};
	if (!trajectory_number(sheet_text(sheet, TURN_TRAJECTORY), &turn->trajectory))
		return sheet_refuse(sheet, TURN_TRAJECTORY, R_IMP_LABEL, err,
		                    "is not exp_ and a number of three digits");
	if ((status = sheet_integer(sheet, TURN_TURN, PTXBENCH_TURNS - 1, &number, err)) != OK)
		return status;
	turn->turn = (uint32_t)number;
	if ((status = sheet_integer(sheet, TURN_TOKENS, INT32_MAX, &number, err)) != OK)
		return status;
	turn->reasoning_tokens = (int64_t)number;
	if (!copy_cell(sheet, TURN_TOKEN_SOURCE, turn->reasoning_source, sizeof turn->reasoning_source) ||
	    turn->reasoning_source[0] == '\0')
		return sheet_refuse(sheet, TURN_TOKEN_SOURCE, R_IMP_LABEL, err, "is empty or too long");
	if (!outcome_parse(sheet_text(sheet, TURN_OUTCOME), sheet_length(sheet, TURN_OUTCOME),
	                   &turn->outcome) ||
	    outcome_is_measured(turn->outcome))
		return sheet_refuse(sheet, TURN_OUTCOME, R_IMP_LABEL, err, "is none of the nine labels");
	if ((status = sheet_decimal(sheet, TURN_SPEEDUP, &turn->speedup, err)) != OK)
		return status;
	if (!arch_tag_valid(sheet_text(sheet, TURN_TAG), sheet_length(sheet, TURN_TAG)))
		return sheet_refuse(sheet, TURN_TAG, R_IMP_LABEL, err,
		                    "is no list of A, H, B, nor G or empty");
	copy_cell(sheet, TURN_SPEEDUP, turn->speedup_text,
	          sizeof turn->speedup_text); /* both fit: just checked */
	copy_cell(sheet, TURN_TAG, turn->arch_tag, sizeof turn->arch_tag);
	return OK;
}

/* Columns that say again what others say are not carried over, so they must agree. */
static enum status check_redundant(const struct sheet *sheet, const struct ptxbench_run *run,
                                   const struct turn *turn, struct error *err)
{
	bool correct = turn->outcome == OUTCOME_CORRECT;
	bool with_target = correct && arch_tag_has(turn->arch_tag, run->run.required_tag[0]);
	enum status status = sheet_same(sheet, TURN_REQUIRED, run->run.required_tag, R_IMP_REDUNDANT, err);

	if (status == OK)
		status = sheet_same(sheet, TURN_SCORE, turn->speedup_text, R_IMP_REDUNDANT, err);
	if (status == OK)
		status = sheet_same(sheet, TURN_WITH_TARGET, with_target ? "1" : "0", R_IMP_REDUNDANT, err);
	if (status == OK && correct != (turn->speedup > 0))
		status = sheet_refuse(sheet, TURN_SPEEDUP, R_IMP_REDUNDANT, err, "where the outcome is '%s'",
		                      outcome_name(turn->outcome));
	return status;
}

static enum status check_order(const struct sheet *sheet, const struct ptxbench_run *run,
                               const struct turn *turn, struct error *err)
{
	const struct turn *last = run->turn_count == 0 ? NULL : &run->turns[run->turn_count - 1];
	bool goes_on = last != NULL && turn->trajectory == last->trajectory;

	if (!goes_on && turn->trajectory != (last == NULL ? 0 : last->trajectory + 1))
		return sheet_refuse(sheet, TURN_TRAJECTORY, R_IMP_ORDER, err,
		                    "does not follow the row before it");
	if (turn->turn != (goes_on ? last->turn + 1 : 0))
		return sheet_refuse(sheet, TURN_TURN, R_IMP_ORDER, err, "does not follow the row before it");
	return OK;
}

static enum status add_turn(struct ptxbench *data, struct ptxbench_run *run, const struct sheet *sheet,
                            struct error *err)
{
	struct turn turn;
	enum status status = take_turn(sheet, &turn, err);

	if (run->run.workload_name == NULL) {
		if (sheet_length(sheet, SHARED_WORKLOAD_NAME) == 0 ||
		    sheet_length(sheet, SHARED_WORKLOAD_NAME) > LEDGER_TEXT_MAX)
			return sheet_refuse(sheet, SHARED_WORKLOAD_NAME, R_IMP_LABEL, err,
			                    "is empty or too long");
		run->run.workload_name = mem_text(sheet_text(sheet, SHARED_WORKLOAD_NAME));
	}
	if (status == OK)
		status = check_shared(sheet, run, err);
	if (status == OK)
		status = check_order(sheet, run, &turn, err);
	if (status == OK)
		status = check_redundant(sheet, run, &turn, err);
	if (status != OK)
		return status;
	/* Room doubles at each power of two. */
	if ((run->turn_count & (run->turn_count - 1)) == 0)
		run->turns =
		    mem_array(run->turns, run->turn_count == 0 ? 1 : run->turn_count * 2, sizeof turn);
	run->turns[run->turn_count++] = turn;
	run->run.planned_trajectories = turn.trajectory + 1u;
	data->outcomes[turn.outcome]++;
	data->turn_count++;
	data->trajectory_count += turn.turn == 0;
	return OK;
}

/* The run a row belongs to: the current one, or the next of experiments.csv. */
static enum status find_turn_run(const struct ptxbench *data, const struct sheet *sheet, size_t *at,
                                 struct error *err)
{
	const char *name = last_part(sheet_text(sheet, SHARED_DIRECTORY));

	if (strcmp(data->runs[*at].run.run, name) == 0)
		return OK;
	if (data->runs[*at].turn_count > 0 && *at + 1 < data->run_count &&
	    strcmp(data->runs[*at + 1].run.run, name) == 0) {
		++*at;
		return OK;
	}
	return error_line(
	    err, R_IMP_ORDER, sheet->file, sheet->line,
	    "column 'exp_dir' ends in '%.200s', which does not follow the row before it in the order of %s",
	    name, file_names[PTXBENCH_EXPERIMENTS]);
}

static enum status read_turns(struct ptxbench *data, struct error *err)
{
	static const char *const columns[] = {
	    SHARED_COLUMNS,     "required_arch_tag",      "trajectory_id",     "turn",
	    "reasoning_tokens", "reasoning_token_source", "correctness",       "speedup",
	    "arch_tag",         "correct_with_arch",      "performance_score", NULL};
	struct sheet sheet;
	size_t at = 0;
	bool more = true;
	enum status status = open_sheet(data, PTXBENCH_TURN_FILE, columns, &sheet, err);

	while (status == OK && more) {
		status = sheet_next(&sheet, &more, err);
		if (status == OK && more)
			status = find_turn_run(data, &sheet, &at, err);
		if (status == OK && more)
			status = add_turn(data, &data->runs[at], &sheet, err);
	}
	data->inputs[PTXBENCH_TURN_FILE].rows = sheet.rows;
	if (status == OK && at + 1 != data->run_count)
		status = error_line(err, R_IMP_ORDER, sheet.file, sheet.line,
		                    "the file ends before run '%s' of %s", data->runs[at + 1].run.run,
		                    file_names[PTXBENCH_EXPERIMENTS]);
	sheet_close(&sheet);
	return status;
}

/* The three aggregates. */

enum { AGGREGATE_DATE = SHARED_COUNT, AGGREGATE_LIMIT, AGGREGATE_TRAJECTORIES, AGGREGATE_OWN };

#define AGGREGATE_COLUMNS SHARED_COLUMNS, "date", "turn_limit", "n_trajectories"

static const char *const aggregate_columns[PTXBENCH_AGGREGATES][SHEET_COLUMNS_MAX] = {
    {AGGREGATE_COLUMNS, "correct", "correctness_rate"},
    {AGGREGATE_COLUMNS, "best_speedup"},
    {AGGREGATE_COLUMNS, "correct_with_arch", "correct_with_arch_rate", "n_correct_turns",
     "n_unknown_correct_turns", "required_arch_sass_tag", "tag_evidence"},
};

enum {
	CORRECTNESS_COUNT = AGGREGATE_OWN,
	CORRECTNESS_RATE,
	SPEEDUP_BEST = AGGREGATE_OWN,
	TARGET_COUNT = AGGREGATE_OWN,
	TARGET_RATE,
	TARGET_CORRECT_TURNS,
	TARGET_UNKNOWN_TURNS,
	TARGET_REQUIRED,
	TARGET_EVIDENCE
};

static enum status take_decimal(const struct sheet *sheet, int column, char *out, struct error *err)
{
	double value;
	enum status status = sheet_decimal(sheet, column, &value, err);

	if (status == OK)
		copy_cell(sheet, column, out,
		          PTXBENCH_CELL_MAX); /* fits: decimal_parse takes no longer one */
	return status;
}

static enum status take_cells(const struct sheet *sheet, int aggregate, const struct ptxbench_run *run,
                              struct ptxbench_cells *cells, struct error *err)
{
	uint64_t trajectories = run->run.planned_trajectories;
	enum status status = OK;

	switch (ptxbench_aggregate_file(aggregate)) {
	case PTXBENCH_CORRECTNESS:
		if ((status = sheet_integer(sheet, CORRECTNESS_COUNT, trajectories, &cells->correct, err)) !=
		    OK)
			return status;
		return take_decimal(sheet, CORRECTNESS_RATE, cells->correct_rate, err);
	case PTXBENCH_SPEEDUP:
		return take_decimal(sheet, SPEEDUP_BEST, cells->best_speedup, err);
	default:
		if ((status = sheet_same(sheet, TARGET_REQUIRED, run->run.required_tag, R_IMP_REDUNDANT,
		                         err)) != OK ||
		    (status = sheet_same(sheet, TARGET_EVIDENCE, "dynamic_sass", R_IMP_LABEL, err)) != OK ||
		    (status = sheet_integer(sheet, TARGET_COUNT, trajectories, &cells->with_target, err)) !=
		        OK ||
		    (status = take_decimal(sheet, TARGET_RATE, cells->with_target_rate, err)) != OK ||
		    (status = sheet_integer(sheet, TARGET_CORRECT_TURNS, run->turn_count,
		                            &cells->correct_turns, err)) != OK)
			return status;
		return sheet_integer(sheet, TARGET_UNKNOWN_TURNS, cells->correct_turns, &cells->unknown_turns,
		                     err);
	}
}

/* The release date stands in every aggregate row and in model_release_dates.csv: once is enough, if all
 * agree. */
static enum status check_date(const struct ptxbench *data, const struct sheet *sheet,
                              struct ptxbench_run *run, enum date_form *form, struct error *err)
{
	char date[DATE_TEXT + 1];

	*form = ptxbench_date(sheet_text(sheet, AGGREGATE_DATE), date);
	if (*form == DATE_FORMLESS || date[0] == '\0')
		return sheet_refuse(sheet, AGGREGATE_DATE, R_IMP_DATE, err,
		                    "is no day as YYYY-MMDD or YYYY-MM-DD");
	if (strcmp(date, find_model(data, run->run.model)->date) != 0)
		return sheet_refuse(sheet, AGGREGATE_DATE, R_IMP_REDUNDANT, err,
		                    "is not the model's date in %s", file_names[PTXBENCH_MODEL_DATES]);
	if (run->run.date == NULL)
		run->run.date = mem_text(date);
	return OK;
}

static void add_expected(const struct sheet *sheet, const struct ptxbench_run *run, unsigned limit,
                         struct bytes *out)
{
	cJSON *record = cJSON_CreateObject();
	cJSON *cells = cJSON_AddObjectToObject(record, "cells");
	char *row = mem_format("%s/%u", run->run.run, limit);

	for (int i = 0; sheet->columns[i] != NULL; i++)
		if (i != SHARED_DIRECTORY && i != AGGREGATE_LIMIT)
			cJSON_AddStringToObject(cells, sheet->columns[i], sheet_text(sheet, i));
	cJSON_AddStringToObject(record, "row", row);
	jcs_write(record, out, NULL); /* strings only: cannot fail */
	bytes_char(out, '\n');
	free(row);
	cJSON_Delete(record);
}

static enum status add_aggregate(struct ptxbench *data, int aggregate, const struct sheet *sheet,
                                 struct error *err)
{
	size_t at = (size_t)(sheet->rows - 1) / PTXBENCH_LIMITS;
	size_t place = (size_t)(sheet->rows - 1) % PTXBENCH_LIMITS;
	unsigned limit = ptxbench_limits[place];
	char limit_text[16];
	uint64_t trajectories = 0;
	enum date_form form = DATE_FORMLESS;

	if (at >= data->run_count)
		return error_line(err, R_IMP_ORDER, sheet->file, sheet->line,
		                  "more rows than %zu runs at %d turn limits", data->run_count,
		                  PTXBENCH_LIMITS);
	struct ptxbench_run *run = &data->runs[at];
	const char *name = last_part(sheet_text(sheet, SHARED_DIRECTORY));

	if (strcmp(name, run->run.run) != 0)
		return error_line(err, R_IMP_ORDER, sheet->file, sheet->line,
		                  "column 'exp_dir' ends in '%.200s' where '%s' should stand", name,
		                  run->run.run);
	snprintf(limit_text, sizeof limit_text, "%u", limit);
	enum status status = sheet_same(sheet, AGGREGATE_LIMIT, limit_text, R_IMP_ORDER, err);

	if (status == OK)
		status = check_shared(sheet, run, err);
	if (status == OK)
		status = check_date(data, sheet, run, &form, err);
	if (status == OK && sheet->rows > 1 && form != data->date_forms[aggregate])
		status = sheet_refuse(sheet, AGGREGATE_DATE, R_IMP_DATE, err,
		                      "is written otherwise than in the rows before");
	data->date_forms[aggregate] = form;
	if (status == OK)
		status =
		    sheet_integer(sheet, AGGREGATE_TRAJECTORIES, LEDGER_TRAJECTORIES_MAX, &trajectories, err);
	if (status == OK && trajectories != run->run.planned_trajectories)
		status = sheet_refuse(sheet, AGGREGATE_TRAJECTORIES, R_IMP_COUNT, err,
		                      "where %s has %" PRIu64 " trajectories", file_names[PTXBENCH_TURN_FILE],
		                      run->run.planned_trajectories);
	if (status == OK)
		status = take_cells(sheet, aggregate, run, &run->cells[place], err);
	if (status != OK)
		return status;
	run->cells[place].line[aggregate] = sheet->line;
	add_expected(sheet, run, limit, &data->expected[aggregate]);
	return OK;
}

static enum status read_aggregate(struct ptxbench *data, int aggregate, struct error *err)
{
	enum ptxbench_file file = ptxbench_aggregate_file(aggregate);
	struct sheet sheet;
	bool more = true;
	enum status status = open_sheet(data, file, aggregate_columns[aggregate], &sheet, err);

	while (status == OK && more) {
		status = sheet_next(&sheet, &more, err);
		if (status == OK && more)
			status = add_aggregate(data, aggregate, &sheet, err);
	}
	data->inputs[file].rows = sheet.rows;
	if (status == OK && sheet.rows != data->run_count * PTXBENCH_LIMITS)
		status = error_line(err, R_IMP_ORDER, sheet.file, sheet.line,
		                    "%" PRIu64 " rows, fewer than %zu runs at %d turn limits", sheet.rows,
		                    data->run_count, PTXBENCH_LIMITS);
	sheet_close(&sheet);
	return status;
}

static void measure(struct ptxbench_input *input)
{
	input->hash = sha256_of(input->text.data == NULL ? "" : input->text.data, input->text.len);
	for (size_t i = 0; i < input->text.len; i++)
		input->lines += input->text.data[i] == '\n';
}

enum status ptxbench_parse(struct ptxbench *data, struct error *err)
{
	for (int i = 0; i < PTXBENCH_FILES; i++)
		measure(&data->inputs[i]);
	enum status status = read_dates(data, err);

	if (status == OK)
		status = read_runs(data, err);
	if (status == OK)
		status = read_turns(data, err);
	for (int i = 0; status == OK && i < PTXBENCH_AGGREGATES; i++)
		status = read_aggregate(data, i, err);
	return status;
}

enum status ptxbench_read(const struct root *dir, struct ptxbench *data, struct error *err)
{
	*data = (struct ptxbench){0};
	for (int i = 0; i < PTXBENCH_FILES; i++) {
		enum status status =
		    root_read(dir, file_names[i], PTXBENCH_FILE_MAX, &data->inputs[i].text, err);

		if (status != OK)
			return status;
	}
	return ptxbench_parse(data, err);
}

void ptxbench_free(struct ptxbench *data)
{
	for (int i = 0; i < PTXBENCH_FILES; i++)
		bytes_free(&data->inputs[i].text);
	for (size_t i = 0; i < data->release_count; i++) {
		free(data->releases[i].name);
		free(data->releases[i].arch);
		free(data->releases[i].published);
	}
	free(data->releases);
	for (size_t i = 0; i < data->run_count; i++) {
		run_free(&data->runs[i].run);
		runname_free(&data->runs[i].name);
		free(data->runs[i].turns);
	}
	free(data->runs);
	for (int i = 0; i < PTXBENCH_AGGREGATES; i++)
		bytes_free(&data->expected[i]);
	*data = (struct ptxbench){0};
}
