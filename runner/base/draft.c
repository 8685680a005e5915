#include "draft.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX ".ptxseal-"
#define END ".draft"

static bool is_draft(const char *name)
{
	size_t len = strlen(name);

	return len == strlen(PREFIX) + 16 + strlen(END) && strncmp(name, PREFIX, strlen(PREFIX)) == 0 && strcmp(name + len - strlen(END), END) == 0 &&
	       strspn(name + strlen(PREFIX), "0123456789abcdef") == 16;
}

/* Those that a killed run left. */
static void remove_stale(int dir)
{
	int again = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = again >= 0 ? fdopendir(again) : NULL;
	struct dirent *entry;

	while (list != NULL && (entry = readdir(list)) != NULL) {
		if (!is_draft(entry->d_name))
			continue;
		int fd = openat(dir, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

		struct stat st;

		if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0)
			file_remove_tree(dir, entry->d_name);
		if (fd >= 0)
			close(fd);
	}
	if (list != NULL)
		closedir(list);
	else if (again >= 0)
		close(again);
}

/* Make it and take its lock. Between the two another run may have taken it for stale: then once more. */
static bool make(struct draft *draft)
{
	for (int tries = 0; tries < 16; tries++) {
		uint64_t random;
		struct stat st;

		/* Not a secret: only so that two writers do not meet. */
		if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
			return false;
		snprintf(draft->temporary, sizeof draft->temporary, PREFIX "%016llx" END, (unsigned long long)random);
		if (draft->tree && mkdirat(draft->dir, draft->temporary, 0700) != 0)
			return false;
		draft->fd = openat(draft->dir, draft->temporary,
		                   draft->tree ? O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC : O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (draft->fd < 0 && !draft->tree)
			return false;
		if (draft->fd >= 0 && flock(draft->fd, LOCK_EX | LOCK_NB) == 0 && fstatat(draft->dir, draft->temporary, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return true;
		if (draft->fd >= 0)
			close(draft->fd);
		draft->fd = -1;
		errno = EAGAIN;
	}
	return false;
}

static void release(struct draft *draft)
{
	if (draft->fd >= 0)
		close(draft->fd);
	if (draft->dir >= 0)
		close(draft->dir);
	free(draft->last);
	free(draft->shown);
	*draft = (struct draft){.dir = -1, .fd = -1};
}

static enum status begin(const char *name, bool tree, struct draft *draft, struct error *err)
{
	size_t len = strlen(name);
	struct stat st;

	*draft = (struct draft){.dir = -1, .fd = -1, .tree = tree};
	if (len == 0)
		return error_set(err, R_IO_NAME, "", "an empty name");
	while (tree && len > 1 && name[len - 1] == '/')
		len--;
	draft->shown = mem_textn(name, len);
	const char *slash = strrchr(draft->shown, '/');
	char *parent = slash == NULL ? mem_text(".") : slash == draft->shown ? mem_text("/") : mem_textn(name, (size_t)(slash - draft->shown));
	enum status status = OK;

	draft->last = mem_text(slash != NULL ? slash + 1 : draft->shown);
	draft->dir = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (draft->dir < 0)
		status = error_errno(err, errno == ENOTDIR ? R_IO_PLACE : R_IO_WRITE, parent, "cannot open the directory");
	else if (draft->last[0] == '\0' || strcmp(draft->last, ".") == 0 || strcmp(draft->last, "..") == 0)
		status = tree ? error_set(err, R_PCK_EXISTS, name, "it is there") : error_set(err, R_IO_PLACE, name, "this names a directory, not a file");
	else if (tree && fstatat(draft->dir, draft->last, &st, AT_SYMLINK_NOFOLLOW) == 0)
		status = error_set(err, R_PCK_EXISTS, name, "it is there");
	else if (!tree && fstatat(draft->dir, draft->last, &st, 0) == 0 && !S_ISREG(st.st_mode))
		status = error_set(err, R_IO_PLACE, name, "it is there, and no regular file");
	if (status == OK) {
		remove_stale(draft->dir);
		if (!make(draft))
			status = error_errno(err, R_IO_WRITE, name, "cannot make a temporary file beside it");
	}
	free(parent);
	if (status != OK)
		release(draft);
	return status;
}

enum status draft_file(const char *name, struct draft *draft, struct error *err)
{
	return begin(name, false, draft, err);
}

enum status draft_tree(const char *name, struct draft *draft, struct error *err)
{
	return begin(name, true, draft, err);
}

/* A tree was private so far; it gets the mode that mkdir would have given it. */
static bool open_up(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0777 & ~mask) == 0;
}

static bool rename_tree(const struct draft *draft)
{
	struct stat st;

	if (renameat2(draft->dir, draft->temporary, draft->dir, draft->last, RENAME_NOREPLACE) == 0)
		return true;
	/* A file system without it: an empty directory in that place would be replaced, anything else is not. */
	if (errno != EINVAL && errno != ENOSYS)
		return false;
	if (fstatat(draft->dir, draft->last, &st, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return false;
	}
	return renameat(draft->dir, draft->temporary, draft->dir, draft->last) == 0;
}

enum status draft_keep(struct draft *draft, struct error *err)
{
	bool kept = draft->tree ? open_up(draft->fd) && rename_tree(draft)
	                        : fsync(draft->fd) == 0 && renameat(draft->dir, draft->temporary, draft->dir, draft->last) == 0;
	enum status status = OK;

	if (!kept && draft->tree && errno == EEXIST)
		status = error_set(err, R_PCK_EXISTS, draft->shown, "it is there");
	else if (!kept)
		status = error_errno(err, R_IO_WRITE, draft->shown, "cannot write it");
	if (kept) {
		fsync(draft->dir); /* best effort: what it says is on the disk, and after a crash the old name or the new one is there */
		release(draft);
	} else {
		draft_drop(draft);
	}
	return status;
}

void draft_drop(struct draft *draft)
{
	if (draft->fd >= 0)
		file_remove_tree(draft->dir, draft->temporary);
	release(draft);
}
