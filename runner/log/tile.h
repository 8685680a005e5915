/*
 * Tiles and bundles of entries (c2sp.org/tlog-tiles): the files that hold a log.
 *
 * tile/LEVEL/N holds hashes N * 256 to N * 256 + 255 of that level, 32 bytes each: of single entries on level 0, and above of full tiles of the
 * level below. tile/entries/N holds entries N * 256 to N * 256 + 255, each behind its length, two bytes, big-endian. The last file of each row is partial
 * where there are fewer than 256 (N.p/WIDTH). N is written in groups of three digits, all but the last behind an x: 1234067 is x001/x234/067.
 */
#ifndef PTXSEAL_LOG_TILE_H
#define PTXSEAL_LOG_TILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"

enum {
	TILE_WIDTH = 256,     /* of a full tile */
	TILE_HEIGHT = 8,      /* levels of the tree that a tile spans */
	TILE_LEVELS = 8,      /* enough for 2^63 entries */
	TILE_ENTRIES = -1,    /* the "level" of bundles of entries */
	TILE_PATH_MAX = 64,
	ENTRY_BYTES_MAX = 65535,
	TILE_BYTES_MAX = TILE_WIDTH * (2 + ENTRY_BYTES_MAX), /* of a bundle of entries */
};

struct tile {
	int level;      /* 0 to TILE_LEVELS - 1, or TILE_ENTRIES */
	uint64_t index; /* of the tile in its level */
	unsigned width; /* 1 to TILE_WIDTH */
};

/* "tile/0/x001/x234/067.p/8". */
void tile_path(const struct tile *tile, char out[TILE_PATH_MAX]);
/* The tile of that very path; false if it is none. */
bool tile_parse(const char *path, struct tile *tile);

/* How many tiles of a level a log of that many entries has; the last may be partial. */
uint64_t tile_count(int level, uint64_t size);
/* How wide the tile is in a log of that many entries; 0 if there is none. */
unsigned tile_width(int level, uint64_t index, uint64_t size);

/* Where the entries of a bundle stand. */
struct entry {
	const char *data; /* within the bundle */
	size_t len;
};

/* Append an entry of at most ENTRY_BYTES_MAX bytes to a bundle. */
void entries_add(struct bytes *bundle, const void *entry, size_t len);
/* Split a bundle; false unless it holds exactly width entries and nothing else. */
bool entries_split(const char *bundle, size_t len, unsigned width, struct entry out[TILE_WIDTH]);

#endif
