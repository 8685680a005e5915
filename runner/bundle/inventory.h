/* The files of a bundle as they stand on the disk, each hashed once. */
#ifndef PTXSEAL_BUNDLE_INVENTORY_H
#define PTXSEAL_BUNDLE_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/file.h"
#include "../base/sha256.h"
#include "checksums.h"
#include "finding.h"
#include "leftout.h"

struct inventory_file {
	const char *path;   /* lives in the inventory's list */
	uint64_t size;
	struct sha256 hash; /* if hashed */
	bool hashed;
	bool faulty;        /* a finding names this file already: no second one for the same cause */
	const struct root *home; /* where it is read; NULL: in the bundle that is asked for (admitted.h has files of two). Not owned */
};

struct inventory {
	struct inventory_file *at; /* the regular files that SHA256SUMS has to list, sorted by path bytes */
	size_t count;
	uint64_t bytes;        /* of all of them */
	struct file_list list; /* everything that stands in the sealed directories */
	const struct checksums *sums; /* what is listed as sealed, NULL if that is not known: what is listed and not there is told already. Not owned */
	const struct left_out *left; /* what is sealed and travels apart; NULL: nothing */
};

/* List the sealed directories and hash their files. What cannot be part of any seal is a finding: links, FIFOs and devices,
 * path forms, names that differ only in ASCII letter case, empty directories, directories that cannot be listed, leftovers of a killed write, unreadable files, private keys
 * (key_is_private, in files of up to HASH_LOOK_MAX bytes).
 * threads: as for hash_files. quiet: no progress line. */
void inventory_take(const struct root *root, unsigned threads, bool quiet, struct inventory *inventory,
                    struct findings *findings);
/* The same in two steps, for whoever reads the files on the way: list them, then tell of each that is not faulty what it holds. */
void inventory_list(const struct root *root, struct inventory *inventory, struct findings *findings);
void inventory_hashed(struct inventory *inventory, size_t at, uint64_t size, const struct sha256 *hash, bool private_key, struct findings *findings);
void inventory_free(struct inventory *inventory);
/* No two paths differ only in ASCII letter case (R_PATH_CASE). None stands in the list twice; the order is all one. */
void inventory_check_case(const struct file_list *list, struct findings *findings);

/* Every file that no other finding names stands where layout_is_placed says (R_BND_PLACE). */
void inventory_check_places(const struct inventory *inventory, struct findings *findings);

/* The same of what stands in checksums/ (root_list_past), which is not in the inventory. False (told) if not all is listed. */
bool inventory_check_sums(const struct file_list *list, struct findings *findings);

/* A sound file was written since: count it with these bytes. Indices of files that sort before it stay. */
void inventory_put(struct inventory *inventory, const char *path, const void *data, size_t len);

/* NULL if there is no such file. */
struct inventory_file *inventory_find(const struct inventory *inventory, const char *path);

/* True if anything at all, of whatever kind, stands under that path. */
bool inventory_has(const struct inventory *inventory, const char *path);

/* True if it is not known whether anything stands under that path, because a directory on the way could not be listed: a
 * finding names that directory, and nothing shall be called missing beneath it. */
bool inventory_hides(const struct inventory *inventory, const char *path);

/* The bundle that the file is read in: its home, or root. */
const struct root *inventory_home(const struct root *root, const struct inventory_file *file);

/* Read a file of the inventory, and make sure that these are the bytes that were hashed. */
enum status inventory_read(const struct root *root, const struct inventory_file *file, size_t max, struct bytes *out,
                           struct error *err);

#endif
