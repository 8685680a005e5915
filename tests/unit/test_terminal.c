/* A table for the terminal, rule by rule of report/terminal.h: literal lines at 40 columns; what may be chosen; the same for machines. */
#include "unit.h"

#include "tiny.h"

#include "base/jcs.h"
#include "derive/derived.h"
#include "report/terminal.h"

struct made {
	struct tiny tiny;
	struct database *db;
	struct table table;
	struct derived derived;
};

static void make(struct made *made, const char *head, const char *sql)
{
	char *text = mem_format("-- title: A title\n-- rebuilds: new\n-- evidence: reported\n%s%s", head, sql);
	struct error err = {0};

	tiny_make(&made->tiny);
	made->db = tiny_open(&made->tiny);
	if (table_parse(text, strlen(text), "made", "made.sql", &made->table, &err) != OK || derived_make(made->db, &made->table, &made->derived, &err) != OK)
		fail_msg("%s", err.what);
	free(text);
}

static void drop(struct made *made)
{
	derived_free(&made->derived);
	table_free(&made->table);
	database_close(made->db);
	tiny_free(&made->tiny);
}

static void expect(const struct made *made, struct choice choice, size_t width, const char *wanted)
{
	struct chosen chosen;
	struct error err = {0};
	struct bytes out = {0};

	if (chosen_make(&made->derived, &choice, &chosen, &err) != OK)
		fail_msg("%s", err.what);
	terminal_write(&chosen, width, &out);
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
	chosen_free(&chosen);
}

static const char two[] = "-- key: name\n-- column: name | text | the name\n-- column: how_many_of_them | integer empty none | a number\n";

static void what_fits_stands_as_it_is(void **state)
{
	struct made made;

	(void)state;
	make(&made, two, "SELECT 'a' AS name, 1 AS how_many_of_them UNION ALL SELECT 'x\x1B\xE2\x80\xAE\xE6\xA8\xA1|<b>', NULL ORDER BY name;\n");
	expect(&made, (struct choice){0}, 37, "A title\n\n"
	                                      "name                 how_many_of_them\n"
	                                      "-------------------  ----------------\n"
	                                      "a                                   1\n"
	                                      "x\\x1B\\u{202E}\xE6\xA8\xA1|<b>              none\n"
	                                      "\n2 rows; evidence: reported; columns\n  and query: made.sql\n");
	/* One column less: the name of the second goes on below itself. */
	expect(&made, (struct choice){0}, 36, "A title\n\n"
	                                      "                      how_\n"
	                                      "                     many_\n"
	                                      "                       of_\n"
	                                      "name                  them\n"
	                                      "-------------------  -----\n"
	                                      "a                        1\n"
	                                      "x\\x1B\\u{202E}\xE6\xA8\xA1|<b>   none\n"
	                                      "\n2 rows; evidence: reported; columns\n  and query: made.sql\n");
	drop(&made);
}

static const char five[] = "-- key: model, task\n-- column: model | text | m\n-- column: task | text | t\n-- column: date | text | d\n"
			   "-- column: low | integer | l\n-- column: high | fixed 6 | h\n";

static void what_rows_share_stands_above_them(void **state)
{
	struct made made;

	(void)state;
	make(&made, five, "SELECT 'model one of some' AS model, column1 AS task, '2026-01-31' AS date, column2 AS low, 0.5 AS high "
	                  "FROM (VALUES ('a', 1), ('b', 2)) UNION ALL SELECT 'two', 'a', '', 3, 1 ORDER BY model, task;\n");
	expect(&made, (struct choice){0}, 40, "A title\n\n"
	                                      "model: model one of some; date:\n    2026-01-31; high: 0.500000\n"
	                                      "  task  low\n"
	                                      "  ----  ---\n"
	                                      "  a       1\n"
	                                      "  b       2\n"
	                                      "\n"
	                                      "model: two; date: (empty); high:\n    1.000000\n"
	                                      "  task  low\n"
	                                      "  ----  ---\n"
	                                      "  a       3\n"
	                                      "\n3 rows; evidence: reported; columns and\n  query: made.sql\n");
	/* Where the bare columns fit, nothing has to go above. */
	expect(&made, (struct choice){.columns = "low", .rows = "one of"}, 40, "A title\n\n"
	                                                                     "model              task  low\n"
	                                                                     "-----------------  ----  ---\n"
	                                                                     "model one of some  a       1\n"
	                                                                     "model one of some  b       2\n"
	                                                                     "\n2 rows of 3; evidence: reported; columns\n  and query: made.sql\n");
	drop(&made);
}

static void what_has_no_room_goes_into_a_block_below(void **state)
{
	struct made made;

	(void)state;
	make(&made, "-- key: run\n-- column: run | text | r\n-- column: first | repr | f\n-- column: second | repr | s\n-- column: last | text | l\n",
	     "SELECT column1 AS run, column2 AS first, column2 AS second, column3 AS last FROM (VALUES "
	     "('2026-0514-opus48-b200-gemm', 0.9166666666666666, 'x'), ('two', 1.0, 'a text that is too long by far')) ORDER BY run;\n");
	expect(&made, (struct choice){0}, 40, "A title\n\n"
	                                      "run                                first\n"
	                                      "--------------------  ------------------\n"
	                                      "2026-0514-opus48-     0.9166666666666666\n"
	                                      "  b200-gemm\n"
	                                      "two                                  1.0\n"
	                                      "\n"
	                                      "run                               second\n"
	                                      "--------------------  ------------------\n"
	                                      "2026-0514-opus48-     0.9166666666666666\n"
	                                      "  b200-gemm\n"
	                                      "two                                  1.0\n"
	                                      "\n"
	                                      "run                  last\n"
	                                      "-------------------  -------------------\n"
	                                      "2026-0514-opus48-    x\n"
	                                      "  b200-gemm\n"
	                                      "two                  a text that is too\n"
	                                      "                       long by far\n"
	                                      "\n2 rows; evidence: reported; columns and\n  query: made.sql\n");
	drop(&made);
}

static void rows_that_share_nothing_are_lists(void **state)
{
	struct made made;

	(void)state;
	make(&made, "-- key: task, workload\n-- column: task | text | t\n-- column: workload | text | w\n-- column: inputs | text | i\n-- column: seed | integer | s\n",
	     "SELECT column1 AS task, column1 || '-0123456789abcdef' AS workload, 'A bfloat16, B bfloat16, C float32' AS inputs, NULL AS seed "
	     "FROM (VALUES ('a'), ('b')) ORDER BY task;\n");
	expect(&made, (struct choice){0}, 40, "A title\n\n"
	                                      "task      a\n"
	                                      "workload  a-0123456789abcdef\n"
	                                      "inputs    A bfloat16, B bfloat16, C\n"
	                                      "            float32\n"
	                                      "seed\n"
	                                      "\n"
	                                      "task      b\n"
	                                      "workload  b-0123456789abcdef\n"
	                                      "inputs    A bfloat16, B bfloat16, C\n"
	                                      "            float32\n"
	                                      "seed\n"
	                                      "\n2 rows; evidence: reported; columns and\n  query: made.sql\n");
	drop(&made);
}

/* Where only the whole key tells rows apart, and the first of it is shared, that stands above: they are no lists. */
static void fewer_stand_above_where_all_would_leave_single_rows(void **state)
{
	struct made made;

	(void)state;
	make(&made, "-- key: model, task\n-- column: model | text | m\n-- column: task | text | t\n-- column: same | text | s\n-- column: turns | integer | n\n-- column: tokens | integer | n\n-- column: more | integer | n\n",
	     "SELECT 'm' AS model, column1 AS task, 'yes' AS same, 12345678901234 + length(column1) AS turns, 2345678901234 + length(column1) AS tokens, 345678901234 + length(column1) AS more "
	     "FROM (VALUES ('a'), ('bb')) ORDER BY task;\n");
	expect(&made, (struct choice){0}, 40, "A title\n\n"
	                                      "model: m; same: yes\n"
	                                      "  task           turns         tokens\n"
	                                      "  ----  --------------  -------------\n"
	                                      "  a     12345678901235  2345678901235\n"
	                                      "  bb    12345678901236  2345678901236\n"
	                                      "\n"
	                                      "  task          more\n"
	                                      "  ----  ------------\n"
	                                      "  a     345678901235\n"
	                                      "  bb    345678901236\n"
	                                      "\n2 rows; evidence: reported; columns and\n  query: made.sql\n");
	drop(&made);
}

static void refuses_what_the_table_has_not(void **state)
{
	struct made made;
	struct chosen chosen;
	struct error err = {0};

	(void)state;
	make(&made, two, "SELECT 'a' AS name, 1 AS how_many_of_them;\n");
	assert_int_equal(chosen_make(&made.derived, &(struct choice){.columns = "name,how_mny"}, &chosen, &err), USAGE);
	assert_int_equal(err.rule, R_ASK_COLUMN);
	assert_string_equal(err.what, "there is no column 'how_mny', the nearest is 'name'; there are: name, how_many_of_them");
	chosen_free(&chosen);
	assert_int_equal(chosen_make(&made.derived, &(struct choice){.columns = "name,"}, &chosen, &err), USAGE);
	assert_int_equal(err.rule, R_ASK_COLUMN);
	chosen_free(&chosen);
	assert_int_equal(chosen_make(&made.derived, &(struct choice){.rows = "b"}, &chosen, &err), USAGE);
	assert_int_equal(err.rule, R_ASK_ROW);
	assert_string_equal(err.what, "there is no row with 'b' (a row is name); the nearest of 1: 'a'");
	chosen_free(&chosen);
	drop(&made);
}

static void a_table_without_rows_says_so(void **state)
{
	struct made made;

	(void)state;
	make(&made, two, "SELECT 'a' AS name, 1 AS how_many_of_them WHERE false;\n");
	expect(&made, (struct choice){0}, 40, "A title\n\n"
	                                      "name  how_many_of_them\n"
	                                      "----  ----------------\n"
	                                      "\n0 rows; evidence: reported; columns and\n  query: made.sql\n");
	drop(&made);
}

static void machines_get_texts_and_nulls(void **state)
{
	struct made made;
	struct chosen chosen;
	struct error err = {0};
	struct bytes out = {0};

	(void)state;
	make(&made, two, "SELECT 'a\xE2\x80\xAE' AS name, NULL AS how_many_of_them UNION ALL SELECT 'b', 7 ORDER BY name;\n");
	assert_int_equal(chosen_make(&made.derived, &(struct choice){0}, &chosen, &err), OK);
	cJSON *tree = chosen_json(&chosen);

	assert_int_equal(jcs_write(tree, &out, &err), OK);
	assert_string_equal(out.data, "{\"columns\":[{\"denominator\":null,\"format\":\"text\",\"meaning\":\"the name\",\"name\":\"name\"},"
	                              "{\"denominator\":null,\"format\":\"integer\",\"meaning\":\"a number\",\"name\":\"how_many_of_them\"}],"
	                              "\"evidence\":\"reported\",\"key\":[\"name\"],\"rebuilds\":\"new\",\"rows\":[[\"a\xE2\x80\xAE\",null],[\"b\",\"7\"]],"
	                              "\"table\":\"made\",\"title\":\"A title\"}");
	cJSON_Delete(tree);
	bytes_free(&out);
	chosen_free(&chosen);
	drop(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_fits_stands_as_it_is),
		cmocka_unit_test(what_rows_share_stands_above_them),
		cmocka_unit_test(what_has_no_room_goes_into_a_block_below),
		cmocka_unit_test(rows_that_share_nothing_are_lists),
		cmocka_unit_test(fewer_stand_above_where_all_would_leave_single_rows),
		cmocka_unit_test(refuses_what_the_table_has_not),
		cmocka_unit_test(a_table_without_rows_says_so),
		cmocka_unit_test(machines_get_texts_and_nulls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
