/*
 * Any bytes as a write-ahead file. If the first is odd, hashes are made right wherever a group and its frames can be told, so that what stands behind them is reached. What is taken is what is there: frames of whole groups,
 * each with its hash, lines behind lines; cut at any block, it gives a beginning of that, or is refused.
 */
#include "fuzz.h"

#include "bundle/ahead.h"

enum { FIELDS = 48, HEAD = FIELDS + 64, FRAME = 56 };

static uint64_t number_at(const char *from)
{
	uint64_t number = 0;

	for (int i = 7; i >= 0; i--)
		number = number << 8 | (uint8_t)from[i];
	return number;
}

/* The hashes of a group that begins here. */
static void make_right(char *group, size_t len)
{
	struct bytes heads = {0};
	struct sha256 hash;

	if (len < HEAD || memcmp(group, "ptxseal2", 8) != 0)
		return;
	for (size_t at = HEAD, end = number_at(group + 32) < len - HEAD ? HEAD + (size_t)number_at(group + 32) : len; end - at >= FRAME;) {
		const uint64_t bytes = number_at(group + at + 16);

		if (bytes > end - at - FRAME)
			break;
		hash = sha256_of(group + at + FRAME, (size_t)bytes);
		memcpy(group + at + 24, &hash, sizeof hash);
		bytes_add(&heads, group + at, FRAME);
		at += FRAME + (size_t)bytes;
	}
	hash = sha256_of(heads.data != NULL ? heads.data : "", heads.len);
	memcpy(group + FIELDS, &hash, sizeof hash);
	hash = sha256_of(group, FIELDS + 32);
	memcpy(group + FIELDS + 32, &hash, sizeof hash);
	bytes_free(&heads);
}

struct seen {
	size_t bytes;
	bool began[AHEAD_KINDS];
	uint64_t next[AHEAD_KINDS];
	struct bytes all;
};

static enum status on_frame(void *context, const struct ahead_frame *frame, struct error *err)
{
	struct seen *seen = context;
	const struct sha256 hash = sha256_of(frame->data, frame->len);

	(void)err;
	REQUIRE(memcmp(&hash, &frame->hash, sizeof hash) == 0 && frame->len <= AHEAD_FRAME_MAX);
	if (frame->kind == AHEAD_OBJECT) {
		REQUIRE(frame->at == 0);
	} else {
		REQUIRE(frame->kind < AHEAD_KINDS && frame->len > 0 && frame->data[frame->len - 1] == '\n');
		REQUIRE(!seen->began[frame->kind] || seen->next[frame->kind] == frame->at);
		seen->began[frame->kind] = true;
		seen->next[frame->kind] = frame->at + frame->len;
	}
	seen->bytes += frame->len;
	bytes_format(&seen->all, "%d %llu %zu ", (int)frame->kind, (unsigned long long)frame->at, frame->len);
	bytes_add(&seen->all, frame->data, frame->len);
	return OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {0};
	struct seen whole = {0};

	if (size == 0)
		return 0;
	const size_t len = size - 1;
	char *file = malloc(len + 1);

	memcpy(file, data + 1, len);
	for (size_t at = 0; data[0] % 2 == 1 && at < len; at += AHEAD_BLOCK)
		make_right(file + at, len - at);
	const enum status status = ahead_read(file, len, "f", on_frame, &whole, &err);

	REQUIRE(status == OK || (status == MALFORMED && err.rule == R_AHD_DAMAGED));
	REQUIRE(whole.bytes <= len);
	for (size_t cut = 0; status == OK && cut < len; cut += AHEAD_BLOCK) {
		struct seen part = {0};

		if (ahead_read(file, cut, "f", on_frame, &part, NULL) == OK && len <= AHEAD_AREA)
			REQUIRE(part.all.len <= whole.all.len && (part.all.len == 0 || memcmp(part.all.data, whole.all.data, part.all.len) == 0));
		bytes_free(&part.all);
	}
	bytes_free(&whole.all);
	free(file);
	return 0;
}
