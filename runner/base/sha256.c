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

struct sha256_stream {
	EVP_MD_CTX *context;
	bool running;          /* there is a thread */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t change;
	const void *data;      /* to be added; NULL: nothing is; under the lock */
	size_t len;
	bool stopped;          /* under the lock */
};

struct sha256_stream *sha256_stream_new(void)
{
	struct sha256_stream *stream = mem_alloc(sizeof *stream);

	stream->context = EVP_MD_CTX_new();
	if (stream->context == NULL || EVP_DigestInit_ex2(stream->context, algorithm(), NULL) != 1)
		engine_failed();
	pthread_mutex_init(&stream->lock, NULL);
	pthread_cond_init(&stream->change, NULL);
	return stream;
}

void sha256_add(struct sha256_stream *stream, const void *data, size_t len)
{
	sha256_wait(stream);
	if (EVP_DigestUpdate(stream->context, data, len) != 1)
		engine_failed();
}

static void *add_aside(void *argument)
{
	struct sha256_stream *stream = argument;

	pthread_mutex_lock(&stream->lock);
	for (;;) {
		while (stream->data == NULL && !stream->stopped)
			pthread_cond_wait(&stream->change, &stream->lock);
		if (stream->data == NULL)
			break;
		pthread_mutex_unlock(&stream->lock);
		if (EVP_DigestUpdate(stream->context, stream->data, stream->len) != 1)
			engine_failed();
		pthread_mutex_lock(&stream->lock);
		stream->data = NULL;
		pthread_cond_broadcast(&stream->change);
	}
	pthread_mutex_unlock(&stream->lock);
	return NULL;
}

void sha256_add_aside(struct sha256_stream *stream, const void *data, size_t len)
{
	enum { WORTH = 64 << 10 }; /* bytes that take longer than to wake a thread */

	if (len >= WORTH && !stream->running)
		stream->running = pthread_create(&stream->thread, NULL, add_aside, stream) == 0;
	if (len < WORTH || !stream->running) {
		sha256_add(stream, data, len);
		return;
	}
	sha256_wait(stream);
	pthread_mutex_lock(&stream->lock);
	stream->data = data;
	stream->len = len;
	pthread_cond_broadcast(&stream->change);
	pthread_mutex_unlock(&stream->lock);
}

void sha256_wait(struct sha256_stream *stream)
{
	if (!stream->running)
		return;
	pthread_mutex_lock(&stream->lock);
	while (stream->data != NULL)
		pthread_cond_wait(&stream->change, &stream->lock);
	pthread_mutex_unlock(&stream->lock);
}

struct sha256 sha256_end(struct sha256_stream *stream)
{
	struct sha256 hash;

	sha256_wait(stream);
	if (EVP_DigestFinal_ex(stream->context, hash.byte, NULL) != 1 || EVP_DigestInit_ex2(stream->context, NULL, NULL) != 1)
		engine_failed();
	return hash;
}

void sha256_stream_free(struct sha256_stream *stream)
{
	if (stream == NULL)
		return;
	if (stream->running) {
		pthread_mutex_lock(&stream->lock);
		stream->stopped = true;
		pthread_cond_broadcast(&stream->change);
		pthread_mutex_unlock(&stream->lock);
		pthread_join(stream->thread, NULL);
	}
	pthread_mutex_destroy(&stream->lock);
	pthread_cond_destroy(&stream->change);
	EVP_MD_CTX_free(stream->context);
	free(stream);
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
