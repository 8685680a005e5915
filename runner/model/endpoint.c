#include "endpoint.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include "transfer.h"
#include "wiped.h"

enum {
	CONCURRENCY = 16,
	TRY_MS = 600000,
	DEADLINE_MS = 3600000,
	BODY_MAX = 32 << 20,
	TRIES = 6,
	FIRST_WAIT_MS = 500,
	MOST_WAIT_MS = 60000,
	TURN_MS = 1000, /* a wait is cut here, so that a stream that does not end after [DONE] is ended */
};

enum ask_state { ASK_QUEUED, ASK_WAITING, ASK_RUNNING };

struct ask {
	struct ask *next;
	struct request request;
	endpoint_told *told;
	void *context;
	enum ask_state state;
	unsigned first_attempt, attempt;
	int64_t deadline_ms, not_before_ms; /* steady */
	struct spend_cost most;
	struct transfer *transfer;
};

struct endpoint {
	struct line line;
	struct endpoint_options options; /* its texts are not used after endpoint_open */
	CURLM *multi;
	int epoll, wake;        /* of libcurl's connections; an eventfd among them */
	int64_t timer_ms;       /* when libcurl wants to be called, whatever came; -1: never */
	struct ask *first, **last;
	size_t asks, places_taken;
	uint64_t told; /* callbacks so far */
	int64_t pause_until_ms; /* steady: the endpoint asked for quiet until then */
	uint64_t jitter;
};

/* ---- opening ---- */

static void fill_defaults(struct endpoint_options *options)
{
	options->concurrency = options->concurrency != 0 ? options->concurrency : CONCURRENCY;
	options->try_ms = options->try_ms != 0 ? options->try_ms : TRY_MS;
	options->deadline_ms = options->deadline_ms != 0 ? options->deadline_ms : DEADLINE_MS;
	options->retry.tries = options->retry.tries != 0 ? options->retry.tries : TRIES;
	options->retry.first_ms = options->retry.first_ms != 0 ? options->retry.first_ms : FIRST_WAIT_MS;
	options->retry.most_ms = options->retry.most_ms != 0 ? options->retry.most_ms : MOST_WAIT_MS;
	options->body_max = options->body_max != 0 ? options->body_max : BODY_MAX;
}

/* The machine's, whatever the endpoint's own clock says: libcurl has no other. */
static int64_t machine_ms(void)
{
	static const struct endpoint_clock machine = {0};

	return clock_steady_ms(&machine);
}

/* libcurl tells what it waits for, so that a round costs what came and not what is open. */
static int on_connection(CURL *easy, curl_socket_t fd, int what, void *context, void *unused)
{
	const struct endpoint *endpoint = context;
	struct epoll_event event = {.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) | (what & CURL_POLL_OUT ? EPOLLOUT : 0u), .data.fd = fd};

	(void)easy, (void)unused;
	if (what == CURL_POLL_REMOVE)
		epoll_ctl(endpoint->epoll, EPOLL_CTL_DEL, fd, NULL); /* it may be closed already */
	else if (epoll_ctl(endpoint->epoll, EPOLL_CTL_MOD, fd, &event) != 0 && epoll_ctl(endpoint->epoll, EPOLL_CTL_ADD, fd, &event) != 0)
		return -1;
	return 0;
}

static int on_timer(CURLM *multi, long wait_ms, void *context)
{
	struct endpoint *endpoint = context;

	(void)multi;
	endpoint->timer_ms = wait_ms < 0 ? -1 : machine_ms() + wait_ms;
	return 0;
}

static enum status open_connections(struct endpoint *endpoint, struct error *err)
{
	struct epoll_event event = {.events = EPOLLIN};

	endpoint->epoll = epoll_create1(EPOLL_CLOEXEC);
	endpoint->wake = event.data.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (endpoint->epoll < 0 || endpoint->wake < 0 || epoll_ctl(endpoint->epoll, EPOLL_CTL_ADD, endpoint->wake, &event) != 0)
		return error_errno(err, R_END_LIBRARY, "", "cannot wait for connections");
	curl_multi_setopt(endpoint->multi, CURLMOPT_SOCKETFUNCTION, on_connection);
	curl_multi_setopt(endpoint->multi, CURLMOPT_SOCKETDATA, endpoint);
	curl_multi_setopt(endpoint->multi, CURLMOPT_TIMERFUNCTION, on_timer);
	curl_multi_setopt(endpoint->multi, CURLMOPT_TIMERDATA, endpoint);
	return OK;
}

enum status endpoint_open(const struct endpoint_options *options, struct endpoint **opened, struct error *err)
{
	struct endpoint *endpoint = mem_alloc(sizeof *endpoint);

	*opened = NULL;
	endpoint->last = &endpoint->first;
	endpoint->epoll = endpoint->wake = -1;
	endpoint->timer_ms = -1;
	endpoint->options = *options;
	endpoint->jitter = options->jitter_seed;
	fill_defaults(&endpoint->options);
	if (!wiped_curl_init() || (endpoint->multi = curl_multi_init()) == NULL)
		mem_lacking();
	if (endpoint->jitter == 0 && getrandom(&endpoint->jitter, sizeof endpoint->jitter, 0) < 0)
		endpoint->jitter = (uint64_t)clock_unix_ms(&options->clock);
	curl_multi_setopt(endpoint->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)endpoint->options.concurrency);
	curl_multi_setopt(endpoint->multi, CURLMOPT_MAXCONNECTS, (long)endpoint->options.concurrency);
	enum status status = line_open(&endpoint->options, &endpoint->line, err);

	if (status == OK)
		status = open_connections(endpoint, err);
	if (status == OK)
		*opened = endpoint;
	else
		endpoint_close(endpoint);
	return status;
}

enum status endpoint_check_written(const struct endpoint *endpoint, const char *what, const char *text, size_t len, struct error *err)
{
	return line_holds_key(&endpoint->line, text, len) ? error_set(err, R_KEP_WRITTEN, "", "%s would hold it", what) : OK;
}

char *endpoint_url(const struct endpoint *endpoint)
{
	const char *url = endpoint->line.url;
	const size_t len = strcspn(url, "?");

	return line_holds_key(&endpoint->line, url, len) ? NULL : mem_textn(url, len);
}

static void ask_free(struct ask *ask)
{
	transfer_free(ask->transfer);
	request_free(&ask->request);
	free(ask);
}

void endpoint_close(struct endpoint *endpoint)
{
	if (endpoint == NULL)
		return;
	while (endpoint->first != NULL) {
		struct ask *ask = endpoint->first;

		endpoint->first = ask->next;
		if (ask->state == ASK_RUNNING)
			curl_multi_remove_handle(endpoint->multi, ask->transfer->easy);
		ask_free(ask);
	}
	curl_multi_cleanup(endpoint->multi);
	if (endpoint->epoll >= 0)
		close(endpoint->epoll);
	if (endpoint->wake >= 0)
		close(endpoint->wake);
	line_close(&endpoint->line);
	free(endpoint);
	curl_global_cleanup();
}

/* ---- requests ---- */

void endpoint_submit(struct endpoint *endpoint, const struct request *request, unsigned first_attempt, endpoint_told *told, void *context)
{
	struct ask *ask = mem_alloc(sizeof *ask);

	ask->request = *request;
	ask->request.body = mem_textn(request->body, request->len);
	ask->request.model = mem_text(request->model);
	ask->request.parameters = mem_text(request->parameters);
	ask->request.messages = (struct bytes){0};
	ask->told = told;
	ask->context = context;
	ask->first_attempt = ask->attempt = first_attempt;
	*endpoint->last = ask;
	endpoint->last = &ask->next;
	endpoint->asks++;
}

size_t endpoint_open_requests(const struct endpoint *endpoint)
{
	return endpoint->asks;
}

void endpoint_wake(struct endpoint *endpoint)
{
	const uint64_t one = 1;
	const ssize_t n = write(endpoint->wake, &one, sizeof one);

	(void)n; /* a full one wakes too */
}

static void drop(struct endpoint *endpoint, struct ask *ask)
{
	struct ask **at = &endpoint->first;

	while (*at != ask)
		at = &(*at)->next;
	*at = ask->next;
	if (ask->next == NULL)
		endpoint->last = at;
	endpoint->asks--;
	endpoint->places_taken -= ask->state != ASK_QUEUED;
	ask_free(ask);
}

/* It ends without a further try: reason says why. */
static enum status end_untried(struct endpoint *endpoint, struct ask *ask, struct error *reason, struct error *err)
{
	endpoint->told++;
	const enum status status = ask->told(ask->context, NULL, reason);

	drop(endpoint, ask);
	if (status != OK && err != NULL)
		*err = *reason;
	return status;
}

static int64_t start_time(const struct endpoint *endpoint, const struct ask *ask)
{
	return ask->not_before_ms > endpoint->pause_until_ms ? ask->not_before_ms : endpoint->pause_until_ms;
}

/* What speaks against sending it, whenever; OK if nothing does. */
static enum status check(const struct endpoint *endpoint, const struct ask *ask, struct error *err)
{
	const struct spend *spend = endpoint->options.spend;

	if (line_holds_key(&endpoint->line, ask->request.body, ask->request.len))
		return error_set(err, R_KEP_SENT, "", "the body of a request to '%s' holds it", ask->request.model);
	if (spend != NULL && (spend->cap.tokens != 0 || spend->cap.money != 0) && ask->request.completion_most < 0)
		return error_set(err, R_SPD_UNBOUNDED, "", "a request to '%s' states none", ask->request.model);
	if (spend != NULL && spend->cap.money != 0 && spend->price == NULL)
		return error_set(err, R_SPD_MODEL, "", "there is no price of '%s'", ask->request.model);
	return OK;
}

static enum status start(struct endpoint *endpoint, struct ask *ask, int64_t now, struct error *err)
{
	const int64_t left = ask->deadline_ms - now, limit = left < endpoint->options.try_ms ? left : endpoint->options.try_ms;
	struct error reason = {0};

	if (ask->transfer == NULL)
		ask->transfer = transfer_new(&endpoint->line, &endpoint->options.clock);
	enum status status = transfer_begin(ask->transfer, &ask->request, limit, &reason);

	if (status == OK && curl_multi_add_handle(endpoint->multi, ask->transfer->easy) != CURLM_OK)
		status = error_set(&reason, R_END_LIBRARY, "", "libcurl takes no further transfer");
	if (status != OK)
		return end_untried(endpoint, ask, &reason, err);
	ask->state = ASK_RUNNING;
	return OK;
}

/* Start, let wait, or end one that is not running. */
static enum status consider(struct endpoint *endpoint, struct ask *ask, int64_t now, struct error *err)
{
	struct spend *spend = endpoint->options.spend;
	struct error reason = {0};

	if (ask->state == ASK_QUEUED) {
		if (endpoint->places_taken >= endpoint->options.concurrency)
			return OK;
		endpoint->places_taken++;
		ask->state = ASK_WAITING;
		ask->deadline_ms = now + endpoint->options.deadline_ms;
		ask->not_before_ms = now;
		if (check(endpoint, ask, &reason) != OK)
			return end_untried(endpoint, ask, &reason, err);
	}
	if (start_time(endpoint, ask) >= ask->deadline_ms || now >= ask->deadline_ms) {
		error_set(&reason, R_END_DEADLINE, "", "no further try of a request to '%s' fits into %lld ms", ask->request.model, (long long)endpoint->options.deadline_ms);
		return end_untried(endpoint, ask, &reason, err);
	}
	if (now < start_time(endpoint, ask))
		return OK;
	if (spend != NULL) {
		ask->most = spend_most(spend, ask->request.len, ask->request.completion_most);
		const enum spend_verdict verdict = spend_ask(spend, &ask->most);

		if (verdict == SPEND_NEVER) {
			error_set(&reason, R_SPD_CAP, "", "%s is reached: %lld requests and %lld tokens are spent; one more try may cost %lld tokens", spend_reached(spend, &ask->most),
			          (long long)spend->spent.requests, (long long)spend->spent.tokens, (long long)ask->most.tokens);
			return end_untried(endpoint, ask, &reason, err);
		}
		if (verdict == SPEND_LATER)
			return OK;
	}
	return start(endpoint, ask, now, err);
}

/* When the next try may start that waits for a time after now; -1 if none does. */
static int64_t next_start(const struct endpoint *endpoint, int64_t now)
{
	int64_t at = -1;

	for (const struct ask *ask = endpoint->first; ask != NULL; ask = ask->next)
		if (ask->state == ASK_WAITING && start_time(endpoint, ask) > now && (at < 0 || start_time(endpoint, ask) < at))
			at = start_time(endpoint, ask);
	return at;
}

/* Is there to be a further try, and when? */
static void plan(struct endpoint *endpoint, struct ask *ask, struct try *try)
{
	const int64_t now = clock_steady_ms(&endpoint->options.clock), asked = ask->transfer->retry_after_ms;

	try->last = true;
	if (!retry_is_worth(try->reply.reply_class, try->exchange.http_status, try->reply.error_code))
		return;
	if (asked >= 0 && (try->exchange.http_status == 429 || try->exchange.http_status == 503) && now + asked > endpoint->pause_until_ms)
		endpoint->pause_until_ms = now + asked;
	if (ask->attempt - ask->first_attempt + 1 >= endpoint->options.retry.tries)
		return;
	try->again_ms = retry_wait_ms(&endpoint->options.retry, ask->attempt - ask->first_attempt + 1, asked, &endpoint->jitter);
	ask->not_before_ms = now + try->again_ms;
	try->last = ask->not_before_ms >= ask->deadline_ms;
	if (try->last)
		try->again_ms = 0;
}

static enum status finish(struct endpoint *endpoint, CURL *easy, CURLcode code, struct error *err)
{
	struct ask *ask = endpoint->first;
	struct try try;
	struct error mine = {0};

	while (ask->state != ASK_RUNNING || ask->transfer->easy != easy)
		ask = ask->next;
	curl_multi_remove_handle(endpoint->multi, easy);
	ask->state = ASK_WAITING;
	if (transfer_unsent(ask->transfer, code, &mine) != OK) {
		/* No try, no record. */
		if (endpoint->options.spend != NULL)
			spend_release(endpoint->options.spend, &ask->most);
		return end_untried(endpoint, ask, &mine, err);
	}
	transfer_end(ask->transfer, &ask->request, code, &try);
	try.exchange.attempt = ask->attempt;
	if (endpoint->options.spend != NULL)
		spend_settle(endpoint->options.spend, &ask->most, &try.exchange);
	plan(endpoint, ask, &try);
	ask->attempt++;
	endpoint->told++;
	const enum status status = ask->told(ask->context, &try, &mine);

	if (status != OK && err != NULL)
		*err = mine;
	if (try.last || status != OK)
		drop(endpoint, ask);
	try_free(&try);
	return status;
}

static enum status start_what_may(struct endpoint *endpoint, struct error *err)
{
	const int64_t now = clock_steady_ms(&endpoint->options.clock);
	enum status status = OK;

	for (struct ask *ask = endpoint->first, *next; ask != NULL && status == OK; ask = next) {
		next = ask->next;
		if (ask->state != ASK_RUNNING)
			status = consider(endpoint, ask, now, err);
		else if (transfer_lingers(ask->transfer))
			return finish(endpoint, ask->transfer->easy, CURLE_ABORTED_BY_CALLBACK, err);
	}
	return status;
}

static void was_woken(const struct endpoint *endpoint)
{
	uint64_t calls;
	const ssize_t n = read(endpoint->wake, &calls, sizeof calls);

	(void)n; /* who it was for looks after each turn of the endpoint anyway */
}

/* Give libcurl what came within that time, of one connection, and its timer: what it leads to is sent before the next one is read. */
static enum status drive(struct endpoint *endpoint, int wait_ms, struct error *err)
{
	struct epoll_event ready;
	int running;
	const int count = epoll_wait(endpoint->epoll, &ready, 1, wait_ms);
	CURLMcode code = CURLM_OK;

	if (count < 0 && errno != EINTR)
		return error_errno(err, R_END_LIBRARY, "", "cannot wait for connections");
	if (count > 0 && ready.data.fd == endpoint->wake)
		was_woken(endpoint);
	else if (count > 0)
		code = curl_multi_socket_action(endpoint->multi, ready.data.fd,
		                                (ready.events & EPOLLIN ? CURL_CSELECT_IN : 0) | (ready.events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
		                                        (ready.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0),
		                                &running);
	if (code == CURLM_OK && endpoint->timer_ms >= 0 && endpoint->timer_ms <= machine_ms()) {
		endpoint->timer_ms = -1;
		code = curl_multi_socket_action(endpoint->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	}
	return code == CURLM_OK ? OK : error_set(err, R_END_LIBRARY, "", "libcurl says: %s", curl_multi_strerror(code));
}

static enum status perform(struct endpoint *endpoint, struct error *err)
{
	int left;
	CURLMsg *message;
	enum status status = drive(endpoint, 0, err);

	if (status != OK)
		return status;
	/* One a turn: what its callback submits is sent before the next one is told, or replies that came together would stay together. */
	if ((message = curl_multi_info_read(endpoint->multi, &left)) != NULL && message->msg == CURLMSG_DONE)
		status = finish(endpoint, message->easy_handle, message->data.result, err);
	return status;
}

static enum status turn(struct endpoint *endpoint, struct error *err)
{
	const enum status status = start_what_may(endpoint, err);

	return status == OK ? perform(endpoint, err) : status;
}

enum status endpoint_poll(struct endpoint *endpoint, int wait_ms, struct error *err)
{
	const uint64_t told = endpoint->told;
	const enum status status = turn(endpoint, err);

	if (status != OK || wait_ms <= 0 || endpoint->told != told)
		return status;
	const int64_t now = clock_steady_ms(&endpoint->options.clock), at = next_start(endpoint, now);

	if (at >= 0 && at - now < wait_ms)
		wait_ms = (int)(at - now);
	if (wait_ms > TURN_MS)
		wait_ms = TURN_MS;
	if (endpoint->timer_ms >= 0 && endpoint->timer_ms - machine_ms() < wait_ms)
		wait_ms = endpoint->timer_ms > machine_ms() ? (int)(endpoint->timer_ms - machine_ms()) : 0;
	const enum status waited = drive(endpoint, wait_ms, err);

	return waited == OK ? turn(endpoint, err) : waited;
}
