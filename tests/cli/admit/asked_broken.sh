# Every way to break a run that asked a model is found by its rule, though whoever does it redoes the hashes and seals again: the submission is refused.
. "$REPO/tests/cli/query/common"
. "$REPO/tests/cli/admit/asking"
export PYTHONDONTWRITEBYTECODE=1
query talk r --trajectories 3 --name lab >/dev/null
server_gone
archive
facts >facts.json
"$PTXSEAL" submit --facts facts.json --key lab.key --into s b >/dev/null
breaks=$REPO/tests/cli/admit/asked_breaks.py
for way in $(python3 "$breaks" list); do
	rm -rf t
	cp -r s t
	python3 "$breaks" "$way" t
	"$PTXSEAL" seal --role import --key lab.key --name submitter t >seal.out 2>&1 || true
	"$PTXSEAL" seal --role root --key lab.key --name submitter t >seal.out 2>&1 || true
	"$PTXSEAL" admit --check --json --into a t >admit.out 2>err || true
	python3 - "$way" <<'END'
import json, sys
found = json.load(open('admit.out'))
rules = sorted({finding['rule'] for finding in found['findings'] if finding.get('severity', 'ERROR') == 'ERROR'})
print(f"{sys.argv[1]}: {found['verdict']} {' '.join(rules)}")
END
done
