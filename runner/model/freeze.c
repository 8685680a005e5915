#include "freeze.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../bundle/layout.h"
#include "../bundle/objects.h"
#include "secret.h"

struct frozen {
	struct exchange exchange;
	struct sha256 identity;
};

struct freezer {
	const struct root *root;
	char *path;            /* of exchanges.jsonl, in the bundle */
	struct keeper *keeper; /* NULL: for reading only */
	struct frozen *at;
	size_t count, room;
	size_t committed; /* of them: kept */
	/* Open tables of `slots` entries, a power of two and more than twice the count: index + 1 of an exchange; 0: empty. */
	size_t *newest; /* the last one of its identity, or the answer */
	size_t *tries;  /* the last one of its trajectory and turn */
	size_t slots;
	uint64_t multiplier; /* odd, drawn at random */
};

/* ---- by identity ---- */

/*
 * Multiply-shift hashing (Dietzfelbinger and others, 1997): with an odd multiplier drawn at random two different numbers share a slot with a chance of at most 2 in `slots`, so whoever chose the
 * numbers cannot have chosen them to collide.
 */
static size_t first_slot(const struct freezer *freezer, uint64_t number)
{
	const uint64_t high = (number * freezer->multiplier) >> 32;

	return (size_t)((high * freezer->slots) >> 32);
}

/* The slot of that identity, or the empty one where it would be. */
static size_t slot_of(const struct freezer *freezer, const struct sha256 *identity)
{
	uint64_t number;

	memcpy(&number, identity, sizeof number);
	for (size_t slot = first_slot(freezer, number);; slot = (slot + 1) & (freezer->slots - 1)) {
		const size_t index = freezer->newest[slot];

		if (index == 0 || memcmp(&freezer->at[index - 1].identity, identity, sizeof *identity) == 0)
			return slot;
	}
}

/* The same of a turn. */
static size_t slot_of_turn(const struct freezer *freezer, uint32_t trajectory, uint32_t turn)
{
	for (size_t slot = first_slot(freezer, (uint64_t)trajectory << 32 | turn);; slot = (slot + 1) & (freezer->slots - 1)) {
		const size_t index = freezer->tries[slot];

		if (index == 0 || (freezer->at[index - 1].exchange.trajectory == trajectory && freezer->at[index - 1].exchange.turn == turn))
			return slot;
	}
}

/* Into both tables. An answer stays the one that is found. */
static void enter(struct freezer *freezer, size_t index)
{
	const struct frozen *frozen = &freezer->at[index];
	size_t *newest = &freezer->newest[slot_of(freezer, &frozen->identity)];

	if (*newest == 0 || freezer->at[*newest - 1].exchange.reply_class != REPLY_ANSWER)
		*newest = index + 1;
	freezer->tries[slot_of_turn(freezer, frozen->exchange.trajectory, frozen->exchange.turn)] = index + 1;
}

static void grow(struct freezer *freezer)
{
	if (freezer->count < freezer->room)
		return;
	freezer->room = freezer->room * 2 + 64;
	freezer->at = mem_array(freezer->at, freezer->room, sizeof *freezer->at);
	free(freezer->newest);
	free(freezer->tries);
	for (freezer->slots = 1; freezer->slots < 3 * freezer->room;)
		freezer->slots *= 2;
	freezer->newest = mem_alloc(freezer->slots * sizeof *freezer->newest);
	freezer->tries = mem_alloc(freezer->slots * sizeof *freezer->tries);
	for (size_t i = 0; i < freezer->count; i++)
		enter(freezer, i);
}

/* Takes over what the exchange owns. */
static void take(struct freezer *freezer, struct exchange *exchange)
{
	grow(freezer);
	struct frozen *frozen = &freezer->at[freezer->count];

	frozen->exchange = *exchange;
	frozen->identity = exchange_identity(exchange->model_asked, exchange->parameters, &exchange->prompt, exchange->sample);
	*exchange = (struct exchange){0};
	enter(freezer, freezer->count++);
}

const struct exchange *freezer_last(const struct freezer *freezer, const struct sha256 *identity)
{
	const size_t index = freezer->count > 0 ? freezer->newest[slot_of(freezer, identity)] : 0;

	return index > 0 ? &freezer->at[index - 1].exchange : NULL;
}

const struct exchange *freezer_answer(const struct freezer *freezer, const struct sha256 *identity)
{
	const struct exchange *last = freezer_last(freezer, identity);

	return last != NULL && last->reply_class == REPLY_ANSWER ? last : NULL;
}

size_t freezer_count(const struct freezer *freezer)
{
	return freezer->count;
}

const struct exchange *freezer_at(const struct freezer *freezer, size_t index)
{
	return &freezer->at[index].exchange;
}

const struct exchange *freezer_last_try(const struct freezer *freezer, uint32_t trajectory, uint32_t turn)
{
	const size_t index = freezer->count > 0 ? freezer->tries[slot_of_turn(freezer, trajectory, turn)] : 0;

	return index > 0 ? &freezer->at[index - 1].exchange : NULL;
}

unsigned freezer_attempts(const struct freezer *freezer, uint32_t trajectory, uint32_t turn)
{
	const struct exchange *last = freezer_last_try(freezer, trajectory, turn);

	return last != NULL ? last->attempt + 1 : 0;
}

/* ---- opening ---- */

static enum status on_exchange(void *context, struct exchange *exchange, uint64_t line, struct error *err)
{
	struct freezer *freezer = context;

	(void)line, (void)err;
	take(freezer, exchange);
	freezer->committed = freezer->count;
	return OK;
}

static struct freezer *new_freezer(const struct root *root, const char *run)
{
	struct freezer *freezer = mem_alloc(sizeof *freezer);

	freezer->root = root;
	freezer->path = mem_format(LAYOUT_RUNS "%s/" LAYOUT_EXCHANGES, run);
	if (getrandom(&freezer->multiplier, sizeof freezer->multiplier, 0) != (ssize_t)sizeof freezer->multiplier)
		freezer->multiplier = 0x9e3779b97f4a7c15u; /* no worse than any one that is known */
	freezer->multiplier |= 1;
	return freezer;
}

static enum status read_exchanges(struct freezer *freezer, struct error *err)
{
	struct bytes text = {0};
	enum status status = root_read(freezer->root, freezer->path, EXCHANGES_FILE_MAX, &text, err);

	if (status == OK)
		status = exchanges_parse(text.data, text.len, freezer->path, on_exchange, freezer, err);
	bytes_free(&text);
	return status;
}

enum status freezer_open(const struct root *root, const char *run, struct keeper *keeper, struct freezer **opened, struct error *err)
{
	struct freezer *freezer = new_freezer(root, run);
	const enum status status = read_exchanges(freezer, err);

	freezer->keeper = keeper;
	*opened = status == OK ? freezer : NULL;
	if (status != OK)
		freezer_close(freezer);
	return status;
}

enum status freezer_open_frozen(const struct root *root, const char *run, struct freezer **opened, struct error *err)
{
	struct freezer *freezer = new_freezer(root, run);
	struct error why = {0};
	enum status status = keeper_check_settled(root, run, KEEPER_EXCHANGES, &why);

	if (status == OK)
		status = read_exchanges(freezer, &why);
	if (status != OK && why.rule == R_IO_OPEN)
		status = error_set(&why, R_EXC_NONE, freezer->path, "it is not there");
	if (status != OK && err != NULL)
		*err = why;
	*opened = status == OK ? freezer : NULL;
	if (status != OK)
		freezer_close(freezer);
	return status;
}

void freezer_close(struct freezer *freezer)
{
	if (freezer == NULL)
		return;
	for (size_t i = 0; i < freezer->count; i++)
		exchange_free(&freezer->at[i].exchange);
	free(freezer->at);
	free(freezer->newest);
	free(freezer->tries);
	free(freezer->path);
	free(freezer);
}

/* ---- adding ---- */

/* What the record says of an exchange, on its own: it outlives the try. */
static struct exchange copy_exchange(const struct exchange *from)
{
	struct exchange copy = *from;
	char **const texts[] = {&copy.api, &copy.model_asked, &copy.model_answered, &copy.parameters, &copy.finish_reason, &copy.fingerprint, &copy.host, &copy.client};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		if (*texts[i] != NULL)
			*texts[i] = mem_text(*texts[i]);
	return copy;
}

enum status freezer_queue(struct freezer *freezer, const struct try *try, struct error *err)
{
	struct exchange exchange = copy_exchange(&try->exchange);
	const unsigned next = freezer_attempts(freezer, exchange.trajectory, exchange.turn);
	enum status status = OK;

	if (exchange.attempt != next)
		status = error_set(err, R_EXC_ORDER, freezer->path, "attempt %lu of trajectory %lu, turn %lu; expected %u", (unsigned long)exchange.attempt,
		                   (unsigned long)exchange.trajectory, (unsigned long)exchange.turn, next);
	if (status == OK)
		status = keeper_object(freezer->keeper, try->request, try->request_len, &exchange.request, err);
	if (status == OK && exchange.has_response)
		status = keeper_object(freezer->keeper, try->response, try->response_len, &exchange.response, err);
	if (status == OK) {
		struct bytes line = {0};

		exchange_write(&exchange, &line);
		keeper_lines(freezer->keeper, KEEPER_EXCHANGES, line.data, line.len);
		bytes_free(&line);
		take(freezer, &exchange);
	}
	exchange_free(&exchange);
	return status;
}

/* What was not kept was not recorded. */
static void forget_uncommitted(struct freezer *freezer)
{
	while (freezer->count > freezer->committed)
		exchange_free(&freezer->at[--freezer->count].exchange);
	memset(freezer->newest, 0, freezer->slots * sizeof *freezer->newest);
	memset(freezer->tries, 0, freezer->slots * sizeof *freezer->tries);
	for (size_t i = 0; i < freezer->count; i++)
		enter(freezer, i);
}

enum status freezer_commit(struct freezer *freezer, struct error *err)
{
	const enum status status = keeper_commit(freezer->keeper, err);

	if (status == OK)
		freezer->committed = freezer->count;
	else if (freezer->count > freezer->committed)
		forget_uncommitted(freezer);
	return status;
}

enum status freezer_add(struct freezer *freezer, const struct try *try, struct error *err)
{
	const enum status status = freezer_queue(freezer, try, err);

	return status == OK ? freezer_commit(freezer, err) : status;
}

/* ---- reading again ---- */

static bool same_text(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* What a reply says of itself; of one that was not kept nothing is known. */
static const char *other_words(const struct exchange *exchange, const struct reply_text *reply)
{
	if (!same_text(exchange->model_answered, reply->model))
		return "of another model";
	if (!same_text(exchange->finish_reason, reply->finish_reason))
		return "of another finish reason";
	if (!same_text(exchange->fingerprint, reply->fingerprint))
		return "of another fingerprint";
	if (exchange->prompt_tokens != reply->prompt_tokens || exchange->completion_tokens != reply->completion_tokens || exchange->reasoning_tokens != reply->reasoning_tokens)
		return "of another usage";
	return NULL;
}

/* A model may write the mark too: there may be more of them than keys taken out, not fewer. */
static bool has_marks(const struct bytes *body, uint32_t count)
{
	const char *at = body->data;

	for (; count > 0; count--) {
		at = at != NULL ? memmem(at, body->len - (size_t)(at - body->data), SECRET_MARK, strlen(SECRET_MARK)) : NULL;
		if (at == NULL)
			return false;
		at += strlen(SECRET_MARK);
	}
	return true;
}

/* What the record says and the bytes do not. */
static const char *difference(const struct exchange *exchange, const struct bytes *body, const struct reply_text *reply)
{
	const bool lost = reply->reply_class == REPLY_CONNECTION || reply->reply_class == REPLY_CUT_STREAM;

	/* That a body did not come to its end in time, the bytes cannot tell. */
	if (exchange->has_response && exchange->reply_class != reply->reply_class && !(lost && !exchange->response_complete && exchange->reply_class == REPLY_TIMEOUT))
		return reply_class_name(reply->reply_class);
	if (!has_marks(body, exchange->redacted))
		return "of fewer keys taken out";
	return other_words(exchange, reply);
}

static enum status says_otherwise(const struct freezer *freezer, const struct exchange *exchange, const char *other, struct error *err)
{
	char *path = exchange->has_response ? object_path(&exchange->response) : mem_text("");
	const enum status status =
		error_set(err, R_EXC_REPLY, path, "the record of trajectory %lu, turn %lu, attempt %lu in %s says otherwise: the reply is %s", (unsigned long)exchange->trajectory,
	                  (unsigned long)exchange->turn, (unsigned long)exchange->attempt, freezer->path, other);

	free(path);
	return status;
}

enum status freezer_reply(const struct freezer *freezer, const struct exchange *exchange, struct reply_text *reply, struct error *err)
{
	struct bytes body = {0};
	enum status status = exchange->has_response ? object_get(freezer->root, &exchange->response, &body, err) : OK;

	if (status != OK)
		return status;
	reply_read(body.data != NULL ? body.data : "", body.len, exchange->response_complete, exchange->has_response ? exchange->http_status : -1, reply);
	const char *other = difference(exchange, &body, reply);

	bytes_free(&body);
	if (other != NULL) {
		status = says_otherwise(freezer, exchange, other, err);
		reply_text_free(reply);
	}
	reply->reply_class = status == OK ? exchange->reply_class : reply->reply_class;
	return status;
}
