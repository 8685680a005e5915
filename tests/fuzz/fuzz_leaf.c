/* Any bytes as an entry of a submission in the log (entry.json): no crash, and only what would be written so is taken. */
#include "fuzz.h"

#include "base/date.h"
#include "submission/leaf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes again = {0};
	struct error err;
	struct leaf leaf;

	if (leaf_parse((const char *)data, size, "e", &leaf, &err) == OK) {
		REQUIRE(date_valid(leaf.admitted, strlen(leaf.admitted)));
		REQUIRE(strlen(leaf.sums) == SHA256_HEX && strlen(leaf.key) == SHA256_HEX);
		leaf_write(&leaf, &again);
		REQUIRE(again.len == size && memcmp(again.data, data, size) == 0);
		bytes_free(&again);
		leaf_free(&leaf);
	} else {
		REQUIRE(leaf.id == NULL && err.what[0] != '\0');
	}
	return 0;
}
