/* The entry that the log has of a submission (submission/leaf.h), and the list of admitted ones that is made of them (submission/roll.h). */
#include "unit.h"

#include "scratch.h"

#include "submission/leaf.h"
#include "submission/roll.h"

#define A16 "aaaaaaaaaaaaaaaa"
#define A64 A16 A16 A16 A16
#define B64 "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static const char text[] = "{\"admitted\":\"2026-11-30\",\"checksums_sha256\":\"" A64 "\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"source\":\"lab\"}";

static void an_entry_is_canonical_json_of_five_members(void **state)
{
	struct leaf leaf = {.admitted = (char *)"2026-11-30", .sums = A64, .id = (char *)A16, .key = B64, .source = (char *)"lab"};
	struct bytes out = {0};

	(void)state;
	leaf_write(&leaf, &out);
	bytes_char(&out, '\0');
	assert_string_equal(out.data, text);
	bytes_free(&out);
}

static void what_was_written_is_read(void **state)
{
	struct leaf leaf;
	struct error err;

	(void)state;
	assert_int_equal(leaf_parse(text, strlen(text), "f", &leaf, &err), OK);
	assert_string_equal(leaf.admitted, "2026-11-30");
	assert_string_equal(leaf.sums, A64);
	assert_string_equal(leaf.id, A16);
	assert_string_equal(leaf.key, B64);
	assert_string_equal(leaf.source, "lab");
	leaf_free(&leaf);
	assert_null(leaf.id);
}

static void another_form_is_no_entry(void **state)
{
	static const char *const others[] = {
		"{\"admitted\":\"2026-02-29\",\"checksums_sha256\":\"" A64 "\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"source\":\"lab\"}",
		"{\"admitted\":\"2026-11-30\",\"checksums_sha256\":\"" A64 "0\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"source\":\"lab\"}",
		"{\"admitted\":\"2026-11-30\",\"checksums_sha256\":\"" A64 "\",\"id\":\"" A16 "\",\"key\":\"B\",\"source\":\"lab\"}",
		"{\"admitted\":\"2026-11-30\",\"checksums_sha256\":\"" A64 "\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"source\":\"lab\"}\n",
		"{\"admitted\":\"2026-11-30\",\"checksums_sha256\":\"" A64 "\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"more\":1,\"source\":\"lab\"}",
		"{\"checksums_sha256\":\"" A64 "\",\"admitted\":\"2026-11-30\",\"id\":\"" A16 "\",\"key\":\"" B64 "\",\"source\":\"lab\"}",
	};

	(void)state;
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		struct leaf leaf;
		struct error err;

		assert_int_not_equal(leaf_parse(others[i], strlen(others[i]), "f", &leaf, &err), OK);
		assert_int_equal(err.rule, R_ADM_LEAF);
		assert_null(leaf.id);
	}
}

static void a_roll_has_a_line_for_the_log_and_one_for_each_submission(void **state)
{
	char *directory = scratch_make();
	struct bytes out = {0};
	struct root root;

	(void)state;
	assert_int_equal(root_open(directory, &root, NULL), OK);
	roll_text(&root, "  ", &out);
	assert_int_equal(out.len, 0);
	assert_int_equal(root_write(&root, "manifests/log/checkpoint", "example.org/a\n7\nAAAA\n\n", 22, NULL), OK);
	assert_int_equal(root_write(&root, "manifests/submissions/" A16 "/entry.json", text, strlen(text), NULL), OK);
	assert_int_equal(root_write(&root, "manifests/submissions/bbbb/entry.json", "{}", 2, NULL), OK);
	roll_text(&root, "  ", &out);
	bytes_char(&out, '\0');
	assert_string_equal(out.data, "  Submission log example.org/a, entries: 7\n"
	                              "  Admitted on 2026-11-30: submission " A16 ", source lab, sealed by submitter's key " B64 "\n");
	bytes_free(&out);
	root_close(&root);
	scratch_remove(directory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_is_canonical_json_of_five_members),
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(another_form_is_no_entry),
		cmocka_unit_test(a_roll_has_a_line_for_the_log_and_one_for_each_submission),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
