/* Any bytes as a reply: whole or cut, of any status. What is an answer has content or calls, a finish reason and no complaint; what is none says why; reading it again says the same. */
#include "fuzz.h"

#include "base/utf8.h"
#include "model/reply.h"
#include "model/secret.h"

static void check(const struct reply_text *reply, int64_t status)
{
	REQUIRE((unsigned)reply->reply_class < REPLY_CLASS_COUNT);
	REQUIRE((reply->reply_class == REPLY_ANSWER) == (reply->why == NULL));
	if (reply->reply_class == REPLY_ANSWER)
		REQUIRE(status >= 200 && status <= 299 && reply->finish_reason != NULL && (reply->content.len > 0 || reply->tool_calls));
	if (reply->why != NULL)
		REQUIRE(utf8_check(reply->why, strlen(reply->why)) == strlen(reply->why));
	REQUIRE(reply->content.len == 0 || utf8_check(reply->content.data, reply->content.len) == reply->content.len);
	REQUIRE(reply->reasoning.len == 0 || utf8_check(reply->reasoning.data, reply->reasoning.len) == reply->reasoning.len);
	REQUIRE(reply->prompt_tokens >= -1 && reply->completion_tokens >= -1 && reply->reasoning_tokens >= -1);
	REQUIRE((reply->reasoning_tokens < 0) == (reply->reasoning_source[0] == '\0'));
}

static void require_same(const struct bytes *a, const struct bytes *b)
{
	REQUIRE(a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0));
}

/* The first byte says how it came. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int64_t statuses[] = {200, 200, 200, 204, 307, 400, 429, -1};
	static struct secret *key;

	if (size == 0)
		return 0;
	if (key == NULL)
		REQUIRE(secret_of("planted-key", 11, "", &key, NULL) == OK);
	const int64_t status = statuses[data[0] & 7];
	const bool complete = (data[0] & 8) == 0;
	struct bytes body = {0};
	struct reply_text reply, again;

	bytes_add(&body, data + 1, size - 1);
	secret_redact(key, &body);
	const bool leaks = secret_in_reply(key, body.data, body.len);

	reply_read(body.data, body.len, complete, status, &reply);
	check(&reply, status);
	reply_read(body.data, body.len, complete, status, &again);
	REQUIRE(again.reply_class == reply.reply_class);
	require_same(&reply.content, &again.content);
	require_same(&reply.reasoning, &again.reasoning);
	/* Where nothing was found, nothing of one member's text shows it. */
	if (!leaks && reply.content.len > 0 && memmem(body.data, body.len, "think", 5) == NULL && memmem(body.data, body.len, "\\", 1) == NULL && memmem(body.data, body.len, "text", 4) == NULL &&
	    memmem(body.data, body.len, "seed", 4) == NULL && memmem(body.data, body.len, "reasoning", 9) == NULL)
		REQUIRE(!secret_in(key, reply.content.data, reply.content.len));
	reply_text_free(&reply);
	reply_text_free(&again);
	bytes_free(&body);
	return 0;
}
