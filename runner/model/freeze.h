/*
 * The exchanges of a run on disk: bodies as objects, records in artifact/runs/RUN/exchanges.jsonl, kept (keeper.h) before anything uses them.
 */
#ifndef PTXSEAL_MODEL_FREEZE_H
#define PTXSEAL_MODEL_FREEZE_H

#include "../base/file.h"
#include "endpoint.h"
#include "keeper.h"

struct freezer;

/* root and keeper, which is of the run's exchanges, stay the caller's. */
enum status freezer_open(const struct root *root, const char *run, struct keeper *keeper, struct freezer **freezer, struct error *err);
/* For reading only: nothing is mended, a torn line is refused, as is a run that was not settled (R_AHD_UNFINISHED), and a run without the file is R_EXC_NONE. */
enum status freezer_open_frozen(const struct root *root, const char *run, struct freezer **freezer, struct error *err);
void freezer_close(struct freezer *freezer); /* NULL is fine */

/* The last try of that turn; NULL if there is none. */
const struct exchange *freezer_last_try(const struct freezer *freezer, uint32_t trajectory, uint32_t turn);
/* Tries of that turn so far: the number of the next one. */
unsigned freezer_attempts(const struct freezer *freezer, uint32_t trajectory, uint32_t turn);

/* Keep request, response and record. Trajectory, turn and sample in try->exchange are set by the caller. R_EXC_ORDER: its attempt is not the next one of its turn. */
enum status freezer_add(struct freezer *freezer, const struct try *try, struct error *err);

/*
 * The same in two steps, so that many exchanges are kept together, and with whatever else was handed to the keeper. What was queued must not be used before freezer_commit says that it is
 * kept. After a commit that failed the freezer is what it was before the first of them.
 */
enum status freezer_queue(struct freezer *freezer, const struct try *try, struct error *err);
enum status freezer_commit(struct freezer *freezer, struct error *err);

/* In the order of the file. Pointers stay valid until the next freezer_add or freezer_queue. */
size_t freezer_count(const struct freezer *freezer);
const struct exchange *freezer_at(const struct freezer *freezer, size_t index);

/* The answer of that identity; NULL if there is none. Nothing less than the identity finds it. */
const struct exchange *freezer_answer(const struct freezer *freezer, const struct sha256 *identity);
/* The last try of that identity, whatever came of it; NULL if there is none. */
const struct exchange *freezer_last(const struct freezer *freezer, const struct sha256 *identity);

/* What the recorded response says, read again from its object; R_EXC_REPLY if that is not what the record says. reply_text_free(*reply). An exchange without a response gives its class. */
enum status freezer_reply(const struct freezer *freezer, const struct exchange *exchange, struct reply_text *reply, struct error *err);

#endif
