/*
 * The write-ahead file of a run, artifact/runs/RUN/exchanges.ahead (of a session of the tool for agents: evaluations.ahead): what a session has kept and not yet put in its place. It is there while a
 * session goes on, and after one that was killed (docs/formats.md, "The write-ahead file").
 *
 * It has two areas of AHEAD_AREA bytes, filled in turn: one is settled while the other is written. An area is groups, each what one commit kept, at multiples of AHEAD_BLOCK, so that no block
 * of a group that was committed is ever written again before its area is cleared: its first head zeroed. All numbers are little-endian and unsigned, of 64 bits.
 *
 * Nobody waits for a group's own flush: the disk may have a later group and not an earlier one. So each group says how many were flushed when it was written. Where the power went, the first group that
 * is not whole ends what was kept, unless a later one says that it had been flushed: then the file is damaged.
 *
 *   group: "ptxseal2", the session (drawn at random with the file), its number (from 0, over both areas), how many groups were flushed, bytes of its frames, number of frames; SHA-256 of the heads of
 *          its frames; SHA-256 of all before it here; the frames; zeros
 *   frame: head = kind, at, bytes, SHA-256 of the bytes; then the bytes
 *
 * A frame is an object, or lines and at which byte of their file they begin. An object's SHA-256 is its name, so each byte is hashed once.
 */
#ifndef PTXSEAL_BUNDLE_AHEAD_H
#define PTXSEAL_BUNDLE_AHEAD_H

#include "../base/file.h"
#include "../base/sha256.h"

/* What R_AHD_UNFINISHED says of one, wherever something else than its session comes upon it. */
#define AHEAD_UNFINISHED "it holds what a session has kept and not yet put in its place"

enum {
	AHEAD_BLOCK = 4096,
	AHEAD_AREAS = 2,
	AHEAD_AREA = 16 << 20,
	AHEAD_GROUP_MAX = 4 << 20,  /* bytes of one group */
	AHEAD_FRAME_MAX = 2 << 20,  /* bytes in one frame: what is larger goes to its place at once (keeper.h) */
	AHEAD_FILE_MAX = AHEAD_AREAS * AHEAD_AREA,
};

enum ahead_kind { AHEAD_OBJECT, AHEAD_EXCHANGES, AHEAD_EVALUATIONS, AHEAD_KINDS };

struct ahead_frame {
	enum ahead_kind kind;
	uint64_t at;          /* of lines: the byte of their file at which they begin; of an object 0 */
	const char *data;
	size_t len;
	struct sha256 hash;   /* of data */
};
typedef enum status ahead_visit(void *context, const struct ahead_frame *frame, struct error *err);

/* ---- a group ---- */

/* Append a frame to a group in the making; an empty one is begun. hash has to be data's. The caller keeps the group below AHEAD_GROUP_MAX. */
void ahead_add(struct bytes *group, const struct ahead_frame *frame);
/* What a group has with one more frame of that many bytes, in whole blocks. */
size_t ahead_size(const struct bytes *group, size_t more);
/* The frames of a group that ahead_add made, written or not. */
enum status ahead_frames(const struct bytes *group, ahead_visit *visit, void *context, struct error *err);

/* ---- reading ---- */

/*
 * Every frame of every whole group of a file, the older area first, to the first group that is not whole: what comes behind that was not flushed, and its order is lost. R_AHD_DAMAGED: a group
 * that was flushed is not whole; areas or lines do not follow one another; a frame cannot be.
 */
enum status ahead_read(const char *data, size_t len, const char *file, ahead_visit *visit, void *context, struct error *err);

/* ---- writing ---- */

struct ahead;
/* The file is made with the first group; what stands there then is an error (R_AHD_UNFINISHED). The directory has to be there. */
enum status ahead_open(const struct root *root, const char *path, struct ahead **ahead, struct error *err);
void ahead_free(struct ahead *ahead); /* NULL is fine; the file stays as it is */

/* Would a group of that size (ahead_size) go into the area that is written? */
bool ahead_has_room(const struct ahead *ahead, size_t size);
/* Go on in the other area, which is clear; the number of the one that was left. */
unsigned ahead_turn(struct ahead *ahead);
/* Write the group: no kill takes it away from then on. After an error nothing of it counts, and it may be tried again. */
enum status ahead_write(struct ahead *ahead, struct bytes *group, struct error *err);
/* Wait until the disk has every group that was written before. From any thread, while more are written. */
enum status ahead_flush(struct ahead *ahead, struct error *err);
/* Everything of that area is in its place, and on the disk. From any thread, while the other area is written. */
enum status ahead_clear(struct ahead *ahead, unsigned area, struct error *err);
/* All of it is: the file goes, and the next group makes it anew. */
enum status ahead_remove(struct ahead *ahead, struct error *err);

#endif
