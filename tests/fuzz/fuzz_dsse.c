/* Any bytes as a DSSE envelope: no crash, what is taken and written in our form is read as the same, and no foreign bytes are
 * taken for a signature. */
#include "fuzz.h"

#include "bundle/dsse.h"

static struct key key;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error err;

	(void)argc, (void)argv;
	REQUIRE(key_generate(&key, &err) == OK);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct key *const keys[] = {&key};
	struct dsse envelope, again;
	struct bytes out = {0}, second = {0};
	struct error err;
	enum status status = dsse_parse((const char *)data, size, "e", &envelope, &err);

	REQUIRE(status == OK || (status == MALFORMED && envelope.count == 0 && envelope.payload_type == NULL));
	if (status != OK)
		return 0;
	dsse_write(&envelope, &out);
	REQUIRE(dsse_verify(&envelope, keys, 1) == NULL);
	REQUIRE(dsse_parse(out.data, out.len, "e", &again, &err) == OK);
	dsse_write(&again, &second);
	REQUIRE(out.len == second.len && memcmp(out.data, second.data, out.len) == 0);
	/* Signed, it verifies, whatever type and payload hold. */
	REQUIRE(dsse_sign(&envelope, &key, &err) == OK && dsse_verify(&envelope, keys, 1) == &key);
	dsse_free(&envelope);
	dsse_free(&again);
	bytes_free(&out);
	bytes_free(&second);
	return 0;
}
