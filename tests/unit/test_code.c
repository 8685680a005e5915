/* Machine code beside its counts, of a committed cubin: tests/kernel/wgmma_null.cubin, whose listing is wgmma_null.lst. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "report/code.h"

static struct bytes text;
static struct cubin cubin;

static int setup(void **state)
{
	struct error err;

	(void)state;
	assert_int_equal(file_read("tests/kernel/wgmma_null.cubin", 1 << 20, &text, &err), OK);
	assert_int_equal(cubin_read((const uint8_t *)text.data, text.len, "wgmma_null.cubin", &cubin, &err), OK);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	cubin_free(&cubin);
	bytes_free(&text);
	return 0;
}

static struct bytes page_of(const char *record, size_t max)
{
	struct bytes out = {0};
	cJSON *tree = record != NULL ? cJSON_Parse(record) : NULL;

	code_put(&cubin, tree, max, &out);
	cJSON_Delete(tree);
	return out;
}

static void has(const struct bytes *page, const char *want)
{
	if (strstr(page->data, want) == NULL)
		print_error("%s\n", page->data);
	assert_non_null(strstr(page->data, want));
}

/* The offset of the first HGMMA on the page, which its id tells. */
static unsigned long first_gmma(const struct bytes *page)
{
	const char *at = strstr(page->data, "class=\"m gmma\">");

	assert_non_null(at);
	while (*at != '-')
		at--;
	return strtoul(at + 1, NULL, 16);
}

/* Without a record there are no counts, and the page says that they are not known. */
static void uncounted(void **state)
{
	struct bytes page = page_of(NULL, 100000);

	(void)state;
	has(&page, "What of it ran is not known.");
	has(&page, "<mark>HGMMA");
	has(&page, "  no work: its destination is RZ\n</span>");
	assert_null(strstr(page.data, "lanes on average"));
	bytes_free(&page);
}

/* Executions by warps, and threads with the predicate on as lanes, stand beside the instruction of that offset. */
static void counted(void **state)
{
	struct bytes page = page_of(NULL, 100000), record = {0};
	const unsigned long offset = first_gmma(&page);
	char line[96];

	(void)state;
	bytes_free(&page);
	bytes_format(&record, "{\"evidence\":{\"functions\":[{\"function\":\"%s\",\"executed\":5000,\"state\":\"executed\",\"text\":\"\",\"at\":[[%lu,\"HGMMA\",1234,9872],[7,7],null,\"x\"]}]}}", cubin.at[0].name, offset);
	page = page_of(record.data, 100000);
	has(&page, "Its warps executed <data value=\"5000\">5,000</data> of all kinds (counting: executed).");
	snprintf(line, sizeof line, "<span id=S0-%lx class=\"m gmma\">          1,234     8  %04lx  ", offset, offset);
	has(&page, line);
	snprintf(line, sizeof line, "<a href=\"#S0-%lx\">", offset);
	has(&page, line);
	bytes_free(&page);
	record.len = 0;
	bytes_format(&record, "{\"evidence\":{\"functions\":[{\"function\":\"%s\",\"executed\":0,\"state\":\"failed\",\"text\":\"it is not right\",\"at\":[]}]}}", cubin.at[0].name);
	page = page_of(record.data, 100000);
	has(&page, "What of it ran was not counted (counting: failed, it is not right).");
	assert_null(strstr(page.data, "warps executed"));
	bytes_free(&page);
	bytes_free(&record);
}

static void cut(void **state)
{
	struct bytes page = page_of(NULL, 200);

	(void)state;
	has(&page, "<p class=note>The code goes on; its last ");
	bytes_free(&page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(uncounted), cmocka_unit_test(counted), cmocka_unit_test(cut)};

	return cmocka_run_group_tests(tests, setup, teardown);
}
