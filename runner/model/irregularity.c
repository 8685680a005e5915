#include "irregularity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"

static const struct {
	const char *code;
	const char *meaning;
	const char *carried;
} kinds[IRREGULARITY_KINDS] = {
#define IRREGULARITY(name, code, meaning, carried) {code, meaning, carried},
#include "irregularity.def"
#undef IRREGULARITY
};

const char *irregularity_code(enum irregularity_kind kind)
{
	return kinds[kind].code;
}

const char *irregularity_meaning(enum irregularity_kind kind)
{
	return kinds[kind].meaning;
}

const char *irregularity_carried(enum irregularity_kind kind)
{
	return kinds[kind].carried;
}

/* What is found: places are collected under a key, first line and count, and then reported in the order
 * they came. */

struct place {
	char *key;
	uint64_t line;
	uint64_t count;
};

struct places {
	struct place *at;
	size_t count;
};

static void places_add(struct places *places, const char *key, uint64_t line)
{
	for (size_t i = 0; i < places->count; i++)
		if (strcmp(places->at[i].key, key) == 0) {
			places->at[i].count++;
			return;
		}
	places->at = mem_array(places->at, places->count + 1, sizeof *places->at);
	places->at[places->count++] = (struct place){.key = mem_text(key), .line = line, .count = 1};
}

static void places_free(struct places *places)
{
	for (size_t i = 0; i < places->count; i++)
		free(places->at[i].key);
	free(places->at);
	*places = (struct places){0};
}

/* run and value become the record's own; either may be NULL. */
static void report(struct irregularities *found, enum irregularity_kind kind, enum ptxbench_file file,
                   const char *column, uint64_t line, uint64_t count, char *run, char *value)
{
	found->at = mem_array(found->at, found->count + 1, sizeof *found->at);
	found->at[found->count++] = (struct irregularity){.kind = kind,
	                                                  .file = file,
	                                                  .line = line,
	                                                  .count = count,
	                                                  .column = column,
	                                                  .run = run,
	                                                  .value = value};
}

/* One record a key, if there are at least as many keys as it takes to be irregular. */
static void report_values(struct irregularities *found, enum irregularity_kind kind, enum ptxbench_file file,
                          const char *column, struct places *places, size_t least)
{
	for (size_t i = 0; places->count >= least && i < places->count; i++)
		report(found, kind, file, column, places->at[i].line, places->at[i].count, NULL,
		       mem_text(places->at[i].key));
	places_free(places);
}

static void report_runs(struct irregularities *found, enum irregularity_kind kind, enum ptxbench_file file,
                        const char *column, struct places *places)
{
	for (size_t i = 0; i < places->count; i++)
		report(found, kind, file, column, places->at[i].line, places->at[i].count,
		       mem_text(places->at[i].key), NULL);
	places_free(places);
}

static bool lacks_target(const struct ptxbench_run *run, const struct turn *turn)
{
	return turn->outcome == OUTCOME_CORRECT && !arch_tag_has(turn->arch_tag, run->run.required_tag[0]);
}

/* Dates. */

static const char *date_column(enum ptxbench_file file)
{
	return file == PTXBENCH_FLASH_DATES ? "dates" : "date";
}

static void find_impossible_dates(const struct ptxbench *data, struct irregularities *found)
{
	for (size_t i = 0; i < data->release_count; i++) {
		const struct release *release = &data->releases[i];

		if (release->date[0] == '\0')
			report(found, IRREGULAR_IMPOSSIBLE_DATE, release->file, date_column(release->file),
			       release->line, 1, NULL,
			       mem_format("%s: %s", release->name, release->published));
	}
}

static void find_date_forms(const struct ptxbench *data, struct irregularities *found)
{
	uint64_t packed[PTXBENCH_FILES] = {0};
	uint64_t first[PTXBENCH_FILES] = {0};
	bool dashed = false;
	char date[DATE_TEXT + 1];

	for (size_t i = 0; i < data->release_count; i++) {
		const struct release *release = &data->releases[i];

		if (ptxbench_date(release->published, date) == DATE_DASHED) {
			dashed = true;
			continue;
		}
		if (packed[release->file]++ == 0)
			first[release->file] = release->line;
	}
	for (int i = 0; i < PTXBENCH_AGGREGATES; i++) {
		enum ptxbench_file file = ptxbench_aggregate_file(i);

		if (data->date_forms[i] == DATE_DASHED) {
			dashed = true;
		} else {
			packed[file] = data->inputs[file].rows;
			first[file] = data->runs[0].cells[0].line[i];
		}
	}
	for (int i = 0; dashed && i < PTXBENCH_FILES; i++)
		if (packed[i] > 0)
			report(found, IRREGULAR_DATE_FORM, (enum ptxbench_file)i,
			       date_column((enum ptxbench_file)i), first[i], packed[i], NULL,
			       mem_text("YYYY-MMDD"));
	report(found, IRREGULAR_DATE_COLUMN, PTXBENCH_FLASH_DATES, "dates", 1, 1, NULL, mem_text("dates"));
}

static void find_same_days(const struct ptxbench *data, struct irregularities *found)
{
	for (size_t i = 0; i < data->release_count; i++)
		for (size_t j = 0; j < i; j++) {
			const struct release *release = &data->releases[i];
			const struct release *other = &data->releases[j];

			if (release->date[0] == '\0' || other->date[0] == '\0' ||
			    strcmp(release->date + 4, other->date + 4) != 0 ||
			    strncmp(release->date, other->date, 4) == 0)
				continue;
			report(found, IRREGULAR_SAME_DAY, release->file, date_column(release->file),
			       release->line, 1, NULL,
			       mem_format("%s: %s; %s: %s", release->name, release->published, other->name,
			                  other->published));
		}
}

/* NAME-sN: the length of what stands before N, and N; 0 if the name has not that form. */
static size_t series(const char *name, unsigned long *member)
{
	const char *dash = strrchr(name, '-');

	if (dash == NULL || dash[1] != 's' || dash[2] == '\0' ||
	    strspn(dash + 2, "0123456789") != strlen(dash + 2))
		return 0;
	*member = strtoul(dash + 2, NULL, 10);
	return (size_t)(dash + 2 - name);
}

static void find_series_order(const struct ptxbench *data, struct irregularities *found)
{
	for (size_t i = 0; i < data->release_count; i++)
		for (size_t j = 0; j < data->release_count; j++) {
			const struct release *release = &data->releases[i];
			const struct release *before = &data->releases[j];
			unsigned long member = 0;
			unsigned long member_before = 0;
			size_t stem = series(release->name, &member);

			if (stem == 0 || series(before->name, &member_before) != stem ||
			    memcmp(release->name, before->name, stem) != 0 || member != member_before + 1 ||
			    release->date[0] == '\0' || strcmp(release->date, before->date) >= 0)
				continue;
			report(found, IRREGULAR_SERIES_ORDER, release->file, "date", release->line, 1, NULL,
			       mem_format("%s: %s; %s: %s", release->name, release->published, before->name,
			                  before->published));
		}
}

static void find_name_dates(const struct ptxbench *data, struct irregularities *found)
{
	struct places differs = {0};
	struct places same = {0};

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];
		char *key = mem_format("%s: released %s, runs named %s", run->run.model, run->run.date,
		                       run->name.date);

		if (run->name.date[0] != '\0')
			places_add(strcmp(run->name.date, run->run.date) == 0 ? &same : &differs, key,
			           run->line);
		free(key);
	}
	report_values(found, IRREGULAR_NAME_DATE, PTXBENCH_EXPERIMENTS, "exp_dir", &differs, 1);
	report_values(found, IRREGULAR_DATE_IS_NAME_DATE, PTXBENCH_EXPERIMENTS, "exp_dir", &same, 1);
}

/* Tags and keys. */

static void find_lists(const struct ptxbench *data, struct irregularities *found)
{
	struct places lists = {0};

	for (size_t i = 0; i < data->run_count; i++)
		for (size_t t = 0; t < data->runs[i].turn_count; t++)
			if (strchr(data->runs[i].turns[t].arch_tag, ',') != NULL)
				places_add(&lists, data->runs[i].turns[t].arch_tag,
				           data->runs[i].turns[t].source_line);
	report_values(found, IRREGULAR_LIST, PTXBENCH_TURN_FILE, "arch_tag", &lists, 1);
}

static void find_paths(const struct ptxbench *data, struct irregularities *found)
{
	static const enum ptxbench_file files[] = {PTXBENCH_EXPERIMENTS, PTXBENCH_TURN_FILE,
	                                           PTXBENCH_CORRECTNESS, PTXBENCH_SPEEDUP, PTXBENCH_TARGET};
	bool any = false;

	for (size_t i = 0; i < data->run_count; i++)
		any = any || data->runs[i].has_directory;
	for (size_t i = 0; any && i < sizeof files / sizeof *files; i++)
		report(found, IRREGULAR_PATH, files[i], "exp_dir", 2, data->inputs[files[i]].rows, NULL,
		       mem_format(".../%s", data->runs[0].run.run));
}

static void find_tags_on_failure(const struct ptxbench *data, struct irregularities *found)
{
	struct places places = {0};

	for (size_t i = 0; i < data->run_count; i++)
		for (size_t t = 0; t < data->runs[i].turn_count; t++) {
			const struct turn *turn = &data->runs[i].turns[t];

			if (turn->outcome != OUTCOME_CORRECT && turn->arch_tag[0] != '\0')
				places_add(&places, data->runs[i].run.run, turn->source_line);
		}
	report_runs(found, IRREGULAR_TAG_ON_FAILURE, PTXBENCH_TURN_FILE, "arch_tag", &places);
}

/* Where the trajectory that begins at turn t ends, and whether it has one tag throughout in spite of
 * failures. */
static size_t trajectory_end(const struct ptxbench_run *run, size_t begin, bool *one_tag)
{
	const struct turn *first = &run->turns[begin];
	bool failed = false;
	size_t end = begin;

	*one_tag = first->arch_tag[0] != '\0';
	for (; end < run->turn_count && run->turns[end].trajectory == first->trajectory; end++) {
		failed = failed || run->turns[end].outcome != OUTCOME_CORRECT;
		*one_tag = *one_tag && strcmp(run->turns[end].arch_tag, first->arch_tag) == 0;
	}
	*one_tag = *one_tag && failed;
	return end;
}

static void find_trajectory_tags(const struct ptxbench *data, struct irregularities *found)
{
	struct places places = {0};

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];

		for (size_t begin = 0; begin < run->turn_count;) {
			bool one_tag;
			size_t end = trajectory_end(run, begin, &one_tag);

			for (size_t t = begin; one_tag && t < end; t++)
				places_add(&places, run->run.run, run->turns[t].source_line);
			begin = end;
		}
	}
	report_runs(found, IRREGULAR_TRAJECTORY_TAG, PTXBENCH_TURN_FILE, "arch_tag", &places);
}

static void find_hidden_factors(const struct ptxbench *data, struct irregularities *found)
{
	struct places factors = {0};
	struct places without_task = {0};
	struct places labels = {0};

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];
		char *label = mem_format("%s, %s, %s", run->run.model, run->run.arch, run->run.task);

		places_add(&labels, label, run->line);
		free(label);
		if (!run->name.names_task)
			places_add(&without_task, run->run.run, run->line);
		if (strcmp(run->run.checklist, "unsaid") != 0 || strcmp(run->run.retrieval, "none") != 0 ||
		    run->run.variant[0] != '\0') {
			char *key = mem_format("checklist %s, retrieval %s, variant '%s'", run->run.checklist,
			                       run->run.retrieval, run->run.variant);

			places_add(&factors, key, run->line);
			free(key);
		}
	}
	report_values(found, IRREGULAR_HIDDEN_FACTOR, PTXBENCH_EXPERIMENTS, "exp_dir", &factors, 1);
	report_runs(found, IRREGULAR_NO_TASK, PTXBENCH_EXPERIMENTS, "exp_dir", &without_task);
	for (size_t i = 0; i < labels.count; i++)
		if (labels.at[i].count > 1)
			report(found, IRREGULAR_SHARED_LABEL, PTXBENCH_EXPERIMENTS, "model",
			       labels.at[i].line, labels.at[i].count, NULL, mem_text(labels.at[i].key));
	places_free(&labels);
}

/* Numbers of trajectories and turns. */

static void find_unequal(const struct ptxbench *data, struct irregularities *found)
{
	struct places places = {0};

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];
		char *key = mem_format("%s, %s: %" PRIu64, run->run.model, run->run.arch,
		                       run->run.planned_trajectories);
		bool unequal = false;

		for (size_t j = 0; j < data->run_count; j++)
			unequal = unequal ||
			          data->runs[j].run.planned_trajectories != run->run.planned_trajectories;
		if (unequal)
			places_add(&places, key, run->cells[0].line[0]);
		free(key);
	}
	report_values(found, IRREGULAR_UNEQUAL, PTXBENCH_CORRECTNESS, "n_trajectories", &places, 1);
}

static void find_short(const struct ptxbench *data, struct irregularities *found)
{
	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];

		for (size_t t = 0; t < run->turn_count; t++) {
			const struct turn *turn = &run->turns[t];
			bool last =
			    t + 1 == run->turn_count || run->turns[t + 1].trajectory != turn->trajectory;

			if (last && turn->turn + 1 < PTXBENCH_TURNS)
				report(found, IRREGULAR_SHORT, PTXBENCH_TURN_FILE, "turn", turn->source_line,
				       PTXBENCH_TURNS - 1 - turn->turn, mem_text(run->run.run),
				       mem_format("exp_%03" PRIu32 ": %" PRIu32 " of %d turns, the last: %s",
				                  turn->trajectory, turn->turn + 1, PTXBENCH_TURNS,
				                  outcome_name(turn->outcome)));
		}
	}
}

/* The name of a workload with the definition cut off and # for numbers: "_M#". */
static char *workload_form(const struct run *run)
{
	const char *name = run->workload_name;
	size_t len = strlen(run->task);
	struct bytes form = {0};

	if (strncmp(name, run->task, len) == 0) {
		bytes_text(&form, "DEFINITION");
		name += len;
	}
	while (*name != '\0') {
		size_t digits = strspn(name, "0123456789");

		bytes_char(&form, digits > 0 ? '#' : *name);
		name += digits > 0 ? digits : 1;
	}
	return form.data == NULL ? mem_text("") : form.data;
}

static void find_workload_names(const struct ptxbench *data, struct irregularities *found)
{
	struct places forms = {0};

	for (size_t i = 0; i < data->run_count; i++) {
		char *form = workload_form(&data->runs[i].run);

		for (int limit = 0; limit < PTXBENCH_LIMITS; limit++)
			places_add(&forms, form, data->runs[i].cells[limit].line[0]);
		free(form);
	}
	report_values(found, IRREGULAR_WORKLOAD_NAME, PTXBENCH_CORRECTNESS, "workload_name", &forms, 2);
}

/* How numbers are written. */

struct column {
	enum ptxbench_file file;
	const char *name;
	uint64_t line; /* of the first cell */
	uint64_t count;
	bool fixed, general, shortest; /* all cells so far are so written */
	struct places zeros;
};

static void column_add(struct column *column, const char *text, uint64_t line)
{
	char form[64];
	char shortest[JCS_NUMBER_MAX];
	double value = 0;

	decimal_parse(text, strlen(text), &value); /* checked when the cell was taken */
	if (column->count++ == 0)
		*column = (struct column){column->file, column->name, line, 1, true, true, true, {0}};
	snprintf(form, sizeof form, "%.6f", value);
	column->fixed = column->fixed && strcmp(form, text) == 0;
	snprintf(form, sizeof form, "%.9g", value);
	column->general = column->general && strcmp(form, text) == 0;
	jcs_number(value, shortest);
	snprintf(form, sizeof form, "%s.0", shortest);
	column->shortest = column->shortest && (strcmp(shortest, text) == 0 || strcmp(form, text) == 0);
	if (value == 0)
		places_add(&column->zeros, text, line);
}

static void columns_report(struct column *columns, size_t count, struct irregularities *found)
{
	for (size_t i = 0; i < count; i++) {
		const struct column *column = &columns[i];
		const char *form = column->fixed      ? "six decimals (%.6f)"
		                   : column->general  ? "nine significant digits (%.9g)"
		                   : column->shortest ? "the shortest that reads back, .0 after integers"
		                                      : "no one form";

		report(found, IRREGULAR_NUMBER_FORM, column->file, column->name, column->line, column->count,
		       NULL, mem_text(form));
	}
	for (size_t i = 0; i < count; i++)
		report_values(found, IRREGULAR_ZERO_FORM, columns[i].file, columns[i].name, &columns[i].zeros,
		              1);
}

static void find_number_forms(const struct ptxbench *data, struct irregularities *found)
{
	struct column columns[] = {
	    {.file = PTXBENCH_TURN_FILE, .name = "speedup"},
	    {.file = PTXBENCH_CORRECTNESS, .name = "correctness_rate"},
	    {.file = PTXBENCH_SPEEDUP, .name = "best_speedup"},
	    {.file = PTXBENCH_TARGET, .name = "correct_with_arch_rate"},
	};

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];

		for (size_t t = 0; t < run->turn_count; t++)
			column_add(&columns[0], run->turns[t].speedup_text, run->turns[t].source_line);
		for (int limit = 0; limit < PTXBENCH_LIMITS; limit++) {
			const struct ptxbench_cells *cells = &run->cells[limit];

			column_add(&columns[1], cells->correct_rate, cells->line[0]);
			column_add(&columns[2], cells->best_speedup, cells->line[1]);
			column_add(&columns[3], cells->with_target_rate, cells->line[2]);
		}
	}
	columns_report(columns, sizeof columns / sizeof *columns, found);
}

/* Reasoning tokens. */

static void find_zero_tokens(const struct ptxbench *data, struct irregularities *found)
{
	for (size_t i = 0; i < data->run_count; i++)
		for (size_t t = 0; t < data->runs[i].turn_count; t++) {
			const struct turn *turn = &data->runs[i].turns[t];

			if (turn->reasoning_tokens == 0)
				report(found, IRREGULAR_ZERO_TOKENS, PTXBENCH_TURN_FILE, "reasoning_tokens",
				       turn->source_line, 1, mem_text(data->runs[i].run.run),
				       mem_format("exp_%03" PRIu32 ", turn %" PRIu32 ": 0, %s",
				                  turn->trajectory, turn->turn, outcome_name(turn->outcome)));
		}
}

static void find_maximum_tokens(const struct ptxbench *data, const char *model, struct irregularities *found)
{
	int64_t largest = 0;
	uint64_t line = 0;
	uint64_t count = 0;
	uint64_t nothing_extracted = 0;

	for (size_t i = 0; i < data->run_count; i++) {
		const struct ptxbench_run *run = &data->runs[i];

		if (strcmp(run->run.model, model) != 0)
			continue;
		for (size_t t = 0; t < run->turn_count; t++) {
			const struct turn *turn = &run->turns[t];

			if (turn->reasoning_tokens > largest) {
				largest = turn->reasoning_tokens;
				line = turn->source_line;
				count = nothing_extracted = 0;
			}
			if (turn->reasoning_tokens == largest) {
				count++;
				nothing_extracted += turn->outcome == OUTCOME_EXTRACTION;
			}
		}
	}
	if (largest > 0 && (count > 1 || nothing_extracted == count))
		report(found, IRREGULAR_MAXIMUM_TOKENS, PTXBENCH_TURN_FILE, "reasoning_tokens", line, count,
		       NULL,
		       mem_format("%s: %" PRId64 ", %" PRIu64 " of them %s", model, largest,
		                  nothing_extracted, outcome_name(OUTCOME_EXTRACTION)));
}

static void find_tokens(const struct ptxbench *data, struct irregularities *found)
{
	struct places sources = {0};

	find_zero_tokens(data, found);
	for (size_t i = 0; i < data->release_count; i++)
		if (data->releases[i].file == PTXBENCH_MODEL_DATES)
			find_maximum_tokens(data, data->releases[i].name, found);
	for (size_t i = 0; i < data->run_count; i++)
		for (size_t t = 0; t < data->runs[i].turn_count; t++)
			places_add(&sources, data->runs[i].turns[t].reasoning_source,
			           data->runs[i].turns[t].source_line);
	report_values(found, IRREGULAR_TOKEN_SOURCE, PTXBENCH_TURN_FILE, "reasoning_token_source", &sources,
	              2);
}

/* Target instructions. */

static void find_without_target(const struct ptxbench *data, struct irregularities *found)
{
	struct places places = {0};

	for (size_t i = 0; i < data->run_count; i++)
		for (size_t t = 0; t < data->runs[i].turn_count; t++) {
			const struct turn *turn = &data->runs[i].turns[t];
			char *key = mem_format("required %s, tagged '%s'", data->runs[i].run.required_tag,
			                       turn->arch_tag);

			if (lacks_target(&data->runs[i], turn))
				places_add(&places, key, turn->source_line);
			free(key);
		}
	report_values(found, IRREGULAR_WITHOUT_TARGET, PTXBENCH_TURN_FILE, "arch_tag", &places, 1);
}

static const struct turn *best_turn(const struct ptxbench_run *run, unsigned limit)
{
	const struct turn *best = NULL;

	for (size_t t = 0; t < run->turn_count; t++)
		if (run->turns[t].turn < limit && run->turns[t].speedup > (best == NULL ? 0 : best->speedup))
			best = &run->turns[t];
	return best;
}

static uint64_t trajectories_with_target(const struct ptxbench_run *run, unsigned limit)
{
	uint64_t count = 0;
	bool counted = false;

	for (size_t t = 0; t < run->turn_count; t++) {
		const struct turn *turn = &run->turns[t];

		counted = counted && turn->turn > 0;
		if (!counted && turn->turn < limit && turn->outcome == OUTCOME_CORRECT &&
		    !lacks_target(run, turn)) {
			counted = true;
			count++;
		}
	}
	return count;
}

static void find_target_cells(const struct ptxbench *data, enum irregularity_kind kind,
                              struct irregularities *found)
{
	for (size_t i = 0; i < data->run_count; i++)
		for (int limit = 0; limit < PTXBENCH_LIMITS; limit++) {
			const struct ptxbench_run *run = &data->runs[i];
			const struct ptxbench_cells *cells = &run->cells[limit];
			unsigned turns = ptxbench_limits[limit];
			const struct turn *best = best_turn(run, turns);
			uint64_t by_tag = trajectories_with_target(run, turns);

			if (kind == IRREGULAR_BEST_WITHOUT_TARGET && best != NULL && lacks_target(run, best))
				report(found, kind, PTXBENCH_SPEEDUP, "best_speedup", cells->line[1], 1,
				       mem_text(run->run.run),
				       mem_format("turn limit %u: %s, tagged '%s' in line %" PRIu64
				                  " of the turn file",
				                  turns, cells->best_speedup, best->arch_tag,
				                  best->source_line));
			if (kind == IRREGULAR_UNKNOWN_EVIDENCE && cells->unknown_turns > 0)
				report(found, kind, PTXBENCH_TARGET, "n_unknown_correct_turns",
				       cells->line[2], 1, mem_text(run->run.run),
				       mem_format("turn limit %u: %" PRIu64 " of %" PRIu64 " Correct turns",
				                  turns, cells->unknown_turns, cells->correct_turns));
			if (kind == IRREGULAR_EVIDENCE_DIFFERS && by_tag != cells->with_target)
				report(found, kind, PTXBENCH_TARGET, "correct_with_arch", cells->line[2], 1,
				       mem_text(run->run.run),
				       mem_format("turn limit %u: %" PRIu64 " trajectories, %" PRIu64
				                  " by PTX tags, %" PRIu64 " Correct turns unknown",
				                  turns, cells->with_target, by_tag, cells->unknown_turns));
		}
}

void irregularities_find(const struct ptxbench *data, struct irregularities *found)
{
	*found = (struct irregularities){0};
	find_impossible_dates(data, found);
	find_date_forms(data, found);
	find_same_days(data, found);
	find_series_order(data, found);
	find_name_dates(data, found);
	find_lists(data, found);
	find_paths(data, found);
	find_tags_on_failure(data, found);
	find_trajectory_tags(data, found);
	find_hidden_factors(data, found);
	find_unequal(data, found);
	find_short(data, found);
	find_workload_names(data, found);
	report(found, IRREGULAR_EVIDENCE_NAME, PTXBENCH_TURN_FILE, "required_arch_tag", 1, 1, NULL,
	       mem_text("required_arch_tag here, required_arch_sass_tag in the aggregate"));
	report(found, IRREGULAR_EVIDENCE_NAME, PTXBENCH_TURN_FILE, "correct_with_arch", 1, 1, NULL,
	       mem_text("correct_with_arch here and in the aggregate"));
	find_number_forms(data, found);
	find_tokens(data, found);
	find_without_target(data, found);
	find_target_cells(data, IRREGULAR_BEST_WITHOUT_TARGET, found);
	find_target_cells(data, IRREGULAR_UNKNOWN_EVIDENCE, found);
	find_target_cells(data, IRREGULAR_EVIDENCE_DIFFERS, found);
	report(found, IRREGULAR_REDUNDANT, PTXBENCH_TURN_FILE, "performance_score", 2, data->turn_count, NULL,
	       mem_text("the same text as speedup"));
	report(found, IRREGULAR_REDUNDANT, PTXBENCH_TURN_FILE, "correct_with_arch", 2, data->turn_count, NULL,
	       mem_text("1 where correctness is Correct and arch_tag has the letter of required_arch_tag"));
}

void irregularities_free(struct irregularities *found)
{
	for (size_t i = 0; i < found->count; i++) {
		free(found->at[i].run);
		free(found->at[i].value);
	}
	free(found->at);
	*found = (struct irregularities){0};
}

void irregularity_write(const struct irregularity *irregularity, struct bytes *out)
{
	cJSON *record = cJSON_CreateObject();

	jcs_add_text(record, "rule", irregularity_code(irregularity->kind));
	jcs_add_text(record, "file", ptxbench_file_name(irregularity->file));
	cJSON_AddNumberToObject(record, "line", (double)irregularity->line);
	cJSON_AddNumberToObject(record, "count", (double)irregularity->count);
	jcs_add_text(record, "column", irregularity->column);
	jcs_add_text(record, "run", irregularity->run);
	jcs_add_text(record, "value", irregularity->value);
	jcs_add_text(record, "meaning", irregularity_meaning(irregularity->kind));
	jcs_add_text(record, "carried", irregularity_carried(irregularity->kind));
	jcs_write(record, out, NULL); /* texts and counts: cannot fail */
	bytes_char(out, '\n');
	cJSON_Delete(record);
}
