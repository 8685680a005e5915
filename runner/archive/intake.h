/*
 * A packed bundle as it comes in: read once, every name and limit checked before anything is done with the entry, every byte hashed.
 */
#ifndef PTXSEAL_ARCHIVE_INTAKE_H
#define PTXSEAL_ARCHIVE_INTAKE_H

#include "../base/kept.h"
#include "../base/sha256.h"
#include "bag.h"

/* What is done with the files besides; each may be NULL. path is beneath bundle/. Anything but OK ends it. */
struct intake_sink {
	enum status (*begin)(void *context, const char *path, uint64_t size, struct error *err);
	enum status (*data)(void *context, const void *data, size_t len, struct error *err);
	enum status (*end)(void *context, struct error *err);
	/* Is the text of that file needed afterwards? Tag files are kept anyway. */
	bool (*keep)(const char *path);
	void *context;
};

enum {
	INTAKE_KEPT_MAX = 48 << 20,  /* bytes of all texts that are kept; what comes after them is not held */
	INTAKE_NAMES_MAX = 24 << 20, /* of all names and the directories that lead to them (R_PCK_LIMIT): what listing them takes */
	INTAKE_TAG_MAX = 64 << 10,   /* of a tag file that does not grow with the bundle */
};

/* All of it, in the archive's order, which is that of the paths' bytes. Owned; intake_free. */
struct intake {
	struct kept kept;        /* paths beneath bundle/ */
	struct sha256 *hashes;   /* of each */
	bool *private_keys;      /* key_is_private, in files of up to HASH_LOOK_MAX bytes */
	uint64_t bytes;
	uint64_t packed;         /* bytes of the archive */
};

/* Read the archive. Refused (err) is whatever breaks R_IO_*, R_PCK_ZSTD, _TAR, _KIND, _NAME, _ORDER, _LIMIT, and a name that no packed bundle has (R_PCK_BAG);
 * what the bag in it says is not looked at. */
enum status intake_read(const char *file, bool quiet, const struct intake_sink *sink, struct intake *intake, struct error *err);
void intake_free(struct intake *intake);

/* Does the bag hold, and is it one that pack makes (R_BAG_*, R_PCK_BAG)? Findings are added. */
void intake_check_bag(const struct intake *intake, const char *file, struct findings *findings);

/* Parts of a path. */
unsigned intake_parts(const char *path);

/* What path adds to INTAKE_NAMES_MAX after the name before it in the archive's order ("" if it is the first). */
uint64_t intake_name_cost(const char *before, const char *path);

/* Does the file stand beside data/? */
bool intake_is_tag(const char *path);

#endif
