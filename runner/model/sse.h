/*
 * Server-sent events (HTML Living Standard, section 9.2.6), as model endpoints stream their replies: events of `data:` lines, ended by an empty line. Lines end in LF, CRLF or CR; a
 * BOM at the very start and comments are passed over. Stricter than a browser: a line that is no field of the standard is refused, for it says that something else writes here.
 */
#ifndef PTXSEAL_MODEL_SSE_H
#define PTXSEAL_MODEL_SSE_H

#include <stdbool.h>
#include <stddef.h>

#include "../base/bytes.h"
#include "../base/error.h"

/* The data of one event, its lines joined by LF; valid during the call. Anything but OK stops and is passed up. */
typedef enum status sse_event(void *context, const char *data, size_t len, struct error *err);

struct sse { /* zeroed = at the start */
	sse_event *event;
	void *context;
	const char *file;  /* for messages */
	struct bytes line; /* of which the end has not come yet */
	struct bytes data; /* of the event so far */
	bool has_data;
	bool after_cr;     /* the last byte was CR: an LF that follows belongs to it */
	bool begun;        /* past where a BOM may stand */
	size_t offset;     /* bytes fed */
};

/* Feed bytes as they come, cut anywhere: events are the same however they are cut. */
enum status sse_feed(struct sse *sse, const char *bytes, size_t len, struct error *err);
/* At the end: true if no event is left without its empty line. (What is left is no event.) */
bool sse_ended(const struct sse *sse);
void sse_free(struct sse *sse);

#endif
