/* R-TRN-001 to 003: the manifest of a repair set is taken as `export repairs` writes it and not otherwise; a run keeps the one that it named. */
#include "unit.h"

#include <string.h>

#include "scratch.h"

#include "bundle/training_set.h"

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD "{\"bytes\":9,\"failed_without_fix\":1,\"fixes\":5,\"held_out\":[\"c\"],\"left_out\":{\"task held out\":2},\"pairs\":3,\"program\":\"p\",\"schema\":\"ptxseal-repairs/1\",\"sha256\":\"" HEX "\","
#define GOOD HEAD "\"tasks\":{\"a\":1,\"b\":2}}\n"

static void read(void **state)
{
	struct training_set set;

	(void)state;
	assert_int_equal(training_set_parse(GOOD, strlen(GOOD), "f", &set, NULL), OK);
	assert_string_equal(set.sha256, HEX);
	assert_int_equal(set.pairs, 3);
	assert_int_equal(set.count, 2);
	assert_int_equal(training_set_pairs(&set, "b"), 2);
	assert_int_equal(training_set_pairs(&set, "c"), 0);
	training_set_free(&set);
}

static void refused(void **state)
{
	static const char *const texts[] = {
		"", "{}\n", "[]\n", HEAD "\"tasks\":{\"a\":1,\"b\":2}}", /* no newline */
		HEAD "\"tasks\":{\"a\":1,\"b\":1}}\n",                  /* pairs do not add up */
		HEAD "\"tasks\":{\"a\":1,\"c\":2}}\n",                  /* held out, and there */
		HEAD "\"tasks\":{\"a\":3,\"b\":0}}\n", HEAD "\"tasks\":{\"../a\":1,\"b\":2}}\n", HEAD "\"tasks\":{\"a\":1.5,\"b\":1.5}}\n", HEAD "\"tasks\":[]}\n",
		HEAD "\"tasks\":{\"a\":1,\"b\":2},\"z\":0}\n", HEAD "\"tasks\": {\"a\":1,\"b\":2}}\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct training_set set;
		struct error err = {0};

		if (training_set_parse(texts[i], strlen(texts[i]), "f", &set, &err) == OK)
			fail_msg("taken: %s", texts[i]);
		assert_int_equal(err.status, MALFORMED);
	}
}

/* COUNT tasks of one pair, in order, and as many held out, the first of which is HELD-OUT. */
static void manifest_of(struct bytes *text, unsigned count, unsigned held_out, const char *first)
{
	bytes_text(text, "{\"bytes\":9,\"failed_without_fix\":1,\"fixes\":");
	bytes_format(text, "%u,\"held_out\":[", count);
	for (unsigned i = 0; i < held_out; i++) {
		if (i > 0)
			bytes_format(text, ",\"h%06u\"", i);
		else
			bytes_format(text, "\"%s\"", first);
	}
	bytes_format(text, "],\"left_out\":{},\"pairs\":%u,\"program\":\"p\",\"schema\":\"ptxseal-repairs/1\",\"sha256\":\"" HEX "\",\"tasks\":{", count);
	for (unsigned i = 0; i < count; i++)
		bytes_format(text, "%s\"t%06u\":1", i > 0 ? "," : "", i);
	bytes_text(text, "}}\n");
}

/* As many names as a manifest may have are found by search; one more, of whichever of the two, is refused before any is compared: 120,000 in the twinkling of an eye. */
static void many(void **state)
{
	static const struct {
		unsigned tasks, held_out;
		const char *first;
		enum rule rule; /* R_TRN_OTHER: taken */
	} sets[] = {
		{2048, 2048, "h", R_TRN_OTHER}, {2048, 2048, "t000000", R_TRN_FORM}, {2048, 2048, "t002047", R_TRN_FORM}, {2048, 2049, "h", R_TRN_MANY}, {4096, 0, "", R_TRN_OTHER},
		{4097, 0, "", R_TRN_MANY},      {1, 4096, "h", R_TRN_MANY},          {40000, 80000, "h", R_TRN_MANY},
	};

	(void)state;
	for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
		struct bytes text = {0};
		struct training_set set;
		struct error err = {0};

		manifest_of(&text, sets[i].tasks, sets[i].held_out, sets[i].first);
		if (sets[i].rule == R_TRN_OTHER) {
			assert_int_equal(training_set_parse(text.data, text.len, "f", &set, &err), OK);
			assert_int_equal(set.count, sets[i].tasks);
			assert_int_equal(training_set_pairs(&set, "t000000"), 1);
			assert_int_equal(training_set_pairs(&set, "t002047"), 1);
			assert_int_equal(training_set_pairs(&set, "h"), 0);
		} else {
			assert_int_equal(training_set_parse(text.data, text.len, "f", &set, &err), MALFORMED);
			assert_int_equal(err.rule, sets[i].rule);
		}
		training_set_free(&set);
		bytes_free(&text);
	}
}

static void kept(void **state)
{
	char *name = scratch_make();
	struct root root = {.fd = -1};
	struct bytes text = {0}, other = {0}, none = {0};
	struct training_set set;
	struct error err = {0};
	bool found;

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	bytes_text(&text, GOOD);
	bytes_text(&other, HEAD "\"tasks\":{\"a\":2,\"b\":1}}\n");
	assert_int_equal(training_set_of_run(&root, "r", &set, &found, &err), OK);
	assert_false(found);
	assert_int_equal(training_set_keep(&root, "r", &text, &err), OK);
	assert_int_equal(training_set_keep(&root, "r", &text, &err), OK);
	assert_int_equal(training_set_keep(&root, "r", &none, &err), OK);
	assert_int_equal(training_set_keep(&root, "r", &other, &err), USAGE);
	assert_int_equal(err.rule, R_TRN_OTHER);
	assert_int_equal(training_set_of_run(&root, "r", &set, &found, &err), OK);
	assert_true(found);
	assert_int_equal(training_set_pairs(&set, "b"), 2);
	training_set_free(&set);
	bytes_free(&text);
	bytes_free(&other);
	root_close(&root);
	scratch_remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(read), cmocka_unit_test(refused), cmocka_unit_test(many), cmocka_unit_test(kept)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
