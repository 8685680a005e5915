# JSON-RPC 2.0 read strictly: nothing that a client sends ends the server, notifications and answers get none, and nothing but messages comes out. Played from a record of one turn.
. "$REPO/tests/cli/agents/common"
runs=b/artifact/runs/session
mkdir -p $runs
printf '{"arch":"hopper","checklist":"unsaid","date":"","model":"m","planned_trajectories":1,"planned_turns":2,"position":1,"required_tag":"H","retrieval":"unsaid","run":"session","source":"agents","task":"%s","variant":"","workload":"%s","workload_name":"published"}\n' \
	$task 94920358-01a8-4c5b-9209-3103fd490e94 >$runs/run.json
: >$runs/turns.jsonl
serve() { "$PTXSEAL" mcp --frozen --run session b 2>said; }
begin='{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'
{
	echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
	echo '{"jsonrpc":"2.0","id":2,"method":"initialize"}'
	echo "$begin"
	echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'
	echo '{"jsonrpc":"2.0","id":3,"method":"ping"}'
	echo '{"jsonrpc":"2.0","id":4,"method":"tools/list"}'
	echo '{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{}}'
	echo '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"rm","arguments":{}}}'
	echo '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"evaluate_kernel"}}'
	echo '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"evaluate_kernel","arguments":{"source":7}}}'
	echo '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"evaluate_kernel","arguments":{"source":"int x;"}}}'
	echo '{"jsonrpc":"2.0","id":10,"result":{}}'
	echo
	echo '[{"jsonrpc":"2.0","id":11,"method":"ping"}]'
	echo '{"id":12,"method":"ping"}'
	echo '{"jsonrpc":"2.0","id":null,"method":"ping"}'
	echo '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'
	echo '{"jsonrpc":"2.0","id":13,"id":14,"method":"ping"}'
	echo '{"jsonrpc":"2.0","id":15,"method":"ping"'
	printf '{"jsonrpc":"2.0","id":16,"method":"\377"}\n'
	echo '{"jsonrpc":"2.0","id":17,"method":"ping"}'
	head -c 17000000 /dev/zero | tr '\0' x
	echo
	echo '{"jsonrpc":"2.0","id":18,"method":"ping"}'
	printf '{"jsonrpc":"2.0","id":19,"method":"ping"}'
} | serve || echo "exit $?"
sed 's/; .*//' said
# The client goes away without reading.
yes '{"jsonrpc":"2.0","id":1,"method":"ping"}' | head -n 100000 | serve | head -c 10 >/dev/null || echo "exit $?"
echo "$begin" | serve | sed 's/"serverInfo".*//'
