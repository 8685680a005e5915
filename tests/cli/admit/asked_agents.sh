# An agent's session, its talk through the proxy and its kernels through the tool, is submitted and admitted like a run of `query`: what its turns say follows from their evaluations, its requests and replies say what
# their records say.
. "$REPO/tests/cli/agents/common"
. "$REPO/tests/cli/needs_ptxas"
. "$REPO/tests/cli/admit/asking"
endpoint
record plain session --source lab --turns 3 --agent curl
ask "$(body Greet ',"temperature":0.5')" >/dev/null
ask "$(body Greet ',"stream":true')" >/dev/null
ask "$(body Goodbye)" >/dev/null
ended
python3 - "$REPO" <<'END' >said.jsonl
import json, sys
sys.path.insert(0, sys.argv[1] + '/tests/servers')
sys.dont_write_bytecode = True
from scripted import LAUNCHES, PTX, STORE
def say(number, method, **params):
    print(json.dumps({'jsonrpc': '2.0', 'id': number, 'method': method, 'params': params}))
say(1, 'initialize', protocolVersion='2025-06-18', capabilities={}, clientInfo={'name': 't', 'version': '1'})
print(json.dumps({'jsonrpc': '2.0', 'method': 'notifications/initialized'}))
for number, source in enumerate(['no PTX', PTX.replace('BODY', 'this is no instruction;'), PTX.replace('BODY', STORE)], 2):
    say(number, 'tools/call', name='evaluate_kernel', arguments={'source': source, 'launches': LAUNCHES})
END
"$PTXSEAL" mcp --into b --run session --source lab --task $task --model scripted-1 --form ptx --turns 3 --agent curl <said.jsonl >told.jsonl
archive
facts no scripted-1 >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b | hide
PATH=/bin "$PTXSEAL" admit --check --into a s | hide | tail -n 2
"$PTXSEAL" admit --key log.key --into a s >/dev/null
seal_archive
env -i PATH=/nowhere "$PTXSEAL" mcp --frozen --run session --form ptx a <said.jsonl | cmp told.jsonl -
"$PTXSEAL" table answered --format csv a | cut -d, -f1-15
try() { # WHAT, of a copy in ./t, which is sealed again
	"$PTXSEAL" seal --role import --key lab.key --name submitter t >seal.out 2>&1 || true
	"$PTXSEAL" seal --role root --key lab.key --name submitter t >seal.out 2>&1 || true
	"$PTXSEAL" admit --check --json --into b0 t >admit.out 2>err || true
	echo "$1: $(grep -o '"rule":"[^"]*"' admit.out | cut -d '"' -f 4 | grep -v 'R-SUB-060\|R-SUB-063\|R-ADM-013' | sort -u | tr '\n' ' ')"
	rm -r t
}
mkdir b0
cp -r b/tasks b0/
mkdir b0/artifact
run=t/artifact/runs/session
cp -r s t
try 'as it is'
cp -r s t
sed -i '2s/"compile_error"/"unknown"/; 2s/"evidence":"unknown"/"evidence":"static"/' $run/turns.jsonl
try 'the outcome of a turn'
cp -r s t
sed -i '3d' $run/turns.jsonl
try 'a turn dropped'
cp -r s t
sed -i '3s/"static"/"executed"/; 3s/"unknown"/"correct"/; 3s/"speedup":"0"/"speedup":"2"/' $run/turns.jsonl $run/evaluations.jsonl
try 'called correct'
cp -r s t
sed -i '1s/"prompt_sha256":"......../"prompt_sha256":"00000000/' $run/exchanges.jsonl
try 'another prompt in the record of an exchange'
cp -r s t
sed -i '1s/"reasoning":3/"reasoning":9/' $run/exchanges.jsonl
try 'another usage'
cp -r s t
sed -i 's/"temperature":"unknown"/"temperature":"0.50"/' t/artifact/submission.json
try 'the temperature that was asked with'
cp -r s t
sed -i 's/"temperature":"unknown"/"temperature":"0"/' t/artifact/submission.json
try 'another temperature'
cp -r s t
sed -i 's/"retrieval":"unsaid"/"retrieval":"none"/' $run/run.json
try 'what was retrieved is said to be known'
breaks=$REPO/tests/cli/admit/asked_agents_breaks.py
export PYTHONDONTWRITEBYTECODE=1
for way in $(python3 "$breaks" list); do
	cp -r s t
	python3 "$breaks" "$way" t
	try "$way"
done
