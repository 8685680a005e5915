/* Members of a record as a page shows them: short for people, exact in <data>, and never more than text. */
#include "unit.h"

#include "base/json.h"
#include "report/show.h"

static void shown(void (*show)(struct bytes *, const cJSON *), const char *json, const char *want)
{
	struct bytes out = {0};
	cJSON *item = cJSON_Parse(json);

	show(&out, item);
	assert_string_equal(out.data, want);
	bytes_free(&out);
	cJSON_Delete(item);
}

static void numbers(void **state)
{
	(void)state;
	shown(show_decimal_4, "\"0.965260765\"", "<data value=\"0.965260765\">0.9653</data>");
	shown(show_decimal_3, "0.00166268182", "<data value=\"0.00166268182\">0.00166</data>");
	shown(show_count, "601295421440", "<data value=\"601295421440\">601,295,421,440</data>");
	shown(show_count, "999", "<data value=\"999\">999</data>");
	shown(show_count, "1000", "<data value=\"1000\">1,000</data>");
	shown(show_count, "-1234567", "<data value=\"-1234567\">-1,234,567</data>");
	shown(show_count, "0.5", "<data value=\"0.5\">0.5</data>");
	shown(show_count, "\"infinite\"", "<span class=unknown>not known</span>");
	shown(show_count, "null", "<span class=unknown>not known</span>");
	shown(show_decimal_4, "[1]", "<span class=unknown>not known</span>");
}

static void units(void **state)
{
	(void)state;
	shown(show_time, "757504", "<data value=\"757504\">757.5 µs</data>");
	shown(show_time, "\"8985500.5\"", "<data value=\"8985500.5\">8.9855 ms</data>");
	shown(show_time, "-147", "<data value=\"-147\">-147 ns</data>");
	shown(show_frequency, "1597060699", "<data value=\"1597060699\">1.597 GHz</data>");
	shown(show_bytes, "4697620480", "<data value=\"4697620480\">4.375 GiB</data>");
	shown(show_bytes, "1023", "<data value=\"1023\">1023 B</data>");
}

static void share(struct bytes *out, const cJSON *item)
{
	show_share(out, item, 3);
}

/* 100 % is what is all of it, not what is nearly so. */
static void shares(void **state)
{
	(void)state;
	shown(share, "\"1\"", "<data value=\"1\">100 %</data>");
	shown(share, "\"0.999999\"", "<data value=\"0.999999\">&lt; 100 %</data>");
	shown(share, "\"1.0000001\"", "<data value=\"1.0000001\">&gt; 100 %</data>");
	shown(share, "\"2.72478376e-08\"", "<data value=\"2.72478376e-08\">2.72e-06 %</data>");
	shown(share, "\"1.4\"", "<data value=\"1.4\">140 %</data>");
	shown(share, "0", "<data value=\"0\">0 %</data>");
	shown(share, "null", "<span class=unknown>not known</span>");
}

static void texts(void **state)
{
	(void)state;
	shown(show_text, "\"<b>\\u202e\"", "&lt;b&gt;<span class=odd>U+202E</span>");
	shown(show_text, "\"\"", "<span class=unknown>nothing</span>");
	shown(show_text, "1", "<span class=unknown>not known</span>");
	shown(show_truth, "true", "<data value=\"true\">yes</data>");
	shown(show_truth, "\"true\"", "<span class=unknown>not known</span>");
	shown(show_any, "{\"b\":[1,\"<\"],\"a\":null}", "{\"a\":null,\"b\":[1,\"&lt;\"]}");
	shown(show_hashed, "\"ab\"", "<code class=hash>ab</code>");
}

/* A verdict that is not known as a good one is a bad one. */
static void verdicts(void **state)
{
	struct bytes out = {0};

	(void)state;
	show_verdict(&out, "pass");
	show_verdict(&out, "unknown");
	show_verdict(&out, "<x>");
	assert_string_equal(out.data, "<span class=\"verdict good\"><span aria-hidden=true>✓</span> pass</span><span class=\"verdict open\"><span aria-hidden=true>?</span> unknown</span>"
	                              "<span class=\"verdict bad\"><span aria-hidden=true>✗</span> &lt;x&gt;</span>");
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers), cmocka_unit_test(units), cmocka_unit_test(shares), cmocka_unit_test(texts), cmocka_unit_test(verdicts)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
