#include "frame.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zstd.h>

#include "../base/bytes.h"

enum {
	JOB_BYTES = 8 << 20, /* what zstd takes for level 3 by itself; at all levels, so that memory stays bounded */
	OVERLAP_LOG = 6,     /* zstd's own for levels up to 16: a job sees the last eighth of a window before it */
	IO_BYTES = 128 << 10,
	FLUSH_BYTES = 8 << 20, /* written until the disk is told to begin with them, so that little is left to wait for in the end */
};

struct frame_writer {
	ZSTD_CCtx *context;
	int fd;
	const char *name;
	uint64_t written;
	uint64_t flushed; /* of these, on their way to the disk */
	uint8_t out[IO_BYTES];
};

static bool set(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value)
{
	return !ZSTD_isError(ZSTD_CCtx_setParameter(context, parameter, value));
}

enum status frame_create(int fd, const char *name, int level, unsigned threads, struct frame_writer **out, struct error *err)
{
	struct frame_writer *writer = mem_alloc(sizeof *writer);

	*writer = (struct frame_writer){.context = ZSTD_createCCtx(), .fd = fd, .name = name};
	if (writer->context == NULL)
		mem_lacking();
	*out = writer;
	/* At least one worker: without any the input would be cut otherwise, and the bytes would depend on the number of threads. */
	if (set(writer->context, ZSTD_c_compressionLevel, level) && set(writer->context, ZSTD_c_checksumFlag, 1) &&
	    set(writer->context, ZSTD_c_nbWorkers, (int)threads) && set(writer->context, ZSTD_c_jobSize, JOB_BYTES) &&
	    set(writer->context, ZSTD_c_overlapLog, OVERLAP_LOG))
		return OK;
	frame_close(writer);
	*out = NULL;
	return error_set(err, R_PCK_THREADS, name, "libzstd %s takes no level %d on %u threads", ZSTD_versionString(), level, threads);
}

static bool put(struct frame_writer *writer, const uint8_t *data, size_t len)
{
	writer->written += len;
	while (len > 0) {
		ssize_t n = write(writer->fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	if (writer->written - writer->flushed >= FLUSH_BYTES) {
		/* Only sooner, not surer: what it says of a failure fsync says again. */
		sync_file_range(writer->fd, (off_t)writer->flushed, (off_t)(writer->written - writer->flushed), SYNC_FILE_RANGE_WRITE);
		writer->flushed = writer->written;
	}
	return true;
}

static enum status compress(struct frame_writer *writer, const void *data, size_t len, ZSTD_EndDirective directive, struct error *err)
{
	ZSTD_inBuffer in = {.src = data, .size = len};
	size_t left;

	do {
		ZSTD_outBuffer out = {.dst = writer->out, .size = sizeof writer->out};

		left = ZSTD_compressStream2(writer->context, &out, &in, directive);
		if (ZSTD_isError(left))
			return error_set(err, R_IO_WRITE, writer->name, "libzstd: %s", ZSTD_getErrorName(left));
		if (!put(writer, writer->out, out.pos))
			return error_errno(err, R_IO_WRITE, writer->name, "cannot write the file");
	} while (directive == ZSTD_e_end ? left > 0 : in.pos < in.size);
	return OK;
}

enum status frame_write(struct frame_writer *writer, const void *data, size_t len, struct error *err)
{
	return compress(writer, data, len, ZSTD_e_continue, err);
}

enum status frame_end(struct frame_writer *writer, struct error *err)
{
	return compress(writer, NULL, 0, ZSTD_e_end, err);
}

uint64_t frame_written(const struct frame_writer *writer)
{
	return writer->written;
}

void frame_close(struct frame_writer *writer)
{
	if (writer == NULL)
		return;
	ZSTD_freeCCtx(writer->context);
	free(writer);
}

/* Blocks go round: the thread fills, the reader takes, then releases. Counts only grow; released <= taken <= filled <= released + FRAME_BLOCKS. */
struct frame_reader {
	ZSTD_DCtx *context;
	int fd;
	const char *name;
	struct progress *progress;
	pthread_t thread;
	bool running;
	pthread_mutex_t lock;
	pthread_cond_t more, room;
	uint64_t filled, taken, released; /* under the lock */
	bool ended, stopped;              /* under the lock */
	enum status status;               /* set before ended */
	struct error err;
	uint64_t size;                    /* of the file */
	uint64_t in, out;                 /* bytes; the thread's own until ended */
	size_t lens[FRAME_BLOCKS];
	uint8_t *blocks[FRAME_BLOCKS];
	ZSTD_inBuffer input;
	bool pending;                     /* the last block was filled to its end: libzstd may hold more without further input */
	uint8_t bytes[IO_BYTES];
};

/* More input; false at the end of the file. */
static bool refill(struct frame_reader *reader)
{
	ssize_t n;

	do
		n = read(reader->fd, reader->bytes, sizeof reader->bytes);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		reader->status = error_errno(&reader->err, R_IO_READ, reader->name, "cannot read the file");
	if (n <= 0)
		return false;
	reader->input = (ZSTD_inBuffer){.src = reader->bytes, .size = (size_t)n};
	reader->in += (uint64_t)n;
	progress_add(reader->progress, (uint64_t)n);
	return true;
}

static void fault(struct frame_reader *reader, const char *what)
{
	if (reader->status == OK)
		reader->status = error_at(&reader->err, R_PCK_ZSTD, reader->name, reader->in - (reader->input.size - reader->input.pos), "%s", what);
}

/* Fill one block. False: there is no further one, and status says why. */
static bool fill(struct frame_reader *reader, uint8_t *block, size_t *len, bool *whole)
{
	ZSTD_outBuffer out = {.dst = block, .size = FRAME_BLOCK};

	while (out.pos < out.size) {
		size_t before = out.pos;

		if (reader->input.pos == reader->input.size && !reader->pending && !refill(reader)) {
			fault(reader, "the file ends before the frame does");
			return false;
		}
		size_t left = ZSTD_decompressStream(reader->context, &out, &reader->input);

		if (ZSTD_isError(left)) {
			fault(reader, ZSTD_getErrorName(left));
			return false;
		}
		reader->out += out.pos - before;
		reader->pending = out.pos == out.size;
		if (reader->out > FRAME_RATIO_FREE && reader->out / FRAME_RATIO_MAX > reader->size) {
			reader->status = error_set(&reader->err, R_PCK_LIMIT, reader->name, "more than %llu bytes come out of its %llu", (unsigned long long)reader->out,
			                           (unsigned long long)reader->size);
			return false;
		}
		if (left == 0) {
			*whole = true;
			if (reader->input.pos < reader->input.size || refill(reader))
				fault(reader, "something stands after the frame");
			break;
		}
	}
	*len = out.pos;
	return reader->status == OK;
}

static void *decompress(void *argument)
{
	struct frame_reader *reader = argument;
	bool whole = false, good = true;

	while (good && !whole) {
		pthread_mutex_lock(&reader->lock);
		while (!reader->stopped && reader->filled - reader->released == FRAME_BLOCKS)
			pthread_cond_wait(&reader->room, &reader->lock);
		bool stopped = reader->stopped;
		size_t at = (size_t)(reader->filled % FRAME_BLOCKS);

		pthread_mutex_unlock(&reader->lock);
		if (stopped)
			break;
		good = fill(reader, reader->blocks[at], &reader->lens[at], &whole);
		pthread_mutex_lock(&reader->lock);
		reader->filled += good && reader->lens[at] > 0;
		reader->ended = !good || whole;
		pthread_cond_signal(&reader->more);
		pthread_mutex_unlock(&reader->lock);
	}
	return NULL;
}

/* Magic number and frame header descriptor (RFC 8878 section 3.1.1): a frame, not one to skip, with a checksum. */
static bool begins_frame(const struct frame_reader *reader)
{
	static const uint8_t magic[] = {0x28, 0xB5, 0x2F, 0xFD};

	return reader->input.size > sizeof magic && memcmp(reader->bytes, magic, sizeof magic) == 0 && (reader->bytes[4] & 4) != 0;
}

enum status frame_open(int fd, const char *name, uint64_t size, struct progress *progress, struct frame_reader **out, struct error *err)
{
	struct frame_reader *reader = mem_alloc(sizeof *reader);

	*out = NULL;
	reader->context = ZSTD_createDCtx();
	reader->fd = fd;
	reader->name = name;
	reader->size = size;
	reader->progress = progress;
	if (reader->context == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(reader->context, ZSTD_d_windowLogMax, FRAME_WINDOW_LOG_MAX)))
		mem_lacking();
	/* A pipe may give the first bytes one by one; a file does not. */
	refill(reader);
	if (reader->status == OK && !begins_frame(reader))
		fault(reader, "it does not begin with a Zstandard frame that has a checksum");
	for (size_t i = 0; i < FRAME_BLOCKS; i++)
		reader->blocks[i] = mem_alloc(FRAME_BLOCK);
	pthread_mutex_init(&reader->lock, NULL);
	pthread_cond_init(&reader->more, NULL);
	pthread_cond_init(&reader->room, NULL);
	if (reader->status == OK) {
		reader->running = pthread_create(&reader->thread, NULL, decompress, reader) == 0;
		if (!reader->running)
			reader->status = error_set(&reader->err, R_IO_READ, name, "no thread can be started");
	}
	enum status status = reader->status;

	if (status == OK) {
		*out = reader;
	} else {
		if (err != NULL)
			*err = reader->err;
		frame_stop(reader);
	}
	return status;
}

enum status frame_next(struct frame_reader *reader, const uint8_t **data, size_t *len, struct error *err)
{
	enum status status = OK;

	*data = NULL;
	*len = 0;
	pthread_mutex_lock(&reader->lock);
	while (reader->taken == reader->filled && !reader->ended)
		pthread_cond_wait(&reader->more, &reader->lock);
	if (reader->taken < reader->filled) {
		size_t at = (size_t)(reader->taken++ % FRAME_BLOCKS);

		*data = reader->blocks[at];
		*len = reader->lens[at];
	} else {
		status = reader->status;
		if (status != OK && err != NULL)
			*err = reader->err;
	}
	pthread_mutex_unlock(&reader->lock);
	return status;
}

void frame_release(struct frame_reader *reader)
{
	pthread_mutex_lock(&reader->lock);
	reader->released++;
	pthread_cond_signal(&reader->room);
	pthread_mutex_unlock(&reader->lock);
}

uint64_t frame_read(const struct frame_reader *reader)
{
	return reader->in;
}

void frame_stop(struct frame_reader *reader)
{
	if (reader == NULL)
		return;
	pthread_mutex_lock(&reader->lock);
	reader->stopped = true;
	pthread_cond_signal(&reader->room);
	pthread_mutex_unlock(&reader->lock);
	if (reader->running)
		pthread_join(reader->thread, NULL);
	pthread_mutex_destroy(&reader->lock);
	pthread_cond_destroy(&reader->more);
	pthread_cond_destroy(&reader->room);
	for (size_t i = 0; i < FRAME_BLOCKS; i++)
		free(reader->blocks[i]);
	ZSTD_freeDCtx(reader->context);
	free(reader);
}
