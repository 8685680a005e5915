/*
 * bare PORT CONVERSATIONS TURNS: a client that does nothing but ask: that many conversations at once with the endpoint on the port, on one core, each turn sending the same 8 KB when the reply to
 * the one before is there. What it takes beyond the endpoint's own time is the machine's, and a client's overhead is what it takes beyond this one. Prints the wall time in ms.
 */
#include <arpa/inet.h>
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

enum { BODY = 8192, REPLY_MAX = 64 << 10 };

struct conversation {
	int fd;
	unsigned turn;
	size_t got;
	char reply[REPLY_MAX + 1];
};

static char request[BODY + 256];
static size_t request_len;

static double ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void ask(struct conversation *conversation)
{
	conversation->got = 0;
	if (write(conversation->fd, request, request_len) != (ssize_t)request_len)
		exit(1);
}

static bool is_whole(const struct conversation *conversation)
{
	const char *end = strstr(conversation->reply, "\r\n\r\n"), *length = strcasestr(conversation->reply, "content-length:");

	return end != NULL && length != NULL && conversation->got >= (size_t)(end + 4 - conversation->reply) + (size_t)atol(length + 15);
}

/* True: the reply is there. */
static bool take(struct conversation *conversation)
{
	const ssize_t n = read(conversation->fd, conversation->reply + conversation->got, REPLY_MAX - conversation->got);

	if (n <= 0)
		exit(1);
	conversation->got += (size_t)n;
	conversation->reply[conversation->got] = '\0';
	return is_whole(conversation);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const unsigned count = (unsigned)atoi(argv[2]), turns = (unsigned)atoi(argv[3]);
	struct conversation *all = calloc(count, sizeof *all);
	const int epoll = epoll_create1(0), on = 1;
	struct epoll_event event = {.events = EPOLLIN}, events[64];
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof one, &one);
	request_len = (size_t)sprintf(request, "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", BODY);
	memset(request + request_len, 'x', BODY);
	request_len += BODY;
	const double start = ms();

	for (unsigned i = 0; i < count; i++) {
		all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
		event.data.ptr = &all[i];
		if (connect(all[i].fd, (const struct sockaddr *)&address, sizeof address) != 0 || setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
		    epoll_ctl(epoll, EPOLL_CTL_ADD, all[i].fd, &event) != 0)
			return 1;
		ask(&all[i]);
	}
	for (unsigned over = 0; over < count;) {
		const int ready = epoll_wait(epoll, events, 64, -1);

		for (int i = 0; i < ready; i++) {
			struct conversation *conversation = events[i].data.ptr;

			if (!take(conversation))
				continue;
			if (++conversation->turn < turns)
				ask(conversation);
			else
				over++;
		}
	}
	printf("%.1f\n", ms() - start);
	free(all);
	return 0;
}
