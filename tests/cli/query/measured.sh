# With --measure what compiles is replayed (here by the stand-in for the driver): the outcome, the errors and the speed are told to the model, each turn has a record as any replay has, and a turn that is fast enough
# ends its trajectory. Played from its record the run needs no device, and no compiler.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/device"
query talk_runs r --trajectories 2 --measure --trials 8 --seconds 2 --memcheck off --target-speedup 0.7 >out
sed -n '/turns/p; /outcomes/p; /trajectories/p; /speedup/p' out
server_gone
python3 - <<'END'
import json
turns = {(t['trajectory'], t['turn']): t for t in map(json.loads, open('b/artifact/runs/r/turns.jsonl'))}
for (trajectory, turn), t in sorted(turns.items()):
    name = f'r-{trajectory:03}-{turn:02}'
    record = json.load(open(f'b/artifact/replays/r/{name}.json'))
    assert (record['trajectory'], record['turn'], record['outcome']['label']) == (trajectory, turn, t['outcome'])
    assert t['outcome'] != 'correct' or t['speedup'] == record['timing']['speedup']['median']
    print(name, t['outcome'], t['evidence'])
said = [open(f"b/artifact/objects/sha256/{t['feedback'][:2]}/{t['feedback']}").read() for (i, _), t in sorted(turns.items()) if i == 0]
for text in said:
    print('--', text.split('.')[0])
    print([word for word in ('Trials:', 'relative RMS', "the library's", 'Speed:', 'wgmma') if word in text])
END
PTXSEAL_LIBCUDA=/nowhere PATH=/bin frozen r | tail -n 1
echo '-- what was measured and is changed in the record is seen by the tables'
for record in b/artifact/replays/*/*.json; do
	python3 "$REPO/tests/cli/replay/forged.py" disguise "$record" "b/artifact/runs/$(basename "$(dirname "$record")")/turns.jsonl"
done
"$PTXSEAL" explain --sql 'SELECT candidate, turn, replay.outcome FROM replay ORDER BY 1' b
echo '-- who measured says what a replay says: a manifest of the run, and what its source vouches for is the rest'
for role in import 'replay --run r' root; do
	"$PTXSEAL" keygen --out "${role%% *}.key" --public "${role%% *}.pub" >out
	# shellcheck disable=SC2086
	"$PTXSEAL" seal --role $role --key "${role%% *}.key" b >out || cat out
done
"$PTXSEAL" verify b | sed -n '1s/:.*//p'
said() { sed 's/.*"payload":"\([^"]*\)".*/\1/' "b/manifests/$1.dsse.json" | base64 -d; }
said r | grep -o '"predicateType":"[^"]*"'
said r | grep -o '"outcome":{"label":"[^"]*"' | sort | uniq -c
said r | grep -o '"name":"[^"]*"' | grep -v 'objects\|candidates'
said query | grep -o '"name":"[^"]*"'
sed -i '1s/"wrong_result"/"timeout"/' b/artifact/runs/r/turns.jsonl
"$PTXSEAL" explain --sql 'SELECT 1 AS one' b 2>err || grep -o 'record and ledger have other outcomes (R-RPL-[0-9]*' err
