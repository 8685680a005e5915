#include "mcp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../base/jcs.h"
#include "../base/json.h"

/* JSON-RPC 2.0, section 5.1 */
enum { PARSE_ERROR = -32700, INVALID_REQUEST = -32600, METHOD_NOT_FOUND = -32601, INVALID_PARAMS = -32602 };

static const char *const versions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};

/* Takes message over. */
static void send(cJSON *message, struct bytes *out)
{
	cJSON_AddStringToObject(message, "jsonrpc", "2.0");
	if (jcs_write(message, out, NULL) != OK) /* what is in it was read strictly, or is ours */
		mem_lacking();
	bytes_char(out, '\n');
	cJSON_Delete(message);
}

/* Takes result over. */
static void send_result(const cJSON *id, cJSON *result, struct bytes *out)
{
	cJSON *message = cJSON_CreateObject();

	cJSON_AddItemToObject(message, "id", cJSON_Duplicate(id, true));
	cJSON_AddItemToObject(message, "result", result);
	send(message, out);
}

/* id NULL: it is not known. */
static void send_error(const cJSON *id, int code, const char *text, struct bytes *out)
{
	cJSON *message = cJSON_CreateObject(), *error = cJSON_AddObjectToObject(message, "error");

	cJSON_AddItemToObject(message, "id", id != NULL ? cJSON_Duplicate(id, true) : cJSON_CreateNull());
	cJSON_AddNumberToObject(error, "code", code);
	cJSON_AddStringToObject(error, "message", text);
	send(message, out);
}

void mcp_too_long(struct bytes *out)
{
	send_error(NULL, INVALID_REQUEST, "the message is longer than 16 MiB", out);
}

/* ---- the tool ---- */

static cJSON *tool_json(const struct mcp_tool *tool)
{
	cJSON *item = cJSON_CreateObject(), *schema = cJSON_AddObjectToObject(item, "inputSchema"), *properties = cJSON_AddObjectToObject(schema, "properties"),
	      *required = cJSON_AddArrayToObject(schema, "required");

	cJSON_AddStringToObject(item, "name", tool->name);
	cJSON_AddStringToObject(item, "description", tool->description);
	cJSON_AddStringToObject(schema, "type", "object");
	cJSON_AddFalseToObject(schema, "additionalProperties");
	for (size_t i = 0; i < tool->arguments; i++) {
		cJSON *property = cJSON_AddObjectToObject(properties, tool->argument[i].name);

		cJSON_AddStringToObject(property, "type", "string");
		cJSON_AddStringToObject(property, "description", tool->argument[i].description);
		cJSON_AddItemToArray(required, cJSON_CreateString(tool->argument[i].name));
	}
	return item;
}

char *mcp_tool_text(const struct mcp_tool *tool)
{
	cJSON *item = tool_json(tool);
	struct bytes text = {0};

	if (jcs_write(item, &text, NULL) != OK)
		mem_lacking();
	cJSON_Delete(item);
	return text.data;
}

static cJSON *told(const char *text, bool is_error, cJSON *facts)
{
	cJSON *result = cJSON_CreateObject(), *content = cJSON_AddArrayToObject(result, "content"), *part = cJSON_CreateObject();

	cJSON_AddStringToObject(part, "type", "text");
	cJSON_AddStringToObject(part, "text", text);
	cJSON_AddItemToArray(content, part);
	cJSON_AddBoolToObject(result, "isError", is_error);
	if (facts != NULL)
		cJSON_AddItemToObject(result, "structuredContent", facts);
	return result;
}

/* The arguments' texts; false: why is set. What is wrong with them the model can mend, so it is told as a result. */
static bool take_arguments(const struct mcp_tool *tool, const cJSON *arguments, const char **texts, char **why)
{
	size_t taken = 0;

	for (size_t i = 0; i < tool->arguments; i++) {
		const cJSON *item = cJSON_GetObjectItemCaseSensitive(arguments, tool->argument[i].name);

		if (!cJSON_IsString(item)) {
			*why = mem_format("The argument '%s' is missing, or is no text.", tool->argument[i].name);
			return false;
		}
		texts[i] = item->valuestring;
		taken++;
	}
	if ((size_t)cJSON_GetArraySize(arguments) == taken)
		return true;
	*why = mem_text("There is an argument that the tool does not have.");
	return false;
}

static cJSON *call(const struct mcp_tool *tool, const cJSON *arguments)
{
	const char *texts[MCP_ARGUMENTS_MAX] = {NULL};
	struct bytes text = {0};
	struct error err = {0};
	cJSON *facts = NULL, *result;
	char *why = NULL;

	if (!take_arguments(tool, arguments, texts, &why)) {
		result = told(why, true, NULL);
	} else if (tool->call(tool->context, texts, &text, &facts, &err) != OK) {
		why = mem_format("%s (%s: %s); %s.", err.what, rule_info(err.rule)->id, rule_info(err.rule)->text, rule_info(err.rule)->remedy);
		result = told(why, true, NULL);
	} else {
		result = told(text.data != NULL ? text.data : "", false, facts);
	}
	free(why);
	bytes_free(&text);
	return result;
}

/* ---- methods ---- */

static cJSON *initialize(struct mcp *mcp, const cJSON *params)
{
	const cJSON *asked = cJSON_GetObjectItemCaseSensitive(params, "protocolVersion");
	const char *version = versions[0];
	cJSON *result = cJSON_CreateObject(), *server = cJSON_AddObjectToObject(result, "serverInfo");

	for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
		if (cJSON_IsString(asked) && strcmp(asked->valuestring, versions[i]) == 0)
			version = versions[i];
	cJSON_AddObjectToObject(cJSON_AddObjectToObject(result, "capabilities"), "tools");
	cJSON_AddStringToObject(result, "protocolVersion", version);
	cJSON_AddStringToObject(server, "name", "ptxseal");
	cJSON_AddStringToObject(server, "version", PTXSEAL_VERSION);
	mcp->begun = true;
	return result;
}

static void answer(struct mcp *mcp, const cJSON *id, const char *method, const cJSON *params, struct bytes *out)
{
	if (strcmp(method, "initialize") == 0) {
		if (!cJSON_IsObject(params))
			send_error(id, INVALID_PARAMS, "initialize has an object of params", out);
		else
			send_result(id, initialize(mcp, params), out);
	} else if (strcmp(method, "ping") == 0) {
		send_result(id, cJSON_CreateObject(), out);
	} else if (strcmp(method, "tools/list") != 0 && strcmp(method, "tools/call") != 0) {
		send_error(id, METHOD_NOT_FOUND, "there is no such method", out);
	} else if (!mcp->begun) {
		send_error(id, INVALID_REQUEST, "initialize comes first", out);
	} else if (strcmp(method, "tools/list") == 0) {
		cJSON *result = cJSON_CreateObject();

		cJSON_AddItemToArray(cJSON_AddArrayToObject(result, "tools"), tool_json(mcp->tool));
		send_result(id, result, out);
	} else {
		const cJSON *name = cJSON_GetObjectItemCaseSensitive(params, "name"), *arguments = cJSON_GetObjectItemCaseSensitive(params, "arguments");

		if (!cJSON_IsString(name) || strcmp(name->valuestring, mcp->tool->name) != 0)
			send_error(id, INVALID_PARAMS, "there is no such tool", out);
		else if (!cJSON_IsObject(arguments))
			send_error(id, INVALID_PARAMS, "the arguments are no object", out);
		else
			send_result(id, call(mcp->tool, arguments), out);
	}
}

/* A text, or a whole number. */
static bool is_id(const cJSON *id)
{
	return cJSON_IsString(id) || (cJSON_IsNumber(id) && fabs(id->valuedouble) <= 9007199254740991.0 && id->valuedouble == trunc(id->valuedouble));
}

void mcp_message(struct mcp *mcp, const char *line, size_t len, struct bytes *out)
{
	cJSON *message = NULL;
	struct error err = {0};

	if (json_parse(line, len, "message", &message, &err) != OK) {
		char *text = mem_format("byte %llu: %s", (unsigned long long)err.offset, err.what);

		send_error(NULL, PARSE_ERROR, text, out);
		free(text);
		return;
	}
	const cJSON *id = cJSON_GetObjectItemCaseSensitive(message, "id"), *method = cJSON_GetObjectItemCaseSensitive(message, "method"),
	            *rpc = cJSON_GetObjectItemCaseSensitive(message, "jsonrpc");

	if (!cJSON_IsObject(message) || !cJSON_IsString(rpc) || strcmp(rpc->valuestring, "2.0") != 0)
		send_error(NULL, INVALID_REQUEST, "it is no message of JSON-RPC 2.0", out);
	else if (!cJSON_IsString(method) && (cJSON_HasObjectItem(message, "result") || cJSON_HasObjectItem(message, "error")))
		; /* an answer: nothing was asked */
	else if (!cJSON_IsString(method) || (id != NULL && !is_id(id)))
		send_error(NULL, INVALID_REQUEST, "it has no method, or an id that is neither a text nor a whole number", out);
	else if (id != NULL) /* else a notification */
		answer(mcp, id, method->valuestring, cJSON_GetObjectItemCaseSensitive(message, "params"), out);
	cJSON_Delete(message);
}
