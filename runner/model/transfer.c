#include "transfer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../base/utf8.h"

enum {
	HEADERS_MAX = 256 << 10, /* bytes of all headers of a reply */
	CONNECT_MS = 30000,      /* at most, until a connection stands */
	LINGER_MS = 1000,        /* after [DONE], until the body has to end; a body that does lets the connection be used again */
};

int64_t clock_steady_ms(const struct endpoint_clock *clock)
{
	struct timespec now;

	if (clock->steady_ms != NULL)
		return clock->steady_ms(clock->context);
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t clock_unix_ms(const struct endpoint_clock *clock)
{
	struct timespec now;

	if (clock->unix_ms != NULL)
		return clock->unix_ms(clock->context);
	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void write_time(int64_t unix_ms, char out[EXCHANGE_STARTED + 1])
{
	const time_t seconds = (time_t)(unix_ms / 1000);
	char text[64];
	struct tm utc;

	gmtime_r(&seconds, &utc);
	snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
	         (int)(unix_ms % 1000));
	memcpy(out, text, EXCHANGE_STARTED);
	out[EXCHANGE_STARTED] = '\0';
}

/* ---- where the endpoint is ---- */

static enum endpoint_place place_of_v4(const uint8_t ip[4])
{
	if (ip[0] == 127)
		return PLACE_LOOPBACK;
	/* RFC 1918, RFC 3927, RFC 6598 */
	if (ip[0] == 10 || (ip[0] == 172 && (ip[1] & 0xf0) == 16) || (ip[0] == 192 && ip[1] == 168) || (ip[0] == 169 && ip[1] == 254) || (ip[0] == 100 && (ip[1] & 0xc0) == 64))
		return PLACE_PRIVATE;
	return PLACE_PUBLIC;
}

static enum endpoint_place place_of_v6(const uint8_t ip[16])
{
	static const uint8_t loopback[16] = {[15] = 1}, mapped[12] = {[10] = 0xff, [11] = 0xff};

	if (memcmp(ip, loopback, 16) == 0)
		return PLACE_LOOPBACK;
	if (memcmp(ip, mapped, 12) == 0)
		return place_of_v4(ip + 12);
	/* RFC 4193, RFC 4291 section 2.5.6 */
	return (ip[0] & 0xfe) == 0xfc || (ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80) ? PLACE_PRIVATE : PLACE_PUBLIC;
}

enum endpoint_place place_of(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET)
		return place_of_v4((const uint8_t *)&((const struct sockaddr_in *)(const void *)address)->sin_addr);
	if (address->sa_family == AF_INET6)
		return place_of_v6((const uint8_t *)&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
	return address->sa_family == AF_UNIX ? PLACE_LOOPBACK : PLACE_UNKNOWN;
}

static enum endpoint_place place_of_text(const char *ip)
{
	uint8_t address[16];

	if (inet_pton(AF_INET, ip, address) == 1)
		return place_of_v4(address);
	return inet_pton(AF_INET6, ip, address) == 1 ? place_of_v6(address) : PLACE_UNKNOWN;
}

static enum endpoint_place place_reached(const struct transfer *transfer)
{
	curl_off_t sent_us = 0;
	char *ip = NULL;

	curl_easy_getinfo(transfer->easy, CURLINFO_PRETRANSFER_TIME_T, &sent_us);
	curl_easy_getinfo(transfer->easy, CURLINFO_PRIMARY_IP, &ip);
	if (sent_us <= 0)
		return PLACE_UNKNOWN;
	if (transfer->line->unix_socket != NULL)
		return PLACE_LOOPBACK;
	return transfer->line->proxy != NULL ? PLACE_PROXY : place_of_text(ip != NULL ? ip : "");
}

/* ---- libcurl's callbacks ---- */

static curl_socket_t on_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct transfer *transfer = context;

	(void)purpose;
	if (transfer->line->has_key && !transfer->line->encrypted && place_of(&address->addr) == PLACE_PUBLIC) {
		transfer->refused = true;
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t on_header(char *data, size_t size, size_t count, void *context)
{
	static const char name[] = "retry-after:";
	struct transfer *transfer = context;
	const size_t len = size * count;

	transfer->header_bytes += len;
	if (transfer->header_bytes > HEADERS_MAX) {
		transfer->too_large = true;
		return 0;
	}
	if (len > 5 && memcmp(data, "HTTP/", 5) == 0)
		transfer->retry_after_ms = -1;
	if (len < sizeof name || strncasecmp(data, name, sizeof name - 1) != 0)
		return len;
	const char *from = data + sizeof name - 1, *to = data + len;

	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\r' || to[-1] == '\n'))
		to--;
	char *value = mem_textn(from, (size_t)(to - from));

	transfer->retry_after_ms = retry_after_ms(value, clock_unix_ms(transfer->clock));
	free(value);
	return len;
}

static enum status on_event(void *context, const char *data, size_t len, struct error *err)
{
	struct transfer *transfer = context;

	(void)err;
	if (len == 6 && memcmp(data, "[DONE]", 6) == 0 && transfer->done_ms < 0)
		transfer->done_ms = clock_steady_ms(transfer->clock);
	return OK;
}

static size_t on_body(char *data, size_t size, size_t count, void *context)
{
	struct transfer *transfer = context;
	const size_t len = size * count;

	if (transfer->first_byte_ms < 0) {
		transfer->first_byte_ms = clock_steady_ms(transfer->clock);
		transfer->watching = data[0] != '{' && data[0] != '[';
	}
	if (len > transfer->line->body_max - transfer->body.len) {
		transfer->too_large = true;
		return 0;
	}
	bytes_add(&transfer->body, data, len);
	if (transfer->relay.body != NULL && !transfer->relay.body(transfer->relay.context, data, len))
		return 0;
	transfer->watching = transfer->watching && sse_feed(&transfer->watch, data, len, NULL) == OK;
	return len;
}

bool transfer_lingers(const struct transfer *transfer)
{
	return transfer->done_ms >= 0 && clock_steady_ms(transfer->clock) - transfer->done_ms > LINGER_MS;
}

static int on_progress(void *context, curl_off_t to_come, curl_off_t came, curl_off_t to_go, curl_off_t went)
{
	(void)to_come, (void)came, (void)to_go, (void)went;
	return transfer_lingers(context);
}

/* ---- a try ---- */

struct transfer *transfer_new(const struct line *line, const struct endpoint_clock *clock)
{
	struct transfer *transfer = mem_alloc(sizeof *transfer);

	transfer->easy = curl_easy_init();
	transfer->line = line;
	transfer->clock = clock;
	if (transfer->easy == NULL)
		mem_lacking();
	return transfer;
}

void transfer_free(struct transfer *transfer)
{
	if (transfer == NULL)
		return;
	curl_easy_cleanup(transfer->easy);
	bytes_free(&transfer->body);
	sse_free(&transfer->watch);
	free(transfer);
}

static CURLcode set_up(struct transfer *transfer, const struct request *request, int64_t limit_ms)
{
	const struct line *line = transfer->line;
	CURL *easy = transfer->easy;
	CURLcode code = CURLE_OK;

#define SET(option, value) (code = code == CURLE_OK ? curl_easy_setopt(easy, option, value) : code)
	SET(CURLOPT_PRIVATE, transfer);
	SET(CURLOPT_ERRORBUFFER, transfer->trouble);
	SET(CURLOPT_NOSIGNAL, 1L);
	SET(CURLOPT_URL, line->url);
	SET(CURLOPT_PROTOCOLS_STR, "http,https");
	SET(CURLOPT_FOLLOWLOCATION, 0L);
	SET(CURLOPT_HTTP09_ALLOWED, 0L);
	SET(CURLOPT_UNIX_SOCKET_PATH, line->unix_socket);
	SET(CURLOPT_PROXY, line->proxy != NULL ? line->proxy : "");
	SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	if (line->ca_file != NULL)
		SET(CURLOPT_CAINFO, line->ca_file);
	SET(CURLOPT_USERAGENT, "ptxseal/" PTXSEAL_VERSION);
	SET(CURLOPT_HTTPHEADER, line->headers);
	SET(CURLOPT_POSTFIELDS, request->body);
	SET(CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->len);
	SET(CURLOPT_TIMEOUT_MS, (long)limit_ms);
	SET(CURLOPT_CONNECTTIMEOUT_MS, (long)(limit_ms < CONNECT_MS ? limit_ms : CONNECT_MS));
	SET(CURLOPT_TCP_KEEPALIVE, 1L);
	SET(CURLOPT_OPENSOCKETFUNCTION, on_socket);
	SET(CURLOPT_OPENSOCKETDATA, transfer);
	SET(CURLOPT_HEADERFUNCTION, on_header);
	SET(CURLOPT_HEADERDATA, transfer);
	SET(CURLOPT_WRITEFUNCTION, on_body);
	SET(CURLOPT_WRITEDATA, transfer);
	SET(CURLOPT_NOPROGRESS, 0L);
	SET(CURLOPT_XFERINFOFUNCTION, on_progress);
	SET(CURLOPT_XFERINFODATA, transfer);
#undef SET
	return code;
}

enum status transfer_begin(struct transfer *transfer, const struct request *request, int64_t limit_ms, struct error *err)
{
	curl_easy_reset(transfer->easy);
	bytes_free(&transfer->body);
	sse_free(&transfer->watch);
	transfer->watch = (struct sse){.event = on_event, .context = transfer, .file = ""};
	transfer->trouble[0] = '\0';
	transfer->too_large = transfer->refused = transfer->watching = false;
	transfer->done_ms = transfer->first_byte_ms = transfer->retry_after_ms = -1;
	transfer->header_bytes = 0;
	const CURLcode code = set_up(transfer, request, limit_ms);

	if (code != CURLE_OK)
		return error_set(err, R_END_LIBRARY, "", "libcurl says: %s", curl_easy_strerror(code));
	transfer->begun_ms = clock_steady_ms(transfer->clock);
	write_time(clock_unix_ms(transfer->clock), transfer->started);
	return OK;
}

/* The reply is of this class instead; content and reasoning stay as far as they came. */
static void call_it(struct reply_text *reply, enum reply_class reply_class, const char *why)
{
	char printable[400];

	utf8_printable(why, strlen(why), printable, sizeof printable);
	free(reply->why);
	reply->why = mem_text(printable);
	reply->reply_class = reply_class;
}

/* Nothing of the body is kept. */
static void withhold(struct transfer *transfer, struct reply_text *reply, bool *kept, const char *why)
{
	bytes_wipe(&transfer->body);
	reply_text_free(reply);
	reply_read("", 0, false, -1, reply);
	call_it(reply, REPLY_MALFORMED, why);
	*kept = false;
}

/* What the transfer itself came to, where the bytes cannot say. */
static void judge_transfer(const struct transfer *transfer, CURLcode code, struct reply_text *reply)
{
	const bool lost = reply->reply_class == REPLY_CONNECTION || reply->reply_class == REPLY_CUT_STREAM;

	if (lost && code == CURLE_OPERATION_TIMEDOUT)
		call_it(reply, REPLY_TIMEOUT, "no whole reply came in time");
	else if (reply->reply_class == REPLY_CONNECTION && code != CURLE_OK)
		call_it(reply, REPLY_CONNECTION, transfer->trouble[0] != '\0' ? transfer->trouble : curl_easy_strerror(code));
}

enum status transfer_unsent(const struct transfer *transfer, CURLcode code, struct error *err)
{
	char printable[400];
	const char *why = transfer->trouble[0] != '\0' ? transfer->trouble : curl_easy_strerror(code);

	if (transfer->refused)
		return error_set(err, R_END_PLAIN, "", "the endpoint has a public address and is named by http");
	if (code != CURLE_PEER_FAILED_VERIFICATION && code != CURLE_SSL_CACERT_BADFILE)
		return OK;
	utf8_printable(why, strlen(why), printable, sizeof printable);
	return error_set(err, R_END_TRUST, "", "libcurl says: %s", printable);
}

static char *copy_or_null(const char *text)
{
	return text != NULL ? mem_text(text) : NULL;
}

static void fill_exchange(struct transfer *transfer, const struct request *request, int64_t status, bool kept, bool complete, struct try *try)
{
	const int64_t took = clock_steady_ms(transfer->clock) - transfer->begun_ms;
	const struct reply_text *reply = &try->reply;

	try->exchange = (struct exchange){
		.api = mem_text(transfer->line->api == API_CHAT ? "chat" : "responses"),
		.model_asked = mem_text(request->model),
		.model_answered = copy_or_null(reply->model),
		.parameters = mem_text(request->parameters),
		.prompt = request->prompt,
		.request = sha256_of(request->body, request->len),
		.has_response = kept,
		.response_complete = complete,
		.http_status = status,
		.reply_class = reply->reply_class,
		.finish_reason = copy_or_null(reply->finish_reason),
		.fingerprint = copy_or_null(reply->fingerprint),
		.prompt_tokens = reply->prompt_tokens,
		.completion_tokens = reply->completion_tokens,
		.reasoning_tokens = reply->reasoning_tokens,
		.first_byte_ms = transfer->first_byte_ms < 0 ? -1 : transfer->first_byte_ms - transfer->begun_ms,
		.took_ms = took,
		.place = place_reached(transfer),
		.host = copy_or_null(transfer->line->host),
		.client = mem_text(transfer->line->client),
	};
	memcpy(try->exchange.started, transfer->started, sizeof transfer->started);
	if (kept)
		try->exchange.response = sha256_of(transfer->body.data, transfer->body.len);
	try->request = request->body;
	try->request_len = request->len;
	try->response = kept ? (transfer->body.data != NULL ? transfer->body.data : "") : NULL;
	try->response_len = kept ? transfer->body.len : 0;
}

void transfer_end(struct transfer *transfer, const struct request *request, CURLcode code, struct try *try)
{
	const struct line *line = transfer->line;
	const bool complete = code == CURLE_OK || transfer->done_ms >= 0;
	uint32_t redacted = 0;
	long response_code = 0;

	curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &response_code);
	const int64_t status = response_code > 0 ? response_code : -1;
	bool kept = status >= 0, leaks = false;

	*try = (struct try){0};
	for (size_t i = 0; i < line->secret_count; i++) {
		redacted += secret_redact(line->secrets[i], &transfer->body);
		leaks = leaks || secret_in_reply(line->secrets[i], transfer->body.data != NULL ? transfer->body.data : "", transfer->body.len);
	}
	reply_read(transfer->body.data != NULL ? transfer->body.data : "", transfer->body.len, complete, status, &try->reply);
	if (leaks)
		withhold(transfer, &try->reply, &kept, "it holds the key in a form that cannot be taken out: the body is not kept");
	else if (transfer->too_large && kept)
		withhold(transfer, &try->reply, &kept, "it is larger than the limit: the body is not kept");
	else
		judge_transfer(transfer, code, &try->reply);
	fill_exchange(transfer, request, status, kept, complete && kept, try);
	try->exchange.redacted = kept ? redacted : 0;
}

void try_free(struct try *try)
{
	exchange_free(&try->exchange);
	reply_text_free(&try->reply);
}
