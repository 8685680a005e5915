# A run that was measured as it was asked (by the tests' stand-in for the driver, whose times are none that a device has, so nothing is timed here; its records are disguised as a device's) is admitted with
# its conversation and its records: each has to be of its turn, of the kernel that was extracted there, and to say what the turn and the feedback say.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/query/device"
. "$REPO/tests/cli/admit/asking"
query talk_runs r --trajectories 1 --turns 2 --measure --trials 8 --seconds 2 --memcheck off --name lab >/dev/null
server_gone
for record in b/artifact/replays/r/*.json; do
	python3 "$REPO/tests/cli/replay/forged.py" disguise "$record" b/artifact/runs/r/turns.jsonl
done
archive
rm a/artifact/facts/inputs.jsonl # of the real task, this one is tiny
facts >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b | hide | sed -E 's/[0-9]+ (objects|files)/N \1/g'
ls s/manifests
"$PTXSEAL" admit --check --into a s | hide | sed -E 's/[0-9]+ files/N files/' | grep -v 'R-SUB-04\|R-SUB-06'
"$PTXSEAL" admit --key log.key --into a s >/dev/null
seal_archive
env -i PATH=/bin PTXSEAL_LIBCUDA=/nowhere "$PTXSEAL" query --frozen --run r a | tail -n 1
"$PTXSEAL" explain --sql 'SELECT source, run, turn, candidate, replay.outcome FROM replay JOIN run USING (run_id) ORDER BY 3' a
try() { # WHAT, of a copy in ./t, which is sealed again
	"$PTXSEAL" seal --role import --key lab.key --name submitter t >seal.out 2>&1
	cp -r b/tasks t/ # whoever says that it was measured looks at the task
	"$PTXSEAL" seal --role replay --run r --key lab.key --name submitter t >seal.out 2>&1 || echo "$1: not sealed: $(grep -o 'R-[A-Z]*-[0-9]*' seal.out | head -n 1)"
	rm -r t/tasks
	"$PTXSEAL" seal --role root --key lab.key --name submitter t >seal.out 2>&1 || true
	"$PTXSEAL" admit --check --json --into a0 t >admit.out 2>err || true
	echo "$1: $(grep -o '"rule":"[^"]*"' admit.out | cut -d '"' -f 4 | grep -v 'R-SUB-04\|R-SUB-06\|R-ADM-013' | sort -u | tr '\n' ' ')"
	rm -r t
}
mkdir -p a0/artifact
cp -r b/tasks a0/
record=t/artifact/replays/r/r-000-01.json run=t/artifact/runs/r
cp -r s t
try 'as it is'
cp -r s t
rm $record
try 'a record dropped'
cp -r s t
sed -i 's/"turn":1/"turn":0/' $record
try 'of another turn'
cp -r s t
sed -i 's/"turn":1,//' $record
try 'of no turn'
cp -r s t
sed -i '/"turn":0,/s/"passed":[0-9]*/"passed":5/' $run/evaluations.jsonl
try 'another account in what was told'
cp -r s t
sed -i 's/"evaluation":"replay"/"evaluation":"static"/' $run/query.json
try 'called static'
cp -r s t
key=Abc123Def456Ghi789Jkl0
sed -i "s/\"origin\":\"/\"origin\":\"\\\\tsk-$key /" $record
try 'a key in a record'
told_otherwise() { # PART CHANGE, in Python, of the evaluation `e`; the feedback that follows from it is made too, as far as the text goes
	cp -r s t
	python3 - "$REPO/tests/cli/admit" "$2" <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import asked_breaks as breaks
os.chdir('t')
evaluations = breaks.load('evaluations.jsonl')
e = breaks.one(evaluations, 0, 0)
turn = breaks.one(breaks.load('turns.jsonl'), 0, 0)
text = e['text']
exec(sys.argv[2])
breaks.save('evaluations.jsonl', evaluations)
breaks.change('turns.jsonl', 0, 0, feedback=breaks.put(breaks.get(turn['feedback']).decode().replace(text, e['text']).encode()))
breaks.sweep()
END
	"$PTXSEAL" seal --role import --key lab.key --name submitter t >seal.out 2>&1
	"$PTXSEAL" admit --check --json --into a0 t >admit.out 2>err || true
	python3 -c '
import json, sys
fields = sorted(f["field"] for f in json.load(open("admit.out"))["findings"] if f["rule"] == "R-SUB-006" and f["file"].endswith("/evaluations.jsonl"))
print(f"told otherwise, {sys.argv[1]}:", *fields)' "$1"
	rm -r t
}
told_otherwise nothing ''
told_otherwise text 'e["text"] = "all 19 trials passed, 3x cuBLAS"'
told_otherwise rule 'e["rule"] = "R-RPL-002"'
told_otherwise outcome 'e["outcome"] = "runtime_error"'
told_otherwise evidence 'e["evidence"] = "executed"'
told_otherwise tag 'e["arch_tag"] = "H"'
told_otherwise trials 'e["facts"]["trials"]["passed"] = 5'
told_otherwise errors 'e["facts"]["errors"][0]["rms"] = "0.001"'
told_otherwise quantiles 'e["facts"]["errors"][0]["quantiles"]["max"] = "0.001"'
told_otherwise 'no errors' 'e["facts"]["errors"] = []'
told_otherwise work 'e["facts"]["work"]["executed"] = [{"executed": 9, "text": "HGMMA.64x256x16.F32.BF16"}]'
told_otherwise 'no work' 'del e["facts"]["work"]'
told_otherwise share 'e["facts"]["work"]["target_share"] = "1"'
told_otherwise sanitizer 'e["facts"]["sanitizer"] = "1 errors; the first: Invalid write"'
told_otherwise speed 'e["facts"]["speed"] = {"baseline": "cuBLASLt", "baseline_ms": "3", "candidate_ms": "1", "high": "3", "low": "3", "speedup": "3"}'
told_otherwise 'something else' 'e["facts"]["praise"] = "well done"'
