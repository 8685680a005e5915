#include "tool.h"

#include <stdlib.h>

void tool_free(struct tool *tool)
{
	free(tool->description);
	free(tool->text);
	*tool = (struct tool){0};
}

void tool_make(enum form form, bool measured, const char *task, struct tool *tool)
{
	struct mcp_tool mcp = {.name = "evaluate_kernel"};

	tool->description = mem_format("Evaluates a kernel of the task %s: compiles it and looks at its code%s. Says what became of it, with the compiler's words where it does not compile. "
	                               "Each call uses up one turn.",
	                               task, measured ? ", runs it on the GPU, checks its results, counts the target instructions that execute and times it beside the vendor's library" : "");
	mcp.description = tool->description;
	mcp.argument[0].name = "source";
	mcp.argument[0].description = form == FORM_KERNEL ? "The whole of kernel.cu, which exports run" : "The PTX module";
	mcp.arguments = 1;
	if (form == FORM_PTX) {
		mcp.argument[1].name = "launches";
		mcp.argument[1].description = "JSON: an object with the list `launches`";
		mcp.arguments = 2;
	}
	tool->mcp = mcp;
	tool->text = mcp_tool_text(&mcp);
}
