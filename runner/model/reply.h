/*
 * What the body of a reply says: a plain JSON body or an event stream, of Chat Completions or of the Responses API. A pure function of the bytes, so that a frozen reply says what the
 * live one said. Which of the two a body is shows in its first byte, for labels lie; which API, in its members.
 */
#ifndef PTXSEAL_MODEL_REPLY_H
#define PTXSEAL_MODEL_REPLY_H

#include "../base/bytes.h"
#include "../bundle/exchanges.h"

struct reply_text {
	enum reply_class reply_class;
	char *why;                     /* one printable sentence where it is no answer; NULL for an answer */
	struct bytes content;          /* what the model says to us, without reasoning */
	struct bytes reasoning;        /* fields `reasoning`, `reasoning_content`, and what stands between think tags in the content; never looked into for code */
	bool tool_calls;               /* it calls tools (an agent's reply): an answer without content */
	char *finish_reason;           /* NULL if there is none */
	char *model;                   /* NULL if it does not say */
	char *fingerprint;             /* NULL if it does not say */
	int64_t prompt_tokens, completion_tokens, reasoning_tokens; /* -1 = unknown */
	const char *reasoning_source;  /* the usage field reasoning_tokens were read from; "" if unknown */
	int64_t error_code;            /* an error object's HTTP-like code, -1 if there is none */
};
void reply_text_free(struct reply_text *reply); /* also resets it */

/* status: of HTTP, -1 if none came. complete: the body came to its end. *reply is empty or was freed. */
void reply_read(const char *body, size_t len, bool complete, int64_t status, struct reply_text *reply);

/*
 * Reasoning inside content. A tag <think>, <thinking>, <reasoning> or <seed:think> opens it at the start of a line outside a fenced block, and it goes to the closing tag of the same name,
 * or to the end. A closing tag before any opening one closes what the prompt opened: all before it is reasoning. Appends to content and reasoning.
 */
void reply_split(const char *text, size_t len, struct bytes *content, struct bytes *reasoning);

#endif
