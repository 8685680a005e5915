/* Paths, widths and bundles, with the figures that c2sp.org/tlog-tiles gives. */
#include "unit.h"

#include <string.h>

#include "log/tile.h"

static void paths_are_those_of_the_specification(void **state)
{
	static const struct {
		struct tile tile;
		const char *path;
	} known[] = {
		{{0, 1234067, TILE_WIDTH}, "tile/0/x001/x234/067"},
		{{0, 273, 112}, "tile/0/273.p/112"},
		{{2, 0, 1}, "tile/2/000.p/1"},
		{{7, 1000, 255}, "tile/7/x001/000.p/255"},
		{{TILE_ENTRIES, 999999, TILE_WIDTH}, "tile/entries/x999/999"},
		{{TILE_ENTRIES, 5, 7}, "tile/entries/005.p/7"},
	};
	char path[TILE_PATH_MAX];
	struct tile tile;

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
		tile_path(&known[i].tile, path);
		assert_string_equal(path, known[i].path);
		assert_true(tile_parse(known[i].path, &tile));
		assert_int_equal(tile.level, known[i].tile.level);
		assert_int_equal(tile.index, known[i].tile.index);
		assert_int_equal(tile.width, known[i].tile.width);
	}
}

static void other_paths_are_no_tiles(void **state)
{
	static const char *const paths[] = {
		"", "tile", "tile/", "tile/0", "tile/0/", "tile/0/0", "tile/0/0000", "tile/0/x000/001", "tile/0/x001", "tile/0/001/002", "tile/8/000",
		"tile/00/000", "tile/0/000.p", "tile/0/000.p/", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01", "tile/0/000.p/1/", "tile/0/000 ",
		"tile/-1/000", "tile/entries", "tile/entries/", "tile/entries0/000", "/tile/0/000", "tile/0/x001/x234/067.q/1", "tile/0/+01",
		"tile/0/x999/x999/x999/x999/x999/x999/999", "tile/0/99999999999999999999", "tiles/0/000", "checkpoint",
	};
	struct tile tile;

	(void)state;
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
		assert_false(tile_parse(paths[i], &tile));
}

/* The specification's example, of 70,000 and of 256 entries. */
static void widths_are_those_of_the_specification(void **state)
{
	(void)state;
	assert_int_equal(tile_count(0, 70000), 274);
	assert_int_equal(tile_width(0, 272, 70000), TILE_WIDTH);
	assert_int_equal(tile_width(0, 273, 70000), 112);
	assert_int_equal(tile_width(0, 274, 70000), 0);
	assert_int_equal(tile_count(1, 70000), 2);
	assert_int_equal(tile_width(1, 0, 70000), TILE_WIDTH);
	assert_int_equal(tile_width(1, 1, 70000), 17);
	assert_int_equal(tile_count(2, 70000), 1);
	assert_int_equal(tile_width(2, 0, 70000), 1);
	assert_int_equal(tile_count(3, 70000), 0);
	assert_int_equal(tile_width(3, 0, 70000), 0);
	assert_int_equal(tile_width(TILE_ENTRIES, 273, 70000), 112);
	assert_int_equal(tile_width(0, 0, 256), TILE_WIDTH);
	assert_int_equal(tile_width(1, 0, 256), 1);
	assert_int_equal(tile_count(0, 0), 0);
}

static void bundles_hold_their_entries_and_nothing_else(void **state)
{
	static char large[ENTRY_BYTES_MAX];
	struct entry entries[TILE_WIDTH];
	struct bytes bundle = {0};

	(void)state;
	entries_add(&bundle, "abc", 3);
	entries_add(&bundle, "", 0);
	entries_add(&bundle, large, sizeof large);
	assert_int_equal(bundle.len, 5 + 2 + 2 + ENTRY_BYTES_MAX);
	assert_memory_equal(bundle.data, "\0\3abc\0\0\xFF\xFF", 9);
	assert_true(entries_split(bundle.data, bundle.len, 3, entries));
	assert_int_equal(entries[0].len, 3);
	assert_memory_equal(entries[0].data, "abc", 3);
	assert_int_equal(entries[1].len, 0);
	assert_int_equal(entries[2].len, ENTRY_BYTES_MAX);
	assert_false(entries_split(bundle.data, bundle.len, 2, entries));
	assert_false(entries_split(bundle.data, bundle.len, 4, entries));
	for (size_t len = 0; len < 9; len++)
		assert_false(entries_split(bundle.data, len, 3, entries));
	assert_false(entries_split(bundle.data, bundle.len - 1, 3, entries));
	assert_true(entries_split("", 0, 0, entries));
	bytes_free(&bundle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_those_of_the_specification),
		cmocka_unit_test(other_paths_are_no_tiles),
		cmocka_unit_test(widths_are_those_of_the_specification),
		cmocka_unit_test(bundles_hold_their_entries_and_nothing_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
