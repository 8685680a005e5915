/* Any bytes as an OMS bundle, and as the statement in one: no crash, nothing is left of what was refused, and what is taken has names beneath its directory,
 * sorted, and a signature that is nobody's. */
#include "fuzz.h"

#include "base/file.h"
#include "bundle/oms.h"

static void try(const char *text, size_t len)
{
	struct oms oms;
	struct error err;
	enum status status = oms_parse(text, len, "o", &oms, &err);

	REQUIRE(status == OK || (oms.resources == NULL && oms.hint == NULL && oms.envelope.count == 0));
	if (status != OK)
		return;
	REQUIRE(oms.envelope.count == 1);
	for (size_t i = 0; i < oms.count; i++)
		REQUIRE(path_valid(oms.resources[i].name, strlen(oms.resources[i].name)) &&
		        (i == 0 || strcmp(oms.resources[i - 1].name, oms.resources[i].name) < 0));
	oms_free(&oms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes text = {0};

	try((const char *)data, size);
	bytes_text(&text, "{\"dsseEnvelope\":{\"payload\":\"");
	base64_encode(data, size, &text);
	bytes_text(&text, "\",\"payloadType\":\"application/vnd.in-toto+json\",\"signatures\":[{\"sig\":\"AAAA\"}]},\"mediaType\":"
	                  "\"application/vnd.dev.sigstore.bundle.v0.3+json\",\"verificationMaterial\":{\"publicKey\":{\"hint\":\"h\"}}}");
	try(text.data, text.len);
	bytes_free(&text);
	return 0;
}
