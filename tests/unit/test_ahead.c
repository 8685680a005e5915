/*
 * The write-ahead file (docs/formats.md): what is whole is read in order up to the first group that is not, what was flushed and is not whole is told, and what cannot be is refused
 * (R_AHD_DAMAGED).
 */
#include "unit.h"

#include "scratch.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "bundle/ahead.h"

enum { FIELDS = 8 + 5 * 8, HEAD = FIELDS + 2 * 32, FRAME = 24 + 32 };

static const uint64_t session = 0x1122334455667788;

/* ---- groups by hand, as the header describes them ---- */

static void number(struct bytes *to, uint64_t value)
{
	for (int i = 0; i < 8; i++)
		bytes_char(to, (char)(value >> 8 * i & 0xff));
}

struct made {
	struct bytes frames, heads;
	uint64_t count;
};

static void frame(struct made *made, uint64_t kind, uint64_t at, const char *data, size_t len)
{
	const struct sha256 hash = sha256_of(data, len);
	const size_t before = made->heads.len;

	number(&made->heads, kind);
	number(&made->heads, at);
	number(&made->heads, len);
	bytes_add(&made->heads, &hash, sizeof hash);
	bytes_add(&made->frames, made->heads.data + before, FRAME);
	bytes_add(&made->frames, data, len);
	made->count++;
}

/* At the end of the file, in whole blocks. flushed: how many groups were when it was written. */
static void group_of(struct bytes *file, uint64_t its_session, uint64_t its_number, uint64_t flushed, struct made *made)
{
	const size_t before = file->len;
	struct sha256 hash = sha256_of(made->heads.data != NULL ? made->heads.data : "", made->heads.len);

	bytes_text(file, "ptxseal2");
	number(file, its_session);
	number(file, its_number);
	number(file, flushed);
	number(file, made->frames.len);
	number(file, made->count);
	bytes_add(file, &hash, sizeof hash);
	hash = sha256_of(file->data + before, FIELDS + 32);
	bytes_add(file, &hash, sizeof hash);
	bytes_add(file, made->frames.data != NULL ? made->frames.data : "", made->frames.len);
	while (file->len % AHEAD_BLOCK != 0)
		bytes_char(file, 0);
	bytes_free(&made->frames);
	bytes_free(&made->heads);
	*made = (struct made){0};
}

/* All before it were flushed. */
static void group(struct bytes *file, uint64_t its_number, struct made *made)
{
	group_of(file, session, its_number, its_number, made);
}

/* One object, or one line, in a group of its own. */
static void object_group(struct bytes *file, uint64_t its_number, const char *text)
{
	struct made made = {0};

	frame(&made, AHEAD_OBJECT, 0, text, strlen(text));
	group(file, its_number, &made);
}

static void late_group(struct bytes *file, uint64_t its_number, uint64_t flushed)
{
	char text[2] = {(char)('a' + its_number), '\0'};
	struct made made = {0};

	frame(&made, AHEAD_OBJECT, 0, text, 1);
	group_of(file, session, its_number, flushed, &made);
}

static void line_group(struct bytes *file, uint64_t its_number, uint64_t at, const char *line)
{
	struct made made = {0};

	frame(&made, AHEAD_EXCHANGES, at, line, strlen(line));
	group(file, its_number, &made);
}

static void fill_to(struct bytes *file, size_t len)
{
	bytes_reserve(file, len - file->len);
	memset(file->data + file->len, 0, len - file->len);
	file->len = len;
}

/* ---- what is read ---- */

static enum status on_frame(void *context, const struct ahead_frame *read, struct error *err)
{
	(void)err;
	bytes_format(context, "%d@%llu:", (int)read->kind, (unsigned long long)read->at);
	bytes_add(context, read->data, read->len);
	bytes_char(context, ' ');
	return OK;
}

static void reads(const struct bytes *file, const char *expected)
{
	struct bytes seen = {0};
	struct error err = {0};

	if (ahead_read(file->data, file->len, "f", on_frame, &seen, &err) != OK)
		fail_msg("%s", err.what);
	assert_string_equal(seen.data != NULL ? seen.data : "", expected);
	bytes_free(&seen);
}

static void refuses(const struct bytes *file, const char *what)
{
	struct bytes seen = {0};
	struct error err = {0};

	assert_int_equal(ahead_read(file->data, file->len, "f", on_frame, &seen, &err), MALFORMED);
	assert_int_equal(err.rule, R_AHD_DAMAGED);
	assert_string_equal(err.what, what);
	bytes_free(&seen);
}

static void what_is_written_is_as_described(void **state)
{
	struct bytes by_hand = {0}, written = {0}, pending = {0};
	char *name = scratch_make();
	struct root root;
	struct ahead *ahead;
	struct made made = {0};
	static const char line[] = "{}\n";

	(void)state;
	frame(&made, AHEAD_OBJECT, 0, "abc", 3);
	frame(&made, AHEAD_EVALUATIONS, 7, line, 3);
	group_of(&by_hand, 0, 0, 0, &made);
	/* sha256sum of "abc": FIPS 180-4's first example */
	char hex[SHA256_HEX + 1];

	hex_encode((const uint8_t *)by_hand.data + HEAD + 24, 32, hex);
	assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(root_write(&root, "run/x", "", 0, NULL), OK);
	assert_int_equal(ahead_open(&root, "run/f", &ahead, NULL), OK);
	assert_false(root_has(&root, "run/f"));
	ahead_add(&pending, &(struct ahead_frame){.kind = AHEAD_OBJECT, .data = "abc", .len = 3, .hash = sha256_of("abc", 3)});
	ahead_add(&pending, &(struct ahead_frame){.kind = AHEAD_EVALUATIONS, .at = 7, .data = line, .len = 3, .hash = sha256_of(line, 3)});
	assert_int_equal(ahead_size(&pending, 0), AHEAD_BLOCK);
	assert_int_equal(ahead_write(ahead, &pending, NULL), OK);
	pending.len = 0;
	ahead_add(&pending, &(struct ahead_frame){.kind = AHEAD_OBJECT, .data = "", .len = 0, .hash = sha256_of("", 0)});
	assert_int_equal(ahead_write(ahead, &pending, NULL), OK);
	assert_int_equal(ahead_flush(ahead, NULL), OK);
	assert_int_equal(ahead_write(ahead, &pending, NULL), OK);
	assert_int_equal(root_read(&root, "run/f", AHEAD_FILE_MAX, &written, NULL), OK);
	/* The session's number is drawn. */
	uint64_t its_session = 0;

	for (int i = 7; i >= 0; i--)
		its_session = its_session << 8 | (uint8_t)written.data[8 + i];
	by_hand.len = 0;
	frame(&made, AHEAD_OBJECT, 0, "abc", 3);
	frame(&made, AHEAD_EVALUATIONS, 7, line, 3);
	group_of(&by_hand, its_session, 0, 0, &made);
	for (uint64_t i = 1; i <= 2; i++) {
		frame(&made, AHEAD_OBJECT, 0, "", 0);
		group_of(&by_hand, its_session, i, i == 1 ? 0 : 2, &made);
	}
	assert_true(written.len > by_hand.len);
	assert_memory_equal(written.data, by_hand.data, by_hand.len);
	reads(&written, "0@0:abc 2@7:{}\n 0@0: 0@0: ");
	/* The file of another session is not written over. */
	struct ahead *second;
	struct error err;

	assert_int_equal(ahead_open(&root, "run/f", &second, NULL), OK);
	assert_int_equal(ahead_write(second, &pending, &err), FAILS);
	assert_int_equal(err.rule, R_AHD_UNFINISHED);
	ahead_free(second);
	assert_int_equal(ahead_remove(ahead, NULL), OK);
	assert_false(root_has(&root, "run/f"));
	ahead_free(ahead);
	root_close(&root);
	bytes_free(&by_hand);
	bytes_free(&written);
	bytes_free(&pending);
	scratch_remove(name);
}

/* Areas are written in turn, one is cleared, and what was in it before is not read again. */
static void areas_in_turn(void **state)
{
	char *name = scratch_make();
	struct root root;
	struct ahead *ahead;
	struct bytes pending = {0}, file = {0};
	static const char *const texts[] = {"first", "second", "third"};

	(void)state;
	assert_int_equal(root_open(name, &root, NULL), OK);
	assert_int_equal(root_write(&root, "run/x", "", 0, NULL), OK);
	assert_int_equal(ahead_open(&root, "run/f", &ahead, NULL), OK);
	assert_true(ahead_has_room(ahead, AHEAD_AREA));
	for (unsigned i = 0; i < 3; i++) {
		pending.len = 0;
		ahead_add(&pending, &(struct ahead_frame){.kind = AHEAD_OBJECT, .data = texts[i], .len = strlen(texts[i]), .hash = sha256_of(texts[i], strlen(texts[i]))});
		assert_int_equal(ahead_write(ahead, &pending, NULL), OK);
		assert_int_equal(ahead_write(ahead, &pending, NULL), OK);
		assert_false(ahead_has_room(ahead, AHEAD_AREA - 2 * AHEAD_BLOCK + 1));
		file.len = 0;
		assert_int_equal(root_read(&root, "run/f", AHEAD_FILE_MAX, &file, NULL), OK);
		if (i == 0)
			reads(&file, "0@0:first 0@0:first ");
		else if (i == 1)
			reads(&file, "0@0:first 0@0:first 0@0:second 0@0:second ");
		else
			reads(&file, "0@0:second 0@0:second 0@0:third 0@0:third ");
		assert_int_equal(ahead_turn(ahead), i % 2);
		if (i != 1)
			continue;
		assert_int_equal(ahead_clear(ahead, 0, NULL), OK);
		file.len = 0;
		assert_int_equal(root_read(&root, "run/f", AHEAD_FILE_MAX, &file, NULL), OK);
		reads(&file, "0@0:second 0@0:second ");
		/* In one write of one sector, which the power leaves as it was or as it is to be. */
		assert_memory_equal(file.data + HEAD + FRAME, "first", 5);
	}
	ahead_free(ahead);
	bytes_free(&pending);
	bytes_free(&file);
	root_close(&root);
	scratch_remove(name);
}

/* Three groups: cut at every byte, what is whole before the cut is read, and nothing else. */
static void cut_anywhere(void **state)
{
	struct bytes file = {0};

	(void)state;
	object_group(&file, 0, "one");
	line_group(&file, 1, 0, "{}\n");
	object_group(&file, 2, "three");
	reads(&file, "0@0:one 1@0:{}\n 0@0:three ");
	const size_t ends[] = {HEAD + FRAME + 3, AHEAD_BLOCK + HEAD + FRAME + 3, 2 * AHEAD_BLOCK + HEAD + FRAME + 5};
	static const char *const seen[] = {"", "0@0:one ", "0@0:one 1@0:{}\n ", "0@0:one 1@0:{}\n 0@0:three "};
	const size_t whole = file.len;

	for (size_t len = 0; len <= whole; len++) {
		const struct bytes cut = {.data = file.data, .len = len};
		size_t groups = 0;

		while (groups < 3 && len >= ends[groups])
			groups++;
		reads(&cut, seen[groups]);
	}
	/* Torn otherwise: the blocks behind the first are there, or the first alone; then zeros. */
	for (size_t len = 0; len < AHEAD_BLOCK; len += 512) {
		struct bytes torn = {0};

		bytes_add(&torn, file.data, 2 * AHEAD_BLOCK + len);
		fill_to(&torn, 3 * AHEAD_BLOCK);
		reads(&torn, seen[len > 0 ? 3 : 2]);
		bytes_free(&torn);
	}
	bytes_free(&file);
}

/* Each bit of three groups: one of the last group makes it torn; one of an earlier group is told, for it had been flushed when the next was written. */
static void flipped_anywhere(void **state)
{
	struct bytes file = {0};

	(void)state;
	object_group(&file, 0, "one");
	line_group(&file, 1, 0, "{}\n");
	object_group(&file, 2, "three");
	for (size_t at = 0; at < file.len; at++) {
		const size_t in = at % AHEAD_BLOCK, index = at / AHEAD_BLOCK, len = HEAD + FRAME + (index == 2 ? 5 : 3);

		file.data[at] ^= 4;
		if (in >= len)
			reads(&file, "0@0:one 1@0:{}\n 0@0:three ");
		else if (index == 2)
			reads(&file, "0@0:one 1@0:{}\n ");
		else if (index == 0 && in < HEAD)
			refuses(&file, "an area begins with what is no group");
		else
			refuses(&file, "a group that was flushed is not whole");
		file.data[at] ^= 4;
	}
	bytes_free(&file);
}

/* Two areas, in both orders; what is left of before an area was cleared; a torn first group of an area. */
static void two_areas(void **state)
{
	struct bytes file = {0};

	(void)state;
	object_group(&file, 0, "one");
	fill_to(&file, AHEAD_AREA);
	object_group(&file, 1, "two");
	reads(&file, "0@0:one 0@0:two ");
	file.len = 0;
	object_group(&file, 9, "nine");
	object_group(&file, 5, "of before");
	fill_to(&file, AHEAD_AREA);
	object_group(&file, 7, "seven");
	object_group(&file, 8, "eight");
	reads(&file, "0@0:seven 0@0:eight 0@0:nine ");
	/* The first group of the newer area is torn: what is left behind it is older than the other area. */
	file.data[HEAD + FRAME] ^= 1;
	reads(&file, "0@0:seven 0@0:eight ");
	file.data[HEAD + FRAME] ^= 1;
	/* So torn that the sector of its head is not there, and the others are. */
	char head[512];

	memcpy(head, file.data, sizeof head);
	memset(file.data, 0, sizeof head);
	memset(file.data + sizeof head, 'x', AHEAD_BLOCK - sizeof head);
	reads(&file, "0@0:seven 0@0:eight ");
	memset(file.data + sizeof head, 0, AHEAD_BLOCK - sizeof head);
	memcpy(file.data, head, sizeof head);
	/* The last group of the older area is not whole, and the newer one is there. */
	file.data[AHEAD_AREA + AHEAD_BLOCK + HEAD + FRAME] ^= 1;
	refuses(&file, "a group that was flushed is not whole");
	file.len = 0;
	object_group(&file, 0, "one");
	fill_to(&file, AHEAD_AREA);
	object_group(&file, 0, "the same number");
	refuses(&file, "its areas do not follow one another");
	file.len = AHEAD_AREA;
	object_group(&file, 3, "two are missing");
	refuses(&file, "a group that was flushed is not whole");
	file.len = AHEAD_AREA;
	struct made made = {0};

	frame(&made, AHEAD_OBJECT, 0, "abc", 3);
	group_of(&file, session + 1, 1, 1, &made);
	refuses(&file, "its areas are of two sessions");
	fill_to(&file, AHEAD_FILE_MAX);
	bytes_char(&file, 0);
	refuses(&file, "it is larger than its two areas");
	bytes_free(&file);
}

/*
 * Six groups, the last two in the other area, each written when so many of those before it were not flushed yet; each of them whole, torn behind its head, or not there at all. What counts ends with
 * the first that is not whole; where a head says that it had been flushed the file is damaged.
 */
static void torn_in_any_order(void **state)
{
	enum { GROUPS = 6, FIRST_AREA = 4, WAYS = 729 /* 3^6 */ };
	struct bytes file = {0};
	unsigned read = 0, told = 0;

	(void)state;
	for (unsigned late = 0; late <= GROUPS; late++) {
		file.len = 0;
		for (uint64_t i = 0; i < FIRST_AREA; i++)
			late_group(&file, i, i > late ? i - late : 0);
		fill_to(&file, AHEAD_AREA);
		for (uint64_t i = FIRST_AREA; i < GROUPS; i++)
			late_group(&file, i, i > late ? i - late : 0);
		for (unsigned way = 0; way < WAYS; way++) {
			char saved[GROUPS][AHEAD_BLOCK], expected[64] = "";
			unsigned hows[GROUPS], whole = 0, flushed = 0;

			for (unsigned i = 0, rest = way; i < GROUPS; i++, rest /= 3) {
				char *at = file.data + (i < FIRST_AREA ? i * AHEAD_BLOCK : AHEAD_AREA + (i - FIRST_AREA) * AHEAD_BLOCK);

				memcpy(saved[i], at, AHEAD_BLOCK);
				hows[i] = rest % 3;
				if (hows[i] == 1)
					at[HEAD + FRAME] = '?';
				else if (hows[i] == 2)
					memset(at, 0, AHEAD_BLOCK);
				/* Of an area whose first head is not there nothing is known: it may have been cleared. */
				if (hows[i] != 2 && hows[i < FIRST_AREA ? 0 : FIRST_AREA] != 2 && i > late && i - late > flushed)
					flushed = i - late;
			}
			/* The first area was cleared, then; or the second one was not begun. */
			const unsigned from = hows[0] == 2 ? FIRST_AREA : 0, to = hows[FIRST_AREA] == 2 ? FIRST_AREA : GROUPS;

			for (whole = from; whole < to && hows[whole] == 0; whole++)
				sprintf(expected + strlen(expected), "0@0:%c ", 'a' + (int)whole);
			if (from < to && flushed > whole) {
				refuses(&file, "a group that was flushed is not whole");
				told++;
			} else {
				reads(&file, expected);
				read++;
			}
			for (unsigned i = 0; i < GROUPS; i++)
				memcpy(file.data + (i < FIRST_AREA ? i * AHEAD_BLOCK : AHEAD_AREA + (i - FIRST_AREA) * AHEAD_BLOCK), saved[i], AHEAD_BLOCK);
		}
	}
	assert_true(read > 0 && told > 0);
	bytes_free(&file);
}

/* A torn group, in whose object stands at a block what looks like a group that says that everything was flushed. */
static void a_group_within_an_object(void **state)
{
	struct bytes inner = {0}, outer = {0}, file = {0};
	struct made made = {0};

	(void)state;
	for (uint64_t guess = 0; guess < 2; guess++) {
		inner.len = outer.len = file.len = 0;
		frame(&made, AHEAD_OBJECT, 0, "x", 1);
		group_of(&inner, guess == 0 ? session + 1 : session, 1000, 1000, &made);
		fill_to(&outer, AHEAD_BLOCK - HEAD - FRAME);
		bytes_add(&outer, inner.data, inner.len);
		object_group(&file, 0, "one");
		frame(&made, AHEAD_OBJECT, 0, outer.data, outer.len);
		group_of(&file, session, 1, 1, &made);
		file.data[AHEAD_BLOCK + HEAD + FRAME] ^= 1;
		if (guess == 0)
			reads(&file, "0@0:one ");
		else /* whoever could guess the session's number */
			refuses(&file, "a group that was flushed is not whole");
	}
	bytes_free(&inner);
	bytes_free(&outer);
	bytes_free(&file);
}

/* Groups whose hashes are right, made by somebody else. */
static void what_no_session_writes(void **state)
{
	struct bytes file = {0};
	struct made made = {0};
	char *much = mem_alloc(AHEAD_FRAME_MAX + 1);

	(void)state;
	line_group(&file, 0, 0, "{}\n");
	line_group(&file, 1, 3, "{}\n");
	reads(&file, "1@0:{}\n 1@3:{}\n ");
	line_group(&file, 2, 7, "{}\n");
	refuses(&file, "lines do not begin where those before them end");
	file.len = 0;
	line_group(&file, 0, 0, "{}");
	refuses(&file, "what stands for lines is none");
	file.len = 0;
	line_group(&file, 0, 0, "");
	refuses(&file, "what stands for lines is none");
	file.len = 0;
	line_group(&file, 0, UINT64_MAX - 1, "{}\n");
	refuses(&file, "what stands for lines is none");
	file.len = 0;
	frame(&made, AHEAD_OBJECT, 1, "abc", 3);
	group(&file, 0, &made);
	refuses(&file, "an object has a place among lines");
	/* What cannot be a frame makes no whole group. */
	const uint64_t kinds[] = {AHEAD_KINDS, UINT64_MAX};

	for (size_t i = 0; i < 2; i++) {
		file.len = 0;
		frame(&made, kinds[i], 0, "abc", 3);
		group(&file, 0, &made);
		reads(&file, "");
		object_group(&file, 1, "behind it");
		refuses(&file, "a group that was flushed is not whole");
	}
	file.len = 0;
	frame(&made, AHEAD_OBJECT, 0, much, AHEAD_FRAME_MAX);
	group(&file, 0, &made);
	struct bytes seen = {0};

	assert_int_equal(ahead_read(file.data, file.len, "f", on_frame, &seen, NULL), OK);
	assert_int_equal(seen.len, AHEAD_FRAME_MAX + 5);
	bytes_free(&seen);
	file.len = 0;
	frame(&made, AHEAD_OBJECT, 0, much, AHEAD_FRAME_MAX + 1);
	group(&file, 0, &made);
	reads(&file, "");
	/* Another number of frames than there are; none at all. */
	file.len = 0;
	frame(&made, AHEAD_OBJECT, 0, "abc", 3);
	made.count = 2;
	group(&file, 0, &made);
	reads(&file, "");
	file.len = 0;
	group(&file, 0, &made);
	refuses(&file, "an area begins with what is no group");
	/* A group larger than the limit, of frames that are not. */
	file.len = 0;
	for (int i = 0; i < 3; i++)
		frame(&made, AHEAD_OBJECT, 0, much, AHEAD_FRAME_MAX);
	group(&file, 0, &made);
	refuses(&file, "an area begins with what is no group");
	file.len = 0;
	reads(&file, "");
	free(much);
	bytes_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_as_described),
		cmocka_unit_test(areas_in_turn),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(flipped_anywhere),
		cmocka_unit_test(two_areas),
		cmocka_unit_test(torn_in_any_order),
		cmocka_unit_test(a_group_within_an_object),
		cmocka_unit_test(what_no_session_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
