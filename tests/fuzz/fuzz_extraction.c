/* Any text as a reply, for either form: every file of the form or a reason, never both; each file stands line by line in the reply; and the same again. */
#include "fuzz.h"

#include "model/extraction.h"

/* Line ends and indentation aside, every line of a file is one of the reply's. */
static void require_lines(const struct bytes *file, const char *text, size_t len)
{
	for (size_t at = 0; at < file->len;) {
		const char *line = file->data + at, *end = memchr(line, '\n', file->len - at);

		REQUIRE(end != NULL);
		REQUIRE(end == line || memmem(text, len, line, (size_t)(end - line)) != NULL);
		at += (size_t)(end - line) + 1;
	}
}

static void check(enum form form, const char *text, size_t len)
{
	struct extracted extracted, again;
	const bool found = extraction_find(form, text, len, &extracted);

	REQUIRE(found == (extracted.why == NULL) && found == (extracted.count > 0));
	REQUIRE(extraction_find(form, text, len, &again) == found);
	for (size_t i = 0; i < extracted.count; i++) {
		const struct bytes *file = &extracted.file[i].text;

		REQUIRE(file->len > 0 && file->len <= EXTRACTION_BYTES_MAX && again.file[i].text.len == file->len);
		REQUIRE(memcmp(file->data, again.file[i].text.data, file->len) == 0);
		require_lines(file, text, len);
	}
	extracted_free(&extracted);
	extracted_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(FORM_KERNEL, (const char *)data, size);
	check(FORM_PTX, (const char *)data, size);
	return 0;
}
