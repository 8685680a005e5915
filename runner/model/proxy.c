#include "proxy.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "asked.h"
#include "line.h"
#include "player.h"
#include "transfer.h"
#include "wiped.h"

enum {
	CLIENTS_MAX = 256,       /* connections at once */
	CLIENT_MEMORY = 64 << 10, /* for the headers of a request; more is refused by libmicrohttpd */
	CLIENT_HEADERS_MAX = 100,
	IDLE_S = 60,             /* without a byte from or to an agent, unless a reply is waited for */
	UPLOAD_MS = 300000,      /* until a request's body has to be whole */
	TRY_MS = 600000,
	TURN_MS = 1000,
	BLOCK = 16 << 10,
	FLUSH_TURNS = 50,        /* after the stop: how often what is left is sent on */
	FLUSH_MS = 10,
};

/* One request of an agent, until it is answered and its exchange has ended. */
struct client {
	struct client *next;
	struct proxy *proxy;
	struct MHD_Connection *connection; /* NULL once it is over for the agent */
	enum api api;
	int64_t began_ms;
	struct bytes upload;
	bool asked;       /* the request is whole, and was sent on or played */
	bool suspended;
	struct line line;
	struct request request;
	struct transfer *transfer; /* NULL: none is under way */
	struct asked_place place;
	unsigned status;  /* of the reply; 0: not known yet */
	bool is_stream;   /* it is no JSON */
	int64_t retry_after_s; /* -1: none */
	struct bytes out; /* what came and the agent has not got */
	size_t sent;      /* of it */
	bool done, whole; /* nothing more comes; and the end is its end */
};

struct proxy {
	struct proxy_options options;
	char *url;
	struct MHD_Daemon *daemon;
	CURLM *multi;
	struct client *clients;
	struct asked *asked;   /* live */
	struct player *player; /* frozen */
	struct proxy_result result;
	enum status status;    /* of what could not be written */
	struct error err;
	bool stopping;
};

/* ---- agents ---- */

static void wake(struct client *client)
{
	if (client->connection == NULL || !client->suspended)
		return;
	client->suspended = false;
	MHD_resume_connection(client->connection);
}

static void hold(struct client *client)
{
	client->suspended = true;
	MHD_suspend_connection(client->connection);
}

/* Both sides are over. */
static void client_free(struct client *client)
{
	struct client **at = &client->proxy->clients;

	while (*at != client)
		at = &(*at)->next;
	*at = client->next;
	transfer_free(client->transfer);
	line_close(&client->line);
	request_free(&client->request);
	bytes_free(&client->upload);
	bytes_free(&client->out);
	free(client);
}

/* The body of a refusal, as clients of the interface read errors. */
static void error_body(const char *code, const char *message, struct bytes *out)
{
	cJSON *body = cJSON_CreateObject(), *error = cJSON_AddObjectToObject(body, "error");

	cJSON_AddStringToObject(error, "code", code);
	cJSON_AddStringToObject(error, "message", message);
	cJSON_AddStringToObject(error, "type", "ptxseal");
	char *text = cJSON_PrintUnformatted(body);

	if (text == NULL)
		mem_lacking();
	bytes_text(out, text);
	free(text);
	cJSON_Delete(body);
}

static void tell(struct proxy *proxy, const struct exchange *exchange, const struct error *refused)
{
	const struct proxy_event event = {exchange, refused};

	if (exchange != NULL) {
		proxy->result.exchanges++;
		proxy->result.answers += exchange->reply_class == REPLY_ANSWER;
	} else {
		proxy->result.refused++;
	}
	if (proxy->options.told != NULL)
		proxy->options.told(proxy->options.context, &event);
}

static enum MHD_Result send_refusal(struct MHD_Connection *connection, unsigned status, const struct error *why)
{
	struct bytes body = {0};
	char *message = mem_format("%s (%s: %s)", why->what, rule_info(why->rule)->id, rule_info(why->rule)->text);

	error_body(rule_info(why->rule)->id, message, &body);
	struct MHD_Response *response = MHD_create_response_from_buffer(body.len, body.data, MHD_RESPMEM_MUST_COPY);

	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "POST");
	const enum MHD_Result result = MHD_queue_response(connection, status, response);

	MHD_destroy_response(response);
	free(message);
	bytes_free(&body);
	return result;
}

static enum MHD_Result refuse(struct client *client, unsigned status, const struct error *why)
{
	tell(client->proxy, NULL, why);
	return send_refusal(client->connection, status, why);
}

/* libmicrohttpd wants more of the reply. */
static ssize_t more(void *context, uint64_t at, char *buffer, size_t room)
{
	struct client *client = context;
	const size_t left = client->out.len - client->sent, len = left < room ? left : room;

	(void)at;
	if (len > 0) {
		memcpy(buffer, client->out.data + client->sent, len);
		client->sent += len;
		if (client->sent == client->out.len)
			client->sent = client->out.len = 0;
		return (ssize_t)len;
	}
	if (client->done)
		return client->whole ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
	hold(client);
	return 0;
}

static enum MHD_Result send_reply(struct client *client)
{
	struct MHD_Response *response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, more, client, NULL);

	const bool success = client->status >= 200 && client->status <= 299;

	MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, !client->is_stream ? "application/json" : success ? "text/event-stream" : "text/plain; charset=utf-8");
	if (client->retry_after_s >= 0) {
		char *text = mem_format("%" PRId64, client->retry_after_s);

		MHD_add_response_header(response, MHD_HTTP_HEADER_RETRY_AFTER, text);
		free(text);
	}
	const enum MHD_Result result = MHD_queue_response(client->connection, client->status, response);

	MHD_destroy_response(response);
	return result;
}

/* What the agent is told of a reply that did not come; the same when it is played. */
static void no_reply(struct client *client, enum reply_class reply_class)
{
	char *message = mem_format("the endpoint gave no reply: %s", reply_class_name(reply_class));

	client->status = reply_class == REPLY_TIMEOUT ? MHD_HTTP_GATEWAY_TIMEOUT : MHD_HTTP_BAD_GATEWAY;
	client->is_stream = false;
	client->whole = true;
	error_body(reply_class_name(reply_class), message, &client->out);
	free(message);
}

/* Is it JSON or a stream? As reply.c tells it. False: nothing but white space came so far. */
static bool tell_form(const char *data, size_t len, bool *is_stream)
{
	size_t at = 0;

	while (at < len && strchr(" \t\r\n", data[at]) != NULL && data[at] != '\0')
		at++;
	*is_stream = at < len && data[at] != '{' && data[at] != '[';
	return at < len;
}

/* ---- live ---- */

static bool on_body(void *context, const char *data, size_t len)
{
	struct client *client = context;
	long status = 0;

	if (client->connection == NULL)
		return false;
	bytes_add(&client->out, data, len);
	if (client->status == 0 && tell_form(client->out.data, client->out.len, &client->is_stream)) {
		curl_easy_getinfo(client->transfer->easy, CURLINFO_RESPONSE_CODE, &status);
		client->status = (unsigned)status;
		client->retry_after_s = client->transfer->retry_after_ms < 0 ? -1 : (client->transfer->retry_after_ms + 999) / 1000;
	}
	if (client->status != 0)
		wake(client);
	return true;
}

static void fail(struct proxy *proxy, const struct error *err)
{
	if (proxy->status == OK)
		proxy->err = *err;
	proxy->status = err->status;
}

/* Freeze the exchange; the agent's reply ends only then. */
static void keep(struct client *client, CURLcode code, struct try *try)
{
	struct proxy *proxy = client->proxy;
	struct error err = {0};

	transfer_end(client->transfer, &client->request, code, try);
	try->exchange.trajectory = proxy->options.trajectory;
	try->exchange.turn = client->place.turn;
	try->exchange.attempt = client->place.attempt;
	try->exchange.sample = client->place.sample;
	client->whole = code == CURLE_OK || client->transfer->done_ms >= 0;
	const enum status status = freezer_add(proxy->options.freezer, try, &err);

	asked_end(proxy->asked, &client->place, status == OK, try->exchange.reply_class == REPLY_ANSWER);
	if (status != OK) {
		fail(proxy, &err);
		client->whole = false;
	} else {
		tell(proxy, &try->exchange, NULL);
	}
}

/* The transfer is over, however. */
static void finish(struct client *client, CURLcode code)
{
	struct proxy *proxy = client->proxy;
	struct try try = {0};
	struct error unsent = {0};

	curl_multi_remove_handle(proxy->multi, client->transfer->easy);
	client->done = true;
	if (transfer_unsent(client->transfer, code, &unsent) != OK) {
		/* No try, no record. */
		asked_end(proxy->asked, &client->place, false, false);
		tell(proxy, NULL, &unsent);
		no_reply(client, REPLY_CONNECTION);
	} else {
		keep(client, code, &try);
		if (client->status == 0 && try.exchange.http_status < 0) {
			no_reply(client, try.exchange.reply_class);
		} else if (client->status == 0) {
			client->status = (unsigned)try.exchange.http_status;
			client->retry_after_s = client->transfer->retry_after_ms < 0 ? -1 : (client->transfer->retry_after_ms + 999) / 1000;
		}
		try_free(&try);
	}
	transfer_free(client->transfer);
	client->transfer = NULL;
	if (client->connection != NULL)
		wake(client);
	else
		client_free(client);
}

/* The agent's headers, but for those that belong to its own connection or are the program's own, and cookies. */
struct headers {
	const char *at[CLIENT_HEADERS_MAX + 1];
	size_t count, lengths, codings;
	bool page, json, too_many;
};

static enum MHD_Result on_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
	static const char *const connection[] = {"keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection", "te", "trailer", "upgrade", "cookie"};
	struct headers *headers = context;
	bool ours = line_header_is_own(name, strlen(name));

	(void)kind;
	value = value != NULL ? value : "";
	headers->page = headers->page || strcasecmp(name, "origin") == 0;
	headers->json = headers->json || (strcasecmp(name, "content-type") == 0 && strncasecmp(value, "application/json", 16) == 0 && (value[16] == '\0' || value[16] == ';' || value[16] == ' '));
	headers->lengths += strcasecmp(name, "content-length") == 0;
	headers->codings += strcasecmp(name, "transfer-encoding") == 0;
	for (size_t i = 0; i < sizeof connection / sizeof connection[0]; i++)
		ours = ours || strcasecmp(name, connection[i]) == 0;
	if (ours || value[0] == '\0')
		return MHD_YES;
	if (headers->count == CLIENT_HEADERS_MAX) {
		headers->too_many = true;
		return MHD_NO;
	}
	headers->at[headers->count++] = mem_format("%s: %s", name, value);
	return MHD_YES;
}

static void headers_take(struct MHD_Connection *connection, struct headers *headers)
{
	*headers = (struct headers){0};
	MHD_get_connection_values(connection, MHD_HEADER_KIND, on_header, headers);
}

/* Keys stand among them. */
static void headers_wipe(struct headers *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		char *text = (char *)(uintptr_t)headers->at[i];

		explicit_bzero(text, strlen(text));
		free(text);
	}
}

static enum status open_line(struct client *client, struct error *err)
{
	struct endpoint_options options = client->proxy->options.upstream;
	struct headers headers;

	headers_take(client->connection, &headers);
	options.api = client->api;
	options.headers = headers.at;
	options.body_max = client->proxy->options.body_max;
	enum status status = line_open(&options, &client->line, err);

	headers_wipe(&headers);
	if (status == OK && line_holds_key(&client->line, client->request.body, client->request.len))
		status = error_set(err, R_KEP_SENT, "", "the body of a request to '%s' holds it", client->request.model);
	return status;
}

static enum MHD_Result pass_on(struct client *client)
{
	struct proxy *proxy = client->proxy;
	static const struct endpoint_clock machine = {0};
	struct error err = {0};
	enum status status = open_line(client, &err);

	if (status == OK) {
		client->transfer = transfer_new(&client->line, &machine);
		client->transfer->relay = (struct relay){on_body, client};
		status = transfer_begin(client->transfer, &client->request, proxy->options.upstream.try_ms, &err);
		if (status == OK && curl_multi_add_handle(proxy->multi, client->transfer->easy) != CURLM_OK)
			status = error_set(&err, R_END_LIBRARY, "", "libcurl takes no further transfer");
		if (status != OK) {
			transfer_free(client->transfer);
			client->transfer = NULL;
		}
	}
	if (status != OK)
		return refuse(client, MHD_HTTP_BAD_REQUEST, &err);
	client->place = asked_begin(proxy->asked, &client->request);
	hold(client);
	return MHD_YES;
}

/* ---- played ---- */

static enum MHD_Result play(struct client *client)
{
	struct proxy *proxy = client->proxy;
	const struct exchange *exchange = NULL;
	struct error err = {0};
	enum status status = player_next(proxy->player, client->request.body, client->request.len, &exchange, &err);

	if (status == OK && exchange->has_response)
		status = player_answer(proxy->player, exchange, &client->out, &err);
	if (status != OK) {
		if (!proxy->result.left)
			proxy->err = err;
		proxy->result.left = true;
		return refuse(client, MHD_HTTP_CONFLICT, &err);
	}
	client->done = true;
	client->retry_after_s = -1;
	client->whole = exchange->response_complete;
	client->status = (unsigned)exchange->http_status;
	if (exchange->http_status < 0)
		no_reply(client, exchange->reply_class);
	else
		tell_form(client->out.data != NULL ? client->out.data : "", client->out.len, &client->is_stream);
	tell(proxy, exchange, NULL);
	return send_reply(client);
}

/* ---- requests ---- */

static bool api_of(const char *path, enum api *api)
{
	*api = strcmp(path, "/v1/responses") == 0 ? API_RESPONSES : API_CHAT;
	return *api == API_RESPONSES || strcmp(path, "/v1/chat/completions") == 0;
}

/* What speaks against a request before its body is read: the status of its refusal; 0 if nothing does. */
static unsigned check_head(struct client *client, const char *path, const char *method, struct error *err)
{
	const char *length = MHD_lookup_connection_value(client->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
	const size_t most = client->proxy->options.body_max;
	struct headers headers;

	headers_take(client->connection, &headers);
	headers_wipe(&headers);
#define REFUSED(status, ...) return error_set(err, R_PRX_REQUEST, "", __VA_ARGS__), (unsigned)(status)
	if (!api_of(path, &client->api))
		REFUSED(MHD_HTTP_NOT_FOUND, "the path '%.200s'", path);
	if (strcmp(method, MHD_HTTP_METHOD_POST) != 0)
		REFUSED(MHD_HTTP_METHOD_NOT_ALLOWED, "the method '%.20s'", method);
	if (MHD_get_connection_values(client->connection, MHD_GET_ARGUMENT_KIND, NULL, NULL) > 0)
		REFUSED(MHD_HTTP_NOT_FOUND, "a query after the path");
	if (headers.page)
		REFUSED(MHD_HTTP_FORBIDDEN, "the request of a web page");
	if (headers.too_many)
		REFUSED(MHD_HTTP_REQUEST_HEADER_FIELDS_TOO_LARGE, "more than %d headers", CLIENT_HEADERS_MAX);
	if (headers.lengths + headers.codings != 1)
		REFUSED(MHD_HTTP_BAD_REQUEST, "none or several statements of the body's length");
	if (!headers.json)
		REFUSED(MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "a body that is not said to be application/json");
	if (length != NULL && strtoull(length, NULL, 10) > most)
		REFUSED(MHD_HTTP_CONTENT_TOO_LARGE, "a body of %.20s bytes; the limit is %zu", length, most);
#undef REFUSED
	return 0;
}

/* The body is whole. */
static enum MHD_Result on_request(struct client *client)
{
	struct error err = {0};
	enum status status = request_read(client->api, client->upload.data != NULL ? client->upload.data : "", client->upload.len, &client->request, &err);

	client->asked = true;
	bytes_free(&client->upload);
	if (status == OK && strcmp(client->request.model, client->proxy->options.model) != 0)
		status = error_set(&err, R_PRX_MODEL, "", "it asks for '%s', and the run is of '%s'", client->request.model, client->proxy->options.model);
	if (status != OK)
		return refuse(client, MHD_HTTP_BAD_REQUEST, &err);
	return client->proxy->options.frozen ? play(client) : pass_on(client);
}

static enum MHD_Result on_access(void *context, struct MHD_Connection *connection, const char *path, const char *method, const char *version, const char *upload, size_t *upload_len,
                                 void **state)
{
	static const struct endpoint_clock machine = {0};
	struct proxy *proxy = context;
	struct client *client = *state;
	struct error err = {0};

	(void)version;
	if (client == NULL) {
		client = mem_alloc(sizeof *client);
		*client = (struct client){.next = proxy->clients, .proxy = proxy, .connection = connection, .began_ms = clock_steady_ms(&machine), .retry_after_s = -1};
		*state = proxy->clients = client;
		const unsigned status = check_head(client, path, method, &err);

		return status != 0 ? refuse(client, status, &err) : MHD_YES;
	}
	if (*upload_len > 0) {
		/* Nothing can be answered before the body's end, so a body that does not end has to be left. */
		if (*upload_len > proxy->options.body_max - client->upload.len || clock_steady_ms(&machine) - client->began_ms > UPLOAD_MS) {
			error_set(&err, R_PRX_REQUEST, "", "a body of more than %zu bytes, or one that does not come to its end", proxy->options.body_max);
			tell(proxy, NULL, &err);
			return MHD_NO;
		}
		bytes_add(&client->upload, upload, *upload_len);
		*upload_len = 0;
		return MHD_YES;
	}
	if (!client->asked)
		return on_request(client);
	if (client->status != 0)
		return send_reply(client);
	hold(client);
	return MHD_YES;
}

static void on_completed(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode reason)
{
	struct client *client = *state;

	(void)context, (void)connection, (void)reason;
	*state = NULL;
	if (client == NULL)
		return;
	client->connection = NULL;
	client->suspended = false;
	if (client->transfer != NULL) /* the agent went away */
		finish(client, CURLE_ABORTED_BY_CALLBACK);
	else
		client_free(client);
}

/* ---- listening ---- */

/* Numbers only: what a name stands for may change. */
static bool read_address(const char *text, struct sockaddr_storage *address, socklen_t *len)
{
	const char *colon = strrchr(text, ':');
	struct sockaddr_in *v4 = (struct sockaddr_in *)(void *)address;
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)(void *)address;
	char *end, host[INET6_ADDRSTRLEN + 2];

	*address = (struct sockaddr_storage){0};
	if (colon == NULL || colon[1] < '0' || colon[1] > '9' || (size_t)(colon - text) >= sizeof host)
		return false;
	const unsigned long port = strtoul(colon + 1, &end, 10);

	if (*end != '\0' || port > 65535)
		return false;
	memcpy(host, text, (size_t)(colon - text));
	host[colon - text] = '\0';
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons((uint16_t)port);
		*len = sizeof *v4;
		return true;
	}
	const size_t host_len = strlen(host);

	if (host_len < 3 || host[0] != '[' || host[host_len - 1] != ']')
		return false;
	host[host_len - 1] = '\0';
	v6->sin6_family = AF_INET6;
	v6->sin6_port = htons((uint16_t)port);
	*len = sizeof *v6;
	return inet_pton(AF_INET6, host + 1, &v6->sin6_addr) == 1;
}

static enum status listen_at(const struct proxy_options *options, int *fd, char **url, struct error *err)
{
	struct sockaddr_storage address;
	struct sockaddr *name = (struct sockaddr *)(void *)&address;
	socklen_t len;
	const int yes = 1;

	if (!read_address(options->listen, &address, &len))
		return error_set(err, R_PRX_LISTEN, "", "'%s' is no address and port in numbers", options->listen);
	if (!options->anywhere && place_of(name) != PLACE_LOOPBACK)
		return error_set(err, R_PRX_LISTEN, "", "'%s' is no loopback address", options->listen);
	*fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (*fd < 0 || setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 || bind(*fd, name, len) != 0 || listen(*fd, SOMAXCONN) != 0 || getsockname(*fd, name, &len) != 0) {
		const enum status status = error_errno(err, R_PRX_BIND, options->listen, "cannot listen there");

		if (*fd >= 0)
			close(*fd);
		return status;
	}
	const uint16_t port = ntohs(address.ss_family == AF_INET ? ((struct sockaddr_in *)(void *)&address)->sin_port : ((struct sockaddr_in6 *)(void *)&address)->sin6_port);

	*url = mem_format("http://%.*s:%u/v1", (int)(strrchr(options->listen, ':') - options->listen), options->listen, port);
	return OK;
}

enum status proxy_open(const struct proxy_options *options, struct proxy **opened, struct error *err)
{
	struct proxy *proxy = mem_alloc(sizeof *proxy);
	struct endpoint_options probe = options->upstream;
	struct line line;
	int fd = -1;

	*opened = NULL;
	proxy->options = *options;
	proxy->options.body_max = options->body_max != 0 ? options->body_max : PROXY_BODY_MAX;
	proxy->options.upstream.try_ms = options->upstream.try_ms != 0 ? options->upstream.try_ms : TRY_MS;
	if (!wiped_curl_init() || (proxy->multi = curl_multi_init()) == NULL)
		mem_lacking();
	enum status status = OK;

	if (!options->frozen && (status = line_open(&probe, &line, err)) == OK) /* a URL that cannot be one is told now */
		line_close(&line);
	if (status == OK)
		status = listen_at(&proxy->options, &fd, &proxy->url, err);
	if (status == OK) {
		proxy->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, on_access, proxy, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED,
		                                 on_completed, proxy, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CLIENTS_MAX, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_MEMORY,
		                                 MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_S, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
		if (proxy->daemon == NULL) {
			status = error_set(err, R_PRX_BIND, options->listen, "libmicrohttpd does not start");
			close(fd);
		}
	}
	if (status == OK && options->frozen)
		proxy->player = player_open(options->bundle, options->freezer, options->trajectory);
	else if (status == OK)
		proxy->asked = asked_open(options->freezer, options->trajectory);
	if (status == OK)
		*opened = proxy;
	else
		proxy_close(proxy);
	return status;
}

const char *proxy_url(const struct proxy *proxy)
{
	return proxy->url;
}

void proxy_close(struct proxy *proxy)
{
	if (proxy == NULL)
		return;
	if (proxy->daemon != NULL)
		MHD_stop_daemon(proxy->daemon);
	curl_multi_cleanup(proxy->multi);
	asked_close(proxy->asked);
	player_close(proxy->player);
	free(proxy->url);
	free(proxy);
	curl_global_cleanup();
}

/* ---- running ---- */

static struct client *client_of(const struct proxy *proxy, const CURL *easy)
{
	struct client *client = proxy->clients;

	while (client->transfer == NULL || client->transfer->easy != easy)
		client = client->next;
	return client;
}

static void turn(struct proxy *proxy)
{
	CURLMsg *message;
	int running, left;

	curl_multi_perform(proxy->multi, &running);
	while ((message = curl_multi_info_read(proxy->multi, &left)) != NULL)
		if (message->msg == CURLMSG_DONE)
			finish(client_of(proxy, message->easy_handle), message->data.result);
	MHD_run(proxy->daemon);
}

/* Until there is something to do, or so long; true if that is to stop. */
static bool await(struct proxy *proxy, int stop, unsigned ms)
{
	const union MHD_DaemonInfo *info = MHD_get_daemon_info(proxy->daemon, MHD_DAEMON_INFO_EPOLL_FD);
	struct curl_waitfd fds[] = {{.fd = info->epoll_fd, .events = CURL_WAIT_POLLIN}, {.fd = stop, .events = CURL_WAIT_POLLIN}};
	MHD_UNSIGNED_LONG_LONG wait = ms;

	if (MHD_get_timeout(proxy->daemon, &wait) != MHD_YES || wait > ms)
		wait = ms;
	curl_multi_poll(proxy->multi, fds, 2, (int)wait, NULL);
	return (fds[1].revents & CURL_WAIT_POLLIN) != 0;
}

/* What is under way is recorded as cut, and agents get what there is of their replies. */
static void stop_all(struct proxy *proxy)
{
	for (struct client *client = proxy->clients, *next; client != NULL; client = next) {
		next = client->next;
		if (client->transfer == NULL)
			continue;
		proxy->result.cut++;
		finish(client, CURLE_ABORTED_BY_CALLBACK);
	}
	for (int i = 0; i < FLUSH_TURNS && proxy->clients != NULL; i++) {
		turn(proxy);
		if (proxy->clients != NULL)
			await(proxy, -1, FLUSH_MS);
	}
	for (struct client *client = proxy->clients; client != NULL; client = client->next)
		wake(client);
	MHD_run(proxy->daemon);
}

enum status proxy_run(struct proxy *proxy, int stop, struct proxy_result *result, struct error *err)
{
	const struct exchange *unplayed = NULL;

	do
		turn(proxy);
	while (proxy->status == OK && !await(proxy, stop, TURN_MS));
	stop_all(proxy);
	if (proxy->player != NULL) {
		unplayed = player_unplayed(proxy->player);
		proxy->result.recorded = player_count(proxy->player);
		proxy->result.unplayed = player_count(proxy->player) - player_played(proxy->player);
	}
	*result = proxy->result;
	if ((proxy->status != OK || proxy->result.left) && err != NULL)
		*err = proxy->err;
	if (proxy->status != OK || proxy->result.left)
		return proxy->err.status;
	if (unplayed != NULL)
		return error_set(err, R_PRX_UNPLAYED, "", "%zu of %zu were not asked for; the first is of turn %lu", proxy->result.unplayed, proxy->result.recorded, (unsigned long)unplayed->turn);
	if (proxy->result.cut > 0)
		return error_set(err, R_PRX_STOPPED, "", "%" PRIu64 " were under way", proxy->result.cut);
	return OK;
}
