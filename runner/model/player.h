/* A recorded session played to the agent again: each request has to be one of the record's, byte for byte; equal ones get their answers in the order of the record. */
#ifndef PTXSEAL_MODEL_PLAYER_H
#define PTXSEAL_MODEL_PLAYER_H

#include "freeze.h"

struct player;

/* Of that trajectory; freezer outlives it. */
struct player *player_open(const struct root *bundle, const struct freezer *freezer, uint32_t trajectory);
void player_close(struct player *player); /* NULL is fine */

/* The exchange that the request's body is of, which is then played. R_PRX_LEAVES where there is none left, saying where the request differs from the one that the record has next;
 * R_PRX_KEPT where its answer was not kept. */
enum status player_next(struct player *player, const char *body, size_t len, const struct exchange **exchange, struct error *err);
/* The answer of an exchange that has one. */
enum status player_answer(const struct player *player, const struct exchange *exchange, struct bytes *answer, struct error *err);

size_t player_count(const struct player *player); /* exchanges of the trajectory */
size_t player_played(const struct player *player);
const struct exchange *player_unplayed(const struct player *player); /* the first one; NULL: none is left */

#endif
