#include "asked.h"

#include <stdlib.h>
#include <string.h>

struct turn_asked {
	struct sha256 request;  /* its body */
	struct sha256 identity; /* with sample 0: what equal questions share */
	uint32_t trajectory, turn, sample;
	uint32_t attempts;      /* recorded */
	enum { ASKED_UNDER_WAY, ASKED_FAILED, ASKED_ANSWERED } state;
};

struct asked {
	struct turn_asked *at;
	size_t count, room;
	uint32_t trajectory, next; /* turn */
};

static struct turn_asked *add(struct asked *asked)
{
	if (asked->count == asked->room) {
		asked->room = asked->room * 2 + 64;
		asked->at = mem_array(asked->at, asked->room, sizeof *asked->at);
	}
	return &asked->at[asked->count++];
}

static void take(struct asked *asked, const struct exchange *exchange)
{
	struct turn_asked *turn = NULL;

	for (size_t i = asked->count; i > 0 && turn == NULL; i--)
		if (asked->at[i - 1].trajectory == exchange->trajectory && asked->at[i - 1].turn == exchange->turn)
			turn = &asked->at[i - 1];
	if (turn == NULL) {
		turn = add(asked);
		*turn = (struct turn_asked){.request = exchange->request,
		                            .identity = exchange_identity(exchange->model_asked, exchange->parameters, &exchange->prompt, 0),
		                            .trajectory = exchange->trajectory,
		                            .turn = exchange->turn,
		                            .sample = exchange->sample};
	}
	turn->attempts = exchange->attempt + 1;
	turn->state = exchange->reply_class == REPLY_ANSWER ? ASKED_ANSWERED : ASKED_FAILED;
	if (turn->trajectory == asked->trajectory && turn->turn >= asked->next)
		asked->next = turn->turn + 1;
}

/* Numbers that a killed session had given to requests of which nothing was recorded are given again. */
static void leave_open(struct asked *asked)
{
	const size_t count = asked->count;

	if (asked->next > 2 * count + 64) /* not of this program */
		return;
	bool *seen = mem_alloc(asked->next + 1u);

	for (size_t i = 0; i < count; i++)
		if (asked->at[i].trajectory == asked->trajectory)
			seen[asked->at[i].turn] = true;
	for (uint32_t turn = asked->next; turn-- > 0;)
		if (!seen[turn])
			*add(asked) = (struct turn_asked){.trajectory = asked->trajectory, .turn = turn, .state = ASKED_FAILED};
	free(seen);
}

struct asked *asked_open(const struct freezer *freezer, uint32_t trajectory)
{
	struct asked *asked = mem_alloc(sizeof *asked);

	asked->trajectory = trajectory;
	for (size_t i = 0; i < freezer_count(freezer); i++)
		take(asked, freezer_at(freezer, i));
	leave_open(asked);
	return asked;
}

void asked_close(struct asked *asked)
{
	if (asked == NULL)
		return;
	free(asked->at);
	free(asked);
}

static bool same(const struct sha256 *a, const struct sha256 *b)
{
	return memcmp(a, b, sizeof *a) == 0;
}

struct asked_place asked_begin(struct asked *asked, const struct request *request)
{
	const struct sha256 body = sha256_of(request->body, request->len), identity = exchange_identity(request->model, request->parameters, &request->prompt, 0);
	struct turn_asked *unused = NULL; /* its number: nothing was recorded of it */
	uint32_t sample = 0;

	for (size_t i = asked->count; i > 0; i--) {
		struct turn_asked *turn = &asked->at[i - 1];

		if (turn->trajectory == asked->trajectory && turn->state == ASKED_FAILED && same(&turn->request, &body)) {
			turn->state = ASKED_UNDER_WAY;
			return (struct asked_place){turn->turn, turn->attempts, turn->sample, i - 1};
		}
		if (turn->state == ASKED_FAILED && turn->attempts == 0)
			unused = turn->trajectory == asked->trajectory && (unused == NULL || turn->turn < unused->turn) ? turn : unused;
		else if (same(&turn->identity, &identity) && turn->sample >= sample)
			sample = turn->sample + 1;
	}
	if (unused != NULL) {
		*unused = (struct turn_asked){.request = body, .identity = identity, .trajectory = asked->trajectory, .turn = unused->turn, .sample = sample, .state = ASKED_UNDER_WAY};
		return (struct asked_place){unused->turn, 0, sample, (size_t)(unused - asked->at)};
	}
	*add(asked) = (struct turn_asked){.request = body, .identity = identity, .trajectory = asked->trajectory, .turn = asked->next, .sample = sample, .state = ASKED_UNDER_WAY};
	return (struct asked_place){asked->next++, 0, sample, asked->count - 1};
}

void asked_end(struct asked *asked, const struct asked_place *place, bool attempted, bool answered)
{
	struct turn_asked *turn = &asked->at[place->index];

	turn->attempts += attempted;
	turn->state = answered ? ASKED_ANSWERED : ASKED_FAILED;
}
