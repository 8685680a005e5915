/* Where requests go and with which headers: the URL, what is on the way to it, and the keys, whatever header they stand in. For endpoint.c, transfer.c and proxy.c only. */
#ifndef PTXSEAL_MODEL_LINE_H
#define PTXSEAL_MODEL_LINE_H

#include <curl/curl.h>

#include "endpoint.h"

enum { SECRETS_MAX = 16 };

/* What all tries over it share. */
struct line {
	char *url;                     /* with the path of the API */
	char *host;                    /* of the URL; NULL unless it is to be recorded */
	char *unix_socket, *proxy, *ca_file; /* NULL: none */
	bool encrypted;                /* https */
	struct curl_slist *headers;    /* nodes of our own: what holds a key points into its page */
	const struct secret *secrets[SECRETS_MAX]; /* the key and secret headers: what must not come back */
	size_t secret_count;
	struct secret *own_secrets[SECRETS_MAX]; /* those of headers among them */
	size_t own_secret_count;
	const struct secret *key;      /* the caller's; NULL: none */
	bool has_key;
	size_t body_max;
	enum api api;
	char *client;
};

/* Of the options: url, api, unix_socket, proxy, ca_file, headers, key, body_max and record_host; body_max is taken as it is. line_close after OK. */
enum status line_open(const struct endpoint_options *options, struct line *line, struct error *err);
void line_close(struct line *line);

/* Is a header of that name set by the program alone? */
bool line_header_is_own(const char *name, size_t len);
/* Does the text hold one of the keys, in whatever spelling of JSON? */
bool line_holds_key(const struct line *line, const char *text, size_t len);

#endif
