# A run from its first request to its summary: answers without a kernel, kernels that do not compile, one that does; and the same, to the byte, however often requests failed in between, whether it is
# streamed, and when it is played from its record with the endpoint gone.
. "$REPO/tests/cli/query/common"
query talk plain
query talk_flaky flaky --tries 8 --stream >out
grep -c . b/artifact/runs/flaky/turns.jsonl
sed -n 's/.*tries *[0-9]*: \([0-9]* answer, [0-9]* truncated\).*/\1, and failures/p' out
cmp b/artifact/runs/plain/turns.jsonl b/artifact/runs/flaky/turns.jsonl
echo '-- other policies ask otherwise, and are answered alike'
for policy in latest-pair single-user; do
	query talk $policy --policy $policy >out
	sed -n '/turns/p; /outcomes/p' out
done
server_gone
cp -r b before
for run in plain flaky latest-pair single-user; do
	frozen $run | tail -n 1
done
# Nothing is written.
diff -r before b
python3 - <<'END'
import json, hashlib, os
for run in sorted(os.listdir('b/artifact/runs')):
    asked = [json.loads(line) for line in open(f'b/artifact/runs/{run}/exchanges.jsonl')]
    turns = [json.loads(line) for line in open(f'b/artifact/runs/{run}/turns.jsonl')]
    done = [e for e in asked if e['failure'] in (None, 'truncated')]
    # One reply a turn, each of a number of its own; a turn's prompt is what its exchanges asked.
    assert len(done) == len(turns) == len({e['sample'] for e in done})
    prompts = {(e['trajectory'], e['turn']): e['prompt_sha256'] for e in asked}
    for turn in turns:
        assert prompts[turn['trajectory'], turn['turn']] == turn['prompt']
        for part in ('prompt', 'response', 'feedback'):
            data = open(f"b/artifact/objects/sha256/{turn[part][:2]}/{turn[part]}", 'rb').read()
            assert hashlib.sha256(data).hexdigest() == turn[part]
    first = json.load(open(f"b/artifact/objects/sha256/{turns[2]['prompt'][:2]}/{turns[2]['prompt']}"))
    print(run, [message['role'] for message in first], len({len(m['content']) for m in first}))
END
