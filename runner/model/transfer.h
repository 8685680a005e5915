/* One try over HTTP: a libcurl easy handle and what came of it. For endpoint.c and proxy.c only. */
#ifndef PTXSEAL_MODEL_TRANSFER_H
#define PTXSEAL_MODEL_TRANSFER_H

#include <curl/curl.h>

#include "endpoint.h"
#include "line.h"
#include "sse.h"

/* Told of what comes while it comes; nothing of it has the keys taken out. */
struct relay {
	bool (*body)(void *context, const char *data, size_t len); /* false: enough of it */
	void *context;
};

struct transfer {
	CURL *easy;
	const struct line *line;
	const struct endpoint_clock *clock;
	struct relay relay;      /* all NULL after transfer_new; set before transfer_begin */
	char trouble[CURL_ERROR_SIZE];
	struct bytes body;
	struct sse watch;        /* looks for [DONE] */
	bool watching;           /* it is an event stream, as far as can be told */
	bool too_large;          /* headers or body went over their limit */
	bool refused;            /* a key would have gone unencrypted to a public address */
	int64_t done_ms;         /* when [DONE] came; -1: not */
	int64_t begun_ms, first_byte_ms; /* steady; -1: none */
	int64_t retry_after_ms;  /* -1: not asked for */
	size_t header_bytes;
	char started[EXCHANGE_STARTED + 1];
};

/* Where an address of that kind is. */
enum endpoint_place place_of(const struct sockaddr *address);

int64_t clock_steady_ms(const struct endpoint_clock *clock);
int64_t clock_unix_ms(const struct endpoint_clock *clock);

/* A handle for the line; transfer_free. NULL if libcurl gives none. It can be begun again and again. */
struct transfer *transfer_new(const struct line *line, const struct endpoint_clock *clock);
void transfer_free(struct transfer *transfer); /* NULL is fine */

/* Set it up for one try of that body (kept by the caller) within limit_ms; it then goes to the multi handle. */
enum status transfer_begin(struct transfer *transfer, const struct request *request, int64_t limit_ms, struct error *err);

/* Its stream said [DONE] a while ago, and does not end: it can be ended, with CURLE_ABORTED_BY_CALLBACK. libcurl asks this too, but only where something comes. */
bool transfer_lingers(const struct transfer *transfer);

/* It ended with that code: was nothing sent, nor would be if it were tried again? Then why: R_END_PLAIN, R_END_TRUST; and there is no try to end. */
enum status transfer_unsent(const struct transfer *transfer, CURLcode code, struct error *err);
/* What the try came to: the exchange (but attempt) and the reply. code: of libcurl. try->response points into the transfer. try_free after use. */
void transfer_end(struct transfer *transfer, const struct request *request, CURLcode code, struct try *try);
void try_free(struct try *try);

#endif
