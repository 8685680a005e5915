/*
 * The Model Context Protocol, the side of a server with one tool (modelcontextprotocol.io, revisions 2024-11-05 to 2025-11-25): JSON-RPC 2.0, a message a line. A message in, at most one out; what
 * the tool does is handed in. Read strictly (base/json.h); nothing a client sends ends the server.
 */
#ifndef PTXSEAL_MODEL_MCP_H
#define PTXSEAL_MODEL_MCP_H

#include <cjson/cJSON.h>

#include "../base/bytes.h"
#include "../base/error.h"

enum { MCP_LINE_MAX = 16 << 20 }; /* bytes of a message */

/* texts: of the arguments, in the order of mcp_tool.arguments. Append what the client is told, in UTF-8; *facts (an object, may stay NULL) goes with it as structured content. Not OK: it is told err. */
typedef enum status mcp_call(void *context, const char *const *texts, struct bytes *told, cJSON **facts, struct error *err);

enum { MCP_ARGUMENTS_MAX = 2 };

struct mcp_tool {
	const char *name, *description;
	struct {
		const char *name, *description;
	} argument[MCP_ARGUMENTS_MAX]; /* all of them texts, all required */
	size_t arguments;
	mcp_call *call;
	void *context;
};

struct mcp {
	const struct mcp_tool *tool;
	bool begun; /* initialize came */
};

/* The tool as tools/list tells it, canonical JSON; the caller frees it. */
char *mcp_tool_text(const struct mcp_tool *tool);

/* Handle one message, without its newline. What is to be sent is appended, newline included; nothing for notifications. */
void mcp_message(struct mcp *mcp, const char *line, size_t len, struct bytes *out);
/* The answer to a message that is longer than MCP_LINE_MAX. */
void mcp_too_long(struct bytes *out);

#endif
