#include "sha256.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <openssl/evp.h>

enum {
	BLOCK_BYTES = HASH_LOOK_MAX, /* fits L2 together with the digest; larger blocks measured no faster */
	THREADS_MAX = 64,
};

static _Noreturn void engine_failed(void)
{
	/* EVP fails here only when it cannot allocate or the library is broken; nothing can be checked then. */
	fputs("ptxseal: OpenSSL refuses to compute SHA-256; mend the OpenSSL installation\n", stderr);
	exit(UNAVAILABLE);
}

static EVP_MD *fetched; /* once: looking the algorithm up costs more than hashing a small text */

static void fetch(void)
{
	fetched = EVP_MD_fetch(NULL, "SHA256", NULL);
	if (fetched == NULL)
		engine_failed();
}

static const EVP_MD *algorithm(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fetch);
	return fetched;
}

struct sha256 sha256_of(const void *data, size_t len)
{
	struct sha256 hash;

	if (EVP_Digest(data, len, hash.byte, NULL, algorithm(), NULL) != 1)
		engine_failed();
	return hash;
}

struct sha256 sha256_tagged(uint8_t tag, const void *data, size_t len)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	struct sha256 hash;

	if (context == NULL || EVP_DigestInit_ex2(context, algorithm(), NULL) != 1 || EVP_DigestUpdate(context, &tag, 1) != 1 ||
	    EVP_DigestUpdate(context, data, len) != 1 || EVP_DigestFinal_ex(context, hash.byte, NULL) != 1)
		engine_failed();
	EVP_MD_CTX_free(context);
	return hash;
}

/* The context itself: there is nothing beside it. */
static EVP_MD_CTX *context_of(struct sha256_stream *stream)
{
	return (EVP_MD_CTX *)stream;
}

struct sha256_stream *sha256_stream_new(void)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();

	if (context == NULL || EVP_DigestInit_ex2(context, algorithm(), NULL) != 1)
		engine_failed();
	return (struct sha256_stream *)context;
}

void sha256_add(struct sha256_stream *stream, const void *data, size_t len)
{
	if (EVP_DigestUpdate(context_of(stream), data, len) != 1)
		engine_failed();
}

struct sha256 sha256_end(struct sha256_stream *stream)
{
	struct sha256 hash;

	if (EVP_DigestFinal_ex(context_of(stream), hash.byte, NULL) != 1 || EVP_DigestInit_ex2(context_of(stream), NULL, NULL) != 1)
		engine_failed();
	return hash;
}

void sha256_stream_free(struct sha256_stream *stream)
{
	EVP_MD_CTX_free(context_of(stream));
}

void sha256_hex(const struct sha256 *hash, char out[SHA256_HEX + 1])
{
	hex_encode(hash->byte, SHA256_BYTES, out);
}

bool sha256_parse(const char *text, struct sha256 *hash)
{
	return hex_decode(text, hash->byte, SHA256_BYTES);
}

/* What the threads share: the next job nobody has taken. */
struct pool {
	const struct root *root;
	struct hash_job *jobs;
	size_t count;
	atomic_size_t next;
	hash_look *look;
	struct progress *progress;
};

static void hash_one(struct pool *pool, struct hash_job *job, EVP_MD_CTX *context, unsigned char *block)
{
	struct error err;
	uint64_t size;
	int fd;

	job->size = 0;
	job->noted = false;
	job->err = NULL;
	job->status = root_open_file(pool->root, job->path, &fd, &size, &err);
	if (job->status == OK && EVP_DigestInit_ex2(context, algorithm(), NULL) != 1)
		engine_failed();
	while (job->status == OK) {
		ssize_t n = read(fd, block, BLOCK_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			job->status = error_errno(&err, R_IO_READ, job->path, "cannot read the file");
		if (n <= 0)
			break;
		if (EVP_DigestUpdate(context, block, (size_t)n) != 1)
			engine_failed();
		/* The whole file in one read; a file that comes in several is hashed, but not looked at. */
		if (pool->look != NULL && job->size == 0 && (uint64_t)n == size)
			job->noted = pool->look(block, (size_t)n);
		job->size += (uint64_t)n;
		progress_add(pool->progress, (uint64_t)n);
		if (job->size >= size && (size_t)n < BLOCK_BYTES)
			break; /* the end by size: spares small files a read that returns 0 */
	}
	if (fd >= 0)
		close(fd);
	if (job->status == OK && job->size != size)
		job->status = error_set(&err, R_IO_CHANGED, job->path, "%llu bytes when opened, %llu when read",
		                        (unsigned long long)size, (unsigned long long)job->size);
	if (job->status == OK && EVP_DigestFinal_ex(context, job->hash.byte, NULL) != 1)
		engine_failed();
	if (job->status != OK) {
		job->err = mem_alloc(sizeof *job->err);
		*job->err = err;
	}
}

static void *work(void *argument)
{
	struct pool *pool = argument;
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	unsigned char *block = mem_alloc(BLOCK_BYTES);

	if (context == NULL)
		engine_failed();
	for (;;) {
		size_t i = atomic_fetch_add(&pool->next, 1);

		if (i >= pool->count)
			break;
		hash_one(pool, &pool->jobs[i], context, block);
	}
	free(block);
	EVP_MD_CTX_free(context);
	return NULL;
}

unsigned cores(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	int n = CPU_COUNT(&set);

	return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (unsigned)n;
}

void hash_files(const struct root *root, struct hash_job *jobs, size_t count, unsigned threads,
                hash_look *look, struct progress *progress)
{
	struct pool pool = {.root = root, .jobs = jobs, .count = count, .look = look, .progress = progress};
	pthread_t extra[THREADS_MAX];
	size_t started = 0;

	if (threads == 0)
		threads = cores();
	if (threads > THREADS_MAX)
		threads = THREADS_MAX;
	/* This thread works too; where no further thread can be had, it does all. */
	while (started + 1 < threads && started + 1 < count &&
	       pthread_create(&extra[started], NULL, work, &pool) == 0)
		started++;
	work(&pool);
	for (size_t i = 0; i < started; i++)
		pthread_join(extra[i], NULL);
}

void hash_jobs_free(struct hash_job *jobs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(jobs[i].err);
	free(jobs);
}
