/* The body of a request, as canonical JSON, and what of it makes an answer findable. */
#ifndef PTXSEAL_MODEL_REQUEST_H
#define PTXSEAL_MODEL_REQUEST_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"
#include "../base/sha256.h"

enum api { API_CHAT, API_RESPONSES };

struct request {
	char *body;              /* as sent */
	size_t len;
	char *model;
	char *parameters;        /* canonical JSON */
	struct bytes messages;   /* the same; of one that was read, none */
	struct sha256 prompt;    /* of the messages as canonical JSON */
	int64_t completion_most; /* tokens that max_tokens, max_completion_tokens or max_output_tokens allows; -1 if none stands there */
};
void request_free(struct request *request);

/* messages: array of {"role","content"}; parameters: object of sampling parameters (temperature, top_p, max_tokens, seed, reasoning_effort, ...), in which model, messages, input, stream,
 * stream_options, n other than 1 may not stand (R_REQ_PARAMETERS). Neither is changed. */
enum status request_make(enum api api, const char *model, const cJSON *messages, const cJSON *parameters, bool stream, struct request *request, struct error *err);

/* The same facts of a body that somebody else wrote (the recording proxy); body is kept as it is. R_REQ_BODY if it is no request of that API. */
enum status request_read(enum api api, const char *body, size_t len, struct request *request, struct error *err);

#endif
