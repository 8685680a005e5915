/* Any bytes as PTX: no crash, no endless loop, and what is declared keeps the limits. */
#include "fuzz.h"

#include "kernel/ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ptx ptx;
	struct error err = {0};
	enum status status = ptx_read((const char *)data, size, "k.ptx", &ptx, &err);

	if (status != OK) {
		REQUIRE(status == MALFORMED && err.what[0] != '\0' && (err.line > 0 || err.has_offset));
		REQUIRE(ptx.entry == NULL && ptx.target == NULL);
		return 0;
	}
	REQUIRE(ptx.target != NULL && (ptx.address_size == 32 || ptx.address_size == 64));
	for (size_t i = 0; i < ptx.entries; i++) {
		const struct ptx_entry *entry = &ptx.entry[i];
		uint32_t end = 0;

		REQUIRE(entry->name[0] != '\0' && entry->line > 0 && entry->size <= PTX_PARAMETER_BYTES_MAX);
		for (size_t p = 0; p < entry->parameters; p++) {
			const struct ptx_parameter *parameter = &entry->parameter[p];

			REQUIRE(parameter->name != NULL && parameter->size > 0 && parameter->offset >= end);
			REQUIRE(parameter->offset % parameter->alignment == 0);
			end = parameter->offset + parameter->size;
		}
		REQUIRE(end == entry->size);
	}
	ptx_free(&ptx);
	return 0;
}
