#include "tarball.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/draft.h"
#include "intake.h"

void tarball_report_free(struct tarball_report *report)
{
	verify_report_free(&report->verify);
	*report = (struct tarball_report){0};
}

struct unpacking {
	const char *file;
	int root;         /* of the new tree */
	char *directory;  /* the last one that a file was made in, beneath it; NULL: none yet */
	int at;           /* its handle */
	int fd;           /* the file that is being written */
	const char *path; /* its name */
};

/* Make the directories of path and open the last one. Each is opened from the one before it and never through a link. */
static int make_directory(int root, const char *path)
{
	char part[NAME_MAX + 1];
	int dir = dup(root);

	for (const char *slash; dir >= 0 && (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		size_t len = (size_t)(slash - path);

		if (len > NAME_MAX) {
			close(dir);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, path, len);
		part[len] = '\0';
		int made = mkdirat(dir, part, 0777);
		int next = made == 0 || errno == EEXIST ? openat(dir, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
		int saved = errno;

		close(dir);
		errno = saved;
		dir = next;
	}
	return dir;
}

static enum status begin(void *context, const char *path, uint64_t size, struct error *err)
{
	struct unpacking *unpacking = context;
	const char *slash = strrchr(path, '/');
	size_t len = slash != NULL ? (size_t)(slash - path) + 1 : 0;

	(void)size;
	/* Files of one directory come one after the other. */
	if (unpacking->directory == NULL || strlen(unpacking->directory) != len || strncmp(unpacking->directory, path, len) != 0) {
		if (unpacking->at >= 0)
			close(unpacking->at);
		free(unpacking->directory);
		unpacking->directory = mem_textn(path, len);
		unpacking->at = make_directory(unpacking->root, unpacking->directory);
	}
	unpacking->path = path;
	if (unpacking->at >= 0)
		unpacking->fd = openat(unpacking->at, path + len, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	if (unpacking->at < 0 || unpacking->fd < 0)
		return error_errno(err, R_IO_WRITE, path, "cannot make the file");
	return OK;
}

static enum status data(void *context, const void *bytes, size_t len, struct error *err)
{
	struct unpacking *unpacking = context;
	const char *at = bytes;

	while (len > 0) {
		ssize_t n = write(unpacking->fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, R_IO_WRITE, unpacking->path, "cannot write the file");
		at += n;
		len -= (size_t)n;
	}
	return OK;
}

static enum status end(void *context, struct error *err)
{
	struct unpacking *unpacking = context;
	int closed = close(unpacking->fd);

	unpacking->fd = -1;
	return closed == 0 ? OK : error_errno(err, R_IO_WRITE, unpacking->path, "cannot write the file");
}

enum status tarball_unpack(const char *file, const char *directory, bool quiet, struct tarball_report *report, struct error *err)
{
	struct unpacking unpacking = {.file = file, .at = -1, .fd = -1};
	struct intake_sink sink = {.begin = begin, .data = data, .end = end, .context = &unpacking};
	struct intake intake = {0};
	struct draft draft;

	*report = (struct tarball_report){0};
	enum status status = draft_tree(directory, &draft, err);

	if (status != OK)
		return status;
	unpacking.root = draft.fd;
	status = intake_read(file, quiet, &sink, &intake, err);
	if (status == OK) {
		intake_check_bag(&intake, file, &report->verify.findings);
		findings_sort(&report->verify.findings);
		status = findings_status(&report->verify.findings);
	}
	report->files = intake.kept.count;
	report->bytes = intake.bytes;
	report->packed = intake.packed;
	if (unpacking.fd >= 0)
		close(unpacking.fd);
	if (unpacking.at >= 0)
		close(unpacking.at);
	free(unpacking.directory);
	intake_free(&intake);
	if (status == OK)
		return draft_keep(&draft, err);
	draft_drop(&draft);
	return status;
}
