/* Any bytes as what a client of the tool sends, a message a line: no crash, at most one answer a message, each strictly JSON and a message of JSON-RPC 2.0, and the tool gets its arguments or is not called. */
#include "fuzz.h"

#include "base/json.h"
#include "model/mcp.h"

static enum status on_call(void *context, const char *const *texts, struct bytes *told, cJSON **facts, struct error *err)
{
	size_t *calls = context;

	REQUIRE(texts[0] != NULL && texts[1] != NULL);
	++*calls;
	if (texts[0][0] == '\0')
		return error_set(err, R_MCP_TURNS, "", "none is left");
	bytes_text(told, texts[1]);
	*facts = cJSON_CreateObject();
	return OK;
}

static void check(const struct bytes *out)
{
	cJSON *message = NULL;

	if (out->len == 0)
		return;
	REQUIRE(out->data[out->len - 1] == '\n' && memchr(out->data, '\n', out->len - 1) == NULL);
	REQUIRE(json_parse(out->data, out->len - 1, "f", &message, NULL) == OK);
	REQUIRE(cJSON_HasObjectItem(message, "jsonrpc") && cJSON_HasObjectItem(message, "id"));
	REQUIRE(cJSON_HasObjectItem(message, "result") != cJSON_HasObjectItem(message, "error"));
	cJSON_Delete(message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t calls = 0;
	const struct mcp_tool tool = {.name = "t", .description = "d", .argument = {{"a", "b"}, {"c", "d"}}, .arguments = 2, .call = on_call, .context = &calls};
	struct mcp mcp = {.tool = &tool};
	struct bytes out = {0};

	while (size > 0) {
		const uint8_t *end = memchr(data, '\n', size);
		const size_t len = end != NULL ? (size_t)(end - data) : size, before = calls;

		out.len = 0;
		mcp_message(&mcp, (const char *)data, len, &out);
		check(&out);
		REQUIRE(calls <= before + 1 && (calls == before || mcp.begun));
		data += len + (end != NULL);
		size -= len + (end != NULL);
	}
	bytes_free(&out);
	return 0;
}
