#include "player.h"

#include <stdlib.h>
#include <string.h>

#include "../bundle/objects.h"

struct player {
	const struct root *bundle;
	const struct exchange **at;
	bool *done;
	size_t count, played;
};

struct player *player_open(const struct root *bundle, const struct freezer *freezer, uint32_t trajectory)
{
	struct player *player = mem_alloc(sizeof *player);
	const size_t all = freezer_count(freezer);

	player->bundle = bundle;
	player->at = mem_alloc((all + 1) * sizeof *player->at);
	player->done = mem_alloc(all + 1);
	for (size_t i = 0; i < all; i++)
		if (freezer_at(freezer, i)->trajectory == trajectory)
			player->at[player->count++] = freezer_at(freezer, i);
	return player;
}

void player_close(struct player *player)
{
	if (player == NULL)
		return;
	free(player->at);
	free(player->done);
	free(player);
}

size_t player_count(const struct player *player)
{
	return player->count;
}

size_t player_played(const struct player *player)
{
	return player->played;
}

const struct exchange *player_unplayed(const struct player *player)
{
	for (size_t i = 0; i < player->count; i++)
		if (!player->done[i])
			return player->at[i];
	return NULL;
}

/* What was asked is compared with what the record has next. */
static enum status leaves(const struct player *player, const char *body, size_t len, bool known, struct error *err)
{
	const struct exchange *next = player_unplayed(player);
	struct bytes recorded = {0};
	size_t at = 0;

	if (next == NULL)
		return error_set(err, R_PRX_LEAVES, "", "all %zu recorded requests were played, and a further one came", player->count);
	if (known)
		return error_set(err, R_PRX_LEAVES, "", "a request came again whose recorded answers were all played; the record has that of turn %lu next", (unsigned long)next->turn);
	const enum status status = object_get(player->bundle, &next->request, &recorded, err);

	if (status != OK)
		return status;
	while (at < len && at < recorded.len && body[at] == recorded.data[at])
		at++;
	bytes_free(&recorded);
	return error_at(err, R_PRX_LEAVES, "request", at, "the record has no such request; from here on it differs from the one that stands next, of turn %lu", (unsigned long)next->turn);
}

enum status player_next(struct player *player, const char *body, size_t len, const struct exchange **exchange, struct error *err)
{
	const struct sha256 hash = sha256_of(body, len);
	bool known = false;

	for (size_t i = 0; i < player->count; i++) {
		if (memcmp(&player->at[i]->request, &hash, sizeof hash) != 0)
			continue;
		known = true;
		if (player->done[i])
			continue;
		player->done[i] = true;
		player->played++;
		*exchange = player->at[i];
		if (!(*exchange)->has_response && (*exchange)->http_status >= 0)
			return error_set(err, R_PRX_KEPT, "", "turn %lu, attempt %lu: %s", (unsigned long)(*exchange)->turn, (unsigned long)(*exchange)->attempt,
			                 reply_class_name((*exchange)->reply_class));
		return OK;
	}
	return leaves(player, body, len, known, err);
}

enum status player_answer(const struct player *player, const struct exchange *exchange, struct bytes *answer, struct error *err)
{
	return object_get(player->bundle, &exchange->response, answer, err);
}
