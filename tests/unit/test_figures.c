/* R-IMP-012: the file of figures, and the expected cells made of it. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/figures.h"

static const char good[] =
	"{\"source\":\"S\",\"figure1_best_speedup\":{\"models\":[\"M1\",\"M2\"],\"null_means\":\"none\","
	"\"hopper\":{\"any\":{\"t\":[0.28,null]},\"target\":{\"t\":[0.1,null]}}},"
	"\"figure2_sft_s1_hopper\":{\"columns\":[\"percent_of_turns_correct\",\"best_speedup\"],\"t\":[19.8,0.2]}}";

static void cells_keep_the_decimals_of_their_figure(void **state)
{
	(void)state;
	struct figures figures;
	struct error err = {0};

	assert_int_equal(figures_parse(good, strlen(good), "f.json", &figures, &err), OK);
	assert_string_equal(figures.source, "S");
	assert_string_equal(figures.figure1.data,
	                    "{\"cells\":{\"any\":\"0.280\",\"target\":\"0.100\"},\"row\":\"hopper/t/M1\"}\n"
	                    "{\"cells\":{\"any\":null,\"target\":null},\"row\":\"hopper/t/M2\"}\n");
	assert_string_equal(figures.figure2.data,
	                    "{\"cells\":{\"best_speedup\":\"0.20\",\"percent_correct\":\"19.8\"},\"row\":\"t\"}\n");
	figures_free(&figures);
}

static void expect_refused(enum rule rule, const char *old, const char *new)
{
	const char *at = strstr(good, old);
	struct figures figures;
	struct error err = {0};

	assert_non_null(at);
	char *text = mem_format("%.*s%s%s", (int)(at - good), good, new, at + strlen(old));

	assert_int_equal(figures_parse(text, strlen(text), "f.json", &figures, &err), MALFORMED);
	assert_string_equal(rule_info(err.rule)->id, rule_info(rule)->id);
	assert_string_equal(err.file, "f.json");
	assert_null(figures.source);
	free(text);
}

static void R_IMP_012_refuses_another_form(void **state)
{
	(void)state;
	expect_refused(R_IMP_FIGURES, "0.28", "0.2801");
	expect_refused(R_IMP_FIGURES, "19.8", "19.81");
	expect_refused(R_IMP_FIGURES, "19.8", "\"19.8\"");
	expect_refused(R_IMP_FIGURES, "0.28", "-0.28");
	expect_refused(R_IMP_FIGURES, "0.28", "1e9");
	expect_refused(R_IMP_FIGURES, "0.28,null", "0.28");
	expect_refused(R_IMP_FIGURES, "[0.1,null]", "{}");
	expect_refused(R_IMP_FIGURES, "\"target\":{\"t\"", "\"target\":{\"u\"");
	expect_refused(R_IMP_FIGURES, "\"target\":{", "\"target\":{\"u\":[0,0],");
	expect_refused(R_IMP_FIGURES, "\"M1\"", "1");
	expect_refused(R_IMP_FIGURES, "\"hopper\":{", "\"hopper\":1,\"b\":{");
	expect_refused(R_IMP_FIGURES, "\"percent_of_turns_correct\"", "\"percent\"");
	expect_refused(R_IMP_FIGURES, good, "[]");
	expect_refused(R_JSON_FIELD, "\"source\":\"S\",", "");
	expect_refused(R_JSON_FIELD, "\"source\":", "\"extra\":1,\"source\":");
	expect_refused(R_JSON_FIELD, "\"any\":", "\"some\":");
	expect_refused(R_JSON_SYNTAX, "}}", "}");
	expect_refused(R_JSON_DUPLICATE, "\"source\":", "\"source\":\"T\",\"source\":");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cells_keep_the_decimals_of_their_figure),
		cmocka_unit_test(R_IMP_012_refuses_another_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
