# A model that is told what is wrong with its launches is told where: in launches.json, the only name it knows. An unknown field, a value of another kind, a missing one, no JSON.
. "$REPO/tests/cli/query/common"
server_gone
python3 - >messages <<'END'
import json
PTX = ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() { ret; }\n"
print(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}))
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
for number, launches in enumerate(['{"launches":[{"arguments":[]}]}', '{"launches":[7]}', '{"launches":[]}', '{"launches":[],"more":1}', '{"launches":[}']):
    print(json.dumps({"jsonrpc": "2.0", "id": number + 1, "method": "tools/call", "params": {"name": "evaluate_kernel", "arguments": {"source": PTX, "launches": launches}}}))
END
"$PTXSEAL" mcp --into b --task $task --workload small --model m --turns 5 --run session --form ptx <messages 2>said | python3 -c '
import json, sys
for line in list(sys.stdin)[1:]:
    print(json.loads(line)["result"]["content"][0]["text"].splitlines()[0])'
