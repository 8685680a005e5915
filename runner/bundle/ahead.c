#include "ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum {
	MAGIC = 8,
	FIELDS = MAGIC + 5 * 8,                  /* magic, session, number, flushed, bytes of frames, frames */
	GROUP_HEAD = FIELDS + 2 * SHA256_BYTES,  /* and both hashes */
	FRAME_HEAD = 3 * 8 + SHA256_BYTES,
	FILL = 1 << 20, /* zeros are written so far ahead of the groups: a block that was written before is flushed without the file's own record, in two thirds of the time */
};

static const char magic[MAGIC + 1] = "ptxseal2";
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
static void finish_group(struct bytes *group, uint64_t session, uint64_t number, uint64_t flushed)
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
	put_number(group->data + MAGIC, session);
	put_number(group->data + MAGIC + 8, number);
	put_number(group->data + MAGIC + 16, flushed);
	put_number(group->data + MAGIC + 24, len);
	put_number(group->data + MAGIC + 32, count);
	struct sha256 hash = sha256_of(heads.data, heads.len);

	memcpy(group->data + FIELDS, &hash, sizeof hash);
	hash = sha256_of(group->data, FIELDS + sizeof hash);
	memcpy(group->data + FIELDS + sizeof hash, &hash, sizeof hash);
	bytes_free(&heads);
	bytes_add(group, zeros, whole_blocks(group->len) - group->len);
}

/* ---- reading ---- */

struct group {
	uint64_t session, number, flushed;
	const char *frames;
	size_t len; /* of the frames */
};

/* Its head is one of a group's. Written in one sector, it is there as a whole or not at all. */
static bool has_head(const char *data, size_t len, struct group *group)
{
	if (len < GROUP_HEAD || memcmp(data, magic, MAGIC) != 0)
		return false;
	const struct sha256 hash = sha256_of(data, FIELDS + SHA256_BYTES);
	const uint64_t bytes = number_at(data + MAGIC + 24);

	*group = (struct group){.session = number_at(data + MAGIC), .number = number_at(data + MAGIC + 8), .flushed = number_at(data + MAGIC + 16), .frames = data + GROUP_HEAD, .len = (size_t)bytes};
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

		whole = count == number_at(data + MAGIC + 32) && memcmp(&hash, data + FIELDS, sizeof hash) == 0;
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
	bool has_first;       /* the head of its first group is there */
	uint64_t session;     /* the one which that head names */
	uint64_t flushed;     /* groups, of those of the session that its heads name */
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
 * The whole groups of an area. Behind the last one may be torn ones, whole ones that came behind those, and what is left of before the area was cleared: of all of them only the heads count, and
 * of these those of the session, whose number nobody knows who chose what is in an object.
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
	area->has_first = true;
	area->session = group.session;
	area->first = area->next = group.number;
	while (at < area->end && has_head(data + at, area->end - at, &group) && group.session == area->session && group.number == area->next && is_whole(data + at, area->end - at, &group)) {
		area->flushed = group.flushed > area->flushed ? group.flushed : area->flushed;
		at += whole_blocks(GROUP_HEAD + group.len);
		area->next++;
	}
	area->used = at < area->end ? at : area->end;
	for (; at < area->end; at += AHEAD_BLOCK)
		if (has_head(data + at, area->end - at, &group) && group.session == area->session && group.flushed > area->flushed)
			area->flushed = group.flushed;
	return OK;
}

/* The areas in the order of their groups, those that count: of the second one nothing does where the first one ends with a group that is not whole. Their number. */
static enum status order_areas(const struct reading *reading, struct area areas[AHEAD_AREAS], size_t *count, struct error *err)
{
	struct area *first = &areas[0], *second = &areas[1];

	if (first->has_first && second->has_first && first->session != second->session)
		return damaged(reading, second->begin, "its areas are of two sessions", err);
	if (!first->has_first || (second->has_first && second->first < first->first)) {
		const struct area swap = *first;

		*first = *second;
		*second = swap;
	}
	*count = first->has_first ? second->has_first ? 2 : 1 : 0;
	if (*count == 0)
		return OK;
	const uint64_t flushed = first->flushed > second->flushed ? first->flushed : second->flushed;

	if (*count == 2 && second->first < first->next)
		return damaged(reading, second->begin, "its areas do not follow one another", err);
	if (*count == 2 && second->first > first->next)
		*count = 1;
	const struct area *last = &areas[*count - 1];

	return flushed > last->next ? damaged(reading, last->used, "a group that was flushed is not whole", err) : OK;
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
	size_t count = 0;
	enum status status = OK;

	if (len > AHEAD_FILE_MAX)
		return damaged(&reading, AHEAD_FILE_MAX, "it is larger than its two areas", err);
	for (size_t i = 0; i < AHEAD_AREAS && status == OK; i++) {
		const size_t begin = i * AHEAD_AREA < len ? i * AHEAD_AREA : len, end = begin + AHEAD_AREA < len ? begin + AHEAD_AREA : len;

		areas[i] = (struct area){.begin = begin, .end = end};
		status = look_at_area(&reading, &areas[i], err);
	}
	if (status == OK)
		status = order_areas(&reading, areas, &count, err);
	for (size_t i = 0; i < count && status == OK; i++)
		status = visit_area(&reading, &areas[i], err);
	return status;
}

/* ---- writing ---- */

struct ahead {
	struct root directory;
	char *path;
	const char *name; /* the last part of path */
	int fd;           /* -1: not made yet */
	unsigned area;
	uint64_t session;             /* drawn at random, with the file */
	atomic_uint_fast64_t number;  /* of the next group: so many were written */
	atomic_uint_fast64_t flushed; /* so many the disk has */
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
	if (ahead->fd < 0 || fsync(ahead->directory.fd) != 0 || getrandom(&ahead->session, sizeof ahead->session, 0) != (ssize_t)sizeof ahead->session)
		return error_errno(err, R_IO_WRITE, ahead->path, "cannot make the file");
	return OK;
}

enum status ahead_write(struct ahead *ahead, struct bytes *group, struct error *err)
{
	const size_t frames = group->len;
	enum status status = ahead->fd < 0 ? make(ahead, err) : OK;

	finish_group(group, ahead->session, ahead->number, ahead->flushed);
	if (status == OK && !write_at(ahead->fd, group->data, group->len, (off_t)ahead->area * AHEAD_AREA + (off_t)ahead->used))
		status = error_errno(err, R_IO_WRITE, ahead->path, "cannot keep what came");
	if (status == OK) {
		fill(ahead, ahead->used + group->len);
		ahead->used += group->len;
		ahead->number++;
	}
	group->len = frames; /* as it was: without the zeros behind it */
	return status;
}

enum status ahead_flush(struct ahead *ahead, struct error *err)
{
	const uint64_t written = ahead->number;

	if (fdatasync(ahead->fd) != 0)
		return error_errno(err, R_IO_WRITE, ahead->path, "cannot keep what came");
	ahead->flushed = written;
	return OK;
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
	ahead->number = ahead->flushed = 0;
	ahead->used = 0;
	memset(ahead->filled, 0, sizeof ahead->filled);
	if (unlinkat(ahead->directory.fd, ahead->name, 0) == 0 && fsync(ahead->directory.fd) == 0)
		return OK;
	return error_errno(err, R_IO_WRITE, ahead->path, "cannot remove it, though everything is in its place");
}
