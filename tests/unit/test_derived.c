/* A table's rows, names and lineage on the tiny ledger (R-TAB-007 to R-TAB-012), and names like a mistyped one. */
#include "unit.h"

#include "tiny.h"

#include "derive/derived.h"
#include "derive/lineage.h"
#include "derive/nearest.h"
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

#define HEAD "-- title: t\n-- rebuilds: new\n-- evidence: reported\n"

static void parse(const char *text, struct table *table)
{
	struct error err = {0};

	if (table_parse(text, strlen(text), "t", "t.sql", table, &err) != OK)
		fail_msg("%s", err.what);
}

static const char counted[] = HEAD "-- key: run, turn_limit\n"
				   "-- column: run | text | run\n-- column: turn_limit | integer | limit\n"
				   "-- column: correct | integer counts trajectories | with a Correct turn\n"
				   "-- column: turns | integer counts turns | correct ones\n"
				   "-- column: best | general 9 | best\n"
				   "SELECT r.run, l.turn_limit, count(*) FILTER (WHERE l.correct_turns > 0) AS correct,\n"
				   "\tsum(l.correct_turns) AS turns, max(l.best_speedup) AS best\n"
				   "FROM trajectory_limit l JOIN run r USING (run_id) GROUP BY r.run_id, l.turn_limit\n"
				   "ORDER BY r.position, l.turn_limit;\n"
				   "-- lineage: correct, turns\n"
				   "SELECT turn_id FROM turn t JOIN run r USING (run_id) WHERE r.run = :run AND t.turn < :turn_limit AND correct\n"
				   "UNION ALL SELECT turn_id FROM turn WHERE 0 ORDER BY turn_id DESC;\n"
				   "-- lineage: best\n"
				   "SELECT 'artifact/runs/' || :run || '/run.json' AS file, 1 AS line;\n";

static void rows_are_named_and_found(void **state)
{
	struct table table;
	struct derived derived;
	struct error err = {0};
	size_t row = 99;

	(void)state;
	parse(counted, &table);
	assert_int_equal(derived_make(db, &table, &derived, &err), OK);
	assert_int_equal(derived.rows, 6);
	assert_string_equal(derived_name(&derived, 0), "h-one/1");
	assert_string_equal(derived_name(&derived, 5), "b-two/8");
	assert_true(derived_find(&derived, "b-two/4", &row));
	assert_int_equal(row, 4);
	assert_string_equal(derived_cell(&derived, row, 2), "1");
	assert_string_equal(derived_cell(&derived, row, 4), "0.125");
	assert_true(derived_find(&derived, "h-one/8", &row));
	assert_string_equal(derived_cell(&derived, row, 2), "2");
	assert_string_equal(derived_cell(&derived, row, 3), "3");
	assert_false(derived_find(&derived, "h-one", &row));
	assert_false(derived_find(&derived, "", &row));
	derived_free(&derived);
	table_free(&table);
}

static void trace(const struct table *table, size_t row, size_t column, struct lineage *lineage, enum status wanted, struct error *err)
{
	struct derived derived;

	assert_int_equal(derived_make(db, table, &derived, err), OK);
	assert_int_equal(lineage_make(db, &derived, row, column, lineage, err), wanted);
	derived_free(&derived);
}

static void a_cell_s_records_are_found(void **state)
{
	struct table table;
	struct lineage lineage;
	struct error err = {0};

	(void)state;
	parse(counted, &table);
	trace(&table, 2, 2, &lineage, OK, &err); /* h-one/8: turns 2, 4, 5 */
	assert_int_equal(lineage.kind, LINEAGE_TURNS);
	assert_int_equal(lineage.turn_count, 3);
	assert_int_equal(lineage.trajectories, 2);
	assert_int_equal(lineage.runs, 1);
	assert_int_equal(lineage.line, 15);
	assert_int_equal(lineage.turns[1].turn_id, 4);
	assert_string_equal(lineage.turns[1].run, "h-one");
	assert_string_equal(lineage.turns[1].source, "made");
	assert_string_equal(lineage.turns[1].outcome, "Correct");
	assert_string_equal(lineage.turns[1].speedup, "0.5");
	assert_string_equal(lineage.turns[1].arch_tag, "A, H");
	assert_int_equal(lineage.turns[1].line, 4);
	assert_int_equal(lineage.turns[1].source_line, 5);
	lineage_free(&lineage);
	trace(&table, 5, 4, &lineage, OK, &err);
	assert_int_equal(lineage.kind, LINEAGE_FILES);
	assert_string_equal(lineage.places[0].file, "artifact/runs/b-two/run.json");
	lineage_free(&lineage);
	trace(&table, 5, 0, &lineage, OK, &err);
	assert_int_equal(lineage.kind, LINEAGE_NONE);
	lineage_free(&lineage);
	table_free(&table);
}

#define ONE(columns, sql) HEAD "-- key: k\n-- column: k | text | key\n" columns sql

static void derive_refuses(const char *text, enum rule rule)
{
	struct table table;
	struct derived derived;
	struct error err = {0};

	parse(text, &table);
	enum status status = derived_make(db, &table, &derived, &err);

	if (status != MALFORMED || err.rule != rule)
		fail_msg("%s: status %d, %s", text, (int)status, err.what);
	assert_string_equal(err.file, "t.sql");
	derived_free(&derived);
	table_free(&table);
}

static void shapes_types_and_keys_are_checked(void **state)
{
	(void)state;
	derive_refuses(ONE("", "SELECT 'a' AS k, 1 AS n;\n"), R_TAB_SHAPE);
	derive_refuses(ONE("", "SELECT 'a' AS key;\n"), R_TAB_SHAPE);
	derive_refuses(ONE("-- column: n | integer | n\n", "SELECT 1 AS n, 'a' AS k;\n"), R_TAB_SHAPE);
	derive_refuses(ONE("-- column: n | integer | n\n", "SELECT 'a' AS k, 0.5 AS n;\n"), R_TAB_TYPE);
	derive_refuses(ONE("-- column: n | repr | n\n", "SELECT 'a' AS k, 9e999 AS n;\n"), R_TAB_TYPE);
	derive_refuses(ONE("", "SELECT 1 AS k;\n"), R_TAB_TYPE);
	derive_refuses(ONE("", "SELECT NULL AS k;\n"), R_TAB_KEY);
	derive_refuses(ONE("", "SELECT 'a' AS k UNION ALL SELECT 'a';\n"), R_TAB_KEY);
	derive_refuses(HEAD "-- key: a, b\n-- column: a | text | a\n-- column: b | text | b\n"
			    "SELECT 'x/y' AS a, 'z' AS b UNION ALL SELECT 'x', 'y/z';\n",
	               R_TAB_KEY); /* two rows of one name */
	derive_refuses(ONE("", "SELECT :k AS k;\n"), R_TAB_SQL);
	derive_refuses(ONE("", "SELECT 'a' AS k; SELECT 'b';\n"), R_TAB_SQL);
	derive_refuses(ONE("", "DELETE FROM turn_row;\n"), R_TAB_FORBIDDEN);
}

static void lineage_of(const char *format, const char *lineage_sql)
{
	char *text = mem_format(ONE("-- column: n | %s | n\n", "SELECT 'a' AS k, 2 AS n;\n-- lineage: n\n%s;\n"), format, lineage_sql);
	struct table table;
	struct lineage lineage;
	struct error err = {0};

	parse(text, &table);
	trace(&table, 0, 1, &lineage, MALFORMED, &err);
	if (err.rule != R_TAB_LINEAGE)
		fail_msg("%s: %s", lineage_sql, err.what);
	lineage_free(&lineage);
	table_free(&table);
	free(text);
}

static void lineage_refuses(const char *lineage_sql)
{
	lineage_of("integer counts turns", lineage_sql);
}

static void faulty_lineage_is_refused(void **state)
{
	(void)state;
	lineage_of("integer", "SELECT 13 AS turn_id"); /* there are 12 */
	lineage_of("integer", "SELECT 1 AS turn_id UNION ALL SELECT 13");
	lineage_refuses("SELECT turn_id FROM turn WHERE turn_id = 1"); /* 1, but the cell says 2 */
	lineage_refuses("SELECT turn_id FROM turn WHERE turn_id <= 3");
	lineage_refuses("SELECT 1 AS turn_id UNION ALL SELECT 1"); /* twice the same is one */
	lineage_refuses("SELECT 1 AS turn_id UNION ALL SELECT 13");
	lineage_refuses("SELECT 1 AS turn_id UNION ALL SELECT 0");
	lineage_refuses("SELECT 1 AS turn_id UNION ALL SELECT 9223372036854775807");
	lineage_refuses("SELECT 1 AS turn_id UNION ALL SELECT -9223372036854775808");
	lineage_refuses("SELECT 'x' AS turn_id");
	lineage_refuses("SELECT 1 AS id");
	lineage_refuses("SELECT 'x' AS file, 0 AS line");
	lineage_refuses("SELECT 1 AS file, 1 AS line");
}

/* Every view that has a run_id, alone: two reported runs, one executed. There are no records of replays here: tests/cli/replay/table.sh has them. */
static void each_view_shows_one_grade(struct database *all)
{
	struct rows views;
	struct error err = {0};

	assert_int_equal(rows_read(all, "SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'replay' ORDER BY name", "q", &views, &err), OK);
	assert_true(views.count >= 4);
	for (size_t i = 0; i < views.count; i++) {
		static const char *const grades[] = {"reported", "executed"};

		for (size_t e = 0; e < 2; e++) {
			char *text = mem_format("-- title: t\n-- rebuilds: new\n-- evidence: %s\n-- key: k\n-- column: k | text | k\n"
			                        "-- column: n | integer | runs\nSELECT 'k' AS k, count(DISTINCT run_id) AS n FROM %s;\n",
			                        grades[e], rows_cell(&views, i, 0));
			struct table table;
			struct derived derived;

			parse(text, &table);
			assert_int_equal(derived_make(all, &table, &derived, &err), OK);
			assert_string_equal(derived_cell(&derived, 0, 1), e == 0 ? "2" : "1");
			derived_free(&derived);
			table_free(&table);
			free(text);
		}
	}
	rows_free(&views);
}

/* R-TAB-012, and that a table shows its own grade only. */
static void grades_are_never_mixed(void **state)
{
	static const char runs[] = "-- key: k\n-- column: k | text | run\nSELECT run AS k FROM run JOIN turn USING (run_id)\n"
				   "JOIN trajectory USING (run_id) JOIN trajectory_limit USING (run_id) GROUP BY run ORDER BY run;\n";
	static const struct {
		const char *grade;
		size_t rows;
		const char *first;
	} cases[] = {{"reported", 2, "b-two"}, {"executed", 1, "x-mixed"}, {"static", 1, "y-static"}, {"none", 4, "b-two"}, {"refused", 0, NULL}};
	struct tiny mixed;
	struct error err = {0};
	struct database *none = NULL;

	(void)state;
	tiny_make(&mixed);
	tiny_run(&mixed, "x-mixed", 3, "M 3", "hopper", 1);
	tiny_turns(&mixed, "x-mixed", EVIDENCE_EXECUTED, "0 0 C 0.5 H 1\n");
	tiny_run(&mixed, "y-static", 4, "M 3", "hopper", 1);
	tiny_turns(&mixed, "y-static", EVIDENCE_STATIC, "0 0 C 0.5 H 1\n");
	struct database *all = tiny_open(&mixed);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char *text = mem_format("-- title: t\n-- rebuilds: new\n-- evidence: %s\n%s", cases[i].grade, runs);
		struct table table;
		struct derived derived;

		parse(text, &table);
		assert_int_equal(derived_make(all, &table, &derived, &err), OK);
		assert_int_equal(derived.rows, cases[i].rows);
		if (cases[i].first != NULL)
			assert_string_equal(derived_name(&derived, 0), cases[i].first);
		derived_free(&derived);
		table_free(&table);
		free(text);
	}
	each_view_shows_one_grade(all);
	database_close(all);

	/* One run with reported and executed turns: two files of one run cannot be made by tiny_turns, so by hand. */
	tiny_put(&mixed, "artifact/runs/y-static/turns.jsonl",
	         "{\"arch_tag\":\"\",\"evidence\":\"reported\",\"outcome\":\"Numerical error\",\"reasoning_source\":\"\","
	         "\"reasoning_tokens\":null,\"source_line\":null,\"speedup\":\"0.0\",\"trajectory\":0,\"turn\":0}\n"
	         "{\"arch_tag\":\"\",\"evidence\":\"executed\",\"outcome\":\"Numerical error\",\"reasoning_source\":\"\","
	         "\"reasoning_tokens\":null,\"source_line\":null,\"speedup\":\"0.0\",\"trajectory\":0,\"turn\":1}\n");
	assert_int_equal(database_open(&mixed.root, &none, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, "R-TAB-012");
	assert_int_equal(err.line, 2);
	assert_null(none);
	tiny_free(&mixed);
}

static void faulty_facts_are_refused(void **state)
{
	static const struct {
		const char *path;
		const char *text;
		enum rule rule;
	} cases[] = {
		{"artifact/facts/a.jsonl", "{\"x\":1}\n{\"y\":1}\n", R_JSON_FIELD},
		{"artifact/facts/a.jsonl", "{\"x\":1}\n{\"x\":1,\"y\":1}\n", R_JSON_FIELD},
		{"artifact/facts/a.jsonl", "{\"x\":1}\n{\"x\":\"1\"}\n", R_JSON_FIELD},
		{"artifact/facts/a.jsonl", "{\"x\":[1]}\n", R_JSON_FIELD},
		{"artifact/facts/a.jsonl", "{\"x\\\"y\":1}\n", R_TAB_NAME},
		{"artifact/facts/a.jsonl", "{\"line\":1}\n", R_TAB_NAME},
		{"artifact/facts/a.jsonl", "[1]\n", R_JSON_FIELD},
		{"artifact/facts/a.jsonl", "{\"x\":1}", R_JSON_SYNTAX},
		{"artifact/facts/A.jsonl", "{\"x\":1}\n", R_TAB_NAME},
		{"artifact/facts/a.json", "{\"x\":1}\n", R_TAB_NAME},
		{"artifact/expected/s/t.jsonl", "{\"cells\":{\"a\":1},\"row\":\"r\"}\n", R_JSON_FIELD},
		{"artifact/expected/s/t.jsonl", "{\"cells\":{},\"row\":\"r\",\"more\":1}\n", R_JSON_FIELD},
		{"artifact/expected/s/t.jsonl", "{\"cells\":{\"a\":\"1\"},\"row\":\"r\"}\n{\"cells\":{\"a\":\"2\"},\"row\":\"r\"}\n", R_TAB_DUPLICATE},
		{"artifact/expected/s/T.jsonl", "", R_TAB_NAME},
		{"tasks/gemm/facts.json", "[]", R_JSON_FIELD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tiny faulty;
		struct database *none = NULL;
		struct error err = {0};

		tiny_make(&faulty);
		if (strncmp(cases[i].path, "tasks/", 6) == 0) {
			tiny_put(&faulty, "tasks/gemm/task.json",
			         "{\"name\":\"gemm\",\"op_type\":\"gemm\",\"axes\":{},\"inputs\":{},\"outputs\":{}}");
			tiny_put(&faulty, "tasks/gemm/workloads.jsonl", "");
		}
		tiny_put(&faulty, cases[i].path, cases[i].text);
		enum status status = database_open(&faulty.root, &none, &err);

		if (status != MALFORMED || err.rule != cases[i].rule)
			fail_msg("%s: %s: %s", cases[i].path, cases[i].text, status == OK ? "taken" : err.what);
		assert_string_equal(err.file, cases[i].path);
		tiny_free(&faulty);
	}
}

static const char *name_at(const void *context, size_t index)
{
	return ((const char *const *)context)[index];
}

static void the_nearest_names_come_first(void **state)
{
	static const char *const names[] = {"accounting", "correctness", "figure1", "figure2", "best_speedup", "release", "tasks"};
	size_t found[NEAREST_MAX];

	(void)state;
	assert_int_equal(nearest("corectness", 7, name_at, names, found), 5);
	assert_string_equal(names[found[0]], "correctness");
	assert_int_equal(nearest("figure", 7, name_at, names, found), 5);
	assert_string_equal(names[found[0]], "figure1");
	assert_string_equal(names[found[1]], "figure2");
	assert_int_equal(nearest("speedup", 7, name_at, names, found), 5);
	assert_string_equal(names[found[0]], "best_speedup");
	assert_int_equal(nearest("x", 0, name_at, names, found), 0);
	assert_int_equal(nearest("", 2, name_at, names, found), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_named_and_found),
		cmocka_unit_test(a_cell_s_records_are_found),
		cmocka_unit_test(shapes_types_and_keys_are_checked),
		cmocka_unit_test(faulty_lineage_is_refused),
		cmocka_unit_test(grades_are_never_mixed),
		cmocka_unit_test(faulty_facts_are_refused),
		cmocka_unit_test(the_nearest_names_come_first),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
