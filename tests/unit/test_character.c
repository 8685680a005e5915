/* Hidden characters and columns: the tables against literal code points, and their sizes as counted from the Unicode Character Database 14.0. */
#include "unit.h"

#include <string.h>

#include "base/character.h"

static void hides_what_shows_nothing_or_reorders(void **state)
{
	static const uint32_t hidden[] = {0x00,   0x0A,   0x1B,   0x7F,   0x9B,   0xAD,   0x34F,  0x61C,   0x115F,  0x180E,  0x200B,  0x200D,  0x200E, 0x200F, 0x2028,
	                                  0x202A, 0x202E, 0x2060, 0x2064, 0x2066, 0x2069, 0x206F, 0x2800, 0x3164,  0xFE0F,  0xFEFF,  0xFFA0,  0xFFF9, 0xFFFF, 0x1D173,
	                                  0xE0001, 0xE007F, 0xE0100, 0x10FFFF};
	static const uint32_t shown[] = {0x20, 'a', '<', 0xA0, 0xE9, 0x300, 0x600, 0x6DD, 0x627, 0x2010, 0x2027, 0x202F, 0x2070, 0x3000, 0xFFFD, 0x1F600, 0xE000};

	(void)state;
	for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
		if (!character_hidden(hidden[i]))
			fail_msg("U+%04X shows nothing", (unsigned)hidden[i]);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		if (character_hidden(shown[i]))
			fail_msg("U+%04X shows", (unsigned)shown[i]);
}

static void knows_columns(void **state)
{
	static const struct {
		uint32_t point;
		unsigned width;
	} known[] = {{'a', 1},    {0xE9, 1},   {0x300, 0},  {0x36F, 0},  {0x370, 1},    {0x5D0, 1},    {0x1161, 0}, {0x1100, 2},  {0x231A, 2}, {0x2500, 1},
	             {0x3000, 2}, {0x303F, 1}, {0x3042, 2}, {0x3099, 0}, {0x4E00, 2},   {0x9FFF, 2},   {0xAC00, 2},     {0xD7A3, 2},  {0xFF01, 2}, {0xFF61, 1},
	             {0xFF76, 1}, {0x20D0, 0}, {0x2026, 1}, {0x2603, 1}, {0x1F600, 2},  {0x1F1E6, 1},  {0x20000, 2},    {0x3FFFD, 2}, {0x40000, 1}, {0x10FFFD, 1}};
	size_t zero = 0, wide = 0, hidden = 0;

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (character_width(known[i].point) != known[i].width)
			fail_msg("U+%04X takes %u, not %u", (unsigned)known[i].point, known[i].width, character_width(known[i].point));
	for (uint32_t point = 0; point <= 0x10FFFF; point++) {
		hidden += character_hidden(point) && (point < 0xD800 || point > 0xDFFF);
		zero += character_width(point) == 0;
		wide += character_width(point) == 2;
	}
	assert_int_equal(hidden, 4320);
	assert_int_equal(zero, 2001);
	assert_int_equal(wide, 182699);
}

static void adds_columns(void **state)
{
	static const struct {
		const char *text;
		size_t width;
	} texts[] = {{"", 0}, {"plain", 5}, {"caf\xC3\xA9", 4}, {"cafe\xCC\x81", 4}, {"\xE6\xA8\xA1\xE5\x9E\x8B", 4}, {"\xF0\x9F\x98\x80x", 3}, {"a\xFF""b", 3}};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		assert_int_equal(text_width(texts[i].text, strlen(texts[i].text)), texts[i].width);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hides_what_shows_nothing_or_reorders),
		cmocka_unit_test(knows_columns),
		cmocka_unit_test(adds_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
