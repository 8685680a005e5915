/* Any bytes as SHA256SUMS: no crash, every fault has its line, and a text without fault is written again as it was. */
#include "fuzz.h"

#include "bundle/checksums.h"

static void on_fault(void *context, const struct error *err)
{
	size_t *faults = context;

	REQUIRE(err->status == MALFORMED && (err->line > 0) == (err->rule != R_SUM_EMPTY));
	(*faults)++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct checksums sums, untold;
	struct bytes out = {0};
	size_t faults = 0;
	enum status status = checksums_parse((const char *)data, size, "SUMS", &sums, on_fault, &faults);

	REQUIRE((status == OK) == (faults == 0));
	REQUIRE(checksums_parse((const char *)data, size, "SUMS", &untold, NULL, NULL) == status);
	REQUIRE(untold.count == sums.count);
	checksums_free(&untold);
	for (size_t i = 0; i < sums.count; i++) {
		REQUIRE(path_valid(sums.at[i].path, strlen(sums.at[i].path)));
		REQUIRE(checksums_find(&sums, sums.at[i].path) == &sums.at[i]);
		checksums_write(sums.at[i].path, &sums.at[i].hash, &out);
	}
	if (status == OK)
		REQUIRE(out.len == size && memcmp(out.data, data, size) == 0);
	bytes_free(&out);
	checksums_free(&sums);
	return 0;
}
