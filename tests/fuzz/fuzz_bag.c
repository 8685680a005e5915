/* Any bytes as the tag files of a bag, parted by 0xFF: bagit.txt, bag-info.txt, manifest-sha256.txt, tagmanifest-sha256.txt, fetch.txt, and a file of data/. No crash; a bag
 * that is found valid is found so again. */
#include "fuzz.h"

#include "archive/bag.h"
#include "base/kept.h"

enum { PARTS = 6 };

static const char *const names[PARTS] = {"bag-info.txt", "bagit.txt", "data/a", "fetch.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt"};
static const size_t order[PARTS] = {1, 0, 4, 5, 3, 2}; /* of the parts, among the names, which are sorted */

static const struct sha256 *hash_of(void *context, const char *path)
{
	static struct sha256 hash;
	const struct kept *kept = context;

	for (size_t i = 0; i < kept->count; i++)
		if (strcmp(kept->at[i].path, path) == 0) {
			hash = sha256_of(kept->at[i].text.data != NULL ? kept->at[i].text.data : "", kept->at[i].text.len);
			return &hash;
		}
	return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kept_file all[PARTS] = {{0}}, files[PARTS];
	struct kept kept = {.at = files};
	struct bag_options options = {.sha256 = hash_of, .context = &kept};
	struct bag_report report, again;
	struct root root;

	for (size_t part = 0; part < PARTS && size > 0; part++) {
		const uint8_t *end = memchr(data, 0xFF, size);
		size_t len = end != NULL ? (size_t)(end - data) : size;
		struct kept_file *file = &all[order[part]];

		*file = (struct kept_file){.path = names[order[part]], .size = len, .held = true};
		bytes_add(&file->text, data, len);
		size -= end != NULL ? len + 1 : len;
		data += end != NULL ? len + 1 : len;
	}
	for (size_t i = 0; i < PARTS; i++)
		if (all[i].path != NULL)
			files[kept.count++] = all[i];
	kept_open(&kept, "bag", &root);
	enum status status = bag_check(&root, &options, &report);

	REQUIRE(status == OK || status == FAILS || status == MALFORMED);
	REQUIRE((status == OK) == (report.findings.count == 0));
	REQUIRE(bag_check(&root, &options, &again) == status && again.findings.count == report.findings.count);
	bag_report_free(&report);
	bag_report_free(&again);
	root_close(&root);
	for (size_t i = 0; i < kept.count; i++)
		bytes_free(&files[i].text);
	return 0;
}
