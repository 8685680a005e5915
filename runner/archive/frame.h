/*
 * One Zstandard frame (RFC 8878), written and read as a stream.
 *
 * libzstd itself and not libarchive's filter: that takes windows of 128 MiB and further frames after the first one, and does not fix how the input is cut into jobs, on
 * which the bytes depend.
 */
#ifndef PTXSEAL_ARCHIVE_FRAME_H
#define PTXSEAL_ARCHIVE_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/progress.h"

enum {
	FRAME_WINDOW_LOG_MAX = 23, /* 8 MiB: what level 19 uses */
	FRAME_BLOCK = 256 << 10,   /* bytes of a block that a reader hands out, but for the last one; a level 2 cache holds some */
	FRAME_BLOCKS = 16,         /* that may be held at a time */
	FRAME_RATIO_MAX = 512,     /* bytes that may come out for each byte of the file, and anyway FRAME_RATIO_FREE */
	FRAME_RATIO_FREE = 64 << 20,
};

/* Writing. The bytes are a function of the input, the level and the version of libzstd: input is always cut into jobs of JOB_BYTES, on however many threads (frame.c). */
struct frame_writer;
/* name is for messages; fd stays the caller's. Level from 1, threads from 1. */
enum status frame_create(int fd, const char *name, int level, unsigned threads, struct frame_writer **writer, struct error *err);
enum status frame_write(struct frame_writer *writer, const void *data, size_t len, struct error *err);
enum status frame_end(struct frame_writer *writer, struct error *err);  /* writes what is left; only frame_close after it */
uint64_t frame_written(const struct frame_writer *writer); /* bytes that went out so far */
void frame_close(struct frame_writer *writer);             /* NULL is fine */

/* Reading: a thread decompresses ahead. Blocks stay valid until they are released, in their order. */
struct frame_reader;
/* size: of the file; progress (may be NULL) counts bytes read of it. Refused with R_PCK_ZSTD, before anything comes out: no frame, no checksum. */
enum status frame_open(int fd, const char *name, uint64_t size, struct progress *progress, struct frame_reader **reader, struct error *err);
/* The next block; *len is 0 at the end, which is the end of frame and file. R_PCK_ZSTD, R_PCK_LIMIT or R_IO_READ: only frame_stop after it. No more than FRAME_BLOCKS - 2 blocks may be unreleased. */
enum status frame_next(struct frame_reader *reader, const uint8_t **data, size_t *len, struct error *err);
void frame_release(struct frame_reader *reader); /* the oldest one */
uint64_t frame_read(const struct frame_reader *reader); /* bytes of the file that were read; valid once the end came */
void frame_stop(struct frame_reader *reader);    /* NULL is fine */

#endif
