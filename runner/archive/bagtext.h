/* The text forms in a bag: tag files in their encoding, lines of manifests and fetch.txt, paths in them (RFC 8493 section 2). */
#ifndef PTXSEAL_ARCHIVE_BAGTEXT_H
#define PTXSEAL_ARCHIVE_BAGTEXT_H

#include "../base/bytes.h"
#include "../base/sha256.h"

enum { BAG_SUM_MAX = 64 /* bytes of a SHA-512 */ };

struct bag_version {
	unsigned major, minor; /* as they are written: 0.97, 1.0 */
};
/* From 1.0 on RFC 8493 holds: it is stricter than the drafts. */
bool bag_is_rfc(struct bag_version version);

/* bagit.txt, section 2.1.1: two lines, nothing else; each may end in LF, CR or CRLF, the last one in nothing. False if it is not so. Of the encoding's name only the known ones are
 * taken, in any letter case: *encoding is then one of bag_decode's. *known says so. */
bool bag_declaration(const char *text, size_t len, struct bag_version *version, const char **encoding, bool *known);

/* Append text as UTF-8; NULL stands for UTF-8, other encodings are those that bag_declaration hands out. A byte order mark is taken off. False if it is not text of that encoding. */
bool bag_decode(const char *encoding, const char *text, size_t len, struct bytes *out);

/* The next line, without its end (LF, CR or CRLF); false at the end of the text. *at grows. */
bool bag_next_line(const struct bytes *text, size_t *at, const char **line, size_t *len);

/* One line of a manifest of sums of so many bytes. */
struct bag_line {
	uint8_t sum[BAG_SUM_MAX];
	const char *path; /* into the line: not decoded */
	size_t path_len;
	bool starred;     /* as md5sum -b writes it */
};
bool bag_read_line(const char *line, size_t len, size_t sum_bytes, struct bag_line *out);

/* Append the path that is meant: %0D, %0A, and from RFC 8493 on %25, stand for CR, LF and %; a leading "./" is taken off. False: a % that stands for nothing, from RFC 8493 on. */
bool bag_decode_path(const char *path, size_t len, bool rfc, struct bytes *out);

/* Append one line of a version 1.0 manifest: lowercase hex, two spaces, the path with CR, LF and % encoded. */
void bag_write_line(const char *path, const struct sha256 *hash, struct bytes *out);

#endif
