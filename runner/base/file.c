#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kept.h"
#include "utf8.h"

/* What the user typed; an empty shell variable is the usual cause of nothing. */
static enum status check_name(const char *name, struct error *err)
{
	return name[0] != '\0' ? OK : error_set(err, R_IO_NAME, "", "an empty name");
}

enum status root_open(const char *name, struct root *root, struct error *err)
{
	enum status status = check_name(name, err);

	*root = (struct root){.fd = -1};
	if (status != OK)
		return status;
	int fd = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, R_IO_OPEN, name, "cannot open the directory");
	root->fd = fd;
	root->name = mem_text(name);
	return OK;
}

/* mkdir -p of a path the user typed. */
static enum status make_parents(const char *name, struct error *err)
{
	enum status status = check_name(name, err);

	if (status != OK)
		return status;
	char *path = mem_text(name);

	for (char *slash = strchr(path + 1, '/'); status == OK; slash = strchr(slash + 1, '/')) {
		if (slash != NULL)
			*slash = '\0';
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			status = error_errno(err, errno == ENOTDIR ? R_IO_PLACE : R_IO_WRITE, path, "cannot make the directory");
		if (slash == NULL)
			break;
		*slash = '/';
	}
	free(path);
	return status;
}

enum status root_create(const char *name, struct root *root, struct error *err)
{
	enum status status = make_parents(name, err);
	struct stat st;

	*root = (struct root){.fd = -1};
	/* Something was there: a file, or a link that leads nowhere. */
	if (status == OK && (stat(name, &st) != 0 ? errno == ENOENT : !S_ISDIR(st.st_mode)))
		status = error_set(err, R_IO_PLACE, name, "it is there, and no directory");
	return status == OK ? root_open(name, root, err) : status;
}

void root_close(struct root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	free(root->name);
	*root = (struct root){.fd = -1};
}

bool path_valid(const char *path, size_t len)
{
	if (len == 0 || len > PATH_BYTES_MAX || memchr(path, '\0', len) != NULL || utf8_check(path, len) != len)
		return false;
	for (size_t start = 0; start <= len;) {
		const char *slash = memchr(path + start, '/', len - start);
		size_t end = slash != NULL ? (size_t)(slash - path) : len;
		size_t part = end - start;

		if (part == 0 || (part == 1 && path[start] == '.') ||
		    (part == 2 && path[start] == '.' && path[start + 1] == '.'))
			return false;
		start = end + 1;
	}
	return true;
}

/* Open one part of a path, not following a link there: ELOOP, whatever was wanted. */
static int open_part(int dir, const char *part, int flags)
{
	struct stat st;
	int fd = openat(dir, part, flags | O_NOFOLLOW | O_CLOEXEC);

	/* With O_DIRECTORY the kernel says ENOTDIR of a link too. */
	if (fd < 0 && errno == ENOTDIR)
		errno = fstatat(dir, part, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(st.st_mode) ? ELOOP : ENOTDIR;
	return fd;
}

/* Where the kernel or a sandbox lacks openat2: part by part. */
static int open_by_parts(int base, const char *path, int flags)
{
	char part[NAME_MAX + 1];
	int dir = base;

	for (;;) {
		const char *slash = strchr(path, '/');
		size_t len = slash != NULL ? (size_t)(slash - path) : strlen(path);

		if (len > NAME_MAX) {
			errno = ENAMETOOLONG;
			break;
		}
		memcpy(part, path, len);
		part[len] = '\0';
		int fd = open_part(dir, part, slash != NULL ? O_RDONLY | O_DIRECTORY : flags);
		int saved = errno;

		if (dir != base)
			close(dir);
		errno = saved;
		if (fd < 0 || slash == NULL)
			return fd;
		dir = fd;
		path = slash + 1;
	}
	if (dir != base)
		close(dir);
	return -1;
}

/* Open path, which path_valid has passed, beneath base without following any link; mode: of what is made. */
static int kernel_open_beneath(int base, const char *path, int flags, unsigned mode)
{
	struct open_how how = {
		.flags = (uint64_t)(unsigned)(flags | O_CLOEXEC),
		.mode = mode,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	long fd;
	int tries = 8;

	/* EAGAIN: something was renamed beneath base meanwhile, so the kernel could not be sure. */
	do
		fd = syscall(SYS_openat2, base, path, &how, sizeof how);
	while (fd < 0 && errno == EAGAIN && --tries > 0);
	return (int)fd;
}

static int open_beneath(int base, const char *path, int flags)
{
	const int fd = kernel_open_beneath(base, path, flags, 0);

	return fd < 0 && (errno == ENOSYS || errno == EPERM) ? open_by_parts(base, path, flags) : fd;
}

static enum status check_path(const char *path, struct error *err)
{
	if (!path_valid(path, strlen(path)))
		return error_set(err, R_PATH_FORM, path, "this path breaks the rule");
	return OK;
}

enum status root_open_file(const struct root *root, const char *path, int *out, uint64_t *size, struct error *err)
{
	enum status status = check_path(path, err);

	*out = -1;
	if (status != OK)
		return status;
	const struct kept_file *kept = root->kept != NULL ? kept_find(root->kept, path) : NULL;

	if (kept != NULL && kept->home != NULL)
		return root_open_file(kept->home, kept->there, out, size, err);
	/* O_NONBLOCK: a FIFO in place of a file must not hang the program. */
	int fd = open_beneath(root->fd, path, O_RDONLY | O_NONBLOCK);
	struct stat st;

	if (fd < 0 && (errno == ELOOP || errno == EXDEV))
		return error_set(err, R_PATH_ESCAPE, path, "a symbolic link stands on the way");
	if (fd < 0 && errno == ENXIO)
		return error_set(err, R_IO_KIND, path, "not a regular file");
	if (fd < 0)
		return error_errno(err, R_IO_OPEN, path, "cannot open the file");
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err, R_IO_KIND, path, "not a regular file");
	}
	*out = fd;
	if (size != NULL)
		*size = (uint64_t)st.st_size;
	return OK;
}

/* Read all that fd holds, at most max bytes. */
static enum status read_all(int fd, const char *name, uint64_t size, size_t max, struct bytes *out,
                            struct error *err)
{
	size_t start = out->len;

	if (size > max)
		return error_set(err, R_IO_SIZE, name, "%llu bytes, the limit is %zu", (unsigned long long)size, max);
	bytes_reserve(out, (size_t)size + 1);
	for (;;) {
		bytes_reserve(out, 4096);
		ssize_t n = read(fd, out->data + out->len, out->room - out->len - 1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, R_IO_READ, name, "cannot read the file");
		if (n == 0)
			break;
		out->len += (size_t)n;
		/* A file may grow while it is read, and a pipe has no size. */
		if (out->len - start > max)
			return error_set(err, R_IO_SIZE, name, "more bytes than the limit, %zu", max);
	}
	out->data[out->len] = '\0';
	return OK;
}

enum status root_read(const struct root *root, const char *path, size_t max, struct bytes *out, struct error *err)
{
	uint64_t size;
	int fd;

	if (root->kept != NULL && (root->fd < 0 || kept_find(root->kept, path) != NULL))
		return kept_read(root->kept, path, max, out, err);
	enum status status = root_open_file(root, path, &fd, &size, err);

	if (status != OK)
		return status;
	status = read_all(fd, path, size, max, out, err);
	close(fd);
	return status;
}

/* Open the directory that path stands in; -1 if it is not there. */
static int open_directory_of(int base, const char *path, const char **last)
{
	char *directory = mem_text(path), *slash = strrchr(directory, '/');
	int dir;

	if (slash != NULL)
		*slash = '\0';
	*last = slash != NULL ? path + (slash - directory) + 1 : path;
	dir = slash != NULL ? open_beneath(base, directory, O_RDONLY | O_DIRECTORY) : dup(base);
	free(directory);
	return dir;
}

/* The same, making the directories that lead to it. */
static int open_parent(int base, const char *path, bool durable, const char **last)
{
	const char *slash;
	int dir = open_directory_of(base, path, last);

	if (dir >= 0)
		return dir;
	dir = dup(base);
	while (dir >= 0 && (slash = strchr(path, '/')) != NULL) {
		char part[NAME_MAX + 1];
		size_t len = (size_t)(slash - path);

		if (len > NAME_MAX) {
			close(dir);
			errno = ENAMETOOLONG;
			return -1;
		}
		memcpy(part, path, len);
		part[len] = '\0';
		int made = mkdirat(dir, part, 0777);
		int why = made == 0 ? ENOENT : errno;
		int next = open_part(dir, part, O_RDONLY | O_DIRECTORY);
		int saved = next < 0 && errno == ENOENT ? why : errno; /* why it could not be made, not that it is not there */

		if (made == 0 && next >= 0 && durable)
			fsync(dir); /* best effort here: the file's own directory is checked below */
		close(dir);
		errno = saved;
		dir = next;
		path = slash + 1;
	}
	*last = path;
	return dir;
}

bool file_write_all(int fd, const void *bytes, size_t len)
{
	const char *data = bytes;

	while (len > 0) {
		ssize_t n = write(fd, data, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

enum { TEMPORARY_NAME = 64 };

/* A file of a name of its own in dir, for writing; on failure the name is empty. */
static enum status open_temporary(int dir, const char *shown, unsigned mode, char name[TEMPORARY_NAME], int *fd, struct error *err)
{
	uint64_t random;

	name[0] = '\0';
	*fd = -1;
	/* Not a secret: only so that two writers do not meet. A leftover of a killed run starts with a dot and
	 * "ptxseal", so that verify names it and a person knows what it is. */
	if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
		return error_errno(err, R_IO_WRITE, shown, "cannot name a temporary file");
	snprintf(name, TEMPORARY_NAME, ".ptxseal-%016llx.tmp", (unsigned long long)random);
	*fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (*fd >= 0)
		return OK;
	name[0] = '\0';
	return error_errno(err, R_IO_WRITE, shown, "cannot make a temporary file beside it");
}

/* Write name in dir through a temporary file beside it. */
static enum status write_atomic(int dir, const char *name, const char *shown, unsigned mode, bool durable, const void *data,
                                size_t len, struct error *err)
{
	char temporary[TEMPORARY_NAME];
	int fd;
	enum status status = open_temporary(dir, shown, mode, temporary, &fd, err);

	if (status != OK)
		return status;
	bool written = file_write_all(fd, data, len) && (!durable || fsync(fd) == 0);
	int saved = errno;

	if (close(fd) != 0 && written) {
		written = false;
		saved = errno;
	}
	if (written && renameat(dir, temporary, dir, name) == 0 && (!durable || fsync(dir) == 0))
		return OK;
	if (!written)
		errno = saved;
	status = error_errno(err, R_IO_WRITE, shown, "cannot write the file");
	unlinkat(dir, temporary, 0);
	return status;
}

static enum status root_write_file(const struct root *root, const char *path, bool durable, const void *data, size_t len,
                                   struct error *err)
{
	enum status status = check_path(path, err);
	const char *last;

	if (status != OK)
		return status;
	int dir = open_parent(root->fd, path, durable, &last);

	if (dir < 0)
		return error_errno(err, errno == ELOOP ? R_PATH_ESCAPE : R_IO_WRITE, path, "cannot make its directory");
	status = write_atomic(dir, last, path, 0666, durable, data, len, err);
	close(dir);
	return status;
}

enum status root_open_append(const struct root *root, const char *path, int *out, struct error *err)
{
	enum status status = check_path(path, err);
	const char *last;
	struct stat st;

	*out = -1;
	if (status != OK)
		return status;
	int dir = open_parent(root->fd, path, true, &last);

	if (dir < 0)
		return error_errno(err, errno == ELOOP ? R_PATH_ESCAPE : R_IO_WRITE, path, "cannot make its directory");
	int fd = openat(dir, last, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);

	if (fd < 0)
		status = error_errno(err, errno == ELOOP ? R_PATH_ESCAPE : R_IO_WRITE, path, "cannot open the file to add to it");
	else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		status = error_set(err, R_IO_KIND, path, "not a regular file");
	else if (fsync(dir) != 0)
		status = error_errno(err, R_IO_WRITE, path, "cannot write its directory");
	else
		*out = fd;
	if (fd >= 0 && status != OK)
		close(fd);
	close(dir);
	return status;
}

enum status root_write(const struct root *root, const char *path, const void *data, size_t len, struct error *err)
{
	return root_write_file(root, path, true, data, len, err);
}

enum status root_write_product(const struct root *root, const char *path, const void *data, size_t len, struct error *err)
{
	return root_write_file(root, path, false, data, len, err);
}

bool root_write_new(const struct root *root, const char *path, const void *data, size_t len)
{
	if (!path_valid(path, strlen(path)))
		return false;
	const int fd = kernel_open_beneath(root->fd, path, O_WRONLY | O_CREAT | O_EXCL, 0666);

	if (fd < 0)
		return false;
	/* Of what was not written whole the part stays, as after a kill: under its name another process may have put a whole file meanwhile. */
	const bool written = file_write_all(fd, data, len);

	return close(fd) == 0 && written;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct file_entry *)a)->path, ((const struct file_entry *)b)->path);
}

static void list_add(struct file_list *list, char *path, const struct stat *st)
{
	if (list->count == list->room) {
		list->room = list->room == 0 ? 64 : list->room * 2;
		list->at = mem_array(list->at, list->room, sizeof *list->at);
	}
	list->at[list->count++] = (struct file_entry){
		.path = path,
		.kind = S_ISREG(st->st_mode) ? FILE_REGULAR : S_ISDIR(st->st_mode) ? FILE_DIRECTORY : FILE_OTHER,
		.size = S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0,
	};
}

static void list_fault(struct file_list *list, size_t at, const struct error *err)
{
	list->at[at].fault = mem_alloc(sizeof *err);
	*list->at[at].fault = *err;
}

/* List the directory fd (closed here), whose path is prefix, "" or ending in '/'. Not OK: not all of it is listed. */
static enum status list_directory(int fd, const char *prefix, unsigned depth, struct file_list *list, struct error *err)
{
	enum { DEPTH_MAX = 64 }; /* open handles stay bounded; deeper bundles break PATH_BYTES_MAX anyway */
	char *name = mem_textn(prefix, strlen(prefix) - (prefix[0] != '\0')); /* without the slash */
	DIR *dir = fdopendir(fd);
	enum status status = OK;
	struct dirent *entry;

	if (dir == NULL) {
		status = error_errno(err, R_IO_READ, name, "cannot list the directory");
		close(fd);
		free(name);
		return status;
	}
	while (status == OK && (errno = 0, entry = readdir(dir)) != NULL) {
		struct error fault;
		struct stat st;

		if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
			continue;
		if (fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
			status = error_errno(err, R_IO_OPEN, name, "cannot look at the files of the directory");
			break;
		}
		char *path = mem_format("%s%s", prefix, entry->d_name);
		size_t at = list->count;

		list_add(list, path, &st);
		if (!S_ISDIR(st.st_mode))
			continue;
		if (depth == DEPTH_MAX) {
			error_set(&fault, R_PATH_FORM, path, "directories nest deeper than %d", DEPTH_MAX);
			list_fault(list, at, &fault);
			continue;
		}
		int child = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (child < 0) {
			error_errno(&fault, R_IO_OPEN, path, "cannot open the directory");
			list_fault(list, at, &fault);
			continue;
		}
		char *inner = mem_format("%s/", path);

		if (list_directory(child, inner, depth + 1, list, &fault) != OK)
			list_fault(list, at, &fault);
		free(inner);
	}
	if (status == OK && errno != 0)
		status = error_errno(err, R_IO_READ, name, "cannot list the directory");
	closedir(dir);
	free(name);
	return status;
}

enum status root_beneath(const struct root *root, const char *path, struct root *sub, struct error *err)
{
	enum status status = path[0] == '\0' ? OK : check_path(path, err);

	*sub = (struct root){.fd = -1};
	if (status != OK)
		return status;
	int fd = path[0] == '\0' ? openat(root->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
	                         : open_beneath(root->fd, path, O_RDONLY | O_DIRECTORY);

	if (fd < 0 && (errno == ELOOP || errno == EXDEV))
		return error_set(err, R_PATH_ESCAPE, path, "a symbolic link stands on the way");
	if (fd < 0)
		return error_errno(err, R_IO_OPEN, path[0] != '\0' ? path : root->name, "cannot open the directory");
	*sub = (struct root){.fd = fd, .name = path[0] == '\0' ? mem_text(root->name) : mem_format("%s/%s", root->name, path)};
	return OK;
}

bool root_has(const struct root *root, const char *path)
{
	return faccessat(root->fd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

enum status root_remove(const struct root *root, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char *parent = mem_textn(path, slash != NULL ? (size_t)(slash - path) : 0);
	struct root dir;
	enum status status = check_path(path, err);

	if (status == OK)
		status = root_beneath(root, parent, &dir, err);
	free(parent);
	if (status != OK)
		return status;
	const char *last = slash != NULL ? slash + 1 : path;

	if (unlinkat(dir.fd, last, 0) != 0 && !(errno == EISDIR && unlinkat(dir.fd, last, AT_REMOVEDIR) == 0) && errno != ENOENT &&
	    errno != ENOTEMPTY)
		status = error_errno(err, R_IO_WRITE, path, "cannot remove it");
	root_close(&dir);
	return status;
}

static enum status list_from(const struct root *root, const char *path, struct file_list *list, struct error *err)
{
	enum status status = path[0] == '\0' ? OK : check_path(path, err);

	if (status != OK)
		return status;
	int fd = path[0] == '\0' ? openat(root->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
	                         : open_beneath(root->fd, path, O_RDONLY | O_DIRECTORY);

	if (fd < 0 && errno == ENOENT)
		return OK;
	if (fd < 0 && (errno == ELOOP || errno == EXDEV))
		return error_set(err, R_PATH_ESCAPE, path, "a symbolic link stands on the way");
	if (fd < 0)
		return error_errno(err, R_IO_OPEN, path, "cannot open the directory");
	char *prefix = path[0] == '\0' ? mem_text("") : mem_format("%s/", path);

	status = list_directory(fd, prefix, 0, list, err);
	free(prefix);
	return status;
}

/* Directories that both have: the one that says why it cannot be listed stays. */
static void drop_doubles(struct file_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct file_entry *before = count > 0 ? &list->at[count - 1] : NULL;

		if (before == NULL || strcmp(before->path, list->at[i].path) != 0) {
			list->at[count++] = list->at[i];
			continue;
		}
		if (before->fault == NULL) {
			before->fault = list->at[i].fault;
			list->at[i].fault = NULL;
		}
		free(list->at[i].fault);
		free(list->at[i].path);
	}
	list->count = count;
}

void root_list_past(const struct root *root, const char *path, struct file_list *list)
{
	struct error err;

	*list = (struct file_list){0};
	if (root->kept != NULL)
		kept_list(root->kept, path, list);
	const size_t kept = list->count;

	if (root->fd >= 0 && list_from(root, path, list, &err) != OK) {
		size_t at = list->count;

		list_add(list, mem_text(path), &(struct stat){.st_mode = S_IFDIR});
		list_fault(list, at, &err);
	}
	if (list->count > 1)
		qsort(list->at, list->count, sizeof *list->at, by_path);
	if (kept > 0 && root->fd >= 0)
		drop_doubles(list);
}

enum status root_list(const struct root *root, const char *path, struct file_list *list, struct error *err)
{
	enum status status = OK;

	root_list_past(root, path, list);
	for (size_t i = 0; i < list->count && status == OK; i++) {
		const struct error *fault = list->at[i].fault;

		if (fault == NULL)
			continue;
		status = fault->status;
		if (err != NULL)
			*err = *fault;
	}
	if (status != OK)
		file_list_free(list);
	return status;
}

void file_list_free(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free(list->at[i].path);
		free(list->at[i].fault);
	}
	free(list->at);
	*list = (struct file_list){0};
}

enum status file_read(const char *name, size_t max, struct bytes *out, struct error *err)
{
	enum status status = check_name(name, err);
	struct stat st;

	if (status != OK)
		return status;
	/* A FIFO without a writer would be waited for, and a device may have no end. */
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, R_IO_OPEN, name, "cannot open the file");
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return error_set(err, R_IO_KIND, name, S_ISDIR(st.st_mode) ? "a directory, where a file is wanted" : "not a regular file");
	}
	status = read_all(fd, name, (uint64_t)st.st_size, max, out, err);

	close(fd);
	return status;
}

enum status file_write(const char *name, unsigned mode, const void *data, size_t len, struct error *err)
{
	enum status status = check_name(name, err);

	if (status != OK)
		return status;
	const char *slash = strrchr(name, '/');
	const char *last = slash != NULL ? slash + 1 : name;
	char *parent = slash == NULL ? mem_text(".") : slash == name ? mem_text("/") : mem_textn(name, (size_t)(slash - name));
	int dir = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (dir < 0)
		status = error_errno(err, errno == ENOTDIR ? R_IO_PLACE : R_IO_WRITE, parent, "cannot open the directory");
	else if (last[0] == '\0')
		status = error_set(err, R_IO_PLACE, name, "this names a directory, not a file");
	else if (fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode))
		status = error_set(err, R_IO_PLACE, name, "it is there, and no file");
	else
		status = write_atomic(dir, last, name, mode, true, data, len, err);
	if (dir >= 0)
		close(dir);
	free(parent);
	return status;
}

int file_by_folded_path(const void *a, const void *b)
{
	const struct file_entry *const *x = a, *const *y = b;
	int order = strcasecmp((*x)->path, (*y)->path);

	return order != 0 ? order : strcmp((*x)->path, (*y)->path);
}

void file_remove_tree(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;

	if (list == NULL) {
		if (fd >= 0)
			close(fd);
		unlinkat(dir, name, 0);
		return;
	}
	while ((entry = readdir(list)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			file_remove_tree(fd, entry->d_name);
	closedir(list);
	unlinkat(dir, name, AT_REMOVEDIR);
}
