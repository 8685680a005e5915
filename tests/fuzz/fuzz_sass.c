/* Any 16 bytes are some instruction: its text is printable and short, its work follows from its shape. */
#include "fuzz.h"

#include "kernel/sass.h"

static void look(const uint8_t *bytes, unsigned sm)
{
	struct sass sass;
	char guard[8];
	uint64_t operations = 1;

	sass_read(bytes, sm, &sass);
	size_t len = strnlen(sass.text, sizeof sass.text);

	REQUIRE(len > 0 && len < sizeof sass.text - 1); /* nothing was cut off */
	for (size_t i = 0; i < len; i++)
		REQUIRE(sass.text[i] > ' ' && sass.text[i] <= '~');
	REQUIRE((unsigned)sass.family < SASS_FAMILY_COUNT && sass_family_name(sass.family) != NULL);
	REQUIRE((strchr(sass.text, '?') != NULL) <= !sass.known);
	sass_guard_text(&sass, guard);
	REQUIRE(strlen(guard) < sizeof guard);
	if (!sass_operations(&sass, &operations) || sass.null || sass_never(&sass))
		REQUIRE(operations == 0);
	else if (sass.m != 0 && sass.known)
		REQUIRE(operations > 0 && operations <= 2u * 64 * 256 * 256 / 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (; size >= SASS_BYTES; data += SASS_BYTES, size -= SASS_BYTES) {
		look(data, 90);
		look(data, 100);
	}
	return 0;
}
