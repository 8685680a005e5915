/* The tar archive's bytes are pinned: libarchive has to write these, whatever its version, or archives differ between machines. And reading takes nothing else. */
#include "unit.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/tar.h"
#include "base/sha256.h"

static enum status gather(void *context, const void *data, size_t len, struct error *err)
{
	(void)err;
	bytes_add(context, data, len);
	return OK;
}

static enum status refuse(void *context, const void *data, size_t len, struct error *err)
{
	(void)context, (void)data, (void)len;
	return error_set(err, R_IO_WRITE, "sink", "full");
}

static const char *const names[] = {
	"bundle/a",
	"bundle/data/e\xCC\x81", /* decomposed: no form is changed into another */
	"bundle/data/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn",  /* 100 bytes */
	"bundle/data/nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn", /* 101 */
	"bundle/data/\xC3\xA9",
};
enum { NAMES = sizeof names / sizeof names[0] };

static void write_all(struct bytes *out)
{
	struct tar_writer *writer;
	struct error err;

	tar_create("t", gather, out, &writer);
	for (size_t i = 0; i < NAMES; i++) {
		assert_int_equal(tar_entry(writer, names[i], i * 300, &err), OK);
		for (size_t n = 0; n < i * 300; n++)
			assert_int_equal(tar_data(writer, "x", 1, &err), OK);
	}
	assert_int_equal(tar_end(writer, &err), OK);
	tar_close(writer);
}

static void test_bytes(void **state)
{
	struct bytes out = {0};
	struct sha256 hash;
	char hex[SHA256_HEX + 1];

	(void)state;
	write_all(&out);
	hash = sha256_of(out.data, out.len);
	sha256_hex(&hash, hex);
	/* 5 headers, one more with its name for the 101st byte, padded contents, two blocks of zeros. */
	assert_int_equal(out.len, 512 * (5 + 2 + 0 + 1 + 2 + 2 + 3 + 2));
	assert_string_equal(hex, "b87a86836bf06e7580e8c3357635dc7209e212e081b06b85246ba9ef78c6a9f8");
	bytes_free(&out);
}

static void test_sink_fails(void **state)
{
	struct tar_writer *writer;
	struct error err = {0};

	(void)state;
	tar_create("t", refuse, NULL, &writer);
	assert_int_equal(tar_entry(writer, "bundle/a", 1, &err), UNAVAILABLE);
	assert_int_equal(err.rule, R_IO_WRITE);
	assert_string_equal(err.what, "full");
	tar_close(writer);
}

/* Pack bytes into a frame in memory, and read the archive in it to its end or to what is wrong. */
static enum status read_back(const struct bytes *tar, size_t *entries, bool *same, struct error *err)
{
	struct frame_writer *writer;
	struct frame_reader *frame;
	struct tar_reader *reader;
	const char *path;
	uint64_t size;
	int fd = memfd_create("t", MFD_CLOEXEC);
	enum status status;

	*entries = 0;
	*same = true;
	assert_true(fd >= 0);
	assert_int_equal(frame_create(fd, "t", 3, 1, &writer, err), OK);
	assert_int_equal(frame_write(writer, tar->data, tar->len, err), OK);
	assert_int_equal(frame_end(writer, err), OK);
	uint64_t packed = frame_written(writer);

	frame_close(writer);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(frame_open(fd, "t", packed, NULL, &frame, err), OK);
	tar_open(frame, "t", &reader);
	while ((status = tar_next(reader, &path, &size, err)) == OK && path != NULL) {
		*same = *same && *entries < NAMES && strcmp(path, names[*entries]) == 0 && size == *entries * 300;
		++*entries;
	}
	tar_stop(reader);
	frame_stop(frame);
	close(fd);
	return status;
}

/* Every byte of the archive is compared: change any one, in header, name, padding or end, and it is refused. Contents are the bag's to check. */
static void test_every_byte(void **state)
{
	struct bytes out = {0};
	struct error err = {0};
	size_t entries, seen = 0;
	bool same;

	(void)state;
	write_all(&out);
	assert_int_equal(read_back(&out, &entries, &same, &err), OK);
	assert_int_equal(entries, NAMES);
	assert_true(same);
	for (size_t at = 0; at < out.len; at += 7) {
		out.data[at] ^= 1;
		bool content = out.data[at] == ('x' ^ 1);
		enum status status = read_back(&out, &entries, &same, &err);

		/* Another long name is another archive, and a good one. */
		if (!content)
			assert_true(status == MALFORMED || !same);
		seen += status == MALFORMED;
		out.data[at] ^= 1;
	}
	assert_true(seen > 700);
	bytes_add(&out, "\0", 1);
	assert_int_equal(read_back(&out, &entries, &same, &err), MALFORMED);
	assert_int_equal(err.rule, R_PCK_TAR);
	for (out.len -= 1 + 512; out.len > 512; out.len -= 512)
		assert_int_equal(read_back(&out, &entries, &same, &err), MALFORMED);
	bytes_free(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_sink_fails),
		cmocka_unit_test(test_every_byte),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
