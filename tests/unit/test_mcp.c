/* JSON-RPC and the tool, message by message (docs/query.md, "The evaluation as a tool"): what is answered, with which code, and what is not. */
#include <stdlib.h>
#include <string.h>

#include "unit.h"

#include "model/mcp.h"

static size_t calls;

static enum status on_call(void *context, const char *const *texts, struct bytes *told, cJSON **facts, struct error *err)
{
	(void)context;
	calls++;
	if (strcmp(texts[0], "none") == 0)
		return error_set(err, R_MCP_TURNS, "", "2 turns were planned, and all are used up");
	bytes_format(told, "You said \"%s\".", texts[0]);
	*facts = cJSON_CreateObject();
	cJSON_AddStringToObject(*facts, "outcome", "unknown");
	return OK;
}

static const struct mcp_tool tool = {.name = "say", .description = "Says.", .argument = {{"source", "What"}}, .arguments = 1, .call = on_call};

static void answers(struct mcp *mcp, const char *message, const char *expected)
{
	struct bytes out = {0};

	mcp_message(mcp, message, strlen(message), &out);
	assert_string_equal(out.data != NULL ? out.data : "", expected);
	bytes_free(&out);
}

#define BEGIN "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"%s\"}}"

static void begins_with_a_version_of_both(void **state)
{
	static const char *const versions[][2] = {{"2024-11-05", "2024-11-05"}, {"2025-11-25", "2025-11-25"}, {"1999-01-01", "2025-11-25"}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct mcp mcp = {.tool = &tool};
		char *message = mem_format(BEGIN, versions[i][0]);
		char *expected = mem_format("{\"id\":1,\"jsonrpc\":\"2.0\",\"result\":{\"capabilities\":{\"tools\":{}},\"protocolVersion\":\"%s\",\"serverInfo\":{\"name\":\"ptxseal\",\"version\":\"" PTXSEAL_VERSION "\"}}}\n", versions[i][1]);

		answers(&mcp, message, expected);
		assert_true(mcp.begun);
		free(message);
		free(expected);
	}
}

static void the_tool_is_listed_and_called_after_that_only(void **state)
{
	struct mcp mcp = {.tool = &tool};

	(void)state;
	calls = 0;
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", "{\"error\":{\"code\":-32600,\"message\":\"initialize comes first\"},\"id\":2,\"jsonrpc\":\"2.0\"}\n");
	mcp.begun = true;
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"tools/list\"}",
	        "{\"id\":\"x\",\"jsonrpc\":\"2.0\",\"result\":{\"tools\":[{\"description\":\"Says.\",\"inputSchema\":{\"additionalProperties\":false,\"properties\":{\"source\":{\"description\":\"What\",\"type\":\"string\"}},"
	        "\"required\":[\"source\"],\"type\":\"object\"},\"name\":\"say\"}]}}\n");
#define CALL "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":"
#define TOLD(error, text) "{\"id\":3,\"jsonrpc\":\"2.0\",\"result\":{\"content\":[{\"text\":\"" text "\",\"type\":\"text\"}],\"isError\":" error
	answers(&mcp, CALL "{\"name\":\"say\",\"arguments\":{\"source\":\"hi\"}}}", TOLD("false", "You said \\\"hi\\\".") ",\"structuredContent\":{\"outcome\":\"unknown\"}}}\n");
	assert_int_equal(calls, 1);
	/* What is wrong with the arguments is a result, which the model can mend, and no call. */
	answers(&mcp, CALL "{\"name\":\"say\",\"arguments\":{}}}", TOLD("true", "The argument 'source' is missing, or is no text.") "}}\n");
	answers(&mcp, CALL "{\"name\":\"say\",\"arguments\":{\"source\":7}}}", TOLD("true", "The argument 'source' is missing, or is no text.") "}}\n");
	answers(&mcp, CALL "{\"name\":\"say\",\"arguments\":{\"source\":\"hi\",\"more\":1}}}", TOLD("true", "There is an argument that the tool does not have.") "}}\n");
	answers(&mcp, CALL "{\"name\":\"rm\",\"arguments\":{}}}", "{\"error\":{\"code\":-32602,\"message\":\"there is no such tool\"},\"id\":3,\"jsonrpc\":\"2.0\"}\n");
	answers(&mcp, CALL "{\"name\":\"say\"}}", "{\"error\":{\"code\":-32602,\"message\":\"the arguments are no object\"},\"id\":3,\"jsonrpc\":\"2.0\"}\n");
	assert_int_equal(calls, 1);
	answers(&mcp, CALL "{\"name\":\"say\",\"arguments\":{\"source\":\"none\"}}}",
	        TOLD("true", "2 turns were planned, and all are used up (R-MCP-002: an agent hands in no more kernels than were planned); the session is over; a run with more --turns is another run.") "}}\n");
}

static void what_is_no_request_gets_no_result(void **state)
{
	struct mcp mcp = {.tool = &tool, .begun = true};
#define INVALID(text) "{\"error\":{\"code\":-32600,\"message\":\"" text "\"},\"id\":null,\"jsonrpc\":\"2.0\"}\n"

	(void)state;
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}", "");
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", "");
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", "");
	answers(&mcp, "[]", INVALID("it is no message of JSON-RPC 2.0"));
	answers(&mcp, "{\"id\":1,\"method\":\"ping\"}", INVALID("it is no message of JSON-RPC 2.0"));
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":1}", INVALID("it has no method, or an id that is neither a text nor a whole number"));
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", INVALID("it has no method, or an id that is neither a text nor a whole number"));
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}", INVALID("it has no method, or an id that is neither a text nor a whole number"));
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/list\"}", "{\"error\":{\"code\":-32601,\"message\":\"there is no such method\"},\"id\":1,\"jsonrpc\":\"2.0\"}\n");
	answers(&mcp, "{\"jsonrpc\":\"2.0\",\"id\":-7,\"method\":\"ping\"}", "{\"id\":-7,\"jsonrpc\":\"2.0\",\"result\":{}}\n");
	answers(&mcp, "{\"a\":1,\"a\":2}", "{\"error\":{\"code\":-32700,\"message\":\"byte 7: the key \\\"a\\\" stands here again\"},\"id\":null,\"jsonrpc\":\"2.0\"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(begins_with_a_version_of_both),
		cmocka_unit_test(the_tool_is_listed_and_called_after_that_only),
		cmocka_unit_test(what_is_no_request_gets_no_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
