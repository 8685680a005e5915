#include "edge.h"

enum status edge_add(struct edge *edge, const struct sha256 *leaf, edge_full *full, void *context, struct error *err)
{
	struct sha256 hash = *leaf;

	edge->size++;
	for (int level = 0; level < TILE_LEVELS; level++) {
		struct sha256 *hashes = edge->hashes[level];
		enum status status = OK;

		hashes[edge->width[level]++] = hash;
		if (edge->width[level] < TILE_WIDTH)
			break;
		struct tile tile = {level, (edge->size >> (TILE_HEIGHT * (level + 1))) - 1, TILE_WIDTH};

		if (full != NULL && (status = full(context, &tile, hashes, err)) != OK)
			return status;
		hash = merkle_fold(hashes, TILE_WIDTH);
		edge->width[level] = 0;
	}
	return OK;
}

struct sha256 edge_root(const struct edge *edge)
{
	struct sha256 root = merkle_empty();
	bool any = false;

	/* From the right: whole subtrees, each larger than the one before. */
	for (int level = 0; level < TILE_LEVELS; level++) {
		unsigned left = edge->width[level];

		for (unsigned block = 1; left > 0; block *= 2) {
			if ((left & block) == 0)
				continue;
			left -= block;
			struct sha256 hash = merkle_fold(edge->hashes[level] + left, block);

			root = any ? merkle_node(&hash, &root) : hash;
			any = true;
		}
	}
	return root;
}
