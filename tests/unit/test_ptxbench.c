/* The import of PTXBench's CSV files: what is taken, every rule R-IMP-001 to R-IMP-011 with file and line, and the names of runs. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/irregularity.h"
#include "model/ptxbench.h"
#include "model/runname.h"

#define UUID "94920358-01a8-4c5b-9209-3103fd490e94"
#define KEYS(dir) "M1,hopper,H," UUID ",gemm_n2_k3_M4,gemm_n2_k3,/x/" dir
#define AGGREGATE(dir, date) "M1,hopper," UUID ",gemm_n2_k3_M4,gemm_n2_k3,/x/" dir "," date
#define TARGET(dir) "M1,hopper,H," UUID ",gemm_n2_k3_M4,gemm_n2_k3,/x/" dir ",2026-0131"

/* Two runs of one trajectory and two turns. */
static const char *const good[PTXBENCH_FILES] = {
	[PTXBENCH_EXPERIMENTS] = "model,arch,definition,workload,exp_dir\n"
				 "M1,hopper,gemm_n2_k3," UUID ",/x/opus48-gemm\n"
				 "M1,hopper,gemm_n2_k3," UUID ",/x/opus48-nopatched-gemm\n",
	[PTXBENCH_TURN_FILE] =
		"model,arch,required_arch_tag,workload,workload_name,definition,exp_dir,trajectory_id,turn,reasoning_tokens,"
		"reasoning_token_source,correctness,speedup,arch_tag,correct_with_arch,performance_score\n"
		KEYS("opus48-gemm") ",exp_000,0,11,t,Correct,0.25,\"A, H\",1,0.25\n"
		KEYS("opus48-gemm") ",exp_000,1,12,t,Runtime error,0.0,,0,0.0\n"
		KEYS("opus48-nopatched-gemm") ",exp_000,0,13,t,Correct,0.5,A,0,0.5\n"
		KEYS("opus48-nopatched-gemm") ",exp_000,1,14,t,Correct,0.125,H,1,0.125\n",
	[PTXBENCH_CORRECTNESS] = "model,arch,workload,workload_name,definition,exp_dir,date,turn_limit,n_trajectories,correct,"
				 "correctness_rate\n"
				 AGGREGATE("opus48-gemm", "2026-01-31") ",1,1,1,1.000000\n"
				 AGGREGATE("opus48-gemm", "2026-01-31") ",4,1,1,1.000000\n"
				 AGGREGATE("opus48-gemm", "2026-01-31") ",8,1,1,1.000000\n"
				 AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",1,1,1,1.000000\n"
				 AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",4,1,1,1.000000\n"
				 AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",8,1,1,1.000000\n",
	[PTXBENCH_SPEEDUP] =
		"model,arch,workload,workload_name,definition,exp_dir,date,turn_limit,n_trajectories,best_speedup\n"
		AGGREGATE("opus48-gemm", "2026-01-31") ",1,1,0.25\n"
		AGGREGATE("opus48-gemm", "2026-01-31") ",4,1,0.25\n"
		AGGREGATE("opus48-gemm", "2026-01-31") ",8,1,0.25\n"
		AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",1,1,0.5\n"
		AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",4,1,0.5\n"
		AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",8,1,0.5\n",
	[PTXBENCH_TARGET] = "model,arch,required_arch_sass_tag,workload,workload_name,definition,exp_dir,date,turn_limit,"
			    "n_trajectories,correct_with_arch,correct_with_arch_rate,n_correct_turns,n_unknown_correct_turns,"
			    "tag_evidence\n"
			    TARGET("opus48-gemm") ",1,1,1,1.0,1,0,dynamic_sass\n"
			    TARGET("opus48-gemm") ",4,1,1,1.0,1,0,dynamic_sass\n"
			    TARGET("opus48-gemm") ",8,1,1,1.0,1,0,dynamic_sass\n"
			    TARGET("opus48-nopatched-gemm") ",1,1,0,0.0,1,1,dynamic_sass\n"
			    TARGET("opus48-nopatched-gemm") ",4,1,0,0.0,2,1,dynamic_sass\n"
			    TARGET("opus48-nopatched-gemm") ",8,1,1,1.0,2,0,dynamic_sass\n",
	[PTXBENCH_MODEL_DATES] = "model,date\nM1,2026-0131\n",
	[PTXBENCH_ARCH_DATES] = "arch,date\nhopper,2022-1005\n",
	[PTXBENCH_FLASH_DATES] = "version,arch,dates\nfa4,blackwell,2025-0631\n",
};

static enum status parse(struct ptxbench *data, enum ptxbench_file file, const char *text, struct error *err)
{
	*data = (struct ptxbench){0};
	for (int i = 0; i < PTXBENCH_FILES; i++)
		bytes_text(&data->inputs[i].text, i == (int)file ? text : good[i]);
	return ptxbench_parse(data, err);
}

static void small_data_is_taken(void **state)
{
	(void)state;
	struct ptxbench data;
	struct error err = {0};

	assert_int_equal(parse(&data, PTXBENCH_FILES, NULL, &err), OK);
	assert_int_equal(data.run_count, 2);
	assert_int_equal(data.turn_count, 4);
	assert_int_equal(data.trajectory_count, 2);
	assert_int_equal(data.outcomes[OUTCOME_CORRECT], 3);
	assert_int_equal(data.outcomes[OUTCOME_RUNTIME], 1);
	const struct ptxbench_run *run = &data.runs[1];

	assert_string_equal(run->run.run, "opus48-nopatched-gemm");
	assert_string_equal(run->run.checklist, "nopatched");
	assert_string_equal(run->run.date, "2026-01-31");
	assert_int_equal(run->run.position, 2);
	assert_int_equal(run->run.planned_trajectories, 1);
	assert_int_equal(run->run.planned_turns, 8);
	assert_int_equal(run->turns[1].source_line, 5);
	assert_string_equal(run->turns[1].speedup_text, "0.125");
	assert_string_equal(data.releases[2].date, "");
	assert_string_equal(data.releases[2].published, "2025-0631");
	data.expected[1].data[strcspn(data.expected[1].data, "\n")] = '\0';
	assert_string_equal(data.expected[1].data,
	                    "{\"cells\":{\"arch\":\"hopper\",\"best_speedup\":\"0.25\",\"date\":\"2026-01-31\","
	                    "\"definition\":\"gemm_n2_k3\",\"model\":\"M1\",\"n_trajectories\":\"1\",\"workload\":\"" UUID
	                    "\",\"workload_name\":\"gemm_n2_k3_M4\"},\"row\":\"opus48-gemm/1\"}");
	ptxbench_free(&data);
}

/* The file with the nth (from 1) occurrence of old replaced. */
static char *change(enum ptxbench_file file, int nth, const char *old, const char *new)
{
	const char *text = good[file];
	const char *at = strstr(text, old);

	while (--nth > 0 && at != NULL)
		at = strstr(at + 1, old);
	assert_non_null(at);
	return mem_format("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void expect_refused(enum rule rule, uint64_t line, enum ptxbench_file file, int nth, const char *old,
                           const char *new)
{
	struct ptxbench data;
	struct error err = {0};
	char *text = change(file, nth, old, new);

	assert_int_equal(parse(&data, file, text, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, rule_info(rule)->id);
	assert_string_equal(err.file, ptxbench_file_name(file));
	assert_int_equal(err.line, line);
	assert_null(strstr(err.what, "/x/"));
	ptxbench_free(&data);
	free(text);
}

static void R_IMP_001_refuses_a_column_missing_renamed_or_more(void **state)
{
	(void)state;
	for (int file = 0; file < PTXBENCH_FILES; file++) {
		const char *comma = strchr(good[file], ',');
		char *first = mem_textn(good[file], (size_t)(comma - good[file]) + 1);

		expect_refused(R_IMP_COLUMNS, 1, (enum ptxbench_file)file, 1, first, "other,");
		free(first);
	}
	expect_refused(R_IMP_COLUMNS, 1, PTXBENCH_MODEL_DATES, 1, "model,date\nM1,2026-0131\n", "model,date,x\nM1,2026-0131,\n");
	expect_refused(R_IMP_COLUMNS, 1, PTXBENCH_MODEL_DATES, 1, "model,date\nM1,2026-0131\n", "model\nM1\n");
}

static void R_IMP_002_refuses_a_file_without_rows(void **state)
{
	(void)state;
	expect_refused(R_IMP_EMPTY, 1, PTXBENCH_MODEL_DATES, 1, "M1,2026-0131\n", "");
}

static void R_IMP_003_refuses_what_is_no_number(void **state)
{
	(void)state;
	expect_refused(R_IMP_NUMBER, 2, PTXBENCH_TURN_FILE, 1, ",11,", ",-11,");
	expect_refused(R_IMP_NUMBER, 2, PTXBENCH_TURN_FILE, 1, ",11,", ",011,");
	expect_refused(R_IMP_NUMBER, 2, PTXBENCH_TURN_FILE, 1, ",11,", ",,");
	expect_refused(R_IMP_NUMBER, 3, PTXBENCH_TURN_FILE, 1, ",0.0,", ",nan,");
	expect_refused(R_IMP_NUMBER, 3, PTXBENCH_TURN_FILE, 1, ",0.0,", ",0x0,");
	expect_refused(R_IMP_NUMBER, 3, PTXBENCH_TURN_FILE, 1, ",exp_000,1,", ",exp_000,1.0,");
	expect_refused(R_IMP_NUMBER, 4, PTXBENCH_SPEEDUP, 3, ",0.25", ",inf");
	expect_refused(R_IMP_NUMBER, 2, PTXBENCH_CORRECTNESS, 1, ",1.000000", ",1e");
	expect_refused(R_IMP_NUMBER, 2, PTXBENCH_TARGET, 1, ",1.0,1,0,", ",1.0,one,0,");
}

static void R_IMP_004_refuses_numbers_out_of_range(void **state)
{
	(void)state;
	expect_refused(R_IMP_RANGE, 3, PTXBENCH_TURN_FILE, 1, ",exp_000,1,", ",exp_000,8,");
	expect_refused(R_IMP_RANGE, 2, PTXBENCH_CORRECTNESS, 1, ",1,1,1,", ",1,1,2,");
	expect_refused(R_IMP_RANGE, 5, PTXBENCH_TARGET, 1, ",1,1,0,0.0,1,1,", ",1,1,0,0.0,1,2,");
}

static void R_IMP_005_refuses_labels_that_are_unknown(void **state)
{
	(void)state;
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_TURN_FILE, 1, "Correct", "PASSED");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_TURN_FILE, 1, "\"A, H\"", "\"H, A\"");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_TURN_FILE, 1, ",exp_000,", ",exp_0,");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_TURN_FILE, 1, ",t,", ",,");
	expect_refused(R_IMP_LABEL, 3, PTXBENCH_EXPERIMENTS, 2, "hopper", "ampere");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_EXPERIMENTS, 1, "M1", "M2");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_EXPERIMENTS, 1, "-01a8-", "-01A8-");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_EXPERIMENTS, 1, "gemm_n2_k3", "gemm/n2");
	expect_refused(R_IMP_LABEL, 3, PTXBENCH_TARGET, 2, "dynamic_sass", "static_sass");
	expect_refused(R_IMP_LABEL, 2, PTXBENCH_MODEL_DATES, 1, "M1", "");
}

static void R_IMP_006_refuses_dates_of_no_known_form(void **state)
{
	(void)state;
	expect_refused(R_IMP_DATE, 2, PTXBENCH_MODEL_DATES, 1, "2026-0131", "2026/01/31");
	expect_refused(R_IMP_DATE, 2, PTXBENCH_FLASH_DATES, 1, "2025-0631", "June 2025");
	expect_refused(R_IMP_DATE, 2, PTXBENCH_SPEEDUP, 1, "2026-01-31", "2026-02-31");
	expect_refused(R_IMP_DATE, 3, PTXBENCH_SPEEDUP, 2, "2026-01-31", "2026-0131");
}

static void R_IMP_007_refuses_names_that_are_not_one_runs(void **state)
{
	(void)state;
	expect_refused(R_IMP_NAME, 3, PTXBENCH_EXPERIMENTS, 1, "/x/opus48-nopatched-gemm", "/y/opus48-gemm");
	expect_refused(R_IMP_NAME, 2, PTXBENCH_EXPERIMENTS, 1, "/x/opus48-gemm", "/x/");
	expect_refused(R_IMP_NAME, 2, PTXBENCH_EXPERIMENTS, 1, "/x/opus48-gemm", "/x/..");
	expect_refused(R_IMP_NAME, 2, PTXBENCH_EXPERIMENTS, 1, "/x/opus48-gemm", "/x/a b");
}

static void R_IMP_008_refuses_rows_out_of_order(void **state)
{
	(void)state;
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_TURN_FILE, 1, ",exp_000,1,", ",exp_000,0,");
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_TURN_FILE, 1, ",exp_000,1,", ",exp_000,2,");
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_TURN_FILE, 1, ",exp_000,1,", ",exp_002,0,");
	expect_refused(R_IMP_ORDER, 2, PTXBENCH_TURN_FILE, 1, ",exp_000,0,", ",exp_001,0,");
	expect_refused(R_IMP_ORDER, 2, PTXBENCH_TURN_FILE, 1, "/x/opus48-gemm", "/x/opus48-nopatched-gemm");
	expect_refused(R_IMP_ORDER, 5, PTXBENCH_TURN_FILE, 2, "/x/opus48-nopatched-gemm", "/x/opus48-gemm");
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_CORRECTNESS, 1, ",4,1,1,", ",8,1,1,");
	expect_refused(R_IMP_ORDER, 5, PTXBENCH_TARGET, 1, "/x/opus48-nopatched-gemm", "/x/opus48-gemm");
	expect_refused(R_IMP_ORDER, 2, PTXBENCH_SPEEDUP, 1, AGGREGATE("opus48-gemm", "2026-01-31") ",1,1,0.25\n", "");
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_MODEL_DATES, 1, "M1,2026-0131\n", "M1,2026-0131\nM1,2026-0131\n");
}

static void R_IMP_008_refuses_files_that_end_early_or_late(void **state)
{
	(void)state;
	expect_refused(R_IMP_ORDER, 3, PTXBENCH_TURN_FILE, 1,
	               KEYS("opus48-nopatched-gemm") ",exp_000,0,13,t,Correct,0.5,A,0,0.5\n"
	               KEYS("opus48-nopatched-gemm") ",exp_000,1,14,t,Correct,0.125,H,1,0.125\n", "");
	expect_refused(R_IMP_ORDER, 6, PTXBENCH_SPEEDUP, 1, AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",8,1,0.5\n", "");
	expect_refused(R_IMP_ORDER, 8, PTXBENCH_SPEEDUP, 1, ",8,1,0.5\n",
	               ",8,1,0.5\n" AGGREGATE("opus48-nopatched-gemm", "2026-01-31") ",8,1,0.5\n");
}

static void R_IMP_009_refuses_rows_that_contradict_their_run(void **state)
{
	(void)state;
	expect_refused(R_IMP_RUN, 3, PTXBENCH_TURN_FILE, 2, "gemm_n2_k3_M4", "gemm_n2_k3_M5");
	expect_refused(R_IMP_RUN, 3, PTXBENCH_TURN_FILE, 2, "M1,hopper", "M1,blackwell");
	expect_refused(R_IMP_RUN, 2, PTXBENCH_TARGET, 1, "M1,", "M2,");
	expect_refused(R_IMP_RUN, 2, PTXBENCH_CORRECTNESS, 1, "94920358", "94920359");
	expect_refused(R_IMP_RUN, 2, PTXBENCH_CORRECTNESS, 1, ",gemm_n2_k3,", ",gemm_n2_k4,");
}

static void R_IMP_010_refuses_columns_that_contradict_each_other(void **state)
{
	(void)state;
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_TURN_FILE, 1, ",1,0.25\n", ",1,0.250\n");
	expect_refused(R_IMP_REDUNDANT, 4, PTXBENCH_TURN_FILE, 1, ",A,0,0.5\n", ",A,1,0.5\n");
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_TURN_FILE, 1, ",\"A, H\",1,", ",A,1,");
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_TURN_FILE, 1, "hopper,H,", "hopper,B,");
	expect_refused(R_IMP_REDUNDANT, 3, PTXBENCH_TURN_FILE, 1, "0.0,,0,0.0", "0.5,,0,0.5");
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_TURN_FILE, 1, "0.25,\"A, H\",1,0.25", "0.0,\"A, H\",1,0.0");
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_TARGET, 1, "hopper,H,", "hopper,B,");
	expect_refused(R_IMP_REDUNDANT, 2, PTXBENCH_SPEEDUP, 1, "2026-01-31", "2026-01-30");
}

static void R_IMP_011_refuses_other_counts_of_trajectories(void **state)
{
	(void)state;
	expect_refused(R_IMP_COUNT, 2, PTXBENCH_CORRECTNESS, 1, ",1,1,1,", ",1,2,1,");
	expect_refused(R_IMP_COUNT, 5, PTXBENCH_TARGET, 1, ",1,1,0,0.0,1,1,", ",1,12,0,0.0,1,1,");
}

/* "line value;" of every record of a kind. */
static char *list(const struct irregularities *found, enum irregularity_kind kind)
{
	struct bytes out = {0};

	bytes_text(&out, "");
	for (size_t i = 0; i < found->count; i++)
		if (found->at[i].kind == kind)
			bytes_format(&out, "%llu x%llu %s %s;", (unsigned long long)found->at[i].line,
			             (unsigned long long)found->at[i].count, found->at[i].run == NULL ? "-" : found->at[i].run,
			             found->at[i].value == NULL ? "-" : found->at[i].value);
	return out.data;
}

static void expect_found(enum ptxbench_file file, int nth, const char *old, const char *new, enum irregularity_kind kind,
                         const char *expected)
{
	struct ptxbench data;
	struct irregularities found;
	struct error err = {0};
	char *text = change(file, nth, old, new);

	assert_int_equal(parse(&data, file, text, &err), OK);
	irregularities_find(&data, &found);
	char *got = list(&found, kind);

	assert_string_equal(got, expected);
	free(got);
	irregularities_free(&found);
	ptxbench_free(&data);
	free(text);
}

static void irregularities_are_found_with_line_and_count(void **state)
{
	(void)state;
	const char *same = "model";

	/* The file of models, unchanged: what is irregular in the small data. */
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_IMPOSSIBLE_DATE, "2 x1 - fa4: 2025-0631;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_DATE_FORM,
	             "2 x6 - YYYY-MMDD;2 x1 - YYYY-MMDD;2 x1 - YYYY-MMDD;2 x1 - YYYY-MMDD;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_LIST, "2 x1 - A, H;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_HIDDEN_FACTOR,
	             "3 x1 - checklist nopatched, retrieval none, variant '';");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_SHARED_LABEL, "2 x2 - M1, hopper, gemm_n2_k3;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_SHORT,
	             "3 x6 opus48-gemm exp_000: 2 of 8 turns, the last: Runtime error;"
	             "5 x6 opus48-nopatched-gemm exp_000: 2 of 8 turns, the last: Correct;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_WITHOUT_TARGET, "4 x1 - required H, tagged 'A';");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_BEST_WITHOUT_TARGET,
	             "5 x1 opus48-nopatched-gemm turn limit 1: 0.5, tagged 'A' in line 4 of the turn file;"
	             "6 x1 opus48-nopatched-gemm turn limit 4: 0.5, tagged 'A' in line 4 of the turn file;"
	             "7 x1 opus48-nopatched-gemm turn limit 8: 0.5, tagged 'A' in line 4 of the turn file;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_UNKNOWN_EVIDENCE,
	             "5 x1 opus48-nopatched-gemm turn limit 1: 1 of 1 Correct turns;"
	             "6 x1 opus48-nopatched-gemm turn limit 4: 1 of 2 Correct turns;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_EVIDENCE_DIFFERS,
	             "6 x1 opus48-nopatched-gemm turn limit 4: 0 trajectories, 1 by PTX tags, 1 Correct turns unknown;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_PATH,
	             "2 x2 - .../opus48-gemm;2 x4 - .../opus48-gemm;2 x6 - .../opus48-gemm;2 x6 - .../opus48-gemm;"
	             "2 x6 - .../opus48-gemm;");
	expect_found(PTXBENCH_MODEL_DATES, 1, same, same, IRREGULAR_ZERO_FORM, "3 x1 - 0.0;5 x2 - 0.0;");
}

static void irregularities_absent_from_the_small_data_are_found_when_there(void **state)
{
	(void)state;
	const char *models = "M1,2026-0131\n";

	expect_found(PTXBENCH_MODEL_DATES, 1, models, models, IRREGULAR_SERIES_ORDER, "");
	expect_found(PTXBENCH_MODEL_DATES, 1, models, "M1,2026-0131\nM-s2,2026-0302\nM-s3,2026-0301\n", IRREGULAR_SERIES_ORDER,
	             "4 x1 - M-s3: 2026-0301; M-s2: 2026-0302;");
	expect_found(PTXBENCH_MODEL_DATES, 1, models, "M1,2026-0131\nM2,2025-0131\n", IRREGULAR_SAME_DAY,
	             "3 x1 - M2: 2025-0131; M1: 2026-0131;");
	expect_found(PTXBENCH_TURN_FILE, 1, "0.0,,0,0.0", "0.0,H,0,0.0", IRREGULAR_TAG_ON_FAILURE, "3 x1 opus48-gemm -;");
	expect_found(PTXBENCH_TURN_FILE, 1, "0.0,,0,0.0", "0.0,\"A, H\",0,0.0", IRREGULAR_TRAJECTORY_TAG, "2 x2 opus48-gemm -;");
	expect_found(PTXBENCH_TURN_FILE, 1, "0.0,,0,0.0", "0.0,H,0,0.0", IRREGULAR_TRAJECTORY_TAG, "");
	expect_found(PTXBENCH_TURN_FILE, 1, ",11,", ",0,", IRREGULAR_ZERO_TOKENS, "2 x1 opus48-gemm exp_000, turn 0: 0, Correct;");
	expect_found(PTXBENCH_TURN_FILE, 1, ",13,", ",14,", IRREGULAR_MAXIMUM_TOKENS, "4 x2 - M1: 14, 0 of them Extraction error;");
	expect_found(PTXBENCH_TURN_FILE, 1, ",t,", ",u,", IRREGULAR_TOKEN_SOURCE, "2 x1 - u;3 x3 - t;");
}

static void a_record_of_an_irregularity_is_one_line(void **state)
{
	(void)state;
	char value[] = "fa4: 2025-0631";
	struct irregularity found = {IRREGULAR_DATE_COLUMN, PTXBENCH_FLASH_DATES, 1, 1, "dates", NULL, value};
	struct bytes out = {0};

	irregularity_write(&found, &out);
	assert_string_equal(out.data,
	                    "{\"carried\":\"read by the name it has\",\"column\":\"dates\",\"count\":1,\"file\":\"fa_release_dates.csv\","
	                    "\"line\":1,\"meaning\":\"the column of dates is called 'dates' here and 'date' everywhere else\","
	                    "\"rule\":\"date-column-name\",\"run\":null,\"value\":\"fa4: 2025-0631\"}\n");
	bytes_free(&out);
}

static void names_of_runs_are_taken_apart(void **state)
{
	(void)state;
	static const struct {
		const char *name, *task, *date, *checklist, *retrieval, *variant;
		bool blackwell, names_task;
	} cases[] = {
		{"opus48-b200-gemm", "gemm_n1_k2", "", "unsaid", "none", "", true, true},
		{"qwen36-27b-nopatched-mha-bwd-d128-causal", "mha_bwd_d128_causal", "", "nopatched", "none", "", false, true},
		{"qwen36-27b-retrieved-notes-3prompt-mha-d128", "mha_with_lse_d128", "", "unsaid", "notes", "3prompt", false, true},
		{"qwen36-27b-note-feedback2-3prompt-mha-d128", "mha_with_lse_d128", "", "unsaid", "notes and kernel", "3prompt",
		 false, true},
		{"2026-0721-1837-fixit-v6-full-patched-gemm", "gemm_n1_k2", "2026-07-21", "patched", "none", "fixit-v6-full",
		 false, true},
		{"2026-0609-2240", "mha_bwd_d128", "2026-06-09", "unsaid", "none", "", false, false},
		{"2026-0624-0939-gqa_x_d128", "gqa_x_d128", "2026-06-24", "unsaid", "none", "", false, true},
		{"2026-0631-0939-gemm", "gemm_n1_k2", "", "unsaid", "none", "2026-0631-0939", false, true},
		{"2026-0721-18375-gemm", "gemm_n1_k2", "", "unsaid", "none", "2026-0721-18375", false, true},
		{"new-model-mha-d64", "mha_with_lse_d128", "", "unsaid", "none", "new-model-mha-d64", false, false},
		{"opus48", "opus48", "", "unsaid", "none", "", false, false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct runname name;

		runname_read(cases[i].name, cases[i].task, &name);
		assert_string_equal(name.date, cases[i].date);
		assert_string_equal(name.checklist, cases[i].checklist);
		assert_string_equal(name.retrieval, cases[i].retrieval);
		assert_string_equal(name.variant.data == NULL ? "" : name.variant.data, cases[i].variant);
		assert_int_equal(name.names_blackwell, cases[i].blackwell);
		assert_int_equal(name.names_task, cases[i].names_task);
		runname_free(&name);
	}
}

static void dates_are_read_in_two_forms(void **state)
{
	(void)state;
	char date[DATE_TEXT + 1];

	assert_int_equal(ptxbench_date("2024-0229", date), DATE_PACKED);
	assert_string_equal(date, "2024-02-29");
	assert_int_equal(ptxbench_date("2023-02-28", date), DATE_DASHED);
	assert_string_equal(date, "2023-02-28");
	assert_int_equal(ptxbench_date("2023-0229", date), DATE_PACKED);
	assert_string_equal(date, "");
	assert_int_equal(ptxbench_date("1900-02-29", date), DATE_DASHED);
	assert_string_equal(date, "");
	assert_int_equal(ptxbench_date("2023-2-28", date), DATE_FORMLESS);
	assert_int_equal(ptxbench_date("", date), DATE_FORMLESS);
	assert_int_equal(ptxbench_date("2023-02-288", date), DATE_FORMLESS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_data_is_taken),
		cmocka_unit_test(R_IMP_001_refuses_a_column_missing_renamed_or_more),
		cmocka_unit_test(R_IMP_002_refuses_a_file_without_rows),
		cmocka_unit_test(R_IMP_003_refuses_what_is_no_number),
		cmocka_unit_test(R_IMP_004_refuses_numbers_out_of_range),
		cmocka_unit_test(R_IMP_005_refuses_labels_that_are_unknown),
		cmocka_unit_test(R_IMP_006_refuses_dates_of_no_known_form),
		cmocka_unit_test(R_IMP_007_refuses_names_that_are_not_one_runs),
		cmocka_unit_test(R_IMP_008_refuses_rows_out_of_order),
		cmocka_unit_test(R_IMP_008_refuses_files_that_end_early_or_late),
		cmocka_unit_test(R_IMP_009_refuses_rows_that_contradict_their_run),
		cmocka_unit_test(R_IMP_010_refuses_columns_that_contradict_each_other),
		cmocka_unit_test(R_IMP_011_refuses_other_counts_of_trajectories),
		cmocka_unit_test(irregularities_are_found_with_line_and_count),
		cmocka_unit_test(irregularities_absent_from_the_small_data_are_found_when_there),
		cmocka_unit_test(a_record_of_an_irregularity_is_one_line),
		cmocka_unit_test(names_of_runs_are_taken_apart),
		cmocka_unit_test(dates_are_read_in_two_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
