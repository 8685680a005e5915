#include "ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	MAGIC = 8,
	FIELDS = MAGIC + 3 * 8,                  /* magic, number, bytes of frames, frames */
	GROUP_HEAD = FIELDS + 2 * SHA256_BYTES,  /* and both hashes */
	FRAME_HEAD = 3 * 8 + SHA256_BYTES,
	FILL = 1 << 20, /* zeros are written so far ahead of the groups: a block that was written before is flushed without the file's own record, in two thirds of the time */
};

static const char magic[MAGIC + 1] = "ptxseal1";
static const char zeros[64 << 10];

static void put_number(char *to, uint64_t number)
{
	for (int i = 0; i < 8; i++)
		to[i] = (char)(number >> 8 * i & 0xff);
}

static uint64_t number_at(const char *from)
{
	uint64_t number = 0;

	for (int i = 7; i >= 0; i--)
		number = number << 8 | (uint8_t)from[i];
	return number;
}

static size_t whole_blocks(size_t len)
{
	return (len + AHEAD_BLOCK - 1) / AHEAD_BLOCK * AHEAD_BLOCK;
}

/* ---- a group ---- */

size_t ahead_size(const struct bytes *group, size_t more)
{
	return whole_blocks((group->len > 0 ? group->len : GROUP_HEAD) + FRAME_HEAD + more);
}

void ahead_add(struct bytes *group, const struct ahead_frame *frame)
{
	char head[FRAME_HEAD];

	if (group->len == 0)
		bytes_add(group, zeros, GROUP_HEAD);
	put_number(head, frame->kind);
	put_number(head + 8, frame->at);
	put_number(head + 16, frame->len);
	memcpy(head + 24, &frame->hash, sizeof frame->hash);
	bytes_add(group, head, FRAME_HEAD);
	bytes_add(group, frame->data, frame->len);
}

/* The frame at *at of the len bytes of a group's frames, and behind it; false: none can be there. */
static bool take_frame(const char *frames, size_t len, size_t *at, struct ahead_frame *frame)
{
	if (len - *at < FRAME_HEAD)
		return false;
	const char *head = frames + *at;
	const uint64_t kind = number_at(head), bytes = number_at(head + 16);

	if (kind >= AHEAD_KINDS || bytes > AHEAD_FRAME_MAX || bytes > len - *at - FRAME_HEAD)
		return false;
	*frame = (struct ahead_frame){.kind = (enum ahead_kind)kind, .at = number_at(head + 8), .data = head + FRAME_HEAD, .len = (size_t)bytes};
	memcpy(&frame->hash, head + 24, sizeof frame->hash);
	*at += FRAME_HEAD + frame->len;
	return true;
}

enum status ahead_frames(const struct bytes *group, ahead_visit *visit, void *context, struct error *err)
{
	struct ahead_frame frame;
	enum status status = OK;

	for (size_t at = 0, len = group->len > 0 ? group->len - GROUP_HEAD : 0; at < len && status == OK;) {
		take_frame(group->data + GROUP_HEAD, len, &at, &frame);
		status = visit(context, &frame, err);
	}
	return status;
}

/* Fill in the head and the zeros behind the frames. */
static void finish_group(struct bytes *group, uint64_t number)
{
	struct bytes heads = {0};
	struct ahead_frame frame;
	const size_t len = group->len - GROUP_HEAD;
	uint64_t count = 0;

	for (size_t at = 0; at < len; count++) {
		const char *head = group->data + GROUP_HEAD + at;

		take_frame(group->data + GROUP_HEAD, len, &at, &frame);
		bytes_add(&heads, head, FRAME_HEAD);
	}
	memcpy(group->data, magic, MAGIC);
	put_number(group->data + MAGIC, number);
	put_number(group->data + MAGIC + 8, len);
	put_number(group->data + MAGIC + 16, count);
	struct sha256 hash = sha256_of(heads.data, heads.len);

	memcpy(group->data + FIELDS, &hash, sizeof hash);
	hash = sha256_of(group->data, FIELDS + sizeof hash);
	memcpy(group->data + FIELDS + sizeof hash, &hash, sizeof hash);
	bytes_free(&heads);
	bytes_add(group, zeros, whole_blocks(group->len) - group->len);
}

/* ---- reading ---- */

struct group {
	uint64_t number;
	const char *frames;
	size_t len; /* of the frames */
};

/* Its head is one of a group's. Written in one sector, it is there as a whole or not at all. */
static bool has_head(const char *data, size_t len, struct group *group)
{
	if (len < GROUP_HEAD || memcmp(data, magic, MAGIC) != 0)
		return false;
	const struct sha256 hash = sha256_of(data, FIELDS + SHA256_BYTES);
	const uint64_t bytes = number_at(data + MAGIC + 8);

	*group = (struct group){.number = number_at(data + MAGIC), .frames = data + GROUP_HEAD, .len = (size_t)bytes};
	return memcmp(&hash, data + FIELDS + SHA256_BYTES, sizeof hash) == 0 && bytes > 0 && bytes <= AHEAD_GROUP_MAX;
}

/* All of it is there: data begins with its head. */
static bool is_whole(const char *data, size_t len, const struct group *group)
{
	struct bytes heads = {0};
	struct ahead_frame frame;
	uint64_t count = 0;
	size_t at = 0;
	bool whole = group->len <= len - GROUP_HEAD;

	while (whole && at < group->len) {
		const char *head = group->frames + at;

		whole = take_frame(group->frames, group->len, &at, &frame);
		if (whole) {
			const struct sha256 hash = sha256_of(frame.data, frame.len);

			whole = memcmp(&hash, &frame.hash, sizeof hash) == 0;
			bytes_add(&heads, head, FRAME_HEAD);
			count++;
		}
	}
	if (whole) {
		const struct sha256 hash = sha256_of(heads.data, heads.len);

		whole = count == number_at(data + MAGIC + 16) && memcmp(&hash, data + FIELDS, sizeof hash) == 0;
	}
	bytes_free(&heads);
	return whole;
}

static bool is_zero(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (data[i] != 0)
			return false;
	return true;
}

/* What an area holds. */
struct area {
	size_t begin, end; /* in the file */
	size_t used;       /* where its last whole group ends */
	uint64_t first, next; /* numbers: of its first whole group, and of the one behind its last. The same: it has none */
};

struct reading {
	const char *data, *file;
	ahead_visit *visit;
	void *context;
	bool began[AHEAD_KINDS];
	uint64_t next[AHEAD_KINDS]; /* byte at which the next lines of their file begin, once some began */
};

static enum status damaged(const struct reading *reading, size_t at, const char *what, struct error *err)
{
	return error_at(err, R_AHD_DAMAGED, reading->file, at, "%s", what);
}

/*
 * The whole groups of an area, and that none stands behind one that is not. Behind the last one may be what is left of a torn one, and of groups of before the area was cleared, whose
 * numbers are lower.
 */
static enum status look_at_area(const struct reading *reading, struct area *area, struct error *err)
{
	const char *data = reading->data;
	struct group group;
	size_t at = area->begin;

	area->used = at;
	if (area->end - at < GROUP_HEAD || is_zero(data + at, GROUP_HEAD))
		return OK;
	if (!has_head(data + at, area->end - at, &group))
		return damaged(reading, at, "an area begins with what is no group", err);
	area->first = area->next = group.number;
	while (at < area->end && has_head(data + at, area->end - at, &group) && group.number == area->next && is_whole(data + at, area->end - at, &group)) {
		at += whole_blocks(GROUP_HEAD + group.len);
		area->next++;
	}
	area->used = at < area->end ? at : area->end;
	for (; at < area->end; at += AHEAD_BLOCK)
		if (has_head(data + at, area->end - at, &group) && group.number >= area->next && is_whole(data + at, area->end - at, &group))
			return damaged(reading, area->used, "a group that is not whole stands before one that is", err);
	return OK;
}

static enum status visit_frame(struct reading *reading, const struct ahead_frame *frame, size_t at, struct error *err)
{
	if (frame->kind == AHEAD_OBJECT)
		return frame->at != 0 ? damaged(reading, at, "an object has a place among lines", err) : reading->visit(reading->context, frame, err);
	if (frame->len == 0 || frame->data[frame->len - 1] != '\n' || frame->at > INT64_MAX)
		return damaged(reading, at, "what stands for lines is none", err);
	if (reading->began[frame->kind] && frame->at != reading->next[frame->kind])
		return damaged(reading, at, "lines do not begin where those before them end", err);
	reading->began[frame->kind] = true;
	reading->next[frame->kind] = frame->at + frame->len;
	return reading->visit(reading->context, frame, err);
}

static enum status visit_area(struct reading *reading, const struct area *area, struct error *err)
{
	struct group group;
	struct ahead_frame frame;
	enum status status = OK;

	for (size_t at = area->begin; at < area->used && status == OK; at += whole_blocks(GROUP_HEAD + group.len)) {
		has_head(reading->data + at, area->end - at, &group);
		for (size_t in = 0; in < group.len && status == OK;) {
			take_frame(group.frames, group.len, &in, &frame);
			status = visit_frame(reading, &frame, at, err);
		}
	}
	return status;
}

enum status ahead_read(const char *data, size_t len, const char *file, ahead_visit *visit, void *context, struct error *err)
{
	struct reading reading = {.data = data, .file = file, .visit = visit, .context = context};
	struct area areas[AHEAD_AREAS];
	enum status status = OK;

	if (len > AHEAD_FILE_MAX)
		return damaged(&reading, AHEAD_FILE_MAX, "it is larger than its two areas", err);
	for (size_t i = 0; i < AHEAD_AREAS && status == OK; i++) {
		const size_t begin = i * AHEAD_AREA < len ? i * AHEAD_AREA : len, end = begin + AHEAD_AREA < len ? begin + AHEAD_AREA : len;

		areas[i] = (struct area){.begin = begin, .end = end};
		status = look_at_area(&reading, &areas[i], err);
	}
	if (status != OK)
		return status;
	const bool both = areas[0].first < areas[0].next && areas[1].first < areas[1].next;
	const size_t first = both && areas[1].first < areas[0].first ? 1 : 0;

	if (both && areas[1 - first].first != areas[first].next)
		return damaged(&reading, areas[1 - first].begin, "its areas do not follow one another", err);
	status = visit_area(&reading, &areas[first], err);
	return status == OK ? visit_area(&reading, &areas[1 - first], err) : status;
}

/* ---- writing ---- */

struct ahead {
	struct root directory;
	char *path;
	const char *name; /* the last part of path */
	int fd;           /* -1: not made yet */
	unsigned area;
	uint64_t number;
	size_t used;                /* of the area that is written */
	size_t filled[AHEAD_AREAS]; /* of each: bytes that were written before, groups or zeros */
};

enum status ahead_open(const struct root *root, const char *path, struct ahead **opened, struct error *err)
{
	struct ahead *ahead = mem_alloc(sizeof *ahead);
	const char *slash = strrchr(path, '/');
	char *directory = mem_textn(path, (size_t)(slash - path));
	const enum status status = root_beneath(root, directory, &ahead->directory, err);

	ahead->fd = -1;
	ahead->path = mem_text(path);
	ahead->name = ahead->path + (slash - path) + 1;
	free(directory);
	*opened = status == OK ? ahead : NULL;
	if (status != OK)
		ahead_free(ahead);
	return status;
}

void ahead_free(struct ahead *ahead)
{
	if (ahead == NULL)
		return;
	if (ahead->fd >= 0)
		close(ahead->fd);
	root_close(&ahead->directory);
	free(ahead->path);
	free(ahead);
}

bool ahead_has_room(const struct ahead *ahead, size_t size)
{
	return size <= AHEAD_AREA - ahead->used;
}

unsigned ahead_turn(struct ahead *ahead)
{
	const unsigned left = ahead->area;

	ahead->area = (left + 1) % AHEAD_AREAS;
	ahead->used = 0;
	return left;
}

static bool write_at(int fd, const char *data, size_t len, off_t at)
{
	while (len > 0) {
		const ssize_t n = pwrite(fd, data, len, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		data += n;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

/* Zeros from the end of a group that goes beyond what was written before. They only save time: where there is no room for them, the group counts all the same, and what they took goes back to those who need it. */
static void fill(struct ahead *ahead, size_t end)
{
	size_t *filled = &ahead->filled[ahead->area];
	const off_t begin = (off_t)ahead->area * AHEAD_AREA;

	if (end <= *filled)
		return;
	*filled = (end + FILL) / FILL * FILL < AHEAD_AREA ? (end + FILL) / FILL * FILL : AHEAD_AREA;
	for (size_t at = end; at < *filled; at += sizeof zeros) {
		if (write_at(ahead->fd, zeros, *filled - at < sizeof zeros ? *filled - at : sizeof zeros, begin + (off_t)at))
			continue;
		fallocate(ahead->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, begin + (off_t)end, (off_t)(*filled - end)); /* best effort */
		*filled = end;
	}
}

static enum status make(struct ahead *ahead, struct error *err)
{
	ahead->fd = openat(ahead->directory.fd, ahead->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (ahead->fd < 0 && errno == EEXIST)
		return error_set(err, R_AHD_UNFINISHED, ahead->path, "it is there");
	return ahead->fd >= 0 && fsync(ahead->directory.fd) == 0 ? OK : error_errno(err, R_IO_WRITE, ahead->path, "cannot make the file");
}

enum status ahead_write(struct ahead *ahead, struct bytes *group, struct error *err)
{
	const size_t frames = group->len;
	enum status status = OK;

	finish_group(group, ahead->number);
	if (ahead->fd < 0)
		status = make(ahead, err);
	if (status == OK && !write_at(ahead->fd, group->data, group->len, (off_t)ahead->area * AHEAD_AREA + (off_t)ahead->used))
		status = error_errno(err, R_IO_WRITE, ahead->path, "cannot keep what came");
	if (status == OK) {
		fill(ahead, ahead->used + group->len);
		if (fdatasync(ahead->fd) != 0)
			status = error_errno(err, R_IO_WRITE, ahead->path, "cannot keep what came");
	}
	if (status == OK) {
		ahead->used += group->len;
		ahead->number++;
	}
	group->len = frames; /* as it was: without the zeros behind it */
	return status;
}

/* The head alone, in one sector: of a whole block the power may leave half, the head or what is behind it. */
enum status ahead_clear(struct ahead *ahead, unsigned area, struct error *err)
{
	if (ahead->fd < 0 || (write_at(ahead->fd, zeros, GROUP_HEAD, (off_t)area * AHEAD_AREA) && fdatasync(ahead->fd) == 0))
		return OK;
	return error_errno(err, R_IO_WRITE, ahead->path, "cannot clear what is in its place");
}

enum status ahead_remove(struct ahead *ahead, struct error *err)
{
	if (ahead->fd < 0)
		return OK;
	close(ahead->fd);
	ahead->fd = -1;
	ahead->number = 0;
	ahead->used = 0;
	memset(ahead->filled, 0, sizeof ahead->filled);
	if (unlinkat(ahead->directory.fd, ahead->name, 0) == 0 && fsync(ahead->directory.fd) == 0)
		return OK;
	return error_errno(err, R_IO_WRITE, ahead->path, "cannot remove it, though everything is in its place");
}
