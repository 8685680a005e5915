#include "tlog.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "edge.h"

char *tlog_path(const struct tlog *log, const char *file)
{
	return mem_format("%s%s", log->prefix, file);
}

char *tlog_tile_path(const struct tlog *log, const struct tile *tile)
{
	char name[TILE_PATH_MAX];

	tile_path(tile, name);
	return tlog_path(log, name);
}

static enum status read_vkey(const struct root *root, const char *prefix, struct verifier *verifier, struct error *err)
{
	char *path = mem_format("%s%s", prefix, TLOG_VKEY);
	struct bytes text = {0};
	enum status status = root_read(root, path, NOTE_BYTES_MAX, &text, err);

	*verifier = (struct verifier){0};
	if (status == OK && (text.len == 0 || text.data[text.len - 1] != '\n'))
		status = error_set(err, R_LOG_VKEY, path, "not one line");
	if (status == OK)
		status = verifier_parse(text.data, text.len - 1, path, verifier, err);
	bytes_free(&text);
	free(path);
	return status;
}

enum status tlog_trusted(const struct root *root, const char *prefix, const struct trust *trust, struct verifier *verifier,
                         struct error *err)
{
	enum status status = read_vkey(root, prefix, verifier, err);

	if (status != OK)
		return status;
	const struct trusted_key *trusted = trust_find(trust, verifier->key.fingerprint);
	char *path = mem_format("%s%s", prefix, TLOG_VKEY);

	if (trusted == NULL)
		status = error_set(err, R_SIG_UNKNOWN, path, "the key is %s", verifier->key.fingerprint);
	else if (trusted->revoked != NULL)
		status = error_set(err, R_SIG_REVOKED, path, "the key is revoked: %s", trusted->revoked);
	else if (!words_have(&trusted->roles, ROLE_LOG))
		status = error_set(err, R_SIG_ROLE, path, "the key %s has not the role %s", trusted->file, ROLE_LOG);
	else if (trust_threshold(trust, ROLE_LOG) > 1) /* a checkpoint is signed by the one key that stands here */
		status = error_set(err, R_SIG_THRESHOLD, path, "%u keys of the role %s have to sign, a log has one", trust_threshold(trust, ROLE_LOG), ROLE_LOG);
	free(path);
	if (status != OK)
		verifier_free(verifier);
	return status;
}

/* A log is begun where there is nothing, or what a killed attempt to begin one has left. */
static enum status check_empty(const struct root *root, const char *prefix, struct error *err)
{
	char *directory = mem_textn(prefix, strlen(prefix) - (prefix[0] != '\0'));
	struct file_list list;
	enum status status = root_list(root, directory, &list, err);

	for (size_t i = 0; i < list.count && status == OK; i++) {
		const char *path = list.at[i].path, *file = path + strlen(prefix);

		if (layout_is_leftover(file))
			status = root_remove(root, path, err);
		else if (strcmp(file, TLOG_VKEY) != 0)
			status = error_set(err, R_LOG_EXISTS, root->name, "'%s' stands there", path);
	}
	file_list_free(&list);
	free(directory);
	return status;
}

static enum status write_file(const struct root *root, const char *prefix, const char *file, const struct bytes *data, struct error *err)
{
	char *path = mem_format("%s%s", prefix, file);
	enum status status = root_write(root, path, data->data, data->len, err);

	free(path);
	return status;
}

enum status tlog_create(const struct root *root, const char *prefix, const char *origin, const struct key *key, struct error *err)
{
	struct checkpoint head = {.origin = mem_text(origin), .root = merkle_empty()};
	struct bytes note = {0}, line = {0};
	struct verifier verifier;
	enum status status = verifier_of(origin, key, &verifier, err);

	if (status == OK)
		status = check_empty(root, prefix, err);
	if (status == OK)
		status = checkpoint_sign(&head, key, &note, err);
	if (status == OK) {
		verifier_write(&verifier, &line);
		bytes_char(&line, '\n');
		status = write_file(root, prefix, TLOG_VKEY, &line, err);
	}
	if (status == OK)
		status = write_file(root, prefix, TLOG_CHECKPOINT, &note, err);
	verifier_free(&verifier);
	bytes_free(&note);
	bytes_free(&line);
	checkpoint_free(&head);
	return status;
}

enum status tlog_refresh(struct tlog *log, struct error *err)
{
	char *path = tlog_path(log, TLOG_CHECKPOINT);
	struct checkpoint head;
	struct bytes note = {0};
	enum status status = root_read(log->root, path, NOTE_BYTES_MAX, &note, err);

	if (status == OK)
		status = checkpoint_open(note.data, note.len, path, &log->verifier, &head, err);
	free(path);
	if (status != OK) {
		bytes_free(&note);
		return status;
	}
	checkpoint_free(&log->head);
	bytes_free(&log->note);
	log->head = head;
	log->note = note;
	/* What was read of tiles may be of another one. */
	for (int level = 0; level < TILE_LEVELS; level++)
		log->cache[level].tile.width = 0;
	log->bundle_tile.width = 0;
	return OK;
}

enum status tlog_open(const struct root *root, const char *prefix, const struct verifier *verifier, struct tlog *log, struct error *err)
{
	*log = (struct tlog){.root = root, .prefix = mem_text(prefix)};
	enum status status = verifier != NULL ? verifier_of(verifier->name, &verifier->key, &log->verifier, err)
	                                      : read_vkey(root, prefix, &log->verifier, err);

	if (status == OK)
		status = tlog_refresh(log, err);
	if (status != OK)
		tlog_close(log);
	return status;
}

void tlog_close(struct tlog *log)
{
	free(log->prefix);
	verifier_free(&log->verifier);
	checkpoint_free(&log->head);
	bytes_free(&log->note);
	bytes_free(&log->bundle);
	for (int level = 0; level < TILE_LEVELS; level++)
		free(log->cache[level].hashes);
	*log = (struct tlog){0};
}

/* Read the file of a tile. Where it is not there, the full one may have taken its place meanwhile. */
static enum status read_tile(const struct tlog *log, const struct tile *tile, size_t max, struct bytes *out, struct error *err)
{
	const struct tile full = {tile->level, tile->index, TILE_WIDTH};
	char *path = tlog_tile_path(log, tile), *whole = tlog_tile_path(log, &full);
	struct error missing;
	enum status status = root_read(log->root, path, max, out, &missing);

	if (status != OK && missing.rule == R_IO_OPEN && tile->width < TILE_WIDTH)
		status = root_read(log->root, whole, max, out, &missing);
	if (status != OK && missing.rule == R_IO_OPEN)
		status = error_set(err, tile->level == TILE_ENTRIES ? R_LOG_ENTRIES : R_LOG_TILE, path, "the file cannot be opened");
	else if (status != OK && err != NULL)
		*err = missing;
	free(path);
	free(whole);
	return status;
}

static enum status bad_tile(const struct tlog *log, const struct tile *tile, const char *what, struct error *err)
{
	char *path = tlog_tile_path(log, tile);
	enum status status = error_set(err, tile->level == TILE_ENTRIES ? R_LOG_ENTRIES : R_LOG_TILE, path, "%s", what);

	free(path);
	return status;
}

static bool same_tile(const struct tile *a, const struct tile *b)
{
	return a->index == b->index && a->width == b->width;
}

enum status tlog_hashes(struct tlog *log, int level, uint64_t index, const struct sha256 **hashes, unsigned *width, struct error *err)
{
	const struct tile tile = {level, index, tile_width(level, index, log->head.size)};
	struct bytes data = {0};
	enum status status = OK;

	if (log->cache[level].hashes == NULL)
		log->cache[level].hashes = mem_array(NULL, TILE_WIDTH, sizeof(struct sha256));
	if (!same_tile(&log->cache[level].tile, &tile)) {
		status = read_tile(log, &tile, TILE_WIDTH * SHA256_BYTES, &data, err);
		if (status == OK && data.len != tile.width * SHA256_BYTES && data.len != TILE_WIDTH * SHA256_BYTES)
			status = bad_tile(log, &tile, "it has not as many bytes as its hashes need", err);
		if (status == OK) {
			memcpy(log->cache[level].hashes, data.data, tile.width * SHA256_BYTES);
			log->cache[level].tile = tile;
		}
		bytes_free(&data);
	}
	*hashes = log->cache[level].hashes;
	*width = tile.width;
	return status;
}

enum status tlog_node(void *context, unsigned height, uint64_t index, struct sha256 *hash, struct error *err)
{
	struct tlog *log = context;
	unsigned inner = height % TILE_HEIGHT, width;
	uint64_t first = index << inner;
	const struct sha256 *hashes;
	enum status status = tlog_hashes(log, (int)(height / TILE_HEIGHT), first / TILE_WIDTH, &hashes, &width, err);

	if (status == OK)
		*hash = merkle_fold(hashes + first % TILE_WIDTH, (size_t)1 << inner);
	return status;
}

enum status tlog_entries(struct tlog *log, uint64_t index, struct entry out[TILE_WIDTH], unsigned *width, struct error *err)
{
	const struct tile tile = {TILE_ENTRIES, index, tile_width(TILE_ENTRIES, index, log->head.size)};
	enum status status = OK;

	*width = tile.width;
	if (!same_tile(&log->bundle_tile, &tile)) {
		log->bundle_tile.width = 0;
		log->bundle.len = 0;
		status = read_tile(log, &tile, TILE_BYTES_MAX, &log->bundle, err);
	}
	if (status != OK)
		return status;
	/* A full bundle that has taken the place of a partial one holds more. */
	if (!entries_split(log->bundle.data, log->bundle.len, tile.width, out) &&
	    !entries_split(log->bundle.data, log->bundle.len, TILE_WIDTH, out))
		return bad_tile(log, &tile, "it does not hold as many entries as its name says, each behind its length", err);
	log->bundle_tile = tile;
	return OK;
}

static enum status check_index(const struct tlog *log, uint64_t index, struct error *err)
{
	if (index < log->head.size)
		return OK;
	return error_set(err, R_LOG_INDEX, "", "%llu, of a log of %llu entries", (unsigned long long)index, (unsigned long long)log->head.size);
}

enum status tlog_entry(struct tlog *log, uint64_t index, struct bytes *out, struct error *err)
{
	const struct tile tile = {TILE_ENTRIES, index / TILE_WIDTH, tile_width(TILE_ENTRIES, index / TILE_WIDTH, log->head.size)};
	struct entry entries[TILE_WIDTH];
	const struct sha256 *hashes = NULL;
	unsigned width;
	enum status status = check_index(log, index, err);

	if (status == OK)
		status = tlog_entries(log, tile.index, entries, &width, err);
	if (status == OK)
		status = tlog_hashes(log, 0, tile.index, &hashes, &width, err);
	if (status != OK)
		return status;
	const struct entry *entry = &entries[index % TILE_WIDTH];
	struct sha256 leaf = merkle_leaf(entry->data, entry->len);

	if (memcmp(&leaf, &hashes[index % TILE_WIDTH], sizeof leaf) != 0)
		return bad_tile(log, &tile, "an entry of it is not the one that the tile of level 0 has hashed", err);
	bytes_add(out, entry->data, entry->len);
	return OK;
}

enum status tlog_find(struct tlog *log, const void *entry, size_t len, bool *found, uint64_t *index, struct error *err)
{
	struct sha256 leaf = merkle_leaf(entry, len), root;
	struct edge *edge = mem_alloc(sizeof *edge);
	enum status status = OK;

	*found = false;
	for (uint64_t n = 0; n < tile_count(0, log->head.size) && status == OK; n++) {
		const struct sha256 *hashes;
		unsigned width = 0;

		status = tlog_hashes(log, 0, n, &hashes, &width, err);
		for (unsigned i = 0; i < width && status == OK; i++) {
			if (!*found && memcmp(&hashes[i], &leaf, sizeof leaf) == 0) {
				*found = true;
				*index = n * TILE_WIDTH + i;
			}
			status = edge_add(edge, &hashes[i], NULL, NULL, err);
		}
	}
	root = edge_root(edge);
	free(edge);
	/* A changed tile could hide an entry that is there. */
	if (status == OK && memcmp(&root, &log->head.root, sizeof root) != 0) {
		char *path = tlog_path(log, TLOG_CHECKPOINT);

		status = error_set(err, R_LOG_ROOT, path, "the tiles of level 0 do not lead to its root hash");
		free(path);
	}
	return status;
}
