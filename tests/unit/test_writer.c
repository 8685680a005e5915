/* Tables as CSV, Markdown and LaTeX: escaping is complete, literal bytes of a whole table; what publish leaves and removes. */
#include "unit.h"

#include <unistd.h>

#include "tiny.h"

#include "derive/derived.h"
#include "derive/publish.h"
#include "derive/writer.h"

static void escapes(void (*write)(const char *text, struct bytes *out), const char *text, const char *wanted)
{
	struct bytes out = {0};

	bytes_text(&out, "");
	write(text, &out);
	assert_string_equal(out.data, wanted);
	bytes_free(&out);
}

static void markdown_is_literal(void **state)
{
	(void)state;
	escapes(markdown_text, "a|b", "a\\|b");
	escapes(markdown_text, "\\`*_{}[]<>&~$#^", "\\\\\\`\\*\\_\\{\\}\\[\\]\\<\\>\\&\\~\\$\\#\\^");
	escapes(markdown_text, "two\nlines\r", "two\\\\nlines\\\\x0D");
	escapes(markdown_text, "\xe2\x80\xaetfel", "\\\\u\\{202E\\}tfel");
	escapes(markdown_text, "Größe 50 %", "Größe 50 %");
}

static void latex_is_literal(void **state)
{
	(void)state;
	escapes(latex_text, "_&%#{}$", "\\_\\&\\%\\#\\{\\}\\$");
	escapes(latex_text, "\\~^<>|", "\\textbackslash{}\\textasciitilde{}\\textasciicircum{}\\textless{}\\textgreater{}\\textbar{}");
	escapes(latex_text, "[3pt]*--`'", "{[}3pt{]}{*}-{}-{}{`}{'}");
	escapes(latex_text, "a\nb", "a\\textbackslash{}nb");
	escapes(latex_text, "Größe", "Größe");
}

static const char head[] = "-- title: Hostile | names\n-- rebuilds: new\n-- evidence: reported\n-- key: name\n"
			   "-- column: name | text | the name\n-- column: n | integer | how many\n"
			   "-- column: rate | fixed 2 empty n/a | n / 2\n-- denominator: rate | two\n"
			   "-- not derivable: tag | never published\n-- note: made up\n";

static void make(struct database *db, const char *name, const char *sql, struct table *table, struct derived *derived)
{
	char *text = mem_format("%s%s", head, sql);
	struct error err = {0};

	assert_int_equal(table_parse(text, strlen(text), name, "t.sql", table, &err), OK);
	if (derived_make(db, table, derived, &err) != OK)
		fail_msg("%s", err.what);
	free(text);
}

static void a_table_in_all_three_forms(void **state)
{
	static const char sql[] = "SELECT 'a,\"b\"' AS name, 1 AS n, 0.5 AS rate UNION ALL SELECT 'x_1|y' || unicode('a') || '\n', -2, NULL "
				  "UNION ALL SELECT '', NULL, 0 ORDER BY n DESC;\n";
	struct tiny tiny;
	struct table table;
	struct derived derived;
	struct bytes out = {0};

	(void)state;
	tiny_make(&tiny);
	struct database *db = tiny_open(&tiny);

	make(db, "hostile", sql, &table, &derived);
	write_csv(&derived, &out);
	assert_string_equal(out.data, "name,n,rate\n\"a,\"\"b\"\"\",1,0.50\n\"x_1|y97\n\",-2,n/a\n,,0.00\n");
	bytes_free(&out);
	write_markdown(&derived, &out);
	assert_string_equal(out.data, "# Hostile \\| names\n\n| name | n | rate |\n| --- | ---: | ---: |\n"
				      "| a,\"b\" | 1 | 0.50 |\n| x\\_1\\|y97\\\\n | -2 | n/a |\n|  |  | 0.00 |\n"
				      "\nRebuilds: new. Evidence: reported. Derived by t.sql.\n\n"
				      "* name: the name\n* n: how many\n* rate: n / 2; denominator: two\n"
				      "* tag: not derivable: never published\n* Note: made up\n");
	bytes_free(&out);
	write_latex(&derived, &out);
	assert_string_equal(out.data, "% Needs \\usepackage{longtable} and UTF-8 input.\n\\begin{longtable}{lrr}\n"
				      "\\caption{Hostile \\textbar{} names}\\label{tab:hostile}\\\\\n\\hline\n"
				      "name & n & rate \\\\\n\\hline\n\\endhead\n"
				      "a,\"b\" & 1 & 0.50 \\\\\nx\\_1\\textbar{}y97\\textbackslash{}n & -{}2 & n/a \\\\\n"
				      " &  & 0.00 \\\\\n\\hline\n\\end{longtable}\n");
	bytes_free(&out);
	derived_free(&derived);
	table_free(&table);
	database_close(db);
	tiny_free(&tiny);
}

static bool there(const char *directory, const char *name)
{
	char *path = mem_format("%s/%s", directory, name);
	bool found = access(path, F_OK) == 0;

	free(path);
	return found;
}

/* A file of a table that is gone is removed and told of; a file that is not on the list stays, even if it looks like one. */
static void stale_files_go_and_foreign_ones_stay(void **state)
{
	static const char sql[] = "SELECT 'a' AS name, 1 AS n, NULL AS rate;\n";
	struct tiny tiny;
	struct table tables[2];
	struct derived derived[2];
	struct products published;
	struct error err = {0};

	(void)state;
	tiny_make(&tiny);
	struct database *db = tiny_open(&tiny);
	char *out = mem_format("%s/out", tiny.directory);

	make(db, "first", sql, &tables[0], &derived[0]);
	make(db, "second", sql, &tables[1], &derived[1]);
	tiny_put(&tiny, "out/foreign.csv", "x\n");
	assert_int_equal(publish(derived, 2, out, &published, &err), OK);
	assert_int_equal(published.removed_count, 0);
	products_free(&published);
	assert_true(there(out, "second.tex"));
	assert_int_equal(publish(derived, 1, out, &published, &err), OK);
	assert_int_equal(published.removed_count, 3);
	assert_string_equal(published.removed[0], "second.csv");
	products_free(&published);
	assert_true(there(out, "first.csv") && there(out, "foreign.csv"));
	assert_false(there(out, "second.csv") || there(out, "second.md") || there(out, "second.tex"));

	/* A list that names what publish never writes removes nothing. */
	tiny_put(&tiny, "out/DERIVED", "../artifact/runs/h-one/run.json\nforeign.txt\nForeign.csv\n/etc/x.csv\nfirst.csv\n");
	tiny_put(&tiny, "out/foreign.txt", "x\n");
	assert_int_equal(publish(derived, 1, out, &published, &err), OK);
	assert_int_equal(published.removed_count, 0);
	products_free(&published);
	assert_true(there(out, "foreign.txt") && there(tiny.directory, "artifact/runs/h-one/run.json"));

	for (size_t i = 0; i < 2; i++) {
		derived_free(&derived[i]);
		table_free(&tables[i]);
	}
	free(out);
	database_close(db);
	tiny_free(&tiny);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(markdown_is_literal),
		cmocka_unit_test(latex_is_literal),
		cmocka_unit_test(a_table_in_all_three_forms),
		cmocka_unit_test(stale_files_go_and_foreign_ones_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
