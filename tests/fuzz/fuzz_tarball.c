/* Any bytes as a packed bundle: as a file, or, where the first byte is odd, as the tar archive inside one. No crash, no status that is none, and what is taken has
 * names that stay beneath the directory, in order. */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "archive/frame.h"
#include "archive/intake.h"

static void put(int fd, const uint8_t *data, size_t size, bool packed)
{
	struct frame_writer *writer;
	struct error err;

	if (!packed) {
		REQUIRE(write(fd, data, size) == (ssize_t)size);
		return;
	}
	REQUIRE(frame_create(fd, "t", 1, 1, &writer, &err) == OK);
	REQUIRE(frame_write(writer, data, size, &err) == OK);
	REQUIRE(frame_end(writer, &err) == OK);
	frame_close(writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct intake_sink sink = {0};
	struct findings findings = {0};
	struct intake intake;
	struct error err;
	char name[64];
	int fd = memfd_create("t", MFD_CLOEXEC);

	REQUIRE(fd >= 0);
	if (size > 0)
		put(fd, data + 1, size - 1, (data[0] & 1) != 0);
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	enum status status = intake_read(name, true, &sink, &intake, &err);

	REQUIRE(status == OK || status == MALFORMED);
	for (size_t i = 0; i < intake.kept.count; i++) {
		const char *path = intake.kept.at[i].path;

		REQUIRE(path_valid(path, strlen(path)));
		REQUIRE(i == 0 || strcmp(intake.kept.at[i - 1].path, path) < 0);
	}
	if (status == OK)
		intake_check_bag(&intake, "t", &findings);
	findings_free(&findings);
	intake_free(&intake);
	close(fd);
	return 0;
}
