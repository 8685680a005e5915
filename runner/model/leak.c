/* A key in the texts of a reply that its bytes do not show: written with escapes, or in pieces over many events. */
#include <stdlib.h>
#include <string.h>

#include "../base/json.h"
#include "secret.h"
#include "sse.h"

enum { MEMBERS = 32 }; /* members of different names that are followed over events; further ones are looked at by themselves */

struct follow {
	char *name;
	struct bytes tail; /* the last bytes of what it said so far: one fewer than the key has */
};

struct look {
	const struct secret *secret;
	struct follow members[MEMBERS];
	size_t count;
	bool found;
};

static struct follow *member(struct look *look, const char *name, size_t len)
{
	for (size_t i = 0; i < look->count; i++)
		if (strlen(look->members[i].name) == len && memcmp(look->members[i].name, name, len) == 0)
			return &look->members[i];
	if (look->count == MEMBERS)
		return NULL;
	look->members[look->count].name = mem_textn(name, len);
	return &look->members[look->count++];
}

static void follow(struct look *look, struct follow *at, const char *text, size_t len)
{
	const size_t keep = secret_len(look->secret) - 1;

	bytes_add(&at->tail, text, len);
	look->found = look->found || secret_in(look->secret, at->tail.data, at->tail.len);
	if (at->tail.len > keep) {
		memmove(at->tail.data, at->tail.data + at->tail.len - keep, keep);
		at->tail.len = keep;
	}
}

static enum status on_value(void *context, const struct json_event *event, struct error *err)
{
	struct look *look = context;

	(void)err;
	if (event->key != NULL)
		look->found = look->found || secret_in(look->secret, event->key, event->key_len);
	if (event->type != JSON_STRING)
		return OK;
	look->found = look->found || secret_in(look->secret, event->text, event->text_len);
	struct follow *at = event->key != NULL ? member(look, event->key, event->key_len) : NULL;

	if (at != NULL)
		follow(look, at, event->text, event->text_len);
	return OK;
}

static enum status on_event(void *context, const char *data, size_t len, struct error *err)
{
	/* What is no JSON has no escapes, and its bytes were looked at. */
	(void)err;
	json_scan(data, len, "", 0, on_value, context, NULL);
	return OK;
}

bool secret_in_reply(const struct secret *secret, const char *body, size_t len)
{
	struct look look = {.secret = secret, .found = secret_spelled_in(secret, body, len)}; /* also in what is no JSON, and in JSON within strings */
	struct sse sse = {.event = on_event, .context = &look, .file = ""};

	if (json_scan(body, len, "", 0, on_value, &look, NULL) != OK)
		sse_feed(&sse, body, len, NULL);
	sse_free(&sse);
	for (size_t i = 0; i < look.count; i++) {
		free(look.members[i].name);
		bytes_wipe(&look.members[i].tail);
	}
	return look.found;
}
