/*
 * What was asked of a model and what came back: artifact/runs/RUN/exchanges.jsonl, one canonical JSON record a try of a request, in the order in which tries ended, failures too.
 * Bodies are objects of the bundle; every field is in docs/records.md. A run that asked no model has no such file.
 */
#ifndef PTXSEAL_BUNDLE_EXCHANGES_H
#define PTXSEAL_BUNDLE_EXCHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/error.h"
#include "../base/file.h"
#include "../base/sha256.h"

enum {
	EXCHANGES_FILE_MAX = 1 << 30,      /* bytes of one exchanges.jsonl */
	EXCHANGE_LINE_MAX = 512 << 10,     /* bytes of one record */
	EXCHANGE_PARAMETERS_MAX = 256 << 10, /* bytes of the parameters as canonical JSON */
	EXCHANGE_TEXT_MAX = 256,           /* bytes of any other text */
	EXCHANGE_STARTED = 24,             /* characters of 2026-01-31T23:59:59.999Z */
};

/* What a try came to. Only an answer is an answer. */
enum reply_class {
	REPLY_ANSWER,
	REPLY_EMPTY,        /* "empty": a whole reply without content, whatever it reasoned */
	REPLY_TRUNCATED,    /* "truncated": the limit of tokens ended it */
	REPLY_REFUSED,      /* "refused": by the model or a content filter */
	REPLY_MALFORMED,    /* "malformed": not what the interface promises, too large, or it holds the key in a form that cannot be taken out */
	REPLY_HTTP_ERROR,   /* "http_error": a status other than 2xx and 429, or an error object in the body */
	REPLY_RATE_LIMITED, /* "rate_limited": status 429 */
	REPLY_TIMEOUT,      /* "timeout": of the try or of the request as a whole */
	REPLY_CONNECTION,   /* "connection": none could be made, or it was lost before a whole reply */
	REPLY_CUT_STREAM,   /* "cut_stream": a stream that ended before its finish reason */
	REPLY_PROMPT_TOO_LONG, /* "prompt_too_long": an error of the endpoint's that says that the prompt does not fit into the model; asking again gives it again */
	REPLY_CLASS_COUNT
};
const char *reply_class_name(enum reply_class reply_class); /* "answer" for an answer; a record's `failure` is null then */

/* Where the endpoint is, from the address that was connected to. Unknown: nothing was sent. Proxy: what stands behind one is not known. */
enum endpoint_place { PLACE_UNKNOWN, PLACE_LOOPBACK, PLACE_PRIVATE, PLACE_PUBLIC, PLACE_PROXY, PLACE_COUNT };
const char *endpoint_place_name(enum endpoint_place place);

/* All text is owned by the struct; exchange_free. Counts of tokens: -1 = unknown. */
struct exchange {
	uint32_t trajectory, turn, attempt; /* attempt: of this request, from 0 */
	char *api;                  /* "chat" | "responses" */
	char *model_asked;
	char *model_answered;       /* NULL if the reply does not say */
	char *parameters;           /* canonical JSON: everything of the request but model, messages and how it is delivered */
	struct sha256 prompt;       /* of the messages as canonical JSON */
	uint32_t sample;            /* which of the answers to this very request it is, from 0 */
	struct sha256 request;      /* object: the body as sent */
	bool has_response;          /* some of a body came, and it was kept */
	struct sha256 response;     /* object: the body as received, but for keys taken out */
	bool response_complete;     /* it came to its end */
	uint32_t redacted;          /* places at which a key was taken out */
	int64_t http_status;        /* -1: none came */
	enum reply_class reply_class;
	char *finish_reason;        /* as the endpoint writes it; NULL if there was none */
	char *fingerprint;          /* system_fingerprint; NULL if there was none */
	int64_t prompt_tokens, completion_tokens, reasoning_tokens;
	char started[EXCHANGE_STARTED + 1]; /* UTC */
	int64_t first_byte_ms;      /* of the body, since started; -1: none came */
	int64_t took_ms;
	enum endpoint_place place;
	char *host;                 /* NULL unless the user wants it recorded */
	char *client;               /* program and library, with versions */
};
void exchange_free(struct exchange *exchange); /* its fields, not the struct */

/* What an answer is found by: SHA-256 over model, canonical parameters, prompt hash and sample, each led by its length. */
struct sha256 exchange_identity(const char *model, const char *parameters, const struct sha256 *prompt, uint32_t sample);

/* Append the record as one line, newline included. */
void exchange_write(const struct exchange *exchange, struct bytes *out);

/* Read a whole exchanges.jsonl; file is for messages. Refused (rules R-EXC): a line that is not a canonical record with exactly the fields of docs/records.md, a time or token count
 * out of its range, fields that contradict each other, attempts of one request that do not count up from 0, an attempt after an answer, a last line without its newline.
 * visit is called with each record; it may take texts out of it (leaving NULL). */
typedef enum status exchange_visit(void *context, struct exchange *exchange, uint64_t line, struct error *err);
enum status exchanges_parse(const char *text, size_t len, const char *file, exchange_visit *visit, void *context, struct error *err);

#endif
