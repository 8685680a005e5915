#include "tar.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "../base/bytes.h"

struct tar_writer {
	struct archive *archive;
	struct archive_entry *entry;
	const char *name;
	tar_sink *sink;
	void *context;
	enum status status; /* of the sink; it is not called again after a failure */
	struct error err;
};

/* libarchive is never told of a failure: after one it would not free all it has. */
static la_ssize_t on_write(struct archive *archive, void *context, const void *data, size_t len)
{
	struct tar_writer *writer = context;

	(void)archive;
	if (writer->status == OK)
		writer->status = writer->sink(writer->context, data, len, &writer->err);
	return (la_ssize_t)len;
}

void tar_create(const char *name, tar_sink *sink, void *context, struct tar_writer **out)
{
	struct tar_writer *writer = mem_alloc(sizeof *writer);

	*writer = (struct tar_writer){
		.archive = archive_write_new(), .entry = archive_entry_new(), .name = name, .sink = sink, .context = context};
	/* No blocking factor: whatever is written goes straight on, and nothing pads the end to a tape's record. */
	if (writer->archive == NULL || writer->entry == NULL || archive_write_set_format_gnutar(writer->archive) != ARCHIVE_OK ||
	    archive_write_add_filter_none(writer->archive) != ARCHIVE_OK || archive_write_set_bytes_per_block(writer->archive, 0) != ARCHIVE_OK ||
	    archive_write_open(writer->archive, writer, NULL, on_write, NULL) != ARCHIVE_OK)
		mem_lacking();
	*out = writer;
}

static enum status failed(struct tar_writer *writer, struct error *err)
{
	if (writer->status == OK)
		return error_set(err, R_IO_WRITE, writer->name, "libarchive: %s", archive_error_string(writer->archive));
	if (err != NULL)
		*err = writer->err;
	return writer->status;
}

enum status tar_entry(struct tar_writer *writer, const char *path, uint64_t size, struct error *err)
{
	archive_entry_clear(writer->entry);
	archive_entry_copy_pathname(writer->entry, path);
	archive_entry_set_size(writer->entry, (la_int64_t)size);
	archive_entry_set_filetype(writer->entry, AE_IFREG);
	archive_entry_set_perm(writer->entry, 0644);
	archive_entry_set_mtime(writer->entry, TAR_TIME, 0);
	bool written = archive_write_header(writer->archive, writer->entry) == ARCHIVE_OK;

	return written && writer->status == OK ? OK : failed(writer, err);
}

enum status tar_data(struct tar_writer *writer, const void *data, size_t len, struct error *err)
{
	bool written = archive_write_data(writer->archive, data, len) == (la_ssize_t)len;

	return written && writer->status == OK ? OK : failed(writer, err);
}

enum status tar_end(struct tar_writer *writer, struct error *err)
{
	bool written = archive_write_close(writer->archive) == ARCHIVE_OK;

	return written && writer->status == OK ? OK : failed(writer, err);
}

void tar_close(struct tar_writer *writer)
{
	if (writer == NULL)
		return;
	archive_entry_free(writer->entry);
	archive_write_free(writer->archive);
	free(writer);
}

/* Blocks that libarchive has been given and the writer has not made again yet: it reads ahead by a header at most. */
enum { HELD_MAX = FRAME_BLOCKS - 2 };

struct held {
	const uint8_t *data;
	size_t len;
};

struct tar_reader {
	struct archive *archive;
	struct frame_reader *frame;
	struct tar_writer *again;
	const char *name;
	struct held held[HELD_MAX];
	size_t first, count; /* a ring */
	size_t compared;     /* bytes of the first one */
	uint64_t offset;     /* of all that was compared */
	bool opened;         /* by libarchive, which reads the first block then */
	uint64_t left;       /* bytes of the entry that have not come yet */
	struct held handed;  /* to the caller, who still reads it: compared, and with that released, when the next one is asked for */
	enum status status;  /* of the frame, or of comparing */
	struct error err;
};

static enum status differs(struct tar_reader *reader, const char *what, struct error *err)
{
	return error_at(err, R_PCK_TAR, reader->name, reader->offset, "%s (the byte is one of the tar archive inside)", what);
}

static la_ssize_t on_read(struct archive *archive, void *context, const void **data)
{
	struct tar_reader *reader = context;
	const uint8_t *block;
	size_t len;

	if (reader->status == OK && reader->count == HELD_MAX)
		reader->status = differs(reader, "an entry begins in another form", &reader->err);
	if (reader->status == OK)
		reader->status = frame_next(reader->frame, &block, &len, &reader->err);
	if (reader->status != OK) {
		archive_set_error(archive, EIO, "the source failed");
		return -1;
	}
	*data = block;
	if (len > 0)
		reader->held[(reader->first + reader->count++) % HELD_MAX] = (struct held){.data = block, .len = len};
	return (la_ssize_t)len;
}

/* The sink of the archive that is written again. */
static enum status compare(void *context, const void *data, size_t len, struct error *err)
{
	struct tar_reader *reader = context;
	const uint8_t *at = data;

	while (len > 0) {
		struct held *held = &reader->held[reader->first];

		/* Data that libarchive handed out, and headers it has read, are held; only the end of the archive may not be. */
		if (reader->count == 0) {
			const void *more;

			if (on_read(reader->archive, reader, &more) < 0) {
				if (err != NULL)
					*err = reader->err;
				return reader->status;
			}
			if (reader->count == 0)
				return differs(reader, "the archive ends too early", err);
			continue;
		}
		size_t part = held->len - reader->compared < len ? held->len - reader->compared : len;

		/* libarchive hands out what we gave it: then there is nothing to compare. */
		if (at != held->data + reader->compared && memcmp(at, held->data + reader->compared, part) != 0)
			return differs(reader, "what stands here is not what pack writes for these names and sizes", err);
		at += part;
		len -= part;
		reader->compared += part;
		reader->offset += part;
		if (reader->compared == held->len) {
			reader->first = (reader->first + 1) % HELD_MAX;
			reader->count--;
			reader->compared = 0;
			frame_release(reader->frame);
		}
	}
	return OK;
}

void tar_open(struct frame_reader *frame, const char *name, struct tar_reader **out)
{
	struct tar_reader *reader = mem_alloc(sizeof *reader);

	*reader = (struct tar_reader){.archive = archive_read_new(), .frame = frame, .name = name};
	if (reader->archive == NULL || archive_read_support_format_tar(reader->archive) != ARCHIVE_OK)
		mem_lacking();
	tar_create(name, compare, reader, &reader->again);
	*out = reader;
}

/* libarchive says no: because of what stands there, unless we said so first. */
static enum status refused(struct tar_reader *reader, struct error *err)
{
	const char *why = archive_error_string(reader->archive);

	if (reader->status == OK)
		return error_at(err, R_PCK_TAR, reader->name, reader->offset, "libarchive: %s", why != NULL ? why : "it is no tar archive");
	if (err != NULL)
		*err = reader->err;
	return reader->status;
}

/* The end: what the writer ends with, and then nothing. */
static enum status finish(struct tar_reader *reader, struct error *err)
{
	enum status status = tar_end(reader->again, err);
	const void *more;

	if (status != OK)
		return status;
	if (reader->count > 0 || on_read(reader->archive, reader, &more) > 0)
		return differs(reader, "something stands after the end of the archive", err);
	return reader->status == OK ? OK : refused(reader, err);
}

static enum status compare_handed(struct tar_reader *reader, struct error *err)
{
	struct held handed = reader->handed;

	reader->handed = (struct held){0};
	return handed.len > 0 ? tar_data(reader->again, handed.data, handed.len, err) : OK;
}

enum status tar_next(struct tar_reader *reader, const char **path, uint64_t *size, struct error *err)
{
	struct archive_entry *entry;
	enum status status = OK;
	const void *data;
	size_t len = 1;

	*path = NULL;
	while (status == OK && reader->left > 0 && len > 0)
		status = tar_block(reader, &data, &len, err);
	if (status == OK)
		status = compare_handed(reader, err);
	if (status != OK)
		return status;
	int said = reader->status == OK ? ARCHIVE_OK : ARCHIVE_FATAL;

	if (said == ARCHIVE_OK && !reader->opened)
		said = archive_read_open(reader->archive, reader, NULL, on_read, NULL);
	reader->opened = true;
	if (said == ARCHIVE_OK)
		said = archive_read_next_header(reader->archive, &entry);
	if (said == ARCHIVE_EOF)
		return finish(reader, err);
	if (said != ARCHIVE_OK)
		return refused(reader, err);
	const char *name = archive_entry_pathname(entry);

	if (archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != NULL || archive_entry_symlink(entry) != NULL ||
	    archive_entry_sparse_count(entry) > 0)
		return error_at(err, R_PCK_KIND, reader->name, reader->offset, "'%s' is none", name != NULL ? name : "");
	if (name == NULL || !archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0)
		return differs(reader, "an entry without name or size", err);
	*size = (uint64_t)archive_entry_size(entry);
	status = tar_entry(reader->again, name, *size, err);
	if (status != OK)
		return status;
	reader->left = *size;
	*path = name;
	return OK;
}

enum status tar_block(struct tar_reader *reader, const void **data, size_t *len, struct error *err)
{
	la_int64_t offset;

	enum status status = compare_handed(reader, err);

	*len = 0;
	if (status != OK || reader->left == 0)
		return status;
	int said = reader->status == OK ? archive_read_data_block(reader->archive, data, len, &offset) : ARCHIVE_FATAL;

	if (said != ARCHIVE_OK && said != ARCHIVE_EOF)
		return refused(reader, err);
	if (said == ARCHIVE_EOF || *len == 0 || *len > reader->left)
		return differs(reader, "the entry has not the bytes it declares", err);
	reader->left -= *len;
	reader->handed = (struct held){.data = *data, .len = *len};
	return OK;
}

void tar_stop(struct tar_reader *reader)
{
	if (reader == NULL)
		return;
	tar_close(reader->again);
	archive_read_free(reader->archive);
	free(reader);
}
