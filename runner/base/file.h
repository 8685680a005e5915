/*
 * Files beneath a directory. Every path that comes from a record is opened through here: it is
 * resolved beneath the directory handle and passes through no symbolic link (openat2 with
 * RESOLVE_BENEATH and RESOLVE_NO_SYMLINKS; part by part with O_NOFOLLOW where the kernel or a
 * sandbox lacks openat2). Only regular files are opened; a FIFO does not block.
 */
#ifndef PTXSEAL_BASE_FILE_H
#define PTXSEAL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bytes.h"
#include "error.h"

enum { PATH_BYTES_MAX = 1024 }; /* longest path in a record, in bytes */

struct kept;
struct root {
	int fd;                  /* -1 when closed */
	char *name;              /* as the user typed it, for messages */
	const struct kept *kept; /* if not NULL, files in memory in place of a directory, or over it where fd is open: to be listed and read whole (kept.h) */
};

/* Open a directory the user named (links are followed here: the user typed it). An empty name is R_IO_NAME, here and
 * wherever else a name comes from the command line. */
enum status root_open(const char *name, struct root *root, struct error *err);
/* The same, making it (and its parents) first where it is missing. What stands there and is no directory: R_IO_PLACE. */
enum status root_create(const char *name, struct root *root, struct error *err);
void root_close(struct root *root); /* fine on a closed one */
/* Open a directory beneath a root, "" the root itself, as a root of its own; its name is root's and the path. */
enum status root_beneath(const struct root *root, const char *path, struct root *sub, struct error *err);

/* The rule a path in a record has to keep (R_PATH_FORM): relative, UTF-8, '/'-separated, no empty,
 * "." or ".." part, no NUL, at most PATH_BYTES_MAX bytes. True if it does. */
bool path_valid(const char *path, size_t len);

/* Open a regular file for reading. *size may be NULL. The caller closes *fd. */
enum status root_open_file(const struct root *root, const char *path, int *fd, uint64_t *size,
                           struct error *err);

/* Read a whole regular file of at most max bytes; a larger one is refused unread (R_IO_SIZE). */
enum status root_read(const struct root *root, const char *path, size_t max, struct bytes *out,
                      struct error *err);

/* Write a file atomically: temporary file in the same directory, fsync, rename, fsync of the
 * directory. Missing directories are made. On failure the old file stands and nothing is left. */
enum status root_write(const struct root *root, const char *path, const void *data, size_t len,
                       struct error *err);
/* The same for what can be made again at any time: atomic, but it does not wait for the disk. */
enum status root_write_product(const struct root *root, const char *path, const void *data, size_t len,
                               struct error *err);
/* A file that is not there yet, in a directory that is, under its own name from the first: the quickest way, for what is kept elsewhere too, since a kill, or a disk
 * that is full, may leave part of it. False: it cannot be written so, or something is there, which is left as it is. */
bool root_write_new(const struct root *root, const char *path, const void *data, size_t len);

/* Whether anything stands at path, a link among others, which is not followed. */
bool root_has(const struct root *root, const char *path);

/* Remove a file or an empty directory. What is not there is no error, nor is a directory that is not empty, which stays. It is gone for good only once the disk has been waited for, by a root_write beside it. */
enum status root_remove(const struct root *root, const char *path, struct error *err);

/* Open a regular file for reading and for writing at its end; it and missing directories are made. The caller closes *fd. */
enum status root_open_append(const struct root *root, const char *path, int *fd, struct error *err);

enum file_kind { FILE_REGULAR, FILE_DIRECTORY, FILE_OTHER /* link, FIFO, socket, device */ };

struct file_entry {
	char *path; /* relative to the root that was listed; raw bytes, may break R_PATH_FORM */
	enum file_kind kind;
	uint64_t size; /* regular files only */
	struct error *fault; /* of a directory: why not all beneath it is listed; NULL if all is. Owned by the list */
};

struct file_list {
	struct file_entry *at;
	size_t count;
	size_t room;
};

/* Everything beneath path ("" = the root itself), directories too, sorted by path bytes; links are listed
 * (FILE_OTHER), never followed. A path that does not exist gives an empty list. */
enum status root_list(const struct root *root, const char *path, struct file_list *list,
                      struct error *err);
/* The same, going on past a directory that cannot be listed: its entry says why (path itself gets an entry then). */
void root_list_past(const struct root *root, const char *path, struct file_list *list);

/* For qsort of pointers to entries: paths that differ only in ASCII letter case stand together, those by bytes. */
int file_by_folded_path(const void *a, const void *b);
void file_list_free(struct file_list *list);

/* Read a regular file the user named on the command line (any path, links followed), at most max bytes. */
enum status file_read(const char *name, size_t max, struct bytes *out, struct error *err);
/* Write one so, atomically. mode e.g. 0644; 0600 for a private key. */
enum status file_write(const char *name, unsigned mode, const void *data, size_t len, struct error *err);

/* All of it to an open file, however many calls that takes. false: errno says why, and a part may be there. */
bool file_write_all(int fd, const void *data, size_t len);
/* Remove name, as seen from the directory dir (or AT_FDCWD), and whatever is beneath it, following no link. What cannot be removed stays: this is only tidying. */
void file_remove_tree(int dir, const char *name);

#endif
