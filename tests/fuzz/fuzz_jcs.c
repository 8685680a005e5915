/* Any eight bytes as a double: its text reads back to it, and printf has none shorter. Any UTF-8 as a string:
 * it reads back. */
#include "fuzz.h"

#include <math.h>
#include <stdio.h>

#include "base/jcs.h"
#include "base/json.h"
#include "base/utf8.h"

static void number(double value)
{
	char out[JCS_NUMBER_MAX];
	char printed[JCS_NUMBER_MAX];

	REQUIRE(jcs_number(value, out) == (isfinite(value) != 0));
	if (!isfinite(value))
		return;
	REQUIRE(strtod(out, NULL) == value);
	size_t digits = 0;
	size_t zeros = 0; /* at the end, of which an exponent would take the place */

	for (const char *c = out + strspn(out, "-0."); *c != '\0' && *c != 'e'; c++) {
		digits += *c != '.';
		zeros = *c == '0' ? zeros + 1 : 0;
	}
	if (digits - zeros < 2)
		return;
	snprintf(printed, sizeof printed, "%.*e", (int)(digits - zeros) - 2, value);
	REQUIRE(strtod(printed, NULL) != value);
}

static enum status same_text(void *context, const struct json_event *event, struct error *err)
{
	const struct bytes *wanted = context;

	(void)err;
	REQUIRE(event->text_len == wanted->len && memcmp(event->text, wanted->data, wanted->len) == 0);
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes text = {0};
	struct bytes out = {0};
	double value;

	if (size >= sizeof value) {
		memcpy(&value, data, sizeof value);
		number(value);
	}
	bytes_add(&text, data, size);
	if (utf8_check(text.data, text.len) == size && memchr(text.data, '\0', size) == NULL) {
		jcs_string(text.data, text.len, &out);
		REQUIRE(json_scan(out.data, out.len, "out.json", 0, same_text, &text, NULL) == OK);
	}
	bytes_free(&text);
	bytes_free(&out);
	return 0;
}
