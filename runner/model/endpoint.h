/*
 * A model endpoint over HTTP: requests are submitted, replies come to callbacks from endpoint_poll, on the caller's thread. Many are under way at once over one libcurl multi handle.
 *
 * A request is tried again, after a wait, where that is worth it (retry.h), until it is answered, its tries or its deadline are used up, or the cap on spending is reached. Every try is
 * shown to the caller, who freezes it (freeze.h), before anything else happens with it. Redirects are not followed: the key would go along.
 */
#ifndef PTXSEAL_MODEL_ENDPOINT_H
#define PTXSEAL_MODEL_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "../base/error.h"
#include "reply.h"
#include "request.h"
#include "retry.h"
#include "secret.h"
#include "spend.h"

struct endpoint_clock { /* the tests' own; NULL functions = the machine's */
	int64_t (*steady_ms)(void *context); /* never goes back */
	int64_t (*unix_ms)(void *context);
	void *context;
};

struct endpoint_options { /* zeroed = as the comments say. Texts are copied; key and spend stay the caller's and outlive the endpoint */
	const char *url;             /* base, e.g. http://127.0.0.1:8080/v1; /chat/completions or /responses is added before a query */
	enum api api;
	const char *unix_socket;     /* connect to this instead of the URL's host; NULL: do not */
	const char *proxy;           /* URL; NULL: none. Variables of the environment are not looked at */
	const char *ca_file;         /* PEM; NULL: the system's. Certificates are always checked */
	const char *const *headers;  /* further "Name: value", NULL-terminated; NULL: none. A value that may be a key (by its name) is treated as one */
	const struct secret *key;    /* sent as Authorization: Bearer; NULL: none. Never over plain HTTP to a public address (R_END_PLAIN) */
	unsigned concurrency;        /* tries at once; 0: 16 */
	int64_t try_ms;              /* one try, connecting and all; 0: 600,000 */
	int64_t deadline_ms;         /* a request with all its tries and waits, from when it has a place; 0: 3,600,000 */
	struct retry_policy retry;   /* zeroed: 6 tries, 500 ms, 60 s */
	size_t body_max;             /* bytes of a reply; 0: 32 MiB */
	struct spend *spend;         /* NULL: not counted */
	bool record_host;            /* the URL's host goes into records */
	uint64_t jitter_seed;        /* 0: from the system */
	struct endpoint_clock clock;
};

struct try { /* shown once a try has ended; all of it belongs to the endpoint and is gone after the callback */
	struct exchange exchange;    /* everything but trajectory, turn, sample, which are the caller's; hashes are of the bytes below */
	const char *request;
	size_t request_len;
	const char *response;        /* keys taken out; NULL if none is kept */
	size_t response_len;
	struct reply_text reply;
	bool last;                   /* no further try follows */
	int64_t again_ms;            /* wait until the next one, if it is not the last */
};

/* context is the request's own. try is NULL if the request ends without a further try: its deadline passed, or the cap on spending is reached (err says which: R_END_DEADLINE,
 * R_SPD_CAP). A status other than OK (the record could not be written) ends the request and comes out of endpoint_poll. A callback may submit further requests. */
typedef enum status endpoint_told(void *context, struct try *try, struct error *err);

struct endpoint;
enum status endpoint_open(const struct endpoint_options *options, struct endpoint **endpoint, struct error *err);
void endpoint_close(struct endpoint *endpoint); /* what is under way is dropped untold; NULL is fine */

/* R_KEP_WRITTEN if a text that is to be written down holds a key of the endpoint, its own or one of a header, in whatever spelling of JSON; what names it in the message. */
enum status endpoint_check_written(const struct endpoint *endpoint, const char *what, const char *text, size_t len, struct error *err);

/* What is asked, without its query part, for a message; NULL where it holds a key. The caller frees it. */
char *endpoint_url(const struct endpoint *endpoint);

/* The request is copied. first_attempt: the number of its next try, where earlier ones are recorded (a run taken up again). */
void endpoint_submit(struct endpoint *endpoint, const struct request *request, unsigned first_attempt, endpoint_told *told, void *context);

/* Go on with what is under way; where nothing is to be told yet, wait at most wait_ms for it (0: not at all). Returns after each turn of callbacks. */
enum status endpoint_poll(struct endpoint *endpoint, int wait_ms, struct error *err);
size_t endpoint_open_requests(const struct endpoint *endpoint); /* submitted and not ended */
void endpoint_wake(struct endpoint *endpoint); /* end a poll's wait, from any thread */

#endif
