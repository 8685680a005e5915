"""The official client of the Model Context Protocol drives a server: usage: mcp_client.py OUT.json COMMAND...
Hands in three kernels, and what is wrong; prints what it is told, and writes it to OUT.json."""
import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

PTX = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry gemm_right(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n, .param .u32 k)
{
	BODY
	ret;
}
"""
LAUNCHES = """{"launches":[{"function":"gemm_right","grid":["N/32","ceil(M,128)","1"],"block":["128","1","1"],"cluster":["1","1","1"],"shared":"0",
 "parameters":[{"tensor":"A"},{"tensor":"B"},{"tensor":"C"},{"u32":"M"},{"u32":"N"},{"u32":"K"}]}]}"""
HANDED_IN = [
    {"source": PTX.replace("BODY", "this is no instruction;"), "launches": LAUNCHES},
    {"source": "no PTX at all", "launches": LAUNCHES},
    {"source": PTX.replace("BODY", "bar.sync 0;"), "launches": LAUNCHES},
    {"source": PTX.replace("BODY", "bar.sync 0;"), "launches": LAUNCHES},
    {"source": PTX},
    {"source": PTX, "launches": LAUNCHES, "more": "1"},
]


async def main(out, command):
    told = []
    async with stdio_client(StdioServerParameters(command=command[0], args=command[1:])) as (read, write):
        async with ClientSession(read, write) as session:
            begun = await session.initialize()
            print(begun.server_info.name, begun.protocol_version)
            tools = await session.list_tools()
            print([(tool.name, sorted(tool.input_schema["properties"])) for tool in tools.tools])
            for arguments in HANDED_IN:
                result = await session.call_tool("evaluate_kernel", arguments)
                text = result.content[0].text
                told.append([result.is_error, text, result.structured_content])
                facts = result.structured_content or {}
                print("error" if result.is_error else "told", facts.get("outcome"), facts.get("turns_left"), text.split("\n")[0][:100])
    with open(out, "w") as file:
        json.dump(told, file)


asyncio.run(main(sys.argv[1], sys.argv[2:]))
