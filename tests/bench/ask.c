/*
 * ask PORT TRAJECTORIES TURNS DIRECTORY: that many conversations at once with the endpoint on the port, on one core, each turn asking when the one before is answered and frozen in
 * DIRECTORY ("-": not frozen). Prints the wall time in ms, the CPU time in ms and the peak memory in KiB.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "model/freeze.h"

static struct endpoint *endpoint;
static struct freezer *freezer;
static struct keeper *keeper;
static unsigned turns;

struct conversation {
	uint32_t number, turn;
	bool replied, committed; /* a reply has come; its record is on the disk */
};

static enum status on_try(void *context, struct try *try, struct error *err)
{
	struct conversation *conversation = context;
	enum status status = OK;

	if (try == NULL || try->reply.reply_class != REPLY_ANSWER)
		return error_set(err, R_END_DEADLINE, "", "no answer");
	try->exchange.trajectory = conversation->number;
	try->exchange.turn = conversation->turn;
	try->exchange.sample = conversation->turn * 1000 + conversation->number;
	if (freezer != NULL)
		status = freezer_queue(freezer, try, err);
	conversation->replied = true;
	return status;
}

/* Each asks something else, as conversations do: 8 KB. */
static enum status ask(struct conversation *conversation, struct error *err)
{
	static char text[8001];
	cJSON *messages = cJSON_CreateArray(), *message = cJSON_CreateObject(), *parameters = cJSON_CreateObject();
	struct request request = {0};

	memset(text, 'x', sizeof text - 1);
	text[sprintf(text, "%u of conversation %u ", conversation->turn, conversation->number)] = 'x';
	cJSON_AddStringToObject(message, "content", text);
	cJSON_AddStringToObject(message, "role", "user");
	cJSON_AddItemToArray(messages, message);
	const enum status status = request_make(API_CHAT, "steady", messages, parameters, false, &request, err);

	if (status == OK)
		endpoint_submit(endpoint, &request, 0, on_try, conversation);
	request_free(&request);
	cJSON_Delete(messages);
	cJSON_Delete(parameters);
	return status;
}

static double ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* As a run does it (model/conversation.c): what has come waits for the disk together, then each goes on, and what it asks is sent before the next one does. */
static enum status go_on(struct conversation *all, unsigned count, struct error *err)
{
	bool replied = false;

	for (unsigned i = 0; i < count; i++)
		replied = replied || all[i].replied;
	enum status status = endpoint_poll(endpoint, replied ? 0 : 1000, err);

	if (status == OK && freezer != NULL)
		status = freezer_commit(freezer, err);
	for (unsigned i = 0; i < count; i++)
		all[i].committed = all[i].replied;
	for (unsigned i = 0; i < count && status == OK; i++) {
		if (!all[i].committed)
			continue;
		all[i].replied = false;
		if (++all[i].turn < turns) {
			status = ask(&all[i], err);
			if (status == OK)
				status = endpoint_poll(endpoint, 0, err);
		}
	}
	return status;
}

static bool is_over(const struct conversation *all, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (all[i].turn < turns)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	if (argc != 5)
		return 2;
	const unsigned count = (unsigned)atoi(argv[2]);
	char *url = mem_format("http://127.0.0.1:%s/v1", argv[1]);
	const struct endpoint_options options = {.url = url, .concurrency = count};
	struct conversation *all = mem_alloc(count * sizeof *all);
	struct root root = {.fd = -1};
	struct error err = {0};
	enum status status = OK;
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof one, &one);
	turns = (unsigned)atoi(argv[3]);
	if (strcmp(argv[4], "-") != 0)
		status = root_open(argv[4], &root, &err);
	if (status == OK && root.fd >= 0)
		status = keeper_open(&root, "bench", KEEPER_EXCHANGES, &keeper, NULL, &err);
	if (status == OK && keeper != NULL)
		status = freezer_open(&root, "bench", keeper, &freezer, &err);
	if (status == OK)
		status = endpoint_open(&options, &endpoint, &err);
	const double start = ms(CLOCK_MONOTONIC);

	for (unsigned i = 0; i < count && status == OK; i++) {
		all[i].number = i;
		status = ask(&all[i], &err);
	}
	while (status == OK && !is_over(all, count))
		status = go_on(all, count, &err);
	if (status == OK && keeper != NULL)
		status = keeper_settle(keeper, &err);
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("%.0f %.0f %ld\n", ms(CLOCK_MONOTONIC) - start, ms(CLOCK_PROCESS_CPUTIME_ID), usage.ru_maxrss);
	endpoint_close(endpoint);
	freezer_close(freezer);
	keeper_close(keeper);
	root_close(&root);
	free(all);
	free(url);
	if (status != OK)
		error_print(&err);
	return status;
}
