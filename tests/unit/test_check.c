/* Published cells beside derived ones (R-CMP-001 to 003) and claims beside what is expected of them (R-TAB-013). */
#include "unit.h"

#include "tiny.h"

#include "derive/derivation.h"
#include "derive/verdict.h"

/* Cells: a/x "1", a/y "0.50"; b/x no value written "none", b/y no value. */
static const char table_sql[] = "-- title: t\n-- rebuilds: new\n-- evidence: reported\n-- key: k\n-- column: k | text | key\n"
				"-- column: x | integer empty none | x\n-- column: y | fixed 2 | y\n-- not derivable: z | why\n"
				"SELECT 'a' AS k, 1 AS x, 0.5 AS y UNION ALL SELECT 'b', NULL, NULL ORDER BY k;\n";

static const char claim_sql[] = "-- claim: C1\n-- title: t\n-- statement: s\n-- paper: p\n-- evidence: none\n-- expect: HOLDS\n"
				"-- column: n | integer | n\nSELECT 1 AS holds, 2 AS n;\n";

static void with(const char *expected, const char *known, struct tiny *tiny)
{
	tiny_make(tiny);
	tiny_put(tiny, "artifact/tables/t.sql", table_sql);
	tiny_put(tiny, "artifact/claims/C1.sql", claim_sql);
	tiny_put(tiny, "artifact/expected/made/t.jsonl", expected);
	if (known != NULL)
		tiny_put(tiny, "artifact/expected/known.jsonl", known);
}

static enum status check(const struct tiny *tiny, struct derivation *derivation, struct check *check, struct error *err)
{
	enum status status = derivation_open(tiny->directory, derivation, err);

	if (status == OK)
		status = derivation_tables(derivation, err);
	if (status == OK)
		status = check_make(derivation->db, &derivation->bundle, &derivation->catalogue, derivation->tables,
		                    derivation->catalogue.table_count, check, err);
	return status;
}

/* "same differs not_derivable known unknown vanished" */
static void totals(const char *expected, const char *known, const char *wanted)
{
	struct tiny tiny;
	struct derivation derivation;
	struct check result = {0};
	struct error err = {0};

	with(expected, known, &tiny);
	if (check(&tiny, &derivation, &result, &err) != OK)
		fail_msg("%s: %s", err.file, err.what);
	char *found = mem_format("%zu %zu %zu %zu %zu %zu", result.total.same, result.total.differs, result.total.not_derivable,
	                         result.total.known, result.total.unknown, result.vanished);

	assert_string_equal(found, wanted);
	assert_int_equal(result.total.published, result.total.same + result.total.differs + result.total.not_derivable);
	assert_int_equal(check_holds(&result), result.total.unknown == 0 && result.vanished == 0);
	free(found);
	check_free(&result);
	derivation_close(&derivation);
	tiny_free(&tiny);
}

static void cells_are_same_differ_or_are_not_derivable(void **state)
{
	(void)state;
	totals("{\"cells\":{\"x\":\"1\",\"y\":\"0.50\"},\"row\":\"a\"}\n", NULL, "2 0 0 0 0 0");
	totals("{\"cells\":{\"x\":\"1.0\",\"y\":\"0.5\"},\"row\":\"a\"}\n", NULL, "0 2 0 0 2 0");
	totals("{\"cells\":{\"x\":null},\"row\":\"a\"}\n", NULL, "0 1 0 0 1 0");             /* published as empty, but there is a value */
	totals("{\"cells\":{\"y\":null},\"row\":\"b\"}\n", NULL, "1 0 0 0 0 0");             /* empty both */
	totals("{\"cells\":{\"x\":\"none\"},\"row\":\"b\"}\n", NULL, "1 0 0 0 0 0");         /* what NULL is written as */
	totals("{\"cells\":{\"y\":\"0.25\"},\"row\":\"b\"}\n", NULL, "0 0 1 0 1 0");         /* NULL there */
	totals("{\"cells\":{\"z\":\"7\"},\"row\":\"a\"}\n", NULL, "0 0 1 0 1 0");            /* declared */
	totals("{\"cells\":{\"y\":\"0.25\"},\"row\":\"c\"}\n", NULL, "0 0 1 0 1 0");         /* no such row */
	totals("{\"cells\":{\"y\":null},\"row\":\"c\"}\n", NULL, "0 0 1 0 1 0");             /* no such row is not an empty cell */
	totals("{\"cells\":{\"z\":null},\"row\":\"a\"}\n", NULL, "0 0 1 0 1 0");             /* nor is no such column */
}

#define DIFFERS "{\"cells\":{\"x\":\"2\",\"z\":\"7\"},\"row\":\"a\"}\n"
#define KNOWN(column, derived, published, row, verdict)                                                                   \
	"{\"column\":\"" column "\",\"derived\":" derived ",\"published\":" published ",\"reason\":\"because\",\"row\":\"" row \
	"\",\"table\":\"t\",\"verdict\":\"" verdict "\"}\n"

#define REASON(text)                                                                                                      \
	"{\"column\":\"x\",\"derived\":\"1\",\"published\":\"2\",\"reason\":\"" text "\",\"row\":\"a\",\"table\":\"t\",\"verdict\":\"DIFFERS\"}\n"

static void known_differences_count_only_as_listed(void **state)
{
	(void)state;
	totals(DIFFERS, NULL, "0 1 1 0 2 0");
	totals(DIFFERS, KNOWN("x", "\"1\"", "\"2\"", "a", "DIFFERS") KNOWN("z", "null", "\"7\"", "a", "NOT DERIVABLE"), "0 1 1 2 0 0");
	/* Other values, or another verdict, than listed. */
	totals(DIFFERS, KNOWN("x", "\"1\"", "\"3\"", "a", "DIFFERS"), "0 1 1 0 2 0");
	totals(DIFFERS, KNOWN("x", "\"0\"", "\"2\"", "a", "DIFFERS"), "0 1 1 0 2 0");
	totals(DIFFERS, KNOWN("x", "\"1\"", "\"2\"", "a", "NOT DERIVABLE"), "0 1 1 0 2 0");
	/* Listed, but the same by now, or not published at all. */
	totals("{\"cells\":{\"x\":\"1\"},\"row\":\"a\"}\n", KNOWN("x", "\"1\"", "\"2\"", "a", "DIFFERS"), "1 0 0 0 0 1");
	totals("{\"cells\":{\"x\":\"1\"},\"row\":\"a\"}\n", KNOWN("x", "\"1\"", "\"2\"", "b", "DIFFERS"), "1 0 0 0 0 1");
}

static void faulty_lists_are_refused(void **state)
{
	static const struct {
		const char *expected;
		const char *known;
		enum rule rule;
	} cases[] = {
		{"{\"cells\":{\"w\":\"1\"},\"row\":\"a\"}\n", NULL, R_CMP_PLACE},
		{DIFFERS, KNOWN("x", "\"1\"", "\"2\"", "a", "SAME"), R_JSON_FIELD},
		{DIFFERS, KNOWN("x", "1", "\"2\"", "a", "DIFFERS"), R_JSON_FIELD},
		{DIFFERS, KNOWN("x", "\"1\"", "\"2\"", "a", "DIFFERS") KNOWN("x", "\"1\"", "\"2\"", "a", "DIFFERS"), R_TAB_DUPLICATE},
		{DIFFERS, "{\"column\":\"x\"}\n", R_JSON_FIELD},
		{DIFFERS, REASON(""), R_JSON_FIELD},
		{DIFFERS, REASON(" \\t\\n"), R_JSON_FIELD},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tiny tiny;
		struct derivation derivation;
		struct check result = {0};
		struct error err = {0};

		with(cases[i].expected, cases[i].known, &tiny);
		assert_int_equal(check(&tiny, &derivation, &result, &err), MALFORMED);
		assert_string_equal(rule_info(err.rule)->id, rule_info(cases[i].rule)->id);
		check_free(&result);
		derivation_close(&derivation);
		tiny_free(&tiny);
	}
}

/* Published cells of a table that is not there would otherwise go uncompared. */
static void cells_of_no_table_are_refused(void **state)
{
	struct tiny tiny;
	struct derivation derivation;
	struct check result = {0};
	struct error err = {0};

	(void)state;
	with(DIFFERS, NULL, &tiny);
	tiny_put(&tiny, "artifact/expected/made/other.jsonl", "{\"cells\":{\"x\":\"2\"},\"row\":\"a\"}\n");
	assert_int_equal(check(&tiny, &derivation, &result, &err), MALFORMED);
	assert_int_equal(err.rule, R_CMP_PLACE);
	check_free(&result);
	derivation_close(&derivation);
	tiny_free(&tiny);
}

#define CLAIM(expect, sql)                                                                                                 \
	"-- claim: C1\n-- title: t\n-- statement: s\n-- paper: p\n-- evidence: reported\n-- expect: " expect                    \
	"\n-- column: n | integer | correct turns\n-- column: share | fixed 1 | percent\n" sql ";\n"

static enum status decide(const char *text, struct decision *out, char numbers[64], struct error *err)
{
	struct tiny tiny;
	struct derivation derivation;
	struct decision *decisions = NULL;

	tiny_make(&tiny);
	tiny_put(&tiny, "artifact/claims/C1.sql", text);
	assert_int_equal(derivation_open(tiny.directory, &derivation, err), OK);
	enum status status = decisions_make(derivation.db, &derivation.catalogue, &decisions, err);

	if (status == OK) {
		*out = decisions[0];
		snprintf(numbers, 64, "%s %s", out->numbers[0] == NULL ? "~" : out->numbers[0],
		         out->numbers[1] == NULL ? "~" : out->numbers[1]);
	}
	decisions_free(decisions, derivation.catalogue.claim_count);
	derivation_close(&derivation);
	tiny_free(&tiny);
	return status;
}

static void claims_are_decided(void **state)
{
	static const struct {
		const char *text;
		enum claim_verdict verdict;
		bool as_expected;
		const char *numbers;
	} cases[] = {
		{CLAIM("HOLDS", "SELECT count(*) > 4 AS holds, count(*) AS n, 100.0 * count(*) / 12 AS share FROM turn WHERE correct"),
	         CLAIM_HOLDS, true, "5 41.7"},
		{CLAIM("HOLDS", "SELECT count(*) > 5 AS holds, count(*) AS n, NULL AS share FROM turn WHERE correct"), CLAIM_FAILS, false,
	         "5 ~"},
		{CLAIM("FAILS", "SELECT 0 AS holds, 1 AS n, 1 AS share"), CLAIM_FAILS, true, "1 1.0"},
		{CLAIM("NOT DERIVABLE", "SELECT NULL AS holds, 1 AS n, 1 AS share"), CLAIM_NOT_DERIVABLE, true, "1 1.0"},
		{CLAIM("HOLDS", "SELECT NULL AS holds, 1 AS n, 1 AS share"), CLAIM_NOT_DERIVABLE, false, "1 1.0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct decision decision;
		char numbers[64];
		struct error err = {0};

		if (decide(cases[i].text, &decision, numbers, &err) != OK)
			fail_msg("%s", err.what);
		assert_int_equal(decision.verdict, cases[i].verdict);
		assert_int_equal(decision.as_expected, cases[i].as_expected);
		assert_string_equal(numbers, cases[i].numbers);
	}
}

static void faulty_claim_queries_are_refused(void **state)
{
	static const struct {
		const char *text;
		enum rule rule;
	} cases[] = {
		{CLAIM("HOLDS", "SELECT 1 AS holds, 1 AS n, 1 AS share WHERE 0"), R_TAB_CLAIM},
		{CLAIM("HOLDS", "SELECT 1 AS holds, 1 AS n, 1 AS share UNION ALL SELECT 1, 2, 3"), R_TAB_CLAIM},
		{CLAIM("HOLDS", "SELECT 2 AS holds, 1 AS n, 1 AS share"), R_TAB_CLAIM},
		{CLAIM("HOLDS", "SELECT 'yes' AS holds, 1 AS n, 1 AS share"), R_TAB_CLAIM},
		{CLAIM("HOLDS", "SELECT 1 AS n, 1 AS holds, 1 AS share"), R_TAB_SHAPE},
		{CLAIM("HOLDS", "SELECT 1 AS holds, 'x' AS n, 1 AS share"), R_TAB_TYPE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct decision decision;
		char numbers[64];
		struct error err = {0};

		assert_int_equal(decide(cases[i].text, &decision, numbers, &err), MALFORMED);
		assert_string_equal(rule_info(err.rule)->id, rule_info(cases[i].rule)->id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_are_same_differ_or_are_not_derivable),
		cmocka_unit_test(known_differences_count_only_as_listed),
		cmocka_unit_test(faulty_lists_are_refused),
		cmocka_unit_test(cells_of_no_table_are_refused),
		cmocka_unit_test(claims_are_decided),
		cmocka_unit_test(faulty_claim_queries_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
