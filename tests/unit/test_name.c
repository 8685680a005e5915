/* R-NAM-001 to 005: what a name may hold. */
#include "unit.h"

#include <string.h>

#include "base/name.h"

static void takes_names(void **state)
{
	static const char *const names[] = {"", "GLM-5.2", "Claude Opus 4.8", "ptxseal's own candidates", "@cf/meta/llama-3.1-8b", "<b>bold</b> & {\\x} $_^~#%|`*[]",
	                                    "caf\xC3\xA9", "cafe\xCC\x81", "\xE6\xA8\xA1\xE5\x9E\x8B", "\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D", "a = b + c - d", "7B", "a\xCC\x81\xCC\x81\xCC\x81\xCC\x81", "\xF0\x9F\x98\x80"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct error err = {0};

		if (name_check(names[i], "model", "run.json", &err) != OK)
			fail_msg("%s: %s", names[i], err.what);
	}
}

static void refuses_what_deceives(void **state)
{
	static const struct {
		const char *name;
		enum rule rule;
		const char *what;
	} bad[] = {
		{"a\x1B[31mb", R_NAME_CONTROL, "U+001B stands at byte 1"},
		{"a\nb", R_NAME_CONTROL, "U+000A stands at byte 1"},
		{"a\tb", R_NAME_CONTROL, "U+0009 stands at byte 1"},
		{"a\x7F", R_NAME_CONTROL, "U+007F stands at byte 1"},
		{"a\xC2\x9B", R_NAME_CONTROL, "U+009B stands at byte 1"},
		{"a\xFF", R_NAME_CONTROL, "byte 1 is not UTF-8"},
		{"a\xE2\x80\xAE" "b", R_NAME_HIDDEN, "U+202E stands at byte 1"},
		{"a\xE2\x81\xA6" "b", R_NAME_HIDDEN, "U+2066 stands at byte 1"},
		{"a\xE2\x80\x8E", R_NAME_HIDDEN, "U+200E stands at byte 1"},
		{"a\xE2\x80\x8F", R_NAME_HIDDEN, "U+200F stands at byte 1"},
		{"a\xD8\x9C", R_NAME_HIDDEN, "U+061C stands at byte 1"},
		{"GLM\xE2\x80\x8B-5", R_NAME_HIDDEN, "U+200B stands at byte 3"},
		{"\xEF\xBB\xBFGLM", R_NAME_HIDDEN, "U+FEFF stands at byte 0"},
		{"a\xC2\xAD" "b", R_NAME_HIDDEN, "U+00AD stands at byte 1"},
		{"\xF3\xA0\x81\x81", R_NAME_HIDDEN, "U+E0041 stands at byte 0"},
		{" a", R_NAME_SPACE, "U+0020 stands at byte 0"},
		{"a ", R_NAME_SPACE, "U+0020 stands at byte 1"},
		{"a  b", R_NAME_SPACE, "U+0020 stands at byte 2"},
		{"a\xC2\xA0" "b", R_NAME_SPACE, "U+00A0 stands at byte 1"},
		{"a\xE3\x80\x80" "b", R_NAME_SPACE, "U+3000 stands at byte 1"},
		{"\xCC\x81" "a", R_NAME_START, "U+0301 stands at byte 0"},
		{"=1+1", R_NAME_START, "U+003D stands at byte 0"},
		{"+1", R_NAME_START, "U+002B stands at byte 0"},
		{"-1", R_NAME_START, "U+002D stands at byte 0"},
		{"a\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81", R_NAME_MARKS, "U+0301 stands at byte 9"},
		{"@SUM(1)", R_NAME_START, "U+0040 stands at byte 0"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct bytes what = {0};
		enum rule rule = RULE_COUNT;

		if (!name_breaks(bad[i].name, &rule, &what) || rule != bad[i].rule)
			fail_msg("case %zu", i);
		assert_string_equal(what.data, bad[i].what);
		bytes_free(&what);
	}
}

static void names_field_and_text(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(name_check("a\xE2\x80\xAE" "b", "model", "run.json", &err), MALFORMED);
	assert_string_equal(err.what, "field 'model' is 'a\\u{202E}b': U+202E stands at byte 1");
	assert_string_equal(err.file, "run.json");
}

/* Names that a reader takes for one fold to one, others stay apart. */
static void folds(void **state)
{
	static const struct {
		const char *name, *folded;
	} names[] = {
		{"", ""},
		{"GLM-5.2", "glm-5.2"},
		{"glm\xE2\x80\x91" "5.2", "glm-5.2"},     /* U+2011 */
		{"GLM\xE2\x88\x92" "5.2", "glm-5.2"},     /* U+2212 */
		{"Glm\xEF\xBC\x8D" "5.2", "glm-5.2"},     /* U+FF0D */
		{"\xE2\x80\x90\xE2\x80\x95\xF0\x90\xBA\xAD\xCB\x97", "----"}, /* U+2010, 2015, 10EAD, 02D7 */
		{"\xE2\x80\x8F\xE2\x80\x96", "\xE2\x80\x8F\xE2\x80\x96"}, /* U+200F, 2016: on either side of them */
		{"GLM 5.2", "glm 5.2"},
		{"GLM_5.2", "glm_5.2"},
		{"\xC3\x89[@Z{`a", "\xC3\x89[@z{`a"}, /* of letters, ASCII's alone */
		{"A\xFF" "B\xE2\x80", "a\xFF" "b\xE2\x80"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct bytes out = {0};

		name_fold(names[i].name, &out);
		assert_string_equal(out.data != NULL ? out.data : "", names[i].folded);
		bytes_free(&out);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_names),
		cmocka_unit_test(refuses_what_deceives),
		cmocka_unit_test(names_field_and_text), cmocka_unit_test(folds)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
