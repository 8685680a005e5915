/*
 * BagIt bags: RFC 8493 (version 1.0), and the drafts that came before it (0.93 to 0.97), as far as they differ.
 *
 * Paths in manifests and fetch.txt have CR, LF and % written %0D, %0A and %25 from version 1.0 on (section 2.1.3). Before it CR and LF were encoded so and % was left as it is:
 * there only %0D and %0A are decoded, and a name that is there with these characters is taken as it stands.
 */
#ifndef PTXSEAL_ARCHIVE_BAG_H
#define PTXSEAL_ARCHIVE_BAG_H

#include "../base/file.h"
#include "../base/sha256.h"
#include "../bundle/finding.h"

enum { BAG_TAG_MAX = 64 << 20 /* bytes of a tag file that is read */, BAG_MANIFESTS_MAX = 32 };

struct bag_options {
	/* SHA-256 of a file by its path, where that is known already: then nothing is read for it. NULL: hash the files. */
	const struct sha256 *(*sha256)(void *context, const char *path);
	void *context;
};

struct bag_report {
	struct findings findings; /* sorted: why it is no valid bag */
	struct findings doubts;   /* sorted: what other programs may take otherwise */
	char version[8];          /* "" if bagit.txt could not be read */
	uint64_t files;           /* in data/ */
	uint64_t bytes;
};

/* Check the bag whose base directory the root is. OK, or what findings_status says of the findings. */
enum status bag_check(const struct root *root, const struct bag_options *options, struct bag_report *report);
void bag_report_free(struct bag_report *report);

#endif
