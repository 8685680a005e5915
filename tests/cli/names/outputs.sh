# A name of markup is a name: every output that people read shows it literally, in its own escapes, and no other byte of a table changes.
. "$REPO/tests/cli/names/common"
. "$REPO/tests/cli/exchange/common"
mkdir b
cp -r "$REPO/artifact" "$REPO/tasks" b
trajectories
"$PTXSEAL" import trajectories runs --source agents --into b --model "$markup" 2>&1 | sed 's/ (R-.*//' || true
json=$(python3 -c 'import json, sys; print(json.dumps(sys.argv[1])[1:-1])' "$markup")
for file in runs/first/trajectories/exp_00?.json; do
	python3 - "$file" "$markup" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    tree = json.load(file)
tree["info"]["config"]["model"]["model_name"] = sys.argv[2]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    json.dump(tree, file)
PYTHON
done
"$PTXSEAL" import trajectories runs --source agents --into b | head -n 1
grep -cF "\"model\":\"$json\"" b/artifact/runs/agents-0001/run.json
"$PTXSEAL" derive --out out b >log
"$PTXSEAL" derive --out before "$REPO" >log
for file in before/*; do
	diff "$file" "out/${file#before/}" || true
done
"$PTXSEAL" table --rows agents by_source b
"$PTXSEAL" table --format json --rows agents by_source b | grep -oF "\"$json\""
"$PTXSEAL" explain by_source "agents/$markup/hopper/$task" correct b | grep -F "$markup"
"$PTXSEAL" explain --sql "SELECT model FROM run WHERE source = 'agents'" --csv b
"$PTXSEAL" claims b | cmp - <("$PTXSEAL" claims "$REPO")
