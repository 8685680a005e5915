/* Parts of reply.c that the two APIs share; for reply*.c only. */
#ifndef PTXSEAL_MODEL_REPLY_TAKE_H
#define PTXSEAL_MODEL_REPLY_TAKE_H

#include <cjson/cJSON.h>

#include "reply.h"

/* What was gathered so far; `said` is content before reasoning is parted from it. */
struct taking {
	struct reply_text *reply;
	struct bytes said;
	struct bytes refusal;
	bool failed;  /* reply has class and why of a failure */
	bool ended;   /* [DONE] */
};

/* The text of a member; NULL if it is missing, null or no text. */
const char *take_text(const cJSON *object, const char *key);
/* Keep a printable copy of value, unless there is one already. */
void take_first(char **text, const char *value);
/* Set class and why, once: what failed first counts. */
void take_failure(struct taking *taking, enum reply_class reply_class, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* An error object (or text), whatever it is in. */
void take_error(struct taking *taking, const cJSON *error);
/* model, fingerprint, usage, where they stand in an object of either API. */
void take_common(struct taking *taking, const cJSON *object);
/* A text, null, or an array of parts with texts; appended. False (failure set) if it is something else. */
bool take_content(struct taking *taking, const cJSON *value, const char *what, struct bytes *to);

void take_chat(struct taking *taking, const cJSON *object, const char *part); /* part: "message" or "delta" */
void take_response(struct taking *taking, const cJSON *object);
void take_response_event(struct taking *taking, const cJSON *object);

#endif
