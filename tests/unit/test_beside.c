/* Every derived cell beside what was published for it: not published, the same, or which difference of the check it is. */
#include "unit.h"

#include "tiny.h"

#include "report/beside.h"
#include "report/trail.h"

/* Rows a, b, c; columns k, x, y, and z that is not derivable. Its cells rest on turns 1, 2, 3 of run h-one, on none, and on one of each run. */
static const char table_sql[] = "-- title: t\n-- rebuilds: new\n-- evidence: reported\n-- key: k\n-- column: k | text | key\n-- column: x | integer counts turns | x\n-- column: y | fixed 2 | y\n-- not derivable: z | why\n"
				"SELECT 'a' AS k, 3 AS x, 0.5 AS y UNION ALL SELECT 'b', 0, NULL UNION ALL SELECT 'c', 2, 1 ORDER BY k;\n"
				"-- lineage: x\nSELECT turn_id FROM turn WHERE (:k = 'a' AND turn_id IN (1, 2, 3)) OR (:k = 'c' AND turn_id IN (6, 8)) ORDER BY turn_id;\n";

#define KNOWN "{\"column\":\"x\",\"derived\":\"2\",\"published\":\"7\",\"reason\":\"because\",\"row\":\"c\",\"table\":\"t\",\"verdict\":\"DIFFERS\"}\n" \
	      "{\"column\":\"y\",\"derived\":\"1.00\",\"published\":\"2\",\"reason\":\"gone\",\"row\":\"c\",\"table\":\"t\",\"verdict\":\"DIFFERS\"}\n"

static void open_bundle(struct tiny *tiny, struct derivation *derivation)
{
	struct error err = {0};

	tiny_make(tiny);
	tiny_put(tiny, "artifact/tables/t.sql", table_sql);
	tiny_put(tiny, "artifact/claims/C1.sql", "-- claim: C1\n-- title: t\n-- statement: s\n-- paper: p\n-- evidence: none\n-- expect: HOLDS\n-- column: n | integer | n\nSELECT 1 AS holds, 2 AS n;\n");
	tiny_put(tiny, "artifact/expected/made/t.jsonl", "{\"cells\":{\"x\":\"3\",\"y\":\"0.75\"},\"row\":\"a\"}\n{\"cells\":{\"y\":null,\"z\":\"1\"},\"row\":\"b\"}\n{\"cells\":{\"x\":\"7\"},\"row\":\"c\"}\n");
	tiny_put(tiny, "artifact/expected/known.jsonl", KNOWN);
	assert_int_equal(derivation_open(tiny->directory, derivation, &err), OK);
	assert_int_equal(derivation_tables(derivation, &err), OK);
}

static void cells(void **state)
{
	struct tiny tiny;
	struct derivation derivation;
	struct check check = {0};
	struct beside beside;
	struct error err = {0};
	/* Differences by row and column: a/y (unknown), b/z (not derivable: no column of the table), c/x (known); the listed one of c/y is gone, and no cell's. */
	static const uint32_t want[3][3] = {{BESIDE_NONE, BESIDE_SAME, BESIDE_DIFFERS + 0}, {BESIDE_NONE, BESIDE_NONE, BESIDE_SAME}, {BESIDE_NONE, BESIDE_DIFFERS + 2, BESIDE_NONE}};

	(void)state;
	open_bundle(&tiny, &derivation);
	assert_int_equal(check_make(derivation.db, &derivation.bundle, &derivation.catalogue, derivation.tables, derivation.catalogue.table_count, &check, &err), OK);
	assert_int_equal(check.difference_count, 4);
	assert_int_equal(check.vanished, 1);
	assert_int_equal(beside_make(&derivation, &check, &beside, &err), OK);
	assert_int_equal(beside.tables, 1);
	for (size_t row = 0; row < 3; row++)
		for (size_t column = 0; column < 3; column++)
			if (beside.cells[0][row * 3 + column] != want[row][column])
				fail_msg("row %zu, column %zu: %u, not %u", row, column, beside.cells[0][row * 3 + column], want[row][column]);
	beside_free(&beside);
	assert_null(beside.cells);
	check_free(&check);
	derivation_close(&derivation);
	tiny_free(&tiny);
}

/* What rows and cells rest on, set by set: the same set is kept once. */
static void trails(void **state)
{
	struct tiny tiny;
	struct derivation derivation;
	struct trail trail;
	struct error err = {0};

	(void)state;
	open_bundle(&tiny, &derivation);
	assert_int_equal(trail_make(&derivation, &trail, &err), OK);
	assert_int_equal(trail.runs.count, 2);
	assert_string_equal(trail_run(&trail, 0, RUN_NAME), "h-one");
	assert_string_equal(trail_run(&trail, 0, RUN_MODEL), "M 1");
	assert_string_equal(trail_run(&trail, 1, RUN_ARCH), "blackwell");
	assert_string_equal(trail_run(&trail, 0, RUN_PLANNED_TRAJECTORIES), "3");
	assert_int_equal(pool_find(&trail.names, "b-two"), 1);
	assert_int_equal(trail.turn_count, 12);
	assert_int_equal(trail.turns[3].turn, 3);
	assert_string_equal(trail.turns[3].speedup, "0.5");
	assert_string_equal(trail.turns[3].arch_tag, "A, H");
	assert_string_equal(trail.turns[6].outcome, "Correct"); /* the first of b-two */
	assert_string_equal(trail.files.at[0], "artifact/runs/h-one/run.json");
	assert_string_equal(trail.files.at[3], "artifact/runs/b-two/turns.jsonl");
	assert_string_equal(trail.files.at[4], "artifact/tables/t.sql");
	assert_int_equal(trail.tables[0].sections, 1);
	assert_int_equal(trail.tables[0].kinds[0], LINEAGE_TURNS);
	assert_string_equal(trail.sets.at[trail.tables[0].sets[0]], "0.2");
	assert_string_equal(trail.sets.at[trail.tables[0].sets[1]], "");
	assert_string_equal(trail.sets.at[trail.tables[0].sets[2]], "5,1");
	assert_string_equal(trail.groups.at[trail.tables[0].groups[0]], "r0");
	assert_string_equal(trail.groups.at[trail.tables[0].groups[2]], "r0 r1");
	trail_free(&trail);
	derivation_close(&derivation);
	tiny_free(&tiny);
}

/* A count that is not that of its records is refused (R_TAB_LINEAGE), with the cell. */
static void counts_are_held(void **state)
{
	struct tiny tiny;
	struct derivation derivation;
	struct trail trail;
	struct error err = {0};
	char *wrong = mem_text(table_sql);

	(void)state;
	memcpy(strstr(wrong, "'c', 2"), "'c', 4", 6);
	tiny_make(&tiny);
	tiny_put(&tiny, "artifact/tables/t.sql", wrong);
	assert_int_equal(derivation_open(tiny.directory, &derivation, &err), OK);
	assert_int_equal(derivation_tables(&derivation, &err), OK);
	assert_int_not_equal(trail_make(&derivation, &trail, &err), OK);
	assert_int_equal(err.rule, R_TAB_LINEAGE);
	assert_string_equal(err.file, "artifact/tables/t.sql");
	assert_string_equal(err.what, "column 'x' is 4, its lineage has 2 turns");
	trail_free(&trail);
	derivation_close(&derivation);
	tiny_free(&tiny);
	free(wrong);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(cells), cmocka_unit_test(trails), cmocka_unit_test(counts_are_held)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
