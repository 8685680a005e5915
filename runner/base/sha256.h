/* SHA-256 (FIPS 180-4) through OpenSSL's EVP, on one thread or on as many as there are cores. */
#ifndef PTXSEAL_BASE_SHA256_H
#define PTXSEAL_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "file.h"
#include "progress.h"

enum { SHA256_BYTES = 32, SHA256_HEX = 64 };

struct sha256 {
	uint8_t byte[SHA256_BYTES];
};

struct sha256 sha256_of(const void *data, size_t len);
/* Of the byte tag and then the data. */
struct sha256 sha256_tagged(uint8_t tag, const void *data, size_t len);
void sha256_hex(const struct sha256 *hash, char out[SHA256_HEX + 1]);
/* Exactly 64 lowercase hex digits, nothing after them. */
bool sha256_parse(const char *text, struct sha256 *hash);

/* One hash after the other, of bytes that come in parts. */
struct sha256_stream;
struct sha256_stream *sha256_stream_new(void);
void sha256_add(struct sha256_stream *stream, const void *data, size_t len);
/* The same on a thread beside the caller's, who may do something else with the bytes meanwhile: they have to stay until sha256_wait, or sha256_end, has returned. */
void sha256_add_aside(struct sha256_stream *stream, const void *data, size_t len);
void sha256_wait(struct sha256_stream *stream);
struct sha256 sha256_end(struct sha256_stream *stream); /* of what was added since the last one */
void sha256_stream_free(struct sha256_stream *stream);  /* NULL is fine */

/* The cores this process may run on, at least 1, at most the threads we ever start (a container may have fewer than the machine). */
unsigned cores(void);

struct hash_job {
	const char *path;       /* in: beneath the root */
	struct sha256 hash;     /* out, if status is OK */
	uint64_t size;          /* out */
	enum status status;     /* out: OK or why not */
	struct error *err;      /* out: allocated only when status is not OK; hash_jobs_free */
	bool noted;             /* out: what the look said */
};

enum { HASH_LOOK_MAX = 256 << 10 }; /* bytes of the largest file that a look sees */

/* Shown all bytes of a file that is no larger than HASH_LOOK_MAX, from any of the threads. */
typedef bool hash_look(const void *data, size_t len);

/* Hash every job's file; threads = 0 means one a core; look may be NULL. A file that cannot be read fails its own job
 * only. Memory does not grow with file sizes. progress may be NULL (bytes are counted in it). */
void hash_files(const struct root *root, struct hash_job *jobs, size_t count, unsigned threads,
                hash_look *look, struct progress *progress);
void hash_jobs_free(struct hash_job *jobs, size_t count); /* the err fields and the array */

#endif
