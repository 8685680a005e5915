/* Text in columns: what is narrow, wide, hidden or too long, in literal lines. */
#include "unit.h"

#include <string.h>

#include "report/grid.h"

static void expect(struct bytes *out, const char *wanted)
{
	assert_string_equal(out->data, wanted);
	bytes_free(out);
}

static void aligns_whatever_is_in_the_cells(void **state)
{
	static const char *const cells[] = {"plain", "1", "\xE6\xA8\xA1\xE5\x9E\x8B", "23", "cafe\xCC\x81", "4.5", ("a\x1B[2Jb\xE2\x80\xAE" "c"), "6", "", "789", "x\xFFy", ""};
	struct grid grid;
	struct bytes out = {0};

	(void)state;
	grid_make(&grid, 2);
	grid_name(&grid, 0, "name", false);
	grid_name(&grid, 1, "n", true);
	for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
		grid_add(&grid, i % 2, cells[i]);
	assert_int_equal(grid.rows, 6);
	grid_write_all(&grid, 1, &out);
	expect(&out, " name                  n\n"
	             " plain                 1\n"
	             " \xE6\xA8\xA1\xE5\x9E\x8B                 23\n"
	             " cafe\xCC\x81                4.5\n"
	             " a\\x1B[2Jb\\u{202E}c    6\n"
	             "                     789\n"
	             " x\\xFFy\n");
	grid_free(&grid);
}

static void breaks_names_and_texts_but_no_number(void **state)
{
	static const size_t columns[] = {1, 0}, widths[] = {8, 7};
	struct grid grid;
	struct bytes out = {0};

	(void)state;
	grid_make(&grid, 2);
	grid_name(&grid, 0, "rate_of_all", true);
	grid_name(&grid, 1, "task", false);
	grid_add(&grid, 0, "123456789");
	grid_add(&grid, 1, "one two three");
	grid_add(&grid, 0, "1");
	grid_add(&grid, 1, "abcdefghijklmnop");
	grid_add(&grid, 0, "2");
	grid_add(&grid, 1, "\xE6\xA8\xA1\xE5\x9E\x8B\xE6\xA8\xA1\xE5\x9E\x8B\xE6\xA8\xA1");
	grid_add(&grid, 0, "3");
	grid_add(&grid, 1, "mha_bwd_d128");
	assert_int_equal(grid_width(&grid, 0, false), 11);
	assert_int_equal(grid_width(&grid, 0, true), 9);
	assert_int_equal(grid_width(&grid, 1, true), 16);
	grid_write(&grid, &(struct grid_part){.columns = columns, .widths = widths, .count = 2, .indent = 0, .ruled = true}, 0, 4, &out);
	expect(&out, "            rate_\n"
	             "              of_\n"
	             "task          all\n"
	             "--------  -------\n"
	             "one two   123456789\n"
	             "  three\n"
	             "abcdefgh        1\n"
	             "  ijklmn\n"
	             "  op\n"
	             "\xE6\xA8\xA1\xE5\x9E\x8B\xE6\xA8\xA1\xE5\x9E\x8B        2\n"
	             "  \xE6\xA8\xA1\n"
	             "mha_bwd_        3\n"
	             "  d128\n");
	grid_free(&grid);
}

static void paragraphs_break_between_words(void **state)
{
	struct bytes out = {0};

	(void)state;
	grid_paragraph("one two three four", 0, 2, 10, &out);
	expect(&out, "one two\n  three\n  four");
	grid_paragraph("  spaces   between  ", 0, 2, 80, &out);
	expect(&out, "spaces between");
	grid_paragraph("a 0123456789abcdef b", 0, 2, 10, &out);
	expect(&out, "a 01234567\n  89abcdef\n  b");
	grid_paragraph("title\xE2\x80\xAE", 3, 5, 8, &out);
	expect(&out, "title\n     \\u{\n     202\n     E}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(aligns_whatever_is_in_the_cells),
		cmocka_unit_test(breaks_names_and_texts_but_no_number),
		cmocka_unit_test(paragraphs_break_between_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
