# R-NAM: a bundle whose records hold such a name, whoever wrote it, is not derived from: run.json is refused, and the message shows the name in escapes.
. "$REPO/tests/cli/names/common"
. "$REPO/tests/cli/derive/bundle.inc"
cp bundle/artifact/runs/one/run.json run.json
for field in model task workload workload_name variant; do
	for one in "${hostile[@]}"; do
		python3 - $field "${one#* }" <<'PYTHON'
import json
import sys

with open("run.json", encoding="utf-8") as file:
    run = json.load(file)
run[sys.argv[1]] = sys.argv[2]
with open("bundle/artifact/runs/one/run.json", "w", encoding="utf-8") as file:
    file.write(json.dumps(run, sort_keys=True, separators=(",", ":")) + "\n")
PYTHON
		"$PTXSEAL" table --format csv correct bundle >out 2>err
		[ $? = 3 ] && grep -q "(${one%% *}:" err && grep -q "field '$field'" err && [ ! -s out ] || { echo "$field: ${one%% *}" | cat -v; cat out err; }
	done
done
"$PTXSEAL" evaluate bundle 2>&1 | grep -c R-NAM
