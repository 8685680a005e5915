/*
 * Any bytes as a session that is played to an agent (player.h): exchanges.jsonl, and objects. Asked for with every object there is, as often as there are exchanges: each exchange is played once at the most, in the record's order
 * among equal requests, with its own request and its own answer; what is left is known.
 */
#include "parts.h"

#include "model/player.h"

static const char *const paths[] = {"artifact/runs/r/exchanges.jsonl", NULL};

static void play(const struct parts *parts, const struct freezer *freezer, uint32_t trajectory)
{
	struct player *player = player_open(&parts->root, freezer, trajectory);
	const size_t count = player_count(player);
	size_t played = 0;

	for (size_t i = 0; i < parts->kept.count; i++) {
		const struct bytes *body = &parts->files[i].text;
		const struct exchange *exchange = NULL, *before = NULL;
		struct error err = {0};

		for (size_t again = 0; again <= count; again++) {
			const char *data = body->data != NULL ? body->data : "";
			const struct sha256 id = sha256_of(data, body->len);
			const enum status status = player_next(player, data, body->len, &exchange, &err);

			if (status != OK && err.rule != R_PRX_KEPT) {
				/* That of the one that stands next may lack its object. */
				REQUIRE(err.rule == R_PRX_LEAVES || err.rule == R_IO_OPEN);
				break;
			}
			REQUIRE(memcmp(&exchange->request, &id, sizeof id) == 0 && exchange->trajectory == trajectory && (before == NULL || before < exchange));
			before = exchange;
			played++;
			if (status == OK && exchange->has_response) {
				struct bytes answer = {0};

				if (player_answer(player, exchange, &answer, NULL) == OK) {
					const struct sha256 response = sha256_of(answer.data, answer.len);

					REQUIRE(memcmp(&response, &exchange->response, sizeof response) == 0);
				}
				bytes_free(&answer);
			}
		}
	}
	REQUIRE(player_played(player) == played && played <= count && (player_unplayed(player) == NULL) == (played == count));
	player_close(player);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct parts parts;
	struct freezer *freezer;

	parts_open(&parts, paths, data, size);
	if (freezer_open_frozen(&parts.root, "r", &freezer, NULL) == OK) {
		for (uint32_t trajectory = 0; trajectory < 3; trajectory++)
			play(&parts, freezer, trajectory);
		freezer_close(freezer);
	}
	parts_close(&parts);
	return 0;
}
