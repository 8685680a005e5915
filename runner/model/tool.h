/* The evaluation as a tool (mcp.h), as an agent is told of it: what a turn of its session keeps as its prompt. */
#ifndef PTXSEAL_MODEL_TOOL_H
#define PTXSEAL_MODEL_TOOL_H

#include <stdbool.h>

#include "extraction.h"
#include "mcp.h"

struct tool {
	struct mcp_tool mcp; /* call and context are the caller's to set */
	char *description, *text;
};

/* measured: what compiles is run. task: its name. tool_free in every case. */
void tool_make(enum form form, bool measured, const char *task, struct tool *tool);
void tool_free(struct tool *tool);

#endif
