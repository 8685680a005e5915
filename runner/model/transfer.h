/* One try over HTTP: a libcurl easy handle and what came of it. For endpoint.c only. */
#ifndef PTXSEAL_MODEL_TRANSFER_H
#define PTXSEAL_MODEL_TRANSFER_H

#include <curl/curl.h>

#include "endpoint.h"
#include "sse.h"

enum { SECRETS_MAX = 16 };

/* What all tries of an endpoint share. */
struct line {
	char *url;                     /* with the path of the API */
	char *host;                    /* of the URL; NULL unless it is to be recorded */
	char *unix_socket, *proxy, *ca_file; /* NULL: none */
	bool encrypted;                /* https */
	struct curl_slist *headers;    /* nodes of our own: what holds a key points into its page */
	const struct secret *secrets[SECRETS_MAX]; /* the key and secret headers: what must not come back */
	size_t secret_count;
	bool has_key;
	size_t body_max;
	enum api api;
	char *client;
};

struct transfer {
	CURL *easy;
	const struct line *line;
	const struct endpoint_clock *clock;
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

int64_t clock_steady_ms(const struct endpoint_clock *clock);
int64_t clock_unix_ms(const struct endpoint_clock *clock);

/* A handle for the line; transfer_free. NULL if libcurl gives none. It can be begun again and again. */
struct transfer *transfer_new(const struct line *line, const struct endpoint_clock *clock);
void transfer_free(struct transfer *transfer); /* NULL is fine */

/* Set it up for one try of that body (kept by the caller) within limit_ms; it then goes to the multi handle. */
enum status transfer_begin(struct transfer *transfer, const struct request *request, int64_t limit_ms, struct error *err);

/* What the try came to: the exchange (but attempt) and the reply. code: of libcurl. try->response points into the transfer. try_free after use. */
void transfer_end(struct transfer *transfer, const struct request *request, CURLcode code, struct try *try);
void try_free(struct try *try);

#endif
