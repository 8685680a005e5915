# R-PRX-009: what is under way when the proxy is stopped is recorded as cut, all else is kept, the exit code says it, and the same command goes on with the run. Many agents at once.
. "$REPO/tests/cli/agents/common"
endpoint
record slow run
for i in $(seq 40); do
	ask "$(body "Greet $i")" >"reply.$i" &
	waited[i]=$!
done
wait "${waited[@]}"
cat reply.* | grep -c '200 application/json'
ended
record silent run
ask "$(body Wait)" >reply.txt 2>curl.err &
asking=$!
at_endpoint silent 1
ended
wait "$asking" || true
cat reply.txt
echo
# begun: waits for the first byte of the reply.
begun() {
	for _ in $(seq 600); do
		[ ! -s reply.txt ] || return 0
		sleep 0.05
	done
	echo 'no byte of the reply came'
	return 1
}
record drip run
rm reply.txt
ask "$(body Wait)" --no-buffer >reply.txt 2>curl.err &
asking=$!
begun
ended
status=0
wait "$asking" || status=$?
echo "curl $status"
# The agent goes away while the stream comes.
record drip run
rm reply.txt
curl -sS --no-buffer -H 'Content-Type: application/json' --data-binary "$(body Leave)" "$url/chat/completions" >reply.txt 2>curl.err &
asking=$!
begun
{ kill -9 "$asking"; wait "$asking" || true; } 2>/dev/null # the shell tells of it
lines run 43
ended
# The same question after a try without an answer is a further try of its turn.
record plain run
ask "$(body Wait)" | tail -c 23
# One process at a time.
"$PTXSEAL" record --listen 127.0.0.1:0 --upstream "http://127.0.0.1:$port/plain/v1" --into b --run run --task $task --model scripted-1 >second.out 2>&1 || echo "second: exit $?"
sed 's/, .*//' second.out
ended
records run | tail -n 4 | grep -oE '"(attempt|failure|sample|turn)":[^,]*' | paste -d' ' - - - -
