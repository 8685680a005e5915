/* Reasoning is parted from content by the written rule (docs/query.md, "Reasoning"), and what a reply says follows from its bytes. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/reply.h"

static void reasoning_is_parted(void **state)
{
	static const struct {
		const char *text, *content, *reasoning;
	} cases[] = {
		{"Hello", "Hello", ""},
		{"<think>I</think>Hello", "Hello", "I"},
		{"  <think>\nI\n</think>\n\nHello\n", "\n\nHello\n", "\nI\n"},
		{"<think>I", "", "I"},
		{"I\n</think>Hello", "Hello", "I\n"},
		{"I </think>Hello", "Hello", "I "},
		{"<thinking>I</think>me</thinking>Hello", "Hello", "I</think>me"},
		{"<thought>I</thought>Hello", "Hello", "I"},
		{"<seed:think>I</seed:think>Hello<reasoning>no", "Hello<reasoning>no", "I"},
		{"Hello\n<think>I</think>, world", "Hello\n, world", "I"},
		{"<think>a</think>b\n<think>c</think>d", "b\nd", "ac"},
		{"see <think> in a line </think>", "see <think> in a line </think>", ""},
		/* in code it is code */
		{"```c\n<think>\n```\nHello", "```c\n<think>\n```\nHello", ""},
		{"~~~~\n~~~\n<think>\n~~~~\n<think>I", "~~~~\n~~~\n<think>\n~~~~\n", "I"},
		{"```c\n``` x\n<think>\n", "```c\n``` x\n<think>\n", ""},
		/* code in it is none */
		{"<think>```c\nno\n</think>```c\nyes\n```", "```c\nyes\n```", "```c\nno\n"},
		{"<thinks>Hello</thinks>", "<thinks>Hello</thinks>", ""},
		{"", "", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes content = {0}, reasoning = {0};

		bytes_text(&content, "");
		bytes_text(&reasoning, "");
		reply_split(cases[i].text, strlen(cases[i].text), &content, &reasoning);
		if (strcmp(content.data, cases[i].content) != 0 || strcmp(reasoning.data, cases[i].reasoning) != 0)
			fail_msg("%s: content '%s', reasoning '%s'", cases[i].text, content.data, reasoning.data);
		bytes_free(&content);
		bytes_free(&reasoning);
	}
}

/* A content in parts: what is thought is no content, whatever code stands in it. */
static void thoughts_in_parts(void **state)
{
	static const struct {
		const char *parts, *content, *reasoning;
	} cases[] = {
		{"[{\"type\":\"text\",\"text\":\"Hel\"},{\"text\":\"lo\"}]", "Hello", ""},
		{"[{\"type\":\"reasoning\",\"text\":\"I\"},{\"type\":\"text\",\"text\":\"Hello\"}]", "Hello", "I"},
		{"[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"```c\"},{\"type\":\"text\",\"text\":\" no\"}]},{\"type\":\"text\",\"text\":\"Hello\"}]", "Hello", "```c no"},
		{"[{\"type\":\"thinking\",\"thinking\":\"I\"},{\"type\":\"thinking\"},{\"type\":\"image\"},\"text\",7]", "", "I"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (int stream = 0; stream < 2; stream++) {
			char *body = mem_format(stream ? "data: {\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":\"stop\"}]}\n\n" : "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":%s}}]}", cases[i].parts);
			struct reply_text reply;

			reply_read(body, strlen(body), true, 200, &reply);
			assert_int_equal(reply.reply_class, cases[i].content[0] != '\0' ? REPLY_ANSWER : REPLY_EMPTY);
			assert_string_equal(reply.content.data != NULL ? reply.content.data : "", cases[i].content);
			assert_string_equal(reply.reasoning.data != NULL ? reply.reasoning.data : "", cases[i].reasoning);
			reply_text_free(&reply);
			free(body);
		}
	}
}

static void expect_class(const char *body, bool complete, int64_t status, enum reply_class reply_class)
{
	struct reply_text reply;

	reply_read(body, strlen(body), complete, status, &reply);
	if (reply.reply_class != reply_class)
		fail_msg("%s: %s (%s)", body, reply_class_name(reply.reply_class), reply.why != NULL ? reply.why : "");
	assert_int_equal(reply.why == NULL, reply_class == REPLY_ANSWER);
	reply_text_free(&reply);
}

/* The scripted server has most of them; here what it cannot send, or what differs in one thing. */
static void classes(void **state)
{
	static const char answer[] = "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"x\"}}]}";

	(void)state;
	expect_class(answer, true, 200, REPLY_ANSWER);
	expect_class(answer, true, 299, REPLY_ANSWER);
	expect_class(answer, true, 300, REPLY_HTTP_ERROR);
	expect_class(answer, true, 199, REPLY_HTTP_ERROR);
	expect_class(answer, true, 429, REPLY_RATE_LIMITED);
	expect_class(answer, true, -1, REPLY_CONNECTION);
	expect_class(answer, false, 200, REPLY_CONNECTION);
	expect_class("{\"error\":\"text\"}", true, 200, REPLY_HTTP_ERROR);
	expect_class("{\"error\":{\"code\":\"429\",\"message\":\"x\"}}", true, 200, REPLY_RATE_LIMITED);
	/* A prompt too long: by code, by type, by words; whatever else has one of them is the endpoint's failure, and is asked again. */
	expect_class("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}", true, 400, REPLY_PROMPT_TOO_LONG);
	expect_class("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}", true, 413, REPLY_PROMPT_TOO_LONG);
	expect_class("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}", true, 200, REPLY_PROMPT_TOO_LONG);
	expect_class("{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"x\"}}", true, 500, REPLY_HTTP_ERROR);
	expect_class("{\"error\":{\"code\":400,\"message\":\"x\",\"type\":\"exceed_context_size_error\"}}", true, 400, REPLY_PROMPT_TOO_LONG);
	expect_class("{\"error\":{\"code\":400,\"message\":\"This model's maximum context length is 2048 tokens.\"}}", true, 400, REPLY_PROMPT_TOO_LONG);
	expect_class("{\"error\":{\"code\":\"invalid\",\"message\":\"context_length_exceeded\"}}", true, 400, REPLY_HTTP_ERROR);
	expect_class("{\"error\":null,\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"x\"}}]}", true, 200, REPLY_ANSWER);
	expect_class("{\"choices\":[{\"finish_reason\":\"error\",\"message\":{\"content\":\"x\"}}]}", true, 200, REPLY_HTTP_ERROR);
	expect_class("{\"choices\":[{\"finish_reason\":\"max_tokens\",\"message\":{\"content\":\"x\"}}]}", true, 200, REPLY_TRUNCATED);
	expect_class("{\"choices\":[{\"finish_reason\":7,\"message\":{\"content\":\"x\"}}]}", true, 200, REPLY_MALFORMED);
	expect_class("{\"choices\":7}", true, 200, REPLY_MALFORMED);
	expect_class("[1]", true, 200, REPLY_MALFORMED);
	expect_class("\xEF\xBB\xBF{}", true, 200, REPLY_MALFORMED);
	expect_class("data: [DONE]\n\n", true, 200, REPLY_CUT_STREAM);
	expect_class("data: {\"choices\":[{\"finish_reason\":\"stop\",\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]\n\nrubbish\n", true, 200, REPLY_ANSWER);
	expect_class("{\"object\":\"response\",\"status\":\"failed\",\"output\":[],\"error\":{\"message\":\"x\"}}", true, 200, REPLY_HTTP_ERROR);
	expect_class("{\"object\":\"response\",\"status\":\"cancelled\",\"output\":[]}", true, 200, REPLY_HTTP_ERROR);
	expect_class("{\"object\":\"response\",\"status\":\"incomplete\",\"output\":[],\"incomplete_details\":{\"reason\":\"content_filter\"}}", true, 200, REPLY_REFUSED);
	expect_class("{\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"function_call\"}]}", true, 200, REPLY_ANSWER);
	expect_class("{\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"refusal\":\"no\",\"type\":\"refusal\"}]}]}", true, 200, REPLY_REFUSED);
}

static void usage_that_is_no_count_is_unknown(void **state)
{
	static const struct {
		const char *usage;
		int64_t prompt, completion, reasoning;
		const char *source;
	} cases[] = {
		{"null", -1, -1, -1, ""},
		{"{}", -1, -1, -1, ""},
		{"{\"prompt_tokens\":0,\"completion_tokens\":5}", 0, 5, -1, ""},
		{"{\"prompt_tokens\":1.5,\"completion_tokens\":\"5\"}", -1, -1, -1, ""},
		{"{\"prompt_tokens\":-1,\"completion_tokens\":1e300}", -1, -1, -1, ""},
		{"{\"input_tokens\":3,\"output_tokens\":4,\"output_tokens_details\":{\"reasoning_tokens\":2}}", 3, 4, 2, "usage.output_tokens_details.reasoning_tokens"},
		{"{\"reasoning_tokens\":2}", -1, -1, 2, "usage.reasoning_tokens"},
		{"{\"completion_tokens_details\":{\"reasoning_tokens\":null},\"reasoning_tokens\":2}", -1, -1, 2, "usage.reasoning_tokens"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct bytes body = {0};
		struct reply_text reply;

		bytes_format(&body, "{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"x\"}}],\"usage\":%s}", cases[i].usage);
		reply_read(body.data, body.len, true, 200, &reply);
		assert_int_equal(reply.reply_class, REPLY_ANSWER);
		assert_int_equal(reply.prompt_tokens, cases[i].prompt);
		assert_int_equal(reply.completion_tokens, cases[i].completion);
		assert_int_equal(reply.reasoning_tokens, cases[i].reasoning);
		assert_string_equal(reply.reasoning_source, cases[i].source);
		reply_text_free(&reply);
		bytes_free(&body);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reasoning_is_parted),
		cmocka_unit_test(thoughts_in_parts),
		cmocka_unit_test(classes),
		cmocka_unit_test(usage_that_is_no_count_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
