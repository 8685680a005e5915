#include "line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The base URL with the path of the API added; what cannot be one is refused. */
static enum status set_url(struct line *line, const struct endpoint_options *options, struct error *err)
{
	char *scheme = NULL, *path = NULL, *part = NULL, *host = NULL;
	CURLU *url = curl_url();
	CURLUcode code = curl_url_set(url, CURLUPART_URL, options->url, 0);
	enum status status = OK;

	if (code == CURLUE_OK)
		code = curl_url_get(url, CURLUPART_SCHEME, &scheme, 0);
	if (code != CURLUE_OK)
		status = error_set(err, R_END_URL, "", "libcurl says of the URL: %s", curl_url_strerror(code));
	else if (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0)
		status = error_set(err, R_END_URL, "", "its scheme is '%s'", scheme);
	else if (curl_url_get(url, CURLUPART_USER, &part, 0) == CURLUE_OK || curl_url_get(url, CURLUPART_PASSWORD, &part, 0) == CURLUE_OK ||
	         curl_url_get(url, CURLUPART_FRAGMENT, &part, 0) == CURLUE_OK)
		status = error_set(err, R_END_URL, "", "it has a user, a password or a fragment");
	if (status == OK && (curl_url_get(url, CURLUPART_PATH, &path, 0) != CURLUE_OK || curl_url_get(url, CURLUPART_HOST, &host, 0) != CURLUE_OK))
		mem_lacking();
	if (status == OK) {
		size_t len = strlen(path);

		while (len > 0 && path[len - 1] == '/')
			len--;
		char *whole = mem_format("%.*s%s", (int)len, path, options->api == API_CHAT ? "/chat/completions" : "/responses");
		char *text = NULL;

		if (curl_url_set(url, CURLUPART_PATH, whole, 0) != CURLUE_OK || curl_url_get(url, CURLUPART_URL, &text, 0) != CURLUE_OK)
			mem_lacking();
		free(whole);
		line->url = mem_text(text);
		line->encrypted = strcmp(scheme, "https") == 0;
		line->host = options->record_host && strlen(host) <= EXCHANGE_TEXT_MAX ? mem_text(host) : NULL;
		curl_free(text);
	}
	curl_free(scheme);
	curl_free(path);
	curl_free(part);
	curl_free(host);
	curl_url_cleanup(url);
	return status;
}

static void add_header(struct line *line, char *text)
{
	struct curl_slist **at = &line->headers;

	while (*at != NULL)
		at = &(*at)->next;
	*at = mem_alloc(sizeof **at);
	(*at)->data = text;
}

/* Headers whose values are nobody's business. */
static bool is_secret_header(const char *header)
{
	static const char *const parts[] = {"auth", "key", "token", "secret", "cookie", "password"};
	char *name = mem_textn(header, strcspn(header, ":"));
	bool found = false;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		found = found || strcasestr(name, parts[i]) != NULL;
	free(name);
	return found;
}

/* The last word of the value is what must not come back: `Basic WORD`, `WORD`. A short one is no secret. */
static enum status keep_secret(struct line *line, const char *header, struct error *err)
{
	size_t end = strlen(header), from;

	while (end > 0 && header[end - 1] == ' ')
		end--;
	for (from = end; from > 0 && header[from - 1] != ' ' && header[from - 1] != ':';)
		from--;
	if (end - from < SECRET_MIN)
		return OK;
	if (line->secret_count == SECRETS_MAX)
		return error_set(err, R_END_HEADER, "", "there are more than %d headers with keys", SECRETS_MAX);
	struct secret **own = &line->own_secrets[line->own_secret_count];
	const enum status status = secret_of(header + from, end - from, "a header", own, err);

	if (status == OK) {
		line->own_secret_count++;
		line->secrets[line->secret_count++] = *own;
		line->has_key = true;
	}
	return status;
}

bool line_header_is_own(const char *name, size_t len)
{
	static const char *const own[] = {"content-type", "content-length", "transfer-encoding", "accept", "accept-encoding", "expect", "host", "user-agent", "connection"};

	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		if (strlen(own[i]) == len && strncasecmp(own[i], name, len) == 0)
			return true;
	return false;
}

static enum status add_user_header(struct line *line, const char *header, struct error *err)
{
	const size_t name_len = strcspn(header, ":");

	if (name_len == 0 || header[name_len] != ':' || strpbrk(header, "\r\n") != NULL)
		return error_set(err, R_END_HEADER, "", "it has no name, or more than one line");
	for (size_t i = 0; i < name_len; i++)
		if (!isalnum((unsigned char)header[i]) && strchr("!#$%&'*+-.^_`|~", header[i]) == NULL)
			return error_set(err, R_END_HEADER, "", "'%.*s' is no name of a header", (int)name_len, header);
	if (line_header_is_own(header, name_len))
		return error_set(err, R_END_HEADER, "", "'%.*s' is the program's own", (int)name_len, header);
	if (line->key != NULL && name_len == 13 && strncasecmp(header, "authorization", 13) == 0)
		return error_set(err, R_END_HEADER, "", "the key is sent as Authorization already");
	add_header(line, mem_text(header));
	return is_secret_header(header) ? keep_secret(line, header, err) : OK;
}

static enum status set_headers(struct line *line, const struct endpoint_options *options, struct error *err)
{
	static const char *const own[] = {"Content-Type: application/json", "Accept: application/json, text/event-stream", "Accept-Encoding: identity", "Expect:"};
	enum status status = OK;

	if (options->key != NULL) {
		/* The page itself, not a copy. Nobody writes to or frees it through here. */
		add_header(line, (char *)(uintptr_t)secret_bearer(options->key));
		line->secrets[line->secret_count++] = options->key;
		line->has_key = true;
	}
	for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
		add_header(line, mem_text(own[i]));
	for (const char *const *header = options->headers; header != NULL && *header != NULL && status == OK; header++)
		status = add_user_header(line, *header, err);
	return status;
}

static char *copy_or_null(const char *text)
{
	return text != NULL ? mem_text(text) : NULL;
}

enum status line_open(const struct endpoint_options *options, struct line *line, struct error *err)
{
	*line = (struct line){
		.unix_socket = copy_or_null(options->unix_socket),
		.proxy = copy_or_null(options->proxy),
		.ca_file = copy_or_null(options->ca_file),
		.key = options->key,
		.body_max = options->body_max,
		.api = options->api,
		.client = mem_format("ptxseal/%s libcurl/%s", PTXSEAL_VERSION, curl_version_info(CURLVERSION_NOW)->version),
	};
	enum status status = set_url(line, options, err);

	if (status == OK)
		status = set_headers(line, options, err);
	if (status != OK)
		line_close(line);
	return status;
}

void line_close(struct line *line)
{
	while (line->headers != NULL) {
		struct curl_slist *node = line->headers;

		line->headers = node->next;
		if (line->key == NULL || node->data != secret_bearer(line->key)) {
			explicit_bzero(node->data, strlen(node->data));
			free(node->data);
		}
		free(node);
	}
	for (size_t i = 0; i < line->own_secret_count; i++)
		secret_free(line->own_secrets[i]);
	free(line->url);
	free(line->host);
	free(line->unix_socket);
	free(line->proxy);
	free(line->ca_file);
	free(line->client);
	*line = (struct line){0};
}

bool line_holds_key(const struct line *line, const char *text, size_t len)
{
	for (size_t i = 0; i < line->secret_count; i++)
		if (secret_spelled_in(line->secrets[i], text, len))
			return true;
	return false;
}
