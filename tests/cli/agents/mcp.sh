# docs/query.md, "The evaluation as a tool": driven by the official client; every kernel that is handed in is a turn, and the same client is told the same again from the record, by no compiler.
. "$REPO/tests/cli/agents/common"
python=$REPO/build/venv-agents/bin/python
. "$REPO/tests/cli/needs_ptxas"
[ -x "$python" ] || { echo "mcp could not be installed (tests/agents/requirements.txt)"; exit 77; }
client() { "$python" "$REPO/tests/agents/mcp_client.py" "$@" 2>said; }
live=(mcp --into b --run session --task $task --model scripted-1 --form ptx --turns 3 --agent 'a client')
client one.json "$PTXSEAL" "${live[@]}" | cut -c 1-90
tail -n 1 said
"$PTXSEAL" explain --sql "SELECT turn, outcome, evidence, arch_tag FROM turn" b
# What was handed in is kept, as the answer and as files; what was told is the feedback.
for field in response feedback; do
	object=$(sed -n "3s/.*\"$field\":\"\([0-9a-f]*\)\".*/\1/p" b/artifact/runs/session/turns.jsonl)
	head -n 2 "b/artifact/objects/sha256/${object:0:2}/$object"
	echo
done
ls b/artifact/candidates/$task
# Killed between an evaluation and its line: the line is written when the run is taken up.
cp -r b killed
sed -i '3d' killed/artifact/runs/session/turns.jsonl
"$PTXSEAL" mcp --into killed "${live[@]:3}" </dev/null 2>&1
cmp b/artifact/runs/session/turns.jsonl killed/artifact/runs/session/turns.jsonl
# From the record, without tools.
env -i PATH=/nowhere "$PTXSEAL" mcp --frozen --run session --form ptx b </dev/null 2>&1 || echo "exit $?"
client two.json "$PTXSEAL" mcp --frozen --run session --form ptx b >two.txt
cmp one.json two.json
diff -r b killed
# What was handed in is extracted and compiled again, as a model's answers are (R-QRY-005, R-QRY-009).
rebuilt() { "$PTXSEAL" rebuild --run session "$1" || echo "exit $?"; }
rebuilt b
sed -i '3s/"cubin":"......../"cubin":"00000000/' b/artifact/runs/session/evaluations.jsonl
rebuilt b
one=$(sed -n '1s/.*"response":"\([0-9a-f]*\)".*/\1/p' killed/artifact/runs/session/turns.jsonl)
sed -i "3s/\"response\":\"[0-9a-f]*\"/\"response\":\"$one\"/" killed/artifact/runs/session/turns.jsonl
rebuilt killed
sed -i 3d killed/artifact/runs/session/turns.jsonl
rebuilt killed
