/* R-SUB-026: what looks like a key is found at the start of a word, and words, hashes and kernels are none. */
#include "unit.h"

#include <string.h>

#include "submission/keylike.h"

/* Put together here: a text in the repository shall not look like one. */
#define TAIL "Abc123Def456Ghi789Jkl0Mno1Pqr2Stu3Vwx4"

static void found(void **state)
{
	static const struct {
		const char *text, *form;
		size_t at;
	} keys[] = {
		{"sk-" TAIL, "sk-", 0},
		{"key: sk-proj-" TAIL, "sk-", 5},
		{"\"Authorization\": \"Bearer " TAIL "\"", "Bearer ", 18},
		{"(gsk_" TAIL TAIL ")", "gsk_", 1},
		{"x=hf_" TAIL, "hf_", 2},
		{"AKIAIOSF0DNN7EXAMPLE", "AKIA", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
		size_t at = 99;
		const char *form = "";

		assert_true(keylike_find(keys[i].text, strlen(keys[i].text), &at, &form));
		assert_int_equal(at, keys[i].at);
		assert_string_equal(form, keys[i].form);
	}
}

static void none(void **state)
{
	static const char *const texts[] = {
		"", "sk-", "sk-short1234", "a task-" TAIL, "disk-" TAIL, "sk-learn-is-a-library-of-many-words-in-a-row",
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "Bearer of bad news", "Bearer tokens-are-sent-in-the-header-of-each-request",
		"wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16", "[key taken out]",
	};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		size_t at;
		const char *form;

		if (keylike_find(texts[i], strlen(texts[i]), &at, &form))
			fail_msg("'%s' looks like a key", texts[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(found), cmocka_unit_test(none)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
