/* The text forms of bags, RFC 8493 section 2, with literal expected values. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "archive/bagtext.h"

static bool declared(const char *text, struct bag_version *version, const char **encoding, bool *known)
{
	return bag_declaration(text, strlen(text), version, encoding, known);
}

/* R-BAG-001: two lines, exactly. */
static void test_declaration(void **state)
{
	static const char *const bad[] = {"", "BagIt-Version: 1.0\n", "BagIt-Version : 1.0\nTag-File-Character-Encoding : UTF-8\n",
	                                  "BagIt-Version: 1.0 \nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version:1.0\nTag-File-Character-Encoding: UTF-8\n",
	                                  "\xEF\xBB\xBF" "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version: .97\nTag-File-Character-Encoding: UTF-8\n",
	                                  "BagIt-Version: 1.\nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version: 01.0\nTag-File-Character-Encoding: UTF-8\n",
	                                  "BagIt-Version: 1.0\n\nTag-File-Character-Encoding: UTF-8\n", "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n\n",
	                                  "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8 \n", "BagIt-Version: 1.0\nTag-File-Character-Encoding: \n",
	                                  "Tag-File-Character-Encoding: UTF-8\nBagIt-Version: 1.0\n"};
	struct bag_version version;
	const char *encoding;
	bool known;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(declared(bad[i], &version, &encoding, &known));
	assert_true(declared("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n", &version, &encoding, &known));
	assert_true(version.major == 1 && version.minor == 0 && known && bag_is_rfc(version));
	assert_string_equal(encoding, "UTF-8");
	assert_true(declared("BagIt-Version: 0.97\r\nTag-File-Character-Encoding: utf-16", &version, &encoding, &known));
	assert_true(version.major == 0 && version.minor == 97 && known && !bag_is_rfc(version));
	assert_string_equal(encoding, "UTF-16");
	assert_true(declared("BagIt-Version: 0.97\rTag-File-Character-Encoding: ISO-2022-CN-EXT\r", &version, &encoding, &known));
	assert_false(known);
}

static void decodes(const char *encoding, const char *text, size_t len, const char *expected)
{
	struct bytes out = {0};
	bool good = bag_decode(encoding, text, len, &out);

	assert_true(good == (expected != NULL));
	if (expected != NULL)
		assert_string_equal(out.data, expected);
	bytes_free(&out);
}

/* R-BAG-003 */
static void test_decode(void **state)
{
	(void)state;
	decodes("UTF-8", "\xC3\xA9", 2, "\xC3\xA9");
	decodes("UTF-8", "\xEF\xBB\xBFx", 4, "x");
	decodes("UTF-8", "\xE9", 1, NULL);
	decodes("ISO-8859-1", "\xE9", 1, "\xC3\xA9");
	decodes("UTF-16", "\xFE\xFF\0a\0\xE9", 6, "a\xC3\xA9");
	decodes("UTF-16LE", "a\0\xE9\0", 4, "a\xC3\xA9");
	decodes("UTF-16LE", "a\0\xE9", 3, NULL);
	decodes("US-ASCII", "\xE9", 1, NULL);
	decodes("UTF-8", "", 0, "");
}

/* R-BAG-005 */
static void test_line(void **state)
{
	static const char sum[] = "00112233445566778899aabbCCDDEEff";
	struct bag_line line;
	char *text = mem_format("%s  data/a b ", sum);

	(void)state;
	assert_true(bag_read_line(text, strlen(text), 16, &line));
	assert_true(line.path_len == strlen("data/a b ") && memcmp(line.path, "data/a b ", line.path_len) == 0 && !line.starred);
	assert_true(line.sum[0] == 0x00 && line.sum[1] == 0x11 && line.sum[12] == 0xcc && line.sum[15] == 0xff);
	assert_false(bag_read_line(text, strlen(text), 20, &line));
	assert_false(bag_read_line(text, 32, 16, &line));
	assert_false(bag_read_line(text, 34, 16, &line)); /* no path */
	free(text);
	text = mem_format("%s\t*data/x", sum);
	assert_true(bag_read_line(text, strlen(text), 16, &line) && line.starred && line.path_len == 6);
	free(text);
	text = mem_format("%sdata/x", sum);
	assert_false(bag_read_line(text, strlen(text), 16, &line));
	free(text);
	text = mem_format("g%s  data/x", sum + 1);
	assert_false(bag_read_line(text, strlen(text), 16, &line));
	free(text);
}

static void path(const char *written, bool rfc, const char *meant, bool good)
{
	struct bytes out = {0};

	assert_true(bag_decode_path(written, strlen(written), rfc, &out) == good);
	assert_string_equal(out.data, meant);
	bytes_free(&out);
}

/* CR, LF and % alone are encoded: a file called 'file%0A1.ptx' is listed as 'file%250A1.ptx'. */
static void test_path(void **state)
{
	struct sha256 hash = sha256_of("", 0);
	struct bytes out = {0};

	(void)state;
	path("data/file%250A1.ptx", true, "data/file%0A1.ptx", true);
	path("data/file%0A1.ptx", true, "data/file\n1.ptx", true);
	path("data/Icon%0d", true, "data/Icon\r", true);
	path("data/%41%7E%", true, "data/%41%7E%", false);
	path("data/%", true, "data/%", false);
	path("data/%25%0A", false, "data/%25\n", true);
	path("data/%7E", false, "data/%7E", true);
	path("./data/x", true, "data/x", true);
	path("././data/x", true, "./data/x", true);
	bag_write_line("data/a%b\rc\nd \\", &hash, &out);
	assert_string_equal(out.data, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  data/a%25b%0Dc%0Ad \\\n");
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_declaration),
		cmocka_unit_test(test_decode),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
