/*
 * The recording proxy before an agent: an OpenAI-compatible endpoint on this machine (libmicrohttpd) that passes each request on to the real one, with the agent's own headers and key, and its
 * reply back as it comes; every exchange is frozen before the agent sees its end. Played from the record, it answers without any endpoint.
 *
 * What passes through is POST /v1/chat/completions and /v1/responses. The agent sees status, body and Retry-After of a reply; its Content-Type is told from its bytes, as it is when it is
 * played. One thread; many exchanges at once.
 */
#ifndef PTXSEAL_MODEL_PROXY_H
#define PTXSEAL_MODEL_PROXY_H

#include "endpoint.h"
#include "freeze.h"

enum { PROXY_BODY_MAX = 32 << 20 }; /* bytes of a request, and of a reply */

struct proxy_event {
	const struct exchange *exchange; /* recorded or played; NULL: refused */
	const struct error *refused;     /* why; NULL if it was not */
};

struct proxy_options { /* what it points to is the caller's and outlives the proxy */
	const char *listen;      /* ADDRESS:PORT in numbers; port 0: a free one */
	bool anywhere;           /* the address need not be a loopback one */
	const struct root *bundle;
	struct freezer *freezer; /* of the run; opened for reading only when it is played */
	uint32_t trajectory;     /* which one the session is */
	const char *model;       /* that requests have to ask for */
	bool frozen;             /* play the record */
	struct endpoint_options upstream; /* of these: url, unix_socket, proxy, ca_file, try_ms, record_host; unused when it is played */
	size_t body_max;         /* 0: PROXY_BODY_MAX */
	void (*told)(void *context, const struct proxy_event *event); /* may be NULL */
	void *context;
};

struct proxy_result {
	uint64_t exchanges, answers, refused; /* exchanges: recorded or played, of these answers; requests that were refused */
	uint64_t cut;                         /* exchanges that the stop cut off */
	size_t recorded, unplayed;            /* when it is played: exchanges of the trajectory, and how many of them nobody asked for */
	bool left;                            /* when it is played: a request left the record */
};

struct proxy;

/* Listens from here on. R_PRX_LISTEN, R_PRX_BIND, R_END_URL. */
enum status proxy_open(const struct proxy_options *options, struct proxy **proxy, struct error *err);
const char *proxy_url(const struct proxy *proxy); /* the base for agents: http://ADDRESS:PORT/v1 */

/* Until stop, a file descriptor, can be read. *result is set in every case. Not OK: something could not be written (the agent sees that exchange fail), or R_PRX_STOPPED, R_PRX_LEAVES,
 * R_PRX_UNPLAYED. */
enum status proxy_run(struct proxy *proxy, int stop, struct proxy_result *result, struct error *err);
void proxy_close(struct proxy *proxy); /* NULL is fine */

#endif
