# The key is in no file of the bundle and in nothing that is printed, though the endpoint says it in its error and its headers; a run that the endpoint ends half-way says what is missing.
. "$REPO/tests/cli/query/common"
export PLANTED=sk-planted-0123456789abcdef
query talk_down r --trajectories 2 --key-env PLANTED --header 'X-Api-Key: planted-too-0123456789' --json >out 2>err || echo "exit $?"
sed 's/took_ms":[0-9]*/took_ms":N/; /"try"/d' out | sort
sed 's/ (R-.*//; s/^ptxseal: //; s/trajectory [01]/trajectory N/' err
grep -rlE 'planted-(0|too)' b out err || echo 'the key is nowhere'
grep -c 'http_error' b/artifact/runs/r/exchanges.jsonl
grep -o '"redacted":[1-9]' b/artifact/runs/r/exchanges.jsonl | sort -u
echo '-- its record ends there'
frozen r | sed -n '/turns/p; /trajectories/p'
echo '-- nothing that is written of a run holds a key, however it is spelled: it is refused, and nothing is written'
export PLANTED=sk-planted-0123456789abcdef
no() { { query talk_down no "$@" 2>&1 >/dev/null || true; } | sed 's/^ptxseal[: ]*//; s/ (R-\(...-...\).*/ (R-\1)/'; ! [ -e b/artifact/runs/no ] || { echo 'it was written'; rm -r b/artifact/runs/no; }; }
no --key-env PLANTED --parameters '{"user":"sk-planted-0123456789abcdef"}'
no --key-env PLANTED --parameters '{"user":"sk\u002dplanted-0123456789abcdef"}'
no --key-env PLANTED --parameters '{"metadata":{"sk-planted-0123456789abcdef":1}}'
no --key-env PLANTED --parameters '{"tool":"{\"k\":\"sk\\u002dplanted\\u002d0123456789abcdef\"}"}'
no --header 'Authorization: Basic planted+too/0123456789' --parameters '{"user":"planted\u002btoo\/0123456789"}'
no --header 'X-Api-Key: planted-too-0123456789' --parameters '{"user":"planted-too-0123456789"}'
no --header 'X-Api-Key: planted-too-0123456789' --model planted-too-0123456789
no --header 'X-Api-Key: planted-too-0123456789' --name planted-too-0123456789
no --header 'X-Api-Key: planted-too-0123456789' --run planted-too-0123456789
ls b/artifact/runs b/artifact/sources
echo '-- while it is asked with a key, the process leaves no core, and its environment has no key any more'
export PLANTED=sk-planted-0123456789abcdef
asking silent under-way --key-env PLANTED --trajectories 1 --tries 1 --quiet >/dev/null 2>&1 &
pid=$!
for _ in $(seq 300); do
	! grep -q 'Max core file size *0 *0 ' /proc/$pid/limits || grep -aq planted-0123 /proc/$pid/environ 2>/dev/null || break
	sleep 0.1
done
grep -o 'Max core file size *0 *0 ' /proc/$pid/limits | tr -s ' '
grep -aq planted-0123 /proc/$pid/environ 2>/dev/null || echo 'no key'
{ kill -9 $pid; wait $pid || true; } 2>/dev/null # the shell tells of it
