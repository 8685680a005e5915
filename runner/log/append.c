#include "append.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "../bundle/layout.h"
#include "edge.h"

/* An append at work. */
struct append {
	struct tlog *log;
	struct root directory; /* the log's, locked until it is closed */
	struct edge *edge;
	struct bytes bundle; /* the last bundle of entries, partial */
};

/* The disk is waited for once for all of them (wait_for_disk). */
static enum status write_tile(const struct tlog *log, const struct tile *tile, const void *data, size_t len, struct error *err)
{
	char *path = tlog_tile_path(log, tile);
	enum status status = root_write_product(log->root, path, data, len, err);

	free(path);
	return status;
}

/* Has the log no place for the file, or no longer? */
static bool is_spent(const char *file, uint64_t size)
{
	struct tile tile;

	if (layout_is_leftover(file))
		return true;
	if (!tile_parse(file, &tile))
		return false;
	unsigned width = tile_width(tile.level, tile.index, size);

	return tile.width > width || (width == TILE_WIDTH && tile.width < TILE_WIDTH);
}

/* Not through a temporary file: one of its own could be left behind unmarked. */
static enum status mark(const struct append *append, struct error *err)
{
	int fd = openat(append->directory.fd, TLOG_UNFINISHED, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
	bool made = fd >= 0 && fsync(append->directory.fd) == 0;
	char *path = tlog_path(append->log, TLOG_UNFINISHED);
	enum status status = made ? OK : error_errno(err, R_IO_WRITE, path, "cannot make the file");

	if (fd >= 0)
		close(fd);
	free(path);
	return status;
}

static enum status unmark(const struct tlog *log, struct error *err)
{
	char *path = tlog_path(log, TLOG_UNFINISHED);
	enum status status = root_remove(log->root, path, err);

	free(path);
	return status;
}

/* Remove what an append that did not end has left, and last of all its mark. log->head is what stands in the file. */
static enum status settle(const struct tlog *log, struct error *err)
{
	char *directory = mem_textn(log->prefix, strlen(log->prefix) - (log->prefix[0] != '\0'));
	struct file_list list;
	enum status status = root_list(log->root, directory, &list, err);

	/* From the end: what is in a directory stands behind it. */
	for (size_t i = status == OK ? list.count : 0; i > 0 && status == OK; i--) {
		const struct file_entry *entry = &list.at[i - 1];

		if (entry->kind == FILE_DIRECTORY || (entry->kind == FILE_REGULAR && is_spent(entry->path + strlen(log->prefix), log->head.size)))
			status = root_remove(log->root, entry->path, err);
	}
	if (status == OK)
		status = unmark(log, err);
	file_list_free(&list);
	free(directory);
	return status;
}

/* Read the partial tiles that the log ends in, and hold them against the checkpoint and the entries. */
static enum status load_edge(struct append *append, struct error *err)
{
	struct tlog *log = append->log;
	const uint64_t size = log->head.size;
	struct entry entries[TILE_WIDTH];
	const struct sha256 *hashes;
	unsigned width;
	enum status status = OK;

	append->edge->size = size;
	for (int level = 0; level < TILE_LEVELS && status == OK; level++) {
		const uint64_t last = (size >> (TILE_HEIGHT * level)) / TILE_WIDTH;

		if (tile_width(level, last, size) == 0)
			continue;
		status = tlog_hashes(log, level, last, &hashes, &append->edge->width[level], err);
		if (status == OK)
			memcpy(append->edge->hashes[level], hashes, append->edge->width[level] * sizeof *hashes);
	}
	if (status != OK)
		return status;
	struct sha256 root = edge_root(append->edge);

	if (memcmp(&root, &log->head.root, sizeof root) != 0) {
		char *path = tlog_path(log, TLOG_CHECKPOINT);

		status = error_set(err, R_LOG_ROOT, path, "the last tiles do not lead to its root hash");
		free(path);
		return status;
	}
	if (size % TILE_WIDTH == 0)
		return OK;
	status = tlog_entries(log, size / TILE_WIDTH, entries, &width, err);
	for (unsigned i = 0; i < width && status == OK; i++) {
		struct sha256 leaf = merkle_leaf(entries[i].data, entries[i].len);

		if (memcmp(&leaf, &append->edge->hashes[0][i], sizeof leaf) != 0) {
			const struct tile tile = {TILE_ENTRIES, size / TILE_WIDTH, width};
			char *path = tlog_tile_path(log, &tile);

			status = error_set(err, R_LOG_ENTRIES, path, "entry %u is not the one that was hashed", i);
			free(path);
		}
		entries_add(&append->bundle, entries[i].data, entries[i].len);
	}
	return status;
}

static enum status write_full(void *context, const struct tile *tile, const struct sha256 hashes[TILE_WIDTH], struct error *err)
{
	struct append *append = context;
	enum status status = write_tile(append->log, tile, hashes, TILE_WIDTH * sizeof *hashes, err);

	if (status == OK && tile->level == 0) {
		const struct tile bundle = {TILE_ENTRIES, tile->index, TILE_WIDTH};

		status = write_tile(append->log, &bundle, append->bundle.data, append->bundle.len, err);
		append->bundle.len = 0;
	}
	return status;
}

/* The tiles that the log now ends in, where they are not those that it ended in before. */
static enum status write_partial(struct append *append, uint64_t before, struct error *err)
{
	const struct edge *edge = append->edge;
	enum status status = OK;

	for (int level = 0; level < TILE_LEVELS && status == OK; level++) {
		const struct tile tile = {level, (edge->size >> (TILE_HEIGHT * level)) / TILE_WIDTH, edge->width[level]};

		if (tile.width > 0 && tile.width != tile_width(level, tile.index, before))
			status = write_tile(append->log, &tile, edge->hashes[level], tile.width * sizeof(struct sha256), err);
	}
	if (status == OK && edge->width[0] > 0) {
		const struct tile bundle = {TILE_ENTRIES, edge->size / TILE_WIDTH, edge->width[0]};

		status = write_tile(append->log, &bundle, append->bundle.data, append->bundle.len, err);
	}
	return status;
}

/* Remove the partial tiles of a tile that is full by now, as they stand in its directory. */
static enum status remove_partial(const struct tlog *log, int level, uint64_t index, struct error *err)
{
	const struct tile full = {level, index, TILE_WIDTH};
	char *whole = tlog_tile_path(log, &full), *directory = mem_format("%s.p", whole);
	struct file_list list;
	enum status status = root_list(log->root, directory, &list, err);

	for (size_t i = 0; status == OK && i < list.count; i++)
		status = root_remove(log->root, list.at[i].path, err);
	if (status == OK && list.count > 0)
		status = root_remove(log->root, directory, err);
	file_list_free(&list);
	free(directory);
	free(whole);
	return status;
}

static enum status remove_replaced(const struct tlog *log, uint64_t before, struct error *err)
{
	enum status status = OK;

	for (int level = TILE_ENTRIES; level < TILE_LEVELS && status == OK; level++) {
		const uint64_t last = tile_count(level, before) - 1;

		if (tile_count(level, before) > 0 && tile_width(level, last, before) < TILE_WIDTH &&
		    tile_width(level, last, log->head.size) == TILE_WIDTH)
			status = remove_partial(log, level, last, err);
	}
	return status;
}

/* Everything that the new checkpoint will speak of, files and their directories, is on the disk before it is written. */
static enum status wait_for_disk(const struct append *append, struct error *err)
{
	char *path = tlog_path(append->log, "tile");
	enum status status = syncfs(append->directory.fd) == 0 ? OK : error_errno(err, R_IO_WRITE, path, "cannot wait for the disk");

	free(path);
	return status;
}

/* Everything up to the new checkpoint, which is the moment at which the entries are in the log. */
static enum status write_entries(struct append *append, const struct entry *entries, size_t count, const struct key *key, struct error *err)
{
	struct tlog *log = append->log;
	const uint64_t before = log->head.size;
	struct bytes note = {0};
	enum status status = mark(append, err);

	for (size_t i = 0; i < count && status == OK; i++) {
		struct sha256 leaf = merkle_leaf(entries[i].data, entries[i].len);

		entries_add(&append->bundle, entries[i].data, entries[i].len);
		status = edge_add(append->edge, &leaf, write_full, append, err);
	}
	if (status == OK)
		status = write_partial(append, before, err);
	if (status == OK)
		status = wait_for_disk(append, err);
	if (status == OK) {
		struct checkpoint head = {log->head.origin, append->edge->size, edge_root(append->edge)};

		status = checkpoint_sign(&head, key, &note, err);
	}
	if (status == OK) {
		char *path = tlog_path(log, TLOG_CHECKPOINT);

		status = root_write(log->root, path, note.data, note.len, err);
		free(path);
	}
	bytes_free(&note);
	return status;
}

static enum status append_locked(struct append *append, const struct entry *entries, size_t count, const struct key *key, struct error *err)
{
	struct tlog *log = append->log;
	const uint64_t before = log->head.size;
	enum status status = load_edge(append, err);

	if (status != OK)
		return status;
	status = write_entries(append, entries, count, key, err);
	if (status != OK) {
		/* Back to what counts, which is what stands in the checkpoint; what went wrong first is what is told. */
		if (tlog_refresh(log, NULL) == OK)
			settle(log, NULL);
		return status;
	}
	status = tlog_refresh(log, err);
	if (status == OK)
		status = remove_replaced(log, before, err);
	return status == OK ? unmark(log, err) : status;
}

static enum status check_request(const struct tlog *log, const struct entry *entries, size_t count, const struct key *key, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (entries[i].len > ENTRY_BYTES_MAX)
			return error_set(err, R_LOG_ENTRY, "", "entry %zu has %zu bytes", i, entries[i].len);
	if (strcmp(key->fingerprint, log->verifier.key.fingerprint) == 0)
		return OK;
	char *path = tlog_path(log, TLOG_CHECKPOINT);
	enum status status = error_set(err, R_LOG_KEY, path, "it is signed by %s, not by %s", log->verifier.key.fingerprint, key->fingerprint);

	free(path);
	return status;
}

static enum status lock(struct append *append, struct error *err)
{
	const struct tlog *log = append->log;
	char *path = mem_textn(log->prefix, strlen(log->prefix) - (log->prefix[0] != '\0'));
	enum status status = root_beneath(log->root, path, &append->directory, err);

	if (status == OK && flock(append->directory.fd, LOCK_EX | LOCK_NB) != 0)
		status = errno == EWOULDBLOCK ? error_set(err, R_LOG_BUSY, path, "another process holds the lock of this directory")
		                              : error_errno(err, R_LOG_BUSY, path, "cannot lock the directory");
	free(path);
	return status;
}

/* Take over what others have appended meanwhile, and clear away what was cut short. */
static enum status catch_up(struct tlog *log, struct error *err)
{
	char *path = tlog_path(log, TLOG_UNFINISHED);
	int fd;
	enum status status = tlog_refresh(log, err);

	if (status == OK && root_open_file(log->root, path, &fd, NULL, NULL) == OK) {
		close(fd);
		status = settle(log, err);
	}
	free(path);
	return status;
}

/* With once, a lone entry that stands in the log already is found there. */
static enum status append_entries(struct tlog *log, const struct entry *entries, size_t count, const struct key *key, bool once,
                                  bool *found, uint64_t *index, struct error *err)
{
	struct append append = {.log = log, .directory = {.fd = -1}};
	enum status status = check_request(log, entries, count, key, err);

	*found = false;
	if (status == OK)
		status = lock(&append, err);
	if (status == OK)
		status = catch_up(log, err);
	if (status == OK && once)
		status = tlog_find(log, entries[0].data, entries[0].len, found, index, err);
	if (status == OK && !*found) {
		*index = log->head.size;
		append.edge = mem_alloc(sizeof *append.edge);
		status = append_locked(&append, entries, count, key, err);
		free(append.edge);
		bytes_free(&append.bundle);
	}
	root_close(&append.directory);
	return status;
}

enum status tlog_settle(struct tlog *log, struct error *err)
{
	struct append append = {.log = log, .directory = {.fd = -1}};
	enum status status = lock(&append, err);

	if (status == OK)
		status = catch_up(log, err);
	root_close(&append.directory);
	return status;
}

enum status tlog_append(struct tlog *log, const struct entry *entries, size_t count, const struct key *key, uint64_t *index, struct error *err)
{
	bool found;

	return append_entries(log, entries, count, key, false, &found, index, err);
}

enum status tlog_append_once(struct tlog *log, const void *entry, size_t len, const struct key *key, uint64_t *index, bool *appended,
                             struct error *err)
{
	const struct entry one = {entry, len};
	bool found;
	enum status status = append_entries(log, &one, 1, key, true, &found, index, err);

	*appended = status == OK && !found;
	return status;
}
