# Where a run leaves its record, the message says the turn and what differs; R-QRY-004 to -006. Nothing is written.
. "$REPO/tests/cli/query/common"
query talk r --trajectories 3 >/dev/null
server_gone
cp -r b kept
try() { # WHAT
	echo "-- $1"
	frozen r >out 2>err && echo played || echo "exit $?: $(sed 's/^ptxseal: //; s/ (R-\(...-...\).*/ (R-\1)/; s/line [0-9]*/line N/; s/trajectory [0-9], turn [0-9] stands/a turn stands/; s/trajectory [0-9], turn [0-9], to which/a turn to which/; s/at trajectory [0-9], turn 0: the bytes/at the first turn: the bytes/' err)"
	rm -r b
	cp -r kept b
}
record=b/artifact/runs/r
try 'as it is'
sed -i 's/"model":"m"/"model":"n"/' $record/run.json
try 'another model in run.json'
sed -i 's/"planned_trajectories":3/"planned_trajectories":4/' $record/run.json
try 'other turns in run.json'
for said in '"checklist":"unsaid","checklist":"patched"' '"retrieval":"none","retrieval":"notes"' '"variant":"","variant":"v"' '"workload_name":"small","workload_name":"published"' '"workload_name":"small","workload_name":"tiny"'; do
	sed -i "s/${said%,*}/${said#*,}/" $record/run.json
	try "${said#*,} in run.json"
done
sed -i 's/"task":"[^"]*"/"task":"none"/' $record/query.json
try 'a task that is not there: it was not typed, the record names it'
sed -i 's/"workload":"[^"]*"/"workload":"none"/' $record/query.json
try 'a workload that is not there'
echo more >>b/tasks/prompts/ptx-1/feedback.txt
try 'another template'
rm -r b/tasks/prompts/ptx-1
try 'no template'
sed -i 's/Matrix product/Product/' b/tasks/$task/task.json
try 'another description of the task'
sed -i 's/"max_tokens":900/"max_tokens":901/' $record/query.json
try 'another limit of tokens'
sed -i 's/"model":"m"/"model":"n"/' $record/query.json $record/run.json
try 'another model'
sed -i 's/"seed":0,/"seed":1,/' $record/query.json
try 'another seed'
sed -i 's/"policy":"full"/"policy":"latest-pair"/' $record/query.json
try 'another policy'
sed -i 's/Parsing error/Parse error/' $record/evaluations.jsonl
try 'another complaint of the compiler: the next turn would have been told it'
sed -i '/"trajectory":2,"turn":0/s/\("path":"kernel.ptx","sha256":"\)......../\100000000/' $record/evaluations.jsonl
try 'another kernel'
sed -i 's/there is no fenced block/there is none/' $record/evaluations.jsonl
try 'another reason'
sed -i '1s/"outcome":"[a-z_]*"/"outcome":"timeout"/' $record/turns.jsonl
try 'another outcome'
sed -i '$d' $record/turns.jsonl
try 'a turn that is missing'
sed -i '$d' $record/exchanges.jsonl
try 'an exchange that is missing'
sed -i '$d' $record/evaluations.jsonl
try 'an evaluation that is missing'
sed -i '2s/.*/{}/' $record/evaluations.jsonl
try 'a record that is none'
sed -i '2p' $record/evaluations.jsonl
try 'a record that stands there twice'
sed -i 's/"turns":8/"turns":0/' $record/query.json
try 'a plan that is none'
python3 - "$record/exchanges.jsonl" <<'END'
import json, sys
lines = open(sys.argv[1]).readlines()
more = json.loads(lines[-1])
more.update(trajectory=2, turn=5, sample=21, attempt=0)
open(sys.argv[1], 'a').write(json.dumps(more, sort_keys=True, separators=(',', ':')) + '\n')
END
try 'an exchange of a turn that was not come to'
python3 - "$record/evaluations.jsonl" <<'END'
import json, sys
more = json.loads(next(line for line in open(sys.argv[1]) if '"trajectory":2' in line))
more.update(turn=1)
open(sys.argv[1], 'a').write(json.dumps(more, sort_keys=True, separators=(',', ':')) + '\n')
END
try 'an evaluation of a turn that was not come to'
python3 - "$record/exchanges.jsonl" <<'END'
import hashlib, json, sys
lines = open(sys.argv[1]).readlines()
one = json.loads(lines[0])
path = lambda name: f'b/artifact/objects/sha256/{name[:2]}/{name}'
body = open(path(one['request']), 'rb').read() + b' '
one['request'] = hashlib.sha256(body).hexdigest()
open(sys.argv[1], 'w').write(json.dumps(one, sort_keys=True, separators=(',', ':')) + '\n' + ''.join(lines[1:]))
import os
os.makedirs(os.path.dirname(path(one['request'])), exist_ok=True)
open(path(one['request']), 'wb').write(body)
END
try 'another request object, of the same prompt'
response=$(sed -n '1s/.*"response":"\([0-9a-f]*\)".*/\1/p' $record/exchanges.jsonl)
echo >>"b/artifact/objects/sha256/${response:0:2}/$response"
frozen r >out 2>err || echo "exit $?: $(grep -o 'R-OBJ-[0-9]*' err)"
