/* SHA256SUMS: what is written is what sha256sum writes, and each way to break a line is refused by its rule. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bundle/checksums.h"

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define NOTHING "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* The faults of one text: "R-SUM-001@2 R-SUM-005@3 ". */
struct told {
	char text[256];
};

static void on_fault(void *context, const struct error *err)
{
	struct told *told = context;
	size_t used = strlen(told->text);

	assert_string_equal(err->file, "SUMS");
	snprintf(told->text + used, sizeof told->text - used, "%s@%llu ", rule_info(err->rule)->id,
	         (unsigned long long)err->line);
}

static void expect_n(const char *text, size_t len, const char *faults, size_t count)
{
	struct checksums sums;
	struct told told = {""};
	enum status status = checksums_parse(text, len, "SUMS", &sums, on_fault, &told);

	assert_string_equal(told.text, faults);
	assert_int_equal(status, faults[0] == '\0' ? OK : MALFORMED);
	assert_int_equal(sums.count, count);
	checksums_free(&sums);
	/* A reader who does not want to hear of faults gets the same lines. */
	assert_int_equal(checksums_parse(text, len, "SUMS", &sums, NULL, NULL), status);
	assert_int_equal(sums.count, count);
	checksums_free(&sums);
}

static void expect(const char *text, const char *faults, size_t count)
{
	expect_n(text, strlen(text), faults, count);
}

static void well_formed_lines_are_read(void **state)
{
	(void)state;
	struct checksums sums;
	struct told told = {""};
	const char *text = ABC "  a\n\\" NOTHING "  b\\\\c\\nd\\re\n" ABC "  has space \n";

	assert_int_equal(checksums_parse(text, strlen(text), "SUMS", &sums, on_fault, &told), OK);
	assert_int_equal(sums.count, 3);
	assert_string_equal(sums.at[0].path, "a");
	assert_string_equal(sums.at[1].path, "b\\c\nd\re");
	assert_string_equal(sums.at[2].path, "has space ");
	char hex[SHA256_HEX + 1];

	sha256_hex(&checksums_find(&sums, "b\\c\nd\re")->hash, hex);
	assert_string_equal(hex, NOTHING);
	assert_null(checksums_find(&sums, "b"));
	checksums_free(&sums);
}

static void a_hash_is_64_lowercase_hex_digits(void **state)
{
	(void)state;
	expect("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD  a\n", "R-SUM-001@1 ", 0);
	expect("ba7816bf  a\n" ABC "  b\n", "R-SUM-001@1 ", 1);
	expect("\n", "R-SUM-001@1 ", 0);
	expect("\\\n", "R-SUM-001@1 ", 0);
	expect("SHA256 (a) = " ABC "\n", "R-SUM-001@1 ", 0);
}

/* A checksum file that names no file. */
static void a_hash_without_a_name_is_refused(void **state)
{
	(void)state;
	expect(ABC "\n", "R-SUM-002@1 ", 0);
	expect(ABC " \n", "R-SUM-002@1 ", 0);
	expect(ABC "  \n", "R-SUM-002@1 ", 0);
}

static void only_text_mode_is_read(void **state)
{
	(void)state;
	expect(ABC " *a\n", "R-SUM-003@1 ", 0);
	expect(ABC "\ta\n", "R-SUM-003@1 ", 0);
	expect(ABC "0  a\n", "R-SUM-003@1 ", 0);
}

static void escapes_are_the_canonical_ones(void **state)
{
	(void)state;
	expect("\\" ABC "  a\n", "R-SUM-004@1 ", 0);    /* nothing to escape */
	expect(ABC "  a\\\\b\n", "R-SUM-004@1 ", 0);    /* no mark at the start */
	expect("\\" ABC "  a\\tb\n", "R-SUM-004@1 ", 0); /* no such escape */
	expect("\\" ABC "  a\\\n", "R-SUM-004@1 ", 0);   /* cut short */
	expect(ABC "  a\rb\n", "R-SUM-004@1 ", 0);
}

/* One finding, not one a line, and the lines still count: else every file would be extra too. */
static void crlf_is_told_once(void **state)
{
	(void)state;
	expect(ABC "  a\r\n" ABC "  b\r\n", "R-SUM-005@1 ", 2);
}

static void a_cut_last_line_is_told(void **state)
{
	(void)state;
	expect(ABC "  a\n" ABC "  b", "R-SUM-005@2 ", 2);
	expect(ABC "  a\n" ABC, "R-SUM-002@2 R-SUM-005@2 ", 1);
}

static void order_is_by_bytes_and_nothing_stands_twice(void **state)
{
	(void)state;
	expect(ABC "  B\n" ABC "  a\n" ABC "  \xC3\xA4\n", "", 3);
	expect(ABC "  b\n" ABC "  a\n" ABC "  c\n", "R-SUM-006@2 ", 3);
	expect(ABC "  a\n" NOTHING "  a\n", "R-SUM-007@2 ", 1);
}

static void an_empty_list_is_no_list(void **state)
{
	(void)state;
	expect("", "R-SUM-008@0 ", 0);
}

static void paths_stay_beneath_the_bundle(void **state)
{
	(void)state;
	expect(ABC "  ../../etc/hosts\n", "R-PTH-001@1 ", 0);
	expect(ABC "  /etc/hosts\n", "R-PTH-001@1 ", 0);
	expect(ABC "  ./a\n", "R-PTH-001@1 ", 0);
	expect(ABC "  a//b\n", "R-PTH-001@1 ", 0);
	expect(ABC "  a\xFF\n", "R-PTH-001@1 ", 0);
	expect_n(ABC "  a\0b\n", SHA256_HEX + 6, "R-PTH-001@1 ", 0);
}

/* Backslash, newline and carriage return are the three escapes; space, percent and UTF-8 stay as they are. The judge is
 * the machine's own sha256sum. */
static void lines_are_those_of_sha256sum(void **state)
{
	static const char *const names[] = {"back\\slash", "car\rriage", "new\nline", "\\", "has space.tar", "%0A", "*x",
	                                    "\xC3\xA4"};
	char dir[] = "/tmp/ptxseal-test-checksums-XXXXXX";
	(void)state;

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct sha256 hash = sha256_of("abc", 3);
		struct bytes line = {0};
		char *path = mem_format("%s/%s", dir, names[i]);
		FILE *file = fopen(path, "w");
		char got[256] = "";

		assert_non_null(file);
		fputs("abc", file);
		fclose(file);
		setenv("NAME", names[i], 1);
		char *command = mem_format("cd %s && sha256sum -- \"$NAME\"", dir);
		FILE *judge = popen(command, "r");

		assert_non_null(judge);
		size_t n = fread(got, 1, sizeof got - 1, judge);

		assert_int_equal(pclose(judge), 0);
		checksums_write(names[i], &hash, &line);
		assert_int_equal(line.len, n);
		assert_string_equal(line.data, got);
		expect_n(got, n, "", 1);
		remove(path);
		free(command);
		free(path);
		bytes_free(&line);
	}
	remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(well_formed_lines_are_read),
		cmocka_unit_test(a_hash_is_64_lowercase_hex_digits),
		cmocka_unit_test(a_hash_without_a_name_is_refused),
		cmocka_unit_test(only_text_mode_is_read),
		cmocka_unit_test(escapes_are_the_canonical_ones),
		cmocka_unit_test(crlf_is_told_once),
		cmocka_unit_test(a_cut_last_line_is_told),
		cmocka_unit_test(order_is_by_bytes_and_nothing_stands_twice),
		cmocka_unit_test(an_empty_list_is_no_list),
		cmocka_unit_test(paths_stay_beneath_the_bundle),
		cmocka_unit_test(lines_are_those_of_sha256sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
