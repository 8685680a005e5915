/*
 * checksums/SHA256SUMS: every sealed file and its SHA-256, in the text form `sha256sum -c` reads
 * (GNU coreutils 9, "cksum output modes"): 64 lowercase hex digits, two spaces, the path, LF. A path with a backslash,
 * LF or CR has them written \\, \n, \r, and its line starts with a backslash. Lines are sorted by the bytes of the
 * unescaped path, none twice.
 */
#ifndef PTXSEAL_BUNDLE_CHECKSUMS_H
#define PTXSEAL_BUNDLE_CHECKSUMS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/sha256.h"

enum { CHECKSUMS_FILE_MAX = 256 << 20 }; /* bytes of one SHA256SUMS: about two million files */

struct checksum {
	char *path; /* keeps R_PATH_FORM */
	struct sha256 hash;
};

/* Sorted by path bytes, paths unique. All owned; checksums_free. */
struct checksums {
	struct checksum *at;
	size_t count;
	size_t room;
};
void checksums_free(struct checksums *sums);

/* Told of one broken line; reading goes on with the next. */
typedef void checksums_fault(void *context, const struct error *err);

/* Read the text of a SHA256SUMS, file is its name in messages. OK, or MALFORMED after telling fault (NULL: nobody) of every
 * fault: *sums then holds the lines that could be read. */
enum status checksums_parse(const char *text, size_t len, const char *file, struct checksums *sums,
                            checksums_fault *fault, void *context);

/* Append one line. */
void checksums_write(const char *path, const struct sha256 *hash, struct bytes *out);

/* NULL if path is not listed. */
const struct checksum *checksums_find(const struct checksums *sums, const char *path);

#endif
