/* The committed tables and claims, whatever they are: their lineage adds up, and their bytes do not depend on an order that SQL leaves open.
 * Run from the checkout's root. */
#include "unit.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "derive/derivation.h"
#include "derive/lineage.h"
#include "derive/rows.h"
#include "derive/verdict.h"
#include "derive/writer.h"

enum { ROWS_TRACED = 8 }; /* a table; the first and the last row always */

static struct derivation derivation;

static int set_up(void **state)
{
	struct error err = {0};

	(void)state;
	if (derivation_open(".", &derivation, &err) != OK || derivation_tables(&derivation, &err) != OK) {
		print_error("%s: line %llu: %s\n", err.file, (unsigned long long)err.line, err.what);
		return -1;
	}
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	derivation_close(&derivation);
	return 0;
}

static void trace_row(const struct table *table, const struct derived *derived, size_t row)
{
	struct error err = {0};

	for (size_t c = 0; c < table->column_count; c++) {
		struct lineage lineage;

		if (lineage_make(derivation.db, derived, row, c, &lineage, &err) != OK)
			fail_msg("%s, row %s, column %s: %s", table->name, derived_name(derived, row), table->columns[c].name, err.what);
		lineage_free(&lineage);
	}
}

/* R-TAB-011 on the committed tables: a count is that of its records. */
static void counts_are_those_of_their_lineage(void **state)
{
	(void)state;
	assert_true(derivation.catalogue.table_count >= 10);
	for (size_t t = 0; t < derivation.catalogue.table_count; t++) {
		const struct derived *derived = &derivation.tables[t];
		size_t step = derived->rows > ROWS_TRACED ? derived->rows / ROWS_TRACED : 1;

		for (size_t row = 0; row < derived->rows; row += step)
			trace_row(&derivation.catalogue.tables[t], derived, row);
		if (derived->rows > 1)
			trace_row(&derivation.catalogue.tables[t], derived, derived->rows - 1);
	}
}

static void reverse(struct database *db)
{
	sqlite3_set_authorizer(db->handle, NULL, NULL);
	assert_int_equal(sqlite3_exec(db->handle, "PRAGMA reverse_unordered_selects = ON", NULL, NULL, NULL), SQLITE_OK);
}

/* On one core there are no clones of the connection, which would be in the usual order. */
static void one_core(bool only)
{
	static cpu_set_t all;
	cpu_set_t one;

	if (only) {
		assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
		CPU_ZERO(&one);
		for (size_t i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
			if (CPU_ISSET(i, &all))
				CPU_SET(i, &one);
	}
	assert_int_equal(sched_setaffinity(0, sizeof all, only ? &one : &all), 0);
}

/* A query whose ORDER BY leaves two rows without an order, or that takes any value of a group, would differ. */
static void no_byte_depends_on_an_open_order(void **state)
{
	struct derivation again;
	struct decision *decisions[2] = {NULL, NULL};
	struct error err = {0};

	(void)state;
	assert_int_equal(derivation_open(".", &again, &err), OK);
	reverse(again.db);
	one_core(true);
	assert_int_equal(derivation_tables(&again, &err), OK);
	for (size_t t = 0; t < again.catalogue.table_count; t++) {
		struct bytes one = {0};
		struct bytes two = {0};

		write_csv(&derivation.tables[t], &one);
		write_csv(&again.tables[t], &two);
		if (one.len != two.len || memcmp(one.data, two.data, one.len) != 0)
			fail_msg("table %s depends on an order that its query leaves open", again.catalogue.tables[t].name);
		bytes_free(&one);
		bytes_free(&two);
	}
	assert_int_equal(decisions_make(derivation.db, &derivation.catalogue, &decisions[0], &err), OK);
	assert_int_equal(decisions_make(again.db, &again.catalogue, &decisions[1], &err), OK);
	one_core(false);
	for (size_t i = 0; i < again.catalogue.claim_count; i++)
		for (size_t c = 0; c < again.catalogue.claims[i].table.column_count; c++) {
			const char *a = decisions[0][i].numbers[c];
			const char *b = decisions[1][i].numbers[c];

			if (a == NULL ? b != NULL : b == NULL || strcmp(a, b) != 0)
				fail_msg("claim %s depends on an order that its query leaves open", again.catalogue.claims[i].id);
		}
	decisions_free(decisions[0], derivation.catalogue.claim_count);
	decisions_free(decisions[1], again.catalogue.claim_count);
	derivation_close(&again);
}

static void none_of(const char *sql)
{
	struct rows rows;
	struct error err = {0};

	if (rows_read(derivation.db, sql, "q", &rows, &err) != OK)
		fail_msg("%s", err.what);
	assert_int_equal(rows.count, 0);
	rows_free(&rows);
}

/* The summaries that tables count by, against the same said in the plainest way over the turns. */
static void summaries_are_those_of_the_turns(void **state)
{
#define LIMITS                                                                                                               \
	"SELECT run_id, turn_limit, trajectory, count(*), sum(correct), sum(correct AND has_target), max(speedup), "              \
	"max(CASE WHEN correct AND has_target THEN speedup END) FROM turn, turn_limit WHERE turn < turn_limit "                   \
	"GROUP BY run_id, turn_limit, trajectory"
#define TRAJECTORIES                                                                                                         \
	"SELECT run_id, trajectory, count(*), min(CASE WHEN correct THEN turn END), "                                             \
	"min(CASE WHEN correct AND has_target THEN turn END) FROM turn GROUP BY run_id, trajectory"
	(void)state;
	none_of("SELECT * FROM trajectory_limit EXCEPT " LIMITS);
	none_of(LIMITS " EXCEPT SELECT * FROM trajectory_limit");
	none_of("SELECT run_id, trajectory, turns, first_correct, first_target FROM trajectory EXCEPT " TRAJECTORIES);
	none_of(TRAJECTORIES " EXCEPT SELECT run_id, trajectory, turns, first_correct, first_target FROM trajectory");
}

/* run_scope, by which lineage queries find their runs, against the plain way to ask for them. */
static void scopes_are_those_of_the_runs(void **state)
{
#define SCOPE(model, arch, task) "SELECT run_id, " model " AS model, " arch " AS arch, " task " AS task FROM run"
#define SCOPES                                                                                                               \
	SCOPE("model", "arch", "task") " UNION " SCOPE("model", "arch", "'all'") " UNION " SCOPE("model", "'all'", "task")        \
	" UNION " SCOPE("model", "'all'", "'all'") " UNION " SCOPE("'all'", "arch", "task") " UNION " SCOPE("'all'", "arch", "'all'") \
	" UNION " SCOPE("'all'", "'all'", "task") " UNION " SCOPE("'all'", "'all'", "'all'")
	(void)state;
	none_of("SELECT run_id, model, arch, task FROM run_scope EXCEPT SELECT * FROM (" SCOPES ")");
	none_of("SELECT * FROM (" SCOPES ") EXCEPT SELECT run_id, model, arch, task FROM run_scope");
	none_of("SELECT run_id FROM run_scope GROUP BY run_id HAVING count(*) <> 8");
	none_of("SELECT 1 FROM turn t JOIN outcome o USING (outcome_id) WHERE t.outcome <> o.outcome");
}

static void every_difference_is_known(void **state)
{
	struct check check;
	struct error err = {0};

	(void)state;
	assert_int_equal(check_make(derivation.db, &derivation.bundle, &derivation.catalogue, derivation.tables,
	                            derivation.catalogue.table_count, &check, &err),
	                 OK);
	assert_true(check.total.published > 9000);
	assert_true(check_holds(&check));
	check_free(&check);
}

static void every_claim_is_decided_as_expected(void **state)
{
	struct decision *decisions = NULL;
	struct error err = {0};

	(void)state;
	assert_true(derivation.catalogue.claim_count > 0);
	assert_int_equal(decisions_make(derivation.db, &derivation.catalogue, &decisions, &err), OK);
	for (size_t i = 0; i < derivation.catalogue.claim_count; i++)
		if (!decisions[i].as_expected)
			fail_msg("claim %s: %s", decisions[i].claim->id, claim_verdict_name(decisions[i].verdict));
	decisions_free(decisions, derivation.catalogue.claim_count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_those_of_their_lineage),
		cmocka_unit_test(no_byte_depends_on_an_open_order),
		cmocka_unit_test(summaries_are_those_of_the_turns),
		cmocka_unit_test(scopes_are_those_of_the_runs),
		cmocka_unit_test(every_difference_is_known),
		cmocka_unit_test(every_claim_is_decided_as_expected),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
