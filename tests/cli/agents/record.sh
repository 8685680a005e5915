# docs/query.md, "Agents": plain and streamed replies, failures and all, come to the agent as the endpoint sent them, are frozen, and are played again the same.
. "$REPO/tests/cli/agents/common"
endpoint
for case in plain stream stream_crlf reasoning truncated html not_found always_500 rate_seconds no_reply cut_body cut_stream; do
	echo "== $case"
	record $case run-$case --agent 'curl'
	status=0
	ask "$(body Greet)" -D head.txt >live.txt 2>curl.err || status=$?
	grep -i '^retry-after' head.txt || true
	# The same question again: a further sample after an answer, a further try after none.
	ask "$(body Greet ',"stream":true')" >live2.txt 2>curl.err || true
	ask "$(body Greet)" >live3.txt 2>curl.err || true
	echo "curl $status: $(tail -n 1 live.txt | tail -c 90)"
	ended
	records run-$case | grep -oE '"(attempt|failure|finish_reason|http_status|response_complete|sample|turn)":("[a-z_]*"|[0-9a-z]*)' | tr -d '"' | sed 's/.*://' | paste -d' ' - - - - - - -
	play run-$case
	ask "$(body Greet)" 2>curl.err | cmp live.txt - || true
	ask "$(body Greet ',"stream":true')" 2>curl.err | cmp live2.txt - || true
	ask "$(body Greet)" 2>curl.err | cmp live3.txt - || true
	ended
done
# What came is, byte for byte, what is kept.
object=$(sed -n '1s/.*"response":"\([0-9a-f]*\)".*/\1/p' b/artifact/runs/run-stream/exchanges.jsonl)
curl -sS -d "$(body Greet)" "http://127.0.0.1:$port/stream/v1/chat/completions" | cmp - "b/artifact/objects/sha256/${object:0:2}/$object"
records run-plain | head -n 1
"$PTXSEAL" explain --sql "SELECT run, source, model, variant FROM run WHERE run = 'run-plain'" b
no_key
