#include "audit.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../bundle/layout.h"
#include "edge.h"

/* A file of the log that is a tile it may have, at the checkpoint or at an earlier one. */
struct seen {
	struct tile tile;
	const char *path;
};

struct work {
	struct tlog *log;
	const struct checkpoint *old;
	struct tlog_audit *audit;
	struct file_list list;
	struct seen *seen; /* sorted by level, index, width */
	size_t count;
	struct edge *edge;       /* of what was recomputed so far */
	struct sha256 old_root;  /* once the edge has old->size entries */
	bool broken;             /* hashes are missing: no root can be told */
	/* What stands in the bundle of entries and in the tile of level 0 beside it. */
	struct entry entries[TILE_WIDTH];
	struct sha256 hashed[TILE_WIDTH];
	const struct sha256 *tile; /* NULL: not to be had */
	bool split;                /* entries and hashed are filled */
};

static int by_tile(const void *a, const void *b)
{
	const struct tile *x = &((const struct seen *)a)->tile, *y = &((const struct seen *)b)->tile;

	if (x->level != y->level)
		return x->level < y->level ? -1 : 1;
	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->width < y->width ? -1 : x->width > y->width;
}

static enum rule tile_rule(const struct tile *tile)
{
	return tile->level == TILE_ENTRIES ? R_LOG_ENTRIES : R_LOG_TILE;
}

/* A file of which nothing can be said by its name alone, but that it may stand there. */
static bool is_needed(const char *file)
{
	return strcmp(file, TLOG_CHECKPOINT) == 0 || strcmp(file, TLOG_VKEY) == 0;
}

/* What an append leaves that was cut short. */
static bool is_remains(const char *file)
{
	struct tile tile;

	return strcmp(file, TLOG_UNFINISHED) == 0 || layout_is_leftover(file) || tile_parse(file, &tile);
}

/* Sort out what stands in the directory. */
static void take_stock(struct work *work)
{
	const size_t prefix = strlen(work->log->prefix);
	char *directory = mem_textn(work->log->prefix, prefix - (prefix > 0)), *mark = tlog_path(work->log, TLOG_UNFINISHED);
	struct findings *findings = &work->audit->findings;
	bool unfinished = false;

	root_list_past(work->log->root, directory, &work->list);
	work->seen = mem_array(NULL, work->list.count, sizeof *work->seen);
	for (size_t i = 0; i < work->list.count; i++)
		unfinished = unfinished || strcmp(work->list.at[i].path, mark) == 0;
	if (unfinished)
		findings_add(findings, R_LOG_UNFINISHED, mark, "an append was begun and not ended");
	for (size_t i = 0; i < work->list.count; i++) {
		const struct file_entry *entry = &work->list.at[i];
		const char *file = entry->path + prefix;
		struct tile tile;

		if (entry->fault != NULL)
			findings_error(findings, NULL, entry->fault);
		if (entry->kind == FILE_DIRECTORY)
			continue;
		work->audit->files++;
		if (entry->kind == FILE_OTHER)
			findings_add(findings, R_IO_KIND, entry->path, "not a regular file");
		else if (tile_parse(file, &tile) && tile.width <= tile_width(tile.level, tile.index, work->log->head.size))
			work->seen[work->count++] = (struct seen){tile, entry->path};
		else if (!is_needed(file) && !(unfinished && is_remains(file)))
			findings_add(findings, R_LOG_EXTRA, entry->path, "the checkpoint's %" PRIu64 " entries need no such file",
			             work->log->head.size);
	}
	if (work->count > 1)
		qsort(work->seen, work->count, sizeof *work->seen, by_tile);
	free(directory);
	free(mark);
}

static void check_vkey(struct work *work)
{
	char *path = tlog_path(work->log, TLOG_VKEY);
	struct bytes there = {0}, right = {0};
	struct error err;

	verifier_write(&work->log->verifier, &right);
	bytes_char(&right, '\n');
	if (root_read(work->log->root, path, NOTE_BYTES_MAX, &there, &err) != OK)
		findings_error(&work->audit->findings, path, &err);
	else if (there.len != right.len || memcmp(there.data, right.data, right.len) != 0)
		findings_add(&work->audit->findings, R_LOG_VKEY, path, "it is not the verifier key with which the checkpoint was checked");
	bytes_free(&there);
	bytes_free(&right);
	free(path);
}

/* Where the files of a tile stand among those seen, or would. */
static size_t find_seen(const struct work *work, int level, uint64_t index)
{
	const struct seen key = {{level, index, 0}, NULL};
	size_t low = 0, high = work->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_tile(&work->seen[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Hold every file of a tile, the partial ones of earlier checkpoints too, against the bytes that the tile has to have; the first end[w - 1] of
 * them belong to a width of w. */
static void check_files(struct work *work, const struct tile *tile, const char *right, const size_t *end)
{
	struct findings *findings = &work->audit->findings;
	size_t low = find_seen(work, tile->level, tile->index);
	bool found = false;

	for (; low < work->count && work->seen[low].tile.level == tile->level && work->seen[low].tile.index == tile->index; low++) {
		const struct seen *seen = &work->seen[low];
		struct bytes data = {0};
		struct error err;

		found = found || seen->tile.width == tile->width;
		size_t need = end[seen->tile.width - 1], at = 0;

		if (root_read(work->log->root, seen->path, TILE_BYTES_MAX, &data, &err) != OK) {
			findings_error(findings, seen->path, &err);
		} else if (data.len != need) {
			findings_add(findings, tile_rule(tile), seen->path, "it has %zu bytes, %zu belong there", data.len, need);
		} else if (memcmp(data.data, right, need) != 0) {
			while (data.data[at] == right[at])
				at++;
			unsigned place = 0;

			while (end[place] <= at)
				place++;
			findings_add(findings, tile_rule(tile), seen->path, "%s %u is not the one that belongs there",
			             tile->level == TILE_ENTRIES ? "entry" : "hash", place);
		}
		bytes_free(&data);
	}
	if (!found) {
		char *path = tlog_tile_path(work->log, tile);

		findings_add(findings, tile_rule(tile), path, "it is missing");
		free(path);
	}
}

static void check_hashes(struct work *work, const struct tile *tile, const struct sha256 *right)
{
	size_t end[TILE_WIDTH];

	for (unsigned i = 0; i < tile->width; i++)
		end[i] = (i + 1) * sizeof *right;
	check_files(work, tile, (const char *)right, end);
}

/* Of the levels above, each tile as soon as what is below it has given all its hashes. */
static enum status check_full(void *context, const struct tile *tile, const struct sha256 hashes[TILE_WIDTH], struct error *err)
{
	(void)err;
	if (tile->level > 0)
		check_hashes(context, tile, hashes);
	return OK;
}

static void add_leaves(struct work *work, struct edge *edge, const struct sha256 *leaves, unsigned width, bool checked)
{
	for (unsigned i = 0; i < width; i++) {
		edge_add(edge, &leaves[i], checked ? check_full : NULL, work, NULL);
		if (checked && work->old != NULL && edge->size == work->old->size)
			work->old_root = edge_root(edge);
	}
}

/* Do these leaves lead to what is known from elsewhere: a hash of the tile above, or, for the last leaves, the root hash? */
static bool lead_on(struct work *work, const struct tile *tile, const struct sha256 *leaves)
{
	const struct sha256 *above;
	unsigned width;

	if (tile->width == TILE_WIDTH) {
		struct sha256 hash = merkle_fold(leaves, TILE_WIDTH);

		return tlog_hashes(work->log, 1, tile->index / TILE_WIDTH, &above, &width, NULL) == OK &&
		       memcmp(&hash, &above[tile->index % TILE_WIDTH], sizeof hash) == 0;
	}
	struct edge *edge = mem_alloc(sizeof *edge);

	*edge = *work->edge;
	add_leaves(work, edge, leaves, tile->width, false);
	struct sha256 root = edge_root(edge);

	free(edge);
	return memcmp(&root, &work->log->head.root, sizeof root) == 0;
}

static void read_both(struct work *work, const struct tile *tile)
{
	unsigned width;

	/* Which file is at fault, and how, check_files tells. */
	work->split = tlog_entries(work->log, tile->index, work->entries, &width, NULL) == OK;
	for (unsigned i = 0; work->split && i < width; i++) {
		work->hashed[i] = merkle_leaf(work->entries[i].data, work->entries[i].len);
		work->audit->entries++;
		work->audit->bytes += work->entries[i].len;
	}
	if (tlog_hashes(work->log, 0, tile->index, &work->tile, &width, NULL) != OK)
		work->tile = NULL;
}

/* Check the files of a bundle whose entries are the right ones. */
static void check_entries(struct work *work, const struct tile *bundle)
{
	struct bytes right = {0};
	size_t end[TILE_WIDTH];

	for (unsigned i = 0; i < bundle->width; i++) {
		entries_add(&right, work->entries[i].data, work->entries[i].len);
		end[i] = right.len;
	}
	check_files(work, bundle, right.data, end);
	bytes_free(&right);
}

/* One finding a cause: where entries and hashes disagree, the level above, or the root hash, says which of the two was changed. */
static void check_bundle(struct work *work, uint64_t index)
{
	const struct tile tile = {0, index, tile_width(0, index, work->log->head.size)};
	const struct tile bundle = {TILE_ENTRIES, index, tile.width};
	char *path = tlog_tile_path(work->log, &bundle);
	const struct sha256 *right;
	unsigned at = 0;

	read_both(work, &tile);
	if (work->split && work->tile != NULL)
		while (at < tile.width && memcmp(&work->hashed[at], &work->tile[at], sizeof *work->tile) == 0)
			at++;
	bool differ = work->split && work->tile != NULL && at < tile.width;
	bool changed = differ && !lead_on(work, &tile, work->hashed) && lead_on(work, &tile, work->tile);

	if (work->split && !changed) {
		right = work->hashed;
		check_entries(work, &bundle);
		check_hashes(work, &tile, right);
	} else {
		right = work->tile;
		if (changed)
			findings_add(&work->audit->findings, R_LOG_ENTRIES, path, "entry %u is not the one that was hashed", at);
		else
			findings_add(&work->audit->findings, R_LOG_ENTRIES, path,
			             "it is missing, or does not hold %u entries, each behind its length", tile.width);
		if (right != NULL)
			check_hashes(work, &tile, right);
		else
			work->broken = true;
	}
	if (right != NULL && !work->broken) {
		/* The tile's hashes stand in the log's cache, which the checks of other tiles leave alone on this level. */
		add_leaves(work, work->edge, right, tile.width, true);
	}
	free(path);
}

static void check_end(struct work *work, const char *old_file)
{
	const struct checkpoint *head = &work->log->head;
	struct findings *findings = &work->audit->findings;
	struct sha256 root = edge_root(work->edge);
	char *path = tlog_path(work->log, TLOG_CHECKPOINT);

	for (int level = 1; level < TILE_LEVELS; level++) {
		const struct tile tile = {level, (head->size >> (TILE_HEIGHT * level)) / TILE_WIDTH, work->edge->width[level]};

		if (tile.width > 0)
			check_hashes(work, &tile, work->edge->hashes[level]);
	}
	if (memcmp(&root, &head->root, sizeof root) != 0)
		findings_add(findings, R_LOG_ROOT, path, "its %" PRIu64 " entries lead to another root hash", head->size);
	else if (work->old != NULL && work->old->size <= head->size && memcmp(&work->old_root, &work->old->root, sizeof root) != 0)
		findings_add(findings, R_LOG_GROWTH, old_file, "the first %" PRIu64 " entries of the log are not those that it has",
		             work->old->size);
	free(path);
}

/* The first index from this one on at which a file of hashes or of entries is there; count if at none. */
static uint64_t next_seen(const struct work *work, uint64_t index, uint64_t count)
{
	uint64_t next = count;

	for (int level = TILE_ENTRIES; level <= 0; level++) {
		const size_t at = find_seen(work, level, index);

		if (at < work->count && work->seen[at].tile.level == level && work->seen[at].tile.index < next)
			next = work->seen[at].tile.index;
	}
	return next;
}

/* A checkpoint may speak of more tiles than anybody could go through: where none is there, one finding stands for all of them. */
static void check_bundles(struct work *work)
{
	const uint64_t count = tile_count(0, work->log->head.size);

	for (uint64_t index = 0; index < count; index++) {
		const uint64_t next = next_seen(work, index, count);

		if (next > index + 1) {
			const struct tile first = {TILE_ENTRIES, index, tile_width(0, index, work->log->head.size)};
			char *path = tlog_tile_path(work->log, &first);

			findings_add(&work->audit->findings, R_LOG_ENTRIES, path, "it is missing, and so are the %" PRIu64 " after it, with their hashes",
			             next - index - 1);
			free(path);
			work->broken = true;
			index = next - 1;
		} else {
			check_bundle(work, index);
		}
	}
}

void tlog_audit(struct tlog *log, const struct checkpoint *old, const char *old_file, struct tlog_audit *audit)
{
	struct work *work = mem_alloc(sizeof *work);

	*audit = (struct tlog_audit){0};
	*work = (struct work){.log = log, .old = old, .audit = audit, .old_root = merkle_empty(), .edge = mem_alloc(sizeof(struct edge))};
	take_stock(work);
	check_vkey(work);
	check_bundles(work);
	if (!work->broken)
		check_end(work, old_file);
	if (old != NULL && old->size > log->head.size)
		findings_add(&audit->findings, R_LOG_GROWTH, old_file, "it has %" PRIu64 " entries, the log now %" PRIu64, old->size,
		             log->head.size);
	findings_sort(&audit->findings);
	file_list_free(&work->list);
	free(work->seen);
	free(work->edge);
	free(work);
}
