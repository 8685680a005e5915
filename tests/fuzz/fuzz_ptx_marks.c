/* Any bytes as a PTX source that is marked: marks lie in the text, in its order, on the lines they say, and mark opcodes. */
#include "fuzz.h"

#include "kernel/ptx_marks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct ptx_marks marks;
	uint64_t line = 1;
	size_t at = 0;

	ptx_marks(text, size, &marks);
	for (size_t i = 0; i < marks.count; i++) {
		const struct ptx_mark *mark = &marks.at[i];

		REQUIRE(mark->len > 0 && mark->offset >= at && mark->len <= size - mark->offset);
		for (; at < mark->offset; at++)
			line += text[at] == '\n';
		REQUIRE(mark->line == line && memchr(text + mark->offset, '\n', mark->len) == NULL);
		REQUIRE(mark->group > SASS_GROUP_NONE && mark->group < SASS_GROUP_COUNT);
		REQUIRE(strchr("wsctpml", text[mark->offset]) != NULL);
		at = mark->offset + mark->len;
		REQUIRE(at == size || (text[at] != '.' && text[at] != '_' && text[at] != '$'));
	}
	ptx_marks_free(&marks);
	return 0;
}
