/* Any bytes: hex and base64 read back, only canonical base64 is taken, and printable text is UTF-8 without
 * control characters. */
#include "fuzz.h"

#include "base/bytes.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes encoded = {0};
	struct bytes decoded = {0};
	struct bytes raw = {0};
	char *hex = mem_array(NULL, 2 * size + 1, 1);
	uint8_t *back = mem_array(NULL, size, 1);
	char shown[64];

	hex_encode(data, size, hex);
	REQUIRE(hex_decode(hex, back, size) && memcmp(back, data, size) == 0);

	bytes_text(&encoded, "");
	base64_encode(data, size, &encoded);
	REQUIRE(base64_decode(encoded.data, encoded.len, &decoded));
	REQUIRE(decoded.len == size && (size == 0 || memcmp(decoded.data, data, size) == 0));

	encoded.len = 0;
	if (base64_decode((const char *)data, size, &raw)) {
		base64_encode((const uint8_t *)raw.data, raw.len, &encoded);
		REQUIRE(encoded.len == size && memcmp(encoded.data, data, size) == 0);
	}

	size_t valid = utf8_check((const char *)data, size);

	REQUIRE(valid <= size);
	utf8_printable((const char *)data, size, shown, sizeof shown);
	REQUIRE(utf8_check(shown, strlen(shown)) == strlen(shown));
	for (const char *c = shown; *c != '\0'; c++)
		REQUIRE((unsigned char)*c >= 0x20 && *c != 0x7F);

	bytes_free(&encoded);
	bytes_free(&decoded);
	bytes_free(&raw);
	free(hex);
	free(back);
	return 0;
}
