/* Any bytes as trust.json: no crash, and only what would be written so is taken. */
#include "fuzz.h"

#include "bundle/trust.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct trust trust;
	struct bytes out = {0};
	struct error err;
	enum status status = trust_parse((const char *)data, size, &trust, &err);

	REQUIRE(status == OK || (status == MALFORMED && trust.count == 0));
	if (status == OK) {
		trust_write(&trust, &out);
		REQUIRE(out.len == size && memcmp(out.data, data, size) == 0);
	}
	for (size_t i = 0; i < trust.count; i++) {
		REQUIRE(trust_find(&trust, trust.at[i].fingerprint) == &trust.at[i]);
		REQUIRE(trust_find_file(&trust, trust.at[i].file) == &trust.at[i]);
	}
	bytes_free(&out);
	trust_free(&trust);
	return 0;
}
