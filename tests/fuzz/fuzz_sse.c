/* Any bytes as a stream of events: the same events however they are cut, and a refusal at the same byte. */
#include "fuzz.h"

#include "model/sse.h"

struct seen {
	struct bytes events;
	enum status status;
	struct error err;
	bool ended;
};

static enum status on_event(void *context, const char *data, size_t len, struct error *err)
{
	struct seen *seen = context;

	(void)err;
	REQUIRE(data != NULL && memchr(data, '\r', len) == NULL);
	bytes_add(&seen->events, data, len);
	bytes_char(&seen->events, '\0');
	return OK;
}

static void feed(const char *text, size_t len, size_t piece, struct seen *seen)
{
	struct sse sse = {.event = on_event, .context = seen, .file = "stream"};

	for (size_t at = 0; at < len && seen->status == OK; at += piece) {
		const size_t part = len - at < piece ? len - at : piece;
		char *copy = malloc(part); /* a read behind it is seen */

		memcpy(copy, text + at, part);
		seen->status = sse_feed(&sse, copy, part, &seen->err);
		free(copy);
	}
	seen->ended = sse_ended(&sse);
	sse_free(&sse);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const size_t pieces[] = {1, 2, 7};
	struct seen whole = {0};

	feed((const char *)data, size, size + 1, &whole);
	REQUIRE(whole.status == OK || (whole.err.rule == R_SSE_FIELD && whole.err.offset < size));
	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
		struct seen cut = {0};

		feed((const char *)data, size, pieces[i], &cut);
		REQUIRE(cut.status == whole.status && cut.events.len == whole.events.len && cut.err.offset == whole.err.offset);
		REQUIRE(cut.events.len == 0 || memcmp(cut.events.data, whole.events.data, cut.events.len) == 0);
		REQUIRE(whole.status != OK || cut.ended == whole.ended);
		bytes_free(&cut.events);
	}
	bytes_free(&whole.events);
	return 0;
}
