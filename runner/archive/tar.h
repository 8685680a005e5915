/*
 * The tar archive inside: GNU tar's form, through libarchive, in the one way that makes the same bytes of the same names, sizes and contents on every machine.
 *
 * Regular files only, in the order of their names' bytes; mode 0644, owner and group 0 without names, time TAR_TIME, no other times. GNU's form holds a name's bytes as they
 * are, however long. pax would not: libarchive writes it by the reader's locale, and reads names back in another Unicode normal form.
 *
 * Reading, the archive is written again beside it and compared: whatever differs from what the writer makes of these entries is refused, be it a header's field,
 * padding, a further entry kind, or bytes after the end.
 */
#ifndef PTXSEAL_ARCHIVE_TAR_H
#define PTXSEAL_ARCHIVE_TAR_H

#include "../base/error.h"
#include "frame.h"

#define TAR_TIME 315532800 /* 1980-01-01: GNU tar warns of earlier times, and zip knows none */

/* Writing. */
typedef enum status tar_sink(void *context, const void *data, size_t len, struct error *err);
struct tar_writer;
/* name is for messages. Nothing reaches the sink after it failed. */
void tar_create(const char *name, tar_sink *sink, void *context, struct tar_writer **writer);
/* The next file; exactly size bytes have to follow. */
enum status tar_entry(struct tar_writer *writer, const char *path, uint64_t size, struct error *err);
enum status tar_data(struct tar_writer *writer, const void *data, size_t len, struct error *err);
enum status tar_end(struct tar_writer *writer, struct error *err);
void tar_close(struct tar_writer *writer); /* NULL is fine */

/* Reading. */
struct tar_reader;
void tar_open(struct frame_reader *frame, const char *name, struct tar_reader **reader);
/* The next file; *path is NULL at the end, and then the archive has been compared to its last byte. Raw bytes, of any form; valid until the next call. R_PCK_KIND: not a regular file.
 * Of an entry that was not read to its end the rest is skipped and compared. */
enum status tar_next(struct tar_reader *reader, const char **path, uint64_t *size, struct error *err);
/* Its next bytes; *len is 0 at its end, once all size bytes came. Valid until the next call. */
enum status tar_block(struct tar_reader *reader, const void **data, size_t *len, struct error *err);
void tar_stop(struct tar_reader *reader); /* NULL is fine; the frame stays the caller's */

#endif
