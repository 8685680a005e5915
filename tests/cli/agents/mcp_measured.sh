# docs/query.md, "The evaluation as a tool": with --measure what compiles is replayed (here by the stand-in for the driver), the agent is told errors, speed and work, and each call has a record as any replay has; played from
# the record no device and no compiler is needed, and the agent is told of the same tool.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/device"
python3 - "$REPO/tests/servers" >messages <<'END'
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import scripted
print(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}))
print(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
print(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}))
for number, (name, body) in enumerate([("gemm_right", "this is no instruction;"), ("gemm_wrong", ""), ("illegal", ""), ("gemm_right", "")]):
    source = scripted.PTX.replace("BODY", body).replace("gemm_right", name)
    print(json.dumps({"jsonrpc": "2.0", "id": number + 2, "method": "tools/call", "params": {"name": "evaluate_kernel", "arguments": {
        "source": source, "launches": scripted.LAUNCHES.replace("gemm_right", name)}}}))
END
how=(--run session --form ptx)
measure=(--measure --trials 8 --seconds 2 --memcheck off)
"$PTXSEAL" mcp --into b --task $task --workload small --model m --turns 4 "${how[@]}" "${measure[@]}" <messages >live 2>said
cat said
python3 - <<'END'
import json
replies = [json.loads(line) for line in open('live')]
print('the GPU' in replies[1]['result']['tools'][0]['description'])
turns = [json.loads(line) for line in open('b/artifact/runs/session/turns.jsonl')]
for reply, turn in zip(replies[2:], turns, strict=True):
    said, facts = reply['result']['content'][0]['text'], reply['result']['structuredContent']
    assert (facts['outcome'], facts['evidence'], facts['arch_tag']) == (turn['outcome'], turn['evidence'], turn['arch_tag'])
    assert open(f"b/artifact/objects/sha256/{turn['feedback'][:2]}/{turn['feedback']}").read() == said
    print('--', facts['outcome'], facts['turns_left'], said.split('.')[0])
    print([word for word in ('Trials:', 'relative RMS', "the library's", 'Speed:', 'wgmma') if word in said])
    if facts['outcome'] != 'compile_error':
        record = json.load(open(f"b/artifact/replays/session/session-000-{turn['turn']:02}.json"))
        assert (record['trajectory'], record['turn'], record['outcome']['label']) == (0, turn['turn'], turn['outcome'])
        assert turn['outcome'] != 'correct' or turn['speedup'] == record['timing']['speedup']['median']
END
cp -r b before
PTXSEAL_LIBCUDA=/nowhere PATH=/bin "$PTXSEAL" mcp --frozen "${how[@]}" b <messages >played 2>said
cat said
cmp live played
diff -r before b
echo '-- told of another tool'
"$PTXSEAL" mcp --frozen --run session b <messages 2>&1 | sed 's/; .*//' || echo "exit $?"
