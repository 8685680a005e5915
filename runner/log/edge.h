/* The right edge of a tree: the hashes of its last, partial tile on each level. It is all that is needed to add entries and to know the root. */
#ifndef PTXSEAL_LOG_EDGE_H
#define PTXSEAL_LOG_EDGE_H

#include <stdint.h>

#include "../base/error.h"
#include "merkle.h"
#include "tile.h"

/* {0} is the edge of the empty tree. */
struct edge {
	uint64_t size; /* entries of the tree */
	unsigned width[TILE_LEVELS]; /* hashes of each level, below TILE_WIDTH */
	struct sha256 hashes[TILE_LEVELS][TILE_WIDTH];
};

/* Given each tile that an added leaf fills, from level 0 up. */
typedef enum status edge_full(void *context, const struct tile *tile, const struct sha256 hashes[TILE_WIDTH], struct error *err);

/* Add the hash of one more entry; full may be NULL. */
enum status edge_add(struct edge *edge, const struct sha256 *leaf, edge_full *full, void *context, struct error *err);

struct sha256 edge_root(const struct edge *edge);

#endif
