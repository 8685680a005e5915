# A prompt that is too long for the model ends its trajectory for good: it is recorded, counted (planned is still the sum of what became of the turns), not asked again, and played like any other record.
. "$REPO/tests/cli/query/common"
query talk_long r --trajectories 3 >out
sed -n '/turns/p; /outcomes/p; /trajectories/p; /tries/p' out
python3 - <<'END'
import json
tries = [json.loads(line) for line in open('b/artifact/runs/r/exchanges.jsonl')]
print(sorted((e['trajectory'], e['turn'], e['attempt'], e['failure'] or 'answer', e['http_status']) for e in tries))
END
cp b/artifact/runs/r/exchanges.jsonl before
query talk_long r --trajectories 3 --json | tail -n 1 | grep -o '"prompt_too_long":[0-9]*\|"missing":[0-9]*'
cmp before b/artifact/runs/r/exchanges.jsonl
server_gone
frozen r | tail -n 1
"$PTXSEAL" rebuild --run r b | tail -n 1
echo '-- what the reply says decides'
sed -i 's/"failure":"prompt_too_long"/"failure":"http_error"/' b/artifact/runs/r/exchanges.jsonl
frozen r 2>err >out || grep -o 'R-EXC-[0-9]*' err
