/* Table and claim files: what a good one says, and what R-TAB-001 to R-TAB-004 refuse, with the line. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "derive/table.h"

static const char good[] = "-- title: Counts by\n"
			   "-- | run\n"
			   "--\n"
			   "-- rebuilds: new\n"
			   "-- evidence: reported\n"
			   "-- key: run, turn_limit\n"
			   "-- column: run | text | directory | of the run\n"
			   "-- column: turn_limit | integer | limit\n"
			   "-- column: correct | integer counts trajectories empty - | those with\n"
			   "-- | a Correct turn\n"
			   "-- column: rate | fixed 6 empty n/a | correct / n\n"
			   "-- denominator: rate, correct | all of the run\n"
			   "-- not derivable: tag_evidence | never published\n"
			   "-- note: one\n"
			   "-- note: two\n"
			   "\n"
			   "SELECT 1; -- a remark\n"
			   "-- another\n"
			   "-- lineage: correct, rate\n"
			   "SELECT turn_id\n"
			   "FROM turn;\n";

static void a_good_table_is_understood(void **state)
{
	struct table table;
	struct error err = {0};

	(void)state;
	assert_int_equal(table_parse(good, strlen(good), "counts", "t.sql", &table, &err), OK);
	assert_string_equal(table.name, "counts");
	assert_string_equal(table.title, "Counts by run");
	assert_string_equal(table.rebuilds, "new");
	assert_string_equal(table.evidence, "reported");
	assert_int_equal(table.column_count, 4);
	assert_int_equal(table.key_count, 2);
	assert_int_equal(table.key[1], 1);
	assert_string_equal(table.columns[0].meaning, "directory | of the run");
	assert_int_equal(table.columns[2].counts, COUNTS_TRAJECTORIES);
	assert_string_equal(table.columns[2].empty, "-");
	assert_string_equal(table.columns[2].meaning, "those with a Correct turn");
	assert_string_equal(table.columns[3].empty, "n/a");
	assert_string_equal(table.columns[3].denominator, "all of the run");
	assert_string_equal(table.columns[2].denominator, "all of the run");
	assert_int_equal(table.columns[3].lineage, 1);
	assert_int_equal(table.columns[0].lineage, 0);
	assert_string_equal(table.underivable[0].column, "tag_evidence");
	assert_string_equal(table.underivable[0].why, "never published");
	assert_int_equal(table.note_count, 2);
	assert_int_equal(table.sql.section_count, 2);
	assert_int_equal(table.sql.sections[0].line, 16);
	assert_int_equal(table.sql.sections[1].line, 20);
	assert_string_equal(table.sql.sections[1].sql, "SELECT turn_id\nFROM turn;\n");
	table_free(&table);
}

/* good with the first occurrence of from replaced. */
static char *changed(const char *from, const char *to)
{
	const char *at = strstr(good, from);

	assert_non_null(at);
	return mem_format("%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
}

static void refused(const char *from, const char *to, enum rule rule, uint64_t line)
{
	char *text = changed(from, to);
	struct table table;
	struct error err = {0};

	assert_int_equal(table_parse(text, strlen(text), "counts", "t.sql", &table, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, rule_info(rule)->id);
	assert_int_equal(err.line, line);
	assert_string_equal(err.file, "t.sql");
	table_free(&table);
	free(text);
}

static void a_faulty_head_is_refused(void **state)
{
	(void)state;
	refused("-- title: Counts by\n-- | run\n", "", R_TAB_HEAD, 0);
	refused("-- rebuilds: new", "-- title: again", R_TAB_HEAD, 4);
	refused("-- rebuilds: new", "-- rebuild: new", R_TAB_HEAD, 4);
	refused("-- rebuilds: new", "-- rebuilds:  ", R_TAB_HEAD, 4);
	refused("-- rebuilds: new", "-- no word", R_TAB_HEAD, 4);
	refused("-- rebuilds: new", "--rebuilds: new", R_TAB_HEAD, 4);
	refused("-- title: Counts by", "-- | more", R_TAB_HEAD, 1);
	refused("-- evidence: reported", "-- evidence: heard", R_TAB_HEAD, 0);
	refused("-- key: run, turn_limit\n", "", R_TAB_HEAD, 0);
	refused("SELECT 1; -- a remark\n-- another\n", "SELECT 1;\n-- column: late | text | x\n", R_TAB_HEAD, 18);
}

static void a_faulty_column_is_refused(void **state)
{
	(void)state;
	refused("-- key: run, turn_limit", "-- key: run, turns", R_TAB_COLUMN, 0);
	refused("-- column: turn_limit | integer | limit", "-- column: turn_limit | integer", R_TAB_COLUMN, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: turn_limit | float | limit", R_TAB_COLUMN, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: turn_limit | integer counts | limit", R_TAB_COLUMN, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: turn_limit | fixed 2 counts turns | x", R_TAB_COLUMN, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: run | integer | limit", R_TAB_COLUMN, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: Turn_limit | integer | limit", R_TAB_NAME, 8);
	refused("-- column: turn_limit | integer | limit", "-- column: 1turn | integer | limit", R_TAB_NAME, 8);
	refused("-- denominator: rate, correct", "-- denominator: rates", R_TAB_COLUMN, 12);
	refused("-- denominator: rate, correct | all of the run", "-- denominator: rate", R_TAB_COLUMN, 12);
	refused("-- note: one", "-- denominator: rate | again", R_TAB_COLUMN, 14);
	refused("-- not derivable: tag_evidence | never published", "-- not derivable: tag_evidence", R_TAB_COLUMN, 13);
	refused("-- lineage: correct, rate", "-- lineage: corect", R_TAB_COLUMN, 19);
	refused("-- lineage: correct, rate", "-- lineage: correct, correct", R_TAB_COLUMN, 19);
	refused("-- lineage: correct, rate", "-- lineage: rate", R_TAB_COLUMN, 9); /* correct counts, but what? */
}

static void a_missing_query_is_refused(void **state)
{
	(void)state;
	refused("SELECT 1; -- a remark\n-- another\n", "", R_TAB_SQL, 16);
	refused("SELECT turn_id\nFROM turn;\n", " ;\n", R_TAB_SQL, 20);
	refused("SELECT 1;", "SELECT '\xff';", R_TAB_SQL, 0);
	refused("SELECT 1;", "SELECT 1;\r", R_TAB_SQL, 0);
}

static void a_table_s_name_is_checked(void **state)
{
	struct table table;
	struct error err = {0};

	(void)state;
	assert_int_equal(table_parse(good, strlen(good), "Counts", "t.sql", &table, &err), MALFORMED);
	assert_int_equal(err.rule, R_TAB_NAME);
	table_free(&table);
}

#define CLAIM(expect, more)                                                                                       \
	"-- claim: C3\n-- title: t\n-- statement: backward is\n-- | harder\n-- paper: abstract\n-- evidence: reported\n" \
	"-- expect: " expect "\n" more "-- column: n | integer | turns\nSELECT 1, 2;\n"

static enum status parse_claim(const char *text, struct claim *claim, struct error *err)
{
	return claim_parse(text, strlen(text), "C3", "C3.sql", claim, err);
}

static void claims_are_understood(void **state)
{
	struct claim claim;
	struct error err = {0};

	(void)state;
	assert_int_equal(parse_claim(CLAIM("NOT DERIVABLE", ""), &claim, &err), OK);
	assert_string_equal(claim.id, "C3");
	assert_string_equal(claim.statement, "backward is harder");
	assert_string_equal(claim.expect, "NOT DERIVABLE");
	assert_false(claim.is_finding);
	claim_free(&claim);
	assert_int_equal(parse_claim(CLAIM("HOLDS", "-- kind: finding\n"), &claim, &err), OK);
	assert_true(claim.is_finding);
	claim_free(&claim);
}

static void faulty_claims_are_refused(void **state)
{
	struct claim claim;
	struct error err = {0};

	(void)state;
	assert_int_equal(parse_claim(CLAIM("MAYBE", ""), &claim, &err), MALFORMED);
	assert_int_equal(err.rule, R_TAB_HEAD);
	claim_free(&claim);
	assert_int_equal(parse_claim(CLAIM("HOLDS", "-- kind: rumour\n"), &claim, &err), MALFORMED);
	assert_int_equal(err.rule, R_TAB_HEAD);
	claim_free(&claim);
	assert_int_equal(parse_claim(CLAIM("HOLDS", "-- column: holds | integer | x\n"), &claim, &err), MALFORMED);
	assert_int_equal(err.rule, R_TAB_COLUMN);
	claim_free(&claim);
	assert_int_equal(parse_claim(CLAIM("HOLDS", "-- key: n\n"), &claim, &err), MALFORMED);
	assert_int_equal(err.rule, R_TAB_HEAD);
	claim_free(&claim);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_table_is_understood), cmocka_unit_test(a_faulty_head_is_refused),
		cmocka_unit_test(a_faulty_column_is_refused), cmocka_unit_test(a_missing_query_is_refused),
		cmocka_unit_test(a_table_s_name_is_checked),  cmocka_unit_test(claims_are_understood),
		cmocka_unit_test(faulty_claims_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
