/* Any bytes as a signed note with the example's key: no crash, and nothing verifies but the example itself. What is taken as a checkpoint is written again as the same text. */
#include "fuzz.h"

#include "log/note.h"

static struct verifier verifier;
static struct key key;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char vkey[] = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
	struct error err;

	(void)argc, (void)argv;
	REQUIRE(verifier_parse(vkey, strlen(vkey), "v", &verifier, &err) == OK);
	REQUIRE(key_generate(&key, &err) == OK);
	return 0;
}

/* Of a text that is signed and opened again, the very bytes come back. */
static void round_trip(const char *text, size_t len)
{
	const struct note_signer signer = {"fuzz", &key};
	struct verifier own;
	const struct verifier *const known[] = {&own};
	struct bytes out = {0};
	struct error err;
	struct note note;

	REQUIRE(verifier_of("fuzz", &key, &own, &err) == OK);
	if (note_sign(text, len, &signer, 1, &out, &err) == OK) {
		REQUIRE(note_open(out.data, out.len, "n", known, 1, &note, &err) == OK);
		REQUIRE(note.len == len && memcmp(note.text, text, len) == 0);
	}
	bytes_free(&out);
	verifier_free(&own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char message[] = "This is an example message.\n";
	const char *text = (const char *)data;
	const struct verifier *known = &verifier;
	struct checkpoint checkpoint;
	struct verifier other;
	struct note note;
	struct error err;

	if (note_open(text, size, "n", &known, 1, &note, &err) == OK)
		REQUIRE(note.len == strlen(message) && memcmp(note.text, message, note.len) == 0);
	if (verifier_parse(text, size, "v", &other, &err) == OK) {
		struct bytes again = {0};

		verifier_write(&other, &again);
		REQUIRE(again.len == size && memcmp(again.data, text, size) == 0);
		bytes_free(&again);
		verifier_free(&other);
	}
	if (checkpoint_parse(text, size, "c", &checkpoint, &err) == OK) {
		REQUIRE(checkpoint.origin[0] != '\0' || size == 0);
		checkpoint_free(&checkpoint);
	}
	round_trip(text, size);
	return 0;
}
