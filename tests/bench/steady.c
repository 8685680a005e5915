/*
 * steady: a model endpoint that answers every request 50 ms after its last byte came, each with another answer, for measuring clients; on one core. Prints its port; when its standard input ends, how many replies
 * it gave and how many ms, on average, each request was with it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_NS = 50000000, CONNECTIONS = 1024, REQUEST_MAX = 64 << 10 };

struct connection {
	int fd;
	size_t got;
	double asked_ns; /* 0: nothing is asked */
	char request[REQUEST_MAX + 1];
};

static struct connection *connections[CONNECTIONS];
static struct connection *waiting[CONNECTIONS]; /* each waits as long, so the first in is the first out */
static size_t first, waits;
static char reply[32 << 10];
static size_t reply_len;
static char *reply_number; /* where its number stands: no two bodies are the same */
static double held_ns;
static unsigned long replies;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void make_reply(void)
{
	static char body[16 << 10];
	size_t at = (size_t)sprintf(body, "{\"choices\":[{\"finish_reason\":\"stop\",\"index\":0,\"message\":{\"content\":\"```cuda\\n// 00000000\\n");

	for (int i = 0; i < 160; i++)
		at += (size_t)sprintf(body + at, "// a line of a kernel, as long as such lines are\\n");
	at += (size_t)sprintf(body + at, "```\"}}],\"model\":\"steady\",\"usage\":{\"completion_tokens\":2000,\"prompt_tokens\":1000}}");
	const size_t number = (size_t)(strstr(body, "00000000") - body);

	reply_len = (size_t)sprintf(reply, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", at, body);
	reply_number = reply + reply_len - at + number;
}

static bool is_whole(const struct connection *c)
{
	const char *end = strstr(c->request, "\r\n\r\n"), *length = strcasestr(c->request, "content-length:");

	return end != NULL && length != NULL && c->got >= (size_t)(end + 4 - c->request) + (size_t)atol(length + 15);
}

static void take(int epoll, struct connection *c)
{
	const ssize_t n = read(c->fd, c->request + c->got, REQUEST_MAX - c->got);

	if (n <= 0) {
		for (size_t i = 0; i < waits; i++)
			if (waiting[(first + i) % CONNECTIONS] == c)
				waiting[(first + i) % CONNECTIONS] = NULL;
		epoll_ctl(epoll, EPOLL_CTL_DEL, c->fd, NULL);
		close(c->fd);
		connections[c->fd] = NULL;
		free(c);
		return;
	}
	c->got += (size_t)n;
	c->request[c->got] = '\0';
	if (!is_whole(c))
		return;
	c->got = 0;
	c->asked_ns = now_ns();
	waiting[(first + waits++) % CONNECTIONS] = c;
}

/* The first that waits for its answer; NULL: none does. Those that went away meanwhile are passed over. */
static struct connection *next(void)
{
	for (; waits > 0 && waiting[first] == NULL; waits--)
		first = (first + 1) % CONNECTIONS;
	return waits > 0 ? waiting[first] : NULL;
}

static void answer_what_is_due(void)
{
	struct connection *c;

	while ((c = next()) != NULL && now_ns() - c->asked_ns >= WAIT_NS) {
		first = (first + 1) % CONNECTIONS;
		waits--;
		reply_number[sprintf(reply_number, "%08lu", replies % 100000000)] = '\\';
		if (write(c->fd, reply, reply_len) != (ssize_t)reply_len)
			exit(1);
		held_ns += now_ns() - c->asked_ns;
		replies++;
	}
}

static void serve(int listener)
{
	const int epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[64];

	epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
	event.data.fd = 0;
	epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &event);
	for (;;) {
		const double left = next() != NULL ? next()->asked_ns + WAIT_NS - now_ns() : 1e9;
		const struct timespec until = {left >= 1e9, left <= 0 || left >= 1e9 ? 0 : (long)left};
		const int count = epoll_pwait2(epoll, events, 64, &until, NULL);

		answer_what_is_due();
		for (int i = 0; i < count; i++) {
			const int fd = events[i].data.fd;

			if (fd == 0)
				return;
			if (fd != listener) {
				take(epoll, connections[fd]);
				continue;
			}
			struct connection *c = calloc(1, sizeof *c);
			const int on = 1;

			c->fd = accept(listener, NULL, NULL);
			if (c->fd < 0 || c->fd >= CONNECTIONS)
				exit(1);
			setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
			connections[c->fd] = c;
			event.data.fd = c->fd;
			epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
		}
	}
}

int main(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof address;
	const int listener = socket(AF_INET, SOCK_STREAM, 0);
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(1, &one);
	sched_setaffinity(0, sizeof one, &one); /* where there is another core than the client's */
	make_reply();
	if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 256) != 0 || getsockname(listener, (struct sockaddr *)&address, &len) != 0)
		return 1;
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	serve(listener);
	printf("%lu %.3f\n", replies, held_ns / (double)(replies > 0 ? replies : 1) / 1e6);
	return 0;
}
