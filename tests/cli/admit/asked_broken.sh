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
	# What playing the record finds is found by whoever plays it, in the archive's place too.
	rm -rf played
	cp -r b played
	cp -r t/artifact played/
	"$PTXSEAL" query --frozen --run r played >played.out 2>&1 && played= || played=$(grep -o -m 1 'R-[A-Z]*-[0-9]*' played.out)
	python3 - "$way" "$played" <<'END'
import json, sys
found = json.load(open('admit.out'))
rules = sorted({finding['rule'] for finding in found['findings'] if finding.get('severity', 'ERROR') == 'ERROR' or finding['rule'] in ('R-SUB-051', 'R-SUB-052', 'R-SUB-064')})
print(f"{sys.argv[1]}: {found['verdict']} {' '.join(rules)}" + (f"; played: {sys.argv[2]}" if sys.argv[2] else ''))
END
done
