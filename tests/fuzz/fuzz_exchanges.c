/* Any bytes as exchanges.jsonl: what is taken is what the program would write, byte for byte. */
#include "fuzz.h"

#include "bundle/exchanges.h"

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	(void)line, (void)err;
	exchange_write(exchange, context);
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes out = {0};
	struct error err = {0};
	const enum status status = exchanges_parse((const char *)data, size, "exchanges.jsonl", on_exchange, &out, &err);

	REQUIRE(status == OK || (status == MALFORMED && err.line > 0));
	REQUIRE(out.len <= size && (out.len == 0 || memcmp(out.data, data, out.len) == 0));
	REQUIRE(status != OK || out.len == size);
	bytes_free(&out);
	return 0;
}
