/* The guard around a reader's SQL (R-TAB-004 to R-TAB-007), our own functions, and the ledger as queries see it. */
#include "unit.h"

#include <math.h>

#include "tiny.h"

#include "derive/function.h"
#include "derive/rows.h"

static struct tiny tiny;
static struct database *db;

static int set_up(void **state)
{
	(void)state;
	tiny_make(&tiny);
	db = tiny_open(&tiny);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	database_close(db);
	tiny_free(&tiny);
	return 0;
}

/* The result as "a|b;c|d;", NULL as "~". */
static void gives(const char *sql, const char *wanted)
{
	struct rows rows;
	struct bytes out = {0};
	struct error err = {0};

	if (rows_read(db, sql, "q", &rows, &err) != OK)
		fail_msg("%s: %s", sql, err.what);
	bytes_text(&out, "");
	for (size_t r = 0; r < rows.count; r++)
		for (size_t c = 0; c < rows.columns; c++) {
			const char *cell = rows_cell(&rows, r, c);

			bytes_format(&out, "%s%s", cell == NULL ? "~" : cell, c + 1 == rows.columns ? ";" : "|");
		}
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
	rows_free(&rows);
}

static void refuses(const char *sql, enum rule rule)
{
	struct rows rows;
	struct error err = {0};
	enum status status = rows_read(db, sql, "q", &rows, &err);

	if (status != MALFORMED || err.rule != rule)
		fail_msg("%s: status %d, %s: %s", sql, (int)status, status == OK ? "no error" : rule_info(err.rule)->id, err.what);
	rows_free(&rows);
}

static void one_select_and_nothing_else(void **state)
{
	(void)state;
	gives("SELECT 1;", "1;");
	gives("SELECT 1; -- done\n /* really */ ; ", "1;");
	gives("SELECT count(*) FROM TURN", "12;");
	gives("SELECT count(*) > 10 FROM sqlite_schema", "1;");
	gives("WITH a(x) AS (VALUES (1), (2)) SELECT x FROM a", "1;2;");
	refuses("SELECT 1; SELECT 2", R_TAB_SQL);
	refuses("SELECT 1; DROP TABLE run_row", R_TAB_SQL);
	refuses("", R_TAB_SQL);
	refuses("-- nothing", R_TAB_SQL);
	refuses("SELEC 1", R_TAB_SQL);
	refuses("SELECT \"misspelt\" FROM run", R_TAB_SQL);
	refuses("SELECT nothing FROM run", R_TAB_SQL);
	refuses("SELECT :x", R_TAB_SQL);
}

static void nothing_is_written_or_configured(void **state)
{
	(void)state;
	refuses("DELETE FROM turn_row", R_TAB_FORBIDDEN);
	refuses("UPDATE run_row SET model = 'x'", R_TAB_FORBIDDEN);
	refuses("INSERT INTO turn_limit VALUES (2)", R_TAB_FORBIDDEN);
	refuses("CREATE TABLE x (y)", R_TAB_FORBIDDEN);
	refuses("CREATE TEMP VIEW x AS SELECT 1", R_TAB_FORBIDDEN);
	refuses("DROP TABLE turn_row", R_TAB_FORBIDDEN);
	refuses("ATTACH '/tmp/ptxseal-attached' AS a", R_TAB_FORBIDDEN);
	refuses("PRAGMA writable_schema = 1", R_TAB_FORBIDDEN);
	refuses("PRAGMA query_only", R_TAB_FORBIDDEN);
	refuses("SELECT * FROM pragma_table_info('run')", R_TAB_FORBIDDEN);
	refuses("SELECT count(*) FROM pragma_table_info('run')", R_TAB_FORBIDDEN);
	refuses("SELECT count(*) FROM PRAGMA_database_list", R_TAB_FORBIDDEN);
	refuses("SELECT count(*) FROM json_each('[1]')", R_TAB_FORBIDDEN);
	refuses("SELECT value FROM json_each('[1]')", R_TAB_FORBIDDEN);
	refuses("BEGIN", R_TAB_FORBIDDEN);
	refuses("VACUUM", R_TAB_FORBIDDEN);
	refuses("VACUUM INTO '/tmp/ptxseal-vacuumed'", R_TAB_FORBIDDEN);
	refuses("ANALYZE", R_TAB_FORBIDDEN);
	refuses("EXPLAIN SELECT 1", R_TAB_FORBIDDEN);
	refuses("EXPLAIN QUERY PLAN SELECT 1", R_TAB_FORBIDDEN);
	gives("SELECT count(*) FROM turn", "12;");
}

/* What depends on the clock, chance, the library's version or the machine is not on the list. */
static void only_listed_functions_are_called(void **state)
{
	static const char *const calls[] = {
		"load_extension('x')", "random()",       "randomblob(4)",       "date('now')",      "current_timestamp", "sqlite_version()",
		"changes()",           "total(turn)",    "avg(turn)",           "round(0.5)",       "printf('%f', 0.1)", "strftime('%s')",
		"zeroblob(100)",       "fts3_tokenizer('x')", "writefile('/tmp/x', 'y')", "readfile('/etc/passwd')"};

	(void)state;
	for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
		char *sql = mem_format("SELECT %s FROM turn", calls[i]);
		struct rows rows;
		struct error err = {0};

		/* A function this SQLite lacks is unknown, the others are forbidden. */
		assert_int_equal(rows_read(db, sql, "q", &rows, &err), MALFORMED);
		assert_true(err.rule == R_TAB_FORBIDDEN || strstr(err.what, "no such function") != NULL);
		rows_free(&rows);
		free(sql);
	}
	gives("SELECT group_concat(upper(substr(run, 1, 1)), '') FROM (SELECT run FROM run ORDER BY run)", "BH;");
}

static void a_query_without_end_is_stopped(void **state)
{
	(void)state;
	refuses("WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a) SELECT count(*) FROM a", R_TAB_STEPS);
	gives("WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a WHERE x < 1000) SELECT max(x) FROM a", "1000;");
}

#define BIG "WITH RECURSIVE big(t) AS (SELECT 'ab' UNION ALL SELECT t || t FROM big WHERE length(t) < 1024), " \
	    "n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 500000), b(t) AS (SELECT max(t) FROM big) "

/* A value of two kibibytes at most, a result of so many rows and bytes, and what SQLite gathers meanwhile. */
static void a_giant_result_is_refused(void **state)
{
	(void)state;
	gives(BIG "SELECT length(t) FROM b", "1024;");
	refuses(BIG "SELECT t || t || 'c' FROM b", R_TAB_MEMORY);
	refuses(BIG "SELECT replace(t, 'a', t) FROM b", R_TAB_MEMORY);
	refuses("WITH RECURSIVE a(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM a WHERE x < 3000000) SELECT x FROM a", R_TAB_MEMORY);
	refuses(BIG "SELECT n, t FROM n, b", R_TAB_MEMORY);
	refuses(BIG "SELECT count(*) FROM (SELECT DISTINCT t || n FROM n, b)", R_TAB_MEMORY);
	gives("SELECT 1", "1;"); /* and the database still answers */
}

/* A call of a function is one step to SQLite: these pay for the bytes they go over as well (500,000 calls are few steps). */
static void long_texts_cost_steps(void **state)
{
	(void)state;
	gives(BIG "SELECT count(abs(n)) FROM n, b", "500000;");
	refuses(BIG "SELECT count(instr(t, 'c')) FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(t LIKE '%a%a%a%c%') FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(t LIKE '%a%a%a%c%' ESCAPE '!') FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(t GLOB '*a*a*a*c*') FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(replace(t, 'a', 'b')) FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(upper(t)) FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(lower(t)) FROM n, b", R_TAB_STEPS);
	refuses(BIG "SELECT count(trim(t, t)) FROM b", R_TAB_FORBIDDEN);
}

static void text_functions_do_what_sqlites_do(void **state)
{
	(void)state;
	gives("SELECT 'MHA_x' LIKE 'mha%', 'mha' LIKE 'm_a', 'mhha' LIKE 'm_a', 'a%' LIKE 'a!%' ESCAPE '!', 'ab' LIKE 'a!%' ESCAPE '!'",
	      "1|1|0|1|0;");
	gives("SELECT 'mha' GLOB 'm*', 'MHA' GLOB 'm*', 'mha' GLOB '[l-n]?a', 'm' NOT LIKE 'n', NULL LIKE 'a', 'a' GLOB NULL", "1|0|1|1|~|~;");
	gives("SELECT instr('h\xc3\xa9llo', 'llo'), instr('a', 'b'), instr('a', ''), instr(NULL, 'a'), "
	      "instr(1234, 3)",
	      "3|0|1|~|3;");
	gives("SELECT replace('aXbXX', 'X', 'yz'), replace('abc', '', 'x'), replace('aa', 'a', ''), replace('a', 'b', NULL)", "ayzbyzyz|abc||~;");
	gives("SELECT upper('aZ\xc3\xa9'), lower('aZ{@'), upper(NULL)", "AZ\xc3\xa9|az{@|~;");
	refuses("SELECT 'a' LIKE 'a' ESCAPE 'ab'", R_TAB_SQL);
	refuses(BIG "SELECT 'a' LIKE t FROM b", R_TAB_MEMORY);
}

static void sum_takes_integers_only(void **state)
{
	(void)state;
	gives("SELECT sum(x) FROM (SELECT 1 AS x UNION ALL SELECT NULL UNION ALL SELECT 41)", "42;");
	gives("SELECT sum(turn) FROM turn WHERE 0", "~;");
	gives("SELECT sum(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM (SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 4)", "1;3;6;");
	/* A frame that is left with nothing but NULL has no sum. */
	gives("SELECT sum(x) OVER (ORDER BY k ROWS BETWEEN CURRENT ROW AND CURRENT ROW) "
	      "FROM (SELECT 1 AS k, 5 AS x UNION ALL SELECT 2, NULL UNION ALL SELECT 3, 7)",
	      "5;~;7;");
	refuses("SELECT sum(speedup) FROM turn", R_TAB_SQL);
	refuses("SELECT sum(outcome) FROM turn", R_TAB_SQL);
	refuses("SELECT sum(x) FROM (SELECT 9223372036854775807 AS x UNION ALL SELECT 1)", R_TAB_SQL);
}

static void median_is_the_middle(void **state)
{
	(void)state;
	gives("SELECT median(turn) FROM turn WHERE 0", "~;");
	gives("SELECT median(reasoning_tokens) FROM turn WHERE run_id = 1", "10.0;"); /* 7 9 10 20 40 */
	gives("SELECT median(reasoning_tokens) FROM turn WHERE run_id = 2", "3.5;");  /* 1 2 3 4 5 6 */
	refuses("SELECT median(speedup) FROM turn", R_TAB_SQL);
}

static void real_reads_decimals(void **state)
{
	(void)state;
	gives("SELECT real('0.9'), real('-1e-3'), real('5'), real(NULL)", "0.9|-0.001|5.0|~;");
	/* 2^53 + 1 lies half way between two doubles, and to even is down. */
	gives("SELECT real('9007199254740993')", "9007199254740992.0;");
	refuses("SELECT real('0x10')", R_TAB_SQL);
	refuses("SELECT real('nan')", R_TAB_SQL);
	refuses("SELECT real('1e999')", R_TAB_SQL);
	refuses("SELECT real('1 ')", R_TAB_SQL);
	refuses("SELECT real(1)", R_TAB_SQL);
}

/* Values computed from the formula in function.h with 50 decimal digits and rounded. */
static void wilson_bounds(void **state)
{
	(void)state;
	assert_true(fabs(wilson_high(0, 12) - 0.24249400665524085) < 1e-15);
	assert_true(fabs(wilson_low(9, 12) - 0.4676946650664343) < 1e-15);
	assert_true(fabs(wilson_high(9, 12) - 0.9110583316059453) < 1e-15);
	assert_true(wilson_low(0, 12) == 0);
	assert_true(wilson_high(12, 12) == 1);
	/* The formula's own doubles, the same on every machine. */
	gives("SELECT wilson_low(12, 12), wilson_high(0, 12)", "0.7575059933447591|0.24249400665524087;");
	gives("SELECT wilson_low(0, 0), wilson_high(NULL, 3), wilson_low(1, NULL)", "~|~|~;");
	refuses("SELECT wilson_low(-1, 3)", R_TAB_SQL);
	refuses("SELECT wilson_low(4, 3)", R_TAB_SQL);
	refuses("SELECT wilson_low(0.5, 3)", R_TAB_SQL);
}

static void the_ledger_is_as_schema_sql_says(void **state)
{
	(void)state;
	gives("SELECT run_id, run, source, evidence, required_tag, planned_trajectories FROM run ORDER BY run_id",
	      "1|h-one|made|reported|H|3;2|b-two|made|reported|B|2;");
	gives("SELECT turn_id, trajectory, turn, outcome, correct, speedup, speedup_text, arch_tag, has_target, reasoning_tokens, "
	      "reasoning_source, evidence, line, source_line FROM turn WHERE turn_id IN (1, 4)",
	      "1|0|0|Compilation error|0|~|~||0|10|usage|reported|1|2;"
	      "4|0|3|Correct|1|0.5|0.5|A, H|1|~|~|reported|4|5;");
	/* The other architecture's letter is no target. */
	gives("SELECT arch_tag, has_target FROM turn WHERE run_id = 2 AND correct ORDER BY turn_id", "H|0;H, B|1;");
	gives("SELECT outcome_id, outcome FROM outcome WHERE outcome_id IN (0, 8) ORDER BY 1", "0|Correct;8|Other error;");
	gives("SELECT group_concat(turn_limit) FROM turn_limit", "1,4,8;");
}

static void summaries_hold_what_the_turns_say(void **state)
{
	(void)state;
	gives("SELECT run_id, trajectory, turns, first_correct, first_target FROM trajectory ORDER BY trajectory_id",
	      "1|0|4|1|3;1|1|1|0|~;1|2|1|~|~;2|0|1|0|~;2|1|5|4|4;");
	gives("SELECT turn_limit, trajectory, turns, correct_turns, target_turns, best_speedup, best_target_speedup "
	      "FROM trajectory_limit WHERE run_id = 1 ORDER BY turn_limit, trajectory",
	      "1|0|1|0|0|~|~;1|1|1|1|0|0.75|~;1|2|1|0|0|~|~;"
	      "4|0|4|2|1|0.5|0.5;4|1|1|1|0|0.75|~;4|2|1|0|0|~|~;"
	      "8|0|4|2|1|0.5|0.5;8|1|1|1|0|0.75|~;8|2|1|0|0|~|~;");
	gives("SELECT run_id, outcome, turns FROM run_outcome ORDER BY run_id, outcome",
	      "1|Compilation error|1;1|Correct|3;1|Numerical error|2;2|Correct|2;2|Numerical error|4;");
	gives("SELECT run_id, trajectory, tokens_known, tokens FROM trajectory ORDER BY trajectory_id",
	      "1|0|3|70;1|1|1|7;1|2|1|9;2|0|1|1;2|1|5|20;");
	/* Straight over the turns: no row is in one and not in the other. */
	gives("SELECT count(*) FROM (SELECT * FROM (SELECT run_id, turn_limit, trajectory, count(*), sum(correct), "
	      "sum(correct AND has_target), max(speedup), max(CASE WHEN correct AND has_target THEN speedup END) "
	      "FROM turn CROSS JOIN turn_limit WHERE turn < turn_limit GROUP BY run_id, turn_limit, trajectory "
	      "EXCEPT SELECT * FROM trajectory_limit) "
	      "UNION ALL SELECT * FROM (SELECT * FROM trajectory_limit "
	      "EXCEPT SELECT run_id, turn_limit, trajectory, count(*), sum(correct), sum(correct AND has_target), max(speedup), "
	      "max(CASE WHEN correct AND has_target THEN speedup END) FROM turn CROSS JOIN turn_limit WHERE turn < turn_limit "
	      "GROUP BY run_id, turn_limit, trajectory))",
	      "0;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_select_and_nothing_else),
		cmocka_unit_test(nothing_is_written_or_configured),
		cmocka_unit_test(only_listed_functions_are_called),
		cmocka_unit_test(a_query_without_end_is_stopped),
		cmocka_unit_test(a_giant_result_is_refused),
		cmocka_unit_test(long_texts_cost_steps),
		cmocka_unit_test(text_functions_do_what_sqlites_do),
		cmocka_unit_test(sum_takes_integers_only),
		cmocka_unit_test(median_is_the_middle),
		cmocka_unit_test(real_reads_decimals),
		cmocka_unit_test(wilson_bounds),
		cmocka_unit_test(the_ledger_is_as_schema_sql_says),
		cmocka_unit_test(summaries_hold_what_the_turns_say),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
