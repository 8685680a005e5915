/* Any bytes as proofs of either kind, as a path of a tile and as a bundle of entries: no crash, nothing is proven of an entry that was never logged, and what is taken is
 * what we would write. */
#include "fuzz.h"

#include "log/proof.h"

static struct verifier verifier;

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	/* Of a key whose private half nobody has. */
	static const char vkey[] = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
	struct error err;

	(void)argc, (void)argv;
	REQUIRE(verifier_parse(vkey, strlen(vkey), "v", &verifier, &err) == OK);
	return 0;
}

static void as_path(const uint8_t *data, size_t size)
{
	char *path = mem_textn((const char *)data, size), again[TILE_PATH_MAX];
	struct tile tile;

	if (tile_parse(path, &tile)) {
		tile_path(&tile, again);
		REQUIRE(strcmp(path, again) == 0);
		REQUIRE(tile.width >= 1 && tile.width <= TILE_WIDTH && tile.level >= TILE_ENTRIES && tile.level < TILE_LEVELS);
	}
	free(path);
}

static void as_bundle(const char *data, size_t size)
{
	struct entry entries[TILE_WIDTH];
	const unsigned width = size > 0 ? (unsigned char)data[0] : 0;
	struct bytes again = {0};

	if (entries_split(data, size, width, entries)) {
		for (unsigned i = 0; i < width; i++)
			entries_add(&again, entries[i].data, entries[i].len);
		REQUIRE(again.len == size && (size == 0 || memcmp(again.data, data, size) == 0));
	}
	bytes_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	uint64_t index;
	struct error err;

	REQUIRE(tlog_verify_proof(text, size, "p", "never logged", 12, &verifier, &index, NULL, &err) != OK);
	REQUIRE(tlog_verify_growth(text, size, "p", text, size, "o", &verifier, NULL, &err) != OK);
	as_path(data, size);
	as_bundle(text, size);
	return 0;
}
